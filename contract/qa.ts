import { Type } from 'typebox';
import {
  After,
  ClientId,
  call,
  HEAVY,
  Id,
  Millis,
  Next,
  Nothing,
  Nullable,
  OneOf,
  Page,
  PageNum,
  PageSize,
  YesNo,
} from './call.ts';
import { CaseMaterial, KeyedQuestion } from './exam.ts';
import { LONGEST_MEDIA } from './values/play.ts';
import {
  QA_ANSWER_LONGEST,
  QA_KEYWORD_LONGEST,
  QA_LONGEST,
  QA_MOST_AT_ONCE,
  QA_MOST_TAGS,
  QA_PHRASE_LONGEST,
  QA_REASON_LONGEST,
  QA_TAG_LONGEST,
  qaAnswerStates,
  qaEntryKinds,
  qaStates,
  qaTypes,
} from './values/qa.ts';

// ---- what calls take ----

const FeedbackType = OneOf(qaTypes, {
  description: '41 教学答疑 · 32 视频内容错误 · 31 视频卡顿或无法播放 · 33 建议反馈',
});
/** A bound for what is sent; the rule counts code points with CRLF as LF, so a text may have twice as many signs. */
const textUpTo = (longest: number) =>
  Type.String({
    maxLength: 2 * longest,
    description: `plain text, at most ${longest} code points with CRLF as LF (textTooLong); blank: 请输入内容`,
  });
const Text = textUpTo(QA_LONGEST);
const ImageName = Type.Optional(
  Type.String({ maxLength: 60, description: '`fileName` of an upload; empty: no picture' }),
);
/** As the spec sends them: the first one has no suffix. */
const images = { feedbackImg: ImageName, feedbackImg1: ImageName, feedbackImg2: ImageName };
const PlatformWord = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 99, description: '2 PC · 1 Iphone · else 安卓; left out: by the User-Agent' }),
);
const QuestionId = Type.Integer({ ...Id, description: 'a question of a student here, not one of an exam' });
const EntryId = Type.Integer({
  ...Id,
  description: 'a question or anything under one: all entries are numbered together',
});
const BeforeId = Type.Optional(
  Type.Integer({
    ...Id,
    description: 'only older ones than this are listed and counted, so that pages stay as they are while one reads',
  }),
);
const Keyword = Type.String({ maxLength: QA_KEYWORD_LONGEST });
const Tag = Type.String({ minLength: 1, maxLength: QA_TAG_LONGEST });
const NextBeforeId = Nullable(Type.Integer({ description: 'to be sent with the next page; null: the list is empty' }));

// ---- what is shown ----

const entry = {
  id: Id,
  feedbackDesc: Type.String({ description: 'plain text' }),
  feedbackImg: Type.String({ description: 'address of the first image; empty: none' }),
  feedbackImg2: Type.String(),
  feedbackImg3: Type.String(),
  userName: Type.String({ description: 'name of the teacher who answered or replied; empty: a student wrote it' }),
  nickname: Type.String(),
  avatarUrl: Type.String({ description: 'empty: the default avatar' }),
  createTime: Millis,
  platform: Type.Integer({ description: '2 PC · 1 Iphone · else 安卓' }),
  studentId: Type.Integer({ description: 'of the student who wrote it; 0: a teacher did' }),
  mine: Type.Boolean({ description: 'the caller wrote it' }),
  hidden: Type.Boolean({ description: 'taken out of sight by a teacher; only its author still sees it' }),
  held: Type.Boolean({ description: 'waits for a teacher because of `heldWords`; only its author sees it' }),
  heldWords: Type.Array(Type.String(), {
    description: 'the words it is held for; told to its author and teachers alone',
  }),
};

const Child = Type.Object({
  ...entry,
  kind: OneOf(qaEntryKinds, { description: 'answer: a teacher’s · followUp: 追问 · comment: of any student' }),
  parentId: Type.Integer({ description: 'the entry that it follows: of a follow-up what it asks about' }),
  editedAt: Nullable(Type.Integer({ description: 'when a teacher last changed it, epoch milliseconds' })),
  mayFollowUp: Type.Boolean({ description: '追问 is offered here (spec §2; decisions §6)' }),
  flag: YesNo,
  flagCount: Type.Integer({
    description: 'of an answer: how many people find it useful (有用), the caller with `flag` 1',
  }),
  replyTo: Type.String({
    description: 'of a comment that replies to another one: the nickname of whose; empty: it replies to none',
  }),
});

