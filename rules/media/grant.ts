/** How long a grant plays (milliseconds): long enough to be renewed by a page that was asleep for a moment. */
export const GRANT_LIFE = 5 * 60_000;
/** Who may watch is asked again so often while a film plays; for its keys it is asked each time. */
export const ASK_AGAIN = 20_000;

/** What a grant says: one person may play one video until then. */
export interface Grant {
  /** 0: a visitor, at what everybody may watch. */
  userId: number;
  mediaId: number;
  expiresAt: number;
  /** It was given to a teacher, who may watch everything. */
  teacher: boolean;
  /** The session in which it was given (hash of its token), with which it ends; null: a visitor's. */
  session: string | null;
}

/** A grant as text, without its signature. */
export const writeGrant = ({ userId, mediaId, expiresAt, teacher, session }: Grant): string =>
  `${userId}.${mediaId}.${expiresAt}.${teacher ? 't' : 's'}.${session ?? '0'}`;

/** Reads what stands before the signature; null: nothing that was ever written. */
export function readGrant(text: string): Grant | null {
  const [, userId, mediaId, expiresAt, role, session] =
    /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([st])\.([0-9a-f]{64}|0)$/.exec(text) ?? [];
  if (userId === undefined || session === undefined) return null;
  return {
    ...{ userId: Number(userId), mediaId: Number(mediaId), expiresAt: Number(expiresAt) },
    ...{ teacher: role === 't', session: session === '0' ? null : session },
  };
}

/**
 * Whether a grant of ours plays this now.
 * @param signedIn who is signed in at the browser that sends it: `unknown` when its session has ended, null when none came
 */
export function isGranted(
  grant: Pick<Grant, 'userId' | 'mediaId' | 'expiresAt'>,
  { mediaId, now, signedIn }: { mediaId: number; now: number; signedIn: number | 'unknown' | null },
): boolean {
  if (grant.mediaId !== mediaId || now >= grant.expiresAt) return false;
  // What everybody may watch: a session that has ended, whose cookie is still there, takes nothing from its visitor.
  if (grant.userId === 0) return true;
  // A browser that somebody signed out at, or another person signed in at, plays nothing with what is left there.
  return signedIn === null || signedIn === grant.userId;
}
