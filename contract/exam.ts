import { type TSchema, Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nothing, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { socket } from './socket.ts';
import {
  ANSWER_LONGEST,
  closings,
  countedRecords,
  examKinds,
  GIVEN_MOST,
  gradeModes,
  POINTS_MOST,
  questionModes,
  questionTypes,
  schoolKinds,
  scoreLevels,
  TIMED_TEST,
} from './values/exam.ts';

// ---- the words of the spec (sections 3 and decisions §3, §10) ----

export const QuestionType = OneOf(questionTypes, {
  description: '1 judge, 2 single choice, 3 multiple choice, 4 short answer, 5 indefinite choice, 8 self-scored',
});
export const ExamKind = OneOf(examKinds);
/** 1 scored exam · -1 practice that may show answers (recite). */
const ExamMode = Type.Union([Type.Literal(1), Type.Literal(-1)]);
/**
 * 0 unanswered or not yet known to the student · 1 right · 2 wrong · 3 partly right · 4 waiting for the student's own score · 5 void: it
 * counts for nothing.
 */
export const QuestionState = Type.Integer({ minimum: 0, maximum: 5 });
/** How a question is graded (docs/decisions/028-question-quality-and-corrections.md). */
export const GradeModeOut = OneOf(gradeModes, {
  description: 'by its key · everybody gets its points (全员得分) · it counts for nothing (作废)',
});

/**
 * An answer on the wire. Types 1, 2: one letter; 3, 5: letters in ascending order without separators ("ABD");
 * 4, 8: text. '' says that the student cleared the answer (清除作答), never that a question was left.
 */
const Answer = Type.String({ maxLength: ANSWER_LONGEST });
const Score = Type.Number({ minimum: 0, maximum: 1_000_000 });
const RecordId = Id;
/** A year at most. */
const SecondsSpent = Type.Number({
  minimum: 0,
  maximum: 31_536_000,
  description: 'seconds spent so far, rounded down',
});
/** Made by each window of the browser; the last one that started or took over a record is the one that may save. */
const WindowId = Type.String({ minLength: 8, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/**
 * The version of the paper that a record began with and keeps, whatever the school corrects meanwhile. An answer names it,
 * so that letters given under another one are refused and never misread; left out, the record's own is meant.
 */
const PaperVersion = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** A question without its key: all that a student may see before the key is open. */
const question = {
  questionId: Id,
  questionTypesId: QuestionType,
  topic: Type.String({ description: 'sanitized HTML, formulas as \\(…\\) and \\[…\\]' }),
  options: Type.Record(Type.String(), Type.String(), { description: 'letter shown -> sanitized HTML' }),
  score: Score,
  chapterId: Id,
  parentCaseStudyId: Nullable(Id),
  showAnswerFlag: Type.Integer({
    minimum: 0,
    maximum: 1,
    description:
      '1: its key stands beside it here; 0: it does not. Which keys a record has shown, says /api/exam/cache',
  }),
};
export const Question = Type.Object(question);
const ScoringPoint = Type.Object({
  text: Type.String({ description: 'sanitized HTML' }),
  weight: Type.Number({ description: 'marks, in the points that the question gives here' }),
  words: Type.Array(Type.String(), { description: 'key words that are looked for in the own answer, as a hint' }),
});
/** A question with its key. Only calls that may reveal a key declare it (decisions §3 "No answer leaks"). */
export const KeyedQuestion = Type.Object({
  ...question,
  rightAnswer: Type.String({ description: 'letters as shown to this student, or HTML for types 4 and 8' }),
  answerAnalysis: Type.String({ description: 'sanitized HTML' }),
  points: Type.Array(ScoringPoint, {
    description: 'scoring points (采点) of the reference answer of types 4 and 8; [] where its author wrote none',
  }),
  accuracyRate: Nullable(
    Type.Number({
      description: 'share of answers that were right, 0 to 1; null of fewer than two: one alone is no comparison',
    }),
  ),
  gradeMode: GradeModeOut,
});
export const CaseMaterial = Type.Object({
  id: Id,
  title: Type.String(),
  text: Type.String({ description: 'sanitized HTML' }),
});
const Similar = Type.Optional(
  Type.Array(Id, {
    description: 'in today’s review: questions that stand for another one of the same knowledge point (同考点)',
  }),
);
/** Formulas of the texts of an answer, as KaTeX sets them; what is not among them the browser sets itself. */
export const SetFormulas = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description:
      'formulas of the texts beside them, as they stand there with \\(…\\) or \\[…\\] -> their HTML; empty: it stays as it stands (docs/decisions/074-formulas-set-on-the-server.md)',
  }),
);
export const Section = Type.Object({ title: Type.String(), questionIds: Type.Array(Id) });

