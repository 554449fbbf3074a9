import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ResultTip, ReviewExam } from '#contract/exam.ts';
import { tookAnswersUntil } from '#rules/exam/attempt.ts';
import { advise } from '#rules/exam/result.ts';
import { type InOpenExam, isWithheld, withoutKey } from '#rules/exam/reveal.ts';
import { addPoints, type Graded, percentOf } from '#rules/exam/scoring.ts';
import { toShown } from '#rules/exam/shuffle.ts';
import type { Db, Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import {
  asShownWithKey,
  type Content,
  type ContentQuestion,
  inOrder,
  permutationOf,
  sectionsInOrder,
} from '../paper/content.ts';
import type { Desk } from '../parts.ts';
import {
  figuresOf,
  findRecord,
  type RecordView,
  readAccuracy,
  readAnswers,
  readGraded,
  readInOpenExam,
  recordOut,
  resultOut,
} from '../record/visible-result.ts';

type Refused = { ok: false; why: Why };
type Review = DataOf<typeof ReviewExam>;
type Tip = DataOf<typeof ResultTip>;

/** Every question of a closed record with own answer, key and outcome; withheld where a scored exam with it is open. */
export async function reviewOf(
  db: Db,
  desk: Desk,
  asked: { userId: number; recordId: number },
): Promise<{ ok: true; review: Review } | Refused> {
  const record = await findRecord(db, asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  if (record.submittedAt === null) return { ok: false, why: 'notSubmitted' };
  const inOpenExam = await readInOpenExam(db.query, asked.userId);
  const graded = (await readGraded(db.query, [record.recordId])).get(record.recordId) ?? new Map<number, Graded>();
  const content = await desk.readContent(db.query, record.examId, record.version);
  const layout = await desk.records.layout(db.query, { id: record.recordId, shuffled: record.shuffled });
  const answers = new Map((await readAnswers(db.query, record.recordId)).map((one) => [one.questionId, one]));
  const rates = await readAccuracy(
    db.query,
    content.questions.map((one) => one.questionId).filter((id) => !inOpenExam.has(id)),
  );
  const questions = inOrder(content, layout).map((question): Review['questions'][number] => {
    const { questionId } = question;
    const own = answers.get(questionId);
    const hidden = inOpenExam.has(questionId);
    const keyed = asShownWithKey(question, layout, rates.get(questionId) ?? null);
    const one = graded.get(questionId);
    return {
      ...(hidden ? { ...withoutKey(keyed), rightAnswer: '', answerAnalysis: '', accuracyRate: null } : keyed),
      answer:
        question.letters === '' ? (own?.answer ?? '') : toShown(own?.answer ?? '', permutationOf(layout, question)),
      flag: own?.flag === 1 ? 1 : 0,
      state: hidden ? 0 : (one?.state ?? 0),
      myScore: hidden ? null : (one?.earned ?? null),
      judgeFlag: hidden ? null : (one?.judgeFlag ?? null),
      hidden,
    };
  });
  return {
    ok: true,
    review: { ...recordOut(record), sections: sectionsInOrder(content, layout), questions, cases: [...content.cases] },
  };
}

/** Result of a closed record with rank and comparisons; what a scored exam that is open could learn from is left out. */
export async function resultTipOf(
  db: Db,
  desk: Desk,
  asked: { userId: number; recordId: number },
): Promise<{ ok: true; tip: Tip } | Refused> {
  const record = await findRecord(db, asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  const inOpenExam = await readInOpenExam(db.query, asked.userId);
  const figures = (await figuresOf(db.query, [record], inOpenExam)).get(record.recordId);
  const result = figures && resultOut(record, figures);
  if (!result) return { ok: false, why: 'notSubmitted' };
  const graded = (await readGraded(db.query, [record.recordId])).get(record.recordId) ?? new Map<number, Graded>();
  const content = await desk.readContent(db.query, record.examId, record.version);
  const outcomes = visibleOutcomes(content, graded, tookAnswersUntil({ ...record, ...result }), inOpenExam);
  const whole = result.hiddenCount === 0;
  // Averages hold what the student handed in since, so they would tell the outcome of a second try.
  const compares = whole && !content.questions.some((one) => inOpenExam.has(one.questionId));
  const averages = compares ? await readChapterAverages(db.query, record.examId) : new Map<number, number>();
  const byChapter = await chapterOutcomes(db.query, outcomes, averages);
  const others = await compareWithTakers(db.query, record, result.score);
  return {
    ok: true,
    tip: {
      ...recordOut(record),
      ...result,
      percent: percentOf(result.score, result.totalScore),
      rank: whole && result.closed !== 'unanswered' ? others.better + 1 : null,
      takerCount: others.takers,
      averageScore: compares ? others.average : null,
      byChapter,
      byType: typeOutcomes(outcomes),
      advice: whole ? advise({ ...result, byChapter }) : [],
    },
  };
}

type Outcome = { question: ContentQuestion; graded: Graded };

function visibleOutcomes(
  content: Content,
  graded: ReadonlyMap<number, Graded>,
  answersUntil: number,
  inOpenExam: InOpenExam,
): Outcome[] {
  const outcomes: Outcome[] = [];
  for (const question of content.questions) {
    const one = graded.get(question.questionId);
    if (one && !isWithheld(question.questionId, answersUntil, inOpenExam)) outcomes.push({ question, graded: one });
  }
  return outcomes;
}

async function chapterOutcomes(
  query: Query,
  outcomes: readonly Outcome[],
  averages: ReadonlyMap<number, number>,
): Promise<Tip['byChapter']> {
  const grouped = Map.groupBy(outcomes, (one) => one.question.chapterId);
  if (grouped.size === 0) return [];
  const chapters = await query
    .selectFrom('chapters')
    .select(['id', 'name'])
    .where('id', 'in', padded([...grouped.keys()]))
    .execute();
  const names = new Map(chapters.map((row) => [row.id, row.name]));
  return [...grouped].map(([chapterId, own]) => ({
    chapterId,
    name: names.get(chapterId) ?? '',
    ...pointsOf(own),
    averageRate: averages.get(chapterId) ?? null,
  }));
}

function typeOutcomes(outcomes: readonly Outcome[]): Tip['byType'] {
  return [...Map.groupBy(outcomes, (one) => one.question.type)]
    .sort(([a], [b]) => a - b)
    .map(([questionTypesId, own]) => ({
      questionTypesId,
      ...pointsOf(own),
      count: own.length,
      right: own.filter((one) => one.graded.state === 1).length,
    }));
}

function pointsOf(outcomes: readonly Outcome[]): { earned: number; total: number; pending: number } {
  const waiting = outcomes.filter((one) => one.graded.earned === null);
  return {
    earned: addPoints(outcomes.map((one) => one.graded.earned ?? 0)),
    total: addPoints(outcomes.map((one) => one.question.score)),
    pending: addPoints(waiting.map((one) => one.question.score)),
  };
}

/** Share of the points that all takers of an exam earned, by chapter. */
async function readChapterAverages(query: Query, examId: number): Promise<Map<number, number>> {
  const rows = await query
    .selectFrom('exam_chapter_stats')
    .select(['chapter_id', 'earned', 'total'])
    .where('exam_id', '=', examId)
    .execute();
  return new Map(
    rows.filter((row) => row.total > 0).map((row) => [row.chapter_id, Math.min(1, row.earned / row.total)]),
  );
}

/** How many students took the exam, how many of them did better at their best, and the average of all records. */
async function compareWithTakers(
  query: Query,
  record: RecordView,
  score: number,
): Promise<{ takers: number; better: number; average: number | null }> {
  const taken = query
    .selectFrom('exam_records')
    .where('exam_id', '=', record.examId)
    .where('closed', 'in', ['submitted', 'timeUp']);
  const all = await taken
    .select(({ fn }) => [
      fn.count<number>('user_id').distinct().as('takers'),
      fn.avg<number | null>('score').as('average'),
    ])
    .executeTakeFirstOrThrow();
  const { better } = await taken
    .where('user_id', '<>', record.userId)
    .where('score', '>', score)
    .select(({ fn }) => fn.count<number>('user_id').distinct().as('better'))
    .executeTakeFirstOrThrow();
  return { takers: all.takers, better, average: all.average === null ? null : Math.round(all.average * 100) / 100 };
}
