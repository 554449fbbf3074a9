/** What is promised of the answer to a question that is asked now (spec §9 Answer time message; decisions §6). */
export const promiseKinds = ['today', 'nextWorkingDay', 'holiday', 'unknown'] as const;
export type PromiseKind = (typeof promiseKinds)[number];

/** The words of each kind: `{name}` is filled from `words`. `date` is written YYYY-MM-DD. */
export const promiseTexts = {
  today: '预计今天 18:30 前回复',
  nextWorkingDay: '预计下一个工作日（{date}）18:30 前回复',
  holiday: '{holiday}放假期间答疑暂停，{date} 起恢复正常',
  /** The days of that year are not known: no date is promised. */
  unknown: '老师会尽快回复，请留意通知',
} as const satisfies Record<PromiseKind, string>;
