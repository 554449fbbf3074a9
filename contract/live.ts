import { Type } from 'typebox';
import { ClientId, call, HEAVY, Id, Millis, Nullable, OneOf, Page, PageNum, PageSize } from './call.ts';
import { LIVE_ADDRESS_LONGEST, livePlatforms, liveStates, streamStates } from './values/live.ts';

const SOURCE = 'docs/decisions/055-live-lessons.md';

/** What everybody may know of a live lesson. */
const planned = {
  id: Id,
  packId: Id,
  packName: Type.String(),
  title: Type.String(),
  state: OneOf(liveStates, { description: '1 upcoming, 2 live, 3 replay, 4 ended' }),
  startDateExt: Type.String({ description: 'the day on which it begins in China, YYYY-MM-DD' }),
  startTime: Millis,
  endTime: Type.Integer({ description: 'until when it is planned, epoch milliseconds' }),
  teacherName: Type.String(),
  teacherAvatarUrl: Type.String({ description: 'empty: none' }),
};
const PlannedLive = Type.Object(planned);

/** A live lesson as one person sees it (spec §3). */
const LiveLesson = Type.Object({
  ...planned,
  appointmentState: Type.Integer({ minimum: 0, maximum: 1, description: '0 not booked, 1 booked by the caller' }),
  freeState: Type.Integer({
    minimum: 0,
    maximum: 1,
    description: '1 its pack costs nothing; joining it is needed all the same',
  }),
  buyState: Type.Integer({ minimum: 0, maximum: 1, description: '1 the caller has its pack and may enter' }),
  livePlatform: Type.Integer({ description: '0 the room of this site, 1 another platform' }),
  roomId: Type.Integer({ description: 'the room of this site; 0: it is held on another platform' }),
  connectState: Type.Integer({ description: '1 a stream arrives in the room of this site, else 0' }),
  streamState: OneOf(streamStates, {
    description: 'of the room of this site; elsewhere `waiting` or `ended`, by the clock',
  }),
  replayFileId: Type.Integer({
    description:
      'the replay of the room of this site as GET /app/video/auth takes it; 0: there is none, or the caller may not enter',
  }),
  liveUrlPc: Type.String({
    description: 'address on another platform; empty until it is live or has a replay, and to who may not enter',
  }),
  liveUrlH5: Type.String({ description: 'the same for phones' }),
});

export const ListLives = call('GET /app/live/list', {
  says: 'The live lessons of a pack, or of all packs of the caller: what is live or to come first, the soonest first, then what is over, the newest first.',
  source: 'spec §3 Live lesson, §7 Live; decisions §5',
  who: 'user',
  input: Type.Object({
    packId: Type.Optional(Type.Integer({ ...Id, description: 'left out: all packs that the caller has' })),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Page(LiveLesson),
  refuses: ['notFound'],
  limits: HEAVY,
});

export const LiveRoom = call('GET /app/live/room', {
  says: 'One live lesson, for who may enter it: who has its pack, and teachers.',
  source: 'spec §6; decisions §2, §5',
  who: 'user',
  input: Type.Object({ liveId: Id }),
  data: LiveLesson,
  refuses: ['notFound', 'notEnrolled'],
});

export const BookLive = call('POST /app/live/appointment', {
  says: 'Books a live lesson that has not begun: its student is told when it begins. Twice is the same as once.',
  source: 'spec §4 Live lesson; decisions §2, §5',
  who: 'user',
  input: Type.Object({ liveId: Id }),
  data: LiveLesson,
  refuses: ['notFound', 'notEnrolled', 'liveBegun'],
});

export const CancelBooking = call('POST /app/live/appointment_cancel', {
  says: 'Takes a booking back. Twice is the same as once.',
  source: 'spec §4 Live lesson; decisions §2',
  who: 'user',
  input: Type.Object({ liveId: Id }),
  data: LiveLesson,
  refuses: ['notFound', 'notEnrolled'],
});

export const LiveCalendar = call('GET /app/live/calendar', {
  says: 'A live lesson as a calendar file (RFC 5545), for who may enter it.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({
    liveId: Id,
    site: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^https?://[A-Za-z0-9.:\\[\\]-]+$',
        examples: ['https://lixue.example.cn'],
        description: 'what the caller’s browser calls this site: the entry leads to the lesson there',
      }),
    ),
  }),
  data: Type.Object({ fileName: Type.String(), text: Type.String({ description: 'text/calendar' }) }),
  refuses: ['notFound', 'notEnrolled'],
});

