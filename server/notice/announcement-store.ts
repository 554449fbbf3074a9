import type { Insertable, Selectable } from 'kysely';
import { ANNOUNCEMENTS_SHOWN, type NoticeTopic } from '#contract/values/notice.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Announcements } from '#server/db/schema.ts';

/** An announcement as it is stored. */
export type StoredAnnouncement = Selectable<Announcements>;

/** Who looks, when, and the packs whose students they are. */
interface Audience {
  userId: number;
  packIds: readonly number[];
  now: number;
}

/** What has begun, was not withdrawn, and is for somebody. */
function toldTo(query: Query, { packIds, now }: Audience) {
  return query
    .selectFrom('announcements')
    .where('announcements.withdrawn_at', 'is', null)
    .where('announcements.from_at', '<=', now)
    .where((is) =>
      packIds.length === 0
        ? is('announcements.pack_id', 'is', null)
        : is.or([is('announcements.pack_id', 'is', null), is('announcements.pack_id', 'in', [...packIds])]),
    );
}

/** Of what is announced now the newest few, as far as somebody has not read them, the oldest first. */
export async function readUnseen(query: Query, audience: Audience): Promise<StoredAnnouncement[]> {
  const newest = await toldTo(query, audience)
    .where('until_at', '>', audience.now)
    .selectAll()
    .orderBy('from_at', 'desc')
    .orderBy('id')
    .limit(ANNOUNCEMENTS_SHOWN)
    .execute();
  if (newest.length === 0) return [];
  const ids = newest.map(({ id }) => id);
  const read = await query
    .selectFrom('announcement_reads')
    .select('announcement_id')
    .where('user_id', '=', audience.userId)
    .where('announcement_id', 'in', ids)
    .execute();
  const seen = new Set(read.map(({ announcement_id }) => announcement_id));
  return newest.filter(({ id }) => !seen.has(id)).reverse();
}

/** What is listed for somebody: what is announced now, and what of before they have read. */
export function listedFor(query: Query, audience: Audience) {
  return toldTo(query, audience).where(({ or, eb, exists, selectFrom }) =>
    or([
      eb('announcements.until_at', '>', audience.now),
      exists(
        selectFrom('announcement_reads')
          .select('announcement_id')
          .whereRef('announcement_id', '=', 'announcements.id')
          .where('announcement_reads.user_id', '=', audience.userId),
      ),
    ]),
  );
}

/** Notes that somebody has read these; one that they are not told cannot have been. */
export async function saveRead(query: Query, audience: Audience, ids: readonly number[]): Promise<void> {
  for (const some of inLists(ids)) {
    const told = await listedFor(query, audience)
      .select('announcements.id')
      .where('announcements.id', 'in', some)
      .execute();
    if (told.length === 0) continue;
    await query
      .insertInto('announcement_reads')
      .values(told.map(({ id }) => ({ announcement_id: id, user_id: audience.userId, read_at: audience.now })))
      .onConflict((conflict) => conflict.columns(['announcement_id', 'user_id']).doNothing())
      .execute();
  }
}

/** The ids of what is announced now, as one text: another one when something begins, ends or is withdrawn. */
export async function announcedNow(query: Query, now: number): Promise<string> {
  const rows = await query
    .selectFrom('announcements')
    .select('id')
    .where('withdrawn_at', 'is', null)
    .where('until_at', '>', now)
    .where('from_at', '<=', now)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id).join(' ');
}

/** Stores an announcement. Its teacher has read it. One that its teacher sent before is given as it is. */
export async function addAnnouncement(trx: Trx, row: Insertable<Announcements>): Promise<StoredAnnouncement> {
  const added = await trx
    .insertInto('announcements')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!added)
    return trx
      .selectFrom('announcements')
      .selectAll()
      .where('user_id', '=', row.user_id ?? null)
      .where('client_id', '=', row.client_id ?? null)
      .executeTakeFirstOrThrow();
  if (added.user_id !== null)
    await trx
      .insertInto('announcement_reads')
      .values({ announcement_id: added.id, user_id: added.user_id, read_at: added.created_at })
      .execute();
  return added;
}

