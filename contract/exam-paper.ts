import { Type } from 'typebox';
import { call, HEAVY, Id, Nullable, OneOf } from './call.ts';
import { CaseMaterial, ExamKind, KeyedQuestion, QuestionType, Section } from './exam.ts';
import { OWN_PAPER_MOST, questionTypes, RANDOM_MINUTES, RANDOM_SCORE } from './values/exam.ts';

// Papers as a whole: random ones, which a student has drawn for themselves, and any paper on paper.

/** The same for two presses of one button: the second one gets what the first one made. */
export const RequestId = Type.String({ minLength: 8, maxLength: 40, pattern: '^[A-Za-z0-9_-]+$' });
export const OwnPaperName = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '\\S',
  description: 'how it stands in the own records',
});

const BlueprintLines = Type.Array(
  Type.Object({
    questionTypesId: OneOf(questionTypes),
    count: Type.Integer({ minimum: 1, maximum: OWN_PAPER_MOST }),
    score: Type.Number({
      minimum: RANDOM_SCORE.least,
      maximum: RANDOM_SCORE.most,
      multipleOf: RANDOM_SCORE.step,
      description: 'points of each of them',
    }),
  }),
  {
    minItems: 1,
    maxItems: questionTypes.length,
    description: `each type once, at most ${OWN_PAPER_MOST} questions in all; the order is that of the paper`,
    examples: [[{ questionTypesId: 2, count: 1, score: 2 }]],
  },
);

export const RandomOptions = call('GET /app/exam/random_options', {
  says: 'What a random paper of a pack can be drawn from: how many questions of each type each chapter has by itself.',
  source: 'docs/decisions/027-random-papers-and-paper.md',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    chapters: Type.Array(
      Type.Object({
        chapterId: Id,
        parentId: Nullable(Id),
        courseId: Id,
        courseName: Type.String(),
        name: Type.String(),
        level: Type.Integer(),
        types: Type.Array(
          Type.Object({
            questionTypesId: QuestionType,
            count: Type.Integer({ description: 'on offer in this chapter alone, not in those below it' }),
          }),
        ),
      }),
    ),
    last: Nullable(
      Type.Object(
        {
          chapterIds: Nullable(Type.Array(Id, { description: 'null: the whole pack' })),
          lines: BlueprintLines,
          examTime: Type.Integer(),
        },
        { description: 'as the caller wanted the newest random paper of the pack; null: there is none' },
      ),
    ),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const MakeRandomPaper = call('POST /app/exam/random_paper', {
  says: 'Draws a scored, timed paper for the caller alone: so many questions of each type from chapters with all below them, what was never answered first, then what was answered longest ago.',
  source: 'docs/decisions/027-random-papers-and-paper.md',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    name: OwnPaperName,
    chapterIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true, description: 'left out: the whole pack' }),
    ),
    lines: BlueprintLines,
    examTime: Type.Integer({ minimum: RANDOM_MINUTES.least, maximum: RANDOM_MINUTES.most, description: 'minutes' }),
    requestId: Type.Optional(RequestId),
  }),
  data: Type.Object({ examId: Id, totalQuestion: Type.Integer(), totalScore: Type.Number() }),
  refuses: ['notFound', 'notEnrolled', 'bankTooSmall', 'tooMany'],
  // Each call makes a paper that stays.
  limits: { inFlight: 4, perMinute: 60 },
  inTurn: true,
});

export const PrintPaper = call('GET /app/exam/print', {
  says: 'A paper as it is printed: as the caller’s record shows it, else as it stands; keys only where the caller may see them now.',
  source: 'docs/decisions/027-random-papers-and-paper.md',
  who: 'user',
  input: Type.Object({
    examId: Id,
    recordId: Type.Optional(
      Type.Integer({ ...Id, description: 'one of the caller’s of this exam; left out: the newest' }),
    ),
  }),
  data: Type.Object({
    examId: Id,
    recordId: Nullable(Id),
    examName: Type.String(),
    packName: Type.String(),
    kind: ExamKind,
    examTime: Nullable(Type.Integer({ description: 'minutes; null: no time limit' })),
    totalQuestion: Type.Integer(),
    totalScore: Type.Number(),
    sections: Type.Array(Section),
    questions: Type.Array(KeyedQuestion, { description: '`showAnswerFlag` 0: without its key' }),
    cases: Type.Array(CaseMaterial),
    keys: Type.Boolean({ description: 'false: the caller may see no key of this paper now' }),
    withheld: Type.Boolean({ description: 'true: some keys are left out, as the caller sits a scored exam with them' }),
  }),
  refuses: ['notFound', 'notEnrolled', 'printAfterStart', 'madeBeforeExam'],
  limits: HEAVY,
});
