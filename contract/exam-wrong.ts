import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nothing, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { CaseMaterial, KeyedQuestion, QuestionState, QuestionType } from './exam.ts';
import { OwnPaperName, RequestId } from './exam-paper.ts';
import {
  ANSWER_LONGEST,
  DAILY_LEAST,
  DAILY_MOST,
  leaveAfters,
  MOVE_MOST,
  NOTE_LONGEST,
  OWN_PAPER_MOST,
  wrongStates,
} from './values/exam.ts';

// The wrong-question list (错题本), the collection (收藏), and practice that a student puts together from them.
// What the student sits in an open scored exam stands in no list of what went wrong, and is counted nowhere; of the
// collection, which is no grade, only its keys are withheld.

/** Each call makes a paper that stays. */
const MAKES_PAPER = { inFlight: 4, perMinute: 60 } as const;

const WrongState = OneOf(wrongStates, {
  description: 'in the list · left it by the rule · removed by the student',
});
const LeaveAfter = OneOf(leaveAfters, {
  description: 'right answers in a row after which a question leaves the list; 0: only by hand',
});
const Day = Type.String({
  examples: ['2027-01-01'],
  maxLength: 10,
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'a day in China',
});
const DailySize = Type.Integer({ minimum: DAILY_LEAST, maximum: DAILY_MOST, description: 'questions to review a day' });
const Withheld = Type.Boolean({
  description: 'true: the caller sits a scored exam now, and its questions are left out of everything here',
});

/** Which entries are meant; what is left out narrows nothing. */
const filter = {
  state: Type.Optional(WrongState),
  chapterId: Type.Optional(Id),
  questionTypesId: Type.Optional(Type.Integer({ minimum: 0, maximum: 8, description: '0: all types' })),
  examId: Type.Optional(Id),
  timesWrong: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'at least so often' })),
  guessed: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '1: only lucky guesses' })),
  since: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'epoch milliseconds of the newest mistake, at least',
    }),
  ),
};

const WrongEntry = Type.Object({
  state: WrongState,
  timesWrong: Type.Integer(),
  rightStreak: Type.Integer({ description: 'right answers since the last mistake or guess' }),
  guessed: YesNo,
  examId: Nullable(Id),
  examName: Nullable(Type.String({ description: 'where the newest mistake was made; null: in own practice' })),
  firstAt: Millis,
  lastAt: Millis,
  chapterName: Type.String(),
  collected: YesNo,
  note: Type.String(),
  onOffer: Type.Integer({ description: '0: the school has taken the question out; it can be read, not practised' }),
  question: KeyedQuestion,
});
const WrongPage = Type.Object({
  ...Page(WrongEntry).properties,
  cases: Type.Array(CaseMaterial),
  withheld: Withheld,
});

export const WrongPacks = call('GET /app/question/error_pack_list', {
  says: 'The caller’s wrong questions by pack, the pack with the newest mistake first.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        packId: Id,
        packName: Type.String(),
        count: Type.Integer(),
        leftCount: Type.Integer(),
        removedCount: Type.Integer(),
        lastAt: Millis,
      }),
    ),
    withheld: Withheld,
  }),
  limits: HEAVY,
});

const wrongNode = <T extends ReturnType<typeof Type.Array>>(childes: T) =>
  Type.Object({ id: Id, name: Type.String(), level: Type.Integer(), count: Type.Integer(), childes });
const WrongNode = wrongNode(Type.Array(wrongNode(Type.Array(wrongNode(Type.Array(Type.Null(), { maxItems: 0 }))))));

