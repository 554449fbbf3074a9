import type { RuleChange } from '#rules/exam/rescore.ts';
import { type Graded, tally } from '#rules/exam/scoring.ts';
import { inLists } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { PreparedForRows } from '#server/db/prepared.ts';
import { regradedBy } from '../paper/teacher-correction-store.ts';
import { gradedFromJson, gradedToJson } from './graded-store.ts';

/** Records of one version of a paper that a correction moves to another. */
export interface RescoreTask {
  correctionId: number;
  /** What is graded again. */
  questionIds: readonly number[];
  /** That it is the rule of the paper that was corrected, and no question. */
  ofRule: boolean;
  examId: number;
  from: number;
  to: number;
  reason: string;
}

/** The re-scoring that is not done yet, in the order in which it was asked for: what was corrected twice is moved twice. */
export async function waitingTasks(query: Query): Promise<RescoreTask[]> {
  const rows = await query
    .selectFrom('rescore_tasks')
    .innerJoin('question_corrections', 'question_corrections.correction_id', 'rescore_tasks.correction_id')
    .selectAll('rescore_tasks')
    .select(['question_corrections.reason', 'question_corrections.question_id', 'question_corrections.changes'])
    .where('rescore_tasks.done', '=', 0)
    .where('rescore_tasks.due', '=', 1)
    .orderBy('rescore_tasks.correction_id')
    .orderBy('rescore_tasks.exam_id')
    .orderBy('rescore_tasks.from_version')
    .execute();
  return rows.map((row) => ({
    correctionId: row.correction_id,
    questionIds: regradedBy(row),
    ofRule: row.question_id === null,
    examId: row.exam_id,
    from: row.from_version,
    to: row.to_version,
    reason: row.reason,
  }));
}

