import { Type } from 'typebox';
import type { Bytes } from './bytes.ts';
import { call, HEAVY, Id, Millis, Nothing, Nullable, OneOf, Page, PageNum, PageSize } from './call.ts';
import { lessonUses, mediaFilters, mediaKinds, mediaStates } from './values/media.ts';

export const VideoAuth = call('GET /app/video/auth', {
  says: 'Lets the caller play one video or sound for some minutes; asked for again while it plays.',
  source: 'spec §3 Video auth response; decisions §4; docs/decisions/030-jobs-and-media.md',
  // Trial lessons are everybody's; who may watch is said by the lessons that show it.
  who: 'visitor',
  input: Type.Object({
    fileId: Id,
    begins: Type.Optional(
      OneOf([0, 1] as const, {
        description:
          '1: playing begins; `begin` has what a player asks for first, which it then has not to ask for one by one',
      }),
    ),
  }),
  data: Type.Object({
    token: Type.String({
      description: 'the grant, as a bearer for the addresses below `path`; a browser has it as a cookie',
    }),
    expiresAt: Millis,
    path: Type.String({ description: 'where master.m3u8, poster.jpg and thumbnails.vtt are' }),
    begin: Nullable(
      Type.Object({
        master: Type.String({ description: 'master.m3u8 as it stands there' }),
        name: Type.String({ description: 'the quality that is played first (spec §9), as its addresses name it' }),
        playlist: Type.String({ description: '<name>.m3u8' }),
        key: Type.String({ description: '<name>.key, in base64' }),
      }),
    ),
  }),
  refuses: ['notFound', 'notEnrolled', 'notSignedIn', 'lessonLocked', 'mediaNotReady'],
});

/** Playlists, keys, segments, pictures and subtitles of one video. */
export const PLAY_BYTES: Bytes = {
  path: '/app/video/play/',
  says: 'Playlists, keys, segments, pictures and subtitles of one video or sound. 429 to who has too many answers with bytes under way.',
  source: 'decisions §4; docs/decisions/030-jobs-and-media.md',
};

// ---- for teachers ----

const TaughtMedia = Type.Object({
  mediaId: Id,
  title: Type.String(),
  state: OneOf(mediaStates),
  percent: Nullable(
    Type.Integer({ description: 'how far its conversion is; null: it has not begun, or there is none' }),
  ),
  reason: Type.String({
    description: 'in Chinese: why it cannot be played, or was not converted again; empty: nothing is wrong',
  }),
  kind: Nullable(OneOf(mediaKinds)),
  duration: Type.Integer({ description: 'whole seconds; 0: not known yet' }),
  bytes: Type.Integer({ description: 'of the file as it came' }),
  qualities: Type.Array(Type.Integer(), { description: 'shorter sides of its pictures, the smallest first' }),
  broughtBy: Type.String({ description: 'nickname; empty: by the command line or with a pack' }),
  createdAt: Millis,
  lessons: Type.Array(
    Type.Object({
      firstVideoId: Id,
      firstVideoName: Type.String(),
      packId: Id,
      packName: Type.String(),
      courseName: Type.String(),
      use: OneOf(lessonUses, {
        description:
          'waits: it gets it when that is ready; pack: its pack brings it, and a teacher gave it another one',
      }),
    }),
  ),
  replayOf: Type.Array(Type.String(), { description: 'titles of the live lessons whose replay it is' }),
});

export const ListMedia = call('GET /app/media/list', {
  says: 'The videos and sounds of this school for teachers, the newest first, with what stands of them, the lessons that show them and the live ones whose replays they are.',
  source: 'decisions §4; docs/decisions/036-uploads.md',
  who: 'teacher',
  input: Type.Object({
    keyword: Type.Optional(Type.String({ maxLength: 60, description: 'in the title' })),
    among: Type.Optional(OneOf(mediaFilters)),
    firstVideoId: Type.Optional(Type.Integer({ ...Id, description: 'only what this lesson uses' })),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Page(TaughtMedia),
  limits: HEAVY,
});

const MediaId = Type.Object({ mediaId: Id });

export const RetryMedia = call('POST /app/media/retry', {
  says: 'Converts a video or a sound again; what could be played before still can meanwhile.',
  source: 'decisions §4; docs/decisions/036-uploads.md',
  who: 'teacher',
  input: MediaId,
  data: Nothing,
  refuses: ['notFound'],
});

export const DeleteMedia = call('POST /app/media/delete', {
  says: 'Deletes a video or a sound that no lesson shows, waits for or has in its pack; deleting it twice is the same as once.',
  source: 'decisions §4; docs/decisions/036-uploads.md',
  who: 'teacher',
  input: MediaId,
  data: Nothing,
  refuses: ['mediaInUse'],
});
