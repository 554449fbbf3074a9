import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisBus } from '#server/bus.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { noticeCommands } from './notice-command.ts';
import { saveNotices } from './store.ts';

const LIST = 'GET /app/common/notice';
const UNREAD = 'GET /app/common/notice_unread';
const UNSEEN = 'GET /app/common/announcement';
const SEEN = 'POST /app/common/notice_seen';
const ANNOUNCE = 'POST /app/common/announce';
const WITHDRAW = 'POST /app/common/announce_withdraw';
const ALL = 'GET /app/common/announcement_list';
const HOUR = 3_600_000;
const TELL = 'tell of announcements';
const redisUrl = process.env.TEST_REDIS_URL;

describe.each(databases)('what a school announces on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused, raw, db, time, user, parts } = kit;
  /** Two students of a pack of their own, somebody else, and a teacher who announces something to the pack. */
  async function scene() {
    const [as, mate, other, teacher] = [await user(), await user(), await user(), await user('teacher')];
    const pack = await makePack(kit, { students: [as, mate] });
    const untilAt = time.now + 10 * HOUR;
    const asked = { name: '停机维护', content: '今晚 22:00 停机', untilAt, packId: pack.packId };
    const announce = (more: object = {}) => ok(ANNOUNCE, { ...asked, ...more }, { as: teacher });
    const namesFor = async (by: TestUser) => (await ok(UNSEEN, {}, { as: by })).list.map(({ name }) => name);
    const taught = async (id: number) =>
      (await ok(ALL, { pageSize: 100 }, { as: teacher })).list.find((row) => row.id === id);
    return { as, mate, other, teacher, pack, asked, announce, namesFor, taught };
  }

  it('is told to everybody until they have read it, and listed from then on', async () => {
    const { as, other, teacher, announce, taught } = await scene();
    const made = await announce({ packId: undefined });
    expect(made).toMatchObject({ state: 'shown', packId: null, packName: '', fromAt: time.now, readers: 0 });
    expect(made.userName).not.toBe('');
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 1, announced: 1 });
    expect((await ok(UNSEEN, {}, { as })).list).toEqual([
      { id: made.id, name: '停机维护', content: '今晚 22:00 停机', fromAt: time.now },
    ]);
    expect((await ok(LIST, {}, { as })).list).toMatchObject([
      { id: made.id, kind: 'announcement', name: '停机维护', content: '今晚 22:00 停机', unread: true },
    ]);
    for (const _ of [1, 2])
      expect(await ok(SEEN, { noticeIds: [made.id] }, { as })).toEqual({ count: 0, announced: 0 });
    expect((await ok(UNSEEN, {}, { as })).list).toEqual([]);
    expect((await ok(LIST, {}, { as })).list).toMatchObject([{ id: made.id, unread: false }]);
    // Who announced it knows it; the others are still to read it.
    expect(await ok(UNREAD, {}, { as: teacher })).toEqual({ count: 0, announced: 0 });
    expect(await ok(UNREAD, {}, { as: other })).toEqual({ count: 1, announced: 1 });
    expect(await taught(made.id)).toMatchObject({ readers: 1, state: 'shown' });
    // Once it is over, who has read it finds it, and nobody else is told any more.
    time.now += 10 * HOUR;
    expect((await ok(LIST, {}, { as })).list).toHaveLength(1);
    expect(await ok(LIST, {}, { as: other })).toMatchObject({ list: [], total: 0 });
    expect(await ok(UNREAD, {}, { as: other })).toEqual({ count: 0, announced: 0 });
    expect(await taught(made.id)).toMatchObject({ state: 'over' });
  });

  it('stands among other notices in the order of time, page by page', async () => {
    const { as, announce } = await scene();
    const words = { title: '会计', total: '1', orderNo: '1' };
    for (let at = 0; at < 6; at += 1) {
      time.now += 1000;
      if (at % 2 === 0) await announce({ name: `第 ${at} 条` });
      else
        await db.transaction((trx) =>
          saveNotices(trx, randomBytes, time.now, [{ userId: as.userId, event: `${at}`, kind: 'orderPaid', words }]),
        );
    }
    const kinds = [];
    for (const pageNum of [1, 2, 3]) {
      const page = await ok(LIST, { pageNum, pageSize: 2 }, { as });
      expect([page.total, page.pages]).toEqual([6, 3]);
      kinds.push(...page.list.map((row) => row.kind === 'announcement'));
    }
    expect(kinds).toEqual([false, true, false, true, false, true]);
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 6, announced: 3 });
  });

  it('is told to the students of a pack as it is at that moment, and shown from when to when it says', async () => {
    const { as, other, teacher, pack, announce, namesFor, taught } = await scene();
    const { id } = await announce({ name: '开课', fromAt: time.now + HOUR });
    expect(await namesFor(as)).toEqual([]);
    expect(await taught(id)).toMatchObject({
      state: 'planned',
      packId: pack.packId,
      packName: expect.stringMatching(/./),
    });
    time.now += HOUR;
    expect([await namesFor(as), await namesFor(other), await namesFor(teacher)]).toEqual([['开课'], [], []]);
    const enrolment = { user_id: other.userId, pack_id: pack.packId, created_at: time.now };
    await db.query.insertInto('enrolments').values(enrolment).execute();
    expect(await namesFor(other)).toEqual(['开课']);
    await db.query.deleteFrom('enrolments').where('user_id', '=', other.userId).execute();
    expect(await namesFor(other)).toEqual([]);
  });

  it('shows the newest five in the dialog, the oldest of them first', async () => {
    const { announce, namesFor, as } = await scene();
    const ids = [];
    for (let at = 0; at < 7; at += 1) {
      time.now += 1000;
      ids.push((await announce({ name: `第 ${at} 条` })).id);
    }
    expect(await namesFor(as)).toEqual([2, 3, 4, 5, 6].map((at) => `第 ${at} 条`));
    await ok(SEEN, { noticeIds: ids.slice(2) }, { as });
    expect(await namesFor(as)).toEqual([]);
    expect((await ok(LIST, {}, { as })).total).toBe(7);
  });

  it('is gone for everybody once it is withdrawn, and says who did', async () => {
    const { as, mate, teacher, announce } = await scene();
    const { id } = await announce();
    await ok(SEEN, { noticeIds: [id] }, { as });
    const colleague = await user('teacher');
    const withdrawn = await ok(WITHDRAW, { id }, { as: colleague });
    expect(withdrawn).toMatchObject({ state: 'withdrawn', withdrawnAt: time.now });
    time.now += 1000;
    expect(await ok(WITHDRAW, { id }, { as: teacher })).toEqual(withdrawn);
    expect(await ok(LIST, {}, { as })).toMatchObject({ list: [], total: 0 });
    expect(await ok(UNREAD, {}, { as: mate })).toEqual({ count: 0, announced: 0 });
    expect(await refused(WITHDRAW, { id: 987_654 }, { as: teacher })).toBe('notFound');
  });

  it('is one however often the press is sent, and refused with a sentence where it makes no sense', async () => {
    const { as, mate, teacher, asked, announce, namesFor } = await scene();
    const presses = await Promise.all(Array.from({ length: 5 }, () => announce({ clientId: 'press-0001' })));
    expect(new Set(presses.map(({ id }) => id)).size).toBe(1);
    for (const [change, why] of [
      [{ name: ' ' }, 'announceNoName'],
      [{ name: '长'.repeat(51) }, 'textTooLong'],
      [{ content: '\u0000' }, 'announceNoContent'],
      [{ content: '长'.repeat(2001) }, 'textTooLong'],
      [{ untilAt: time.now }, 'announceTimes'],
      [{ packId: 987_654 }, 'notFound'],
    ] as const)
      expect(await refused(ANNOUNCE, { ...asked, ...change }, { as: teacher })).toBe(why);
    expect((await raw(ANNOUNCE, { ...asked, untilAt: '明天' }, { as: teacher })).code).toBe(400);
    for (const [name, input] of [
      [ANNOUNCE, asked],
      [ALL, {}],
      [WITHDRAW, { id: 1 }],
    ] as const)
      expect((await raw(name, input, { as })).code).toBe(403);
    expect([await namesFor(as), await namesFor(mate)]).toEqual([[asked.name], [asked.name]]);
  });

  it('is announced, listed and withdrawn by commands', async () => {
    const { as, pack, namesFor } = await scene();
    const said: string[] = [];
    const run = (name: string, ...args: string[]) => {
      const command = noticeCommands.find((known) => known.name === name);
      return command?.run(args, {
        openDb: async () => db,
        files: parts.files,
        say: (line) => void said.push(line),
        progress: { show: () => undefined, end: () => undefined },
        signal: new AbortController().signal,
      });
    };
    const { slug } = await db.query
      .selectFrom('packs')
      .select('slug')
      .where('id', '=', pack.packId)
      .executeTakeFirstOrThrow();
    // Commands go by the true time; the app of this test by its own, which is earlier.
    const far = ['--from', '2000-01-01 00:00'];
    await run('notice announce', '开学', '--text', '周一\\n开学', '--pack', slug, ...far);
    const row = await db.query
      .selectFrom('announcements')
      .selectAll()
      .where('pack_id', '=', pack.packId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ name: '开学', content: '周一\n开学', pack_id: pack.packId, user_id: null });
    expect(row.until_at - row.from_at).toBe(14 * 24 * HOUR);
    await db.query.updateTable('announcements').set({ from_at: 0 }).where('id', '=', row.id).execute();
    expect(await namesFor(as)).toEqual(['开学']);
    await run('notice list');
    expect(said.some((line) => line.startsWith(`${row.id}  `))).toBe(true);
    for (const args of [
      ['开学'],
      ['开学', '--text', '一', '--pack', 'nope'],
      ['开学', '--text', '一', '--until', '2000-01-01 00:00'],
    ])
      await expect(run('notice announce', ...args)).rejects.toThrow();
    await run('notice withdraw', String(row.id));
    expect(await namesFor(as)).toEqual([]);
    expect(await ok(LIST, {}, { as })).toMatchObject({ total: 0 });
    await expect(run('notice withdraw', '987654')).rejects.toThrow();
  });
});