export const ListSchoolLives = call('GET /api/common/live', {
  says: 'What is live now or comes next in the packs on offer, the soonest first.',
  source: 'spec §7 Courses and orders; decisions §5',
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(PlannedLive) }),
});

export const LiveCatalog = call('GET /app/common/course_live_catalog', {
  says: 'The live lessons of a pack on offer, in the order of their beginning.',
  source: 'spec §7 Courses and orders; decisions §5',
  who: 'visitor',
  input: Type.Object({ packId: Id }),
  data: Type.Object({ list: Type.Array(PlannedLive) }),
  refuses: ['notFound'],
});

// ---- what teachers do ----

/** A live lesson as teachers see it. */
const TaughtLive = Type.Object({
  ...planned,
  teacherId: Id,
  livePlatform: OneOf(livePlatforms),
  streamState: OneOf(streamStates),
  liveUrlPc: Type.String(),
  liveUrlH5: Type.String({ description: 'empty: the same as liveUrlPc' }),
  replayUrl: Type.String({ description: 'where it can be seen afterwards; empty: nowhere yet' }),
  bookings: Type.Integer({ description: 'how many students have booked it' }),
  cancelledAt: Nullable(Millis),
});

const Address = Type.String({ maxLength: LIVE_ADDRESS_LONGEST, description: 'an https address; empty: none' });
const Moment = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'epoch milliseconds' });

export const ListTaughtLives = call('GET /app/live/teach_list', {
  says: 'The live lessons of the school: what is live or to come first, the soonest first, then what is over, the newest first; with the packs and teachers that one can have.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Type.Object({
    ...Page(TaughtLive).properties,
    packs: Type.Array(Type.Object({ packId: Id, packName: Type.String() })),
    teachers: Type.Array(Type.Object({ id: Id, nickname: Type.String() })),
  }),
  limits: HEAVY,
});

export const SaveLive = call('POST /app/live/save', {
  says: 'Plans a live lesson in the room of this site or on another platform, or changes one, which stays where it is held; who booked it is told of another time. One that has started in the room of this site keeps its beginning, one that has ended both its times. The same `clientId` sent again is the same lesson.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({
    id: Type.Optional(Type.Integer({ ...Id, description: 'the lesson that is changed; left out: a new one' })),
    packId: Id,
    teacherId: Id,
    title: Type.String({ maxLength: 1000, description: 'at most 60 characters' }),
    startTime: Moment,
    endTime: Moment,
    livePlatform: Type.Optional(
      OneOf(livePlatforms, {
        description: '0 the room of this site, which needs no address; 1 and left out: another platform',
      }),
    ),
    liveUrlPc: Address,
    liveUrlH5: Type.Optional(Address),
    replayUrl: Type.Optional(Address),
    clientId: ClientId,
  }),
  data: TaughtLive,
  refuses: [
    ...(['notFound', 'liveNoTitle', 'textTooLong', 'liveTimes', 'liveOver', 'liveAddress', 'liveCancelled'] as const),
    ...(['liveStarted', 'liveEnded'] as const),
  ],
});

export const CancelLive = call('POST /app/live/cancel', {
  says: 'Calls a live lesson off that is not over: who booked it is told. Twice is the same as once.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ id: Id }),
  data: TaughtLive,
  refuses: ['notFound', 'liveOver'],
});
