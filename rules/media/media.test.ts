import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containerOf } from './container.ts';
import { isFilm, toldOfInput } from './ffmpeg-input.ts';
import { ffmpegReason } from './ffmpeg-reason.ts';
import { GRANT_LIFE, isGranted, readGrant, writeGrant } from './grant.ts';
import { frameRateOf, ladderOf, thumbnailGrid } from './ladder.ts';
import {
  bandwidthOf,
  masterPlaylist,
  mediaPlaylist,
  playPartOf,
  segmentPlace,
  startRendition,
  thumbnailTrack,
} from './playlist.ts';

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0) & 0xff);
const packets = Uint8Array.from({ length: 800 }, (_, at) => (at % 188 === 0 ? 0x47 : 1));

describe('what a file is', () => {
  it.each([
    ['\0\0\0\x20ftypisom', 'mov', 'mp4'],
    ['\0\0\0\x20ftypM4A ', 'mov', 'm4a'],
    ['\0\0\0\x20ftypqt  ', 'mov', 'mov'],
    ['\0\0\0\x08wide\0\0\0\0mdat', 'mov', 'mov'],
    ['\x1a\x45\xdf\xa3\x01\x42\x82\x84webm', 'matroska', 'webm'],
    ['\x1a\x45\xdf\xa3matroska', 'matroska', 'mkv'],
    ['RIFF\0\0\0\0AVI LIST', 'avi', 'avi'],
    ['RIFF\0\0\0\0WAVEfmt ', 'wav', 'wav'],
    ['fLaC', 'flac', 'flac'],
    ['OggS', 'ogg', 'ogg'],
    ['FLV\x01', 'flv', 'flv'],
    ['\0\0\x01\xba', 'mpeg', 'mpg'],
    ['ID3\x04', 'mp3', 'mp3'],
    ['\xff\xfb\x90', 'mp3', 'mp3'],
    ['\xff\xf1\x50', 'aac', 'aac'],
    ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'asf', 'wmv'],
  ])('%j is read as %s', (head, demuxer, extension) =>
    expect(containerOf(bytes(head))).toEqual({ demuxer, extension }),
  );

  it('a stream of packets', () => expect(containerOf(packets)?.demuxer).toBe('mpegts'));

  it.each([
    '#EXTM3U',
    '\uFEFF#EXTM3U',
    'ffconcat version 1.0',
    '<?xml version="1.0"?><MPD>',
    'file /etc/passwd',
    '',
    'GIF89a',
    '%PDF-1.7',
    'PK\x03\x04',
    'RIFF\0\0\0\0WEBP',
    '[playlist]',
    '\x89PNG',
    ...['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'mif1', 'msf1'].map((brand) => `\0\0\0\x20ftyp${brand}`),
  ])('%j is nothing that is taken', (head) => expect(containerOf(bytes(head))).toBeNull());

  it('no demuxer that opens other files is ever chosen', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 900 }), (head) => {
        expect(['hls', 'concat', 'dash', 'sdp', 'rtsp']).not.toContain(containerOf(head)?.demuxer);
      }),
    ));
});