describe.each(databases)('a window that hears of notices on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  let port = 0;
  beforeAll(async () => {
    port = await kit.app.listen(0, '127.0.0.1');
  });
  afterAll(() => kit.close());

  /** A window's socket and what it heard. */
  async function watch(as: TestUser | null, at = port) {
    const heard: { count: number; announced: number }[] = [];
    const waiting: (() => void)[] = [];
    let opened = false;
    const socket = new WebSocket(`ws://127.0.0.1:${at}/app/common/notice_watch`, {
      headers: as ? { authorization: `Bearer ${as.token}` } : {},
    } as never);
    socket.onmessage = ({ data }) => {
      heard.push(JSON.parse(String(data)));
      for (const goOn of waiting.splice(0)) goOn();
    };
    await new Promise<void>((resolve) => {
      socket.onopen = () => {
        opened = true;
        resolve();
      };
      socket.onerror = () => resolve();
    });
    return {
      heard,
      opened,
      async until(count: number) {
        while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
        return heard.map((unread) => unread.count);
      },
      close: () => socket.close(),
    };
  }
  const words = { title: '会计', total: '1', orderNo: '1' };
  const tell = (at: TestApp, as: TestUser, event: string) =>
    at.db.transaction((trx) =>
      saveNotices(trx, randomBytes, kit.time.now, [{ userId: as.userId, event, kind: 'orderPaid', words }]),
    );

  it('is told at once what is unread, then whatever changes, and nothing that was taken back', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    await tell(kit, as, 'before');
    const [window, second, theirs] = [await watch(as), await watch(as), await watch(other)];
    expect(await window.until(1)).toEqual([1]);
    await expect(
      kit.db.transaction(async (trx) => {
        await saveNotices(trx, randomBytes, kit.time.now, [
          { userId: as.userId, event: 'no', kind: 'orderPaid', words },
        ]);
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    await tell(kit, as, 'after');
    // Both: a window that looks only after the reading below would hear of that alone.
    for (const each of [window, second]) expect(await each.until(2)).toEqual([1, 2]);
    const ids = (await kit.ok(LIST, {}, { as })).list.map(({ id }) => id);
    await kit.ok(SEEN, { noticeIds: ids }, { as });
    // Read in one window, right in the other.
    expect(await second.until(3)).toEqual([1, 2, 0]);
    expect(await theirs.until(1)).toEqual([0]);
    expect(theirs.heard).toHaveLength(1);
    for (const each of [window, second, theirs]) each.close();
  });

  it('hears the same again by and by, and so knows that its connection lives', async () => {
    const as = await kit.user();
    await tell(kit, as, 'beat');
    const window = await watch(as);
    await window.until(1);
    await kit.chore('repeat to windows');
    expect(await window.until(2)).toEqual([1, 1]);
    window.close();
  });

  it('is not opened for a visitor', async () => {
    expect((await watch(null)).opened).toBe(false);
  });

  it('hears of what is announced, by a command too, and of its withdrawal', async () => {
    const [as, teacher] = [await kit.user(), await kit.user('teacher')];
    const window = await watch(as);
    await window.until(1);
    await kit.chore(TELL);
    const asked = { name: '通知', content: '内容', untilAt: kit.time.now + HOUR };
    const { id } = await kit.ok(ANNOUNCE, asked, { as: teacher });
    await kit.chore(TELL);
    await window.until(2);
    await kit.ok(WITHDRAW, { id }, { as: teacher });
    await kit.chore(TELL);
    await window.until(3);
    expect(window.heard.map(({ announced }) => announced)).toEqual([0, 1, 0]);
    window.close();
  });

  it.skipIf(!redisUrl)('hears of what another process tells', async () => {
    const failed = (error: unknown) => {
      throw error;
    };
    const [one, two] = [
      await kit.sibling(await redisBus(redisUrl ?? '', failed)),
      await kit.sibling(await redisBus(redisUrl ?? '', failed)),
    ];
    const as = await kit.user();
    const window = await watch(as, await one.app.listen(0, '127.0.0.1'));
    await window.until(1);
    await tell(two, as, 'abroad');
    expect(await window.until(2)).toEqual([0, 1]);
    window.close();
    await one.close();
    await two.close();
  });
});
