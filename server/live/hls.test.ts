import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { LIVE_PLAYLIST, livePartOf } from '#rules/live/sliding-list.ts';
import { type Ffmpeg, findFfmpeg } from '#server/media/ffmpeg.ts';
import { type LiveHls, openHls } from './hls.ts';
import { collect, encoder, type IngestKit, ingestKit, soon } from './ingest/ingest.test-kit.ts';
import { picture, publisher, rtmpClient, sound } from './ingest/rtmp-client.test-kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-hls-'));
const log: string[] = [];
let ffmpeg: Ffmpeg;
let kit: IngestKit;
let hls: LiveHls;

beforeAll(async () => {
  const here = await findFfmpeg(null);
  if (!here) throw new Error('no FFmpeg');
  ffmpeg = here;
  kit = await ingestKit();
  mkdirSync(join(folder, 'live-hls', 'left'), { recursive: true });
  writeFileSync(join(folder, 'live-hls', 'left', '7.ts'), 'of a server that was killed');
  hls = await open();
}, 30_000);
afterAll(async () => {
  await hls?.close();
  await kit?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @param found what the operator's machine has */
function open(more: Partial<Parameters<typeof openHls>[0]> = {}, found: Ffmpeg | null = ffmpeg) {
  return openHls({
    ...{ ingest: kit.ingest, ffmpegOfMachine: async () => found, folder: join(folder, 'live-hls') },
    ...{ clock: () => Date.now(), random: (bytes) => randomBytes(bytes) },
    ...{ log: pino({ level: 'warn' }, { write: (line) => void log.push(line) }), longestWait: 8000, ...more },
  });
}

/** Another lesson, with an encoder for it. */
function lesson() {
  const stream = `lesson-${randomBytes(4).toString('hex')}`;
  const key = randomBytes(24).toString('base64url');
  kit.keys.set(key, stream);
  const push = (how: Parameters<typeof encoder>[2] = {}) => {
    const sends = encoder(ffmpeg.path, kit.port, { key, ...how });
    onTestFinished(() => sends.kill().catch(() => undefined));
    return sends;
  };
  const list = async () => (await hls.playlist(stream)) ?? '';
  return { stream, key, push, list };
}

/** What FFmpeg makes of a stream when it plays so many seconds of it, as any player of HLS. */
async function played(stream: string, seconds: number) {
  const site = createServer(async ({ url = '' }, answer) => {
    const asked = livePartOf(url.slice(1));
    const said =
      asked?.what === 'playlist' ? await hls.playlist(stream) : asked ? hls.segment(stream, asked.number) : null;
    answer.writeHead(said === null ? 404 : 200).end(said ?? '');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const { port } = site.address() as AddressInfo;
  const { stderr } = await promisify(execFile)(
    ffmpeg.path,
    [
      ...['-hide_banner', '-nostdin', '-i', `http://127.0.0.1:${port}/${LIVE_PLAYLIST}`],
      ...['-t', String(seconds), '-f', 'null', '-'],
    ],
    { timeout: 40_000 },
  );
  return {
    ...{ h264: stderr.includes('Video: h264'), aac: stderr.includes('Audio: aac') },
    pictures: Number([...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1] ?? 0),
    faults: (stderr.match(/^.*(error|invalid|corrupt).*$/gim) ?? []).join('\n'),
  };
}

/** What FFmpeg makes of one segment. */
async function decodedTs(bytes: Buffer | null | undefined) {
  const path = join(folder, 'one.ts');
  writeFileSync(path, bytes ?? '');
  const { stderr } = await promisify(execFile)(ffmpeg.path, ['-nostdin', '-i', path, '-f', 'null', '-']);
  rmSync(path);
  const size = /Video: h264.*?, (\d{2,}x\d+)/.exec(stderr)?.[1] ?? '';
  return { size, faults: (stderr.match(/^.*(error|invalid|corrupt).*$/gim) ?? []).join('\n') };
}

const listed = (text: string) => [...text.matchAll(/^(\d+)\.ts$/gm)].map(([, number]) => Number(number));
const tag = (text: string, name: string) => Number(new RegExp(`^#EXT-X-${name}:(\\d+)$`, 'm').exec(text)?.[1] ?? -1);
const breaks = (text: string) => text.split('#EXT-X-DISCONTINUITY\n').length - 1;

/** The FFmpegs that repackage a stream. */
function repackagers(stream: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      const here = line.startsWith(`${ffmpeg.path}\0`) && line.includes('%d.ts');
      return here && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`/${stream}-`) ? [Number(pid)] : [];
    } catch {
      return []; // It has just ended.
    }
  });
}

