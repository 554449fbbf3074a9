/** Code points of a message in the room of a live lesson, with CRLF as LF. */
export const TALK_LONGEST = 200;
/** Messages that one student may send in `SAY_WITHIN` milliseconds, over all windows and servers. */
export const SAY_MOST = 5;
export const SAY_WITHIN = 10_000;
/** Messages that are told at once, when one enters or catches up. */
export const TALK_AT_ONCE = 200;
/** Milliseconds between two words of the server on a connection where nothing happens: one that says less has died. */
export const TALK_BEAT = 20_000;
/** Code points of the question of a poll, and of one of its options. */
export const POLL_QUESTION_LONGEST = 60;
export const POLL_OPTION_LONGEST = 30;
/** Options of a poll. */
export const POLL_FEWEST = 2;
export const POLL_MOST = 6;
/**
 * What happens in the room. `other` stands, with its number alone, where something happened that only teachers and the person concerned
 * are told: the numbers are the same for everybody, so that nobody misses one.
 */
export const talkKinds = [
  'said',
  'deleted',
  'muted',
  'unmuted',
  'mutedAll',
  'unmutedAll',
  'pinned',
  'unpinned',
  'handRaised',
  'handLowered',
  'pollOpened',
  'pollClosed',
  'other',
] as const;
export type TalkKind = (typeof talkKinds)[number];
/** How the room stands: 1 nobody can speak yet, 2 open, 3 over. */
export const talkStages = [1, 2, 3] as const;
export type TalkStage = (typeof talkStages)[number];
export const TALK_BEFORE = 1;
export const TALK_OPEN = 2;
export const TALK_OVER = 3;
