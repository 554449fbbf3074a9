import type { Random } from '#server/parts.ts';

/** Another secret with which an encoder may send: 192 bits, in characters that no address has to escape. */
export const newStreamKey = (random: Random): string => random(24).toString('base64url');

/** The stream of a new lesson: what it is called, which says nothing of its lesson, and its key. */
export const newStream = (random: Random, liveId: number) => ({
  live_id: liveId,
  stream: random(10).toString('hex'),
  stream_key: newStreamKey(random),
});
