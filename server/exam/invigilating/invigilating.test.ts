import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WrongUsage } from '#server/command.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { examCommands } from '../exam-command.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate, HOUR, SWEEP, startScene } from '../scene.test-kit.ts';

const GIVE = 'POST /app/exam/give_time';
const SITTING = 'GET /app/exam/sitting';
const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const MINUTE = 60_000;

describe.each(databases)('time given back on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  let teacher: TestUser;
  let port = 0;
  beforeAll(async () => {
    teacher = await kit.user('teacher');
    port = await kit.app.listen(0, '127.0.0.1');
  });
  afterAll(() => kit.close());
  const { ok, refused } = kit;
  let keys = 0;
  const giveKey = () => {
    keys += 1;
    return `give-key-${keys}`;
  };
  const gift = (examId: number, more: object = {}) => ({
    giveKey: giveKey(),
    examId,
    minutes: 10,
    reason: '停电',
    ...more,
  });
  const endOf = async (as: TestUser, recordId: number) =>
    (await ok('GET /api/exam/cache', { recordId }, { as })).endsAt;

  it('goes to one who sits a paper: the end moves, what came after the old one counts, and it is told everywhere', async () => {
    const { as, examId, recordId, base, save } = await startScene(kit);
    const other = await startScene(kit, {}, await kit.user());
    kit.time.now = START + 10 * MINUTE;
    expect(await ok(GIVE, gift(examId, { recordIds: [recordId] }), { as: teacher })).toEqual({
      count: 1,
      closed: 0,
      tooMuch: 0,
    });
    expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({
      endsAt: START + HOUR + 10 * MINUTE,
      remaining: HOUR,
      extraTime: 10,
      extraReason: '停电',
    });
    expect(await endOf(other.as, other.recordId)).toBe(START + HOUR);
    kit.time.now = START + HOUR + 5 * MINUTE;
    await kit.chore(SWEEP);
    expect(await ok(SAVE, save(0, 'A', 1), { as })).toMatchObject({ extraTime: 10 });
    expect(await ok(SUBMIT, base, { as })).toMatchObject({ closed: 'submitted', score: 2 });
    const tip = await ok('GET /app/exam/result_tip', { recordId }, { as });
    expect(tip).toMatchObject({ extraTime: 10, usedTime: 65 * 60 });
    expect((await ok('POST /app/exam/history', { examId }, { as })).list).toMatchObject([{ extraTime: 10 }]);
    expect((await ok('GET /app/common/notice', {}, { as })).list).toMatchObject([
      { kind: 'timeGiven', recordId, content: expect.stringContaining('10 分钟。原因：停电') },
    ]);
    expect((await ok('GET /app/exam/given_time', {}, { as: teacher })).list[0]).toMatchObject({
      minutes: 10,
      reason: '停电',
      count: 1,
      givenAt: START + 10 * MINUTE,
    });
  });

  it('goes to all who sit a paper now, and adds up', async () => {
    const one = await startScene(kit);
    const [second, third] = [await classmate(kit, one.pack), await classmate(kit, one.pack)];
    kit.time.now = START + MINUTE;
    const two = await ok('GET /app/exam/test_start', { examId: one.examId }, { as: second });
    const done = await ok('GET /app/exam/test_start', { examId: one.examId }, { as: third });
    await ok(SUBMIT, { examId: one.examId, recordId: done.recordId }, { as: third });
    expect(await ok(GIVE, gift(one.examId), { as: teacher })).toMatchObject({ count: 2 });
    expect(await ok(GIVE, gift(one.examId, { minutes: 5, reason: ' 又停电 ' }), { as: teacher })).toMatchObject({
      count: 2,
    });
    expect(await endOf(one.as, one.recordId)).toBe(START + HOUR + 15 * MINUTE);
    expect(await endOf(second, two.recordId)).toBe(START + HOUR + 16 * MINUTE);
    expect(await ok('GET /api/exam/cache', { recordId: two.recordId }, { as: second })).toMatchObject({
      extraTime: 15,
      extraReason: '又停电',
    });
    expect((await ok('GET /app/common/notice', {}, { as: second })).total).toBe(2);
    expect((await ok('GET /app/common/notice', {}, { as: third })).total).toBe(0);
  });

  it('is given once for one key, by how many servers and however often it is sent; another gift under it is refused', async () => {
    const { as, examId, recordId } = await startScene(kit);
    const sibling = await kit.sibling();
    const same = gift(examId, { recordIds: [recordId] });
    const twice = await Promise.all([
      ok(GIVE, same, { as: teacher }),
      sibling.ok(GIVE, same, { as: teacher }),
      ok(GIVE, same, { as: teacher }),
    ]);
    expect(twice).toEqual(Array(3).fill({ count: 1, closed: 0, tooMuch: 0 }));
    expect(await endOf(as, recordId)).toBe(START + HOUR + 10 * MINUTE);
    for (const change of [{ minutes: 11 }, { reason: '别的' }, { recordIds: undefined }])
      expect(await refused(GIVE, { ...same, ...change }, { as: teacher })).toBe('givenOtherwise');
    expect(await refused(GIVE, same, { as: await kit.user('teacher') })).toBe('givenOtherwise');
    await sibling.close();
  });

  it('of a hand-in, a closing and a gift at once one comes first: nothing is half', async () => {
    const { as, examId, recordId, base, save } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    kit.time.now = START + HOUR + 13_000;
    const [given] = await Promise.all([
      kit.call(GIVE, gift(examId, { recordIds: [recordId] }), { as: teacher }),
      kit.chore(SWEEP),
    ]);
    const after = await ok('GET /api/exam/cache', { recordId }, { as });
    if (given.code === 200) {
      // From now on: the end had passed.
      expect(after).toMatchObject({ submittedAt: null, endsAt: kit.time.now + 10 * MINUTE, extraTime: 10 });
      await ok(SAVE, save(0, 'B', 2), { as });
      await ok(SUBMIT, base, { as });
    } else {
      expect(given).toMatchObject({ code: 422, data: { why: 'allHandedIn' } });
      expect(after).toMatchObject({ submittedAt: START + HOUR, extraTime: 0 });
    }
    const { list } = await ok('GET /app/exam/given_time', { pageSize: 200 }, { as: teacher });
    expect(list.every(({ count }) => count > 0)).toBe(true);
  });

  it('a window that hands in because the time is over, and has not heard, goes on; the student may hand in', async () => {
    const { as, examId, recordId, base, save } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(GIVE, gift(examId, { recordIds: [recordId] }), { as: teacher });
    kit.time.now = START + HOUR;
    expect(await refused(SUBMIT, { ...base, extraTime: 0 }, { as })).toBe('moreTime');
    await ok(SAVE, save(1, 'B', 2), { as });
    expect(await ok(SUBMIT, base, { as })).toMatchObject({ closed: 'submitted', score: 4 });
  });

  it('is a student’s own from the start where it was granted, in a pack before all of them; what is open keeps its end', async () => {
    const SET = 'POST /app/exam/set_accommodation';
    const one = await startScene(kit);
    const { phone } = await kit.db.query
      .selectFrom('users')
      .select('phone')
      .where('id', '=', one.as.userId)
      .executeTakeFirstOrThrow();
    const set = (more: object) => ({ phone, reason: '视力障碍', ...more });
    expect(await refused(SET, set({ percent: 150 }), { as: one.as })).toBe('notAllowed');
    expect(await refused(SET, set({ percent: 150, minutes: 5 }), { as: teacher })).toBe('badInput');
    const first = await ok(SET, set({ percent: 150 }), { as: teacher });
    expect(await ok(SET, set({ percent: 150 }), { as: teacher })).toEqual(first);
    expect(await endOf(one.as, one.recordId)).toBe(START + HOUR);
    expect(await ok('GET /app/exam/before_start', { examId: one.examId }, { as: one.as })).toMatchObject({
      examTime: 60,
      ownTime: 90,
    });
    await ok(SUBMIT, one.base, { as: one.as });
    const second = await ok('GET /app/exam/test_start', { examId: one.examId }, { as: one.as });
    expect(second).toMatchObject({ accommodation: 30, endsAt: second.startedAt + 90 * MINUTE });
    await ok(SUBMIT, { examId: one.examId, recordId: second.recordId }, { as: one.as });
    const other = await startScene(kit);
    expect(await refused(SET, set({ minutes: 7, packId: other.pack.packId }), { as: teacher })).toBe(
      'studentNotEnrolled',
    );
    const here = await ok(SET, set({ minutes: 7, packId: one.pack.packId }), { as: teacher });
    const third = await ok('GET /app/exam/test_start', { examId: one.examId }, { as: one.as });
    expect(third).toMatchObject({ accommodation: 7 });
    await ok(SUBMIT, { examId: one.examId, recordId: third.recordId }, { as: one.as });
    const END = 'POST /app/exam/end_accommodation';
    for (const { id } of [here, first, here]) await ok(END, { id }, { as: teacher });
    expect(await refused(END, { id: 987_654 }, { as: teacher })).toBe('notFound');
    const fourth = await ok('GET /app/exam/test_start', { examId: one.examId }, { as: one.as });
    expect(fourth).toMatchObject({ accommodation: 0, endsAt: fourth.startedAt + HOUR });
    const { list, total } = await ok('GET /app/exam/accommodations', {}, { as: teacher });
    expect(total).toBe(2);
    expect(list).toMatchObject([
      { id: here.id, minutes: 7, percent: null, reason: '视力障碍' },
      { id: first.id, minutes: null, percent: 150, packName: null },
    ]);
    expect(list.every(({ setBy, endedBy, endedAt }) => setBy === endedBy && endedAt !== null)).toBe(true);
  });

  it('by a window that knows of it the paper is handed in at the new end', async () => {
    const { as, examId, recordId, base, save } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(GIVE, gift(examId, { recordIds: [recordId] }), { as: teacher });
    kit.time.now = START + HOUR + 10 * MINUTE;
    expect(await ok(SUBMIT, { ...base, extraTime: 10 }, { as })).toMatchObject({ closed: 'timeUp' });
  });

  it('reaches the open windows at once, and those that open later', async () => {
    const { as, examId, recordId } = await startScene(kit);
    const heard: unknown[] = [];
    const hear = async (count: number) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/app/exam/watch?recordId=${recordId}&windowId=window-0001`, {
        headers: { authorization: `Bearer ${as.token}` },
      } as never);
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      return async () => {
        while (heard.length < count)
          await new Promise<void>((resolve) => {
            socket.onmessage = ({ data }) => {
              heard.push(JSON.parse(String(data)));
              resolve();
            };
          });
        socket.close();
      };
    };
    const first = await hear(1);
    // The first look is over once the socket hears of what comes after it.
    await ok(GIVE, gift(examId, { recordIds: [recordId] }), { as: teacher });
    await first();
    const told = { event: 'timeGiven', endsAt: START + HOUR + 10 * MINUTE, extraTime: 10, reason: '停电' };
    expect(heard).toEqual([told]);
    await (await hear(2))();
    expect(heard).toEqual([told, told]);
  });

  it('is refused to a practice without an end, to what is handed in, beyond two days, and to nobody', async () => {
    const { as, pack, ids, examId, recordId, base } = await startScene(kit);
    const practiceId = await makeExam(kit, pack, { kind: 'afterclass', questionIds: ids });
    const practice = await ok('GET /app/exam/test_start', { examId: practiceId }, { as });
    const give = (id: number, more: object) => refused(GIVE, gift(id, more), { as: teacher });
    expect(await give(practiceId, { recordIds: [practice.recordId] })).toBe('noTimeLimit');
    expect(await give(practiceId, {})).toBe('nobodySits');
    expect(await give(examId, { recordIds: [recordId, practice.recordId] })).toBe('notFound');
    expect(await give(examId, { recordIds: [987_654] })).toBe('notFound');
    expect(await give(987_654, {})).toBe('notFound');
    const day = { recordIds: [recordId], minutes: 1440 };
    await ok(GIVE, gift(examId, day), { as: teacher });
    await ok(GIVE, gift(examId, day), { as: teacher });
    expect(await give(examId, { recordIds: [recordId], minutes: 1 })).toBe('tooMuchTime');
    await ok(SUBMIT, base, { as });
    expect(await give(examId, { recordIds: [recordId] })).toBe('allHandedIn');
    expect(await give(examId, {})).toBe('nobodySits');
    const { list } = await ok('GET /app/exam/given_time', { pageSize: 200 }, { as: teacher });
    expect(list.every(({ count }) => count > 0)).toBe(true);
  });

  it('is given by an operator too, to one or to all, and refused in a sentence', async () => {
    const { as, pack, examId, recordId, base } = await startScene(kit);
    const [{ slug = '' } = {}] = await kit.db.query
      .selectFrom('exams')
      .select('slug')
      .where('id', '=', examId)
      .execute();
    const { slug: packSlug } = await kit.db.query
      .selectFrom('packs')
      .select('slug')
      .where('id', '=', pack.packId)
      .executeTakeFirstOrThrow();
    const said: string[] = [];
    const run = (name: string, ...args: string[]) =>
      examCommands
        .find((command) => command.name === name)
        ?.run(args, { openDb: async () => kit.db, say: (line: string) => said.push(line) } as never);
    const why = ['--minutes', '10', '--reason', '停电'];
    expect(await run('exam give-time', String(recordId), ...why)).toBe(0);
    expect(await run('exam give-time-all', '--pack', packSlug, '--paper', slug, ...why)).toBe(0);
    expect(said).toEqual(Array(2).fill('已为 1 份试卷补时 10 分钟'));
    const cache = await ok('GET /api/exam/cache', { recordId }, { as });
    expect(cache).toMatchObject({ extraTime: 20, extraReason: '停电' });
    await expect(run('exam give-time', '987654321', ...why)).rejects.toThrow('没有这份试卷');
    await expect(run('exam give-time', 'x', ...why)).rejects.toThrow(WrongUsage);
    await expect(run('exam give-time', '1', '--minutes', '0', '--reason', '停电')).rejects.toThrow('--minutes');
    await expect(run('exam give-time', '1', '--minutes', '5')).rejects.toThrow('--reason');
    await expect(run('exam give-time-all', '--pack', 'none', '--paper', slug, ...why)).rejects.toThrow('没有代号');
    await expect(run('exam give-time-all', '--pack', packSlug, '--paper', 'none', ...why)).rejects.toThrow('没有代号');
    await ok(SUBMIT, base, { as });
    await expect(run('exam give-time', String(recordId), ...why)).rejects.toThrow('都已交卷');
  });

  it.each([
    ['no minutes', { minutes: 0 }],
    ['more than a day', { minutes: 1441 }],
    ['a part of a minute', { minutes: 1.5 }],
    ['no reason', { reason: ' ' }],
    ['a long reason', { reason: '长'.repeat(201) }],
    ['nobody', { recordIds: [] }],
    ['one twice', { recordIds: [1, 1] }],
    ['more than a page', { recordIds: Array.from({ length: 201 }, (_, at) => at + 1) }],
    ['a key of another kind', { giveKey: '补时' }],
  ])('bad input: %s', async (_, change) => {
    expect((await kit.raw(GIVE, gift(1, change), { as: teacher })).code).toBe(400);
  });

  it('students may neither look nor give', async () => {
    const { as, examId } = await startScene(kit);
    expect(await refused(GIVE, gift(examId), { as })).toBe('notAllowed');
    expect(await refused(SITTING, {}, { as })).toBe('notAllowed');
    expect(await refused('GET /app/exam/given_time', {}, { as })).toBe('notAllowed');
  });

  it('lists who sits a paper with an end now: masked, with the newest save, by paper', async () => {
    const { as, pack, ids, examId, recordId, save } = await startScene(kit, { name: '列表卷' });
    const practiceId = await makeExam(kit, pack, { kind: 'afterclass', questionIds: ids });
    await ok('GET /app/exam/test_start', { examId: practiceId }, { as });
    kit.time.now = START + MINUTE;
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(SAVE, save(1, '', 2), { as });
    const { list, total, papers, now } = await ok(SITTING, { examId }, { as: teacher });
    expect(total).toBe(1);
    expect(now).toBe(START + MINUTE);
    expect(list).toEqual([
      {
        recordId,
        examId,
        examName: '列表卷',
        nickname: expect.any(String),
        validPhoneExt: `${as.phone.slice(0, 3)}****${as.phone.slice(7)}`,
        startedAt: START,
        endsAt: START + HOUR,
        extraTime: 0,
        accommodation: 0,
        savedAt: START + MINUTE,
        answeredCount: 1,
        totalQuestion: 6,
      },
    ]);
    expect(papers).toContainEqual({ examId, examName: '列表卷', packName: expect.any(String), count: 1 });
    expect(papers.some((paper) => paper.examId === practiceId)).toBe(false);
    const everybody = await ok(SITTING, { pageSize: 2 }, { as: teacher });
    expect(everybody.list.map(({ endsAt }) => endsAt)).toEqual([...everybody.list.map(({ endsAt }) => endsAt)].sort());
  });
});
