import { examFeedback, type FeedbackState, feedbackState, PLAYER_FEEDBACK } from '#contract/values/feedback.ts';
import { msg, t } from '#web/lib/t.ts';

/** Spec §9: the types of exam-question feedback with their words, in the order of the dialog. */
export const feedbackTypes = [
  [examFeedback.hasProblem, msg('题目有误')],
  [examFeedback.typo, msg('错别字')],
  [examFeedback.answerHasProblem, msg('答案有误')],
  [examFeedback.answerAndExplanationDiffer, msg('答案与解析不符')],
  [examFeedback.other, msg('其他')],
] as const;

/** All types of reports: those of the dialog, and films that do not play. */
export const reportTypes = [...feedbackTypes, [PLAYER_FEEDBACK, msg('播放问题')]] as const;

/** The word of a type, in Chinese: the key for `t`. */
export function typeWord(type: number): string {
  return reportTypes.find(([value]) => value === type)?.[1] ?? msg('其他');
}

/** The words of the states, in Chinese: the key for `t`. */
export const stateWords: Readonly<Record<FeedbackState, string>> = {
  [feedbackState.waiting]: msg('待处理'),
  [feedbackState.received]: msg('收到'),
  [feedbackState.mended]: msg('已修正'),
  [feedbackState.declined]: msg('不采纳'),
};

/** What a student reads of an answer, also of one without words; already in the person's language. */
export function answerWords({
  state,
  answer,
  feedbackType,
}: {
  state: FeedbackState;
  answer: string;
  feedbackType: number;
}): string {
  if (answer !== '') return answer;
  if (feedbackType === PLAYER_FEEDBACK)
    return state === feedbackState.mended ? t('播放问题已经处理，感谢反馈。') : t('已收到，老师正在查看。');
  return state === feedbackState.mended ? t('这道题已经修正，感谢反馈。') : t('已收到，老师正在核对。');
}