const question = {
  ...entry,
  feedbackType: FeedbackType,
  packId: Id,
  courseId: Type.Integer({ description: 'the course inside the pack' }),
  firstVideoId: Nullable(Type.Integer({ description: 'the lesson it is about; null: none' })),
  firstVideoName: Type.String({ description: 'empty: about no lesson' }),
  position: Nullable(Type.Integer({ description: 'the second of that lesson; null: not said' })),
  questionId: Nullable(Type.Integer({ description: 'the exam question it is about; null: none' })),
  recordId: Nullable(Type.Integer({ description: 'the caller’s own record in which they saw that; null: none' })),
  topic: Type.String({ description: 'sanitized HTML of that exam question as it stands now; empty: none' }),
  state: OneOf(qaStates, { description: '0 待处理 · 1 收到 (41: 已回答) · 2 已修正 · 3 不采纳' }),
  withheld: Type.Boolean({
    description: 'true: the caller sits the exam question in a scored exam, so state and answers are left out',
  }),
  waiting: Type.Boolean({ description: 'a teacher owes an answer, also to a follow-up' }),
  promisedAt: Nullable(
    Type.Integer({ description: 'until when it is promised; null: nothing waits or no date is promised' }),
  ),
  tags: Type.Array(Type.String()),
  flag: YesNo,
  flagCount: Type.Integer({ description: 'how many students ask the same (同问)' }),
  commentCount: Type.Integer(),
  mayFollowUp: Type.Boolean({ description: '追问 is offered on the question itself (decisions §6)' }),
  mayDelete: Type.Boolean({ description: 'an own question that nobody has answered' }),
};
/** Answers and follow-ups, the oldest first; comments have a call of their own. */
const childList = Type.Array(Child, { description: 'answers and follow-ups, oldest first' });
const Question = Type.Object({ ...question, childList });

const QuestionPage = Type.Object({ ...Page(Question).properties, beforeId: NextBeforeId });

// ---- asking ----

export const SubmitQuestion = call('POST /app/feedback/submit', {
  says: 'Asks a teacher, reports an error of a video, or suggests something; with `parentId` it follows up (as /app/feedback/reply).',
  source: 'spec §3 Feedback payloads, §4, §5; decisions §2, §6',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    feedbackType: FeedbackType,
    feedbackDesc: Text,
    resourceId: Type.Optional(
      Type.Integer({
        ...Id,
        description: 'the course; left out: that of the lesson or question, else the first of the pack',
      }),
    ),
    parentId: Type.Optional(EntryId),
    firstVideoId: Type.Optional(Type.Integer({ ...Id, description: 'the lesson it is about' })),
    position: Type.Optional(
      Type.Number({ minimum: 0, maximum: LONGEST_MEDIA, description: 'the second of that lesson' }),
    ),
    questionId: Type.Optional(Type.Integer({ ...Id, description: 'the exam question it is about' })),
    recordId: Type.Optional(
      Type.Integer({ ...Id, description: 'the own record in which that was seen: its version and letters are meant' }),
    ),
    tags: Type.Optional(
      Type.Array(Tag, {
        maxItems: QA_MOST_TAGS,
        description: 'of those that the caller finds (`search_tag`); others are passed over',
      }),
    ),
    ...images,
    platform: PlatformWord,
    clientId: ClientId,
  }),
  data: Question,
  refuses: [
    'notFound',
    'notEnrolled',
    'notAllowed',
    'keyHidden',
    'commentEmpty',
    'textTooLong',
    'followUpsFull',
    'imageNotYours',
    'tooMany',
  ],
});

