import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '#server/app.ts';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { flvBeginning, flvTag, TAG } from '../ingest/flv.ts';
import { soon, tags } from '../ingest/ingest.test-kit.ts';
import { AVC_HEADER, picture } from '../ingest/rtmp-client.test-kit.ts';
import { findLive } from '../store.ts';
import { findStream } from '../stream-store.ts';
import { fakeSrs } from './srs.test-kit.ts';

const HOUR = 3_600_000;

describe.each(databases)('streams that SRS takes, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  const srs = await fakeSrs();
  const recordings = mkdtempSync(join(tmpdir(), 'lixue-srs-'));
  const apps: App[] = [];
  const urls: string[] = [];
  beforeAll(async () => {
    // Two processes on one database and one bus.
    for (let at = 0; at < 2; at += 1) {
      const app = await createApp({ ...kit.parts, metrics: new Registry(), srs: { ...srs.settings, recordings } }, {});
      urls.push(`http://127.0.0.1:${await app.listen(0, '127.0.0.1')}`);
      apps.push(app);
    }
    srs.sendTo(urls[0] ?? '');
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await srs.close();
    await kit.close();
    rmSync(recordings, { recursive: true, force: true });
  });
  const { ok, time, user } = kit;

  async function get<T>(by: TestUser, path: string, at = 0): Promise<T> {
    const answer = await fetch(`${urls[at]}${path}`, { headers: { authorization: `Bearer ${by.token}` } });
    return ((await answer.json()) as { data: T }).data;
  }
  const post = async (by: TestUser, path: string, input: object, at = 0) => {
    const headers = { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${urls[at]}${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
    return (await answer.json()) as { code: number; data: { streamKey: string } };
  };

  async function scene() {
    const [as, teacher] = [await user(), await user('teacher')];
    const { packId } = await makePack(kit, { students: [as] });
    const { id: liveId } = await ok(
      'POST /app/live/save',
      {
        ...{ packId, teacherId: teacher.userId, title: '考前冲刺', livePlatform: 0, liveUrlPc: '' },
        ...{ startTime: time.now - 60_000, endTime: time.now + HOUR },
      },
      { as: teacher },
    );
    const { streamKey } = await get<{ streamKey: string }>(teacher, `/app/live/stream_key?liveId=${liveId}`);
    type Taught = { streamState: string; server: string; port: number; trouble: string; fault: string; facts: object };
    const stream = (at = 0) => get<Taught>(teacher, `/app/live/stream?liveId=${liveId}`, at);
    const stateAt = async (at: number) => (await stream(at)).streamState;
    const both = async () => [await stateAt(0), await stateAt(1)];
    return { as, teacher, packId, liveId, streamKey, name: streamKey.split('?')[0] ?? '', stream, both };
  }

  it('shows teachers where SRS takes them, with a key that holds the name of the stream', async () => {
    const { streamKey, stream, liveId } = await scene();
    const stored = await findStream(kit.db.query, liveId);
    expect(streamKey).toBe(`${stored?.stream}?key=${stored?.stream_key}`);
    await soon(async () => (await stream()).trouble).toBe('');
    expect(await stream()).toMatchObject({ server: 'rtmp://srs.example/live', port: 1935, streamState: 'waiting' });
  });

  it.each<[string, (key: string) => unknown, string | undefined, number]>([
    ['with another secret', (key) => srs.event('on_publish', 'x1', ...split(key)), 'another', 401],
    ['without a secret', (key) => srs.event('on_publish', 'x1', ...split(key)), '', 401],
    ['that is junk', () => '{"action":', undefined, 400],
    ['that is empty', () => '', undefined, 400],
    ['that is a list', () => [], undefined, 400],
    ['of an action that nobody asked for', (key) => srs.event('on_connect', 'x1', ...split(key)), undefined, 400],
    ['that is too large', () => JSON.stringify({ action: 'x'.repeat(20_000) }), undefined, 413],
    [
      'with a wrong key',
      (key) => srs.event('on_publish', 'x1', split(key)[0], `?key=${'w'.repeat(32)}`),
      undefined,
      403,
    ],
    ['without a key', (key) => srs.event('on_publish', 'x1', split(key)[0], ''), undefined, 403],
    [
      'of a stream that is none',
      () => srs.event('on_publish', 'x1', 'nobody', `?key=${'w'.repeat(32)}`),
      undefined,
      403,
    ],
    ['of a player without a grant', (key) => srs.event('on_play', 'x1', ...split(key)), undefined, 403],
    [
      'of a player with a grant that nobody signed',
      (key) => srs.event('on_play', 'x1', split(key)[0], `?grant=srs.${split(key)[0]}.9999999999999.${'s'.repeat(43)}`),
      undefined,
      403,
    ],
  ])('refuses a callback %s', async (_, body, secret, status) => {
    const { streamKey, both } = await scene();
    const answer = await srs.post(body(streamKey), secret === undefined ? {} : { secret });
    expect(answer.status).toBe(status);
    expect(await both()).toEqual(['waiting', 'waiting']);
  });

  it('is live at every process, interrupted by the end of who sends, and live again', async () => {
    const { streamKey, name, both, stream } = await scene();
    const client = await srs.publish(streamKey);
    expect(client).not.toBeNull();
    await soon(both).toEqual(['live', 'live']);
    await soon(async () => (await stream()).facts).toMatchObject({ hasVideo: true, hasAudio: true, keyEvery: null });
    await srs.end(name, client ?? '');
    expect(await both()).toEqual(['interrupted', 'interrupted']);
    const again = await srs.publish(streamKey);
    await soon(both).toEqual(['live', 'live']);
    // The word of the older one comes again, late, and at the other process.
    await srs.post(srs.event('on_unpublish', client ?? '', name, ''), { to: urls[1] ?? '' });
    expect(await both()).toEqual(['live', 'live']);
    // Twice is the same as once.
    await srs.end(name, again ?? '');
    await srs.post(srs.event('on_unpublish', again ?? '', name, ''));
    expect(await both()).toEqual(['interrupted', 'interrupted']);
  });

  it('lets no second encoder in, whose end interrupts nothing', async () => {
    const { streamKey, both, name } = await scene();
    const first = await srs.publish(streamKey);
    await soon(both).toEqual(['live', 'live']);
    time.now += 6000;
    await soon(async () => (await srs.publish(streamKey)) === null).toBe(true);
    expect(srs.publishers.get(name)?.client).toBe(first);
    expect(await both()).toEqual(['live', 'live']);
  });

  it('is interrupted when SRS ends without a word, and its encoder comes in again', async () => {
    const { streamKey, both } = await scene();
    await srs.publish(streamKey);
    await soon(both).toEqual(['live', 'live']);
    srs.restart();
    // Asked whether the older one still sends, SRS says no: nobody waits for a lease to end.
    time.now += 6000;
    await soon(async () => (await srs.publish(streamKey)) !== null).toBe(true);
    await soon(both).toEqual(['live', 'live']);
    srs.restart();
    time.now += 26_000;
    await soon(both).toEqual(['interrupted', 'interrupted']);
  });

  it('says so while SRS cannot be reached, and lets who was heard lately keep the stream', async () => {
    const { streamKey, both, stream } = await scene();
    await srs.publish(streamKey);
    await soon(both).toEqual(['live', 'live']);
    srs.goDown(true);
    await soon(async () => (await stream()).trouble).toBe('unreached');
    time.now += 6000;
    expect(await srs.publish(streamKey)).toBeNull();
    time.now += 10_000;
    expect(await both()).toEqual(['interrupted', 'interrupted']);
    srs.goDown(false);
    await soon(both).toEqual(['live', 'live']);
  });

  it('ends who sends after a new key, and after the end of the lesson', async () => {
    const { streamKey, teacher, liveId, both, name } = await scene();
    const first = await srs.publish(streamKey);
    await soon(both).toEqual(['live', 'live']);
    const { data } = await post(teacher, '/app/live/new_stream_key', { liveId }, 1);
    expect(data.streamKey).not.toBe(streamKey);
    await soon(() => srs.kicked.includes(first ?? '')).toBe(true);
    expect(await srs.publish(streamKey)).toBeNull();
    const second = await srs.publish(data.streamKey);
    expect(second).not.toBeNull();
    await soon(both).toEqual(['live', 'live']);
    await post(teacher, '/app/live/end', { liveId }, 1);
    await soon(() => srs.publishers.has(name)).toBe(false);
    expect(srs.kicked).toContain(second);
    expect(await srs.publish(data.streamKey)).toBeNull();
    expect(await both()).toEqual(['ended', 'ended']);
  });

  it('refuses codecs that browsers do not play, with the sentence for the teacher', async () => {
    const { streamKey, stream, name } = await scene();
    const client = await srs.publish(streamKey, { video: 'HEVC' });
    await soon(async () => (await stream(1)).fault).toBe('videoCodec');
    await soon(() => srs.publishers.has(name)).toBe(false);
    expect(srs.kicked).toContain(client);
    expect((await stream()).streamState).toBe('waiting');
  });

  it('sends who was not let in away', async () => {
    const { name, both } = await scene();
    srs.publishers.set(name, { client: 'stranger', param: '', video: 'H264', audio: 'AAC', bytes: 0 });
    await soon(() => srs.kicked.includes('stranger')).toBe(true);
    expect(await both()).toEqual(['waiting', 'waiting']);
  });

  it('hears who may send while it does not answer to end forty who may not', async () => {
    const { streamKey, both } = await scene();
    srs.endNobody(true);
    for (let at = 0; at < 40; at += 1)
      srs.publishers.set(`nobody-${at}`, { client: `n${at}`, param: '', video: 'H264', audio: 'AAC', bytes: 0 });
    await soon(() => srs.kicked.includes('n0')).toBe(true);
    expect(await srs.publish(streamKey)).not.toBeNull();
    await soon(both).toEqual(['live', 'live']);
    srs.endNobody(false);
    // All of them are ended in the end, a few at once.
    await soon(() => [...srs.publishers.keys()].filter((name) => name.startsWith('nobody-'))).toEqual([]);
  });

  it('becomes a replay of what SRS recorded, without the trial, when the last file is whole', async () => {
    const { streamKey, teacher, liveId, both, name, stream } = await scene();
    const film = (seconds: number) =>
      Buffer.concat([
        flvBeginning({ video: AVC_HEADER, audio: null }),
        ...Array.from({ length: seconds }, (_, at) => flvTag(TAG.video, at * 1000, picture(true))),
      ]);
    const folder = join(recordings, name);
    mkdirSync(folder);
    const write = (at: number, seconds: number, more = '') => {
      const path = join(folder, `0000-${at}.flv${more}`);
      writeFileSync(path, film(seconds));
      return path;
    };
    write(time.now - 2 * HOUR, 9);
    // A trial that was sent on into the lesson: of it the seconds since half an hour before are the lesson's.
    write(time.now - 33 * 60_000, 135);
    await srs.publish(streamKey);
    await soon(both).toEqual(['live', 'live']);
    write(time.now, 3);
    const last = write(time.now + 60_000, 2, '.tmp');
    await post(teacher, '/app/live/end', { liveId });
    await soon(() => srs.publishers.has(name)).toBe(false);
    await soon(async () => (await stream()).facts).toBeNull();
    const work = async () => {
      time.now += 60_000;
      await apps[0]?.chores.find(({ name }) => name === 'jobs: look for work')?.run(time.now);
      await apps[0]?.jobs.idle();
    };
    await work();
    expect((await findLive(kit.db.query, liveId))?.replay_media_id).toBeNull();
    // SRS was killed: what it wrote stays as it is, and is part of the lesson.
    utimesSync(last, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));
    await soon(async () => {
      await work();
      return (await findLive(kit.db.query, liveId))?.replay_media_id ?? null;
    }).not.toBeNull();
    const stored = await findStream(kit.db.query, liveId);
    expect(JSON.parse(stored?.replay_parts ?? '').map(({ length }: { length: number }) => length)).toEqual([
      9040, 2040, 1040,
    ]);
  });

  /** Watches at a process as a browser does. */
  async function watch(by: TestUser, liveId: number, at: number) {
    const granted = await fetch(`${urls[at]}/app/live/watch_grant?liveId=${liveId}`, {
      headers: { authorization: `Bearer ${by.token}` },
    });
    const cookie = granted.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const socket = new WebSocket(`${urls[at]?.replace('http', 'ws')}/app/live/watch?liveId=${liveId}`, {
      headers: { authorization: `Bearer ${by.token}`, cookie },
    } as never);
    socket.binaryType = 'arraybuffer';
    const pieces: Buffer[] = [];
    const seen = { closed: 0 };
    socket.onmessage = ({ data }) => typeof data !== 'string' && pieces.push(Buffer.from(data as ArrayBuffer));
    socket.onclose = ({ code }) => {
      seen.closed = code;
    };
    return { seen, frames: () => tags(Buffer.concat(pieces)).length, close: () => socket.close() };
  }

  it('is watched at every process, fetched once by each with a grant that SRS asks about, until somebody is taken out', async () => {
    const { as, teacher, packId, liveId, streamKey, both, name } = await scene();
    await srs.publish(streamKey);
    await soon(both).toEqual(['live', 'live']);
    const [one, two, third] = [await watch(as, liveId, 0), await watch(as, liveId, 1), await watch(teacher, liveId, 1)];
    await soon(() => one.frames() > 20 && two.frames() > 20 && third.frames() > 20).toBe(true);
    const mine = srs.played.filter(({ stream }) => stream === name);
    expect(mine.map(({ status }) => status)).toEqual([200, 200]);
    // The grant is good for a moment, and for this stream alone.
    const param = mine[0]?.param ?? '';
    expect((await srs.post(srs.event('on_play', 'p', name, param))).status).toBe(200);
    expect((await srs.post(srs.event('on_play', 'p', 'another', param))).status).toBe(403);
    time.now += 10_000;
    expect((await srs.post(srs.event('on_play', 'p', name, param))).status).toBe(403);
    await endEnrolment(kit.db.query, as.userId, packId);
    for (const app of apps) await app.chores.find(({ name }) => name === 'live: who watches')?.run(time.now);
    await soon(() => [one.seen.closed, two.seen.closed, third.seen.closed]).toEqual([4403, 4403, 0]);
    // The encoder drops and comes again: the same window goes on.
    const before = third.frames();
    await srs.end(name, srs.publishers.get(name)?.client ?? '');
    expect(await srs.publish(streamKey)).not.toBeNull();
    await soon(() => third.frames() > before + 20).toBe(true);
    expect(third.seen.closed).toBe(0);
    third.close();
  });
});

const split = (streamKey: string): [string, string] => {
  const [stream = '', param = ''] = streamKey.split('?');
  return [stream, `?${param}`];
};
