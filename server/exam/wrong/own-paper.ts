import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { MakeOwnPaper } from '#contract/exam-wrong.ts';
import { OWN_PAPER_MOST, OWN_PAPERS } from '#contract/values/exam.ts';
import { addOwnPaper, countOwnPapers, type NewOwnPaper } from '../paper/own-paper-store.ts';
import { readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { readCollected } from './collection-store.ts';
import { wrongFilter } from './error-list.ts';

type Wanted = InputOf<typeof MakeOwnPaper>;
type Made = { ok: true; paper: DataOf<typeof MakeOwnPaper> } | { ok: false; why: Why };

/**
 * Makes a practice of questions of a pack for one student: those that they name, or the first of their list or collection under
 * a filter. Questions of other packs, and those that the school has taken out, are left out.
 */
export async function makeOwnPaper(
  exam: ExamParts,
  { userId, now, ...wanted }: Wanted & { userId: number; now: number },
): Promise<Made> {
  const { packId, name } = wanted;
  const ids = await chosenIds(exam, userId, wanted);
  if (ids === null) return { ok: false, why: 'notFound' };
  const found = await readQuestions(exam.db.query, ids);
  const questions = ids.flatMap((id): [number, number][] => {
    const question = found.get(id);
    return question && question.packId === packId && !question.archived ? [[id, question.score]] : [];
  });
  const saved = await saveOwnPaper(exam, { userId, packId, name, purpose: 'chosen', questions, now });
  return saved.ok ? { ok: true, paper: { examId: saved.examId, totalQuestion: questions.length } } : saved;
}

/** Stores a practice of these questions, as many a day as `OWN_PAPERS` permits; whatever it is made for. */
export async function saveOwnPaper(
  { db, random }: Pick<ExamParts, 'db' | 'random'>,
  { name, ...paper }: Omit<NewOwnPaper, 'slug'>,
): Promise<{ ok: true; examId: number } | { ok: false; why: 'noQuestions' | 'tooMany' }> {
  const { userId, questions, now } = paper;
  if (questions.length === 0) return { ok: false, why: 'noQuestions' };
  const { within, most } = OWN_PAPERS;
  if ((await countOwnPapers(db.query, userId, now - within)) >= most) return { ok: false, why: 'tooMany' };
  const slug = `own:${userId}:${random(12).toString('hex')}`;
  const examId = await db.transaction((trx) => addOwnPaper(trx, { ...paper, slug, name: name.trim() }));
  return { ok: true, examId };
}

/** The questions that are meant, in order; null when the pack has no such chapter. */
async function chosenIds(exam: ExamParts, userId: number, wanted: Wanted): Promise<readonly number[] | null> {
  const { questionIds, from = 'wrong', most = OWN_PAPER_MOST, name: _, ...sent } = wanted;
  if (questionIds !== undefined) return questionIds;
  const filter = await wrongFilter(exam, sent);
  if (filter === null) return null;
  if (from === 'collected') {
    const { list } = await readCollected(exam.db.query, { ...filter, userId, limit: most, offset: 0 });
    return list.map(({ questionId }) => questionId);
  }
  const grades = exam.gradesFor(exam.db.query, userId);
  const { entries } = await grades.wrongPage({ ...filter, order: 'newest', limit: most, offset: 0 });
  return entries.map(({ questionId }) => questionId);
}