const examContext = {
  examId: Id,
  examName: Type.String(),
  kind: ExamKind,
  packId: Id,
  courseId: Nullable(Id),
  chapterId: Nullable(Id),
  examMode: ExamMode,
  questionMode: Type.Integer({
    minimum: questionModes.answer,
    maximum: questionModes.recite,
    description: 'what a record opens in: always 1 (answer); a window may turn to 2 (recite) where `mayReveal` says so',
  }),
  testType: Type.Integer({ description: `${TIMED_TEST} timed special test, 0 otherwise` }),
  examTime: Nullable(Type.Integer({ description: 'minutes; null: no time limit' })),
  totalQuestion: Type.Integer(),
  totalScore: Score,
};
const record = {
  recordId: RecordId,
  ...examContext,
  paperVersion: PaperVersion,
  examType: Type.Integer({ description: '1 live exam, 2 review' }),
  startedAt: Millis,
  endsAt: Nullable(Millis),
  extraTime: Type.Integer({ description: 'minutes that were given back (补时); `endsAt` has them' }),
  accommodation: Type.Integer({
    description: 'minutes that the student’s own accommodation (延长考试时间) added at the start; `endsAt` has them',
  }),
  submittedAt: Nullable(Millis),
  totalTime: Type.Integer({ description: 'seconds the student has spent, as the windows last reported' }),
};
export const RecordState = Type.Object(record);

const Result = Type.Object({
  recordId: RecordId,
  closed: OneOf(closings, { description: 'handed in by the student · by the server at the end · 未作答' }),
  submittedAt: Millis,
  score: Nullable(Type.Number({ description: 'points so far, self-scored questions included once scored' })),
  totalScore: Score,
  pendingCount: Nullable(Type.Integer({ description: '待评分: self-scored questions without a score yet' })),
  rightCount: Nullable(Type.Integer()),
  wrongCount: Nullable(Type.Integer()),
  unansweredCount: Nullable(Type.Integer()),
  usedTime: Type.Integer({
    description: 'seconds: start to hand-in with a time limit, as the windows counted without one',
  }),
  withheld: Type.Boolean({
    description:
      'true: score and counts are null while the caller sits a scored exam with one of the questions (docs/decisions/051-tallies-while-sitting.md)',
  }),
});

/** The rule of a paper for sitting it again, and where the caller stands by it (rules/exam/retake.ts). */
const Retake = Type.Object({
  most: Nullable(Type.Integer({ description: 'records a student may begin in all; null: as many as they like' })),
  after: Nullable(Type.Integer({ description: 'minutes between the end of one and the start of the next' })),
  counts: OneOf(countedRecords, { description: 'which finished record counts in the ranking' }),
  taken: Type.Integer({ description: 'records the caller has begun' }),
  left: Nullable(Type.Integer({ description: 'records they may still begin; null: as many as they like' })),
  nextAt: Nullable(Millis),
});

// ---- finding an exam ----

const treeNode = <T extends TSchema>(childes: T) =>
  Type.Object({
    id: Id,
    name: Type.String(),
    courseId: Id,
    packId: Id,
    level: Type.Integer(),
    childes,
    isShow: YesNo,
    totalQuestion: Type.Integer(),
    doneCount: Type.Integer({ description: 'questions of the chapter that the caller has answered at least once' }),
    lastState: Type.Integer({ description: '0 never opened · 1 in progress (继续) · 2 finished' }),
    rightRate: Nullable(Type.Number({ description: 'share of right among graded answers, 0 to 1' })),
    examId: Nullable(Id),
    recordId: Nullable(Id),
  });
/** A chapter with its sections and their knowledge points: three levels (spec §3 Chapter tree node). */
const ChapterTreeNode = treeNode(Type.Array(treeNode(Type.Array(treeNode(Type.Array(Type.Null(), { maxItems: 0 }))))));

