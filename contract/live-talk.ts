import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { socket } from './socket.ts';
import {
  POLL_FEWEST,
  POLL_MOST,
  POLL_OPTION_LONGEST,
  POLL_QUESTION_LONGEST,
  TALK_AT_ONCE,
  TALK_LONGEST,
  talkKinds,
  talkStages,
} from './values/live-talk.ts';

const SOURCE = 'docs/decisions/059-live-talk.md';
const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const SentName = Type.String({
  minLength: 8,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  examples: ['message-0001'],
  description: 'by chance, one for each thing written: sent again it is the same one, and gets the same answer',
});

/** Something that happened in the room of a lesson. */
const TalkEvent = Type.Object({
  seq: Type.Integer({ description: 'counts up by one for each event of the lesson, from 1' }),
  kind: OneOf(talkKinds, { description: '`other`: something that is not the caller’s to know' }),
  saidAt: Millis,
  userId: Type.Integer({ description: 'who did it; 0: not told' }),
  nickname: Type.String(),
  avatarUrl: Type.String({ description: 'empty: none' }),
  teacher: Type.Boolean({ description: 'a teacher did it' }),
  text: Type.String({ description: 'of a message; empty where it was deleted' }),
  gone: Type.Boolean({ description: 'the message was deleted' }),
  clientId: Type.String({ description: 'the name under which its author sent it; empty: none' }),
  target: Type.Integer({ description: 'the message that was deleted or pinned; 0: none' }),
  toUserId: Type.Integer({ description: 'the person concerned by a mute or a hand; 0: none' }),
  toNickname: Type.String(),
  pollId: Type.Integer({ description: '0: none' }),
});

const Poll = Type.Object({
  pollId: Id,
  question: Type.String(),
  open: Type.Boolean(),
  options: Type.Array(Type.Object({ text: Type.String(), votes: Type.Integer() })),
  votes: Type.Integer({ description: 'of all options' }),
});

/** How the room stands, the same for everybody. */
const TalkState = Type.Object({
  seq: Type.Integer({ description: 'the number of the last event' }),
  stage: OneOf(talkStages, { description: '1 nobody can speak yet, 2 open, 3 over' }),
  online: Type.Integer({ description: 'people who are there now' }),
  hands: Type.Integer({ description: 'hands that are up' }),
  mutedAll: Type.Boolean(),
  pinned: Nullable(TalkEvent),
  poll: Nullable(Poll),
});

export const TalkWatch = socket('/app/live/chat', {
  says: 'Says what happens in the room of a live lesson, in the order of its numbers, and how the room stands; nothing is said by it.',
  source: `decisions §5; ${SOURCE}`,
  who: 'user',
  input: Type.Object({ liveId: Id }),
  message: Type.Object({ events: Type.Array(TalkEvent), state: Nullable(TalkState) }),
  limits: { open: 10, opensPerMinute: 60, bytesPerMinute: 8 * 1024 },
});

export const ReadTalk = call('GET /app/live/talk', {
  says: `What was said in the room of a live lesson: the last ${TALK_AT_ONCE} events, those after a number (to catch up) or before one (to read back), and how the caller stands there.`,
  source: `decisions §5; ${SOURCE}`,
  who: 'user',
  input: Type.Object({ liveId: Id, after: Type.Optional(Seq), before: Type.Optional(Seq) }),
  data: Type.Object({
    list: Type.Array(TalkEvent),
    more: Type.Boolean({ description: 'there is more in the direction that was asked for' }),
    state: TalkState,
    own: Type.Object({
      userId: Id,
      manages: Type.Boolean({ description: 'a teacher, who may mute, delete, pin and ask' }),
      muted: Type.Boolean(),
      handUp: Type.Boolean(),
      vote: Nullable(Type.Integer({ description: 'the option of the poll that was chosen, from 0; null: none' })),
    }),
  }),
  refuses: ['notFound', 'notEnrolled'],
});

export const SayTalk = call('POST /app/live/talk_say', {
  says: 'Says something in the room of a live lesson. A message with words of the school’s list is not stored, and its author is told which.',
  source: `decisions §5; ${SOURCE}`,
  who: 'user',
  input: Type.Object({
    liveId: Id,
    text: Type.String({
      maxLength: 4 * TALK_LONGEST,
      description: `plain text of at most ${TALK_LONGEST} code points with CRLF as LF`,
    }),
    clientId: SentName,
  }),
  data: Type.Object({
    event: Nullable(TalkEvent),
    heldWords: Type.Array(Type.String(), { description: 'why it was not sent; empty: it was' }),
  }),
  refuses: [
    'notFound',
    'notEnrolled',
    'commentEmpty',
    'textTooLong',
    'liveNotNow',
    'liveMuted',
    'liveMutedAll',
    'liveTooFast',
  ],
  bodyLimit: 4096,
  limits: { inFlight: 8, perMinute: 90, bytesPerMinute: 128 * 1024 },
});

export const DeleteTalk = call('POST /app/live/talk_delete', {
  says: 'Takes a message out of sight: a teacher any, its author an own one. Twice is the same as once.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({ liveId: Id, seq: Seq }),
  data: TalkState,
  refuses: ['notFound', 'notEnrolled', 'notAllowed'],
});