export const FollowUp = call('POST /app/feedback/reply', {
  says: 'Follows up (追问) on an own question that a teacher has answered, or on an own follow-up.',
  source: 'spec §2 Q&A screens, §6, §7; decisions §2, §6',
  who: 'user',
  input: Type.Object({
    parentId: EntryId,
    feedbackDesc: Text,
    ...images,
    platform: PlatformWord,
    clientId: ClientId,
  }),
  data: Question,
  refuses: [
    'notFound',
    'notEnrolled',
    'notAllowed',
    'keyHidden',
    'commentEmpty',
    'textTooLong',
    'followUpsFull',
    'imageNotYours',
    'tooMany',
  ],
});

export const DeleteEntry = call('POST /app/qa_core/del_entry', {
  says: 'Deletes an own question that nobody has answered, or an own comment; twice is the same as once.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'user',
  input: Type.Object({ id: EntryId }),
  data: Nothing,
  refuses: ['notFound', 'notAllowed', 'keyHidden'],
});

// ---- lists ----

export const ListQuestions = call('GET /app/feedback/list', {
  says: 'Questions of a pack, a course or a lesson, newest first: everyone’s teaching questions, or the caller’s own of any type.',
  source: 'spec §7 Course play, §9; decisions §2, §6',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    feedbackType: Type.Optional(FeedbackType),
    timeSortType: Type.Optional(Type.Integer({ minimum: 1, maximum: 1, description: '1: by time, newest first' })),
    myState: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: '1 the own ones · 0 everyone’s, of type 41 alone' }),
    ),
    courseId: Type.Optional(Id),
    firstVideoId: Type.Optional(Type.Integer({ ...Id, description: 'of one lesson (本节答疑)' })),
    questionId: Type.Optional(
      Type.Integer({ ...Id, description: 'of the own ones (`myState` 1) those about this exam question' }),
    ),
    pageNum: PageNum,
    pageSize: PageSize,
    beforeId: BeforeId,
  }),
  data: QuestionPage,
  refuses: ['notFound', 'notEnrolled'],
});

const inArea = {
  packId: Type.Optional(Type.Integer({ ...Id, description: 'left out: all packs that the caller may open' })),
};

export const NewestQuestions = call('GET /app/qa/newest', {
  says: 'The newest teaching questions of the packs that the caller may open; with `answered` or `flag` only such ones.',
  source: 'spec §7 Q&A; decisions §6',
  who: 'user',
  input: Type.Object({
    ...inArea,
    answered: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '1: only answered ones' })),
    flag: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: '1: only those the caller asks too (同问)' }),
    ),
    pageNum: PageNum,
    pageSize: PageSize,
    beforeId: BeforeId,
  }),
  data: QuestionPage,
  refuses: ['notFound', 'notEnrolled'],
});

export const QuestionDetails = call('GET /app/qa/details', {
  says: 'One question with its answers and follow-ups.',
  source: 'spec §7 Q&A; decisions §6',
  who: 'user',
  input: Type.Object({ id: QuestionId }),
  data: Question,
  refuses: ['notFound', 'notEnrolled', 'keyHidden'],
});

export const QuestionComments = call('GET /app/qa/comment', {
  says: 'What students say below a question, newest first.',
  source: 'spec §7 Q&A; decisions §6',
  who: 'user',
  input: Type.Object({ id: QuestionId, pageNum: PageNum, pageSize: PageSize, beforeId: BeforeId }),
  data: Type.Object({ ...Page(Child).properties, beforeId: NextBeforeId }),
  refuses: ['notFound', 'notEnrolled', 'keyHidden'],
});

export const SaveQuestionComment = call('POST /app/qa_core/save_comment', {
  says: 'Says something below a teaching question, or replies to what was said there; who is replied to by a teacher is told.',
  source: 'spec §6, §7 Q&A; decisions §6; docs/decisions/071-useful-answers.md',
  who: 'user',
  input: Type.Object({
    id: QuestionId,
    parentId: Type.Optional(Type.Integer({ ...Id, description: 'the comment below it that is replied to' })),
    comment: Text,
    platform: PlatformWord,
    clientId: ClientId,
  }),
  data: Child,
  refuses: ['notFound', 'notEnrolled', 'keyHidden', 'commentEmpty', 'textTooLong', 'commentUnseen', 'tooMany'],
});