export const ChapterTree = call('GET /app/question/index', {
  says: 'The chapter tree of a pack with counts: type 1 chapter practice, type 2 after-class practice.',
  source: 'spec §2 Exam screens, §3; decisions §3',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    courseId: Type.Optional(Id),
    type: Type.Integer({ minimum: 1, maximum: 2, default: 1 }),
  }),
  data: Type.Object({
    packName: Type.String(),
    courses: Type.Array(Type.Object({ courseId: Id, name: Type.String(), chapters: Type.Array(ChapterTreeNode) })),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const ChapterQuestions = call('GET /app/question/list', {
  says: 'Questions of a chapter and of everything below it, without keys.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    chapterId: Id,
    questionTypesId: Type.Integer({ minimum: 0, maximum: 8, default: 0, description: '0: all types' }),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Page(Question),
  refuses: ['notFound', 'notEnrolled'],
});

export const ListExams = call('GET /api/exam/exam_list', {
  says: 'Papers of a pack by kind and year, with the state of the caller’s last record.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    kind: Type.Optional(OneOf(schoolKinds)),
    year: Type.Optional(Type.Integer({ minimum: 1900, maximum: 2200 })),
    courseId: Type.Optional(Id),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        ...examContext,
        ownTime: Nullable(
          Type.Integer({
            description: 'minutes that a record of the caller gets if it begins now; null: no time limit',
          }),
        ),
        year: Nullable(Type.Integer()),
        takerCount: Type.Integer(),
        openRecordId: Nullable(RecordId),
        endsAt: Nullable(Millis),
        lastRecordId: Nullable(RecordId),
        retake: Retake,
        lastScore: Nullable(Type.Number({ description: 'null, too, while it is withheld' })),
        bestScore: Nullable(Type.Number({ description: 'as `lastScore`' })),
        withheld: Type.Boolean({
          description:
            'there are scores, which are null while the caller sits a scored exam with a question of the paper',
        }),
      }),
    ),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const ListExamYears = call('GET /api/exam/year_list', {
  says: 'Years of the past papers of a pack, newest first.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({ list: Type.Array(Type.Integer()) }),
  refuses: ['notFound', 'notEnrolled'],
});

const PartShare = Nullable(
  Type.Number({ description: 'share of the points for a part of the right letters; null: exact or nothing' }),
);

export const BeforeStart = call('GET /app/exam/before_start', {
  says: 'What one should know before a paper begins: its parts, points, rules and the caller’s own time.',
  source: 'docs/decisions/065-time-of-ones-own.md',
  who: 'user',
  input: Type.Object({ examId: Id }),
  data: Type.Object({
    examId: Id,
    examName: Type.String(),
    examMode: ExamMode,
    examTime: Nullable(Type.Integer({ description: 'minutes; null: no time limit' })),
    ownTime: Nullable(
      Type.Integer({ description: 'minutes that a record of the caller gets if it begins now; null: no time limit' }),
    ),
    totalQuestion: Type.Integer(),
    totalScore: Score,
    parts: Type.Array(
      Type.Object({
        title: Type.String({ description: 'empty: of a paper without parts' }),
        count: Type.Integer(),
        score: Score,
      }),
    ),
    types: Type.Array(Type.Object({ questionTypesId: QuestionType, count: Type.Integer(), score: Score })),
    partial: PartShare,
    shuffled: Type.Boolean({ description: 'questions or options stand in another order in each record' }),
    retake: Retake,
  }),
  refuses: ['notFound', 'notEnrolled'],
});

// ---- sitting it ----

export const StartExam = call('GET /app/exam/test_start', {
  says: 'Starts a record of an exam, or resumes the one in progress; the calling window becomes the one that may save.',
  source: 'spec §7 Exam; decisions §3, §7',
  who: 'user',
  input: Type.Object({ examId: Id, windowId: Type.Optional(WindowId) }),
  data: Type.Object({ ...record, resumed: Type.Boolean() }),
  refuses: ['notFound', 'notEnrolled', 'noQuestions', 'noAttemptsLeft', 'retakeTooSoon', 'tooMany', 'madeBeforeExam'],
  writes: true,
  // New records are counted in the database, too (`STARTS`).
  limits: { perMinute: 120 },
});

export const ExamDetails = call('GET /api/exam/details', {
  says: 'The questions of a record in its own order, without keys; answers, marks and states are in /api/exam/cache.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({ recordId: RecordId }),
  data: Type.Object({
    recordId: RecordId,
    sections: Type.Array(Section),
    questions: Type.Array(Question),
    cases: Type.Array(CaseMaterial),
    similar: Similar,
    formulas: SetFormulas,
  }),
  refuses: ['notFound'],
  limits: HEAVY,
});

/** What became of an answer (spec §3 Answer record). */
const verdict = {
  isSubmit: Type.Integer({
    minimum: 0,
    maximum: 1,
    description: '1: the answer is final, because the record was handed in or the key of its question was shown',
  }),
  myScore: Nullable(Type.Number({ description: 'points earned; null while not graded, 待评分 or withheld' })),
  judgeFlag: Nullable(Type.Integer({ description: '1 right, 2 wrong; type 8 once self-scored' })),
};

const SavedAnswer = Type.Object({
  questionId: Id,
  answer: Type.String(),
  seq: Type.Integer({ description: 'client sequence number of the save that is stored' }),
  flag: YesNo,
  guess: Type.Integer({ description: '1: the student says that the answer is a guess (蒙的)' }),
  showAnswerFlag: Type.Integer({ description: '1: the key of this question has been shown, the answer is final' }),
  state: QuestionState,
  ...verdict,
});

const Place = Type.Object(
  {
    questionId: Id,
    seq: Type.Integer({ description: 'the highest number of a change that was known then' }),
  },
  { description: 'the question on the screen when a window last told the time spent; null: none has' },
);

export const ExamCache = call('GET /api/exam/cache', {
  says: 'What a record holds: saved answers, marks and remaining time.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({ recordId: RecordId, windowId: Type.Optional(WindowId) }),
  data: Type.Object({
    ...record,
    now: Type.Integer({ description: 'server time, to correct the browser’s clock' }),
    remaining: Nullable(Type.Integer({ description: 'milliseconds; null: no time limit' })),
    mayReveal: Type.Boolean({ description: 'recite mode and showing answers are allowed now' }),
    ownsWindow: Type.Boolean({ description: 'false: another window has taken over' }),
    lastSeq: Type.Integer(),
    savedAt: Nullable(
      Type.Integer({ description: 'when an answer was saved last, epoch milliseconds; null: none was' }),
    ),
    place: Nullable(Place),
    extraReason: Type.String({ description: 'why time was given back last; empty: it was not' }),
    answers: Type.Array(SavedAnswer),
  }),
  refuses: ['notFound'],
});
export const SaveQuestion = call('POST /api/exam/save_question', {
  says: 'Saves one answer. 200 only after it is on disk; the highest `seq` of a question wins; repeating is harmless, the same `seq` with another answer is refused.',
  source: 'spec §7 Exam; decisions §3 "No acknowledged answer is ever lost"',
  who: 'user',
  kept: true,
  input: Type.Object({
    examId: Id,
    recordId: RecordId,
    questionId: Id,
    answer: Answer,
    paperVersion: Type.Optional(PaperVersion),
    totalTime: Type.Optional(SecondsSpent),
    seq: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'a count or a time (milliseconds, microseconds); one far beyond the server’s clock is refused',
      }),
    ),
    windowId: Type.Optional(WindowId),
  }),
  data: Type.Object({
    savedAt: Millis,
    seq: Type.Integer({ description: 'the sequence number now stored' }),
    stale: Type.Boolean({ description: 'true: a newer answer was stored already and this one was not needed' }),
    extraTime: Type.Integer({
      description: 'as of the record: a window that slept hears of more time by its next save',
    }),
  }),
  refuses: [
    'notFound',
    'takenOver',
    'alreadySubmitted',
    'tooLate',
    'questionGone',
    'paperChanged',
    'answerMalformed',
    'seqTaken',
    'answerShown',
    'busy',
  ],
  // An answer of 20,000 characters, however they are escaped.
  bodyLimit: 256 * 1024,
  // What was typed in hours without a network goes out at once.
  limits: { inFlight: 64, perMinute: 6000, bytesPerMinute: 64 * 1024 * 1024 },
});

