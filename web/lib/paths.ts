import type { SchoolScoredKind } from '#contract/values/exam.ts';
import { PAGES } from '#contract/values/pages.ts';
import { queryOf } from './send.ts';

/**
 * Every address of the site, built in one place; the server knows the same list. A page's state that a person may want to
 * come back to (tab, filter, question) is in its query.
 */
export const patterns = { ...PAGES, gallery: '/dev/gallery' } as const;

export const paths = {
  home: () => patterns.home,
  /** The market, or a category of it; its other filters are in the query too (web/course/market-view.ts). */
  courses: (query: { category?: number | null } = {}) => patterns.courses + queryOf(query),
  course: (packId: number) => `/course/${packId}`,
  /** 课程学习: a lesson of a pack, at a second of it (`at`), else the one to go on with; `tab` as spec §2 numbers the side panel. */
  play: (packId: number, query: { lesson?: number; at?: number; tab?: number } = {}) =>
    `/course/play/${packId}${queryOf(query)}`,
  /** 确认订单. */
  orderConfirm: (query: { packId: number }) => patterns.orderConfirm + queryOf(query),
  /** One order: what it is, paying it, and what became of it. */
  order: (orderId: number) => `/order/${orderId}`,
  /** 检查网络: how this browser reaches the server. */
  networkCheck: () => patterns.networkCheck,
  /** `ref`: the page to return to, as path with query and anchor (spec §2). */
  login: (ref?: string) => patterns.login + queryOf({ ref: ref === '/' ? undefined : ref }),
  /** 我的: the signed-in person's own pages, the last tab on phones. */
  me: () => patterns.me,
  settings: () => patterns.settings,
  myCourses: () => patterns.myCourses,
  /** 实名信息. */
  realName: () => patterns.realName,
  /** 登录设备. */
  devices: () => patterns.devices,
  /** 我的数据与注销. */
  myData: () => patterns.myData,
  /** 我的提问: of one pack. */
  myQuestions: (query: { packId?: number } = {}) => patterns.myQuestions + queryOf(query),
  /** Course files that were downloaded. */
  myFiles: () => patterns.myFiles,
  /** 我的学分: of one pack. */
  myCredits: (query: { packId?: number } = {}) => patterns.myCredits + queryOf(query),
  /** The text of an agreement (spec §2). */
  agreement: (id: number) => patterns.agreement + queryOf({ id }),
  myOrders: () => patterns.myOrders,
  myCoupons: () => patterns.myCoupons,
  examCenter: (query: { packId?: number; kind?: SchoolScoredKind; year?: number } = {}) =>
    patterns.examCenter + queryOf(query),
  /** 随机组卷. */
  randomPaper: (query: { packId?: number } = {}) => patterns.randomPaper + queryOf(query),
  /** A paper on paper: as a record shows it, or as it stands. */
  paperPrint: (query: { exam: number; record?: number }) => patterns.paperPrint + queryOf(query),
  /**
   * Tree type 1 is chapter practice and carries questionTypesId=0 (spec §2), type 2 is the after-class list and does not.
   * `courseId` is the course inside the pack.
   */
  chapterExam: (query: { packId: number; courseId?: number; type: 1 | 2 }) =>
    patterns.chapterExam +
    queryOf({
      packId: query.packId,
      courseId: query.courseId,
      questionTypesId: query.type === 1 ? 0 : undefined,
    }),
  /** `record`: goes on with this record, and to its result where it is handed in; without it the exam is started or resumed. */
  exam: (examId: number, query: { record?: number } = {}) => `/exam/${examId}${queryOf(query)}`,
  examResult: (recordId: number) => `/exam/result/${recordId}`,
  /** One question at a time (`q` from 1, or `question` its id), or as list of all. */
  examReview: (
    recordId: number,
    query: { view?: 'list'; only?: 'wrong' | 'pending'; q?: number; question?: number } = {},
  ) => `/exam/review/${recordId}${queryOf(query)}`,
  /** 错题本; without a pack that of the one studied last. Its filter is in the query (web/exam/wrong/wrong-filter.ts). */
  wrongQuestions: (
    query: {
      packId?: number;
      tab?: 'left' | 'removed' | 'collected';
      exam?: number | undefined;
      chapter?: number;
      type?: number;
    } = {},
  ) => patterns.wrongQuestions + queryOf(query),
  /** 学习统计 of a pack; without one that of the pack studied last. */
  statistics: (query: { packId?: number } = {}) => patterns.statistics + queryOf(query),
  universities: (query: { id?: number; compare?: 1 } = {}) => patterns.universities + queryOf(query),
  myFeedback: () => patterns.myFeedback,
  notices: () => patterns.notices,
  /** 直播: of all one's packs, or of one. */
  lives: (query: { packId?: number } = {}) => patterns.lives + queryOf(query),
  /** One live lesson (spec §2). */
  livePage: (query: { liveId: number; state?: number }) => patterns.livePage + queryOf(query),
  /** Its replay (spec §2). */
  playBack: (query: { liveId: number }) => patterns.playBack + queryOf(query),
  /** 答疑: the newest, a search, or one question (`id`). */
  qa: (query: { id?: number; tag?: string } = {}) => patterns.qa + queryOf(query),
  /** 提问答疑规范. */
  qaRules: () => patterns.qaRules,
  /** 教师工作台. */
  teach: () => patterns.teach,
  /** Reports of students: a list, or one of them (`id`). */
  teachFeedback: (query: { id?: number; state?: number; questionId?: number } = {}) =>
    patterns.teachFeedback + queryOf(query),
  /** Who sits a paper now, and time given back (补时). */
  teachSitting: (query: { examId?: number } = {}) => patterns.teachSitting + queryOf(query),
  /** How questions fare: a list, or one of them (`id`). */
  teachQuestions: (query: { id?: number; packId?: number; only?: 'look' } = {}) =>
    patterns.teachQuestions + queryOf(query),
  /** Comments of students. */
  teachComments: () => patterns.teachComments,
  /** The queue of questions, or one of them (`id`). */
  teachQa: (query: { id?: number; mine?: 1; show?: 'held' } = {}) => patterns.teachQa + queryOf(query),
  /** What the school announces. */
  teachNotices: () => patterns.teachNotices,
  /** Videos and sounds: uploads, their conversion, the lessons that show them. `lesson`: only its own, at this second. */
  teachMedia: (query: { lesson?: number; at?: number } = {}) => patterns.teachMedia + queryOf(query),
  /** The orders of the school: a list, one of them (`id`), coupons or comparisons with the bills (`tab`). */
  teachOrders: (query: { id?: number; tab?: 'coupons' | 'checks' } = {}) => patterns.teachOrders + queryOf(query),
  /** The live lessons of the school: a list, one that is changed (`id`), or one with its stream (`stream`). */
  teachLive: (query: { id?: number; stream?: number } = {}) => patterns.teachLive + queryOf(query),
  myExams: (query: { state?: 'open' | 'closed'; packId?: number } = {}) => patterns.myExams + queryOf(query),
} as const;

/** Which tree an address of the chapter page asks for: see `paths.chapterExam`. */
export function treeType(search: URLSearchParams): 1 | 2 {
  return search.get('questionTypesId') === null ? 2 : 1;
}

/** A positive id out of an address, or null when it is none. */
export function idFrom(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