const Flagged = Type.Integer({ ...Id, description: 'a question, or an answer to one' });
const flagged = Type.Object({ flag: YesNo, flagCount: Type.Integer() });
export const SaveFlag = call('POST /app/qa_core/save_flag', {
  says: 'Of a question: asks the same (同问), and the caller is told when a teacher answers. Of an answer: finds it useful (有用). Twice is the same as once.',
  source: 'spec §7 Q&A; docs/decisions/038-questions-and-answers.md, 071-useful-answers.md',
  who: 'user',
  input: Type.Object({ id: Flagged }),
  data: flagged,
  refuses: ['notFound', 'notEnrolled', 'keyHidden'],
});
export const DeleteFlag = call('POST /app/qa_core/del_flag', {
  says: 'Takes 同问 or 有用 back; twice is the same as once.',
  source: 'spec §7 Q&A; docs/decisions/038-questions-and-answers.md, 071-useful-answers.md',
  who: 'user',
  input: Type.Object({ id: Flagged }),
  data: flagged,
  refuses: ['notFound', 'notEnrolled'],
});

export const QaStudentInfo = call('GET /app/qa/info_student', {
  says: 'The caller’s own figures of Q&A, over all packs or in one.',
  source: 'spec §7 Q&A; decisions §6',
  who: 'user',
  input: Type.Object(inArea),
  data: Type.Object({
    studentId: Id,
    nickname: Type.String(),
    avatarUrlExt: Type.String(),
    asked: Type.Integer({ description: 'own questions of every type' }),
    waiting: Type.Integer({ description: 'of these, those that a teacher owes an answer' }),
    flagged: Type.Integer({ description: 'questions of others that the caller asks too (同问)' }),
    comments: Type.Integer(),
    lastPackId: Nullable(
      Type.Integer({
        description: 'the pack of the newest own question, of those that the caller may open; null: none',
      }),
    ),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

// ---- finding ----

const Spans = Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() }), {
  description: 'parts of `feedbackDesc` that were looked for, as UTF-16 offsets, in order and apart',
});

export const SearchQuestions = call('GET /app/qa/search', {
  says: 'Teaching questions that have what was typed, the best first: whole words in that order before words apart, answered before unanswered, then the newest.',
  source: 'spec §7 Q&A; docs/decisions/038-questions-and-answers.md',
  who: 'user',
  input: Type.Object({
    ...inArea,
    keyword: Type.Optional(Keyword),
    tag: Type.Optional(Type.String({ maxLength: QA_TAG_LONGEST, description: 'only those with this tag' })),
    pageNum: PageNum,
    pageSize: PageSize,
    beforeId: Type.Optional(
      Type.Integer({
        ...Id,
        description: 'what was asked or answered from this id on is passed over, so that pages stay while one reads',
      }),
    ),
  }),
  data: Type.Object({
    ...Page(
      Type.Object({
        ...question,
        childList,
        highlights: Spans,
        answerHighlights: Type.Array(Type.Object({ id: Id, spans: Spans }), {
          description: 'where in its answers that is which was looked for',
        }),
      }),
    ).properties,
    beforeId: NextBeforeId,
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const RecommendReply = call('GET /app/qa/recommend_reply', {
  says: 'At most five questions like the one that is being typed, or like the question `id`, with what teachers answered: asked before it is sent.',
  source: 'spec §7 Q&A; docs/decisions/038-questions-and-answers.md',
  who: 'user',
  input: Type.Object({
    ...inArea,
    id: Type.Optional(QuestionId),
    feedbackDesc: Type.Optional(Type.String({ maxLength: 2 * QA_LONGEST })),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Id,
        feedbackDesc: Type.String(),
        highlights: Spans,
        answer: Type.String({
          description: 'the answer that most find useful, of these the newest; empty: not answered yet',
        }),
        userName: Type.String({ description: 'its teacher; empty: not answered yet' }),
        createTime: Millis,
        flag: YesNo,
        flagCount: Type.Integer(),
      }),
    ),
  }),
  refuses: ['notFound', 'notEnrolled', 'keyHidden'],
  limits: HEAVY,
});

export const HotKeys = call('GET /app/qa/hot_key', {
  says: 'What several students looked for lately, at most ten, the most often first.',
  source: 'spec §7 Q&A; docs/decisions/038-questions-and-answers.md',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Type.Object({ keyword: Type.String(), count: Type.Integer() })) }),
});

