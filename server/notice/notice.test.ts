import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { noticeChores } from './chores.ts';
import { type Notice, saveNotices } from './store.ts';

const LIST = 'GET /app/common/notice';
const UNREAD = 'GET /app/common/notice_unread';
const SEEN = 'POST /app/common/notice_seen';
const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('notices on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;
  const tell = (...told: Notice[]) => kit.db.transaction((trx) => saveNotices(trx, randomBytes, kit.time.now, told));
  const timeGiven = (to: TestUser, event: string, more: Partial<Notice> = {}): Notice => ({
    userId: to.userId,
    event,
    kind: 'timeGiven',
    words: { examName: '模拟一', minutes: 10, reason: '停电' },
    ...more,
  });

  it('tell one person, in words and in what fills them, the newest first', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    await tell(timeGiven(as, 'a', { recordId: 7 }));
    kit.time.now += 1000;
    const words = { examName: '模拟一', before: 60, after: 65.5, reason: '<b>第 3 题</b>答案有误' };
    await tell({ userId: as.userId, event: 'b', kind: 'rescored', words });
    const { list, total } = await ok(LIST, {}, { as });
    expect(total).toBe(2);
    expect(list).toMatchObject([
      { kind: 'rescored', words, recordId: null, createdAt: kit.time.now, unread: true },
      {
        kind: 'timeGiven',
        name: '考试时间延长 10 分钟',
        content: '《模拟一》的考试时间延长了 10 分钟。原因：停电',
        recordId: 7,
      },
    ]);
    expect(await ok(LIST, {}, { as: other })).toMatchObject({ list: [], total: 0 });
  });

  it('tell the same event once, to each person', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    await tell(timeGiven(as, 'same'), timeGiven(other, 'same'));
    await tell(timeGiven(as, 'same'), timeGiven(as, 'another'));
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 2, announced: 0 });
    expect(await ok(UNREAD, {}, { as: other })).toEqual({ count: 1, announced: 0 });
  });

  it('in pages stay as they are while more come', async () => {
    const as = await kit.user();
    for (let at = 0; at < 5; at += 1) {
      kit.time.now += 1000;
      await tell(timeGiven(as, `e${at}`, { words: { examName: `模拟 ${at}`, minutes: 10, reason: '停电' } }));
    }
    const page = async (pageNum: number, beforeAt?: number) => ok(LIST, { pageNum, pageSize: 2, beforeAt }, { as });
    const { beforeAt, list: first } = await page(1);
    kit.time.now += 1000;
    await tell(timeGiven(as, 'new'), timeGiven(as, 'newer'));
    const [second, third] = [await page(2, beforeAt), await page(3, beforeAt)];
    const names = [...first, ...second.list, ...third.list].map(({ words }) => words.examName);
    expect(names).toEqual(['模拟 4', '模拟 3', '模拟 2', '模拟 1', '模拟 0']);
    expect(third).toMatchObject({ total: 5, pages: 3, beforeAt });
    expect(await page(1)).toMatchObject({ total: 7 });
    // Who begins in the middle, as by a reload, goes on from there.
    const begun = await page(3);
    expect([...begun.list, ...(await page(4, begun.beforeAt)).list].map(({ words }) => words.examName)).toEqual([
      '模拟 2',
      '模拟 1',
      '模拟 0',
    ]);
  });

  it('are read once they were looked at, by their reader alone', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    await tell(timeGiven(as, 'one'), timeGiven(as, 'two'));
    const ids = (await ok(LIST, {}, { as })).list.map(({ id }) => id);
    expect(await ok(SEEN, { noticeIds: ids }, { as: other })).toEqual({ count: 0, announced: 0 });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 2, announced: 0 });
    expect(await ok(SEEN, { noticeIds: [...ids.slice(0, 1), 987_654] }, { as })).toEqual({ count: 1, announced: 0 });
    expect((await ok(LIST, {}, { as })).list.map(({ unread }) => unread).sort()).toEqual([false, true]);
  });

  it('about a question wait until its reader has handed in the scored exam that has it', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const [questionId = 0, elsewhere = 0] = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'B' },
    ]);
    const examId = await makeExam(kit, pack, { kind: 'mock', questionIds: [questionId] });
    await tell(timeGiven(as, 'q', { questionId }), timeGiven(as, 'e', { questionId: elsewhere }), timeGiven(as, 'n'));
    const before = (await ok(LIST, {}, { as })).list;
    expect(before).toHaveLength(3);
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(await ok(LIST, {}, { as })).toMatchObject({ total: 2 });
    // What is not shown cannot have been looked at.
    expect(await ok(SEEN, { noticeIds: before.map(({ id }) => id) }, { as })).toEqual({ count: 0, announced: 0 });
    await ok('POST /api/exam/submit', { examId, recordId }, { as });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 1, announced: 0 });
    expect((await ok(LIST, {}, { as })).list.filter(({ unread }) => unread)).toHaveLength(1);
  });

  it('about no question that anybody named wait while their reader sits any scored exam', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const questionIds = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    const examId = await makeExam(kit, pack, { kind: 'mock', questionIds });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    await tell({ userId: as.userId, event: 'r', kind: 'reportAnswered', words: { report: '第 3 题' }, questionId: 0 });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 0, announced: 0 });
    await ok('POST /api/exam/submit', { examId, recordId }, { as });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 1, announced: 0 });
  });

  it('come as their reader chose: what must come comes all the same', async () => {
    const [as, teacher] = [await kit.user(), await kit.user('teacher')];
    const topicsOf = async (by: TestUser) =>
      Object.fromEntries(
        (await ok('GET /app/common/notice_topics', {}, { as: by })).list.map((row) => [row.topic, row.wanted]),
      );
    expect(await topicsOf(as)).toEqual({ qaAnswers: 1, reports: 1, scores: 1, comments: 1, live: 1 });
    expect(await topicsOf(teacher)).toHaveProperty('qaFollowUps', 1);
    for (const wanted of [0, 0] as const)
      await ok('POST /app/common/notice_topic', { topic: 'scores', wanted }, { as });
    expect(await topicsOf(as)).toMatchObject({ scores: 0, reports: 1 });
    const words = { examName: '模拟一', before: 60, after: 65, reason: '—' };
    const order = { title: '会计', total: '19.90', orderNo: '1' };
    await tell(
      { userId: as.userId, event: 's', kind: 'rescored', words },
      { userId: teacher.userId, event: 's', kind: 'rescored', words },
      { userId: as.userId, event: 'o', kind: 'orderPaid', words: order },
    );
    expect((await ok(LIST, {}, { as })).list.map((row) => row.kind)).toEqual(['orderPaid']);
    expect(await ok(UNREAD, {}, { as: teacher })).toEqual({ count: 1, announced: 0 });
    await ok('POST /app/common/notice_topic', { topic: 'scores', wanted: 1 }, { as });
    await tell({ userId: as.userId, event: 't', kind: 'rescored', words });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 2, announced: 0 });
  });

  it('are deleted after a year', async () => {
    const as = await kit.user();
    await tell(timeGiven(as, 'old'));
    const chore = noticeChores({ db: kit.db, watching: new Set() }).find(({ name }) => name === 'forget old notices');
    await chore?.run(kit.time.now + 365 * DAY);
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 1, announced: 0 });
    await chore?.run(kit.time.now + 365 * DAY + 1);
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 0, announced: 0 });
  });
});
