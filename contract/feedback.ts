import { Type } from 'typebox';
import { After, call, HEAVY, Id, Millis, Next, Nullable, OneOf, Page, PageNum, PageSize } from './call.ts';
import { CaseMaterial, KeyedQuestion } from './exam.ts';
import { sentImages, shownImages } from './image.ts';
import {
  answerStates,
  DEVICE_LONGEST,
  examFeedback,
  FEEDBACK_LONGEST,
  feedbackStates,
  PLAYER_FEEDBACK,
  REASON_LONGEST,
} from './values/feedback.ts';

const ExamFeedbackType = Type.Integer({ minimum: examFeedback.hasProblem, maximum: examFeedback.other });
/** Of a report: about a question, or (4) about a film that does not play. */
const ReportType = Type.Integer({ minimum: PLAYER_FEEDBACK, maximum: examFeedback.other });
const State = OneOf(feedbackStates, { description: '0 待处理 · 1 收到 · 2 已修正 · 3 不采纳' });
const AnswerState = OneOf(answerStates, { description: '1 收到 · 2 已修正 · 3 不采纳' });
const Version = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'how often it was answered; 0: not yet',
});

export const SubmitExamFeedback = call('POST /app/feedback/lx_submit', {
  says: 'Reports a problem with an exam question.',
  source: 'spec §3 Feedback payloads, §5; decisions §2',
  who: 'enrolled',
  input: Type.Object({
    feedbackType: ExamFeedbackType,
    resourceId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'course id; may be left out beside `questionId`, whose course is then meant (a paper across courses)',
      }),
    ),
    packId: Id,
    questionId: Type.Optional(Id),
    recordId: Type.Optional(
      Type.Integer({
        ...Id,
        description: 'the own record in which the student saw it: its version and letters are meant',
      }),
    ),
    feedbackDesc: Type.String({ maxLength: FEEDBACK_LONGEST, description: 'blank: 请输入问题描述' }),
    ...sentImages,
  }),
  data: Type.Object({ id: Id }),
  refuses: ['notFound', 'notEnrolled', 'reportEmpty', 'imageNotYours', 'tooMany'],
});

export const SubmitVideoFeedback = call('POST /api/feedback/video_submit', {
  says: 'Reports that a video or a sound does not play.',
  source: 'spec §3 Feedback payloads, §8; decisions §2',
  who: 'user',
  input: Type.Object({
    feedbackType: OneOf([PLAYER_FEEDBACK] as const),
    feedbackDesc: Type.String({ minLength: 1, maxLength: FEEDBACK_LONGEST, pattern: '\\S' }),
    deviceName: Type.String({ maxLength: DEVICE_LONGEST }),
    packId: Type.Optional(
      Type.Integer({
        ...Id,
        description: 'left out, with `resourceId`: those of the lesson that the caller opened last',
      }),
    ),
    resourceId: Type.Optional(Type.Integer({ ...Id, description: 'the lesson, of the pack beside it' })),
  }),
  data: Type.Object({ id: Id }),
  refuses: ['notFound', 'tooMany'],
});

// ---- what the student sees of it ----

/** What was reported, for its author and for teachers. */
const report = {
  id: Id,
  feedbackType: ReportType,
  feedbackDesc: Type.String(),
  ...shownImages,
  lessonId: Nullable(Type.Integer({ description: 'of a report about a film its lesson' })),
  lessonName: Type.String({ description: 'its name; empty: about no lesson' }),
  createdAt: Millis,
  packId: Id,
  packName: Type.String(),
  questionId: Nullable(Id),
  topic: Type.String({ description: 'sanitized HTML of the question as it stands now; empty: about no question' }),
  state: State,
  answer: Type.String({ description: 'what the teacher wrote, plain text; may be empty' }),
  answeredAt: Nullable(Millis),
  version: Version,
};

export const FeedbackHistory = call('GET /app/feedback/history', {
  says: 'The caller’s own reports with what the school answered, newest first.',
  source: 'spec §7 Feedback; docs/decisions/024-teachers-and-feedback.md',
  who: 'user',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Page(
    Type.Object({
      ...report,
      unread: Type.Boolean({ description: 'answered since the caller last looked' }),
      withheld: Type.Boolean({
        description: 'true: the caller sits a scored exam with the question, so state and answer are left out',
      }),
    }),
  ),
  limits: HEAVY,
});

export const CountUnreadFeedback = call('GET /app/feedback/unread', {
  says: 'How many of the caller’s reports were answered since they last looked.',
  source: 'docs/decisions/024-teachers-and-feedback.md',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({ count: Type.Integer() }),
});

