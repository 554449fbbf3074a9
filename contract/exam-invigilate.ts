import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nullable, Page, PageNum, PageSize } from './call.ts';
import { GIVE_MOST, GIVE_REASON_LONGEST, GIVE_TO_MOST } from './values/exam.ts';

// Who sits an exam now, and time that is given back to them (补时), for teachers.

const Minutes = Type.Integer({ minimum: 1, maximum: GIVE_MOST, description: 'minutes given' });

export const ListSitting = call('GET /app/exam/sitting', {
  says: 'Who sits a paper with an end now, the soonest end first, and which papers these are.',
  source: 'docs/decisions/029-points-and-time.md',
  who: 'teacher',
  input: Type.Object({ examId: Type.Optional(Id), pageNum: PageNum, pageSize: PageSize }),
  data: Type.Object({
    ...Page(
      Type.Object({
        recordId: Id,
        examId: Id,
        examName: Type.String(),
        nickname: Type.String(),
        validPhoneExt: Type.String({ description: 'masked' }),
        startedAt: Millis,
        endsAt: Millis,
        extraTime: Type.Integer({ description: 'minutes given back so far' }),
        savedAt: Nullable(Type.Integer({ description: 'the newest save, epoch milliseconds' })),
        answeredCount: Type.Integer(),
        totalQuestion: Type.Integer(),
      }),
    ).properties,
    now: Type.Integer({ description: 'server time' }),
    papers: Type.Array(
      Type.Object({ examId: Id, examName: Type.String(), packName: Type.String(), count: Type.Integer() }),
      { description: 'papers that somebody sits now, whatever the filter; those with most first, at most 200' },
    ),
  }),
  limits: HEAVY,
});

export const GiveTime = call('POST /app/exam/give_time', {
  says: 'Gives time back (补时) to some who sit a paper, or to all, with a reason that is kept; the same `giveKey` gives once.',
  source: 'docs/decisions/029-points-and-time.md',
  who: 'teacher',
  input: Type.Object({
    giveKey: Type.String({ minLength: 8, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$', examples: ['give-0001'] }),
    examId: Id,
    recordIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: GIVE_TO_MOST, uniqueItems: true, description: 'left out: all' }),
    ),
    minutes: Minutes,
    reason: Type.String({ minLength: 1, maxLength: GIVE_REASON_LONGEST, pattern: '\\S' }),
  }),
  data: Type.Object({
    count: Type.Integer({ description: 'records that got the time' }),
    closed: Type.Integer({ description: 'of those asked for, handed in meanwhile' }),
    tooMuch: Type.Integer({ description: 'of those asked for, given two days already' }),
  }),
  refuses: ['notFound', 'nobodySits', 'allHandedIn', 'noTimeLimit', 'tooMuchTime', 'givenOtherwise'],
});

export const ListGivenTime = call('GET /app/exam/given_time', {
  says: 'Time that was given back, newest first: to how many, by whom and why.',
  source: 'docs/decisions/029-points-and-time.md',
  who: 'teacher',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Page(
    Type.Object({
      id: Id,
      examName: Type.String(),
      packName: Type.String(),
      minutes: Minutes,
      reason: Type.String(),
      doneBy: Type.String({ description: 'the teacher, or the account of an operator' }),
      givenAt: Millis,
      count: Type.Integer({ description: 'records that got it' }),
    }),
  ),
  limits: HEAVY,
});
