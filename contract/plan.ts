import { Type } from 'typebox';
import { call, HEAVY, Id, Nothing, Nullable, OneOf, YesNo } from './call.ts';
import { OwnPaperName } from './exam-paper.ts';
import { leftOutKinds, MOST_LEFT_OUT, PLAN_MOST, planKinds } from './values/plan.ts';

// 今日: what a student does today and in the days up to the exam, within the minutes that they set.

/** Each call may make a paper that stays. */
const MAKES_PAPER = { inFlight: 4, perMinute: 60 } as const;

const Day = Type.String({ description: 'a day in China, YYYY-MM-DD' });
const Minutes = Type.Integer({ minimum: 0, maximum: PLAN_MOST, description: 'minutes; 0: a day off' });
const Week = Type.Array(Minutes, { minItems: 7, maxItems: 7, description: 'from Monday to Sunday' });
const Spent = Type.Integer({ description: 'minutes that it takes' });
const LeftOutKind = OneOf(leftOutKinds, {
  description: 'a pack as a whole · a chapter of the first level with all below it · a paper',
});
const LeftOutId = Type.Integer({ ...Id, description: 'of the pack, the chapter or the exam' });

/** What a task is about. */
const about = {
  kind: OneOf(planKinds, { description: 'a lesson · questions of a chapter · due reviews · a whole paper' }),
  packId: Id,
  packName: Type.String(),
  name: Type.String({ description: 'of the lesson, the chapter or the paper; empty for reviews' }),
  minutes: Spent,
  count: Type.Integer({ description: 'questions of a practice or a review, else 0' }),
};

const Task = Type.Object({
  ...about,
  part: YesNo,
  done: YesNo,
  doneCount: Type.Integer({ description: 'of `count`, those that were answered today' }),
  firstVideoId: Nullable(Type.Integer({ description: 'the lesson' })),
  chapterId: Nullable(Type.Integer({ description: 'the chapter of a practice' })),
  examId: Nullable(Type.Integer({ description: 'the paper; of a practice the one that is open' })),
  recordId: Nullable(Type.Integer({ description: 'the open record of `examId`' })),
});

const Leave = Type.Object({
  packId: Id,
  packName: Type.String(),
  kind: LeftOutKind,
  id: LeftOutId,
  name: Type.String(),
  minutes: Spent,
});

export const PlanToday = call('GET /app/plan/today', {
  says: 'What the caller does today and in the week ahead, made once a day from what is left up to the exams, within the minutes a day that they set; what cannot fit is said, with two ways out.',
  source: 'docs/decisions/046-plan.md',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({
    date: Day,
    weekMinutes: Week,
    chosen: YesNo,
    begun: Type.Integer({
      ...YesNo,
      description: '1: the caller has opened a lesson, or begun a practice or paper of these packs',
    }),
    tasks: Type.Array(Task, { description: 'of today, in their order' }),
    moved: Type.Integer({ description: 'tasks of the last day of study that were not done and have moved on' }),
    week: Type.Array(
      Type.Object({
        date: Day,
        off: YesNo,
        minutes: Spent,
        tasks: Type.Array(Type.Object(about)),
        exams: Type.Array(Type.String(), { description: 'packs whose exam is on that day' }),
      }),
      { description: 'the days after today' },
    ),
    packs: Type.Array(
      Type.Object({
        packId: Id,
        packName: Type.String(),
        examDate: Nullable(Day),
        ownExamDate: Nullable(
          Type.String({ description: 'as the caller set it; null: `examDate` is that of the pack' }),
        ),
        packExamDate: Nullable(Day),
        daysLeft: Nullable(Type.Integer({ description: 'negative once it is over, null without a date' })),
        planned: YesNo,
        minutesLeft: Type.Integer({ description: 'minutes of lessons, questions and papers that are left' }),
        finishDate: Nullable(Type.String({ description: 'the day on which the last lesson and question is seen' })),
        lackingMinutes: Type.Integer({ description: 'minutes that do not fit before the exam' }),
      }),
    ),
    lacking: Nullable(
      Type.Object({
        minutes: Type.Integer({ description: 'that do not fit before the exams' }),
        moreMinutes: Nullable(
          Type.Integer({ description: 'a day, by which all would fit; null: not even the longest days are enough' }),
        ),
        leave: Type.Array(Leave, { description: 'what could be left out instead, so that the rest fits' }),
        enough: YesNo,
      }),
    ),
    leftOut: Type.Array(Type.Omit(Leave, ['minutes']), { description: 'what the caller has left out' }),
  }),
  limits: HEAVY,
});

export const SavePlanMinutes = call('POST /app/plan/minutes', {
  says: 'Sets how many minutes the caller studies on each day of the week; the rest of today is laid out anew.',
  source: 'docs/decisions/046-plan.md',
  who: 'user',
  input: Type.Object({ weekMinutes: Week }),
  data: Nothing,
  refuses: ['noStudyDay'],
});

export const StartPlanPractice = call('POST /app/plan/practice_start', {
  says: 'Makes a practice of the questions of a chapter that are planned for today and were never answered, or gives the one that is open.',
  source: 'docs/decisions/046-plan.md',
  who: 'enrolled',
  input: Type.Object({ packId: Id, chapterId: Id, name: OwnPaperName }),
  data: Type.Object({ examId: Id }),
  refuses: ['notFound', 'notEnrolled', 'noQuestions', 'tooMany', 'madeBeforeExam'],
  limits: MAKES_PAPER,
});

export const LeaveOut = call('POST /app/plan/leave_out', {
  says: 'Leaves packs, chapters or papers out of the caller’s plan, or takes them in again; twice is the same as once.',
  source: 'docs/decisions/046-plan.md',
  who: 'user',
  input: Type.Object({
    out: YesNo,
    list: Type.Array(Type.Object({ packId: Id, kind: LeftOutKind, id: LeftOutId }), {
      minItems: 1,
      maxItems: MOST_LEFT_OUT,
    }),
  }),
  data: Nothing,
  refuses: ['notFound', 'notEnrolled', 'leftOutFull'],
});
