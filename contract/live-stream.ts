import { Type } from 'typebox';
import type { Bytes } from './bytes.ts';
import { call, Id, Millis, Nothing, Nullable, OneOf } from './call.ts';
import { socket } from './socket.ts';
import {
  ingestTroubles,
  liveForms,
  liveStates,
  replayStates,
  streamFaultKinds,
  streamStates,
  streamWarningKinds,
} from './values/live.ts';

/** The room of this site: what its teacher needs to send, and how viewers come to what is sent. */
const SOURCE = 'decisions §5; docs/decisions/058-live-room.md';
const LiveId = Type.Object({ liveId: Id });

const WatchInput = Type.Object({
  liveId: Id,
  as: Type.Optional(
    OneOf(liveForms, {
      description:
        'flv, unless said: pieces of FLV by the socket; hls: a playlist and its segments, for browsers without media source extensions, and by the socket how the lesson stands alone',
    }),
  ),
});

// ---- for who watches ----

export const WatchGrant = call('GET /app/live/watch_grant', {
  says: 'Lets the caller open the stream of one live lesson within a minute, as a cookie of its path; asked for before each opening. As HLS it is good for half a day, and asked for again while it plays. It says nothing of the key, and nothing can be sent with it.',
  source: SOURCE,
  who: 'user',
  input: WatchInput,
  data: Type.Object({ expiresAt: Millis }),
  refuses: ['notFound', 'notEnrolled', 'liveNotHere', 'liveNotOpen', 'liveOver', 'liveNoHls', 'busy'],
});

/** A live lesson as HLS: `live.m3u8` and what it names. */
export const HLS_BYTES: Bytes = {
  path: '/app/live/hls/',
  says: 'A live lesson in the room of this site as HLS (H.264, AAC): a playlist that slides and its segments, some eight seconds behind the teacher, for browsers without media source extensions.',
  source: 'decisions §5; docs/decisions/076-live-hls.md',
};

/** What a window is told beside the pieces of FLV. */
const RoomNews = Type.Object({
  state: OneOf(liveStates),
  streamState: OneOf(streamStates),
  spread: Type.Integer({
    description: 'milliseconds over which windows come back after a break, so that they do not all come at once',
  }),
});

export const WatchLive = socket('/app/live/watch', {
  says: 'The stream of a live lesson in the room of this site, as pieces of FLV (H.264, AAC) from the last key frame on, and in between, as text, how the lesson stands. It ends when another encoder makes the window begin anew (4410), when nobody may watch any more (4403), and with a window that takes too little (4408).',
  source: SOURCE,
  who: 'user',
  input: WatchInput,
  message: RoomNews,
  limits: { open: 8, opensPerMinute: 120, waiting: 8 * 1024 * 1024 },
});

// ---- what teachers do ----

const StreamFacts = Type.Object({
  kbps: Type.Integer({ description: 'kilobits a second, of the last seconds' }),
  fps: Type.Number({ description: 'pictures a second' }),
  keyEvery: Nullable(Type.Number({ description: 'seconds between the last two key frames; null: fewer came' })),
  hasVideo: Type.Boolean(),
  hasAudio: Type.Boolean(),
});

const TaughtStream = Type.Object({
  server: Type.String({ description: 'the address that encoders send to; empty: this host, at `port`' }),
  port: Type.Integer({ description: 'of RTMP; 0: this server takes no streams' }),
  trouble: OneOf(ingestTroubles, { description: 'why no encoder can come; empty: one can' }),
  state: OneOf(liveStates),
  streamState: OneOf(streamStates),
  sends: Type.Boolean({ description: 'an encoder sends, maybe as a trial before the lesson' }),
  startedAt: Nullable(Millis),
  endedAt: Nullable(Millis),
  heardAt: Nullable(Millis),
  facts: Nullable(StreamFacts),
  fault: OneOf(streamFaultKinds, { description: 'why the last encoder was refused; empty: it was not' }),
  warnings: Type.Array(OneOf(streamWarningKinds), { description: 'what is wrong with the stream, though it is taken' }),
  watching: Type.Integer({ description: 'windows that watch at this server' }),
  replay: OneOf(replayStates),
  replayFault: Type.String({ description: 'in Chinese: why there is no replay; empty: nothing is wrong' }),
});

export const ReadStream = call('GET /app/live/stream', {
  says: 'How the stream of a live lesson stands, for its teacher: where encoders come to, what comes, what is wrong, and its replay. Not its key.',
  source: SOURCE,
  who: 'teacher',
  input: LiveId,
  data: TaughtStream,
  refuses: ['notFound', 'liveNotHere'],
});

export const ReadStreamKey = call('GET /app/live/stream_key', {
  says: 'The secret with which an encoder may send to a live lesson.',
  source: SOURCE,
  who: 'teacher',
  input: LiveId,
  data: Type.Object({ streamKey: Type.String() }),
  refuses: ['notFound', 'liveNotHere'],
});

export const NewStreamKey = call('POST /app/live/new_stream_key', {
  says: 'Another secret for a live lesson: whoever sends with the old one is cut at once.',
  source: SOURCE,
  who: 'teacher',
  input: LiveId,
  data: Type.Object({ streamKey: Type.String() }),
  refuses: ['notFound', 'liveNotHere', 'liveCancelled', 'liveOver'],
});

export const StartLive = call('POST /app/live/start', {
  says: 'Starts a live lesson before its time or its stream. Twice is the same as once.',
  source: SOURCE,
  who: 'teacher',
  input: LiveId,
  data: Nothing,
  refuses: ['notFound', 'liveNotHere', 'liveCancelled', 'liveOver'],
});

export const EndLive = call('POST /app/live/end', {
  says: 'Ends a live lesson for good: its encoder is cut, its recording becomes the replay. Twice is the same as once.',
  source: SOURCE,
  who: 'teacher',
  input: LiveId,
  data: Nothing,
  refuses: ['notFound', 'liveNotHere', 'liveCancelled', 'liveNotOpen'],
});

export const MakeReplay = call('POST /app/live/make_replay', {
  says: 'Makes the replay of an ended lesson again from what was recorded, where that went wrong.',
  source: SOURCE,
  who: 'teacher',
  input: LiveId,
  data: Nothing,
  refuses: ['notFound', 'liveNotHere', 'liveNotOpen'],
});