it('a stream is HLS for whoever asks: one FFmpeg for two hundred, begun again when it is killed, while viewers of FLV see on', async () => {
  expect(readdirSync(folder)).toEqual([]);
  const { stream, push, list } = lesson();
  const sends = push();
  const viewer = collect(kit.ingest, stream);
  await soon(() => viewer.bytes().length).toBeGreaterThan(10_000);
  const all = await Promise.all(Array.from({ length: 200 }, () => hls.playlist(stream)));
  const [text] = all;
  if (!text) throw new Error('no playlist');
  expect(new Set(all).size).toBe(1);
  expect(repackagers(stream)).toHaveLength(1);
  expect(tag(text, 'TARGETDURATION')).toBe(2);
  expect(listed(text)).toHaveLength(3);
  expect(tag(text, 'MEDIA-SEQUENCE')).toBe(listed(text)[0]);
  expect(text).not.toContain('ENDLIST');
  const film = await played(stream, 4);
  expect(film).toMatchObject({ h264: true, aac: true, faults: '' });
  expect(film.pictures).toBeGreaterThan(90);

  // It slides, and what is a little older can still be fetched.
  await soon(async () => listed(await list()).length).toBe(6);
  const before = await list();
  const seen = viewer.bytes().length;
  const [pid = 0] = repackagers(stream);
  process.kill(pid, 'SIGKILL');
  await soon(async () => breaks(await list())).toBe(1);
  const after = await list();
  expect(listed(after).at(-1)).toBeGreaterThan(listed(before).at(-1) ?? 0);
  expect(listed(after)[0]).toBeGreaterThan(listed(before)[0] ?? 0);
  for (const number of listed(before)) expect(hls.segment(stream, number)?.[0]).toBe(0x47);
  expect(repackagers(stream)).toHaveLength(1);
  expect(log.filter((line) => line.includes('FFmpeg ended'))).toHaveLength(1);
  expect(viewer.bytes().length).toBeGreaterThan(seen + 10_000);
  expect(viewer.ends).toEqual([]);
  // Of the disk it holds what is being written.
  const [run = ''] = readdirSync(join(folder, 'live-hls'));
  expect(readdirSync(join(folder, 'live-hls', run)).length).toBeLessThanOrEqual(2);
  viewer.leave();
  await sends.stop();
}, 90_000);

it('goes on over a break, and begins anew with other codecs under numbers that go on', async () => {
  const { push, list, stream } = lesson();
  const first = push();
  await soon(async () => listed(await list()).length).toBeGreaterThanOrEqual(3);
  await first.stop();
  // What came last is handed out, and then nothing more is.
  await soon(async () => repackagers(stream).length).toBe(0);
  const before = await list();
  const second = push();
  await soon(async () => listed(await list()).at(-1) ?? 0).toBeGreaterThan((listed(before).at(-1) ?? 0) + 1);
  expect(breaks(await list())).toBe(1);
  await second.stop();
  push({ audio: false, more: ['-s', '640x360'] });
  await soon(async () => breaks(await list())).toBe(2);
  const pieces = listed(await list()).map((number) => hls.segment(stream, number));
  expect((await decodedTs(pieces[0])).size).toBe('320x180');
  expect(await decodedTs(pieces.at(-1))).toMatchObject({ size: '640x360', faults: '' });
}, 120_000);