/** One announcement; undefined: there is none. */
export async function findAnnouncement(query: Query, id: number): Promise<StoredAnnouncement | undefined> {
  return query.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Announcements by their ids. */
export async function findAnnouncements(
  query: Query,
  ids: readonly number[],
): Promise<Map<number, StoredAnnouncement>> {
  const found = new Map<number, StoredAnnouncement>();
  for (const some of inLists(ids))
    for (const row of await query.selectFrom('announcements').selectAll().where('id', 'in', some).execute())
      found.set(row.id, row);
  return found;
}

/** Takes an announcement back, once. @returns whether there is one of this id */
export async function withdrawAnnouncement(
  query: Query,
  { id, by, now }: { id: number; by: number | null; now: number },
): Promise<boolean> {
  await query
    .updateTable('announcements')
    .set({ withdrawn_at: now, withdrawn_by: by })
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .execute();
  return (await findAnnouncement(query, id)) !== undefined;
}

/** A page of all announcements, newest first. */
export async function readAnnouncements(
  query: Query,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ announcements: StoredAnnouncement[]; total: number }> {
  const { total } = await query
    .selectFrom('announcements')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const announcements = await query
    .selectFrom('announcements')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { announcements, total: Number(total) };
}

/** How many people have read each of these, its teacher not counted. */
export async function countReaders(query: Query, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom('announcement_reads')
    .innerJoin('announcements', 'announcements.id', 'announcement_reads.announcement_id')
    .select(({ fn }) => ['announcement_id', fn.countAll<number>().as('count')])
    .where('announcement_id', 'in', [...ids])
    .where((is) =>
      is.or([
        is('announcements.user_id', 'is', null),
        is('announcement_reads.user_id', '<>', is.ref('announcements.user_id')),
      ]),
    )
    .groupBy('announcement_id')
    .execute();
  return new Map(rows.map(({ announcement_id, count }) => [announcement_id, Number(count)]));
}

/** Deletes what was over before a time, with who read it. */
export async function deleteAnnouncementsBefore(query: Query, time: number): Promise<void> {
  await query
    .deleteFrom('announcement_reads')
    .where('announcement_id', 'in', ({ selectFrom }) =>
      selectFrom('announcements').select('announcements.id').where('until_at', '<', time),
    )
    .execute();
  await query.deleteFrom('announcements').where('until_at', '<', time).execute();
}

// ---- what people want to be told of ----

/** What each of these people does not want to be told of. */
export async function readUnwanted(query: Query, userIds: readonly number[]): Promise<Map<number, Set<NoticeTopic>>> {
  const unwanted = new Map<number, Set<NoticeTopic>>();
  for (const some of inLists([...new Set(userIds)]))
    for (const { user_id: userId, topic } of await query
      .selectFrom('unwanted_notices')
      .selectAll()
      .where('user_id', 'in', some)
      .execute())
      unwanted.set(userId, (unwanted.get(userId) ?? new Set()).add(topic));
  return unwanted;
}

/** Notes whether somebody wants to be told of a topic; twice is the same as once. */
export async function saveWanted(
  query: Query,
  { userId, topic, wanted }: { userId: number; topic: NoticeTopic; wanted: boolean },
): Promise<void> {
  if (wanted)
    await query.deleteFrom('unwanted_notices').where('user_id', '=', userId).where('topic', '=', topic).execute();
  else
    await query
      .insertInto('unwanted_notices')
      .values({ user_id: userId, topic })
      .onConflict((conflict) => conflict.columns(['user_id', 'topic']).doNothing())
      .execute();
}

/** Forgets what somebody has read of announcements, and what they did not want to be told of. */
export async function deleteChoicesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('announcement_reads').where('user_id', '=', userId).execute();
  await trx.deleteFrom('unwanted_notices').where('user_id', '=', userId).execute();
}