export const FlagQuestion = call('POST /api/exam/flag', {
  says: 'Marks a question or takes the mark away; after hand-in too, from any window of the student.',
  source: 'spec §4 Question, §7 Exam',
  who: 'user',
  input: Type.Object({
    recordId: RecordId,
    examId: Id,
    questionId: Id,
    flag: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: 'the new state; left out: toggle' })),
    windowId: Type.Optional(WindowId),
  }),
  data: Type.Object({ flag: YesNo }),
  refuses: ['notFound', 'takenOver', 'tooLate'],
  // All marks that wait go out together.
  limits: { inFlight: 512, perMinute: 6000 },
});

export const GuessQuestion = call('POST /app/exam/guess', {
  says: 'Marks an answer as a guess (蒙的), or takes that back; a right one that is a guess enters the wrong-question list when it is graded.',
  source: 'docs/decisions/023-wrong-questions.md',
  who: 'user',
  input: Type.Object({
    recordId: RecordId,
    examId: Id,
    questionId: Id,
    guess: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: 'the new state; left out: toggle' })),
    windowId: Type.Optional(WindowId),
  }),
  data: Type.Object({ guess: YesNo }),
  refuses: ['notFound', 'takenOver', 'tooLate'],
  limits: { inFlight: 512, perMinute: 6000 },
});