it('plays a picture without sound, and sound without a picture', async () => {
  const ways = [{ audio: false }, { video: false }].map((how) => ({ how, ...lesson() }));
  await Promise.all(
    ways.map(async ({ how, push, list, stream }) => {
      push(how);
      await soon(async () => listed(await list()).length).toBeGreaterThanOrEqual(3);
      const [hasPicture, hasSound] = [!('video' in how), !('audio' in how)];
      expect(await played(stream, 2)).toMatchObject({ h264: hasPicture, aac: hasSound, faults: '' });
    }),
  );
}, 60_000);

it('has nothing of a lesson without a stream, of HEVC and of noise, nor where FFmpeg fails, which is tried later and later', async () => {
  const hasty = await open({ longestWait: 3000, folder: join(folder, 'hasty') });
  onTestFinished(() => hasty.close());
  const failing = { ...ffmpeg, path: '/bin/false' };
  const vain = await open({ longestWait: 3000, folder: join(folder, 'vain') }, failing);
  onTestFinished(() => vain.close());
  const [none, hevc, noise] = [lesson(), lesson(), lesson()];
  const teacher = await rtmpClient(kit.port, { key: hevc.key });
  await teacher.answered('NetStream.Publish.Start');
  teacher.video(0, Buffer.from('90687663310102', 'hex'));
  await teacher.closed();
  const other = await publisher(kit.port, noise.key);
  const viewer = collect(kit.ingest, noise.stream);
  let time = 0;
  const sending = setInterval(() => {
    for (let at = 0; at < 5; at += 1) {
      other.video(time, picture(time % 1000 === 0, 3000, 200));
      other.audio(time, sound());
      time += 40;
    }
  }, 200);
  onTestFinished(() => {
    clearInterval(sending);
    other.socket.destroy();
  });
  const asked = [none, hevc, noise].map(({ stream }) => hasty.playlist(stream));
  expect(await Promise.all([...asked, vain.playlist(noise.stream)])).toEqual([null, null, null, null]);
  expect([none, hevc, noise].map(({ stream }) => repackagers(stream).length)).toEqual([0, 0, 1]);
  const failures = log.filter((line) => line.includes(noise.stream)).length;
  expect(failures).toBeGreaterThan(1);
  expect(failures).toBeLessThan(6);
  // Who sees it as FLV is given what there is.
  expect(viewer.ends).toEqual([]);
  expect(viewer.bytes().length).toBeGreaterThan(50_000);
}, 60_000);

it('is for eight lessons at once and no more, ends with the last who asks, and is not there without FFmpeg', async () => {
  const few = await open({ longestWait: 50, unwatchedAfter: 500, folder: join(folder, 'few') });
  onTestFinished(() => few.close());
  const lessons = Array.from({ length: 8 }, () => lesson());
  const [{ stream, push }] = lessons as [ReturnType<typeof lesson>];
  push();
  await Promise.all(lessons.map((each) => few.playlist(each.stream)));
  expect(await few.trouble(lesson().stream)).toBe('full');
  expect(await few.trouble(stream)).toBeNull();
  expect(await few.playlist(lesson().stream)).toBeNull();
  await soon(() => few.playlist(stream).then(() => repackagers(stream).length)).toBe(1);
  await soon(() => few.trouble(lesson().stream)).toBeNull();
  await soon(() => repackagers(stream).length).toBe(0);
  await soon(() => readdirSync(join(folder, 'few'))).toEqual([]);
  const poor = await open({ folder: join(folder, 'poor') }, null);
  onTestFinished(() => poor.close());
  expect(await poor.trouble('any')).toBe('noFfmpeg');
}, 60_000);

it('begins nothing while the server ends, though players ask on', async () => {
  const { stream, push } = lesson();
  const ending = await open({ longestWait: 300_000, folder: join(folder, 'ending') });
  const sends = push();
  const waits = ending.playlist(stream);
  await soon(() => repackagers(stream).length).toBe(1);
  const closes = ending.close();
  // Nobody is kept waiting for what does not come: else this test would run out of its time.
  expect(await ending.playlist(stream)).toBeNull();
  await Promise.all([waits, closes]);
  expect(repackagers(stream)).toEqual([]);
  await sends.kill();
}, 30_000);
