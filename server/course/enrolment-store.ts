import type { PackFacts } from '#rules/course/access.ts';
import { inLists } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { PreparedForRows } from '#server/db/prepared.ts';

/** A student in a pack. */
export interface StudentPlace {
  userId: number;
  packId: number;
}

/** Enrolments of many students at once; its statements are compiled once, since a year group starts in one second. */
export interface EnrolmentStore {
  /** How each student stands to the pack beside them, in this order; null where there is no such pack. */
  readFacts(query: Query, places: readonly StudentPlace[]): Promise<(PackFacts | null)[]>;
  /** Notes when students last studied in packs; who is not enrolled is passed over. */
  noteStudied(trx: Trx, studied: readonly StudentPlace[], now: number): Promise<void>;
}

/** Makes the store of enrolments. */
export function enrolmentStore(db: Db): EnrolmentStore {
  const place = { pack_id: 'bigint', user_id: 'bigint' } as const;
  const facts = new PreparedForRows<typeof place, { pack_id: number; archived: number; user_id: number | null }>(
    db,
    place,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('packs', 'packs.id', 'given.pack_id')
        .leftJoin('enrolments', (join) =>
          join.onRef('enrolments.pack_id', '=', 'given.pack_id').onRef('enrolments.user_id', '=', 'given.user_id'),
        )
        .select(['given.pack_id', 'packs.archived', 'enrolments.user_id']) as never,
  );
  const studiedAt = { ...place, studied_at: 'bigint' } as const;
  const noteStudied = new PreparedForRows<typeof studiedAt, never>(
    db,
    studiedAt,
    (given) =>
      given
        .updateTable('enrolments')
        .from(({ selectFrom }) => {
          const rows = selectFrom('given')
            .innerJoin('enrolments as own', (join) =>
              join.onRef('own.pack_id', '=', 'given.pack_id').onRef('own.user_id', '=', 'given.user_id'),
            )
            .select(['own.pack_id', 'own.user_id', 'given.studied_at']);
          // Whoever holds the row notes the same moment: nobody waits, so no two can wait for each other.
          return (db.kind === 'postgres' ? rows.forUpdate('own').skipLocked() : rows).as('free');
        })
        .set(({ ref }) => ({ last_studied_at: ref('free.studied_at') }) as never)
        .whereRef('enrolments.pack_id', '=', 'free.pack_id')
        .whereRef('enrolments.user_id', '=', 'free.user_id') as never,
  );
  return {
    readFacts: async (query, places) => {
      const asked = places.map(({ packId, userId }) => ({ pack_id: packId, user_id: userId }));
      const packs = new Map<number, { archived: boolean; enrolled: Set<number> }>();
      for (const { pack_id, archived, user_id } of await facts.run(query, asked)) {
        const pack = packs.get(pack_id) ?? { archived: archived === 1, enrolled: new Set() };
        packs.set(pack_id, pack);
        if (user_id !== null) pack.enrolled.add(user_id);
      }
      return places.map(({ packId, userId }) => {
        const pack = packs.get(packId);
        return pack ? { archived: pack.archived, enrolled: pack.enrolled.has(userId) } : null;
      });
    },
    noteStudied: async (trx, studied, now) => {
      // Each once: of two rows for one enrolment it would be open which is taken.
      const rows = [...Map.groupBy(studied, ({ packId }) => packId)].flatMap(([pack_id, students]) =>
        [...new Set(students.map(({ userId }) => userId))].map((user_id) => ({ pack_id, user_id, studied_at: now })),
      );
      await noteStudied.run(trx, rows);
    },
  };
}

/** Enrols a person; joining twice is the same as once. */
export async function enrol(query: Query, userId: number, packId: number, now: number): Promise<void> {
  await query
    .insertInto('enrolments')
    .values({ user_id: userId, pack_id: packId, created_at: now, last_studied_at: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id']).doNothing())
    .execute();
}

/** Enrols a person by the school's own word: it stays when an order that gave the pack too is refunded. */
export async function enrolBySchool(query: Query, userId: number, packId: number, now: number): Promise<void> {
  await query
    .insertInto('enrolments')
    .values({ user_id: userId, pack_id: packId, created_at: now, last_studied_at: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id']).doUpdateSet({ by_order: 0 }))
    .execute();
}

/** Enrols a person because an order is paid; who is in the pack already stays as they are. */
export async function enrolByOrder(trx: Trx, userId: number, packId: number, now: number): Promise<void> {
  await trx
    .insertInto('enrolments')
    .values({ user_id: userId, pack_id: packId, created_at: now, last_studied_at: null, by_order: 1 })
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id']).doNothing())
    .execute();
}

/** Ends an enrolment that an order gave; what the school gave stays, and so does all that was done. */
export async function endEnrolmentByOrder(trx: Trx, userId: number, packId: number): Promise<void> {
  await trx
    .deleteFrom('enrolments')
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .where('by_order', '=', 1)
    .execute();
}

/** Whether a person is enrolled in a pack. */
export async function isEnrolled(query: Query, userId: number, packId: number): Promise<boolean> {
  const row = await query
    .selectFrom('enrolments')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .executeTakeFirst();
  return row !== undefined;
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

/** Enrols people in every pack that is open to all at no cost; harmless to repeat. */
export async function enrolInOpenPacks(query: Query, userIds: readonly number[], now: number): Promise<void> {
  const packs = await query
    .selectFrom('packs')
    .select('id')
    .where('enrol', '=', 'open')
    .where('archived', '=', 0)
    .where('price', 'is', null)
    .orderBy('id')
    .execute();
  for (const pack of packs) for (const userId of userIds) await enrol(query, userId, pack.id, now);
}

/** The packs that somebody has joined, with their names. */
export async function readJoined(
  query: Query,
  userId: number,
): Promise<{ packId: number; packageName: string; joinedAt: number; lastStudiedAt: number | null }[]> {
  return query
    .selectFrom('enrolments')
    .innerJoin('packs', 'packs.id', 'enrolments.pack_id')
    .select([
      'packs.id as packId',
      'packs.name as packageName',
      'enrolments.created_at as joinedAt',
      'enrolments.last_studied_at as lastStudiedAt',
    ])
    .where('enrolments.user_id', '=', userId)
    .orderBy('enrolments.created_at')
    .orderBy('packs.id')
    .execute();
}

/** Which of these people are enrolled in a pack. */
export async function readEnrolledOf(query: Query, packId: number, userIds: readonly number[]): Promise<Set<number>> {
  const enrolled = new Set<number>();
  for (const some of inLists(userIds))
    for (const { user_id } of await query
      .selectFrom('enrolments')
      .select('user_id')
      .where('pack_id', '=', packId)
      .where('user_id', 'in', some)
      .execute())
      enrolled.add(user_id);
  return enrolled;
}

/** How many people are enrolled in a pack. */
export async function countEnrolled(query: Query, packId: number): Promise<number> {
  const { count } = await query
    .selectFrom('enrolments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('pack_id', '=', packId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
