/** What a student asks or says (spec §9). */
export const qaType = {
  /** 视频卡顿或无法播放, the second choice under 纠错 */
  videoStuck: 31,
  /** 纠错: 视频内容错误 */
  correction: 32,
  /** 建议反馈 */
  suggestion: 33,
  /** 教学答疑: the one kind that other students see */
  teaching: 41,
} as const;
export const qaTypes = [31, 32, 33, 41] as const;
export type QaType = (typeof qaTypes)[number];

/** What became of a correction or a suggestion; of teaching only waiting and received (answered). */
export const qaState = {
  /** 待处理: no teacher has answered. */
  waiting: 0,
  /** 收到; of teaching: 已回答 */
  received: 1,
  /** 已修正; of a suggestion: 已采纳 */
  mended: 2,
  /** 不采纳, for a reason */
  declined: 3,
} as const;
export const qaStates = [0, 1, 2, 3] as const;
export const qaAnswerStates = [1, 2, 3] as const;
export type QaState = (typeof qaStates)[number];
export type QaAnswerState = (typeof qaAnswerStates)[number];

/** What an entry under a question is. `followUp`: 追问 of its author; `comment`: what other students say below it. */
export const qaEntryKinds = ['question', 'answer', 'followUp', 'comment'] as const;
export type QaEntryKind = (typeof qaEntryKinds)[number];

/** Platform codes (spec §9): 2 PC, 1 Iphone, anything else 安卓. */
export const qaPlatform = { android: 0, iphone: 1, pc: 2 } as const;
export type QaPlatform = (typeof qaPlatform)[keyof typeof qaPlatform];

/** The longest text of a student, in code points with CRLF as LF (spec §9, decisions §6). */
export const QA_LONGEST = 500;
/** The longest answer of a teacher, counted in the same way. */
export const QA_ANSWER_LONGEST = 2000;
/** The longest reason of hiding something. */
export const QA_REASON_LONGEST = 200;
/** The longest canned phrase, and how many one teacher keeps. */
export const QA_PHRASE_LONGEST = 500;
export const QA_MOST_PHRASES = 100;
/** 追问 in a row under one question before a teacher answers: each list that shows it has all of them. */
export const QA_MOST_FOLLOW_UPS = 10;
/** The longest keyword of a search, and the longest tag. */
export const QA_KEYWORD_LONGEST = 60;
export const QA_TAG_LONGEST = 20;
/** Tags of one question. */
export const QA_MOST_TAGS = 5;
/** Questions that one answer answers at once. */
export const QA_MOST_AT_ONCE = 50;
/** A list counts and turns its pages up to here; older ones are reached by `beforeId` of the last one. */
export const QA_COUNTED_UP_TO = 10_000;
/** Hits of a search, the best ones. */
export const QA_MOST_HITS = 200;
