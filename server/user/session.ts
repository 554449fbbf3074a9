import { hash } from 'node:crypto';
import type { Db, Query } from '#server/db/open.ts';
import type { SignedIn } from '#server/http/answer.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A session ends after 30 days without use … */
const LIFE = 30 * DAY;
/** … and 180 days after the login at the latest. The cookie lives as long: whether it still means anything is said here. */
const LONGEST_LIFE = 180 * DAY;
/** How often use is written down: seldom, since every request would be a write otherwise. */
const NOTE_USE_EVERY = 60 * 60 * 1000;

/** Sessions kept in memory at most; they are read again when there are more, or when people or sessions change. */
const KEPT = 20_000;

/** Random bytes from a secure source; tests pass their own. */
export type Random = (bytes: number) => Buffer;

/** SHA-256 in hex: what is stored of tokens, tickets and challenges, which are random enough to need no salt. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Opens a session: 256 random bits as the token; only its hash is stored (decisions §2).
 * @returns `expiresAt`: when the cookie that holds the token may be thrown away
 */
export async function createSession(
  query: Query,
  random: Random,
  userId: number,
  now: number,
): Promise<{ token: string; tokenHash: string; expiresAt: number }> {
  const token = random(32).toString('base64url');
  const tokenHash = hashToken(token);
  await query
    .insertInto('sessions')
    .values({ token_hash: tokenHash, user_id: userId, created_at: now, last_seen_at: now, expires_at: now + LIFE })
    .execute();
  return { token, tokenHash, expiresAt: now + LONGEST_LIFE };
}

interface SessionRow {
  user_id: number;
  role: 'student' | 'teacher';
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  demo: number;
  disabled: number;
}

type Session = SessionRow & { tokenHash: string };

/**
 * Makes the session look-up of every request. The query is compiled once: it stands before each call. Sessions of people
 * who were switched off are none, nor are those of demo accounts outside DEMO.
 */
export function sessionFinder(db: Db, demo: boolean): (token: string, now: number) => Promise<SignedIn | null> {
  const text = db.query
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
    ])
    .where('sessions.token_hash', '=', '')
    .compile().sql;
  // By the token itself: it came with the request anyway, and hashing it again for each save costs more than the rest.
  const kept = new Map<string, Session>();
  let version = db.peopleVersion();

  async function ask(token: string): Promise<Session | null> {
    const tokenHash = hashToken(token);
    const [row] = await db.look<SessionRow>(text, [tokenHash]);
    return row ? { ...row, tokenHash } : null;
  }

  async function read(token: string): Promise<Session | null> {
    const newest = db.peopleVersion();
    if (newest === null) return ask(token);
    if (newest !== version || kept.size >= KEPT) kept.clear();
    version = newest;
    const known = kept.get(token);
    if (known) return known;
    const session = await ask(token);
    // Read between two versions it may be old already: then it is used once and not kept.
    if (session && db.peopleVersion() === newest) kept.set(token, session);
    return session;
  }

  return async (token, now) => {
    if (token.length > 200) return null;
    const row = await read(token);
    if (!row || row.expires_at <= now || row.disabled === 1 || (row.demo === 1 && !demo)) return null;
    if (now - row.last_seen_at > NOTE_USE_EVERY) {
      await db.query
        .updateTable('sessions')
        .set({ last_seen_at: now, expires_at: Math.min(now + LIFE, row.created_at + LONGEST_LIFE) })
        .where('token_hash', '=', row.tokenHash)
        .execute();
    }
    return { userId: row.user_id, role: row.role, tokenHash: row.tokenHash };
  };
}

/** Ends one session at once. */
export async function endSession(query: Query, tokenHash: string): Promise<void> {
  await query.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends all sessions of a person but the named one (decisions §7: after a change of phone or password). */
export async function endOtherSessions(query: Query, userId: number, keepTokenHash: string): Promise<void> {
  await query.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', keepTokenHash).execute();
}

/** Ends every session of a person: the account was switched off, or an operator set its password. */
export async function endAllSessions(query: Query, userId: number): Promise<void> {
  await query.deleteFrom('sessions').where('user_id', '=', userId).execute();
}
