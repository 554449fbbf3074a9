import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { MakeRandomPaper, RandomOptions } from '#contract/exam-paper.ts';
import { OWN_PAPER_MOST } from '#contract/values/exam.ts';
import { drawPaper } from '#rules/exam/random-paper.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { listCourses } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import { countBank, readBank } from '../paper/bank-store.ts';
import { readLastBlueprint } from '../paper/own-paper-store.ts';
import { saveOwnPaper } from '../paper/save-own-paper.ts';
import type { ExamParts } from '../parts.ts';

/** What a student can draw a random paper of a pack from, in the order of the tree. */
export async function readRandomOptions(
  { db: { query }, gradesFor }: ExamParts,
  userId: number,
  packId: number,
): Promise<DataOf<typeof RandomOptions>> {
  const counts = await countBank(query, packId, await gradesFor(query, userId).undrawable(packId));
  const courses = await listCourses(query, packId);
  const places = new Map(courses.map(({ id }, at) => [id, at]));
  const names = new Map(courses.map(({ id, name }) => [id, name]));
  const chapters = await listChapters(query, packId);
  const place = ({ courseId }: { courseId: number }) => places.get(courseId) ?? courses.length;
  const last = await readLastBlueprint(query, userId, packId);
  return {
    last: last === null ? null : (JSON.parse(last) as DataOf<typeof RandomOptions>['last']),
    chapters: chapters
      .sort((a, b) => place(a) - place(b))
      .map(({ id, parentId, courseId, name, level }) => ({
        chapterId: id,
        parentId,
        courseId,
        courseName: names.get(courseId) ?? '',
        name,
        level,
        types: (counts.get(id) ?? []) as DataOf<typeof RandomOptions>['chapters'][number]['types'],
      })),
  };
}

type Wanted = InputOf<typeof MakeRandomPaper> & { userId: number; now: number };
type Made =
  | { ok: true; paper: DataOf<typeof MakeRandomPaper> }
  | { ok: false; why: Why; field?: string; at?: number | undefined };

/** Draws a random paper by a blueprint and stores it for its student alone. */
export async function makeRandomPaper(
  exam: ExamParts,
  { userId, now, packId, name, chapterIds: chosen, lines, examTime, requestId }: Wanted,
): Promise<Made> {
  const { query } = exam.db;
  const types = new Set<number>(lines.map(({ questionTypesId }) => questionTypesId));
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  if (types.size < lines.length || total > OWN_PAPER_MOST) return { ok: false, why: 'badInput', field: 'lines' };
  const chapterIds = await withBelow(query, packId, chosen);
  if (chapterIds === null) return { ok: false, why: 'notFound', field: 'chapterIds' };
  const without = await exam.gradesFor(query, userId).undrawable(packId);
  const bank = await readBank(query, userId, { packId, chapterIds, without });
  const drawn = drawPaper(bank, lines, exam.random(4).readUInt32LE());
  if (!drawn.ok) return { ok: false, why: drawn.why, field: 'lines', at: drawn.at };
  const questions = drawn.questions.map(({ questionId, score }) => [questionId, score] as const);
  const random = { kind: 'random', purpose: 'random' } as const;
  const blueprint = JSON.stringify({ chapterIds: chosen ?? null, lines, examTime });
  const asked = { userId, packId, name, examTime, now, press: requestId };
  // It is made of what was answered, whatever it was graded.
  return saveOwnPaper(exam, { ...random, ...asked, blueprint, questions, sat: [] });
}

/** These chapters and all below them, or all of the pack; null when one is not of the pack. */
async function withBelow(
  query: Query,
  packId: number,
  chosen: readonly number[] | undefined,
): Promise<number[] | null> {
  const chapters = await listChapters(query, packId);
  const known = new Set(chapters.map(({ id }) => id));
  if (chosen === undefined) return [...known];
  if (!chosen.every((id) => known.has(id))) return null;
  const wanted = new Set(chosen);
  // Three levels (spec §3): the second pass reaches the third.
  for (let pass = 0; pass < 2; pass += 1)
    for (const { id, parentId } of chapters) if (parentId !== null && wanted.has(parentId)) wanted.add(id);
  return [...wanted];
}
