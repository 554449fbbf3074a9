/** What a lesson is made of; `text`: neither video nor audio. */
export const lessonKinds = ['video', 'audio', 'text'] as const;
export type LessonKind = (typeof lessonKinds)[number];

/** nodeState of a lesson (spec §3). */
export const nodeState = {
  /** 未学习 */
  notStarted: 1,
  /** 学习中 */
  inProgress: 2,
  /** 已学完 */
  finished: 3,
} as const;
export const nodeStates = [1, 2, 3] as const;
export type NodeState = (typeof nodeStates)[number];

/** leaf of a node of the directory (spec §3). */
export const leaf = { folder: 1, playable: 2 } as const;

/** Playback rates (spec §5, §9). */
export const playbackRates = [0.5, 1, 1.25, 1.5, 2] as const;

/** Seconds of playing between two reports of it (spec §9). */
export const REPORT_EVERY = 30;

/** The longest media, in seconds. */
export const LONGEST_MEDIA = 24 * 60 * 60;

/** Places that one report may name. */
export const MOST_PLACES = 50;

/** The longest private note, in characters (code points). */
export const NOTE_LONGEST = 2000;
