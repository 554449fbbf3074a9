import type { Query, Trx } from '#server/db/open.ts';

/** What is kept of a closing that was undone. */
interface Reopening {
  recordId: number;
  now: number;
  doneBy: string;
  reason: string;
  endsAt: number | null;
}

/** A save that came after the closing. */
interface StoredLateSave {
  questionId: number;
  answer: string;
  seq: number;
  arrivedAt: number;
}

/** Keeps the closing of a record as it is, and opens the record again without it. The record is locked and closed. */
export async function openAgain(trx: Trx, { recordId, now, doneBy, reason, endsAt }: Reopening): Promise<void> {
  await trx
    .insertInto('record_reopenings')
    .columns([
      'record_id',
      'reopened_at',
      'done_by',
      'reason',
      'closed',
      'submitted_at',
      'ended_at',
      'score',
      'graded',
      'ends_at',
    ])
    .expression(
      trx
        .selectFrom('exam_records')
        .select(({ val, cast, fn }) => [
          'id',
          cast<number>(val(now), 'bigint').as('reopened_at'),
          cast<string>(val(doneBy), 'text').as('done_by'),
          cast<string>(val(reason), 'text').as('reason'),
          fn.coalesce('closed', val('')).as('closed'),
          fn.coalesce('submitted_at', val(0)).as('submitted_at'),
          'ends_at',
          'score',
          fn.coalesce('graded', val('{}')).as('graded'),
          cast<number | null>(val(endsAt), 'bigint').as('new_end'),
        ])
        .where('id', '=', recordId),
    )
    .execute();
  await trx
    .updateTable('exam_records')
    .set({
      submitted_at: null,
      closed: null,
      ends_at: endsAt,
      score: null,
      right_count: 0,
      wrong_count: 0,
      unanswered_count: 0,
      pending_count: 0,
      graded: null,
      counted: null,
    })
    .where('id', '=', recordId)
    .execute();
}

/** Whether the student has an open record of this exam. */
export async function hasOpenRecord(trx: Trx, userId: number, examId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('exam_records')
    .select('id')
    .where('user_id', '=', userId)
    .where('exam_id', '=', examId)
    .where('submitted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The saves of a record that came too late: the newest of each question. */
export async function readLateSaves(trx: Trx, recordId: number): Promise<StoredLateSave[]> {
  const rows = await trx.selectFrom('late_saves').selectAll().where('record_id', '=', recordId).execute();
  return rows.map((row) => ({
    questionId: row.question_id,
    answer: row.answer,
    seq: row.seq,
    arrivedAt: row.arrived_at,
  }));
}

/**
 * Records of a paper that the server or the end of the time closed between two moments (both included), the newest of each
 * student that is not open, oldest first.
 */
export async function listClosedByTime(
  trx: Trx,
  { packId, paper, from, to }: { packId: number; paper: string; from: number; to: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select(({ fn }) => ['exam_records.user_id', fn.max('exam_records.id').as('newest')])
    .where('exams.pack_id', '=', packId)
    .where('exams.slug', '=', paper)
    .where('exam_records.closed', 'in', ['timeUp', 'unanswered'])
    .where('exam_records.submitted_at', '>=', from)
    .where('exam_records.submitted_at', '<=', to)
    .groupBy('exam_records.user_id')
    .orderBy('newest')
    .execute();
  return rows.map((row) => row.newest);
}

/** The name of a paper of a pack by its key; null when there is none. */
export async function findPaperNameByKey(trx: Trx, packId: number, paper: string): Promise<string | null> {
  const row = await trx
    .selectFrom('exams')
    .select('name')
    .where('pack_id', '=', packId)
    .where('slug', '=', paper)
    .executeTakeFirst();
  return row?.name ?? null;
}

/** What began, what was handed in and what was opened again of somebody's records, as a word that is another one after each of them. */
export async function sittingsOf(query: Query, userId: number): Promise<string> {
  const { again } = await query
    .selectFrom('record_reopenings')
    .innerJoin('exam_records', 'exam_records.id', 'record_reopenings.record_id')
    .select(({ fn }) => fn.countAll<number>().as('again'))
    .where('exam_records.user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const { begun, closed } = await query
    .selectFrom('exam_records')
    .select(({ fn }) => [fn.countAll<number>().as('begun'), fn.count<number>('submitted_at').as('closed')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return `${begun} ${closed} ${again}`;
}