describe('the qualities of a picture', () => {
  const sizes = (width: number, height: number) => {
    const ladder = ladderOf({ width, height, frameRate: 25 });
    return ladder.ok ? ladder.rungs.map((rung) => `${rung.width}x${rung.height}`).join(' ') : ladder.why;
  };
  it.each([
    [1920, 1080, '640x360 960x540 1280x720'],
    [3840, 2160, '640x360 960x540 1280x720'],
    [1164, 767, '546x360 820x540 1092x720'],
    [720, 1280, '360x640 540x960 720x1280'],
    [405, 720, '360x640'],
    [640, 539, '428x360'],
    [320, 240, '320x240'],
    [117, 75, '116x74'],
    [16, 16, '16x16'],
    [15, 400, 'tooSmall'],
    [1, 1, 'tooSmall'],
    [8192, 4320, '682x360 1024x540 1366x720'],
    [8193, 4320, 'tooLarge'],
    [4000, 360, 'tooLong'],
  ])('%i × %i: %s', (width, height, said) => expect(sizes(width, height)).toBe(said));

  it('are even, of the source’s shape and never above it', () =>
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 8192 }), fc.integer({ min: 16, max: 8192 }), (width, height) => {
        const ladder = ladderOf({ width, height, frameRate: 25 });
        if (!ladder.ok) return;
        expect(ladder.rungs.length).toBeGreaterThan(0);
        for (const rung of ladder.rungs) {
          expect([rung.width % 2, rung.height % 2]).toEqual([0, 0]);
          expect(Math.min(rung.width, rung.height)).toBeLessThanOrEqual(Math.min(width, height));
          expect(Math.abs(rung.width / rung.height / (width / height) - 1)).toBeLessThan(0.15);
        }
      }),
    ));

  it.each([
    [0.17, 10],
    [1, 10],
    [5, 5],
    [25, 25],
    [29.97, 29.97],
    [30, 30],
    [60, 30],
    [1000, 30],
    [0, 30],
    [Number.NaN, 30],
  ])('%d frames a second become %d', (rate, sent) => expect(frameRateOf(rate)).toBe(sent));

  it.each([
    [7000, { every: 1000, count: 7, columns: 7, rows: 1 }],
    [400, { every: 1000, count: 1, columns: 1, rows: 1 }],
    [3_600_000, { every: 36_000, count: 100, columns: 10, rows: 10 }],
    [100_001, { every: 2000, count: 51, columns: 10, rows: 6 }],
  ])('a film of %i ms has its small pictures', (length, grid) =>
    expect(thumbnailGrid({ width: 1280, height: 720 }, length)).toMatchObject({ ...grid, width: 160, height: 90 }),
  );
});

describe('playlists', () => {
  const rendition = { width: 640, height: 360, frameRate: 25, codecs: 'avc1.4d401e,mp4a.40.2' };
  it('name the lowest quality first', () =>
    expect(
      masterPlaylist([
        { ...rendition, name: '720-a', width: 1280, height: 720, bandwidth: 900, averageBandwidth: 800 },
        { ...rendition, name: '360-a', bandwidth: 300, averageBandwidth: 200 },
      ]),
    ).toBe(`#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=300,AVERAGE-BANDWIDTH=200,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000
360-a.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900,AVERAGE-BANDWIDTH=800,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=25.000
720-a.m3u8
`));

  it.each([
    [[900, 300, 600, 1200], 900],
    [[900, 300], 900],
    [[2], 2],
    [[], undefined],
  ])('of %s bits begin with the one that players begin with: %s', (all, first) => {
    expect(startRendition(all.map((bandwidth) => ({ bandwidth })))?.bandwidth).toBe(first);
  });

  it('of a sound have no picture', () => {
    const sound = { name: 'audio-a', width: null, height: null, frameRate: null, codecs: 'mp4a.40.2' };
    expect(masterPlaylist([{ ...sound, bandwidth: 2, averageBandwidth: 1 }])).toContain(
      '#EXT-X-STREAM-INF:BANDWIDTH=2,AVERAGE-BANDWIDTH=1,CODECS="mp4a.40.2"\naudio-a.m3u8\n',
    );
  });

  it('of one quality name its key and its segments', () =>
    expect(
      mediaPlaylist('360-a', [
        [3000, 10],
        [3600, 10],
        [41, 1],
      ]),
    ).toBe(`#EXTM3U
#EXT-X-VERSION:6
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-KEY:METHOD=AES-128,URI="360-a.key"
#EXTINF:3.000,
360-a/0.ts
#EXTINF:3.600,
360-a/1.ts
#EXTINF:0.041,
360-a/2.ts
#EXT-X-ENDLIST
`));

  it('know where a segment lies, and how much a second it is', () => {
    const segments = [
      [3000, 100],
      [3000, 300],
      [40, 50],
    ] as const;
    expect([0, 1, 2, 3, -1].map((at) => segmentPlace(segments, at))).toEqual([
      { first: 0, last: 99 },
      { first: 100, last: 399 },
      { first: 400, last: 449 },
      null,
      null,
    ]);
    expect(bandwidthOf(segments)).toEqual({ bandwidth: 800, averageBandwidth: 597 });
  });

  it('have a track of small pictures', () =>
    expect(thumbnailTrack({ every: 1000, count: 3, columns: 2, rows: 2, width: 160, height: 90 }, 2500)).toBe(`WEBVTT

00:00:00.000 --> 00:00:01.000
thumbnails.jpg#xywh=0,0,160,90

00:00:01.000 --> 00:00:02.000
thumbnails.jpg#xywh=160,0,160,90

00:00:02.000 --> 00:00:02.500
thumbnails.jpg#xywh=0,90,160,90

`));

  it.each([
    ['master.m3u8', { what: 'master' }],
    ['thumbnails.vtt', { what: 'thumbnailTrack' }],
    ['720-0123abcd.m3u8', { what: 'playlist', rendition: '720-0123abcd' }],
    ['audio-0123abcd.key', { what: 'key', rendition: 'audio-0123abcd' }],
    ['720-0123abcd/12.ts', { what: 'segment', rendition: '720-0123abcd', at: 12 }],
    [`subtitles/${'ab'.repeat(32)}.vtt`, { what: 'subtitles', file: `ab/${'ab'.repeat(32)}.vtt` }],
    [`subtitles/${'ab'.repeat(31)}.vtt`, null],
    ['subtitles/../../x.vtt', null],
    ['720.m3u8', null],
    ['720-0123abcd/-1.ts', null],
    ['720-0123abcd/1e3.ts', null],
    ['../720-0123abcd.key', null],
    ['', null],
  ])('%j is asked for as %j', (path, part) => expect(playPartOf(path)).toEqual(part));
});