export const WrongIndex = call('GET /app/exam/error_index', {
  says: 'The wrong-question list of a pack at a glance: counts, by chapter with everything below it, and the rule for leaving it.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    packId: Id,
    packName: Type.String(),
    count: Type.Integer(),
    guessedCount: Type.Integer({ description: 'of `count`, those that were right by luck' }),
    leftCount: Type.Integer(),
    removedCount: Type.Integer(),
    collectedCount: Type.Integer(),
    leaveAfter: LeaveAfter,
    courses: Type.Array(Type.Object({ courseId: Id, name: Type.String(), chapters: Type.Array(WrongNode) })),
    withheld: Withheld,
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

const ByType = Type.Array(Type.Object({ questionTypesId: QuestionType, count: Type.Integer() }));

export const WrongTypes = call('GET /api/exam/error_type', {
  says: 'How many questions of each type stand in the wrong-question list of a pack.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({ list: ByType, withheld: Withheld }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const WrongOptions = call('GET /api/exam/error_opt', {
  says: 'What the wrong-question list of a pack can be narrowed by, each with its count.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({ packId: Id, state: Type.Optional(WrongState) }),
  data: Type.Object({
    types: ByType,
    chapters: Type.Array(Type.Object({ chapterId: Id, name: Type.String(), count: Type.Integer() })),
    exams: Type.Array(Type.Object({ examId: Id, examName: Type.String(), count: Type.Integer() })),
    timesWrong: Type.Array(
      Type.Object({ timesWrong: Type.Integer({ description: 'at least so often' }), count: Type.Integer() }),
    ),
    guessedCount: Type.Integer(),
    withheld: Withheld,
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const ListWrong = call('GET /api/exam/error', {
  says: 'The wrong-question list of a pack with keys, the newest mistake first or the most frequent one.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    ...filter,
    order: Type.Optional(OneOf(['newest', 'timesWrong'])),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: WrongPage,
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const ListWrongOfChapter = call('GET /app/question/error_list', {
  says: 'The wrong questions of a chapter and of everything below it.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    chapterId: Id,
    questionTypesId: filter.questionTypesId,
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: WrongPage,
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

const QuestionId = Type.Integer({ ...Id, description: 'of the question' });
const QuestionIds = Type.Array(Id, { minItems: 1, maxItems: MOVE_MOST, uniqueItems: true });

export const RemoveWrong = call('POST /api/exam/error_rm', {
  says: 'Takes questions out of the wrong-question list, `id` or all of `ids`; a new mistake brings one back.',
  source: 'spec §7 Exam, §8; decisions §3',
  who: 'user',
  input: Type.Object({ id: Type.Optional(QuestionId), ids: Type.Optional(QuestionIds) }),
  data: Type.Object({ count: Type.Integer({ description: 'questions that are removed now' }) }),
  refuses: ['notFound'],
});

export const RestoreWrong = call('POST /app/exam/error_restore', {
  says: 'Puts questions that left the wrong-question list, or were removed from it, back in.',
  source: 'docs/decisions/023-wrong-questions.md',
  who: 'user',
  input: Type.Object({ ids: QuestionIds }),
  data: Type.Object({ count: Type.Integer({ description: 'questions that are in the list now' }) }),
  refuses: ['notFound'],
});

export const SaveStudySettings = call('POST /app/exam/study_settings', {
  says: 'Sets what is given of how the caller studies a pack: when a question leaves the wrong-question list (what has left stays out), the own date of the exam (today or later; null: that of the pack), questions to review a day.',
  source: 'decisions §3 "as often as the setting asks"; docs/decisions/022-review-before-the-exam.md',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    leaveAfter: Type.Optional(Type.Integer({ minimum: 0, maximum: 3, description: 'as in `error_index`' })),
    examDate: Type.Optional(Nullable(Day)),
    dailySize: Type.Optional(DailySize),
  }),
  data: Nothing,
  refuses: ['notFound', 'notEnrolled', 'examDatePast'],
});

/** Of one pack: what is left of today's review, what was done of it, and all that is reviewed. */
const daily = {
  count: Type.Integer({ description: 'questions that are still to be reviewed today' }),
  done: Type.Integer({ description: 'reviewed today' }),
  total: Type.Integer({ description: 'questions under review: wrong, guessed and collected ones' }),
  daysLeft: Nullable(Type.Integer({ description: 'days to the exam; negative once it is over, null without a date' })),
};

export const DailyReviews = call('GET /app/exam/daily_reviews', {
  says: 'Today’s review of each pack that has something to review, most first.',
  source: 'docs/decisions/022-review-before-the-exam.md',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Type.Object({ packId: Id, packName: Type.String(), ...daily })) }),
  limits: HEAVY,
});

export const DailyReview = call('GET /app/exam/daily_review', {
  says: 'Today’s review of a pack with its settings and the load of the next days.',
  source: 'docs/decisions/022-review-before-the-exam.md',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    packId: Id,
    ...daily,
    examDate: Nullable(Day),
    ownExamDate: Nullable(Type.String({ description: 'as the caller set it; null: `examDate` is that of the pack' })),
    packExamDate: Nullable(Day),
    dailySize: DailySize,
    open: Nullable(Type.Object({ examId: Id, recordId: Id })),
    forecast: Type.Array(
      Type.Object({
        date: Day,
        due: Type.Integer({ description: 'come due on that day' }),
        reviews: Type.Integer({ description: 'are reviewed on that day' }),
        carried: Type.Integer({ description: 'wait for the next day' }),
      }),
    ),
    withheld: Withheld,
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const StartDailyReview = call('POST /app/exam/daily_start', {
  says: 'Makes an own practice of today’s review of a pack, or gives the open one of today.',
  source: 'docs/decisions/022-review-before-the-exam.md',
  who: 'enrolled',
  input: Type.Object({ packId: Id, name: OwnPaperName }),
  data: Type.Object({ examId: Id }),
  refuses: ['notFound', 'notEnrolled', 'noQuestions', 'tooMany', 'madeBeforeExam'],
  limits: MAKES_PAPER,
  inTurn: true,
});

export const SaveReview = call('POST /app/v2/exam/save_review', {
  says: 'The outcome of reviewing one question of the own list or collection: graded by `answer`, or as the student says (`judgeFlag`; left out: 1, of an empty answer nothing). The same outcome twice on one day, with no mistake between, counts once.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({
    questionId: Id,
    answer: Type.Optional(Type.String({ maxLength: ANSWER_LONGEST, description: 'letters as the list shows them' })),
    judgeFlag: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: '1 I knew it, 2 I did not' })),
  }),
  data: Type.Object({
    state: QuestionState,
    question: KeyedQuestion,
    wrong: Nullable(Type.Object({ state: WrongState, timesWrong: Type.Integer(), rightStreak: Type.Integer() })),
  }),
  refuses: ['notFound', 'notEnrolled', 'keyHidden', 'answerMalformed'],
  bodyLimit: 256 * 1024,
  inTurn: true,
});

export const QuestionHistory = call('GET /app/exam/question_history', {
  says: 'Every time the caller answered a question in a record that is over, newest first, in the letters of the question itself.',
  source: 'docs/decisions/023-wrong-questions.md',
  who: 'user',
  input: Type.Object({ questionId: Id }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        recordId: Id,
        examName: Type.String(),
        answeredAt: Millis,
        answer: Type.String(),
        state: QuestionState,
        myScore: Nullable(Type.Number()),
        guess: YesNo,
      }),
    ),
  }),
  refuses: ['notFound', 'keyHidden'],
  limits: HEAVY,
});

