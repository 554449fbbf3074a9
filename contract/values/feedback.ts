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

/** The longest description of a problem, in characters (code points) as a person counts and the contract checks. */
export const FEEDBACK_LONGEST = 300;
