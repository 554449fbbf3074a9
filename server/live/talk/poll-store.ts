import type { Insertable, Selectable } from 'kysely';
import type { Query, Trx } from '#server/db/open.ts';
import type { LivePolls } from '#server/db/schema.ts';

type StoredPoll = Selectable<LivePolls>;

/** The newest poll of a room; undefined: there was none. */
export async function findLastPoll(query: Query, liveId: number): Promise<StoredPoll | undefined> {
  return query
    .selectFrom('live_polls')
    .selectAll()
    .where('live_id', '=', liveId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A poll of a room; undefined: there is none. */
export async function findPoll(query: Query, liveId: number, id: number): Promise<StoredPoll | undefined> {
  return query
    .selectFrom('live_polls')
    .selectAll()
    .where('live_id', '=', liveId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The poll that a teacher opened under this name; undefined: none. */
export async function findOpened(query: Query, by: number, clientId: string): Promise<StoredPoll | undefined> {
  return query
    .selectFrom('live_polls')
    .selectAll()
    .where('created_by', '=', by)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** Stores a poll that is open. */
export async function addPoll(trx: Trx, row: Omit<Insertable<LivePolls>, 'id' | 'closed_at'>): Promise<StoredPoll> {
  return trx
    .insertInto('live_polls')
    .values({ ...row, closed_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends a poll. */
export async function endPoll(trx: Trx, id: number, now: number): Promise<void> {
  await trx.updateTable('live_polls').set({ closed_at: now }).where('id', '=', id).execute();
}

/** What somebody chose; null: nothing. */
export async function findVote(query: Query, pollId: number, userId: number): Promise<number | null> {
  const row = await query
    .selectFrom('live_votes')
    .select('choice')
    .where('poll_id', '=', pollId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.choice ?? null;
}

/** Stores what somebody chose, who has chosen nothing. */
export async function addVote(trx: Trx, vote: { pollId: number; userId: number; choice: number; now: number }) {
  const { pollId, userId, choice, now } = vote;
  await trx.insertInto('live_votes').values({ poll_id: pollId, user_id: userId, choice, voted_at: now }).execute();
}

/** How many chose each option, by its place. */
export async function countVotes(query: Query, pollId: number): Promise<Map<number, number>> {
  const rows = await query
    .selectFrom('live_votes')
    .select(({ fn }) => ['choice', fn.countAll<number>().as('count')])
    .where('poll_id', '=', pollId)
    .groupBy('choice')
    .execute();
  return new Map(rows.map(({ choice, count }) => [choice, Number(count)]));
}

/** What somebody voted, in its order. */
export async function readVotesOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; liveId: number; question: string; chosen: string; votedAt: number }[]> {
  const rows = await query
    .selectFrom('live_votes')
    .innerJoin('live_polls', 'live_polls.id', 'live_votes.poll_id')
    .select([
      'live_votes.id',
      'live_polls.live_id',
      'live_polls.question',
      'live_polls.options',
      'live_votes.choice',
      'live_votes.voted_at',
    ])
    .where('live_votes.user_id', '=', userId)
    .where('live_votes.id', '>', after)
    .orderBy('live_votes.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, live_id, question, options, choice, voted_at }) => ({
    ...{ id, liveId: live_id, question, votedAt: voted_at },
    chosen: optionsOf(options)[choice] ?? '',
  }));
}

/** The options of a poll as it is stored. */
export const optionsOf = (options: string): string[] => JSON.parse(options) as string[];
