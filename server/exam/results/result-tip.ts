import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ResultTip } from '#contract/exam.ts';
import { advise } from '#rules/exam/result.ts';
import { addPoints, type Graded, percentOf } from '#rules/exam/scoring.ts';
import { readChapterNames } from '#server/course/chapter-store.ts';
import type { Query } from '#server/db/open.ts';
import type { Content, ContentQuestion } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import { recordState } from '../record/state.ts';
import { readRetake } from './retake.ts';

type Tip = DataOf<typeof ResultTip>;

/** Result of a closed record with rank and comparisons; what a scored exam that is open could learn from is left out. */
export async function readResultTip(
  parts: ExamParts,
  asked: { userId: number; recordId: number },
): Promise<{ ok: true; tip: Tip } | { ok: false; why: Why }> {
  const { db, records, readContent, gradesFor } = parts;
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  const grades = gradesFor(db.query, asked.userId);
  const result = await grades.result(record);
  if (!result) return { ok: false, why: 'notSubmitted' };
  const content = await readContent(db.query, record.examId, record.version);
  const questions = gradedQuestions(content, await grades.countedVerdicts(record));
  const whole = result.hiddenCount === 0;
  const others = await grades.comparison(record, result);
  const byChapter = await chapterResults(db.query, questions, others.byChapter);
  return {
    ok: true,
    tip: {
      ...recordState(record),
      ...result,
      percent: percentOf(result.score, result.totalScore),
      rank: others.rank,
      countsInRanking: others.countsInRanking,
      retake: await readRetake(parts, record),
      takerCount: others.takers,
      averageScore: others.average,
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

function gradedQuestions(content: Content, verdicts: ReadonlyMap<number, Graded>): GradedQuestion[] {
  return content.questions.flatMap((question) => {
    const graded = verdicts.get(question.questionId);
    return graded ? [{ question, graded }] : [];
  });
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
