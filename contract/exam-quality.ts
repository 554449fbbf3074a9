import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nullable, OneOf, PageSize } from './call.ts';
import { CaseMaterial, ExamKind, GradeModeOut, KeyedQuestion, QuestionType } from './exam.ts';
import {
  ANSWER_LONGEST,
  CORRECTION_REASON_LONGEST,
  gradeModes,
  lookReasons,
  RETIRE_REASON_LONGEST,
} from './values/exam.ts';

const SOURCE = 'docs/decisions/028-question-quality-and-corrections.md';

const Reasons = Type.Array(
  OneOf(lookReasons, {
    description:
      'keyBeaten: good students give another answer more often than the key · negative: poor students are right more often · reported · weak: hardly tells good from poor',
  }),
);
const Share = Nullable(Type.Number({ description: '0 to 1; null while there are too few answers' }));

/** How a question fared with the first answer of each student. */
const quality = {
  questionId: Id,
  questionTypesId: QuestionType,
  topic: Type.String({ description: 'sanitized HTML' }),
  chapterId: Id,
  chapterName: Type.String(),
  gradeMode: GradeModeOut,
  answered: Type.Integer({ description: 'students whose first answer is counted' }),
  rightRate: Share,
  discrimination: Nullable(
    Type.Number({ description: '-1 to 1: upper less lower 27 % (Kelley); null below 40 students' }),
  ),
  letters: Type.Array(
    Type.Object({
      letter: Type.String(),
      right: Type.Boolean(),
      all: Type.Integer({ description: 'students who chose it, whatever else they chose' }),
      upper: Share,
      lower: Share,
    }),
    { description: 'empty for texts' },
  ),
  reports: Type.Integer({ description: 'reports of students that are not decided' }),
  reasons: Reasons,
};

export const QualityChoices = call('GET /app/question/quality_choices', {
  says: 'The packs whose questions a teacher can look at, and the chapters of one with how many of its questions need a look.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ packId: Type.Optional(Id) }),
  data: Type.Object({
    packId: Nullable(Type.Integer({ description: 'the one asked for, else the first; null: there is none' })),
    packs: Type.Array(Type.Object({ packId: Id, packName: Type.String() })),
    chapters: Type.Array(Type.Object({ chapterId: Id, name: Type.String(), level: Type.Integer() })),
    looks: Type.Integer({ description: 'questions of the pack that need a look; 100 stands for more, too' }),
  }),
});

export const QualityLooks = call('GET /app/question/quality_looks', {
  says: 'How many questions need a look, of each pack that has some; those with most first.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({}),
  data: Type.Object({
    total: Type.Integer(),
    packs: Type.Array(Type.Object({ packId: Id, packName: Type.String(), looks: Type.Integer() })),
  }),
  limits: HEAVY,
});

export const ListQuality = call('GET /app/question/quality_list', {
  says: 'Questions on offer of a pack, or its retired ones, with how they fare: those that need a look first, then the newest.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({
    packId: Type.Optional(Id),
    chapterId: Type.Optional(Id),
    questionTypesId: Type.Optional(Type.Integer({ minimum: 0, maximum: 8, description: '0: every type' })),
    text: Type.Optional(Type.String({ maxLength: 60, description: 'a part of the question’s text' })),
    only: Type.Optional(
      OneOf(['look', 'retired'], {
        description: 'look: only those that need a look · retired: those that a person has taken out, and no others',
      }),
    ),
    after: Type.Optional(
      Type.String({
        pattern: '^\\d{1,6}\\.\\d{1,15}$',
        maxLength: 22,
        examples: ['8.1'],
        description: '`next` of the page before',
      }),
    ),
    pageSize: PageSize,
  }),
  data: Type.Object({
    list: Type.Array(Type.Object(quality)),
    next: Nullable(Type.String({ description: 'for the page behind; null: this is the last' })),
  }),
  refuses: ['notFound'],
  limits: HEAVY,
});

const Change = Type.Object({
  field: OneOf([
    'right',
    'analysis',
    'gradeMode',
    'score',
    'partial',
    'topic',
    'options',
    'questionTypesId',
    'chapter',
    'material',
  ]),
  before: Type.String({
    description:
      'HTML where the field has it; empty where only that it changed is known, and of a rule that gives nothing',
  }),
  after: Type.String(),
  examName: Nullable(Type.String({ description: 'of points in a paper, and of its rule for partly right answers' })),
});

const OneQuality = Type.Object({
  ...quality,
  packId: Id,
  packName: Type.String(),
  archived: Type.Boolean({ description: 'the school has taken it out' }),
  retired: Nullable(
    Type.Object(
      {
        at: Millis,
        nickname: Nullable(Type.String({ description: 'of the teacher; null: by the operator’s command' })),
        reason: Type.String(),
      },
      { description: 'that a person has taken it out; null: nobody has, though a file may have' },
    ),
  ),
  question: KeyedQuestion,
  cases: Type.Array(CaseMaterial),
  group: Type.Integer({ description: 'students in the upper and in the lower group, rounded; 0: too few answers' }),
  answers: Type.Array(
    Type.Object({
      answer: Type.String({ description: 'letters; of a text `=1` right, `=2` wrong, `=3` partly' }),
      all: Type.Integer(),
      upper: Share,
      lower: Share,
    }),
    { description: 'the most frequent first, ten at most' },
  ),
  papers: Type.Array(
    Type.Object({ examId: Id, name: Type.String(), kind: ExamKind, score: Type.Number(), archived: Type.Boolean() }),
    { description: 'the papers and practices that have it, with the points it gives there' },
  ),
  standing: Type.String({ description: 'what a correction has to name: it is another as soon as the question is' }),
  history: Type.Array(
    Type.Object({
      correctionId: Id,
      madeAt: Millis,
      nickname: Nullable(Type.String({ description: 'of the teacher; null: an import' })),
      reason: Nullable(Type.String()),
      changes: Type.Array(Change),
      rescored: Type.Integer({ description: 'records in which it changed something' }),
      done: Type.Boolean({
        description:
          'false: records are still looked for or re-scored, or wait for a hand-in; true: none gets this correction any more, papers that students put together among them',
      }),
      waiting: Type.Integer({
        description:
          'records that are scored by it only once their students hand in what they have open now: the record itself, or a scored exam with what is re-scored in it; papers that students put together once they are found, some seconds later',
      }),
    }),
    { description: 'newest first, fifty at most' },
  ),
});