export const MuteTalk = call('POST /app/live/talk_mute', {
  says: 'Mutes one student or all of them, or lets them speak again. Twice is the same as once.',
  source: `decisions §5; ${SOURCE}`,
  who: 'teacher',
  input: Type.Object({
    liveId: Id,
    userId: Type.Optional(Type.Integer({ ...Id, description: 'left out: all students' })),
    muted: YesNo,
  }),
  data: TalkState,
  refuses: ['notFound'],
});

export const PinTalk = call('POST /app/live/talk_pin', {
  says: 'Pins a message above the others as the notice of the room, or takes it down. Twice is the same as once.',
  source: `decisions §5; ${SOURCE}`,
  who: 'teacher',
  input: Type.Object({ liveId: Id, seq: Seq, pinned: YesNo }),
  data: TalkState,
  refuses: ['notFound'],
});

export const RaiseHand = call('POST /app/live/hand', {
  says: 'Raises the caller’s hand or lowers it; a teacher lowers that of a student. Twice is the same as once.',
  source: `decisions §5; ${SOURCE}`,
  who: 'user',
  input: Type.Object({
    liveId: Id,
    up: YesNo,
    userId: Type.Optional(Type.Integer({ ...Id, description: 'whose hand a teacher lowers; left out: one’s own' })),
  }),
  data: TalkState,
  refuses: ['notFound', 'notEnrolled', 'notAllowed', 'liveNotNow'],
});

export const ListHands = call('GET /app/live/hands', {
  says: 'Whose hands are up, who raised theirs first at first, and who is muted.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ liveId: Id }),
  data: Type.Object({
    hands: Type.Array(Type.Object({ userId: Id, nickname: Type.String(), raisedAt: Millis })),
    muted: Type.Array(Type.Object({ userId: Id, nickname: Type.String() })),
  }),
  refuses: ['notFound'],
});

export const OpenPoll = call('POST /app/live/poll_open', {
  says: 'Asks the room a question with options; one is open at a time. The same `clientId` sent again is the same poll.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({
    liveId: Id,
    question: Type.String({ maxLength: 1000, description: `at most ${POLL_QUESTION_LONGEST} characters` }),
    options: Type.Array(Type.String({ maxLength: 1000, description: `at most ${POLL_OPTION_LONGEST} characters` }), {
      minItems: POLL_FEWEST,
      maxItems: POLL_MOST,
    }),
    clientId: SentName,
  }),
  data: TalkState,
  refuses: ['notFound', 'pollEmpty', 'textTooLong', 'pollOpenAlready', 'liveNotNow'],
});

export const ClosePoll = call('POST /app/live/poll_close', {
  says: 'Ends a poll: nobody can vote any more. Twice is the same as once.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ liveId: Id, pollId: Id }),
  data: TalkState,
  refuses: ['notFound'],
});

export const VotePoll = call('POST /app/live/poll_vote', {
  says: 'Votes in the open poll of a lesson, once: the same vote sent again is the same one.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({
    liveId: Id,
    pollId: Id,
    choice: Type.Integer({ minimum: 0, maximum: POLL_MOST - 1, description: 'the option, from 0' }),
  }),
  data: TalkState,
  refuses: ['notFound', 'notEnrolled', 'pollOver', 'pollVoted'],
});

export const TalkReplay = call('GET /app/live/talk_replay', {
  says: 'What was said in a lesson, at its second of the replay, in the order in which it was said.',
  source: `decisions §5; ${SOURCE}`,
  who: 'user',
  input: Type.Object({
    liveId: Id,
    after: Type.Optional(Type.Integer({ ...Seq, description: 'only what has a higher number' })),
    second: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'left out: from the beginning; else what was said from a little before this second on',
      }),
    ),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        seq: Type.Integer(),
        second: Type.Number({ description: 'of the replay' }),
        nickname: Type.String(),
        avatarUrl: Type.String(),
        teacher: Type.Boolean(),
        text: Type.String(),
      }),
    ),
    next: Type.Integer({ description: 'what comes further on comes after this number' }),
    more: Type.Boolean(),
  }),
  refuses: ['notFound', 'notEnrolled'],
});

export const Attendance = call('GET /app/live/attendance', {
  says: 'Who was in a live lesson, from when to when and for how many minutes, by the server’s clock; by name.',
  source: `decisions §5; ${SOURCE}`,
  who: 'teacher',
  input: Type.Object({ liveId: Id, pageNum: PageNum, pageSize: PageSize }),
  data: Type.Object({
    ...Page(
      Type.Object({
        userId: Id,
        nickname: Type.String(),
        validPhoneExt: Type.String({ description: 'masked' }),
        fromAt: Millis,
        untilAt: Millis,
        minutes: Type.Integer({ description: 'whole minutes that they were there, without the gaps' }),
        times: Type.Integer({ description: 'in how many stretches' }),
        here: Type.Boolean({ description: 'is there now' }),
      }),
    ).properties,
    title: Type.String(),
    students: Type.Integer({ description: 'who has the pack now' }),
  }),
  refuses: ['notFound'],
  limits: HEAVY,
});
