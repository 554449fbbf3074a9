import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { packAccess } from '#server/course/access.ts';
import { enrolmentStore } from '#server/course/enrolment-store.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { rescoreOwnChore } from '../grading/rescore-own.ts';
import { recountedCounters, storedCounters } from '../grading/study.test-kit.ts';
import { Correction } from '../paper/correction-store.ts';
import { addOwnPaper } from '../paper/own-paper-store.ts';
import { makeExam } from '../paper.test-kit.ts';
import { examParts } from '../parts.ts';
import { classmate } from '../scene.test-kit.ts';
import { type ClassRoom, COUNT, classRoom, RESCORE_OWN } from './quality.test-kit.ts';

const TIP = 'GET /app/exam/result_tip';

describe.each(databases)('a corrected key and the papers that students put together on $name', async ({ kind }) => {
  const kit: TestApp = await testApp(kind);
  const { ok } = kit;
  afterAll(() => kit.close());
  afterEach(async () => expect(await storedCounters(kit)).toEqual(await recountedCounters(kit)));

  /** The questions stand in a practice, so that they can be put together. */
  async function bankRoom() {
    const room = await classRoom(kit);
    await makeExam(kit, room.pack, { kind: 'chapter', questionIds: room.ids, name: '题库' });
    return room;
  }
  async function correct({ ids, teacher: as }: ClassRoom, rightAnswer: string, at = 0) {
    const questionId = ids[at] ?? 0;
    const { standing } = await ok('GET /app/question/quality', { questionId }, { as });
    await ok('POST /app/question/correct', { questionId, standing, rightAnswer, reason: '答案印错了' }, { as });
  }
  /** Begins a practice of the first two questions. */
  async function begin(as: TestUser, { pack: { packId }, ids }: ClassRoom) {
    const asked = { packId, name: '练习', questionIds: ids.slice(0, 2) };
    const { examId } = await ok('POST /app/exam/own_paper', asked, { as });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    return { as, examId, recordId };
  }
  async function handIn({ as, examId, recordId }: Awaited<ReturnType<typeof begin>>, room: ClassRoom, letters: string) {
    const answers = [...letters].map((answer, at) => ({ questionId: room.ids[at] ?? 0, answer, seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
  }
  const wrong = async (as: TestUser, { pack }: ClassRoom) =>
    (await ok('GET /api/exam/error', { packId: pack.packId }, { as })).list.map(({ question }) => question.questionId);
  const counts = async (one: { as: TestUser; recordId: number }) => {
    const { score, rightCount, wrongCount, rescores } = await ok(TIP, one, one);
    return [score, rightCount, wrongCount, rescores.length];
  };

  it('a mistake by the old key leaves the list, a new one comes in; each correction once, in their order', async () => {
    const room = await bankRoom();
    const [one, other] = [await classmate(kit, room.pack), await classmate(kit, room.pack)];
    const [mistaken, right] = [await begin(one, room), await begin(other, room)];
    await handIn(mistaken, room, 'BA');
    await handIn(right, room, 'AA');
    expect(await wrong(one, room)).toEqual([room.ids[0]]);
    await correct(room, 'B');
    await kit.chore(RESCORE_OWN);
    await kit.chore(RESCORE_OWN);
    expect([await wrong(one, room), await wrong(other, room)]).toEqual([[], [room.ids[0]]]);
    expect([await counts(mistaken), await counts(right)]).toEqual([
      [4, 2, 0, 1],
      [2, 1, 1, 1],
    ]);
    expect((await ok('GET /app/exam/review', mistaken, mistaken)).questions[0]).toMatchObject({ rightAnswer: 'B' });
    expect((await ok('GET /app/common/notice', {}, mistaken)).list).toMatchObject([{ kind: 'rescored' }]);
    await correct(room, 'C');
    await correct(room, 'B', 1);
    await kit.chore(RESCORE_OWN);
    expect([await counts(mistaken), await counts(right)]).toEqual([
      [0, 0, 2, 3],
      // Still wrong by C: nothing to tell of that one.
      [0, 0, 2, 2],
    ]);
  });

  it('the preview tells of them before a teacher confirms: closed ones by themselves, open ones with the others', async () => {
    const room = await bankRoom();
    const [one, other] = [await classmate(kit, room.pack), await classmate(kit, room.pack)];
    const preview = async (change: object, at = 0) => {
      const questionId = room.ids[at] ?? 0;
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as: room.teacher });
      const asked = { questionId, standing, ...change };
      const { records, own, open } = await ok('POST /app/question/correction_preview', asked, { as: room.teacher });
      return { records, own, open };
    };
    expect(await preview({ rightAnswer: 'B' })).toEqual({ records: 0, own: 0, open: 0 });
    await handIn(await begin(one, room), room, 'BA');
    await handIn(await begin(other, room), room, 'AA');
    const open = await begin(other, room);
    const seen = { records: 0, own: 2, open: 1 };
    expect([await preview({ rightAnswer: 'B' }), await preview({ gradeMode: 'all' })]).toEqual([seen, seen]);
    // A question that they do not have, and changes that grade nothing of them again.
    expect(await preview({ rightAnswer: 'B' }, 3)).toEqual({ records: 0, own: 0, open: 0 });
    expect(await preview({ answerAnalysis: '新的解析' })).toEqual({ records: 0, own: 0, open: 0 });
    const points = { scores: [{ examId: room.examId, score: 4 }] };
    expect(await preview(points)).toEqual({ records: 0, own: 0, open: 0 });
    await handIn(open, room, 'BA');
    expect(await preview({ rightAnswer: 'B' })).toEqual({ records: 0, own: 3, open: 0 });
    await correct(room, 'B');
    await kit.chore(RESCORE_OWN);
    expect(await ok('GET /app/question/quality', { questionId: room.ids[0] ?? 0 }, { as: room.teacher })).toMatchObject(
      {
        history: [{ rescored: 3, done: true, waiting: 0 }],
      },
    );
  });

  it('one that was open is graded by its own key, then by the new one', async () => {
    const room = await bankRoom();
    const open = await begin(await classmate(kit, room.pack), room);
    await correct(room, 'B');
    await kit.chore(RESCORE_OWN);
    await handIn(open, room, 'BA');
    expect(await wrong(open.as, room)).toEqual([room.ids[0]]);
    await kit.chore(COUNT);
    await kit.chore(RESCORE_OWN);
    expect(await wrong(open.as, room)).toEqual([]);
    expect(await counts(open)).toEqual([4, 2, 0, 1]);
  });

  it('says nothing to who sits the question in a scored exam now, until that is handed in', async () => {
    const room = await bankRoom();
    const mine = await begin(await classmate(kit, room.pack), room);
    await handIn(mine, room, 'BA');
    kit.time.now += 60_000;
    const sat = await ok('GET /app/exam/test_start', { examId: room.examId }, mine);
    const before = await ok(TIP, mine, mine);
    await correct(room, 'B');
    await kit.chore(RESCORE_OWN);
    expect(await ok(TIP, mine, mine)).toEqual(before);
    await ok('POST /api/exam/submit', { examId: room.examId, recordId: sat.recordId }, mine);
    await kit.chore(RESCORE_OWN);
    expect(await counts(mine)).toEqual([4, 2, 0, 1]);
  });

  it('a better analysis of another question does no harm; what that one is graded by, or reads like, does', async () => {
    const room = await bankRoom();
    const [mine, other] = [
      await begin(await classmate(kit, room.pack), room),
      await begin(await classmate(kit, room.pack), room),
    ];
    await handIn(mine, room, 'BA');
    const questionId = room.ids[1] ?? 0;
    const { standing } = await ok('GET /app/question/quality', { questionId }, { as: room.teacher });
    const analysis = { questionId, standing, answerAnalysis: '新的解析', reason: '补充' };
    await ok('POST /app/question/correct', analysis, { as: room.teacher });
    await correct(room, 'B');
    await kit.chore(RESCORE_OWN);
    expect(await counts(mine)).toEqual([4, 2, 0, 1]);
    // A record keeps the paper that it began with, and a text comes by an import.
    await handIn(other, room, 'CA');
    await kit.chore(COUNT);
    const stored = await kit.db.query.selectFrom('questions').selectAll().where('id', '=', questionId).execute();
    const now = kit.time.now;
    await kit.db.transaction(async (trx) => {
      const correction = new Correction(kit.db, trx, { packId: room.pack.packId, now, noted: true });
      await correction.keepQuestions(stored);
      await trx.updateTable('questions').set({ topic: '<p>另一题</p>' }).where('id', '=', questionId).execute();
      await correction.done();
    });
    await correct(room, 'C');
    await kit.chore(RESCORE_OWN);
    expect(await counts(other)).toEqual([2, 1, 1, 0]);
  });

  it('one that cannot be read does not stop those behind it, and is tried again when it can', async () => {
    kit.parts.log.level = 'silent';
    const room = await bankRoom();
    const [bad, good] = [
      await begin(await classmate(kit, room.pack), room),
      await begin(await classmate(kit, room.pack), room),
    ];
    await handIn(bad, room, 'BA');
    await handIn(good, room, 'BA');
    const gradedOf = async () =>
      (await kit.db.query.selectFrom('exam_records').select('graded').where('id', '=', bad.recordId).executeTakeFirst())
        ?.graded ?? null;
    const graded = await gradedOf();
    const store = (text: string | null) =>
      kit.db.query.updateTable('exam_records').set({ graded: text }).where('id', '=', bad.recordId).execute();
    await store('{');
    await correct(room, 'B');
    await kit.chore(RESCORE_OWN);
    expect(await counts(good)).toEqual([4, 2, 0, 1]);
    await store(graded);
    for (let run = 0; run < 59; run += 1) await kit.chore(RESCORE_OWN);
    expect(await counts(bad)).toEqual([2, 1, 1, 0]);
    await kit.chore(RESCORE_OWN);
    expect(await counts(bad)).toEqual([4, 2, 0, 1]);
  });

  it('one that waits is not tried each second while its student sits something, and at once when they do not', async () => {
    const room = await bankRoom();
    const mine = await begin(await classmate(kit, room.pack), room);
    await handIn(mine, room, 'BA');
    kit.time.now += 60_000;
    const sat = await ok('GET /app/exam/test_start', { examId: room.examId }, mine);
    await correct(room, 'B');
    const enrolments = enrolmentStore(kit.db);
    const exam = examParts(kit.parts, enrolments, packAccess(kit.db, enrolments));
    let transactions = 0;
    const transaction: typeof kit.db.transaction = async (work, how) => {
      transactions += 1;
      return kit.db.transaction(work, how);
    };
    const { run } = rescoreOwnChore({ ...exam, db: { ...kit.db, transaction } });
    await run(kit.time.now);
    const first = transactions;
    for (let again = 0; again < 59; again += 1) await run(kit.time.now);
    expect(transactions).toBe(first);
    await run(kit.time.now);
    expect(transactions).toBe(first + 1);
    await ok('POST /api/exam/submit', { examId: room.examId, recordId: sat.recordId }, mine);
    await run(kit.time.now);
    expect(await counts(mine)).toEqual([4, 2, 0, 1]);
  });

  it('finds the papers behind the first five hundred, too', async () => {
    const room = await bankRoom();
    const { packId } = room.pack;
    const [first, last] = [await classmate(kit, room.pack), await classmate(kit, room.pack)];
    const before = await begin(first, room);
    await handIn(before, room, 'BA');
    await kit.db.transaction(async (trx) => {
      for (let at = 0; at < 500; at += 1)
        await addOwnPaper(trx, {
          userId: first.userId,
          packId,
          slug: `own:${first.userId}:${at}`,
          kind: 'own',
          name: '没有开始',
          purpose: 'chosen',
          examTime: null,
          questions: [[room.ids[0] ?? 0, 2]],
          sat: [],
          now: kit.time.now,
        });
    });
    const behind = await begin(last, room);
    await handIn(behind, room, 'BA');
    await correct(room, 'B');
    await kit.chore(RESCORE_OWN);
    expect([await counts(before), await counts(behind)]).toEqual([
      [4, 2, 0, 1],
      [4, 2, 0, 1],
    ]);
  });

  it('keeps a total of its own only where a question counts for nothing, and has its points back with it', async () => {
    const room = await bankRoom();
    const mine = await begin(await classmate(kit, room.pack), room);
    await handIn(mine, room, 'AA');
    const marks = async (one: { as: TestUser; recordId: number }) => {
      const { score, totalScore } = await ok(TIP, one, one);
      return [score, totalScore];
    };
    const kept = async ({ examId }: { examId: number }) =>
      (
        await kit.db.query.selectFrom('paper_revisions').select('total_score').where('exam_id', '=', examId).execute()
      ).map((row) => row.total_score);
    const grade = async (gradeMode: 'void' | 'key') => {
      const questionId = room.ids[0] ?? 0;
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as: room.teacher });
      await ok(
        'POST /app/question/correct',
        { questionId, standing, gradeMode, reason: '题目有误' },
        { as: room.teacher },
      );
      await kit.chore(RESCORE_OWN);
    };
    // Another key changes no total.
    await correct(room, 'B', 1);
    await kit.chore(RESCORE_OWN);
    expect([await marks(mine), await kept(mine)]).toEqual([[2, 4], []]);
    await grade('void');
    expect([await marks(mine), await kept(mine)]).toEqual([[0, 2], [2]]);
    // One that begins now has it from its start.
    const { recordId } = await ok('GET /app/exam/test_start', { examId: mine.examId }, mine);
    const again = { ...mine, recordId };
    await handIn(again, room, 'AB');
    expect([await marks(again), await kept(mine)]).toEqual([[2, 2], [2]]);
    await grade('key');
    expect([await marks(mine), await marks(again), await kept(mine)]).toEqual([[2, 4], [4, 4], [2]]);
  });
});
