import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { MakeOwnPaper } from '#contract/exam-wrong.ts';
import { OWN_PAPER_MOST } from '#contract/values/exam.ts';
import { readPracticeIds } from '../paper/bank-store.ts';
import { saveOwnPaper } from '../paper/save-own-paper.ts';
import { isOffered, readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { readCollected } from './collection-store.ts';
import { wrongFilter } from './error-list.ts';

type Wanted = InputOf<typeof MakeOwnPaper>;
type Made = { ok: true; paper: DataOf<typeof MakeOwnPaper> } | { ok: false; why: Why; field?: string };

/** What narrows the wrong-question list alone: of other questions it says nothing, and to pass it over would give others than were asked for. */
const OF_WRONG = ['state', 'examId', 'timesWrong', 'guessed', 'since'] as const;

/**
 * Makes a practice of questions of a pack for one student: those that they name, or the first of their list or collection, or of
 * what they left open or marked, under a filter. Who names a question of another pack, or none, is refused; those that are not on offer, and those that
 * only papers have which they have not begun (rules/exam/reveal.ts `mayDraw`), are left out and counted.
 */
export async function makeOwnPaper(
  exam: ExamParts,
  { userId, now, ...wanted }: Wanted & { userId: number; now: number },
): Promise<Made> {
  const { packId, name, requestId } = wanted;
  const odd = OF_WRONG.find((name) => wanted[name] !== undefined && wanted[name] !== 0);
  if (odd !== undefined && wanted.questionIds === undefined && (wanted.from ?? 'wrong') !== 'wrong')
    return { ok: false, why: 'filterOfWrong', field: odd };
  const grades = exam.gradesFor(exam.db.query, userId);
  const sat = [...(await grades.hidden())];
  const undrawable = await grades.undrawable(packId);
  const ids = await chosenIds(exam, grades, wanted, { userId, without: undrawable });
  if (ids === null) return { ok: false, why: 'notFound' };
  const found = await readQuestions(exam.db.query, ids);
  if (wanted.questionIds?.some((id) => found.get(id)?.packId !== packId))
    return { ok: false, why: 'notOfPack', field: 'questionIds' };
  const questions = ids.flatMap((id): [number, number][] => {
    const question = found.get(id);
    return question?.packId === packId && isOffered(question) && !undrawable.has(id) ? [[id, question.score]] : [];
  });
  const chosen = { kind: 'own', purpose: 'chosen', examTime: null } as const;
  const saved = await saveOwnPaper(exam, { ...chosen, userId, packId, name, questions, sat, now, press: requestId });
  return saved.ok ? { ok: true, paper: { ...saved.paper, leftOut: leftOut(wanted, questions.length) } } : saved;
}

/** Of questions that were named, how many the practice does not have. */
function leftOut({ questionIds }: Wanted, taken: number): number {
  return questionIds === undefined ? 0 : questionIds.length - taken;
}

/** The questions that are meant, in order; null when the pack has no such chapter. */
async function chosenIds(
  exam: ExamParts,
  grades: ReturnType<ExamParts['gradesFor']>,
  wanted: Wanted,
  { userId, without }: { userId: number; without: ReadonlySet<number> },
): Promise<readonly number[] | null> {
  const { questionIds, from = 'wrong', most = OWN_PAPER_MOST, name: _, requestId: __, ...sent } = wanted;
  if (questionIds !== undefined) return questionIds;
  const filter = await wrongFilter(exam, sent);
  if (filter === null) return null;
  if (from === 'unanswered' || from === 'flagged') {
    const { packId, chapterIds, questionTypesId } = filter;
    return readPracticeIds(exam.db.query, { userId, packId, chapterIds, questionTypesId, only: from, most, without });
  }
  if (from === 'collected') {
    const { list } = await readCollected(exam.db.query, { ...filter, userId, limit: most, offset: 0 });
    return list.map(({ questionId }) => questionId);
  }
  const { entries } = await grades.wrongPage({ ...filter, order: 'newest', limit: most, offset: 0 });
  return entries.map(({ questionId }) => questionId);
}
