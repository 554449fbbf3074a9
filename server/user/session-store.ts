import { sql } from 'kysely';
import type { Role } from '#contract/values/user.ts';
import { inLists } from '#server/db/batches.ts';
import type { Db, PeopleTrx, Query } from '#server/db/open.ts';
import { Prepared, PreparedForRows } from '#server/db/prepared.ts';
import { lookedUpTogether } from '#server/db/together.ts';

/** Stores a new session. */
export async function addSession(
  query: Query,
  session: {
    token_hash: string;
    user_id: number;
    created_at: number;
    last_seen_at: number;
    expires_at: number;
    browser?: string;
    system?: string;
    place?: string;
  },
): Promise<void> {
  await query.insertInto('sessions').values(session).execute();
}

/** A session with what is asked of its person at each request. */
export interface StoredSession {
  user_id: number;
  role: Role;
  demo: number;
  disabled: number;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

/**
 * Makes the look-up of a session by the hash of its token: compiled once, it reads beside any transaction. SQLite answers
 * each at once; PostgreSQL is asked for all of one moment together.
 */
export function sessionReader(db: Db): (tokenHash: string) => Promise<StoredSession | undefined> {
  if (db.kind === 'sqlite') {
    const byToken = new Prepared<StoredSession>(db, () => sessionRows(db.query).where('sessions.token_hash', '=', ''));
    return async (tokenHash) => (await byToken.look([tokenHash]))[0];
  }
  const columns = { token_hash: 'text' } as const;
  const byTokens = new PreparedForRows<typeof columns, StoredSession & { token_hash: string }>(
    db,
    columns,
    (given) =>
      sessionRows(given as never as Query)
        .select('sessions.token_hash')
        .where(sql<boolean>`sessions.token_hash in (select token_hash from given)`) as never,
  );
  return lookedUpTogether(async (hashes) => {
    const rows = await byTokens.run(
      db.query,
      hashes.map((token_hash) => ({ token_hash })),
    );
    return new Map(rows.map(({ token_hash, ...session }) => [token_hash, session]));
  });
}

function sessionRows(query: Query) {
  return query
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.user_id',
      'users.role',
      'users.demo',
      'users.disabled',
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.expires_at',
    ]);
}

/** Notes that a session was used, and until when it lives then. */
export async function noteUse(
  trx: PeopleTrx,
  tokenHash: string,
  use: { last_seen_at: number; expires_at: number },
): Promise<void> {
  await trx.updateTable('sessions').set(use).where('token_hash', '=', tokenHash).execute();
}

/** Ends one session at once. */
export async function endSession(trx: PeopleTrx, tokenHash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends all sessions of a person but the named one (decisions §7: after a change of phone or password). */
export async function endOtherSessions(trx: PeopleTrx, userId: number, keepTokenHash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', keepTokenHash).execute();
}

/** Ends every session of a person: the account was switched off, or an operator set its password. */
export async function endAllSessions(trx: PeopleTrx, userId: number): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Deletes sessions that have ended by time. */
export async function deleteExpiredSessions(trx: PeopleTrx, now: number): Promise<void> {
  await trx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}

/** A session as its person is shown it. */
interface ListedSession {
  token_hash: string;
  browser: string;
  system: string;
  place: string;
  created_at: number;
  last_seen_at: number;
}

/** Where a person is signed in, last used first. */
export async function listSessions(query: Query, userId: number, now: number): Promise<ListedSession[]> {
  return query
    .selectFrom('sessions')
    .select(['token_hash', 'browser', 'system', 'place', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute();
}

/** Ends some sessions of a person. @returns how many */
export async function endSessions(trx: PeopleTrx, userId: number, tokenHashes: readonly string[]): Promise<number> {
  let ended = 0;
  for (const some of inLists(tokenHashes)) {
    const done = await trx
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('token_hash', 'in', some)
      .executeTakeFirst();
    ended += Number(done.numDeletedRows);
  }
  return ended;
}
