import type { Selectable } from 'kysely';
import type { NoticeKind } from '#contract/values/notice.ts';
import type { Values } from '#rules/wording/fill.ts';
import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Notices } from '#server/db/schema.ts';
import type { Random } from '#server/parts.ts';

/** A notice as it is stored. */
export type StoredNotice = Selectable<Notices>;

/** What somebody is told. */
export interface Notice {
  userId: number;
  /** What happened, named so that the same one is told to a person once, however often it is said: `timeGiven:12:345`. */
  event: string;
  kind: NoticeKind;
  words: Values;
  recordId?: number;
  /** The question it is about: nothing of it is shown to its reader while they sit that in a scored exam. */
  questionId?: number;
  /** The question of Q&A it is about. */
  qaId?: number;
}

/** Tells people, in the transaction of what they are told. A notice that was told before changes nothing. */
export async function saveNotices(trx: Trx, random: Random, now: number, told: readonly Notice[]): Promise<void> {
  const rows = told.map(({ userId, event, kind, words, recordId, questionId, qaId }) => ({
    id: random(6).readUIntBE(0, 6) + 1,
    user_id: userId,
    event,
    kind,
    words: JSON.stringify(words),
    record_id: recordId ?? null,
    question_id: questionId ?? null,
    qa_id: qaId ?? null,
    created_at: now,
    read_at: null,
  }));
  for (const batch of batches(rows))
    await trx
      .insertInto('notices')
      .values(batch)
      .onConflict((conflict) => conflict.columns(['user_id', 'event']).doNothing())
      .execute();
}

/** Whose notices, and the questions of which nothing may be told now. */
interface Reader {
  userId: number;
  hidden: ReadonlySet<number>;
}

/** The reader's notices but for those about hidden questions. */
async function shownTo(query: Query, { userId, hidden }: Reader) {
  const own = query.selectFrom('notices').where('user_id', '=', userId);
  if (hidden.size === 0) return own;
  const about = await own.select('question_id').distinct().where('question_id', 'is not', null).execute();
  let shown = own;
  for (const ids of inLists(about.flatMap(({ question_id: id }) => (id !== null && hidden.has(id) ? [id] : []))))
    shown = shown.where((is) => is.or([is('question_id', 'is', null), is('question_id', 'not in', ids)]));
  return shown;
}

/** A page of what somebody was told, newest first. */
export async function readNotices(
  query: Query,
  reader: Reader,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ notices: StoredNotice[]; total: number }> {
  const shown = await shownTo(query, reader);
  const { total } = await shown.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const notices = await shown
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { notices, total: Number(total) };
}

/** How many notices somebody has not looked at. */
export async function countUnreadNotices(query: Query, reader: Reader): Promise<number> {
  const shown = await shownTo(query, reader);
  const { count } = await shown
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Notes that somebody has looked at these; one that was not shown cannot have been. */
export async function saveNoticesRead(
  query: Query,
  reader: Reader,
  { ids, now }: { ids: readonly number[]; now: number },
): Promise<void> {
  for (const some of inLists(ids)) {
    const rows = await (await shownTo(query, reader)).select('id').where('id', 'in', some).execute();
    if (rows.length === 0) continue;
    await query
      .updateTable('notices')
      .set({ read_at: now })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .where('read_at', 'is', null)
      .execute();
  }
}

/** Deletes what was told before a time. */
export async function deleteNoticesBefore(query: Query, time: number): Promise<void> {
  await query.deleteFrom('notices').where('created_at', '<', time).execute();
}

/** Takes back what was told about a question of Q&A that others may not see any more; `but` keeps what was told to its author. */
export async function deleteNoticesAbout(trx: Trx, qaId: number, but: number | null): Promise<void> {
  let told = trx.deleteFrom('notices').where('qa_id', '=', qaId);
  if (but !== null) told = told.where('user_id', '<>', but);
  await told.execute();
}

/** Forgets all that somebody was told. */
export async function deleteNoticesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('notices').where('user_id', '=', userId).execute();
}
