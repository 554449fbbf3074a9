import { sql } from 'kysely';
import { type CountedRecord, takerClosings } from '#contract/values/exam.ts';
import type { Graded, Tally } from '#rules/exam/scoring.ts';
import { inLists } from '#server/db/batches.ts';
import type { Db, Query } from '#server/db/open.ts';
import { Prepared, PreparedForRows, padded } from '#server/db/prepared.ts';
import type { ContentQuestion } from '../paper/content.ts';
import type { TakersPoints } from './study.ts';

/** Answers from which a share of right ones is told, where several people gave them: one alone, as 0% or 100%, says nothing of the question. */
const ACCURACY_LEAST = 2;

/** The graded questions of a record as `exam_records.graded` holds them, by question id; an own score that is set aside comes last. */
type GradedJson = Record<
  string,
  [Graded['state'], number | null, 1 | 2 | null, own?: [earned: number, of: number, judgeFlag: 1 | 2 | null]]
>;

/** For the column `exam_records.graded`; `gradedFromJson` reads it back whole. */
export function gradedToJson(graded: ReadonlyMap<number, Graded>): string {
  const json: GradedJson = {};
  for (const [id, { state, earned, judgeFlag, own }] of graded)
    json[id] = own ? [state, earned, judgeFlag, [own.earned, own.of, own.judgeFlag]] : [state, earned, judgeFlag];
  return JSON.stringify(json);
}

/** The graded questions by question id, from what `gradedToJson` wrote. */
export function gradedFromJson(text: string): Map<number, Graded> {
  const graded = new Map<number, Graded>();
  for (const [id, [state, earned, judgeFlag, own]] of Object.entries(JSON.parse(text) as GradedJson)) {
    const one: Graded = { state, earned, judgeFlag };
    if (own) one.own = { earned: own[0], of: own[1], judgeFlag: own[2] };
    graded.set(Number(id), one);
  }
  return graded;
}

/** The questions alone that `gradedToJson` wrote. */
export function gradedIdsFromJson(text: string): number[] {
  return Object.keys(JSON.parse(text) as GradedJson).map(Number);
}

/**
 * Everything in the database that hangs on correctness, as it stands and for whom it may concern: only what grades, and
 * `VisibleGrades`, may import this file (tools/walls.config.mjs), and no other file names these columns
 * (tools/graded-columns.ts).
 */
export async function readGraded(
  query: Query,
  recordIds: readonly number[],
): Promise<Map<number, Map<number, Graded>>> {
  if (recordIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('exam_records')
    .select(['id', 'graded'])
    .where('id', 'in', padded(recordIds))
    .where('graded', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, gradedFromJson(row.graded ?? '{}')]));
}

/** The graded questions of one closed record, by question; empty while it is open. */
export async function readGradedOf(query: Query, recordId: number): Promise<Map<number, Graded>> {
  return (await readGraded(query, [recordId])).get(recordId) ?? new Map();
}

/** How a student fared in some questions. */
export interface Progress {
  graded: number;
  rightCount: number;
}

/** Reads what is graded, without asking who may see it. */
export interface GradedStore {
  /** What records add up to, by record. */
  tallies(query: Query, recordIds: readonly number[]): Promise<Map<number, Tally>>;
  /** How a student fared in each chapter of any pack. */
  chapterProgress(query: Query, userId: number): Promise<Map<number, Progress>>;
  /** How a student fared in the newest record of each after-class practice of a pack that was handed in, by exam. */
  afterClassProgress(query: Query, userId: number, packId: number): Promise<Map<number, Progress>>;
  /** What all takers of an exam earned with each of its questions, in any version of it. */
  takersPoints(query: Query, examId: number): Promise<Map<number, TakersPoints>>;
  /**
   * The ranking of an exam, which has one record of each student by the rule of the paper, and no student whose counted
   * record has no answer: how many there are, how many others have a better score, the average, and whether this one is in it.
   * @param teachers who are in no ranking
   */
  compare(
    query: Query,
    record: { id: number; examId: number },
    score: number,
    asked: { counts: CountedRecord; teachers: ReadonlySet<number> },
  ): Promise<{ takers: number; better: number; average: number | null; isCounted: boolean }>;
  /**
   * Share of takers who were right, by question; questions with fewer than two answers are left out. Of those who were graded by the
   * same key: what came of another says nothing about this one (decision 016).
   */
  accuracy(
    query: Query,
    questions: readonly Pick<ContentQuestion, 'questionId' | 'keyVersion'>[],
  ): Promise<Map<number, number>>;
}

/** The place of a finished record among those of its student: the first counts. */
const placeOf = {
  first: sql<number>`row_number() over (partition by user_id order by attempt)`,
  last: sql<number>`row_number() over (partition by user_id order by attempt desc)`,
  best: sql<number>`row_number() over (partition by user_id order by case when closed = 'unanswered' then 1 else 0 end, score desc, attempt)`,
} as const;

interface TallyRow {
  id: number;
  score: number | null;
  right_count: number;
  wrong_count: number;
  unanswered_count: number;
  pending_count: number;
}