export const SearchTags = call('GET /api/qa/search_tag', {
  says: 'Tags of the questions that the caller may see: those that have what was typed, or the most used ones, at most 20.',
  source: 'spec §7 Q&A; docs/decisions/038-questions-and-answers.md',
  who: 'user',
  input: Type.Object({ ...inArea, keyword: Type.Optional(Keyword) }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Id,
        tag: Type.String(),
        count: Type.Integer({ description: 'of these questions those that have it' }),
      }),
    ),
  }),
  refuses: ['notFound', 'notEnrolled'],
});

// ---- for teachers ----

const taught = {
  ...question,
  childList,
  packName: Type.String(),
  courseName: Type.String(),
  validPhoneExt: Type.String({ description: 'of its author, masked' }),
  version: Type.Integer({ description: 'changes with everything that is answered, followed up or decided' }),
  teacherId: Nullable(Type.Integer({ description: 'the teacher it is assigned to; null: to nobody' })),
  teacherName: Type.String({ description: 'empty: assigned to nobody' }),
  overdue: Type.Boolean({ description: 'the promised time is over' }),
};
const Taught = Type.Object(taught);

/** What a teacher narrows the queue to. */
const narrowing = {
  feedbackType: Type.Optional(FeedbackType),
  packId: Type.Optional(Id),
  mine: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '1: only those assigned to the caller' })),
  keyword: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'words of the question or of an answer to it; so many are found at most as by students',
    }),
  ),
};

export const QaQueue = call('GET /app/qa/queue', {
  says: 'Questions for teachers: those that wait first, by their promised time; then the others, newest first.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({
    show: Type.Optional(
      OneOf(['waiting', 'all', 'received', 'held', 'hidden'] as const, {
        description:
          'left out: waiting · received: corrections and suggestions that are still to be decided · held: waits for release because of a word · hidden: taken out of sight',
      }),
    ),
    ...narrowing,
    pageNum: PageNum,
    pageSize: PageSize,
    beforeId: BeforeId,
    after: After,
  }),
  data: Type.Object({ ...Page(Taught).properties, beforeId: NextBeforeId, next: Next }),
  limits: HEAVY,
});

export const QaWaiting = call('GET /app/qa/waiting', {
  says: 'What of Q&A waits for teachers, counted up to 10,000.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({}),
  data: Type.Object({
    waiting: Type.Integer(),
    overdue: Type.Integer({ description: 'of these, those whose promised time is over' }),
    mine: Type.Integer({ description: 'of these, those assigned to the caller' }),
    held: Type.Integer({ description: 'what waits for release because of a word' }),
    oldestAt: Nullable(Type.Integer({ description: 'when the one that is due first came, epoch milliseconds' })),
  }),
});

const TaughtDetails = Type.Object({
  ...taught,
  comments: Type.Array(Child, { description: 'the newest 50, hidden and held ones too, and older ones that are held' }),
  examName: Nullable(Type.String({ description: 'of the record it was asked from; null: not known' })),
  questionNumber: Nullable(Type.Integer({ description: 'place of the exam question in that record, from 1' })),
  question: Nullable(KeyedQuestion),
  now: Nullable(KeyedQuestion),
  cases: Type.Array(CaseMaterial),
  similar: Type.Array(Taught, { description: 'at most five that wait and ask the same, to be answered with it' }),
  nextId: Nullable(
    Type.Integer({ description: 'another question that waits, the one due first, of the queue as it is narrowed' }),
  ),
});

export const TaughtQuestion = call('GET /app/qa/question', {
  says: 'One question for teachers: its lesson and second or its exam question with the key as the student saw it (`now`: where it stands differently today).',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({ id: EntryId, ...narrowing }),
  data: TaughtDetails,
  refuses: ['notFound'],
});

