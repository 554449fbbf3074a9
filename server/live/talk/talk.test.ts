import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisBus } from '#server/bus.ts';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { writeSetting } from '#server/db/settings-store.ts';
import { WORDS_SETTING } from '#server/qa/parts.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { talkHub } from './hub.ts';
import { talkPersonParts } from './person-part.ts';
import { type Listener, listen, makeRoom } from './talk.test-kit.ts';

const READ = 'GET /app/live/talk';
const SAY = 'POST /app/live/talk_say';
const DELETE = 'POST /app/live/talk_delete';
const MUTE = 'POST /app/live/talk_mute';
const PIN = 'POST /app/live/talk_pin';
const HAND = 'POST /app/live/hand';
const HANDS = 'GET /app/live/hands';
const POLL = 'POST /app/live/poll_open';
const END = 'POST /app/live/poll_close';
const VOTE = 'POST /app/live/poll_vote';
const REPLAY = 'GET /app/live/talk_replay';
const ATTENDANCE = 'GET /app/live/attendance';
const KEEP = 'keep live attendance';
const MINUTE = 60_000;
const redisUrl = process.env.TEST_REDIS_URL;

let names = 0;
const name = () => {
  names += 1;
  return `message-${String(names).padStart(6, '0')}`;
};
const seqs = ({ events }: Listener) => events.map(({ seq }) => seq);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe.each(databases)('the room of a live lesson on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  let port = 0;
  beforeAll(async () => {
    port = await kit.app.listen(0, '127.0.0.1');
  });
  afterAll(() => kit.close());
  const { ok, refused, raw, time, user } = kit;

  /** A room with two students and a teacher, and somebody who has not its pack. */
  async function scene() {
    const [as, mate, other, teacher] = [await user(), await user(), await user(), await user('teacher')];
    const { packId } = await makePack(kit, { students: [as, mate] });
    const liveId = await makeRoom(kit, { packId, teacherId: teacher.userId });
    const say = (by: TestUser, text: string, clientId = name(), at: TestApp = kit) =>
      at.ok(SAY, { liveId, text, clientId }, { as: by });
    const hear = (by: TestUser) => listen(port, by, liveId);
    const read = (by: TestUser = as, more: object = {}) => ok(READ, { liveId, ...more }, { as: by });
    return { as, mate, other, teacher, packId, liveId, say, hear, read };
  }

  it('carries what is said to everybody there, numbered, by the server’s clock', async () => {
    const { as, mate, teacher, say, hear, read } = await scene();
    const [here, there] = [await hear(mate), await hear(teacher)];
    const { event } = await say(as, '老师好\r\n<img src=x onerror=alert(1)>');
    const said = {
      ...{ seq: 1, kind: 'said', saidAt: time.now, userId: as.userId, teacher: false, gone: false },
      text: '老师好\n<img src=x onerror=alert(1)>',
    };
    expect(event).toMatchObject(said);
    await say(teacher, '同学们好');
    await Promise.all([here, there].map((window) => window.until(() => window.events.length === 2)));
    for (const { events } of [here, there]) {
      expect(events[0]).toEqual(event);
      expect(events[1]).toMatchObject({ seq: 2, teacher: true, text: '同学们好' });
    }
    const { list, more, own, state } = await read();
    expect(list).toEqual(here.events);
    expect({ more, own }).toEqual({
      more: false,
      own: { userId: as.userId, manages: false, muted: false, handUp: false, vote: null },
    });
    expect(state).toMatchObject({ seq: 2, stage: 2, online: 2, hands: 0, mutedAll: false, pinned: null, poll: null });
    here.close();
    there.close();
  });

  it('stores a message once, however often it is sent', async () => {
    const { as, mate, say, read } = await scene();
    const clientId = name();
    const answers = await Promise.all([1, 2, 3].map(() => say(as, '一次', clientId)));
    expect(new Set(answers.map(({ event }) => event?.seq))).toEqual(new Set([1]));
    // Another person's of the same name is another one.
    expect((await say(mate, '另一条', clientId)).event?.seq).toBe(2);
    expect((await read()).list.map(({ text }) => text)).toEqual(['一次', '另一条']);
  });

  it('tells who was away what they missed, without loss or doubles, while others go on', async () => {
    const { as, mate, say, hear, read } = await scene();
    const teachers = [await user('teacher'), await user('teacher'), await user('teacher')];
    const always = await hear(mate);
    const seen: number[] = [];
    let said = 0;
    const talking = (async () => {
      for (; said < 200; said += 1) await say(teachers[said % 3] ?? as, `第 ${said} 句`);
    })();
    // Comes and goes twenty times; a number that it has is not taken again.
    for (let turn = 0; turn < 20; turn += 1) {
      const window = await hear(as);
      const take = (events: { seq: number }[]) => {
        for (const { seq } of events) if (seq > (seen.at(-1) ?? 0)) seen.push(seq);
      };
      for (let more = true; more; ) {
        const caught = await read(as, { after: seen.at(-1) ?? 0 });
        take(caught.list);
        more = caught.more;
      }
      await window.until(() => window.events.length > 2 || said >= 200);
      take(window.events);
      window.close();
    }
    await talking;
    for (let more = true; more; ) {
      const caught = await read(as, { after: seen.at(-1) ?? 0 });
      seen.push(...caught.list.map(({ seq }) => seq));
      more = caught.more;
    }
    await always.until(() => always.events.length >= 200);
    expect(seen).toEqual(upTo(200));
    expect(seqs(always)).toEqual(upTo(200));
    always.close();
  }, 60_000);

  it('is read back in steps', async () => {
    const { teacher, say, read } = await scene();
    const teachers = [teacher, await user('teacher'), await user('teacher')];
    for (let at = 0; at < 205; at += 1) await say(teachers[at % 3] ?? teacher, String(at));
    const last = await read();
    expect([last.list.length, last.list[0]?.seq, last.more]).toEqual([200, 6, true]);
    const first = await read(teacher, { before: 6 });
    expect([first.list.map(({ seq }) => seq), first.more]).toEqual([upTo(5), false]);
  }, 60_000);

  it('lets nobody in who has not the pack, from another site, or signed out; and nobody hears who may not', async () => {
    const { as, other, liveId, packId, hear } = await scene();
    for (const call of [READ, REPLAY] as const)
      expect(await refused(call, { liveId }, { as: other })).toBe('notEnrolled');
    expect(await refused(SAY, { liveId, text: '我', clientId: name() }, { as: other })).toBe('notEnrolled');
    expect(await refused(HAND, { liveId, up: 1 }, { as: other })).toBe('notEnrolled');
    expect(await refused(READ, { liveId: 987_654_321 }, { as })).toBe('notFound');
    const stranger = await listen(port, other, liveId);
    expect(stranger.closed()).not.toBe(null);
    for (const [who, headers] of [
      [null, {}],
      [as, { origin: 'https://evil.example' }],
    ] as const) {
      const window = await listen(port, who, liveId, headers);
      expect([window.closed(), window.states]).toEqual([1006, []]);
    }
    // Whoever loses the pack is out of the room, and may not speak.
    const window = await hear(as);
    await endEnrolment(kit.db.query, as.userId, packId);
    expect(await refused(SAY, { liveId, text: '还在', clientId: name() }, { as })).toBe('notEnrolled');
    await kit.chore('end live talk without right');
    await window.until(() => false);
    expect(window.closed()).toBe(1000);
    expect(stranger.events).toEqual([]);
  });

  it('hears nobody before and after the lesson, nor by the socket', async () => {
    const { as, teacher, liveId, hear, say } = await scene();
    const window = await hear(as);
    window.send(JSON.stringify({ kind: 'said', text: '从控制台' }));
    await say(as, '正常');
    await window.until(() => window.events.length > 0);
    expect(window.events.map(({ text }) => text)).toEqual(['正常']);
    time.now += 131 * MINUTE;
    for (const by of [as, teacher])
      expect(await refused(SAY, { liveId, text: '晚了', clientId: name() }, { as: by })).toBe('liveNotNow');
    expect(await refused(HAND, { liveId, up: 1 }, { as })).toBe('liveNotNow');
    time.now -= 180 * MINUTE;
    expect(await refused(SAY, { liveId, text: '早了', clientId: name() }, { as })).toBe('liveNotNow');
    time.now += 49 * MINUTE;
    window.close();
  });

  it('refuses what is empty, too long or too fast, and the flood of one is nobody else’s trouble', async () => {
    const { as, mate, liveId, say } = await scene();
    const said = (text: string, by = as) => refused(SAY, { liveId, text, clientId: name() }, { as: by });
    expect(await said(' \n')).toBe('commentEmpty');
    expect(await said('\u200B')).toBe('commentEmpty');
    expect(await said('😀'.repeat(201))).toBe('textTooLong');
    expect((await say(as, '😀'.repeat(200))).event?.text).toBe('😀'.repeat(200));
    expect(await raw(SAY, { liveId, text: 'x'.repeat(5000), clientId: name() }, { as })).toMatchObject({ code: 413 });
    const flood = await Promise.all(
      Array.from({ length: 30 }, (_, at) => raw(SAY, { liveId, text: `刷屏${at}`, clientId: name() }, { as })),
    );
    expect(flood.filter(({ code }) => code === 200)).toHaveLength(4);
    expect(new Set(flood.map(({ code }) => code))).toEqual(new Set([200, 429]));
    expect((await say(mate, '我正常')).event?.text).toBe('我正常');
    time.now += 10_001;
    await say(as, '又可以了');
  });

  it('tells the author which words of the school’s list a message has, and nobody hears it', async () => {
    const { as, teacher, say, read } = await scene();
    await writeSetting(kit.db.query, WORDS_SETTING, '代写\n');
    expect(await say(as, '找我代 写作业')).toEqual({ event: null, heldWords: ['代写'] });
    expect((await read()).list).toEqual([]);
    expect((await say(teacher, '不要找人代写')).heldWords).toEqual([]);
    await writeSetting(kit.db.query, WORDS_SETTING, '');
  });

  it('mutes one, in all their windows and after they come back, and is told to them and teachers alone', async () => {
    const { as, mate, teacher, liveId, say, hear, read } = await scene();
    const [own, others, desk] = [await hear(as), await hear(mate), await hear(teacher)];
    for (const _ of [1, 2]) await ok(MUTE, { liveId, userId: as.userId, muted: 1 }, { as: teacher });
    expect(await refused(SAY, { liveId, text: '我说', clientId: name() }, { as })).toBe('liveMuted');
    expect((await read()).own.muted).toBe(true);
    await say(mate, '我可以说');
    await Promise.all([own, others, desk].map((window) => window.until(() => window.events.length === 2)));
    const muted = { kind: 'muted', toUserId: as.userId };
    expect(own.events[0]).toMatchObject(muted);
    expect(desk.events[0]).toMatchObject(muted);
    expect(others.events[0]).toMatchObject({ seq: 1, kind: 'other', toUserId: 0, userId: 0, nickname: '' });
    expect((await read(mate)).list[0]).toEqual(others.events[0]);
    expect((await ok(HANDS, { liveId }, { as: teacher })).muted).toMatchObject([{ userId: as.userId }]);
    await ok(MUTE, { liveId, userId: as.userId, muted: 0 }, { as: teacher });
    expect((await say(as, '又能说')).event?.text).toBe('又能说');
    expect((await raw(MUTE, { liveId, userId: mate.userId, muted: 1 }, { as })).code).toBe(403);
    expect(await refused(MUTE, { liveId, userId: 987_654_321, muted: 1 }, { as: teacher })).toBe('notFound');
    for (const window of [own, others, desk]) window.close();
  });

  it('mutes all but teachers', async () => {
    const { as, teacher, liveId, say } = await scene();
    expect(await ok(MUTE, { liveId, muted: 1 }, { as: teacher })).toMatchObject({ mutedAll: true, seq: 1 });
    expect(await ok(MUTE, { liveId, muted: 1 }, { as: teacher })).toMatchObject({ mutedAll: true, seq: 1 });
    expect(await refused(SAY, { liveId, text: '我说', clientId: name() }, { as })).toBe('liveMutedAll');
    await say(teacher, '先听讲');
    expect(await ok(MUTE, { liveId, muted: 0 }, { as: teacher })).toMatchObject({ mutedAll: false });
    await say(as, '谢谢老师');
  });

  it('takes messages out of sight, one’s own or any by a teacher, also for who comes later', async () => {
    const { as, mate, teacher, liveId, say, hear, read } = await scene();
    const window = await hear(mate);
    await say(as, '不当的话');
    await say(mate, '我自己的');
    expect(await refused(DELETE, { liveId, seq: 1 }, { as: mate })).toBe('notAllowed');
    expect(await refused(DELETE, { liveId, seq: 3 }, { as: teacher })).toBe('notFound');
    await ok(PIN, { liveId, seq: 1, pinned: 1 }, { as: teacher });
    for (const _ of [1, 2]) await ok(DELETE, { liveId, seq: 1 }, { as: teacher });
    await ok(DELETE, { liveId, seq: 2 }, { as: mate });
    await window.until(() => window.events.length === 5);
    expect(window.events.slice(3)).toMatchObject([
      { kind: 'deleted', target: 1 },
      { kind: 'deleted', target: 2 },
    ]);
    const { list, state } = await read();
    expect(list.slice(0, 2)).toMatchObject([
      { seq: 1, text: '', gone: true },
      { seq: 2, text: '', gone: true },
    ]);
    expect(state.pinned).toBe(null);
    expect((await ok(REPLAY, { liveId }, { as })).list).toEqual([]);
    window.close();
  });

  it('pins one message at a time', async () => {
    const { as, teacher, liveId, say, hear } = await scene();
    const window = await hear(as);
    await say(teacher, '讲义在课程文件里');
    await say(teacher, '第 8 页');
    for (const seq of [1, 2]) await ok(PIN, { liveId, seq, pinned: 1 }, { as: teacher });
    await window.until(() => window.states.at(-1)?.pinned?.seq === 2);
    expect(window.states.at(-1)?.pinned).toMatchObject({ text: '第 8 页', teacher: true });
    expect((await ok(PIN, { liveId, seq: 1, pinned: 0 }, { as: teacher })).pinned?.seq).toBe(2);
    expect((await ok(PIN, { liveId, seq: 2, pinned: 0 }, { as: teacher })).pinned).toBe(null);
    expect((await raw(PIN, { liveId, seq: 1, pinned: 1 }, { as })).code).toBe(403);
    window.close();
  });

  it('counts hands, names them to teachers alone, in their order', async () => {
    const { as, mate, teacher, liveId, hear, read } = await scene();
    const window = await hear(mate);
    for (const _ of [1, 2]) await ok(HAND, { liveId, up: 1 }, { as });
    time.now += 1000;
    await ok(HAND, { liveId, up: 1 }, { as: mate });
    expect((await read(as)).own.handUp).toBe(true);
    expect((await ok(HANDS, { liveId }, { as: teacher })).hands.map(({ userId }) => userId)).toEqual([
      as.userId,
      mate.userId,
    ]);
    expect((await raw(HANDS, { liveId }, { as })).code).toBe(403);
    expect(await refused(HAND, { liveId, up: 0, userId: mate.userId }, { as })).toBe('notAllowed');
    expect(await refused(HAND, { liveId, up: 1, userId: mate.userId }, { as: teacher })).toBe('notAllowed');
    expect(await ok(HAND, { liveId, up: 0, userId: as.userId }, { as: teacher })).toMatchObject({ hands: 1 });
    await window.until(() => window.events.length === 3);
    expect(window.events.map(({ kind, toUserId }) => [kind, toUserId])).toEqual([
      ['other', 0],
      ['handRaised', mate.userId],
      ['other', 0],
    ]);
    window.close();
  });

  it('asks one question at a time, counts one vote a person, and tells how many, not who', async () => {
    const { as, mate, teacher, liveId, hear, read } = await scene();
    const window = await hear(as);
    const asked = { liveId, question: '听懂了吗', options: ['懂了', '没有'], clientId: name() };
    const { poll } = await ok(POLL, asked, { as: teacher });
    expect((await ok(POLL, asked, { as: teacher })).poll).toEqual(poll);
    expect(await refused(POLL, { ...asked, clientId: name() }, { as: teacher })).toBe('pollOpenAlready');
    expect(await refused(POLL, { ...asked, options: ['同', '同'], clientId: name() }, { as: teacher })).toBe(
      'pollEmpty',
    );
    const pollId = poll?.pollId ?? 0;
    await Promise.all([1, 2, 3].map(() => ok(VOTE, { liveId, pollId, choice: 1 }, { as })));
    await ok(VOTE, { liveId, pollId, choice: 0 }, { as: mate });
    expect(await refused(VOTE, { liveId, pollId, choice: 0 }, { as })).toBe('pollVoted');
    expect(await refused(VOTE, { liveId, pollId, choice: 2 }, { as: teacher })).toBe('notFound');
    await window.until(() => window.states.at(-1)?.poll?.votes === 2);
    expect(window.states.at(-1)?.poll).toEqual({
      ...{ pollId, question: '听懂了吗', open: true, votes: 2 },
      options: [
        { text: '懂了', votes: 1 },
        { text: '没有', votes: 1 },
      ],
    });
    expect((await read()).own.vote).toBe(1);
    for (const _ of [1, 2]) expect((await ok(END, { liveId, pollId }, { as: teacher })).poll?.open).toBe(false);
    expect(await refused(VOTE, { liveId, pollId, choice: 0 }, { as: teacher })).toBe('pollOver');
    expect(await ok(VOTE, { liveId, pollId, choice: 1 }, { as })).toMatchObject({ poll: { votes: 2 } });
    expect((await raw(POLL, { ...asked, clientId: name() }, { as })).code).toBe(403);
    const voters = [as, mate].map(({ userId }) => String(userId));
    expect(JSON.stringify(window.states.map((state) => state.poll))).not.toMatch(
      new RegExp(`:(${voters.join('|')})\\b`),
    );
    window.close();
  });

  it('ends a poll that nobody closed with its lesson', async () => {
    const { as, teacher, liveId } = await scene();
    const asked = { liveId, question: '听懂了吗', options: ['懂了', '没有'], clientId: name() };
    const pollId = (await ok(POLL, asked, { as: teacher })).poll?.pollId ?? 0;
    const before = time.now;
    time.now += 3 * 60 * MINUTE;
    expect(await refused(VOTE, { liveId, pollId, choice: 0 }, { as })).toBe('pollOver');
    time.now = before;
  });

  it('counts nobody whose entering failed', async () => {
    const { as, liveId } = await scene();
    let fails = true;
    // The database goes away between the room's opening and its first word.
    const query = new Proxy(kit.db.query, {
      get: (whole, key) => {
        if (key === 'selectFrom' && fails)
          return (table: string) => {
            if (table === 'live_lessons') throw new Error('away');
            return whole.selectFrom(table as 'live_talks');
          };
        const value: unknown = Reflect.get(whole, key);
        return typeof value === 'function' ? value.bind(whole) : value;
      },
    });
    const parts = { ...kit.parts, db: { ...kit.db, query } };
    const hub = talkHub(parts);
    const window = { userId: as.userId, teacher: false, send: () => undefined, close: () => undefined };
    await expect(hub.enter(liveId, window)).rejects.toThrow('away');
    expect([hub.onlineIn(liveId), hub.presentIn(liveId).size]).toEqual([0, 0]);
    fails = false;
    const leave = await hub.enter(liveId, window);
    expect([hub.onlineIn(liveId), hub.presentIn(liveId).size]).toEqual([1, 1]);
    leave();
  });

  it('counts people, not windows, and not those who have gone', async () => {
    const { as, mate, hear, read } = await scene();
    const windows = [await hear(as), await hear(as), await hear(mate)];
    expect((await read()).state.online).toBe(2);
    await windows[1]?.until(() => windows[1]?.states.at(-1)?.online === 2);
    windows[0]?.close();
    windows[2]?.close();
    await windows[1]?.until(() => windows[1]?.states.at(-1)?.online === 1);
    expect((await read()).state.online).toBe(1);
    windows[1]?.close();
    await expect.poll(async () => (await read()).state.online).toBe(0);
  });

  it('stands at its second of the replay', async () => {
    const { as, teacher, liveId, say } = await scene();
    time.now += 10 * MINUTE;
    await say(teacher, '开始');
    time.now += 90_500;
    await say(as, '第二分钟');
    const { list } = await ok(REPLAY, { liveId }, { as });
    expect(list.map(({ second, text }) => [second, text])).toEqual([
      [0, '开始'],
      [90.5, '第二分钟'],
    ]);
    expect((await ok(REPLAY, { liveId, second: 100 }, { as })).list.map(({ text }) => text)).toEqual(['第二分钟']);
    expect(await ok(REPLAY, { liveId, after: 1 }, { as })).toMatchObject({ list: [{ seq: 2 }], next: 2, more: false });
  });

  it('knows who was there, from when to when, over a server that was killed', async () => {
    const { as, mate, teacher, liveId, hear } = await scene();
    const list = async (more: object = {}) => ok(ATTENDANCE, { liveId, ...more }, { as: teacher });
    expect(await list()).toMatchObject({ list: [], total: 0, students: 2, title: '极限专题' });
    const began = time.now + 10 * MINUTE;
    // Five minutes early, through the beginning, and for twenty minutes of it.
    time.now = began - 5 * MINUTE;
    const first = await hear(as);
    const desk = await hear(teacher);
    for (time.now = began; time.now < began + 20 * MINUTE; time.now += 10_000) await kit.chore(KEEP);
    await kit.chore(KEEP);
    // Killed without a word: the server after it goes on where this one stopped.
    const next = await kit.sibling();
    time.now += 20_000;
    const again = await listen(await next.app.listen(0, '127.0.0.1'), as, liveId);
    time.now += 10 * MINUTE;
    await next.chore(KEEP);
    expect(await list()).toMatchObject({
      list: [{ userId: as.userId, fromAt: began, untilAt: time.now, minutes: 30, times: 1, here: true }],
      total: 1,
    });
    // Another comes for a minute, and leaves in order.
    const other = await hear(mate);
    time.now += MINUTE;
    other.close();
    await other.until(() => false);
    await expect
      .poll(async () => {
        await kit.chore(KEEP);
        return (await list()).list.find(({ userId }) => userId === mate.userId);
      })
      .toMatchObject({ minutes: 1, here: false });
    expect(await list({ pageSize: 1, pageNum: 2 })).toMatchObject({ total: 2, pages: 2, list: [{}] });
    expect((await raw(ATTENDANCE, { liveId }, { as })).code).toBe(403);
    for (const window of [first, again, desk]) window.close();
    await next.close();
  });

  it('attends no longer than until now, though the clock was wrong when somebody came or left', async () => {
    const { as, mate, teacher, liveId, hear } = await scene();
    const began = time.now + 10 * MINUTE;
    time.now = began;
    const left = await hear(mate);
    // For a moment it is a quarter of an hour later.
    time.inDoubt = true;
    time.now = began + 15 * MINUTE;
    const stays = await hear(as);
    left.close();
    await left.until(() => false);
    await expect.poll(async () => (await ok(READ, { liveId }, { as })).state.online).toBe(1);
    time.now = began + MINUTE;
    await kit.chore(KEEP);
    time.inDoubt = false;
    await kit.chore(KEEP);
    time.now = began + 3 * MINUTE;
    await kit.chore(KEEP);
    const { list } = await ok(ATTENDANCE, { liveId }, { as: teacher });
    const found = (by: TestUser) => list.find(({ userId }) => userId === by.userId);
    expect(found(mate)).toMatchObject({ fromAt: began, untilAt: began + MINUTE, minutes: 1 });
    expect(found(as)).toMatchObject({ fromAt: began + MINUTE, untilAt: began + 3 * MINUTE, minutes: 2, here: true });
    stays.close();
  });

  it.runIf(redisUrl)('is one room over two servers, through Redis', async () => {
    const bus = () => redisBus(redisUrl ?? '', (error) => expect(error).toBeUndefined());
    const [here, there] = [await kit.sibling(await bus()), await kit.sibling(await bus())];
    try {
      const { as, mate, teacher, liveId, say } = await scene();
      const ports = [await here.app.listen(0, '127.0.0.1'), await there.app.listen(0, '127.0.0.1')];
      const windows = [await listen(ports[0] ?? 0, as, liveId), await listen(ports[1] ?? 0, mate, liveId)];
      await Promise.all(windows.map((window) => window.until(() => window.states.at(-1)?.online === 2)));
      for (let turn = 0; turn < 20; turn += 1) await say(teacher, `第 ${turn} 句`, name(), turn % 2 ? here : there);
      await Promise.all(windows.map((window) => window.until(() => window.events.length >= 20)));
      for (const window of windows) expect(seqs(window)).toEqual(upTo(20));
      for (const window of windows) window.close();
    } finally {
      await Promise.all([here.close(), there.close()]);
    }
  });

  it('is one room over two servers without a bus between them, a little later', async () => {
    const there = await kit.sibling();
    try {
      const { as, teacher, liveId, say } = await scene();
      const window = await listen(await there.app.listen(0, '127.0.0.1'), as, liveId);
      await say(teacher, '另一台服务器');
      await window.until(() => window.events.length > 0);
      expect(window.events).toMatchObject([{ seq: 1, text: '另一台服务器' }]);
      window.close();
    } finally {
      await there.close();
    }
  });

  it('goes with the account as far as it is the person’s alone', async () => {
    const { as, liveId, say, hear } = await scene();
    await say(as, '我说过');
    await ok(HAND, { liveId, up: 1 }, { as });
    const window = await hear(as);
    time.now += 11 * MINUTE;
    await kit.chore(KEEP);
    window.close();
    const rows = async () =>
      Promise.all(talkPersonParts(kit.db).map(async (part) => (await Array.fromAsync(part.rows(as.userId))).length));
    expect(await rows()).toEqual([1, 0, 1]);
    await kit.db.changePeople(async (trx) => {
      for (const part of talkPersonParts(kit.db)) await part.forget?.(trx, as.userId);
    });
    expect(await rows()).toEqual([1, 0, 0]);
  });
});
