import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ResultTip } from '#contract/exam.ts';
import { medianTime } from '#rules/exam/answer-time.ts';
import { advise, shortOfTime } from '#rules/exam/result.ts';
import { addPoints, type Graded, percentOf } from '#rules/exam/scoring.ts';
import { readChapterNames } from '#server/course/chapter-store.ts';
import type { Query } from '#server/db/open.ts';
import type { Counted, TakersPoints } from '../grading/study.ts';
import { readCounted, readTimes } from '../grading/study-time-store.ts';
import type { VisibleGrades } from '../grading/visible-grades.ts';
import { type Content, type ContentQuestion, inOrder } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import { recordState } from '../record/state.ts';
import type { RecordView } from '../record/store.ts';
import { readNextSteps } from './next-steps.ts';
import { readRetake } from './retake.ts';

type Tip = DataOf<typeof ResultTip>;

/** Result of a closed record with rank and comparisons; what a scored exam that is open could learn from is left out. */
export async function readResultTip(
  parts: ExamParts,
  asked: { userId: number; recordId: number; now: number },
): Promise<{ ok: true; tip: Tip } | { ok: false; why: Why }> {
  const { db, records, readContent, gradesFor } = parts;
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  const grades = gradesFor(db.query, asked.userId);
  const result = await grades.result(record);
  if (!result) return { ok: false, why: 'notSubmitted' };
  const content = await readContent(db.query, record.examId, record.version);
  const counted = (await readCounted(db.query, record.id)) ?? new Map<number, Counted>();
  const questions = gradedQuestions(content, await grades.countedVerdicts(record), counted);
  const others = await grades.comparison(record, result);
  const byChapter = await chapterResults(db.query, questions, others.byQuestion);
  const byType = typeResults(questions, others.byQuestion);
  const retake = await readRetake(parts, record);
  const shown = { ...result, byChapter, byType, retake };
  return {
    ok: true,
    tip: {
      ...recordState(record),
      ...shown,
      percent: result.withheld ? null : percentOf(result.score, result.totalScore),
      partlyCount: result.withheld ? null : questions.filter(({ graded }) => graded.state === 3).length,
      rank: others.rank,
      countsInRanking: others.countsInRanking,
      takerCount: others.takers,
      averageScore: others.average,
      byDifficulty: difficultyResults(questions, others.byQuestion),
      answerTimes: await readAnswerTimes(db.query, content, counted),
      advice: result.withheld ? [] : advise({ ...result, byChapter, limited: shortOfTime(record, result.submittedAt) }),
      steps: await readNextSteps(parts, record, content.questions, { tip: shown, now: asked.now }),
      rescores: await rescoresOf(parts, record, content, grades),
    },
  };
}

/** How the record was graded again, each with the place of its question in the record. */
async function rescoresOf(
  { db, records }: ExamParts,
  record: RecordView,
  content: Content,
  grades: VisibleGrades,
): Promise<Tip['rescores']> {
  const rescores = await grades.rescores(record);
  if (rescores.length === 0) return [];
  const order = inOrder(content, await records.layout(db.query, record));
  return rescores.map(({ partial, ...rescore }) => ({
    ...rescore,
    questionNumber:
      rescore.questionId === null ? null : order.findIndex(({ questionId }) => questionId === rescore.questionId) + 1,
    rule: partial && { before: partial[0], after: partial[1] },
  }));
}

interface GradedQuestion {
  question: ContentQuestion;
  graded: Graded;
  /** Seconds that its answer took. */
  seconds: number;
}

/** How long each answer took, beside how long it takes others: that hangs on no key. */
async function readAnswerTimes(
  query: Query,
  content: Content,
  counted: ReadonlyMap<number, Counted>,
): Promise<Tip['answerTimes']> {
  const ids = content.questions.map(({ questionId }) => questionId).filter((id) => counted.has(id));
  const times = await readTimes(query, ids, { ofSeveral: true });
  return ids.map((questionId) => ({
    questionId,
    seconds: counted.get(questionId)?.seconds ?? 0,
    median: medianTime(times.get(questionId) ?? new Map()),
  }));
}

function gradedQuestions(
  content: Content,
  verdicts: ReadonlyMap<number, Graded>,
  counted: ReadonlyMap<number, Counted>,
): GradedQuestion[] {
  return content.questions.flatMap((question) => {
    const graded = verdicts.get(question.questionId);
    return graded ? [{ question, graded, seconds: counted.get(question.questionId)?.seconds ?? 0 }] : [];
  });
}

async function chapterResults(
  query: Query,
  questions: readonly GradedQuestion[],
  takers: Takers,
): Promise<Tip['byChapter']> {
  const byChapter = Map.groupBy(questions, ({ question }) => question.chapterId);
  const names = await readChapterNames(query, [...byChapter.keys()]);
  return [...byChapter].map(([chapterId, own]) => ({
    chapterId,
    name: names.get(chapterId) ?? '',
    ...earnedOf(own),
    averageRate: averageOf(own, takers),
  }));
}

function typeResults(questions: readonly GradedQuestion[], takers: Takers): Tip['byType'] {
  return [...Map.groupBy(questions, ({ question }) => question.type)]
    .sort(([a], [b]) => a - b)
    .map(([questionTypesId, own]) => ({
      questionTypesId,
      ...earnedOf(own),
      ...countsOf(own),
      averageRate: averageOf(own, takers),
    }));
}

function difficultyResults(questions: readonly GradedQuestion[], takers: Takers): Tip['byDifficulty'] {
  return [...Map.groupBy(questions, ({ question }) => question.difficulty)]
    .sort(([a], [b]) => a - b)
    .map(([difficulty, own]) => ({
      difficulty,
      ...earnedOf(own),
      ...countsOf(own),
      averageRate: averageOf(own, takers),
    }));
}

type Takers = ReadonlyMap<number, TakersPoints>;

/** Share of the points of some questions that all takers earned, 0 to 1; null: nobody has any score in them yet. */
function averageOf(questions: readonly GradedQuestion[], takers: Takers): number | null {
  const points = questions.flatMap(({ question }) => takers.get(question.questionId) ?? []);
  const total = addPoints(points.map((of) => of.total));
  return total > 0 ? Math.min(1, addPoints(points.map(({ earned }) => earned)) / total) : null;
}

/** A void question (作废) is neither right nor anything else. */
function countsOf(questions: readonly GradedQuestion[]): { count: number; pendingCount: number; right: number } {
  const counted = questions.filter(({ graded }) => graded.state !== 5);
  return {
    count: counted.length,
    pendingCount: counted.filter(({ graded }) => graded.earned === null).length,
    right: counted.filter(({ graded }) => graded.state === 1).length,
  };
}

function earnedOf(questions: readonly GradedQuestion[]): {
  earned: number;
  total: number;
  pending: number;
  seconds: number;
} {
  const waiting = questions.filter(({ graded }) => graded.earned === null);
  return {
    earned: addPoints(questions.map(({ graded }) => graded.earned ?? 0)),
    total: addPoints(questions.map(({ question }) => question.score)),
    pending: addPoints(waiting.map(({ question }) => question.score)),
    seconds: questions.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}
