import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { ExamRecord } from './store.ts';

/** Time that is given to records of one exam (补时). */
export interface TimeGift {
  giveKey: string;
  examId: number;
  /** Left out: all that are open. */
  recordIds?: readonly number[] | undefined;
  minutes: number;
  reason: string;
  /** The teacher; null: an operator. */
  givenBy: number | null;
  /** Their name, as it is now. */
  doneBy: string;
  now: number;
}

/** A record that is given time: its end before and after. */
export interface GivenRecord {
  recordId: number;
  userId: number;
  endedAt: number;
  endsAt: number;
}

/** Why time was given to a record last; '' where it was not. */
export async function lastReason(
  query: Query,
  { id, extraMinutes }: Pick<ExamRecord, 'id' | 'extraMinutes'>,
): Promise<string> {
  if (extraMinutes === 0) return '';
  const row = await query
    .selectFrom('time_gift_records')
    .innerJoin('time_gifts', 'time_gifts.id', 'time_gift_records.gift_id')
    .select('time_gifts.reason')
    .where('time_gift_records.record_id', '=', id)
    .orderBy('time_gifts.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.reason ?? '';
}

/** What is stored under a key: of two calls with one key the second finds it. */
interface StoredGift {
  id: number;
  /** Whether it asked for the same. */
  same: boolean;
}

/** Keeps a gift; `before` is what another call has kept under its key. The second of two at once waits for the first. */
export async function keepGift(
  trx: Trx,
  { giveKey, examId, recordIds, minutes, reason, givenBy, doneBy, now }: TimeGift,
): Promise<{ id: number; before: null } | { id: null; before: StoredGift }> {
  const asked = recordIds ? JSON.stringify([...recordIds].sort((a, b) => a - b)) : '';
  const gift = { exam_id: examId, asked, minutes, reason, given_by: givenBy };
  const made = await trx
    .insertInto('time_gifts')
    .values({ ...gift, gift_key: giveKey, done_by: doneBy, given_at: now })
    .onConflict((conflict) => conflict.column('gift_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) return { id: made.id, before: null };
  const row = await trx.selectFrom('time_gifts').selectAll().where('gift_key', '=', giveKey).executeTakeFirstOrThrow();
  const same = (Object.keys(gift) as (keyof typeof gift)[]).every((column) => row[column] === gift[column]);
  return { id: null, before: { id: row.id, same } };
}

/** Forgets a gift that nobody got. */
export async function forgetGift(trx: Trx, giftId: number): Promise<void> {
  await trx.deleteFrom('time_gifts').where('id', '=', giftId).execute();
}

/** How many records got a gift. */
export async function countGiven(query: Query, giftIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const ids of inLists(giftIds)) {
    const rows = await query
      .selectFrom('time_gift_records')
      .select(({ fn }) => ['gift_id', fn.countAll<number>().as('count')])
      .where('gift_id', 'in', ids)
      .groupBy('gift_id')
      .execute();
    for (const { gift_id, count } of rows) counts.set(gift_id, Number(count));
  }
  return counts;
}

/** Gives records their new ends; they are locked and open. */
export async function extendRecords(
  trx: Trx,
  giftId: number,
  minutes: number,
  given: readonly GivenRecord[],
): Promise<void> {
  for (const batch of batches(given)) {
    await trx
      .insertInto('time_gift_records')
      .values(
        batch.map(({ recordId, endedAt, endsAt }) => ({
          record_id: recordId,
          gift_id: giftId,
          ended_at: endedAt,
          ends_at: endsAt,
        })),
      )
      .execute();
    // The end that was decided, from the rows just written.
    await trx
      .updateTable('exam_records')
      .set(({ eb, selectFrom }) => ({
        extra_minutes: eb('extra_minutes', '+', minutes),
        ends_at: selectFrom('time_gift_records')
          .select('time_gift_records.ends_at')
          .whereRef('time_gift_records.record_id', '=', 'exam_records.id')
          .where('time_gift_records.gift_id', '=', giftId),
      }))
      .where(
        'id',
        'in',
        batch.map(({ recordId }) => recordId),
      )
      .execute();
  }
}
