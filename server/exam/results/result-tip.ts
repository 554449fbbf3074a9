import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ResultTip } from '#contract/exam.ts';
import { tookAnswersUntil } from '#rules/exam/attempt.ts';
import { advise } from '#rules/exam/result.ts';
import { type InOpenExam, isWithheld } from '#rules/exam/reveal.ts';
import { addPoints, type Graded, percentOf } from '#rules/exam/scoring.ts';
import { readChapterNames } from '#server/course/chapter-tree-store.ts';
import type { Query } from '#server/db/open.ts';
import type { Content, ContentQuestion } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import { readGradedOf } from '../record/graded-store.ts';
import { readInOpenExam } from '../record/open-exam-store.ts';
import { recordState } from '../record/state.ts';
import { resultOf, visibleTallies } from '../record/visible-result.ts';
import { compareWithTakers, readChapterAverages } from './store.ts';

type Tip = DataOf<typeof ResultTip>;

/** Result of a closed record with rank and comparisons; what a scored exam that is open could learn from is left out. */
export async function readResultTip(
  { db, records, readContent }: ExamParts,
  asked: { userId: number; recordId: number },
): Promise<{ ok: true; tip: Tip } | { ok: false; why: Why }> {
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  const inOpenExam = await readInOpenExam(db.query, asked.userId);
  const tally = (await visibleTallies(db.query, [record], inOpenExam)).get(record.id);
  const result = tally && resultOf(record, tally);
  if (!result) return { ok: false, why: 'notSubmitted' };
  const graded = await readGradedOf(db.query, record.id);
  const content = await readContent(db.query, record.examId, record.version);
  const questions = visibleQuestions(content, graded, tookAnswersUntil({ ...record, ...result }), inOpenExam);
  const whole = result.hiddenCount === 0;
  // Averages hold what the student handed in since, so they would tell how a second try went.
  const compares = whole && !content.questions.some((question) => inOpenExam.has(question.questionId));
  const averages = compares ? await readChapterAverages(db.query, record.examId) : new Map<number, number>();
  const byChapter = await chapterResults(db.query, questions, averages);
  const others = await compareWithTakers(db.query, record, result.score);
  return {
    ok: true,
    tip: {
      ...recordState(record),
      ...result,
      percent: percentOf(result.score, result.totalScore),
      rank: whole && result.closed !== 'unanswered' ? others.better + 1 : null,
      takerCount: others.takers,
      averageScore: compares ? others.average : null,
      byChapter,
      byType: typeResults(questions),
      advice: whole ? advise({ ...result, byChapter }) : [],
    },
  };
}

interface GradedQuestion {
  question: ContentQuestion;
  graded: Graded;
}

function visibleQuestions(
  content: Content,
  gradedQuestions: ReadonlyMap<number, Graded>,
  answersUntil: number,
  inOpenExam: InOpenExam,
): GradedQuestion[] {
  const visible: GradedQuestion[] = [];
  for (const question of content.questions) {
    const graded = gradedQuestions.get(question.questionId);
    if (graded && !isWithheld(question.questionId, answersUntil, inOpenExam)) visible.push({ question, graded });
  }
  return visible;
}

async function chapterResults(
  query: Query,
  questions: readonly GradedQuestion[],
  averages: ReadonlyMap<number, number>,
): Promise<Tip['byChapter']> {
  const byChapter = Map.groupBy(questions, ({ question }) => question.chapterId);
  const names = await readChapterNames(query, [...byChapter.keys()]);
  return [...byChapter].map(([chapterId, own]) => ({
    chapterId,
    name: names.get(chapterId) ?? '',
    ...pointsOf(own),
    averageRate: averages.get(chapterId) ?? null,
  }));
}

function typeResults(questions: readonly GradedQuestion[]): Tip['byType'] {
  return [...Map.groupBy(questions, ({ question }) => question.type)]
    .sort(([a], [b]) => a - b)
    .map(([questionTypesId, own]) => ({
      questionTypesId,
      ...pointsOf(own),
      count: own.length,
      right: own.filter(({ graded }) => graded.state === 1).length,
    }));
}

function pointsOf(questions: readonly GradedQuestion[]): { earned: number; total: number; pending: number } {
  const waiting = questions.filter(({ graded }) => graded.earned === null);
  return {
    earned: addPoints(questions.map(({ graded }) => graded.earned ?? 0)),
    total: addPoints(questions.map(({ question }) => question.score)),
    pending: addPoints(waiting.map(({ question }) => question.score)),
  };
}
