import type { Why } from '#contract/envelope.ts';
import { OWN_PAPER_MOST } from '#contract/values/exam.ts';
import { isMadeWithout } from '#rules/exam/reveal.ts';
import { readOpenRecords } from '../finding/planned-store.ts';
import { readPracticeIds } from '../paper/bank-store.ts';
import { findBegunPapers } from '../paper/own-paper-store.ts';
import { saveOwnPaper } from '../paper/save-own-paper.ts';
import { readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';

/** Names the practices that one student makes of one chapter on one day. */
const partPress = (day: number, chapterId: number) => `part:${day}:${chapterId}:`;

/** Whether a paper is a practice that a student made of a part of a chapter, on whichever day. */
export function isChapterPart(slug: string, { userId, chapterId }: { userId: number; chapterId: number }): boolean {
  const [own, by, part, , of] = slug.split(':');
  return own === 'own' && by === String(userId) && part === 'part' && of === String(chapterId);
}

/**
 * A practice of so many questions that stand in a chapter itself and that a student never answered. The practice of the chapter that
 * is open goes on, and so does a part of it that was begun, on whichever day, or made on that day, until it is handed in; not one that was made before an
 * exam that is sat began, since how many questions it has may tell what was right (decision 062).
 * @param asked `sat`: the questions that `count` was found without
 */
export async function startChapterPart(
  exam: ExamParts,
  asked: {
    userId: number;
    packId: number;
    chapterId: number;
    name: string;
    count: number;
    sat: readonly number[];
    day: number;
    now: number;
  },
): Promise<{ ok: true; examId: number } | { ok: false; why: Why }> {
  const { query } = exam.db;
  const { userId, packId, chapterId, name, count, sat, day, now } = asked;
  const open = await readOpenRecords(query, userId);
  const begun =
    open.find((record) => record.kind === 'chapter' && record.chapterId === chapterId) ??
    open.findLast(({ slug }) => isChapterPart(slug, { userId, chapterId }));
  if (begun) return { ok: true, examId: begun.examId };
  const press = partPress(day, chapterId);
  const made = await findBegunPapers(query, userId, press);
  const last = made.at(-1);
  const grades = exam.gradesFor(query, userId);
  if (last && !last.handedIn && isMadeWithout(await grades.hidden(), last.sat))
    return { ok: true, examId: last.examId };
  const most = Math.min(OWN_PAPER_MOST, Math.max(1, count));
  const without = await grades.undrawable(packId);
  const ids = await readPracticeIds(query, {
    userId,
    packId,
    chapterIds: [chapterId],
    only: 'unanswered',
    most,
    without,
  });
  const found = await readQuestions(query, ids);
  const questions = ids.flatMap((id): [number, number][] => {
    const question = found.get(id);
    return question ? [[id, question.score]] : [];
  });
  const part = { kind: 'own', purpose: 'chosen', examTime: null } as const;
  const paper = { ...part, userId, packId, name, questions, sat, now, press: press + made.length };
  const saved = await saveOwnPaper(exam, paper);
  return saved.ok ? { ok: true, examId: saved.paper.examId } : saved;
}
