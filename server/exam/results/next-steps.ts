import type { DataOf } from '#contract/call.ts';
import type { ResultTip } from '#contract/exam.ts';
import { scoredKinds } from '#contract/values/exam.ts';
import { type NextStep, nextSteps, STEPS } from '#rules/exam/next-steps.ts';
import { passMark } from '#rules/exam/result.ts';
import { readChapterNames } from '#server/course/chapter-store.ts';
import type { Query } from '#server/db/open.ts';
import { listPapers, listPractices, readNewestRecords } from '../finding/store.ts';
import type { WrongEntry } from '../grading/wrong-entry.ts';
import { countOnOffer } from '../paper/bank-store.ts';
import type { ContentQuestion } from '../paper/content.ts';
import { readPassScore } from '../paper/retake-store.ts';
import type { ExamParts } from '../parts.ts';
import type { RecordView } from '../record/store.ts';
import { countDailyReview } from '../wrong/daily-review.ts';

type Tip = DataOf<typeof ResultTip>;
type Shown = Pick<Tip, 'byChapter' | 'byType' | 'pendingCount' | 'withheld' | 'score' | 'totalScore' | 'retake'>;

/** What to work on next after a record, from what its student may see of it now (rules/exam/next-steps.ts). */
export async function readNextSteps(
  parts: ExamParts,
  record: RecordView,
  questions: readonly ContentQuestion[],
  { tip, now }: { tip: Shown; now: number },
): Promise<NextStep[]> {
  const { query } = parts.db;
  const { userId, packId } = record;
  const entries = await parts.gradesFor(query, userId).wrongOf(questions.map(({ questionId }) => questionId));
  const wrong = questions.filter(({ questionId }) => isOfRecord(entries.get(questionId), record));
  const practices = await listPractices(query, packId, 'chapter');
  const facts = {
    pendingCount: tip.pendingCount ?? 0,
    chapters: tip.byChapter.map((chapter) => ({
      ...chapter,
      wrong: idsOf(wrong.filter(({ chapterId }) => chapterId === chapter.chapterId)),
      practiceId: practices.find(({ chapterId }) => chapterId === chapter.chapterId)?.id ?? null,
    })),
    types: tip.byType.map((type) => ({
      ...type,
      wrong: idsOf(wrong.filter((question) => question.type === type.questionTypesId)),
    })),
  };
  const own = nextSteps(facts);
  if (own.length === STEPS) return own;
  const begun = await readNewestRecords(query, userId, packId);
  const named = own.flatMap((step) => (step.code === 'practise' ? [step.examId] : []));
  const newPractices = practices
    .filter(({ id, totalQuestion }) => !begun.has(id) && !named.includes(id) && totalQuestion > 0)
    .slice(0, STEPS);
  const names = await readChapterNames(
    query,
    newPractices.map(({ chapterId }) => chapterId),
  );
  const papers = await listPapers(query, { packId });
  const other = {
    review: await countDailyReview(parts, userId, { packId, now }),
    again: mayAgain(record, tip, now) ? await readMarks(query, record, tip) : null,
    newChapters: newPractices.map(({ id: examId, chapterId, totalQuestion }) => ({
      examId,
      chapterName: names.get(chapterId) ?? '',
      totalQuestion,
    })),
    newPapers: papers.filter(({ id, kind }) => scoredKinds.some((scored) => scored === kind) && !begun.has(id)).length,
    wrongOfPack: await countWrong(parts, userId, packId),
    bank: 0,
  };
  const steps = nextSteps(facts, other);
  return steps.length === STEPS
    ? steps
    : nextSteps(facts, { ...other, bank: await countDrawable(parts, userId, packId) });
}

/** Questions of a pack that a random paper of this student can be drawn from. */
async function countDrawable({ db: { query }, gradesFor }: ExamParts, userId: number, packId: number): Promise<number> {
  return countOnOffer(query, packId, await gradesFor(query, userId).undrawable(packId));
}

/** What the wrong-question list of a pack shows its student now. */
async function countWrong({ db: { query }, gradesFor }: ExamParts, userId: number, packId: number): Promise<number> {
  const filter = { packId, state: 'in', order: 'newest', limit: 1, offset: 0 } as const;
  return (await gradesFor(query, userId).wrongPage(filter)).total;
}

const idsOf = (questions: readonly ContentQuestion[]) => questions.map(({ questionId }) => questionId);

/** The score of a record, and from what it is a pass. */
async function readMarks(query: Query, { examId }: RecordView, { score, totalScore }: Shown) {
  return { score: score ?? 0, pass: passMark(totalScore, await readPassScore(query, examId)) };
}

/** Whether a question stands in the wrong-question list for this record, so that the list of its exam shows it. */
function isOfRecord(entry: WrongEntry | undefined, { examId, kind }: RecordView): boolean {
  return entry?.state === 'in' && (kind === 'own' || entry.examId === examId);
}

function mayAgain({ kind }: RecordView, { pendingCount, withheld, retake }: Shown, now: number): boolean {
  const allowed = retake.left !== 0 && (retake.nextAt === null || retake.nextAt <= now);
  return kind !== 'own' && pendingCount === 0 && !withheld && allowed;
}