export const MakeOwnPaper = call('POST /app/exam/own_paper', {
  says: 'Makes a practice of chosen questions of a pack, or of those that `from` has under a filter; only its maker may start it.',
  source: 'docs/decisions/023-wrong-questions.md',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    name: OwnPaperName,
    questionIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: OWN_PAPER_MOST, uniqueItems: true })),
    from: Type.Optional(
      OneOf(['wrong', 'collected', 'unanswered', 'flagged'], {
        description:
          'unanswered, flagged: what the caller never answered or has marked (标记). All but wrong are narrowed by `chapterId` and `questionTypesId` alone; what else narrows is refused',
      }),
    ),
    ...filter,
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: OWN_PAPER_MOST })),
    requestId: Type.Optional(RequestId),
  }),
  data: Type.Object({
    examId: Id,
    totalQuestion: Type.Integer(),
    leftOut: Type.Integer({
      description:
        'of `questionIds`: those that the school has taken out, and those of papers that the caller has not begun',
    }),
  }),
  refuses: ['notFound', 'notEnrolled', 'noQuestions', 'tooMany', 'filterOfWrong', 'notOfPack', 'madeBeforeExam'],
  limits: MAKES_PAPER,
  inTurn: true,
});

export const CollectQuestion = call('POST /app/exam/collect', {
  says: 'Collects a question (收藏) with a private note, changes the note, or takes the question out of the collection.',
  source: 'docs/decisions/023-wrong-questions.md',
  who: 'user',
  input: Type.Object({
    questionId: Id,
    collect: Type.Integer({ minimum: 0, maximum: 1 }),
    note: Type.Optional(Type.String({ maxLength: NOTE_LONGEST, description: 'plain text; left out: as it is' })),
  }),
  data: Type.Object({ collected: YesNo, note: Type.String() }),
  refuses: ['notFound', 'notEnrolled'],
});

export const CollectedOfRecord = call('GET /app/exam/collected', {
  says: 'Which questions of a record its student has collected, with their notes.',
  source: 'docs/decisions/023-wrong-questions.md',
  who: 'user',
  input: Type.Object({ recordId: Id }),
  data: Type.Object({ list: Type.Array(Type.Object({ questionId: Id, note: Type.String() })) }),
  refuses: ['notFound'],
});

export const ListCollected = call('GET /app/exam/collection', {
  says: 'The caller’s collected questions of a pack, the last collected first; with keys but for those that are withheld.',
  source: 'docs/decisions/023-wrong-questions.md',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    chapterId: filter.chapterId,
    questionTypesId: filter.questionTypesId,
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Type.Object({
    ...Page(
      Type.Object({
        question: KeyedQuestion,
        note: Type.String(),
        collectedAt: Millis,
        chapterName: Type.String(),
        onOffer: WrongEntry.properties.onOffer,
      }),
    ).properties,
    cases: Type.Array(CaseMaterial),
    withheld: Type.Boolean({
      description: 'true: the caller sits a scored exam now, and its questions come without keys',
    }),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});
