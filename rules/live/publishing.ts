/** Milliseconds without a frame after which an encoder counts as silent: another one with the right key takes its place. */
export const SILENT_AFTER = 1500;
/** How long an encoder with the right key waits for the answer while another one still sends (milliseconds). */
export const WAITS_FOR = 1900;
/** Milliseconds without a frame after which nobody publishes any more. */
export const GONE_AFTER = 15_000;
/** Milliseconds from the connection to the right key. */
export const KEY_WITHIN = 10_000;
/** Milliseconds without a stream after which a lesson has ended by itself: its teacher forgot to. */
export const FORGOTTEN_AFTER = 3 * 60 * 60_000;

/**
 * Whether an encoder with the right key may begin. One that has fallen silent gives way (incidents: Node-Media-Server#331, a
 * laptop that slept kept its own lesson for ever); one that sends goes on, so that a second encoder with the key is refused.
 * @param holder when the encoder that publishes now was last heard, null: none does
 * @param askedAt when the asking one came with its key
 * @returns `wait`: ask again after so many milliseconds
 */
export function mayPublish(
  holder: { heardAt: number } | null,
  askedAt: number,
  now: number,
): { ok: true; takesOver: boolean } | { ok: false; why: 'busy' } | { ok: false; why: 'wait'; wait: number } {
  if (!holder) return { ok: true, takesOver: false };
  const silent = now - holder.heardAt;
  if (silent >= SILENT_AFTER) return { ok: true, takesOver: true };
  const left = askedAt + WAITS_FOR - now;
  if (left <= 0) return { ok: false, why: 'busy' };
  return { ok: false, why: 'wait', wait: Math.max(1, Math.min(SILENT_AFTER - Math.max(silent, 0), left)) };
}

/**
 * How a lesson stands by what is stored of it and when its stream was last heard (decisions §5): a drop interrupts it, and only
 * its teacher or hours without a stream end it; a teacher's end is final, whatever an encoder still sends.
 * @param endedAt when its teacher ended it
 * @param heardAt the last frame of its stream, also of one before a restart of the server
 */
export function streamState(
  { startedAt, endedAt, heardAt }: { startedAt: number | null; endedAt: number | null; heardAt: number | null },
  now: number,
): 'waiting' | 'live' | 'interrupted' | 'ended' {
  if (endedAt !== null) return 'ended';
  const last = Math.max(startedAt ?? Number.NEGATIVE_INFINITY, heardAt ?? Number.NEGATIVE_INFINITY);
  if (last === Number.NEGATIVE_INFINITY) return 'waiting';
  if (now - last >= FORGOTTEN_AFTER) return 'ended';
  if (heardAt === null) return 'waiting';
  return now - heardAt < GONE_AFTER ? 'live' : 'interrupted';
}
