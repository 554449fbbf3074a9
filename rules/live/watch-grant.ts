/** How long a grant opens a stream (milliseconds): it is asked for right before. What is open stays open while its person may watch. */
export const WATCH_GRANT_LIFE = 60_000;
/**
 * How long a grant fetches a stream as HLS (milliseconds): longer than any lesson. An iPhone may hand its cookies to the player once, so
 * that a renewed one never reaches it; whether the person may still watch is asked of each request's session anyway.
 */
export const HLS_GRANT_LIFE = 12 * 3_600_000;

/** The form in which a stream is watched: what its grant begins with. */
const opens = { flv: 'live', hls: 'livehls' } as const;

/** What a grant says: one person may watch the stream of one lesson, in one form, until then. */
interface WatchGrant {
  form: keyof typeof opens;
  userId: number;
  liveId: number;
  expiresAt: number;
}

/** A grant as text, before its signature. It begins unlike a grant of media (rules/media/grant.ts), which is signed with the same key. */
export const writeWatchGrant = ({ form, userId, liveId, expiresAt }: WatchGrant): string =>
  `${opens[form]}.${userId}.${liveId}.${expiresAt}`;

/** Parts a grant that came from its signature; null: that is none. */
export function readWatchGrant(token: string | null): (WatchGrant & { text: string; signature: string }) | null {
  const [, text, word, userId, liveId, expiresAt, signature] =
    /^((live|livehls)\.(\d{1,15})\.(\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/.exec(token ?? '') ?? [];
  if (text === undefined || signature === undefined) return null;
  const form = word === opens.hls ? 'hls' : 'flv';
  return { form, userId: Number(userId), liveId: Number(liveId), expiresAt: Number(expiresAt), text, signature };
}
