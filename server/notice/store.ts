import { type Selectable, sql } from 'kysely';
import type { NoticeKind } from '#contract/values/notice.ts';
import { isTold } from '#rules/notice/announcement.ts';
import type { Values } from '#rules/wording/fill.ts';
import { sayAfterCommit } from '#server/db/after-commit.ts';
import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Notices } from '#server/db/schema.ts';
import type { Random } from '#server/parts.ts';
import { findAnnouncements, listedFor, readUnwanted, type StoredAnnouncement } from './announcement-store.ts';
import { noticesOf } from './topic.ts';

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
  /** The question it is about: nothing of it is shown to its reader while they sit that in a scored exam; 0: while they sit any. */
  questionId?: number;
  /** The question of Q&A it is about. */
  qaId?: number;
}

/**
 * Tells people, in the transaction of what they are told. A notice that was told before changes nothing; of what somebody does not want
 * to be told of nothing is kept. Their open windows hear of it after the commit.
 */
export async function saveNotices(trx: Trx, random: Random, now: number, told: readonly Notice[]): Promise<void> {
  const unwanted = await readUnwanted(
    trx,
    told.map(({ userId }) => userId),
  );
  const wanted = told.filter(({ userId, kind }) => isTold(kind, unwanted.get(userId) ?? new Set()));
  const rows = wanted.map(({ userId, event, kind, words, recordId, questionId, qaId }) => ({
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
  for (const { userId } of wanted) sayAfterCommit(trx, noticesOf(userId), null);
}

/** Whose notices, the packs whose students they are, and the questions of which nothing may be told now. */
interface Reader {
  userId: number;
  packIds: readonly number[];
  now: number;
  hidden: ReadonlySet<number>;
}

/** The reader's notices but for those about hidden questions. */
async function shownTo(query: Query, { userId, hidden }: Pick<Reader, 'userId' | 'hidden'>) {
  const own = query.selectFrom('notices').where('user_id', '=', userId);
  if (hidden.size === 0) return own;
  const about = await own.select('question_id').distinct().where('question_id', 'is not', null).execute();
  let shown = own;
  for (const ids of inLists(
    about.flatMap(({ question_id: id }) => (id !== null && (id === 0 || hidden.has(id)) ? [id] : [])),
  ))
    shown = shown.where((is) => is.or([is('question_id', 'is', null), is('question_id', 'not in', ids)]));
  return shown;
}

/** What is listed: what one person was told, or what the school announces. */
type Listed = { notice: StoredNotice } | { announcement: StoredAnnouncement };

/** A page of what somebody was told and of what the school announces, newest first. `beforeAt`: only what was told before it. @returns newestAt of all pages */
export async function readNotices(
  query: Query,
  reader: Reader,
  { limit, offset, beforeAt }: { limit: number; offset: number; beforeAt?: number | undefined },
): Promise<{ list: Listed[]; total: number; newestAt: number | null }> {
  const all = (await shownTo(query, reader))
    .select(['id', 'created_at', sql<number>`0`.as('announced')])
    .unionAll(
      listedFor(query, reader).select([
        'announcements.id',
        'announcements.from_at as created_at',
        sql<number>`1`.as('announced'),
      ]),
    );
  const from = query.selectFrom(all.as('told'));
  const told = beforeAt === undefined ? from : from.where('created_at', '<', beforeAt);
  const { total, newest } = await told
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.max('created_at').as('newest')])
    .executeTakeFirstOrThrow();
  const page = await told.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute();
  const idsOf = (announced: number) => page.flatMap((row) => (Number(row.announced) === announced ? [row.id] : []));
  const notices = new Map<number, StoredNotice>();
  for (const ids of inLists(idsOf(0)))
    for (const row of await query.selectFrom('notices').selectAll().where('id', 'in', ids).execute())
      notices.set(row.id, row);
  const announcements = await findAnnouncements(query, idsOf(1));
  const list = page.flatMap((row): Listed[] => {
    const [notice, announcement] = [notices.get(row.id), announcements.get(row.id)];
    if (Number(row.announced) === 1) return announcement ? [{ announcement }] : [];
    return notice ? [{ notice }] : [];
  });
  return { list, total: Number(total), newestAt: newest === null ? null : Number(newest) };
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
export async function saveNoticesRead(query: Query, reader: Reader, ids: readonly number[]): Promise<void> {
  for (const some of inLists(ids)) {
    const rows = await (await shownTo(query, reader)).select('id').where('id', 'in', some).execute();
    if (rows.length === 0) continue;
    await query
      .updateTable('notices')
      .set({ read_at: reader.now })
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

/** Takes back what was told about a question of Q&A. @param of `but`: keeps what was told to this person; `event`: of this event alone */
export async function deleteNoticesAbout(
  trx: Trx,
  qaId: number,
  { but, event }: { but?: number; event?: string } = {},
): Promise<void> {
  let told = trx.deleteFrom('notices').where('qa_id', '=', qaId);
  if (but !== undefined) told = told.where('user_id', '<>', but);
  if (event !== undefined) told = told.where('event', '=', event);
  for (const { user_id } of await told.returning('user_id').execute()) sayAfterCommit(trx, noticesOf(user_id), null);
}

/**
 * Takes back what somebody was told of own words that they have deleted: it would go on saying them.
 * @param events named whole, or by a beginning that ends with a colon
 */
export async function deleteNoticesOfEvents(trx: Trx, userId: number, events: readonly string[]): Promise<void> {
  let gone = false;
  for (const some of inLists(events)) {
    const told = await trx
      .deleteFrom('notices')
      .where('user_id', '=', userId)
      .where((is) =>
        is.or(some.map((event) => (event.endsWith(':') ? is('event', 'like', `${event}%`) : is('event', '=', event)))),
      )
      .returning('id')
      .execute();
    gone ||= told.length > 0;
  }
  if (gone) sayAfterCommit(trx, noticesOf(userId), null);
}

/** Forgets all that somebody was told. */
export async function deleteNoticesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('notices').where('user_id', '=', userId).execute();
}
