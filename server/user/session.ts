import { hash } from 'node:crypto';
import { deviceName, roughPlace } from '#rules/user/device-name.ts';
import type { Db, Query } from '#server/db/open.ts';
import { troubleOf } from '#server/db/trouble.ts';
import type { Ask, SignedIn } from '#server/http/answer.ts';
import type { Random } from '#server/parts.ts';
import { addSession, noteUse, type StoredSession, sessionReader } from './session-store.ts';
import { noteUserSeen } from './store.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A session ends after 30 days without use … */
const LIFE = 30 * DAY;
/** … and 180 days after the login at the latest. The cookie lives as long: whether it still means anything is said here. */
const LONGEST_LIFE = 180 * DAY;
/** How often use is written down: seldom, since every request would be a write otherwise. */
const NOTE_USE_EVERY = 60 * 60 * 1000;
/** After the database took no note nobody waits for one for so long (milliseconds). */
const NOTE_AGAIN = 10_000;

/** Sessions in memory at most; when there are more, all are read again. */
const MOST_KNOWN = 20_000;

/** SHA-256 in hex: what is stored of tokens, tickets and challenges, which are random enough to need no salt. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Opens a session: 256 random bits as the token; only its hash is stored (decisions §2).
 * @param from what the browser says of itself, for the list of devices
 * @returns `expiresAt`: when the cookie that holds the token may be thrown away
 */
export async function createSession(
  query: Query,
  random: Random,
  userId: number,
  now: number,
  from?: Pick<Ask<unknown, unknown>, 'userAgent' | 'ip'>,
): Promise<{ token: string; tokenHash: string; expiresAt: number }> {
  const token = random(32).toString('base64url');
  const tokenHash = hashToken(token);
  await addSession(query, {
    token_hash: tokenHash,
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    expires_at: now + LIFE,
    ...(from && { ...deviceName(from.userAgent), place: roughPlace(from.ip) }),
  });
  return { token, tokenHash, expiresAt: now + LONGEST_LIFE };
}

/** A session in memory. */
type KnownSession = StoredSession & { tokenHash: string };

/**
 * Makes the session look-up of every request. Sessions of people who were switched off are none, nor are those of demo
 * accounts outside DEMO. What was read stays in memory until people or sessions are changed (`Db.changePeople`).
 */
export function sessionFinder(db: Db, demo: boolean): (token: string, now: number) => Promise<SignedIn | null> {
  const readSession = sessionReader(db);
  // By the token itself: it came with the request anyway, and hashing it again for each save costs more than the rest.
  const known = new Map<string, KnownSession>();
  let version = db.peopleVersion();
  let notAgainBefore = 0;

  async function ask(token: string): Promise<KnownSession | null> {
    const tokenHash = hashToken(token);
    const session = await readSession(tokenHash);
    return session ? { ...session, tokenHash } : null;
  }

  async function find(token: string): Promise<KnownSession | null> {
    const newest = db.peopleVersion();
    if (newest === null) return ask(token);
    if (newest !== version || known.size >= MOST_KNOWN) known.clear();
    version = newest;
    const found = known.get(token);
    if (found) return found;
    const session = await ask(token);
    // Read between two versions it may be old already: then it is used once and not remembered.
    if (session && db.peopleVersion() === newest) known.set(token, session);
    return session;
  }

  /** Who only reads is not refused because the database takes nothing now: it is noted by a later request. */
  async function note(session: KnownSession, use: Parameters<typeof noteUse>[2]): Promise<void> {
    if (performance.now() < notAgainBefore) return;
    try {
      await db.changePeople(async (trx) => {
        await noteUse(trx, session.tokenHash, use);
        await noteUserSeen(trx, session.user_id, use.last_seen_at);
      });
    } catch (error) {
      if (troubleOf(error) === null) throw error;
      notAgainBefore = performance.now() + NOTE_AGAIN;
    }
  }

  return async (token, now) => {
    if (token.length > 200) return null;
    const session = await find(token);
    if (!session || session.expires_at <= now || session.disabled === 1 || (session.demo === 1 && !demo)) return null;
    if (now - session.last_seen_at > NOTE_USE_EVERY) {
      const use = { last_seen_at: now, expires_at: Math.min(now + LIFE, session.created_at + LONGEST_LIFE) };
      await note(session, use);
    }
    return { userId: session.user_id, role: session.role, tokenHash: session.tokenHash };
  };
}
