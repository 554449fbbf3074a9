/** Seconds for which the notice dialog cannot be closed (spec §4, §9). */
export const NOTICE_SECONDS = 5;
/** Milliseconds after which a server repeats to a window what is unread: one that hears nothing for longer knows that its connection is dead. */
export const NOTICE_BEAT = 30_000;
/** Code points of what a school announces. */
export const ANNOUNCEMENT_NAME_LONGEST = 50;
export const ANNOUNCEMENT_LONGEST = 2000;
/** Days for which it may be shown. */
export const ANNOUNCEMENT_MOST_DAYS = 366;
/** So many announcements are shown in the dialog, the newest: a new student has to wait for each. */
export const ANNOUNCEMENTS_SHOWN = 5;
export const announcementStates = ['planned', 'shown', 'over', 'withdrawn'] as const;
export type AnnouncementState = (typeof announcementStates)[number];

export const noticeKinds = [
  'announcement',
  'timeGiven',
  'recordReopened',
  'rescored',
  'keyCorrected',
  'ruleCorrected',
  'qaAnswered',
  'qaSameAnswered',
  'qaHandled',
  'qaMended',
  'qaAdopted',
  'qaHidden',
  'qaHiddenUnsaid',
  'qaReleased',
  'qaFollowedUp',
  'qaAssigned',
  'orderPaid',
  'orderReturned',
  'orderRefunded',
  'orderEnded',
  'refundDeclined',
  'invoiceIssued',
  'invoiceDeclined',
  'reportAnswered',
  'commentReplied',
  'qaCommentReplied',
  'liveStarts',
  'liveMoved',
  'liveCancelled',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/**
 * What a person may choose to be told of or not; a kind without a topic always comes: what the school announces, money, time in an
 * exam, what became of the own words.
 */
export const noticeTopics = ['qaAnswers', 'reports', 'scores', 'comments', 'live', 'qaFollowUps'] as const;
export type NoticeTopic = (typeof noticeTopics)[number];
/** What only teachers are told of. */
export const teacherTopics: readonly NoticeTopic[] = ['qaFollowUps'];
export const topicOfKind: { readonly [Kind in NoticeKind]?: NoticeTopic } = {
  rescored: 'scores',
  keyCorrected: 'scores',
  ruleCorrected: 'scores',
  qaAnswered: 'qaAnswers',
  qaSameAnswered: 'qaAnswers',
  qaHandled: 'reports',
  qaMended: 'reports',
  qaAdopted: 'reports',
  qaFollowedUp: 'qaFollowUps',
  qaAssigned: 'qaFollowUps',
  reportAnswered: 'reports',
  commentReplied: 'comments',
  qaCommentReplied: 'comments',
  liveStarts: 'live',
  liveMoved: 'live',
  liveCancelled: 'live',
};

/**
 * What a notice can tell, each kind with its words: `{name}` is filled from `words` of the notice. A new kind is a name and a
 * line here, and its English in web/locale/en.json.
 */
export const noticeTexts = {
  /** What the school announces: name, content, in its own words. */
  announcement: { name: '{name}', content: '{content}' },
  /** Minutes were given to a paper that its student sits: examName, minutes, reason. */
  timeGiven: {
    name: '考试时间延长 {minutes} 分钟',
    content: '《{examName}》的考试时间延长了 {minutes} 分钟。原因：{reason}',
  },
  /** A paper that was closed is open again for its student: examName, reason. */
  recordReopened: {
    name: '试卷已重新打开',
    content: '《{examName}》已由学校重新打开，之前的答案都在，请回到考试继续作答。原因：{reason}',
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
  /** The score of a paper that was handed in has changed with its rule for partly right answers: examName, before, after, reason. */
  ruleCorrected: {
    name: '成绩已更正：{before} 分改为 {after} 分',
    content: '《{examName}》少选的得分规则已更正，您的成绩由 {before} 分改为 {after} 分。原因：{reason}',
  },
  /** A teacher answered a question of one's own: question (its beginning), teacher. */
  qaAnswered: {
    name: '{teacher}回答了您的提问',
    content: '您的提问“{question}”有了新的回答，请点击查看。',
  },
  /** A teacher answered a question that one asks, too: question, teacher. */
  qaSameAnswered: {
    name: '{teacher}回答了您同问的问题',
    content: '您同问的“{question}”有了新的回答，请点击查看。',
  },
  /** A correction or a suggestion of one's own was looked at; with what outcome stands on its page alone: question (its beginning). */
  qaHandled: {
    name: '您的反馈有了处理结果',
    content: '“{question}”已由老师处理，请点击查看。',
  },
  /** A correction of one's own was mended: question. */
  qaMended: {
    name: '您反映的问题已修正',
    content: '“{question}”已经修正，感谢您的反馈。',
  },
  /** A suggestion of one's own was taken up: question. */
  qaAdopted: {
    name: '您的建议已采纳',
    content: '“{question}”已被采纳，感谢您的建议。',
  },
  /** Something that one wrote was taken out of sight: question (the beginning of what was written), reason. */
  qaHidden: {
    name: '您发布的内容已被老师隐藏',
    content: '“{question}”现在只有您自己能看到。原因：{reason}',
  },
  /** The same by a teacher who gave no reason: question. */
  qaHiddenUnsaid: {
    name: '您发布的内容已被老师隐藏',
    content: '“{question}”现在只有您自己能看到。如有疑问，请联系老师。',
  },
  /** Something that one wrote and that was held or hidden is shown (again): question. */
  qaReleased: {
    name: '您发布的内容已显示',
    content: '“{question}”经老师审核，现在其他学员也能看到。',
  },
  /** To a teacher: a student follows up on a question that one answered or was given: question. Who it was stands on its page alone. */
  qaFollowedUp: {
    name: '有学员追问了',
    content: '“{question}”有了新的追问，请点击查看。',
  },
  /** To a teacher: a colleague gave them a question to answer: question. */
  qaAssigned: {
    name: '有一个提问转交给您',
    content: '“{question}”由您负责回答，请点击查看。',
  },
  /** An order is paid and its course is open: title, total (yuan). */
  orderPaid: {
    name: '支付成功：{title}',
    content: '您已支付 {total} 元，可以开始学习《{title}》。订单号 {orderNo}',
  },
  /** Money that came could not be taken and goes back by itself: title, total (yuan), orderNo. */
  orderReturned: {
    name: '款项将退回：{title}',
    content: '您为《{title}》支付的 {total} 元没有用于报名，将原路退回。订单号 {orderNo}',
  },
  /** Money has gone back: title, total (yuan), orderNo. */
  orderRefunded: {
    name: '退款成功：{title}',
    content: '《{title}》的 {total} 元已原路退回。订单号 {orderNo}',
  },
  /** The school has ended an order that cost nothing: title, reason, orderNo. */
  orderEnded: {
    name: '课程已收回：{title}',
    content: '学校收回了《{title}》。原因：{reason}。订单号 {orderNo}',
  },
  /** The school declines to give money back: title, reason, orderNo. */
  refundDeclined: {
    name: '退款申请未通过：{title}',
    content: '您申请的退款没有通过。原因：{reason}。订单号 {orderNo}',
  },
  /** An invoice was issued: title, number, orderNo. */
  invoiceIssued: {
    name: '发票已开具：{title}',
    content: '发票号码 {number}，会发到您填写的邮箱。订单号 {orderNo}',
  },
  /** The school declines to issue an invoice: title, reason, orderNo. */
  invoiceDeclined: {
    name: '发票申请未通过：{title}',
    content: '您申请的发票没有开具。原因：{reason}。订单号 {orderNo}',
  },
  /** A report of one's own was answered; what was answered stands on its page alone: report (its beginning). */
  reportAnswered: {
    name: '您的反馈有了处理结果',
    content: '“{report}”已由老师处理，请点击查看。',
  },
  /** A teacher replied to a comment of one's own: teacher, comment (its beginning), packId, courseId, lessonId (0: none). */
  commentReplied: {
    name: '{teacher}回复了您的评论',
    content: '您的评论“{comment}”有了老师的回复，请点击查看。',
  },
  /** A teacher replied to what one said below a question of Q&A: teacher, comment (its beginning). */
  qaCommentReplied: {
    name: '{teacher}回复了您的评论',
    content: '您在答疑中的评论“{comment}”有了老师的回复，请点击查看。',
  },
  /** A live lesson that one has booked begins: title, liveId. */
  liveStarts: {
    name: '直播开始了：{title}',
    content: '您预约的直播《{title}》已经开始，快来观看吧。',
  },
  /** A live lesson that one has booked begins at another time: title, liveId, startTime (of China's clocks). */
  liveMoved: {
    name: '直播改期了：{title}',
    content: '您预约的直播《{title}》改到 {startTime}（北京时间）开始，您的预约仍然有效。',
  },
  /** A live lesson that one has booked will not be held: title, startTime (of China's clocks). */
  liveCancelled: {
    name: '直播取消了：{title}',
    content: '您预约的直播《{title}》（原定 {startTime}）已取消。',
  },
} as const satisfies Record<NoticeKind, { name: string; content: string }>;