const Answer = textUpTo(QA_ANSWER_LONGEST);
export const AnswerQuestions = call('POST /app/qa_core/answer', {
  says: 'Answers one question, or several that ask the same with one text. `versions` are those the teacher looked at. Of types 31, 32 and 33 it says the state, too.',
  source: 'spec §6; docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({
    ids: Type.Array(QuestionId, { minItems: 1, maxItems: QA_MOST_AT_ONCE }),
    versions: Type.Array(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), {
      minItems: 1,
      maxItems: QA_MOST_AT_ONCE,
      description: 'of these questions, in the same order',
    }),
    feedbackDesc: Answer,
    state: Type.Optional(
      OneOf(qaAnswerStates, { description: '1 收到 · 2 已修正/已采纳 · 3 不采纳; of 41 left out or 1' }),
    ),
    ...images,
    clientId: ClientId,
  }),
  data: TaughtDetails,
  refuses: [
    'notFound',
    'commentEmpty',
    'textTooLong',
    'imageNotYours',
    'reasonNeeded',
    'answeredMeanwhile',
    'alreadyDecided',
  ],
});

export const EditAnswer = call('POST /app/qa_core/edit_answer', {
  says: 'Changes the words of an own answer; what it said before is kept, and so are its images.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({
    id: Type.Integer({ ...Id, description: 'the answer' }),
    revision: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'how often it was changed, as looked at',
    }),
    feedbackDesc: Answer,
  }),
  data: TaughtDetails,
  refuses: ['notFound', 'notAllowed', 'commentEmpty', 'textTooLong', 'answeredMeanwhile'],
});

export const AnswerHistory = call('GET /app/qa/answer_history', {
  says: 'What an answer said before it was changed, newest first.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({ id: Type.Integer({ ...Id, description: 'the answer' }) }),
  data: Type.Object({
    revision: Type.Integer({ description: 'how often it was changed: to be sent with the next change' }),
    list: Type.Array(
      Type.Object({
        revision: Type.Integer(),
        feedbackDesc: Type.String(),
        savedAt: Millis,
      }),
    ),
  }),
  refuses: ['notFound'],
});

export const AssignQuestions = call('POST /app/qa_core/assign', {
  says: 'Gives questions to a teacher, or with 0 back to all.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({
    ids: Type.Array(QuestionId, { minItems: 1, maxItems: QA_MOST_AT_ONCE }),
    teacherId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'a teacher; 0: nobody' }),
  }),
  data: Type.Object({ count: Type.Integer() }),
  refuses: ['notFound'],
});

export const QaTeachers = call('GET /app/qa/teachers', {
  says: 'The teachers to whom a question can be given.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({}),
  data: Type.Object({
    list: Type.Array(Type.Object({ teacherId: Id, nickname: Type.String(), waiting: Type.Integer() })),
  }),
});

export const HideEntry = call('POST /app/qa_core/hide', {
  says: 'Takes a question, a follow-up, an answer or a comment out of sight, or shows it again; showing also releases what is held.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({
    id: EntryId,
    hidden: YesNo,
    reason: Type.Optional(Type.String({ maxLength: QA_REASON_LONGEST, description: 'told to its author' })),
  }),
  data: TaughtDetails,
  refuses: ['notFound'],
});

export const TagQuestion = call('POST /app/qa_core/set_tags', {
  says: 'Gives a question these tags and no others; new ones come to be.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({ id: QuestionId, tags: Type.Array(Tag, { maxItems: QA_MOST_TAGS }) }),
  data: TaughtDetails,
  refuses: ['notFound'],
});

const Phrase = Type.Object({ id: Id, phrase: Type.String() });
export const ListPhrases = call('GET /app/qa/phrases', {
  says: 'The caller’s own canned phrases, those used last first.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Phrase) }),
});
export const SavePhrase = call('POST /app/qa_core/save_phrase', {
  says: 'Keeps a canned phrase, or changes an own one.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({ id: Type.Optional(Id), phrase: textUpTo(QA_PHRASE_LONGEST) }),
  data: Phrase,
  refuses: ['notFound', 'commentEmpty', 'textTooLong', 'phrasesFull'],
});
export const DeletePhrase = call('POST /app/qa_core/del_phrase', {
  says: 'Deletes an own canned phrase; twice is the same as once.',
  source: 'docs/decisions/038-questions-and-answers.md',
  who: 'teacher',
  input: Type.Object({ id: Id }),
  data: Nothing,
});
