import type { Query } from '#server/db/open.ts';

/** Writes one event of a bucket. @returns its id */
export async function addEvent(query: Query, bucket: string, at: number): Promise<number> {
  const { id } = await query.insertInto('rate_events').values({ bucket, at }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Takes one event back. */
export async function deleteEvent(query: Query, id: number): Promise<void> {
  await query.deleteFrom('rate_events').where('id', '=', id).execute();
}

/** Deletes all events of a bucket. */
export async function deleteEvents(query: Query, bucket: string): Promise<void> {
  await query.deleteFrom('rate_events').where('bucket', '=', bucket).execute();
}

/** The time of a bucket's newest event but `newer` many; null when it has not as many. */
export async function timeOfEvent(query: Query, bucket: string, newer: number): Promise<number | null> {
  const row = await query
    .selectFrom('rate_events')
    .select('at')
    .where('bucket', '=', bucket)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(newer)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** How many events a bucket has since a time, counted up to `most`. */
export async function countEventsSince(query: Query, bucket: string, since: number, most: number): Promise<number> {
  const { count } = await query
    .selectFrom((events) =>
      events
        .selectFrom('rate_events')
        .select('id')
        .where('bucket', '=', bucket)
        .where('at', '>', since)
        .limit(most)
        .as('counted'),
    )
    .select((expression) => expression.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes the events of all buckets that are older than a time. */
export async function deleteEventsBefore(query: Query, before: number): Promise<void> {
  await query.deleteFrom('rate_events').where('at', '<', before).execute();
}
