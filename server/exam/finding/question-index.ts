import { type ChapterFacts, growTree, noFacts, type TreeNode } from '#rules/exam/tree.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { listCourses } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import type { VisibleGrades } from '../grading/visible-grades.ts';
import type { ExamParts } from '../parts.ts';
import { countPractisedByChapter } from './count-store.ts';
import {
  countAnsweredAfterClass,
  countAnsweredByChapter,
  listPractices,
  type Practice,
  readNewestRecords,
} from './store.ts';

type Course = { courseId: number; name: string; chapters: TreeNode[] };

/** The chapter tree of a pack for one student: chapter practice (1) or after-class practice (2). */
export async function readChapterTree(
  { db: { query }, gradesFor }: Pick<ExamParts, 'db' | 'gradesFor'>,
  asked: { userId: number; packId: number; courseId?: number | undefined; type: number },
): Promise<Course[]> {
  const { userId, packId } = asked;
  const courses = await listCourses(query, packId, asked.courseId);
  const chapters = await listChapters(query, packId);
  const practices = await listPractices(query, packId, asked.type === 1 ? 'chapter' : 'afterclass');
  const records = await readNewestRecords(query, userId, packId);
  const grades = gradesFor(query, userId);
  const facts =
    asked.type === 1
      ? await chapterFacts(query, userId, packId, grades)
      : await afterClassFacts(query, userId, packId, practices, grades);
  let last: { recordId: number; chapterId: number } | null = null;
  for (const { id, chapterId } of practices) {
    const record = records.get(id) ?? null;
    const known = facts.get(chapterId) ?? { ...noFacts };
    // The loader takes one practice for each chapter; of older data the first stands in the tree.
    if (known.examId !== null) continue;
    facts.set(chapterId, { ...known, examId: id, record });
    if (record && (last === null || record.recordId > last.recordId)) last = { recordId: record.recordId, chapterId };
  }
  return courses.map(({ id: courseId, name }) => {
    const rows = chapters.filter((chapter) => chapter.courseId === courseId);
    const here = rows.some((chapter) => chapter.id === last?.chapterId) ? (last?.chapterId ?? null) : null;
    return { courseId, name, chapters: growTree(packId, rows, facts, here) };
  });
}

/** Counts by chapter from the questions themselves; every step is an index scan or bounded by what one student did. */
async function chapterFacts(
  query: Query,
  userId: number,
  packId: number,
  grades: VisibleGrades,
): Promise<Map<number, ChapterFacts>> {
  const facts = new Map<number, ChapterFacts>();
  const at = (chapterId: number) => {
    const known = facts.get(chapterId) ?? { ...noFacts };
    facts.set(chapterId, known);
    return known;
  };
  for (const [id, count] of await countPractisedByChapter(query, packId)) at(id).totalQuestion = count;
  for (const [id, count] of await countAnsweredByChapter(query, userId, packId)) at(id).doneCount = count;
  const { progress, withheld } = await grades.chapterProgress();
  for (const [id, own] of progress) Object.assign(at(id), own);
  for (const id of withheld) at(id).inOpenExam = true;
  return facts;
}

/** Counts of after-class practices: their own questions, and the right rate of the newest that was handed in. */
async function afterClassFacts(
  query: Query,
  userId: number,
  packId: number,
  practices: readonly Practice[],
  grades: VisibleGrades,
): Promise<Map<number, ChapterFacts>> {
  const answered = await countAnsweredAfterClass(query, userId, packId);
  const { progress, withheld } = await grades.afterClassProgress(packId);
  const facts = new Map<number, ChapterFacts>();
  for (const { id, chapterId, totalQuestion } of practices) {
    if (facts.has(chapterId)) continue;
    facts.set(chapterId, {
      ...noFacts,
      totalQuestion,
      doneCount: answered.get(id) ?? 0,
      ...progress.get(id),
      inOpenExam: withheld.has(id),
    });
  }
  return facts;
}
