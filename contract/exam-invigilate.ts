import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nothing, Nullable, OneOf, Page, PageNum, PageSize } from './call.ts';
import {
  ACCOMMODATION_MOST,
  accommodationPercents,
  GIVE_MOST,
  GIVE_REASON_LONGEST,
  GIVE_TO_MOST,
} from './values/exam.ts';
import { PHONE_LONGEST } from './values/user.ts';

// Who sits an exam now, time that is given back to them (补时), and time that a student has of their own (延长考试时间), for teachers.

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
        accommodation: Type.Integer({ description: 'minutes that the student had of their own at the start' }),
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

const Percent = OneOf(accommodationPercents, { description: 'of the usual time' });
const MoreMinutes = Type.Integer({ minimum: 1, maximum: ACCOMMODATION_MOST, description: 'on top of the usual time' });

export const SetAccommodation = call('POST /app/exam/set_accommodation', {
  says: 'Grants a student more time in every paper with an end that begins from now on, in one pack or in all; it takes the place of what was set there before.',
  source: 'docs/decisions/065-time-of-ones-own.md',
  who: 'teacher',
  input: Type.Object({
    phone: Type.String({ minLength: 1, maxLength: PHONE_LONGEST, description: 'of the student' }),
    packId: Type.Optional(Id),
    percent: Type.Optional(Percent),
    minutes: Type.Optional(MoreMinutes),
    reason: Type.String({ minLength: 1, maxLength: GIVE_REASON_LONGEST, pattern: '\\S' }),
  }),
  data: Type.Object({ id: Id, nickname: Type.String() }),
  refuses: ['phoneWrong', 'noSuchStudent', 'studentNotEnrolled', 'notFound', 'busy'],
});

export const EndAccommodation = call('POST /app/exam/end_accommodation', {
  says: 'Ends what was granted: papers that begin from now on have the usual time. It stays in the list.',
  source: 'docs/decisions/065-time-of-ones-own.md',
  who: 'teacher',
  input: Type.Object({ id: Id }),
  data: Nothing,
  refuses: ['notFound'],
});

export const ListAccommodations = call('GET /app/exam/accommodations', {
  says: 'More time that students were granted: what holds first, then what has ended, each with its reason and who set it; the packs of the school.',
  source: 'docs/decisions/065-time-of-ones-own.md',
  who: 'teacher',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Type.Object({
    ...Page(
      Type.Object({
        id: Id,
        nickname: Type.String(),
        validPhoneExt: Type.String({ description: 'masked' }),
        packName: Nullable(Type.String({ description: 'null: in every pack' })),
        percent: Nullable(Percent),
        minutes: Nullable(MoreMinutes),
        reason: Type.String(),
        setBy: Type.String({ description: 'the teacher' }),
        setAt: Millis,
        endedBy: Nullable(Type.String()),
        endedAt: Nullable(Millis),
      }),
    ).properties,
    packs: Type.Array(Type.Object({ packId: Id, packName: Type.String() })),
  }),
  limits: HEAVY,
});