describe('a grant', () => {
  const grant = { userId: 7, mediaId: 3, expiresAt: 1000 + GRANT_LIFE, teacher: false, session: 'a0'.repeat(32) };
  it('is read as it was written', () => {
    for (const one of [grant, { ...grant, teacher: true }, { ...grant, userId: 0, session: null }])
      expect(readGrant(writeGrant(one))).toEqual(one);
  });
  it.each(['', '7.3', '7.3.x.s.0', '7.3.1.s', '7.3.1.x.0', '-7.3.1.s.0', ' 7.3.1.s.0', '7.3.1.s.A0', '7.3.1.s.00'])(
    '%j is none',
    (text) => expect(readGrant(text)).toBeNull(),
  );
  it.each<[string, Partial<{ mediaId: number; now: number; signedIn: number | 'unknown' | null }>, boolean]>([
    ['its own video', {}, true],
    ['another video', { mediaId: 4 }, false],
    ['the last moment', { now: 999 + GRANT_LIFE }, true],
    ['too late', { now: 1000 + GRANT_LIFE }, false],
    ['its person', { signedIn: 7 }, true],
    ['another person', { signedIn: 8 }, false],
    ['signed out', { signedIn: 'unknown' }, false],
  ])('%s', (_what, ask, plays) =>
    expect(isGranted(grant, { mediaId: 3, now: 1000, signedIn: null, ...ask })).toBe(plays),
  );
  it.each([8, 'unknown', null] as const)('of a visitor plays for whoever is signed in there, or was: %s', (signedIn) =>
    expect(isGranted({ ...grant, userId: 0 }, { mediaId: 3, now: 1000, signedIn })).toBe(true),
  );
});