export const SubmitExam = call('POST /api/exam/submit', {
  says: 'Hands in, with the last unsaved answers inside; a repeated call returns the same result.',
  source: 'spec §7 Exam; decisions §3 "Hand-in is exact-once"',
  who: 'user',
  kept: true,
  input: Type.Object({
    examId: Id,
    recordId: RecordId,
    windowId: Type.Optional(WindowId),
    totalTime: Type.Optional(SecondsSpent),
    paperVersion: Type.Optional(PaperVersion),
    extraTime: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: GIVEN_MOST,
        description:
          'sent where a window hands in because the time is over: the minutes given back of which it knows. With more, the hand-in is refused and the student goes on',
      }),
    ),
    answers: Type.Optional(
      Type.Array(
        Type.Object({
          questionId: Id,
          answer: Answer,
          seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
        }),
        { maxItems: 3000 },
      ),
    ),
  }),
  data: Type.Object({
    ...Result.properties,
    late: Type.Array(Id, {
      description: 'questions whose enclosed answer came after the end and is stored as evidence only',
    }),
  }),
  refuses: ['notFound', 'takenOver', 'answerMalformed', 'paperChanged', 'seqTaken', 'moreTime'],
  // 2,000 choices and thirty long texts. What is larger is saved one by one first.
  bodyLimit: 2 * 1024 * 1024,
  limits: { inFlight: 16, perMinute: 60, bytesPerMinute: 64 * 1024 * 1024 },
});

// ---- seeing the key, where it may be seen ----

export const ShowAnswer = call('POST /app/exam/show_answer', {
  says: 'Practice only: shows the key of one question and makes its answer final.',
  source: 'spec §3 showAnswerFlag; decisions §3 "No answer leaks"',
  who: 'user',
  input: Type.Object({ recordId: RecordId, questionId: Id, windowId: Type.Optional(WindowId) }),
  data: Type.Object({ question: KeyedQuestion, state: QuestionState, showAnswerFlag: YesNo, formulas: SetFormulas }),
  refuses: ['notFound', 'keyHidden', 'takenOver', 'alreadySubmitted', 'tooLate'],
});

export const ReciteExam = call('GET /app/exam/recite', {
  says: 'Recite mode (背题) of a practice: its questions with keys.',
  source: 'spec §4 Exam; decisions §3 "No answer leaks"',
  who: 'user',
  input: Type.Object({ recordId: RecordId }),
  data: Type.Object({
    questions: Type.Array(KeyedQuestion),
    hidden: Type.Array(Id, { description: 'questions left out: the caller sits a scored exam with them right now' }),
    formulas: SetFormulas,
  }),
  refuses: ['notFound', 'noRecite'],
  limits: HEAVY,
});

/** 1 (easy) to 5; 0: the questions say none. */
const Difficulty = Type.Integer({ minimum: 0, maximum: 5 });

/** What a school has changed in a question since a record began with it. Mark and paper of the record stay as they were. */
const QuestionCorrection = Type.Object({
  correctedAt: Nullable(Millis),
  removed: Type.Boolean({ description: 'the paper does not have the question any more' }),
  question: Nullable(KeyedQuestion),
});

const ReviewedQuestion = Type.Object({
  ...KeyedQuestion.properties,
  answer: Type.String(),
  state: QuestionState,
  flag: YesNo,
  guess: SavedAnswer.properties.guess,
  ...verdict,
  ticks: Type.Array(Type.Integer(), {
    description: 'places from 0 of the scoring points that the student ticked when scoring it',
  }),
  hidden: Type.Boolean({
    description: 'true: the key, and the own letters, are withheld because a scored exam with it is open',
  }),
  correction: Nullable(QuestionCorrection),
});

