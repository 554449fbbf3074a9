import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallData, CallInputs, Calls } from '#contract/all.ts';
import { enrol } from '#server/course/enrolment-store.ts';
import { openDb } from '#server/db/open.ts';
import { findFfmpeg } from '#server/media/ffmpeg.ts';
import { soldPack } from '#server/order/order.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { encoder, soon, tags } from './ingest/ingest.test-kit.ts';

const HOUR = 3_600_000;
const dataDir = mkdtempSync(join(tmpdir(), 'lixue-live-'));
let ffmpeg = '';
let rtmp = 0;
let server: Awaited<ReturnType<typeof startServer>>;
const who = { teacher: '', student: '', stranger: '' };
let packId = 0;
let teacherId = 0;

const start = async () => {
  server = await startServer({ dataDir, env: { RTMP_PORT: String(rtmp) } });
};

/** A port that nobody has now. */
async function freePort(): Promise<number> {
  const taker = createServer();
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  const address = taker.address();
  await new Promise((resolve) => taker.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

beforeAll(async () => {
  ffmpeg = (await findFfmpeg(null))?.path ?? '';
  rtmp = await freePort();
  const now = Date.now();
  const db = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, now);
  packId = await soldPack({ db, time: { now } });
  for (const [at, name] of (['teacher', 'student', 'stranger'] as const).entries()) {
    const { id } = await db.query
      .insertInto('users')
      .values({
        ...{ phone: `1500000000${at}`, password_hash: null, nickname: name, created_at: now },
        role: name === 'teacher' ? 'teacher' : 'student',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (name === 'teacher') teacherId = id;
    if (name === 'student') await enrol(db.query, id, packId, now);
    who[name] = (await createSession(db.query, randomBytes, id, now)).token;
  }
  await db.close();
  await start();
  // A stream begins no lesson while the clock is in doubt, as it is at first.
  const sure = async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`);
    return ((await answer.json()) as { clock?: string }).clock;
  };
  while ((await sure()) !== 'sure') await new Promise((resolve) => setTimeout(resolve, 500));
}, 180_000);
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

/** Makes a call; what is refused comes as its reason, with the cookies of the answer. */
async function ask<N extends keyof Calls>(name: N, input: Partial<CallInputs[N]>, by: keyof typeof who = 'teacher') {
  const [method, path] = name.split(' ');
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}${query}`, {
    ...{ method: method ?? 'GET', headers: { authorization: `Bearer ${who[by]}`, 'content-type': 'application/json' } },
    ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
  });
  const text = await answer.text();
  const { code, data } = JSON.parse(text) as { code: number; data: CallData[N] & { why?: string } };
  return { text, data, why: code === 200 ? null : (data.why ?? ''), cookie: answer.headers.get('set-cookie') ?? '' };
}

async function plan(more: Partial<CallInputs['POST /app/live/save']> = {}) {
  const now = Date.now();
  const { data } = await ask('POST /app/live/save', {
    ...{ packId, teacherId, title: '考前冲刺', livePlatform: 0, liveUrlPc: '' },
    ...{ startTime: now - 60_000, endTime: now + HOUR, ...more },
  });
  const { streamKey } = (await ask('GET /app/live/stream_key', { liveId: data.id })).data;
  return { liveId: data.id, streamKey };
}

/** Opens the stream of a lesson as a window does. @param grant another cookie than the one that is given */
async function watch(liveId: number, by: keyof typeof who = 'student', grant?: string, origin?: string) {
  const given = grant ?? (await ask('GET /app/live/watch_grant', { liveId }, by)).cookie.split(';')[0] ?? '';
  const pieces: Buffer[] = [];
  const news: { state: number; streamState: string; spread: number }[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/app/live/watch?liveId=${liveId}`, {
    headers: { authorization: `Bearer ${who[by]}`, cookie: given, ...(origin ? { origin } : {}) },
  } as never);
  socket.binaryType = 'arraybuffer';
  let opened = false;
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code);
  });
  await new Promise<void>((resolve) => {
    socket.onopen = () => {
      opened = true;
      resolve();
    };
    socket.onerror = () => resolve();
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') news.push(JSON.parse(data));
      else pieces.push(Buffer.from(data as ArrayBuffer));
    };
  });
  return { news, opened, closed, frames: () => tags(Buffer.concat(pieces)), bytes: () => Buffer.concat(pieces), close: () => socket.close() }; // biome-ignore format: a line
}

const stateOf = async (liveId: number) => {
  const { data } = await ask('GET /app/live/room', { liveId }, 'student');
  return [data.state, data.streamState, data.connectState];
};

it('a lesson is live with its stream, interrupted without it, goes on after a kill, and becomes one replay', async () => {
  const { liveId, streamKey } = await plan();
  expect(await stateOf(liveId)).toEqual([2, 'waiting', 0]);
  expect((await ask('GET /app/live/stream', { liveId })).data).toMatchObject({ port: rtmp, trouble: '', sends: false });

  const wrong = encoder(ffmpeg, rtmp, { key: 'not-the-key-0123456789' });
  await wrong.gone();
  expect(await stateOf(liveId)).toEqual([2, 'waiting', 0]);

  const early = await watch(liveId);
  const first = encoder(ffmpeg, rtmp, { key: streamKey });
  await soon(async () => (await stateOf(liveId))[1]).toBe('live');
  await soon(() => early.frames().length).toBeGreaterThan(50);
  expect(early.news.at(-1)).toMatchObject({ state: 2, streamState: 'live' });
  // Whoever comes later begins with a key frame.
  const late = await watch(liveId);
  await soon(() => late.frames().length).toBeGreaterThan(30);
  const picture = late.frames().find(({ kind, data }) => kind === 9 && data[1] === 1);
  expect(picture?.data[0]).toBe(0x17);
  await soon(async () => (await ask('GET /app/live/stream', { liveId })).data.facts?.kbps ?? 0).toBeGreaterThan(10);
  expect((await ask('GET /app/live/stream', { liveId })).data).toMatchObject({ watching: 2, sends: true, fault: '' });
  late.close();

  // The encoder stops: interrupted, not ended, and everybody is told.
  await first.stop();
  await soon(() => early.news.at(-1)?.streamState).toBe('interrupted');
  const second = encoder(ffmpeg, rtmp, { key: streamKey });
  await soon(() => early.news.at(-1)?.streamState).toBe('live');
  const before = early.frames().length;
  await soon(() => early.frames().length).toBeGreaterThan(before + 50);

  // The server is killed in the middle of the lesson.
  await server.kill();
  await early.closed;
  await second.gone();
  await start();
  await soon(async () => (await ask('GET /app/live/stream', { liveId })).data.trouble).toBe('');
  const third = encoder(ffmpeg, rtmp, { key: streamKey });
  await soon(async () => (await stateOf(liveId))[1]).toBe('live');
  const again = await watch(liveId);
  await soon(() => again.frames().length).toBeGreaterThan(50);

  // That it comes is noted at once, and not only when the clock is sure: else the room would be told that the teacher is away.
  const heard = async () => (await ask('GET /app/live/stream', { liveId })).data.heardAt ?? 0;
  const atFirst = await heard();
  await soon(heard).toBeGreaterThan(atFirst);
  expect((await ask('POST /app/live/end', { liveId })).why).toBeNull();
  await third.gone();
  await soon(() => again.news.at(-1)).toMatchObject({ state: 4, streamState: 'ended' });
  // Its end is final: the same key opens it no more.
  await encoder(ffmpeg, rtmp, { key: streamKey }).gone();
  expect((await stateOf(liveId))[1]).toBe('ended');
  expect((await ask('GET /app/live/watch_grant', { liveId }, 'student')).why).toBe('liveOver');

  await expect.poll(async () => (await stateOf(liveId))[0], { timeout: 90_000, interval: 500 }).toBe(3);
  const { data } = await ask('GET /app/live/room', { liveId }, 'student');
  expect((await ask('GET /app/video/auth', { fileId: data.replayFileId }, 'student')).why).toBeNull();
  expect((await ask('GET /app/video/auth', { fileId: data.replayFileId }, 'stranger')).why).toBe('notEnrolled');
  // Three encoders, three parts, one film as long as all of them.
  const [folder = ''] = readdirSync(join(dataDir, 'live'));
  const lengths = readdirSync(join(dataDir, 'live', folder)).map(
    (name) => tags(readFileSync(join(dataDir, 'live', folder, name))).at(-1)?.time ?? 0,
  );
  expect(lengths).toHaveLength(3);
  for (const length of lengths) expect(length).toBeGreaterThan(500);
  const whole = lengths.reduce((sum, length) => sum + length, 0) / 1000;
  const { list } = (await ask('GET /app/media/list', {})).data;
  expect(list).toHaveLength(1);
  expect(list[0]?.title).toBe('考前冲刺（直播回放）');
  expect(Math.abs((list[0]?.duration ?? 0) - whole)).toBeLessThanOrEqual(1);
}, 240_000);

it('a new key cuts the old one at once, and no reply but its own names a key', async () => {
  const { liveId, streamKey } = await plan();
  const sends = encoder(ffmpeg, rtmp, { key: streamKey });
  await soon(async () => (await stateOf(liveId))[1]).toBe('live');
  const viewer = await watch(liveId);
  await soon(() => viewer.frames().length).toBeGreaterThan(20);
  const { streamKey: next } = (await ask('POST /app/live/new_stream_key', { liveId })).data;
  await sends.gone();
  expect(next).not.toBe(streamKey);
  await soon(async () => (await stateOf(liveId))[1]).toBe('interrupted');
  const texts = [
    ...(await Promise.all((['teacher', 'student'] as const).map((by) => ask('GET /app/live/room', { liveId }, by)))),
    ...[await ask('GET /app/live/stream', { liveId }), await ask('GET /app/live/teach_list', {})],
  ].map(({ text }) => text);
  for (const text of [...texts, viewer.bytes().toString('latin1'), JSON.stringify(viewer.news)])
    for (const key of [streamKey, next]) expect(text).not.toContain(key);
  expect((await ask('GET /app/live/stream_key', { liveId }, 'student')).why).toBe('notAllowed');
  viewer.close();

  // A key that another server changed, of which no word came: within seconds.
  const taken = encoder(ffmpeg, rtmp, { key: next });
  await soon(async () => (await stateOf(liveId))[1]).toBe('live');
  const file = new DatabaseSync(join(dataDir, 'lixue.db'));
  file.prepare('update live_streams set stream_key = ? where live_id = ?').run('k'.repeat(32), liveId);
  file.close();
  await taken.gone();
}, 60_000);

it('opens the stream to nobody without a grant of their own for this lesson, nor to other sites', async () => {
  const { liveId } = await plan();
  const other = await plan();
  const own = (await ask('GET /app/live/watch_grant', { liveId }, 'student')).cookie.split(';')[0] ?? '';
  const teachers = (await ask('GET /app/live/watch_grant', { liveId })).cookie.split(';')[0] ?? '';
  const opened = async (...how: Parameters<typeof watch>) => {
    const viewer = await watch(...how);
    viewer.close();
    return viewer.opened;
  };
  expect(await opened(liveId, 'student', own)).toBe(true);
  expect(await opened(liveId, 'student', '')).toBe(false);
  expect(await opened(other.liveId, 'student', own)).toBe(false);
  expect(await opened(liveId, 'student', teachers)).toBe(false);
  expect(await opened(liveId, 'stranger', own)).toBe(false);
  expect(await opened(liveId, 'student', `${own.slice(0, -2)}xx`)).toBe(false);
  expect(await opened(liveId, 'student', own, 'https://evil.example.cn')).toBe(false);
  expect((await ask('GET /app/live/watch_grant', { liveId }, 'stranger')).why).toBe('notEnrolled');
}, 30_000);

it('a trial before the lesson is seen by teachers alone, and is no part of it', async () => {
  const { liveId, streamKey } = await plan({ startTime: Date.now() + HOUR, endTime: Date.now() + 2 * HOUR });
  const trial = encoder(ffmpeg, rtmp, { key: streamKey });
  await soon(async () => (await ask('GET /app/live/stream', { liveId })).data.sends).toBe(true);
  expect(await stateOf(liveId)).toEqual([1, 'waiting', 0]);
  expect((await ask('GET /app/live/watch_grant', { liveId }, 'student')).why).toBe('liveNotOpen');
  const teacher = await watch(liveId, 'teacher');
  await soon(() => teacher.frames().length).toBeGreaterThan(20);
  teacher.close();
  await trial.stop();
  // A replay that is asked for while a stream still comes waits for another attempt, longer than this test.
  await soon(async () => (await ask('GET /app/live/stream', { liveId })).data.sends).toBe(false);
  expect((await ask('POST /app/live/end', { liveId })).why).toBe('liveNotOpen');
  expect((await ask('POST /app/live/start', { liveId })).why).toBeNull();
  expect((await stateOf(liveId))[0]).toBe(2);
  expect((await ask('POST /app/live/end', { liveId })).why).toBeNull();
  await expect
    .poll(async () => (await ask('GET /app/live/stream', { liveId })).data.replayFault, { timeout: 30_000 })
    .toBe('这场直播没有录到内容');
}, 90_000);
