import { afterAll, describe, expect, it } from 'vitest';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { Correction } from '../paper/correction-store.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate } from '../scene.test-kit.ts';
import { type ClassRoom, classRoom, rescoreAll } from './quality.test-kit.ts';

const DONE = [true, 0];
const waits = (papers: number) => [false, papers];

describe.each(databases)('how many papers a correction waits for, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  /** The key of a question becomes another. */
  const correct = async ({ teacher: as, ids }: ClassRoom, at: number, rightAnswer = 'B') => {
    const questionId = ids[at] ?? 0;
    const { standing } = await ok('GET /app/question/quality', { questionId }, { as });
    await ok('POST /app/question/correct', { questionId, standing, rightAnswer, reason: '答案印错了' }, { as });
  };
  /** Of the newest correction of a question: whether it is done, and how many papers it waits for. */
  const told = async ({ teacher: as, ids }: ClassRoom, at: number) => {
    const { history } = await ok('GET /app/question/quality', { questionId: ids[at] ?? 0 }, { as });
    return [history[0]?.done, history[0]?.waiting];
  };
  const begin = async (as: TestUser, examId: number) => ({
    ...{ as, examId },
    recordId: (await ok('GET /app/exam/test_start', { examId }, { as })).recordId,
  });
  type Sat = Awaited<ReturnType<typeof begin>>;
  const handIn = ({ as, ...sat }: Sat, { ids }: ClassRoom, letters: string) => {
    const answers = [...letters].map((answer, at) => ({ questionId: ids[at] ?? 0, answer, seq: at + 1 }));
    return ok('POST /api/exam/submit', { ...sat, answers }, { as });
  };
  const scoreOf = async ({ as, recordId }: Sat) => (await ok('GET /app/exam/result_tip', { recordId }, { as })).score;
  /** The questions stand in a practice, so that they can be put together. */
  const bankRoom = async () => {
    const room = await classRoom(kit);
    await makeExam(kit, room.pack, { kind: 'chapter', questionIds: room.ids, name: '题库' });
    return room;
  };

  it.each(['afterclass', 'chapter', 'mock'] as const)(
    'of two and of three corrections in a row each waits for the same open papers of kind %s',
    async (paper) => {
      const room = await classRoom(kit, { kind: paper });
      const first = await begin(await classmate(kit, room.pack), room.examId);
      await correct(room, 0);
      expect(await told(room, 0)).toEqual(waits(1));
      await correct(room, 1);
      expect([await told(room, 0), await told(room, 1)]).toEqual([waits(1), waits(1)]);
      await rescoreAll(kit);
      // Begun after two of them: the third alone waits for it.
      const second = await begin(await classmate(kit, room.pack), room.examId);
      await correct(room, 2);
      const all = async () => [await told(room, 0), await told(room, 1), await told(room, 2)];
      expect(await all()).toEqual([waits(1), waits(1), waits(2)]);
      await rescoreAll(kit);
      expect(await all()).toEqual([waits(1), waits(1), waits(2)]);
      await handIn(first, room, 'BBBAAAAA');
      // Nothing has to be handed in for it, and it is not done before it is.
      expect(await all()).toEqual([waits(0), waits(0), waits(1)]);
      await rescoreAll(kit);
      expect([await all(), await scoreOf(first)]).toEqual([[DONE, DONE, waits(1)], 16]);
      await handIn(second, room, 'BBBAAAAA');
      await rescoreAll(kit);
      expect([await all(), await scoreOf(second)]).toEqual([[DONE, DONE, DONE], 16]);
    },
  );

  it('one question that is corrected three times in a row waits for the same paper each time', async () => {
    const room = await classRoom(kit);
    const open = await begin(await classmate(kit, room.pack), room.examId);
    for (const key of ['B', 'C', 'D']) await correct(room, 0, key);
    await rescoreAll(kit);
    const { history } = await ok('GET /app/question/quality', { questionId: room.ids[0] ?? 0 }, { as: room.teacher });
    expect(history.map(({ done, waiting }) => [done, waiting])).toEqual([waits(1), waits(1), waits(1)]);
    await handIn(open, room, 'DAAAAAAA');
    await rescoreAll(kit);
    expect([await told(room, 0), await scoreOf(open)]).toEqual([DONE, 16]);
  });

  it('who sits another paper, without the question, holds nothing back', async () => {
    const room = await classRoom(kit, { kind: 'afterclass' });
    const closed = await room.sits('BAAAAAAA');
    const [foreign = 0] = await makeQuestions(kit, room.pack, [{ type: 2, right: 'A' }]);
    const other = await begin(closed.as, await makeExam(kit, room.pack, { questionIds: [foreign] }));
    await correct(room, 0);
    expect(await told(room, 0)).toEqual(waits(0));
    await rescoreAll(kit);
    expect([await told(room, 0), await scoreOf(closed)]).toEqual([DONE, 16]);
    await handIn(other, room, '');
  });

  it('who sits the question in a mock paper holds an old record of another paper back, and what comes after it', async () => {
    const room = await classRoom(kit, { kind: 'afterclass' });
    const closed = await room.sits('BBAAAAAA');
    await room.sits('AAAAAAAA');
    kit.time.now += 60_000;
    const mock = await begin(
      closed.as,
      await makeExam(kit, room.pack, { questionIds: room.ids.slice(0, 1), name: '模拟卷' }),
    );
    await correct(room, 0);
    await correct(room, 1);
    // The mock paper itself and the old record; the second correction comes to the old one after the first, and the mock paper lacks it.
    expect([await told(room, 0), await told(room, 1)]).toEqual([waits(2), waits(1)]);
    await rescoreAll(kit);
    expect([await told(room, 0), await told(room, 1), await scoreOf(closed)]).toEqual([waits(2), waits(1), null]);
    await handIn(mock, room, 'B');
    expect([await told(room, 0), await told(room, 1)]).toEqual([waits(0), waits(0)]);
    await rescoreAll(kit);
    expect([await told(room, 0), await told(room, 1), await scoreOf(closed)]).toEqual([DONE, DONE, 16]);
  });

  it('who sits a copy of the question in another pack holds their record back, too', async () => {
    const room = await classRoom(kit, { kind: 'afterclass' });
    const closed = await room.sits('BAAAAAAA');
    await room.sits('AAAAAAAA');
    const { topic } = await kit.db.query
      .selectFrom('questions')
      .select('topic')
      .where('id', '=', room.ids[0] ?? 0)
      .executeTakeFirstOrThrow();
    const pack = await makePack(kit);
    await enrol(kit, closed.as, pack.packId);
    const twins = await makeQuestions(kit, pack, [{ type: 2, right: 'A', topic }]);
    const mock = await begin(closed.as, await makeExam(kit, pack, { questionIds: twins }));
    await correct(room, 0);
    expect(await told(room, 0)).toEqual(waits(1));
    await rescoreAll(kit);
    expect(await told(room, 0)).toEqual(waits(1));
    await handIn(mock, { ...room, ids: twins }, 'A');
    await rescoreAll(kit);
    expect([await told(room, 0), await scoreOf(closed)]).toEqual([DONE, 16]);
  });

  const ownPapers = [
    [
      'a practice',
      async (as: TestUser, { pack: { packId }, ids }: ClassRoom) =>
        ok('POST /app/exam/own_paper', { packId, name: '练习', questionIds: ids.slice(0, 2) }, { as }),
    ],
    [
      'a random paper',
      async (as: TestUser, { pack: { packId } }: ClassRoom) => {
        const lines = [{ questionTypesId: 2 as const, count: 8, score: 2 }];
        return ok('POST /app/exam/random_paper', { packId, name: '随机组卷', lines, examTime: 60 }, { as });
      },
    ],
    [
      'a review of today',
      async (as: TestUser, room: ClassRoom) => {
        const { packId } = room.pack;
        const asked = { packId, name: '练习', questionIds: room.ids.slice(0, 2) };
        const { examId } = await ok('POST /app/exam/own_paper', asked, { as });
        await handIn(await begin(as, examId), room, 'CC');
        kit.time.now += 86_400_000;
        return ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as });
      },
    ],
  ] as const;

  it.each(ownPapers)('%s that is open is waited for, by every correction since it began', async (_, make) => {
    const room = await bankRoom();
    const as = await classmate(kit, room.pack);
    const open = await begin(as, (await make(as, room)).examId);
    await correct(room, 0);
    // Not looked for yet, so not said to be done.
    expect((await told(room, 0))[0]).toBe(false);
    await rescoreAll(kit);
    await correct(room, 1);
    await correct(room, 0, 'C');
    await rescoreAll(kit);
    const { history } = await ok('GET /app/question/quality', { questionId: room.ids[0] ?? 0 }, { as: room.teacher });
    expect(history.map(({ done, waiting }) => [done, waiting])).toEqual([waits(1), waits(1)]);
    expect(await told(room, 1)).toEqual(waits(1));
    const all = async () => [await told(room, 0), await told(room, 1)];
    await handIn(open, room, 'CB');
    expect(await all()).toEqual([waits(0), waits(0)]);
    await rescoreAll(kit);
    expect([await all(), await scoreOf(open)]).toEqual([[DONE, DONE], 4]);
  });

  it('a correction that touches closed own papers alone is done when they are graded again, and not at once', async () => {
    const room = await bankRoom();
    const [one, other] = [await classmate(kit, room.pack), await classmate(kit, room.pack)];
    const make = async (as: TestUser, from: number) => {
      const asked = { packId: room.pack.packId, name: '练习', questionIds: room.ids.slice(from, from + 2) };
      const sat = await begin(as, (await ok('POST /app/exam/own_paper', asked, { as })).examId);
      await handIn(sat, { ...room, ids: room.ids.slice(from) }, 'BA');
      return sat;
    };
    const [touched, beside] = [await make(one, 0), await make(other, 2)];
    await rescoreAll(kit);
    await correct(room, 0);
    expect(await told(room, 0)).toEqual(waits(0));
    await rescoreAll(kit);
    expect([await told(room, 0), await scoreOf(touched), await scoreOf(beside)]).toEqual([DONE, 4, 2]);
  });

  it('a closed own paper waits for who sits the question, also by a correction that comes after', async () => {
    const room = await bankRoom();
    const as = await classmate(kit, room.pack);
    const asked = { packId: room.pack.packId, name: '练习', questionIds: room.ids.slice(0, 2) };
    const mine = await begin(as, (await ok('POST /app/exam/own_paper', asked, { as })).examId);
    await handIn(mine, room, 'BB');
    kit.time.now += 60_000;
    const pack = await makePack(kit);
    await enrol(kit, as, pack.packId);
    const row = await kit.db.query
      .selectFrom('questions')
      .select('topic')
      .where('id', '=', room.ids[0] ?? 0)
      .executeTakeFirstOrThrow();
    const [twin = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A', topic: row.topic }]);
    const mock = await begin(as, await makeExam(kit, pack, { questionIds: [twin] }));
    await correct(room, 0);
    await correct(room, 1);
    await rescoreAll(kit);
    // The second question is not sat, but its correction comes after that of the first.
    expect([await told(room, 0), await told(room, 1)]).toEqual([waits(1), waits(1)]);
    await handIn(mock, { ...room, ids: [twin] }, 'A');
    expect([await told(room, 0), await told(room, 1)]).toEqual([waits(0), waits(0)]);
    await rescoreAll(kit);
    expect([await told(room, 0), await told(room, 1), await scoreOf(mine)]).toEqual([DONE, DONE, 4]);
  });

  it('an own paper that reads otherwise since is not waited for by what comes after that, open or not', async () => {
    const room = await bankRoom();
    const { packId } = room.pack;
    const as = await classmate(kit, room.pack);
    const asked = { packId, name: '练习', questionIds: room.ids.slice(0, 2) };
    const open = await begin(as, (await ok('POST /app/exam/own_paper', asked, { as })).examId);
    await correct(room, 0);
    const questionId = room.ids[1] ?? 0;
    const stored = await kit.db.query.selectFrom('questions').selectAll().where('id', '=', questionId).execute();
    await kit.db.transaction(async (trx) => {
      const correction = new Correction(kit.db, trx, { packId, now: kit.time.now, noted: true });
      await correction.keepQuestions(stored);
      await trx.updateTable('questions').set({ topic: '<p>另一题</p>' }).where('id', '=', questionId).execute();
      await correction.done();
    });
    await correct(room, 0, 'C');
    await rescoreAll(kit);
    const { history } = await ok('GET /app/question/quality', { questionId: room.ids[0] ?? 0 }, { as: room.teacher });
    expect(history.map(({ done, waiting }) => [done, waiting])).toEqual([DONE, waits(1)]);
    await handIn(open, room, 'BA');
    await rescoreAll(kit);
    expect([await told(room, 0), await scoreOf(open)]).toEqual([DONE, 4]);
  });

  it('what an account had open ends when the account is closed, and keeps no correction waiting', async () => {
    const room = await classRoom(kit, { kind: 'afterclass' });
    const gone = await begin(await classmate(kit, room.pack), room.examId);
    const old = await classmate(kit, room.pack);
    await room.sits('BAAAAAAA', old);
    const mock = await makeExam(kit, room.pack, { questionIds: room.ids.slice(0, 1), minutes: null });
    const sat = await begin(old, mock);
    await correct(room, 0);
    await rescoreAll(kit);
    expect(await told(room, 0)).toEqual([false, 3]);
    await kit.db.query
      .updateTable('users')
      .set({ closes_at: kit.time.now + 1000 })
      .where('id', 'in', [gone.as.userId, old.userId])
      .execute();
    kit.time.now += 2000;
    await kit.chore('accounts: close those that are due');
    const ended = await kit.db.query
      .selectFrom('exam_records')
      .select('closed')
      .where('id', 'in', [gone.recordId, sat.recordId])
      .execute();
    expect(ended.map(({ closed }) => closed)).toEqual(['unanswered', 'unanswered']);
    await rescoreAll(kit);
    expect(await told(room, 0)).toEqual(DONE);
  });

  it('a record that a search missed, since it began while it was corrected, makes it undone again until it is graded', async () => {
    const room = await bankRoom();
    const as = await classmate(kit, room.pack);
    const asked = { packId: room.pack.packId, name: '练习', questionIds: room.ids.slice(0, 2) };
    const { examId } = await ok('POST /app/exam/own_paper', asked, { as });
    await correct(room, 0);
    await rescoreAll(kit);
    expect(await told(room, 0)).toEqual(DONE);
    const late = await begin(as, examId);
    // As if its transaction had read the version before the correction and ended after the search.
    await kit.db.query
      .updateTable('exam_records')
      .set(({ eb }) => ({ version: eb('version', '-', 1) }))
      .where('id', '=', late.recordId)
      .execute();
    await handIn(late, room, 'BA');
    await kit.chore('exam: count question quality');
    expect(await told(room, 0)).toEqual(waits(0));
    await rescoreAll(kit);
    expect([await told(room, 0), await scoreOf(late)]).toEqual([DONE, 4]);
  });
});