/** Closed records that have a version, by id, behind one. */
export async function closedOfVersion(
  query: Query,
  { examId, version }: { examId: number; version: number },
  after: number,
  most: number,
): Promise<number[]> {
  const rows = await query
    .selectFrom('exam_records')
    .select('id')
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .where('submitted_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map((row) => row.id);
}

/** Records of a version that are still open. */
export async function countOpen(query: Query, examId: number, version: number): Promise<number> {
  const { count } = await query
    .selectFrom('exam_records')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .where('submitted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Of these students those who sit any paper now. */
export async function whoSits(query: Query, userIds: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const ids of inLists([...new Set(userIds)])) {
    const rows = await query
      .selectFrom('exam_records')
      .select('user_id')
      .distinct()
      .where('user_id', 'in', ids)
      .where('submitted_at', 'is', null)
      .execute();
    found.push(...rows.map((row) => row.user_id));
  }
  return found;
}

/** The name that a version of a paper has. */
export async function findNameOfVersion(query: Query, examId: number, version: number): Promise<string> {
  const row = await query
    .selectFrom('exams')
    .leftJoin('paper_revisions', (join) =>
      join.onRef('paper_revisions.exam_id', '=', 'exams.id').on('paper_revisions.version', '=', version),
    )
    .select(({ fn }) => fn.coalesce('paper_revisions.name', 'exams.name').as('name'))
    .where('exams.id', '=', examId)
    .executeTakeFirst();
  return row?.name ?? '';
}

/** Whether records may come to the version of a task yet, by an earlier one. */
export async function anyLeadsTo(query: Query, { examId, from }: RescoreTask): Promise<boolean> {
  const row = await query
    .selectFrom('rescore_tasks')
    .select('correction_id')
    .where('exam_id', '=', examId)
    .where('to_version', '=', from)
    .where('done', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Says of the tasks for these versions that a record was closed or moved there, or that none comes any more. */
export async function wakeTasks(trx: Trx, closed: readonly { examId: number; version: number }[]): Promise<void> {
  const pairs = new Map(closed.map((one) => [`${one.examId} ${one.version}`, one]));
  for (const { examId, version } of pairs.values())
    await trx
      .updateTable('rescore_tasks')
      .set({ due: 1 })
      .where('done', '=', 0)
      .where('exam_id', '=', examId)
      .where('from_version', '=', version)
      // Whether it is due or not: who lets it rest at this moment has to wait, and then finds the record (`restTask`).
      .execute();
}

/** Lets a task rest until one of its open records is closed. */
export async function restTask(trx: Trx, task: RescoreTask, due: 0 | 1): Promise<void> {
  await trx
    .updateTable('rescore_tasks')
    .set({ due })
    .where('correction_id', '=', task.correctionId)
    .where('exam_id', '=', task.examId)
    .where('from_version', '=', task.from)
    .execute();
}

/** A task is done once no record can come back to it: of a version that was replaced none begins any more. */
export async function endTask(query: Trx, task: RescoreTask): Promise<void> {
  await query
    .updateTable('rescore_tasks')
    .set({ done: 1 })
    .where('correction_id', '=', task.correctionId)
    .where('exam_id', '=', task.examId)
    .where('from_version', '=', task.from)
    .execute();
}

/** A record graded by another version of its paper, as a whole. */
export interface Rescored {
  recordId: number;
  version: number;
  graded: ReadonlyMap<number, Graded>;
}

/** What re-scoring changed in one record. */
export interface Rescore {
  recordId: number;
  from: number;
  scoreBefore: number;
  scoreAfter: number;
  totalBefore: number;
  totalAfter: number;
  /** What is graded otherwise now, by question. */
  before: ReadonlyMap<number, Graded>;
  after: ReadonlyMap<number, Graded>;
}

const MOVED = {
  record_id: 'bigint',
  version: 'bigint',
  score: 'double precision',
  right_count: 'bigint',
  wrong_count: 'bigint',
  unanswered_count: 'bigint',
  pending_count: 'bigint',
  graded: 'text',
} as const;

/** Writes records that are graded by another version now; they are locked by the transaction. */
export type WriteRescored = (trx: Trx, records: readonly Rescored[]) => Promise<void>;

/** Makes the writer of re-scored records; its statement is compiled once. */
export function rescoredWriter(db: Db): WriteRescored {
  const move = new PreparedForRows<typeof MOVED, never>(
    db,
    MOVED,
    (given) =>
      given
        .updateTable('exam_records')
        .from('given')
        .set(
          ({ ref }) =>
            ({
              version: ref('given.version'),
              score: ref('given.score'),
              right_count: ref('given.right_count'),
              wrong_count: ref('given.wrong_count'),
              unanswered_count: ref('given.unanswered_count'),
              pending_count: ref('given.pending_count'),
              graded: ref('given.graded'),
            }) as never,
        )
        .whereRef('exam_records.id', '=', 'given.record_id') as never,
  );
  return async (trx, records) => {
    await move.run(
      trx,
      records.map(({ recordId, version, graded }) => {
        const { score, rightCount, wrongCount, unansweredCount, pendingCount } = tally(graded.values());
        return {
          record_id: recordId,
          version,
          score,
          right_count: rightCount,
          wrong_count: wrongCount,
          unanswered_count: unansweredCount,
          pending_count: pendingCount,
          graded: gradedToJson(graded),
        };
      }),
    );
  };
}

/** Keeps what re-scoring changed, a row for each record and correction. */
export async function saveRescores(
  trx: Trx,
  { correctionId }: RescoreTask,
  rescores: readonly Rescore[],
  now: number,
): Promise<void> {
  if (rescores.length === 0) return;
  await trx
    .insertInto('record_rescores')
    .values(
      rescores.map((rescore) => ({
        record_id: rescore.recordId,
        correction_id: correctionId,
        rescored_at: now,
        from_version: rescore.from,
        score_before: rescore.scoreBefore,
        score_after: rescore.scoreAfter,
        total_before: rescore.totalBefore,
        total_after: rescore.totalAfter,
        graded_before: gradedToJson(rescore.before),
        graded_after: gradedToJson(rescore.after),
      })),
    )
    .execute();
}

/** A correction of a record as its student may learn of it. */
export interface StoredRescore {
  /** null: of the rule of its paper. */
  questionId: number | null;
  /** Before and after: the share of the points for a part of the right letters; null: of a question. */
  partial: RuleChange['partial'] | null;
  rescoredAt: number;
  reason: string;
  scoreBefore: number;
  scoreAfter: number;
}

/** How a record was re-scored, oldest first. */
export async function readRescores(query: Query, recordId: number): Promise<StoredRescore[]> {
  const rows = await query
    .selectFrom('record_rescores')
    .innerJoin('question_corrections', 'question_corrections.correction_id', 'record_rescores.correction_id')
    // The version that the record had: its rule may be older than the one that the paper had when it was corrected.
    .leftJoin('paper_revisions', (join) =>
      join
        .onRef('paper_revisions.exam_id', '=', 'question_corrections.exam_id')
        .onRef('paper_revisions.version', '=', 'record_rescores.from_version'),
    )
    .select([
      'question_corrections.question_id',
      'question_corrections.changes',
      'paper_revisions.partial',
      'record_rescores.rescored_at',
      'record_rescores.score_before',
      'record_rescores.score_after',
      'question_corrections.reason',
    ])
    .where('record_rescores.record_id', '=', recordId)
    .orderBy('record_rescores.correction_id')
    .execute();
  return rows.map((row) => ({
    questionId: row.question_id,
    partial: row.question_id === null ? [row.partial, (JSON.parse(row.changes) as RuleChange).partial[1]] : null,
    rescoredAt: row.rescored_at,
    reason: row.reason,
    scoreBefore: row.score_before,
    scoreAfter: row.score_after,
  }));
}

/** How many records each correction has re-scored. */
export async function countRescored(query: Query, correctionIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const ids of inLists(correctionIds)) {
    const rows = await query
      .selectFrom('record_rescores')
      .select(({ fn }) => ['correction_id', fn.countAll<number>().as('count')])
      .where('correction_id', 'in', ids)
      .groupBy('correction_id')
      .execute();
    for (const row of rows) counts.set(row.correction_id, Number(row.count));
  }
  return counts;
}

/** What of a closed record a preview needs. */
export interface RecordToTry {
  id: number;
  userId: number;
  score: number;
  /** By question; one that has no answer is not there. */
  answers: ReadonlyMap<number, string | null>;
  graded: Map<number, Graded>;
}

/** Closed records of a version behind one, with what was answered to some questions. */
export async function readToTry(
  query: Query,
  { examId, version, questionIds }: { examId: number; version: number; questionIds: readonly number[] },
  after: number,
  most: number,
): Promise<RecordToTry[]> {
  const rows = await query
    .selectFrom('exam_records')
    .select(['id', 'user_id', 'score', 'graded'])
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .where('submitted_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  const answers = new Map(rows.map(({ id }) => [id, new Map<number, string | null>()]));
  for (const questions of inLists(questionIds))
    for (const ids of inLists([...answers.keys()])) {
      const given = await query
        .selectFrom('exam_answers')
        .select(['record_id', 'question_id', 'answer'])
        .where('record_id', 'in', ids)
        .where('question_id', 'in', questions)
        .execute();
      for (const { record_id, question_id, answer } of given) answers.get(record_id)?.set(question_id, answer);
    }
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    score: row.score ?? 0,
    answers: answers.get(row.id) ?? new Map(),
    graded: gradedFromJson(row.graded ?? '{}'),
  }));
}