export const ReadQuality = call('GET /app/question/quality', {
  says: 'One question with its key, its figures, the papers that have it and everything that was changed in it.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ questionId: Id }),
  data: OneQuality,
  refuses: ['notFound'],
});

const correction = {
  questionId: Id,
  standing: Type.String({ minLength: 1, maxLength: 16, description: 'of the question as the teacher looked at it' }),
  rightAnswer: Type.Optional(
    Type.String({ maxLength: ANSWER_LONGEST, description: 'letters as stored, or the text of types 4 and 8' }),
  ),
  answerAnalysis: Type.Optional(
    Type.String({ maxLength: ANSWER_LONGEST, description: 'as in a cell of a spreadsheet of questions' }),
  ),
  gradeMode: Type.Optional(OneOf(gradeModes)),
  scores: Type.Optional(
    Type.Array(Type.Object({ examId: Id, score: Type.Number({ minimum: 0.5, maximum: 100 }) }), {
      maxItems: 100,
      description: 'points in papers',
    }),
  ),
};
const REFUSES = ['notFound', 'answerMalformed', 'nothingToCorrect', 'correctedMeanwhile', 'richTextFaulty'] as const;

export const PreviewCorrection = call('POST /app/question/correction_preview', {
  says: 'What a correction would change in records that are over, before and after. Does nothing.',
  source: `decisions §3; ${SOURCE}`,
  who: 'teacher',
  input: Type.Object(correction),
  data: Type.Object({
    records: Type.Integer({ description: 'closed records that would be graded again' }),
    students: Type.Integer(),
    gaining: Type.Integer({ description: 'students who gain points in any of them' }),
    losing: Type.Integer(),
    passing: Type.Integer({ description: 'records that reach the pass mark by it' }),
    failing: Type.Integer({ description: 'records that fall below it' }),
    open: Type.Integer({
      description:
        'records in progress, of papers that students put together too: graded again when they are handed in',
    }),
    own: Type.Integer({
      description:
        'closed records of papers that students put together and that have the question; in no other figure here',
    }),
    papers: Type.Array(
      Type.Object({
        examId: Id,
        name: Type.String(),
        records: Type.Integer(),
        averageBefore: Type.Number(),
        averageAfter: Type.Number(),
        totalBefore: Type.Number(),
        totalAfter: Type.Number(),
        passedBefore: Type.Integer(),
        passedAfter: Type.Integer(),
      }),
    ),
  }),
  refuses: REFUSES,
  limits: HEAVY,
  bodyLimit: 256 * 1024,
});

export const CorrectQuestion = call('POST /app/question/correct', {
  says: 'Corrects a question: who begins from now on gets the corrected one, records that are over are graded again in the background.',
  source: `decisions §3; ${SOURCE}`,
  who: 'teacher',
  input: Type.Object({
    ...correction,
    reason: Type.String({
      minLength: 1,
      maxLength: CORRECTION_REASON_LONGEST,
      pattern: '\\S',
      description: 'plain text; students whose result changes read it',
    }),
  }),
  data: OneQuality,
  refuses: REFUSES,
  limits: HEAVY,
  bodyLimit: 256 * 1024,
});

const changedPapers = {
  question: OneQuality,
  papers: Type.Array(
    Type.Object({
      name: Type.String(),
      totalQuestion: Type.Integer(),
      totalScore: Type.Number(),
      passScore: Nullable(Type.Number({ description: 'it may be above the points that are left' })),
    }),
    { description: 'papers on offer that it left or came back to, as they are now' },
  ),
  open: Type.Integer({ description: 'records in progress, which go on with the paper that they began with' }),
};

export const RetireQuestion = call('POST /app/question/retire', {
  says: 'Takes a question out of everything new: papers, practices, reviews and random papers. Records, explanations and wrong-question lists keep it, and no import brings it back.',
  source: 'docs/decisions/068-which-question-a-row-is.md',
  who: 'teacher',
  input: Type.Object({
    questionId: Id,
    reason: Type.String({
      minLength: 1,
      maxLength: RETIRE_REASON_LONGEST,
      pattern: '\\S',
      description: 'plain text, for teachers',
    }),
  }),
  data: Type.Object(changedPapers),
  refuses: ['notFound', 'questionRetired', 'onlyQuestion'],
  limits: HEAVY,
});

export const RestoreQuestion = call('POST /app/question/restore', {
  says: 'Brings a retired question back to the papers and practices that it left.',
  source: 'docs/decisions/068-which-question-a-row-is.md',
  who: 'teacher',
  input: Type.Object({ questionId: Id }),
  data: Type.Object(changedPapers),
  refuses: ['notFound', 'questionNotRetired'],
  limits: HEAVY,
});