describe('what FFmpeg says of its input', () => {
  const input = (title: string, duration: string) => `Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:x':
  Metadata:
    title           : ${title}
  Duration: ${duration}, bitrate: 90 kb/s
  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p, 64x36, 10 fps (default)
  Stream #0:1[0x2](und): Audio: aac (LC), 44100 Hz, mono, fltp, 69 kb/s (default)
  Stream #0:2: Attachment: ttf
`;
  const START = '00:00:06.00, start: 0.000000';
  it.each([
    ['极限', START, 'mov', 6000],
    ['Duration: 00:10:00.00', START, 'mov', 6000],
    ['a\u2028  Duration: 00:10:00.00', START, 'mov', 6000],
    ['a\u2028Stream #0:5: Video: h264', START, 'mov', 6000],
    ['Stream #0:5: Video: h264', START, 'mov', 6000],
    ['', '01:02:03.45, start: 0.000000', 'avi', 3_723_450],
    ['', '00:00:06.60, start: 0.577000', 'matroska', 6023],
    ['', '00:00:06.60, start: 0.576009', 'mov', 6024],
    ['', '00:00:06.02, start: 999.976009', 'mov', 6020],
    ['', '00:00:06.02, start: -0.023000', 'mov', 6020],
    ['', '00:00:06.02, start: 1.976778', 'mpegts', 6020],
    ['', '00:00:06.02', 'mov', 6020],
    ['', '00:00:00.00, start: 0.000000', 'mov', null],
    ['', 'N/A, start: 0.577000', 'matroska', null],
  ])('titled %j, of %s in %s: its streams, and %j ms', (title, told, demuxer, duration) => {
    const { streams, ...rest } = toldOfInput(input(title, told), demuxer);
    expect(rest).toEqual({ duration });
    expect(streams.map(({ stream, kind }) => [stream, kind])).toEqual([
      [0, 'Video'],
      [1, 'Audio'],
    ]);
    expect(streams[0]?.says).toMatch(/^h264 .*\(default\)$/);
  });
});

describe('a stream that FFmpeg tells of', () => {
  it.each(['', '(und)', '[0x1](und)', '(zh CN)', '(zh:CN)', '(Chinese (Simplified))', '[0x2](中文)'])(
    'has any language: %j',
    (language) => {
      const { streams } = toldOfInput(`  Stream #0:3${language}: Audio: aac (LC), 44100 Hz (default)\n`, 'matroska');
      expect(streams).toEqual([{ stream: 3, kind: 'Audio', says: 'aac (LC), 44100 Hz (default)' }]);
    },
  );
});

describe('what is a film', () => {
  it.each([
    ['png, rgb24(pc), 64x64 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn (attached pic)', false],
    ['png, rgb24(pc), 64x64 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn, 90k tbc', false],
    ['mjpeg (Baseline), yuvj420p(pc), 320x180, 90k tbr, 90k tbn (timed thumbnails)', false],
    ['mjpeg (Baseline), yuvj444p(pc), 64x64 [SAR 1:1 DAR 1:1], 5 fps, 5 tbr, 1k tbn, 1k tbc', true],
    ['mjpeg (Baseline), yuvj422p(pc), 640x480, 29.97 fps, 90k tbr, 90k tbn, 90k tbc', true],
    ['png (MPNG / 0x474E504D), rgb24(pc), 64x64, 1k tbr, 1k tbn, 1k tbc', true],
    ['h264 (High), yuv420p, 1280x720, 90k tbr, 90k tbn, 180k tbc', true],
  ])('%s: %s', (says, expected) => expect(isFilm({ stream: 0, kind: 'Video', says })).toBe(expected));
});

describe('what FFmpeg writes, in plain words', () => {
  it.each([
    ['[mov @ 0x1] moov atom not found\nx: Invalid data found when processing input', /缺少索引/, false],
    ['av_interleaved_write_frame(): No space left on device', /磁盘空间不足/, true],
    ["[hls @ 0x1] Protocol 'http' not on whitelist 'file'!", /引用了其他文件或网址/, false],
    ['Cannot allocate memory', /内存超过了上限/, false],
    ['Decoder (codec none) not found for input stream #0:0', /不支持的编码格式/, false],
    ['Output file #0 does not contain any stream', /没有画面，也没有声音/, false],
    ['Invalid data found when processing input', /已损坏/, false],
    ['something new', /处理不了这个文件/, false],
    ['', /处理不了这个文件/, false],
  ])('%j', (said, says, later) => expect(ffmpegReason(said)).toEqual({ says: expect.stringMatching(says), later }));
});