export const ReviewExam = call('GET /app/exam/review', {
  says: 'Every question of a handed-in record with own answer, key and analysis.',
  source: 'spec §3 examType 2, §4 Question; decisions §3',
  who: 'user',
  input: Type.Object({ recordId: RecordId }),
  data: Type.Object({
    ...record,
    retake: Retake,
    sections: Type.Array(Section),
    questions: Type.Array(ReviewedQuestion),
    cases: Type.Array(CaseMaterial),
    similar: Similar,
    formulas: SetFormulas,
  }),
  refuses: ['notFound', 'notSubmitted'],
  limits: HEAVY,
});

export const ScoreSubjective = call('POST /app/exam/subjective_submit', {
  says: 'The student’s own score of a question of type 4 or 8 after hand-in.',
  source: 'spec §3 Answer record, §7; decisions §3 Scoring',
  who: 'user',
  input: Type.Object({
    recordId: RecordId,
    questionId: Id,
    // What no question has is refused by the rule, with its sentence, wherever it lies.
    myScore: Type.Number({ minimum: -1_000_000, maximum: 1_000_000, description: '0 to the points of the question' }),
    judgeFlag: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
    ticks: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: POINTS_MOST - 1 }), {
        maxItems: POINTS_MOST,
        description: 'places from 0 of the scoring points that the answer has; left out: those stored stay',
      }),
    ),
  }),
  data: Result,
  refuses: ['notFound', 'notSubmitted', 'scoreOutOfRange', 'notSelfScored', 'noSuchPoint', 'keyHidden'],
});

/** What the result says (decisions §3), as a code with its numbers; worded in the browser (web/exam/advice.ts). */
const Advice = Type.Union([
  Type.Object({ code: Type.Literal('pending'), count: Type.Integer({ description: 'questions without a score yet' }) }),
  Type.Object({
    code: Type.Literal('weakChapter'),
    chapterName: Type.String(),
    percent: Type.Integer({ description: 'earned of the points that have their score, rounded down' }),
  }),
  Type.Object({
    code: Type.Literal('unanswered'),
    count: Type.Integer({ description: 'questions left open' }),
    limited: Type.Boolean({
      description: 'its time limit was nearly over when it was closed: only then the clock may be why',
    }),
  }),
  Type.Object({
    code: Type.Literal('level'),
    level: OneOf(scoreLevels, { description: 'of the whole score (spec §9)' }),
  }),
]);

/** What to work on next, as a code with its numbers; worded, and led to its place, in the browser (web/exam/results/next-steps.ts). */
const NextStep = Type.Union([
  Type.Object({ code: Type.Literal('score'), count: Type.Integer({ description: 'questions without a score yet' }) }),
  Type.Object({
    code: Type.Literal('wrongOfChapter'),
    chapterId: Id,
    chapterName: Type.String(),
    count: Type.Integer({ description: 'questions of this record that stand in the wrong-question list' }),
    lost: Type.Number({ description: 'marks' }),
  }),
  Type.Object({
    code: Type.Literal('practise'),
    examId: Id,
    chapterName: Type.String(),
    percent: Type.Integer({ description: 'earned of the points of the chapter that have their score' }),
  }),
  Type.Object({
    code: Type.Literal('wrongOfType'),
    questionTypesId: QuestionType,
    count: Type.Integer({ description: 'as of `wrongOfChapter`' }),
    lost: Type.Number({ description: 'marks' }),
  }),
  Type.Object({ code: Type.Literal('review'), count: Type.Integer({ description: 'questions in today’s review' }) }),
  Type.Object({
    code: Type.Literal('again'),
    score: Type.Number(),
    pass: Type.Number({ description: 'marks from which this paper is a pass' }),
  }),
  Type.Object({
    code: Type.Literal('newChapter'),
    examId: Id,
    chapterName: Type.String(),
    totalQuestion: Type.Integer(),
  }),
  Type.Object({ code: Type.Literal('newPaper'), count: Type.Integer({ description: 'papers that were never begun' }) }),
  Type.Object({
    code: Type.Literal('wrongOfPack'),
    count: Type.Integer({ description: 'questions in the wrong-question list of the pack' }),
  }),
  Type.Object({
    code: Type.Literal('random'),
    count: Type.Integer({ description: 'questions of the pack that a random paper is drawn from' }),
  }),
]);
const Seconds = Type.Integer({
  description: 'seconds that the answers took (docs/decisions/026-statistics.md)',
});

