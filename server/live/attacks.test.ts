import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endEnrolment, enrol } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { listen, makeRoom } from './talk/talk.test-kit.ts';

const MINUTE = 60_000;
const WATCHES = 'live: who watches';
const TALKS = 'end live talk without right';

/** One frame of a browser (RFC 6455 §5.2), masked with zeros. */
function frame(opcode: number, body: Buffer, last = true): Buffer {
  const head = body.length < 126 ? Buffer.alloc(2) : body.length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = (last ? 0x80 : 0) | opcode;
  head[1] = 0x80 | (body.length < 126 ? body.length : body.length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(body.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}

describe.each(databases)('attacks on a live lesson on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  const there = await kit.sibling();
  let port = 0;
  let otherPort = 0;
  beforeAll(async () => {
    port = await kit.app.listen(0, '127.0.0.1');
    otherPort = await there.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await there.close();
    await kit.close();
  });
  const { ok, refused, raw, time, user } = kit;

  async function scene() {
    const [as, mate, other, teacher] = [await user(), await user(), await user(), await user('teacher')];
    const { packId } = await makePack(kit, { students: [as, mate] });
    const liveId = await makeRoom(kit, { packId, teacherId: teacher.userId });
    await kit.db.query
      .insertInto('live_streams')
      .values({
        ...{ live_id: liveId, stream: randomBytes(8).toString('hex'), stream_key: randomBytes(16).toString('hex') },
        ...{ first_part: '', fault: '', warnings: '[]', replay_fault: '', replay_parts: '[]' },
      })
      .execute();
    await ok('POST /app/live/start', { liveId }, { as: teacher });
    return { as, mate, other, teacher, packId, liveId };
  }

  /** A grant as a cookie. */
  async function grant(liveId: number, as: TestUser): Promise<string> {
    const answer = await kit.app.inject({
      ...{ method: 'GET', url: '/app/live/watch_grant', query: { liveId: String(liveId) } },
      headers: { authorization: `Bearer ${as.token}` },
    });
    return String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  }

  /** A raw connection that asks for a socket; its first line, and then all bytes. */
  async function upgrade(path: string, headers: Record<string, string>, at = port) {
    const socket = connect(at, '127.0.0.1').on('error', () => undefined);
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
    });
    const lines = {
      Host: `127.0.0.1:${at}`,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
    };
    const all = { ...lines, 'Sec-WebSocket-Key': randomBytes(16).toString('base64'), ...headers };
    const text = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join(''); // biome-ignore format: a line
    socket.write(`GET ${path} HTTP/1.1\r\n${text}\r\n`);
    let closed = false;
    const gone = new Promise<void>((resolve) => {
      socket.once('close', () => {
        closed = true;
        resolve();
      });
    });
    await expect.poll(() => bytes.includes('\r\n\r\n') || closed, { timeout: 20_000 }).toBe(true);
    const status = Number(/^HTTP\/1.1 (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 0);
    return { socket, status, bytes: () => bytes, gone, isClosed: () => closed };
  }
  const bearer = (as: TestUser) => ({ Authorization: `Bearer ${as.token}` });
  const watchPath = (liveId: number) => `/app/live/watch?liveId=${liveId}`;
  const watches = async (liveId: number, as: TestUser, cookie: string, at = port) =>
    upgrade(watchPath(liveId), { ...bearer(as), Cookie: cookie }, at);

  /** A watcher as a browser is one: it answers a close at once, where a raw connection is cut after two seconds. */
  async function watcher(liveId: number, as: TestUser, cookie: string) {
    const headers = { ...bearer(as), Cookie: cookie };
    const socket = new WebSocket(`ws://127.0.0.1:${otherPort}${watchPath(liveId)}`, { headers } as never);
    let closed = false;
    const gone = once(socket, 'close').then(() => {
      closed = true;
    });
    await once(socket, 'open');
    return { gone, isClosed: () => closed, close: () => socket.close() };
  }

  it('a grant opens its lesson to its person within its minute, and nothing else', async () => {
    const { as, mate, other, teacher, liveId, packId } = await scene();
    const second = await scene();
    await makePack(kit, { students: [] });
    const own = await grant(liveId, as);
    expect((await watches(liveId, as, own)).status).toBe(101);
    expect((await watches(liveId, as, own, otherPort)).status).toBe(101);
    for (const [lesson, by, cookie] of [
      [liveId, mate, own],
      [liveId, other, own],
      [liveId, teacher, own],
      [second.liveId, as, own],
      [liveId, as, ''],
      [liveId, as, own.replace(/\.[^.]*$/, '.x')],
      [liveId, as, `${own}x`],
      [liveId, as, own.replace(/=.*/, `=${'A'.repeat(4000)}`)],
      [liveId, as, own.replace(/=.*/, '=%E0%A4%A')],
    ] as const)
      expect((await watches(lesson, by, cookie)).status).toBeGreaterThanOrEqual(400);
    for (const id of ['0', '-1', '1e9', '9007199254740993', "1'", '', `${liveId}&liveId=${second.liveId}`])
      expect((await upgrade(`/app/live/watch?liveId=${id}`, { ...bearer(as), Cookie: own })).status).not.toBe(101);
    time.now += 61_000;
    expect((await watches(liveId, as, own)).status).toBe(403);
    // After a refund it opens nothing, though its minute is not over.
    const later = await grant(liveId, as);
    await endEnrolment(kit.db.query, as.userId, packId);
    expect(await refused('GET /app/live/watch_grant', { liveId }, { as })).toBe('notEnrolled');
    const still = await watches(liveId, as, later);
    if (still.status === 101) {
      await kit.chore(WATCHES);
      await still.gone;
    }
    expect(await grant(liveId, as)).toBe('');
  });

  it('sign-out, refund, an account that is switched off or closed, another role and a lesson called off cut stream and talk in the middle', async () => {
    const ways = ['sign-out', 'refund', 'switched off', 'closed', 'another role', 'called off'] as const;
    // All at once: another server asks for sessions again by itself every ten seconds.
    const cut = await Promise.all(
      ways.map(async (what) => {
        const { as, mate, teacher, liveId, packId } = await scene();
        const stream = await watcher(liveId, as, await grant(liveId, as));
        const taught = await watcher(liveId, teacher, await grant(liveId, teacher));
        const [talk, stays] = [await listen(otherPort, as, liveId), await listen(otherPort, mate, liveId)];
        expect([what, stream.isClosed(), talk.closed()]).toEqual([what, false, null]);
        return { what, as, teacher, liveId, packId, stream, taught, talk, stays };
      }),
    );
    for (const { what, as, teacher, liveId, packId } of cut) {
      if (what === 'sign-out') await ok('POST /api/user/logout', {}, { as });
      if (what === 'refund') await endEnrolment(kit.db.query, as.userId, packId);
      if (what === 'switched off')
        await kit.db.changePeople((trx) =>
          trx.updateTable('users').set({ disabled: 1 }).where('id', '=', as.userId).execute(),
        );
      if (what === 'closed') {
        await kit.db.query.updateTable('users').set({ closes_at: time.now }).where('id', '=', as.userId).execute();
        await kit.chore('accounts: close those that are due');
      }
      if (what === 'another role')
        await kit.db.changePeople((trx) =>
          trx.updateTable('users').set({ role: 'teacher' }).where('id', '=', as.userId).execute(),
        );
      if (what === 'called off') await ok('POST /app/live/cancel', { id: liveId }, { as: teacher });
    }
    const began = performance.now();
    await there.chore(WATCHES);
    await there.chore(TALKS);
    await Promise.all(
      cut.map(async ({ what, stream, taught, talk, stays }) => {
        await Promise.all([stream.gone, talk.until(() => false)]);
        expect(performance.now() - began, what).toBeLessThan(15_000);
        expect(stays.closed() === null, what).toBe(what !== 'called off');
        // Who teaches it hears that it was called off, and not that the teacher is away.
        if (what === 'called off') await taught.gone;
        else expect(taught.isClosed(), what).toBe(false);
      }),
    );
    for (const { taught, stays } of cut) {
      taught.close();
      stays.close();
    }
  }, 60_000);

  it('other sites, strangers and programs without an origin open nothing', async () => {
    const { as, other, liveId } = await scene();
    const path = `/app/live/chat?liveId=${liveId}`;
    const cookie = { Cookie: `lixue_session=${as.token}` };
    const opened = async (headers: Record<string, string>) => (await upgrade(path, headers)).status;
    expect(await opened({ ...bearer(as) })).toBe(101);
    expect(await opened({ ...bearer(as), Origin: 'https://evil.example.cn' })).toBe(403);
    expect(await opened({ ...bearer(as), Origin: 'null' })).toBe(403);
    expect(await opened({ ...bearer(as), Origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
    expect(await opened({ ...bearer(as), 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await opened({})).toBe(401);
    expect(await opened({ Authorization: `Bearer ${'x'.repeat(43)}` })).toBe(401);
    expect(await opened({ ...cookie, Origin: `http://127.0.0.1:${port}` })).toBe(101);
    expect(await opened(cookie)).toBe(403);
    // Who has not its pack is let in to nothing.
    const stranger = await upgrade(path, bearer(other));
    await stranger.gone;
    expect(stranger.bytes().toString('utf8')).not.toContain('"events"');
  });

  it.each<[string, (send: (bytes: Buffer) => void) => void]>([
    ['one message over 4 KB', (send) => send(frame(1, Buffer.alloc(4097, 65)))],
    ['binary over 4 KB', (send) => send(frame(2, Buffer.alloc(5000)))],
    ['a megabyte announced', (send) => send(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]))],
    ['text that is no UTF-8', (send) => send(frame(1, Buffer.from([0xff, 0xfe])))],
    ['frames without a mask', (send) => send(Buffer.from([0x81, 1, 65]))],
    ['a thousand pings', (send) => { for (let at = 0; at < 1000; at += 1) send(frame(9, Buffer.alloc(0))); }],
    ['a thousand empty messages', (send) => { for (let at = 0; at < 1000; at += 1) send(frame(1, Buffer.alloc(0))); }],
    ['fragments of one byte', (send) => { send(frame(1, Buffer.from('a'), false)); for (let at = 0; at < 9000; at += 1) send(frame(0, Buffer.from('a'), false)); }],
    ['a ping of 126 bytes', (send) => send(frame(9, Buffer.alloc(126)))],
    ['compressed frames', (send) => send(Buffer.concat([Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 65])]))],
  ])('%s: that socket ends, others go on', async (_, attack) => {
    const { as, mate, teacher, liveId } = await scene();
    const hears = await listen(port, mate, liveId);
    const bad = await upgrade(`/app/live/chat?liveId=${liveId}`, bearer(as));
    expect(bad.status).toBe(101);
    attack((bytes) => void bad.socket.write(bytes));
    await expect.poll(bad.isClosed, { timeout: 8000 }).toBe(true);
    await ok('POST /app/live/talk_say', { liveId, text: '还在', clientId: 'message-0001' }, { as: teacher });
    await hears.until(() => hears.events.some(({ text }) => text === '还在'));
    hears.close();
  }, 30_000); // biome-ignore format: rows

  it('of one person ten windows are open, from many tries at once, at each of which a mute holds', async () => {
    const { as, teacher, liveId } = await scene();
    const tries = await Promise.all(
      Array.from({ length: 40 }, () => upgrade(`/app/live/chat?liveId=${liveId}`, bearer(as))),
    );
    await expect
      .poll(() => tries.filter(({ status, isClosed }) => status === 101 && !isClosed()).length, { timeout: 10_000 })
      .toBeLessThanOrEqual(10);
    await ok('POST /app/live/talk_mute', { liveId, userId: as.userId, muted: 1 }, { as: teacher });
    const say = (at: typeof kit, index: number) =>
      at.raw('POST /app/live/talk_say', { liveId, text: '我', clientId: `message-${index}00` }, { as });
    const said = await Promise.all(Array.from({ length: 10 }, (_, at) => say(at % 2 ? kit : there, at)));
    expect(said.map(({ status }) => status).filter((status) => status !== 403 && status !== 429)).toEqual([]);
    for (const { socket } of tries) socket.destroy();
  });

  it('votes, ends and starts that come together count once', async () => {
    const { as, mate, teacher, liveId, packId } = await scene();
    const poll = async (by: typeof kit, clientId: string) =>
      by.raw(
        'POST /app/live/poll_open',
        { liveId, question: '哪个', options: ['甲', '乙'], clientId },
        { as: teacher },
      );
    const opened = await Promise.all(Array.from({ length: 6 }, (_, at) => poll(at % 2 ? kit : there, `poll-000${at}`)));
    expect(opened.filter(({ code }) => code === 200)).toHaveLength(1);
    const state = async () => (await ok('GET /app/live/talk', { liveId }, { as })).state;
    const pollId = (await state()).poll?.pollId ?? 0;
    const vote = (by: typeof kit, voter: TestUser, choice: number) =>
      by.raw('POST /app/live/poll_vote', { liveId, pollId, choice }, { as: voter });
    const votes = await Promise.all(
      Array.from({ length: 12 }, (_, at) => vote(at % 2 ? kit : there, at % 3 ? as : mate, at % 4 < 2 ? 0 : 1)),
    );
    expect(votes.every(({ status }) => status < 500)).toBe(true);
    expect((await state()).poll?.votes).toBe(2);
    for (const choice of [-1, 2, 1e9, 0.5, '0x1', null])
      expect((await raw('POST /app/live/poll_vote', { liveId, pollId, choice }, { as })).status).toBeLessThan(500);
    const late = await user();
    await enrol(kit.db.query, late.userId, packId, time.now);
    const [, voted] = await Promise.all([
      ok('POST /app/live/poll_close', { liveId, pollId }, { as: teacher }),
      vote(there, late, 0),
    ]);
    expect(voted.status).toBeLessThan(500);
    const counted = (await state()).poll?.votes;
    expect(await refused('POST /app/live/poll_vote', { liveId, pollId, choice: 1 }, { as: late })).toMatch(
      /pollOver|pollVoted|notEnrolled/,
    );
    expect((await state()).poll?.votes).toBe(counted);
    // Two teachers end it, at two servers, while a third starts it.
    const second = await user('teacher');
    const [one, two, three] = await Promise.all([
      kit.raw('POST /app/live/end', { liveId }, { as: teacher }),
      there.raw('POST /app/live/end', { liveId }, { as: second }),
      there.raw('POST /app/live/start', { liveId }, { as: teacher }),
    ]);
    for (const { status } of [one, two, three]) expect(status).toBeLessThan(500);
    const jobs = await kit.db.query.selectFrom('jobs').select('state').where('kind', '=', 'live.replay').where('key', '=', String(liveId)).execute(); // biome-ignore format: a line
    expect(jobs).toHaveLength(1);
    expect(await refused('POST /app/live/poll_vote', { liveId, pollId, choice: 1 }, { as: late })).toMatch(
      /pollOver|pollVoted|notEnrolled/,
    );
  });

  it('an end that the clock makes while a teacher starts has its replay all the same', async () => {
    const { teacher, packId } = await scene();
    const liveId = await makeRoom(kit, { packId, teacherId: teacher.userId });
    for (let turn = 0; turn < 6; turn += 1) {
      await kit.db.query.updateTable('live_lessons').set({ started_at: null, ended_at: null, starts_at: time.now - MINUTE, ends_at: time.now + 1 }).where('id', '=', liveId).execute(); // biome-ignore format: a line
      await kit.db.query
        .deleteFrom('jobs')
        .where('kind', '=', 'live.replay')
        .where('key', '=', String(liveId))
        .execute();
      const start = kit.raw('POST /app/live/start', { liveId }, { as: teacher });
      if (turn % 2) await new Promise((resolve) => setImmediate(resolve));
      time.now += 2;
      await Promise.all([start, there.chore('live: rooms')]);
      await kit.chore('live: rooms');
      const row = await kit.db.query.selectFrom('live_lessons').select(['started_at', 'ended_at']).where('id', '=', liveId).executeTakeFirstOrThrow(); // biome-ignore format: a line
      const jobs = await kit.db.query.selectFrom('jobs').select('id').where('kind', '=', 'live.replay').where('key', '=', String(liveId)).execute(); // biome-ignore format: a line
      expect([row.ended_at !== null && row.started_at !== null, jobs.length > 0]).toEqual([
        jobs.length > 0,
        jobs.length > 0,
      ]);
    }
  });

  it('numbers of chance are refused or answered, never a fault', async () => {
    const { as, teacher, liveId } = await scene();
    for (let at = 0; at < 3; at += 1)
      await ok('POST /app/live/talk_say', { liveId, text: `${at}`, clientId: `message-000${at}` }, { as: teacher });
    const odd = [
      '-1',
      '-9007199254740993',
      '9007199254740991',
      '9223372036854775808',
      '1e308',
      'NaN',
      '0x10',
      '',
      '1.5',
      ' 1',
      '１',
    ];
    for (const value of odd)
      for (const [name, input] of [
        ['GET /app/live/talk', { liveId, after: value }],
        ['GET /app/live/talk', { liveId, before: value }],
        ['GET /app/live/talk', { liveId: value }],
        ['GET /app/live/talk_replay', { liveId, after: value }],
        ['GET /app/live/talk_replay', { liveId, second: value }],
        ['GET /app/live/attendance', { liveId, pageNum: value }],
        ['GET /app/live/watch_grant', { liveId: value }],
      ] as const) {
        const reply = await raw(name, input, { as: name.includes('attendance') ? teacher : as });
        expect([name, value, reply.status < 500]).toEqual([name, value, true]);
      }
    // Of the future: nothing, and what comes then is not missed.
    const future = await ok('GET /app/live/talk', { liveId, after: 1_000_000 }, { as });
    expect([future.list, future.more, future.state.seq]).toEqual([[], false, 3]);
  });
});
