export const noticeKinds = ['timeGiven', 'rescored', 'keyCorrected'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/**
 * What a notice can tell, each kind with its words: `{name}` is filled from `words` of the notice. A new kind is a name and a
 * line here, and its English in web/locale/en.json.
 */
export const noticeTexts = {
  /** Minutes were given to a paper that its student sits: examName, minutes, reason. */
  timeGiven: {
    name: '考试时间延长 {minutes} 分钟',
    content: '《{examName}》的考试时间延长了 {minutes} 分钟。原因：{reason}',
  },
  /** The score of a paper that was handed in has changed: examName, before, after, reason. */
  rescored: {
    name: '成绩已更正：{before} 分改为 {after} 分',
    content: '《{examName}》中有试题的答案或分值已更正，您的成绩由 {before} 分改为 {after} 分。原因：{reason}',
  },
  /** A question of it was corrected, and the score is the same: examName, score, total, reason. */
  keyCorrected: {
    name: '试卷已更正：得分仍为 {score} 分',
    content: '《{examName}》中有试题已更正，您的得分不变，为 {score} 分（满分 {total} 分）。原因：{reason}',
  },
} as const satisfies Record<NoticeKind, { name: string; content: string }>;