const AverageRate = Nullable(
  Type.Number({
    description: 'share of the points of these questions that all takers earned, 0 to 1; null while withheld',
  }),
);

export const ResultTip = call('GET /app/exam/result_tip', {
  says: 'Result of a record: score, rank among all takers, time per question, comparison by chapter, type and difficulty, what to do next.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({ recordId: RecordId }),
  data: Type.Object({
    ...record,
    ...Result.properties,
    percent: Nullable(
      Type.Integer({ description: 'score as percent of the total, rounded down; null while withheld' }),
    ),
    partlyCount: Nullable(
      Type.Integer({ description: 'how many of `wrongCount` are partly right (部分正确); null while withheld' }),
    ),
    rank: Nullable(
      Type.Integer({
        description:
          '1 is best; equal scores share a rank; null when it was closed with nothing answered (未作答), when another record of the caller counts, and while a scored exam with questions of the paper is open',
      }),
    ),
    countsInRanking: Nullable(
      Type.Boolean({
        description: 'by the rule of the paper; null while that is withheld, and of teachers, who are in no ranking',
      }),
    ),
    retake: Retake,
    takerCount: Type.Integer(),
    averageScore: Nullable(Type.Number({ description: 'null, too, while a scored exam with its questions is open' })),
    byChapter: Type.Array(
      Type.Object({
        chapterId: Id,
        name: Type.String(),
        earned: Type.Number(),
        total: Type.Number(),
        pending: Type.Number({ description: 'points of `total` that still wait for a score (待评分)' }),
        averageRate: AverageRate,
        seconds: Seconds,
      }),
    ),
    byType: Type.Array(
      Type.Object({
        questionTypesId: QuestionType,
        earned: Type.Number(),
        total: Type.Number(),
        pending: Type.Number({ description: 'as of `byChapter`' }),
        count: Type.Integer(),
        pendingCount: Type.Integer({ description: 'of `count`, those that wait for their score' }),
        right: Type.Integer(),
        averageRate: AverageRate,
        seconds: Seconds,
      }),
    ),
    byDifficulty: Type.Array(
      Type.Object({
        difficulty: Difficulty,
        earned: Type.Number(),
        total: Type.Number(),
        pending: Type.Number({ description: 'as of `byChapter`' }),
        count: Type.Integer(),
        pendingCount: Type.Integer({ description: 'of `count`, those that wait for their score' }),
        right: Type.Integer(),
        averageRate: AverageRate,
        seconds: Seconds,
      }),
    ),
    answerTimes: Type.Array(
      Type.Object({
        questionId: Id,
        seconds: Seconds,
        median: Nullable(
          Type.Integer({ description: 'seconds, of all who answered it anywhere; null of fewer than three' }),
        ),
      }),
      { description: 'of the answered questions; empty where the record is not counted yet' },
    ),
    advice: Type.Array(Advice, { description: 'most useful first' }),
    steps: Type.Array(NextStep, { description: 'at most three, most useful first' }),
    rescores: Type.Array(
      Type.Object({
        questionId: Nullable(Type.Integer({ description: 'null: the paper’s rule for partly right answers' })),
        questionNumber: Nullable(
          Type.Integer({ description: 'its place in the record, from 1; 0: not there any more; null: of a rule' }),
        ),
        rule: Nullable(
          Type.Object(
            { before: PartShare, after: PartShare },
            { description: 'the rule for partly right answers of its paper; null: of a question' },
          ),
        ),
        rescoredAt: Millis,
        reason: Type.String({ description: 'plain text of the teacher' }),
        scoreBefore: Type.Number(),
        scoreAfter: Type.Number(),
      }),
      { description: 'how the record was graded again after corrections, oldest first' },
    ),
  }),
  refuses: ['notFound', 'notSubmitted'],
  limits: HEAVY,
});

// ---- looking back ----

/** What was answered, as it was graded. Points of the questions, and what of them was not earned. */
const figures = {
  done: Type.Integer({ description: 'graded answers; a question that was answered twice counts twice' }),
  right: Type.Integer(),
  seconds: Seconds,
  total: Type.Number(),
  lost: Type.Number(),
};

