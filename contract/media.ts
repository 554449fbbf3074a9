import { Type } from 'typebox';
import type { Bytes } from './bytes.ts';
import { call, Id, Millis } from './call.ts';

export const VideoAuth = call('GET /app/video/auth', {
  says: 'Lets the caller play one video or sound for some minutes; asked for again while it plays.',
  source: 'spec §3 Video auth response; decisions §4; docs/decisions/030-jobs-and-media.md',
  // Trial lessons are everybody's; who may watch is said by the lessons that show it.
  who: 'visitor',
  input: Type.Object({ fileId: Id }),
  data: Type.Object({
    token: Type.String({
      description: 'the grant, as a bearer for the addresses below `path`; a browser has it as a cookie',
    }),
    expiresAt: Millis,
    path: Type.String({ description: 'where master.m3u8, poster.jpg and thumbnails.vtt are' }),
  }),
  refuses: ['notFound', 'notEnrolled', 'notSignedIn', 'lessonLocked', 'mediaNotReady'],
});

/** Playlists, keys, segments, pictures and subtitles of one video. */
export const PLAY_BYTES: Bytes = {
  path: '/app/video/play/',
  says: 'Playlists, keys, segments, pictures and subtitles of one video or sound.',
  source: 'decisions §4; docs/decisions/030-jobs-and-media.md',
};
