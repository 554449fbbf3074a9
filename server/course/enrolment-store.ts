import type { Db, Query, Trx } from '#server/db/open.ts';
import { Prepared, padded, times } from '#server/db/prepared.ts';

/** A student who studied in a pack. */
interface Studied {
  userId: number;
  packId: number;
}

/** A pack as many students find it at once. */
interface PackEntry {
  /** Taken out of the school's offer. */
  archived: boolean;
  /** Those of the students asked for who are enrolled. */
  enrolled: ReadonlySet<number>;
}

/** Enrolments of many students at once; its statements are compiled once, since a year group starts in one second. */
export interface EnrolmentStore {
  /** Which of these students are enrolled in which of these packs; a pack that is not there is left out. */
  readPacks(query: Query, packIds: readonly number[], userIds: readonly number[]): Promise<Map<number, PackEntry>>;
  /** Notes when students last studied in packs; who is not enrolled is passed over. */
  noteStudied(trx: Trx, studied: readonly Studied[], now: number): Promise<void>;
}

/** Makes the store of enrolments. */
export function enrolmentStore(db: Db): EnrolmentStore {
  const entries = new Prepared<{ archived: number; user_id: number | null }>(
    (size) =>
      db.query
        .selectFrom('packs')
        .leftJoin('enrolments', (join) =>
          join.onRef('enrolments.pack_id', '=', 'packs.id').on('enrolments.user_id', 'in', times(size, 0)),
        )
        .select(['packs.archived', 'enrolments.user_id'])
        .where('packs.id', '=', 0) as never,
  );
  const noteStudied = new Prepared<never>(
    (size) =>
      db.query
        .updateTable('enrolments')
        .set({ last_studied_at: 0 })
        .where('pack_id', '=', 0)
        .where('user_id', 'in', times(size, 0)) as never,
  );
  return {
    readPacks: async (query, packIds, userIds) => {
      const list = padded(userIds);
      const packs = new Map<number, PackEntry>();
      for (const packId of packIds) {
        const rows = await entries.run(query, [...list, packId], list.length);
        const [first] = rows;
        if (!first) continue;
        const enrolled = new Set(rows.map((row) => row.user_id).filter((id) => id !== null));
        packs.set(packId, { archived: first.archived === 1, enrolled });
      }
      return packs;
    },
    noteStudied: async (trx, studied, now) => {
      const byPack = Map.groupBy(studied, ({ packId }) => packId);
      // In one order everywhere, so that two processes cannot wait for each other.
      for (const [packId, students] of [...byPack].sort(([a], [b]) => a - b)) {
        const userIds = [...new Set(students.map(({ userId }) => userId))].sort((a, b) => a - b);
        const list = padded(userIds);
        await noteStudied.run(trx, [now, packId, ...list], list.length);
      }
    },
  };
}

/** Whether a pack is there and this student is enrolled in it. */
export async function packAccess(
  query: Query,
  userId: number,
  packId: number,
): Promise<'ok' | 'notFound' | 'notEnrolled'> {
  const pack = await query
    .selectFrom('packs')
    .leftJoin('enrolments', (join) =>
      join.onRef('enrolments.pack_id', '=', 'packs.id').on('enrolments.user_id', '=', userId),
    )
    .select('enrolments.user_id')
    .where('packs.id', '=', packId)
    .where('packs.archived', '=', 0)
    .executeTakeFirst();
  if (!pack) return 'notFound';
  return pack.user_id === null ? 'notEnrolled' : 'ok';
}

/** Whether a student is enrolled in one of these packs. */
export async function isEnrolledInAny(query: Query, userId: number, packIds: readonly number[]): Promise<boolean> {
  if (packIds.length === 0) return false;
  const row = await query
    .selectFrom('enrolments')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('pack_id', 'in', packIds)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Enrols a person; joining twice is the same as once. */
export async function enrol(query: Query, userId: number, packId: number, now: number): Promise<void> {
  await query
    .insertInto('enrolments')
    .values({ user_id: userId, pack_id: packId, created_at: now, last_studied_at: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id']).doNothing())
    .execute();
}

/** Ends an enrolment; records that the student has stay. @returns whether there was one */
export async function endEnrolment(query: Query, userId: number, packId: number): Promise<boolean> {
  const ended = await query
    .deleteFrom('enrolments')
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .executeTakeFirst();
  return ended.numDeletedRows > 0n;
}

/** Enrols people in every pack that is open to all; harmless to repeat. */
export async function enrolInOpenPacks(query: Query, userIds: readonly number[], now: number): Promise<void> {
  const packs = await query
    .selectFrom('packs')
    .select('id')
    .where('enrol', '=', 'open')
    .where('archived', '=', 0)
    .orderBy('id')
    .execute();
  for (const pack of packs) for (const userId of userIds) await enrol(query, userId, pack.id, now);
}