export const ExamStatistics = call('GET /api/exam/statistics', {
  says: 'The caller’s figures of a pack: done, right, time and points, in all and by chapter, type and difficulty; newest records; days studied.',
  source: 'spec §7 Exam; decisions §3',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    packId: Id,
    ...figures,
    byChapter: Type.Array(Type.Object({ chapterId: Id, name: Type.String(), ...figures }), {
      description: 'in the order of the pack; chapters without an answer are left out',
    }),
    byType: Type.Array(Type.Object({ questionTypesId: QuestionType, ...figures })),
    byDifficulty: Type.Array(Type.Object({ difficulty: Difficulty, ...figures })),
    records: Type.Array(
      Type.Object({
        recordId: RecordId,
        examName: Type.String(),
        kind: ExamKind,
        submittedAt: Millis,
        graded: Type.Integer({ description: 'graded answers of the record' }),
        right: Type.Integer(),
        percent: Type.Integer({ description: 'score as percent of the total, rounded down' }),
        pendingCount: Type.Integer(),
      }),
      { description: 'the newest that are handed in, oldest first, without those that have something withheld' },
    ),
    days: Type.Array(
      Type.Object({
        date: Type.String({ description: 'China’s day, YYYY-MM-DD' }),
        answered: Type.Integer({ description: 'answers that were handed in or whose key was shown on that day' }),
        seconds: Seconds,
      }),
      { description: 'days with an answer among the last 26 weeks, in order' },
    ),
    withheld: Type.Boolean({
      description: 'chapters are left out while the caller sits a scored exam with a question of them',
    }),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

const RecordLine = Type.Object({
  ...record,
  closed: Nullable(Result.properties.closed),
  score: Nullable(Type.Number({ description: 'null before hand-in, and while it is withheld' })),
  withheld: Result.properties.withheld,
  pendingCount: Type.Integer(),
  doneCount: Type.Integer(),
  packName: Type.String(),
});

export const MyExams = call('GET /api/user/exam_list', {
  says: 'The caller’s records, newest first.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({
    packId: Type.Optional(Id),
    kind: Type.Optional(ExamKind),
    state: Type.Optional(OneOf(['open', 'closed'])),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Page(RecordLine),
  limits: HEAVY,
});

export const ExamHistory = call('POST /app/exam/history', {
  says: 'Earlier records of one exam, newest first.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({ examId: Id }),
  data: Type.Object({ list: Type.Array(RecordLine) }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
  inTurn: true,
});

export const TestHistory = call('POST /app/exam/test_history', {
  says: 'Earlier records of one timed test (testType 11), newest first.',
  source: 'spec §7 Exam; decisions §3',
  who: 'user',
  input: Type.Object({ examId: Id }),
  data: Type.Object({ list: Type.Array(RecordLine) }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
  inTurn: true,
});

export const TakeOver = call('POST /app/exam/take_over', {
  says: 'Makes the calling window the one that may save; the other window turns read-only.',
  source: 'decisions §3 "Two tabs or two devices"',
  who: 'user',
  input: Type.Object({ recordId: RecordId, windowId: WindowId }),
  data: Nothing,
  refuses: ['notFound', 'alreadySubmitted'],
});

export const NoteTimeSpent = call('POST /app/exam/time_spent', {
  says: 'Notes the seconds that a student has spent on an open record, reading included, and which question is on the screen: a window says so when it is left. The greatest count stands.',
  source: 'docs/decisions/067-what-time-was-spent.md; docs/decisions/012-where-one-was.md',
  who: 'user',
  input: Type.Object({
    recordId: RecordId,
    windowId: Type.Optional(WindowId),
    totalTime: SecondsSpent,
    questionId: Type.Optional(Id),
    seq: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  data: Type.Object({
    totalTime: Type.Integer({ description: 'seconds as they stand now, never more than the record has been open' }),
  }),
  refuses: ['notFound', 'takenOver', 'alreadySubmitted', 'tooLate'],
});

/** What the windows of a record hear. */
const RecordEvent = Type.Union([
  Type.Object({ event: Type.Literal('takenOver'), windowId: Nullable(Type.String()) }),
  Type.Object({ event: Type.Literal('submitted') }),
  Type.Object({
    event: Type.Literal('timeGiven'),
    endsAt: Millis,
    extraTime: Type.Integer({ description: 'minutes, all together' }),
    reason: Type.String(),
  }),
]);

export const WatchRecord = socket('/app/exam/watch', {
  says: 'Tells a window within moments that another one took the record over, that time was given back, or that the record was closed.',
  source: 'decisions §3 "Two tabs or two devices"',
  who: 'user',
  input: Type.Object({ recordId: RecordId, windowId: Type.Optional(Type.String({ maxLength: 64 })) }),
  message: RecordEvent,
});
