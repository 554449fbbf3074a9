/** Exam-question feedback types (spec §9). */
export const examFeedback = {
  /** 题目有误 */
  hasProblem: 13,
  /** 答案有误 */
  answerHasProblem: 14,
  /** 答案与解析不符 */
  answerAndExplanationDiffer: 15,
  /** 错别字 */
  typo: 16,
  /** 其他 */
  other: 17,
} as const;

/** Player error feedback: its one type (spec §3 Feedback payloads). */
export const PLAYER_FEEDBACK = 4;

/** The longest name of a device, in characters. */
export const DEVICE_LONGEST = 300;

/** What the school has said to a report (docs/decisions/024-teachers-and-feedback.md). */
export const feedbackState = {
  /** 待处理: no teacher has answered. */
  waiting: 0,
  /** 收到: seen, and not decided yet. */
  received: 1,
  /** 已修正: the school has mended what was reported. */
  mended: 2,
  /** 不采纳: nothing is changed, for a reason. */
  declined: 3,
} as const;

/** Every state of a report, and those that a teacher can give it. */
export const feedbackStates = [0, 1, 2, 3] as const;
export const answerStates = [1, 2, 3] as const;
export type FeedbackState = (typeof feedbackStates)[number];
export type AnswerState = (typeof answerStates)[number];

/** The longest description of a problem, in characters (code points) as a person counts and the contract checks. */
export const FEEDBACK_LONGEST = 300;
/** The same report without pictures, sent again within so many milliseconds and before a teacher looked at it, is the one that is there. */
export const SAME_REPORT = 600_000;
/** The longest reason of a teacher, counted in the same way. */
export const REASON_LONGEST = 300;