export const SeeFeedback = call('POST /app/feedback/seen', {
  says: 'Says which answers the caller has looked at; one that came meanwhile stays unread.',
  source: 'docs/decisions/024-teachers-and-feedback.md',
  who: 'user',
  input: Type.Object({
    seen: Type.Array(Type.Object({ id: Id, version: Version }), { minItems: 1, maxItems: 200 }),
  }),
  data: Type.Object({ count: Type.Integer({ description: 'still unread' }) }),
});

// ---- what teachers see and say ----

const forTeachers = {
  ...report,
  nickname: Type.String(),
  validPhoneExt: Type.String({ description: 'masked' }),
  deviceName: Type.String({ description: 'of a report about a film: what its browser calls itself' }),
  others: Type.Integer({ description: 'how many other students reported the same question' }),
};

export const WaitingFeedback = call('GET /app/feedback/waiting', {
  says: 'What of the reports waits for a teacher.',
  source: 'docs/decisions/024-teachers-and-feedback.md',
  who: 'teacher',
  input: Type.Object({}),
  data: Type.Object({
    waiting: Type.Integer({ description: 'reports that nobody has answered' }),
    oldestAt: Nullable(Type.Integer({ description: 'when the oldest of them came, epoch milliseconds' })),
    received: Type.Integer({ description: 'answered by 收到 only: still to be decided' }),
    decided: Type.Integer(),
  }),
});

/** What a teacher narrows the reports to, beside their state. */
const narrowing = {
  packId: Type.Optional(Id),
  feedbackType: Type.Optional(ReportType),
  questionId: Type.Optional(Id),
};

export const ListReports = call('GET /app/feedback/reports', {
  says: 'Reports of all students, those that wait first, each part newest first.',
  source: 'docs/decisions/024-teachers-and-feedback.md',
  who: 'teacher',
  input: Type.Object({
    state: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 3, description: '0 待处理 · 1 收到 · 2 已修正 · 3 不采纳' }),
    ),
    ...narrowing,
    pageNum: PageNum,
    pageSize: PageSize,
    beforeId: Type.Optional(
      Type.Integer({
        ...Id,
        description: 'only older ones than this are listed and counted, so that pages stay as they are while one reads',
      }),
    ),
    after: After,
  }),
  data: Type.Object({
    ...Page(Type.Object(forTeachers)).properties,
    beforeId: Nullable(Type.Integer({ description: 'to be sent with the next page; null: the list is empty' })),
    next: Next,
    packs: Type.Array(Type.Object({ packId: Id, packName: Type.String() }), {
      description: 'every pack that has a report, whatever the filter',
    }),
  }),
  limits: HEAVY,
});

const Report = Type.Object({
  ...forTeachers,
  examName: Nullable(Type.String({ description: 'of the record it was sent from; null: not known' })),
  questionNumber: Nullable(Type.Integer({ description: 'its place in that record, from 1' })),
  question: Nullable(KeyedQuestion),
  now: Nullable(KeyedQuestion),
  cases: Type.Array(CaseMaterial),
  answers: Type.Array(
    Type.Object({
      version: Version,
      state: AnswerState,
      answer: Type.String(),
      answeredAt: Millis,
      nickname: Type.String({ description: 'of the teacher' }),
    }),
    { description: 'everything that was answered, oldest first' },
  ),
  nextId: Nullable(
    Type.Integer({ description: 'another report that waits, the oldest first, of the reports as they are narrowed' }),
  ),
});

export const ReadReport = call('GET /app/feedback/report', {
  says: 'One report: the question with its key as the student saw it, how it stands now if that differs (`now`), and all answers.',
  source: 'docs/decisions/024-teachers-and-feedback.md',
  who: 'teacher',
  input: Type.Object({ id: Id, ...narrowing }),
  data: Report,
  refuses: ['notFound'],
});

export const AnswerReport = call('POST /app/feedback/answer', {
  says: 'Answers a report: 收到, 已修正 or 不采纳 with a reason. `version` is the one the teacher looked at.',
  source: 'docs/decisions/024-teachers-and-feedback.md',
  who: 'teacher',
  input: Type.Object({
    id: Id,
    version: Version,
    state: AnswerState,
    answer: Type.Optional(Type.String({ maxLength: REASON_LONGEST, description: 'plain text' })),
  }),
  data: Report,
  refuses: ['notFound', 'reasonNeeded', 'answeredMeanwhile', 'alreadyDecided'],
});
