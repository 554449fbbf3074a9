/** How long a grant opens a stream (milliseconds): it is asked for right before. What is open stays open while its person may watch. */
export const WATCH_GRANT_LIFE = 60_000;

/** What a grant says: one person may open the stream of one lesson until then. */
interface WatchGrant {
  userId: number;
  liveId: number;
  expiresAt: number;
}

/** A grant as text, before its signature. It begins unlike a grant of media (rules/media/grant.ts), which is signed with the same key. */
export const writeWatchGrant = ({ userId, liveId, expiresAt }: WatchGrant): string =>
  `live.${userId}.${liveId}.${expiresAt}`;

/** Parts a grant that came from its signature; null: that is none. */
export function readWatchGrant(token: string | null): (WatchGrant & { text: string; signature: string }) | null {
  const [, text, userId, liveId, expiresAt, signature] =
    /^(live\.(\d{1,15})\.(\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/.exec(token ?? '') ?? [];
  if (text === undefined || signature === undefined) return null;
  return { userId: Number(userId), liveId: Number(liveId), expiresAt: Number(expiresAt), text, signature };
}