/** Makes the reader of what is graded; the statements of a hand-in are compiled once. */
export function gradedStore(db: Db): GradedStore {
  const byId = { id: 'bigint' } as const;
  const tallies = new PreparedForRows<typeof byId, TallyRow>(
    db,
    byId,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('exam_records', 'exam_records.id', 'given.id')
        .select([
          'exam_records.id',
          'exam_records.score',
          'exam_records.right_count',
          'exam_records.wrong_count',
          'exam_records.unanswered_count',
          'exam_records.pending_count',
        ]) as never,
  );
  const progress = new Prepared<{ chapter_id: number; graded: number; right_count: number }>(
    db,
    () =>
      db.query
        .selectFrom('chapter_progress')
        .select(['chapter_id', 'graded', 'right_count'])
        .where('user_id', '=', 0) as never,
  );
  const takersPoints = new Prepared<{ question_id: number; earned: number; total: number }>(
    db,
    () =>
      db.query
        .selectFrom('exam_question_stats')
        .select(['question_id', 'earned', 'total'])
        .where('exam_id', '=', 0) as never,
  );
  return {
    tallies: async (query, ids) => {
      const rows = await tallies.run(
        query,
        ids.map((id) => ({ id })),
      );
      return new Map(
        rows.map((row) => [
          row.id,
          {
            score: row.score ?? 0,
            rightCount: row.right_count,
            wrongCount: row.wrong_count,
            unansweredCount: row.unanswered_count,
            pendingCount: row.pending_count,
          },
        ]),
      );
    },
    chapterProgress: async (query, userId) =>
      new Map(
        (await progress.run(query, [userId])).map((row) => [
          row.chapter_id,
          { graded: row.graded, rightCount: row.right_count },
        ]),
      ),
    afterClassProgress: async (query, userId, packId) => {
      const rows = await query
        .selectFrom('exam_records')
        .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
        .select(['exam_records.exam_id', 'exam_records.right_count', 'exam_records.wrong_count'])
        .where('exam_records.user_id', '=', userId)
        .where('exam_records.pack_id', '=', packId)
        .where('exam_records.submitted_at', 'is not', null)
        .where('exams.kind', '=', 'afterclass')
        .orderBy('exam_records.id')
        .execute();
      return new Map(
        rows.map((row) => [row.exam_id, { graded: row.right_count + row.wrong_count, rightCount: row.right_count }]),
      );
    },
    takersPoints: async (query, examId) =>
      new Map(
        (await takersPoints.run(query, [examId])).map(({ question_id, earned, total }) => [
          question_id,
          { earned, total },
        ]),
      ),
    compare: async (query, { id, examId }, score, { counts, teachers }) => {
      const finished = query
        .selectFrom('exam_records')
        .where('exam_id', '=', examId)
        .where('closed', 'is not', null)
        .where('user_id', 'not in', padded([0, ...teachers]))
        .select(['id', 'user_id', 'score', 'closed', placeOf[counts].as('place')]);
      const found = await query
        .selectFrom(finished.as('counted'))
        .where('place', '=', 1)
        .where('closed', 'in', takerClosings)
        .select(({ fn, eb }) => [
          fn.countAll<number>().as('takers'),
          fn.avg<number | null>('score').as('average'),
          fn
            // A student has one counted record, and a rank only beside their own: no other of theirs is among these.
            .count<number>(eb.case().when('score', '>', score).then(1).end())
            .as('better'),
          fn.count<number>(eb.case().when('id', '=', id).then(1).end()).as('own'),
        ])
        .executeTakeFirstOrThrow();
      const { takers, better, average, own } = found;
      return { takers, better, average: average === null ? null : Math.round(average * 100) / 100, isCounted: own > 0 };
    },
    accuracy: async (query, questions) => {
      const keys = new Map(questions.map(({ questionId, keyVersion }) => [questionId, keyVersion]));
      const rates = new Map<number, number>();
      for (const ids of inLists([...keys.keys()])) {
        const rows = await query.selectFrom('question_accuracy').selectAll().where('question_id', 'in', ids).execute();
        for (const row of rows) {
          if (row.taken >= ACCURACY_LEAST && row.only_taker === 0 && keys.get(row.question_id) === row.key_version) {
            rates.set(row.question_id, row.right_count / row.taken);
          }
        }
      }
      return rates;
    },
  };
}

/** Where a student stands in an exam, of the records alone. */
export interface ExamStanding {
  /** How many records the student has begun. */
  taken: number;
  /** The newest record that is closed, and when the last one closed. */
  lastRecordId: number | null;
  lastClosedAt: number | null;
  /** The best score of the records that are closed; null: there is none. */
  bestScore: number | null;
}

/** Where a student stands in each exam of a pack, counted by the database however many records there are, by exam. */
export async function readStandings(
  query: Query,
  { userId, packId }: { userId: number; packId: number },
): Promise<Map<number, ExamStanding>> {
  const rows = await query
    .selectFrom('exam_records')
    .select(({ fn }) => [
      'exam_id',
      fn.max('attempt').as('taken'),
      sql<number | null>`max(case when submitted_at is not null then id end)`.as('last'),
      fn.max('submitted_at').as('last_closed_at'),
      sql<number | null>`max(case when submitted_at is not null then coalesce(score, 0) end)`.as('best'),
    ])
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .groupBy('exam_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.exam_id,
      { taken: row.taken, lastRecordId: row.last, lastClosedAt: row.last_closed_at, bestScore: row.best },
    ]),
  );
}
