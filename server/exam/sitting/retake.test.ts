import { afterAll, describe, expect, it } from 'vitest';
import type { CountedRecord } from '#contract/values/exam.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { recordReopener } from '../grading/reopen.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate, type Scene, startScene } from '../scene.test-kit.ts';

const START_CALL = 'GET /app/exam/test_start';
const SUBMIT = 'POST /api/exam/submit';
const MINUTE = 60_000;

describe.each(databases)('sitting a paper again on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  const sibling = await kit.sibling();
  afterAll(async () => {
    await sibling.close();
    await kit.close();
  });
  const { ok, refused } = kit;
  const listed = async (as: TestUser, packId: number) =>
    (await ok('GET /api/exam/exam_list', { packId }, { as })).list[0]?.retake;

  it('a paper that may be sat twice is begun twice, resumed as often as one likes, and no third time', async () => {
    const { as, pack, examId, base } = await startScene(kit, { retake: { most: 2 } });
    expect(await listed(as, pack.packId)).toEqual({
      most: 2,
      after: null,
      counts: 'first',
      taken: 1,
      left: 1,
      nextAt: null,
    });
    expect(await ok(START_CALL, { examId }, { as })).toMatchObject({ recordId: base.recordId, resumed: true });
    await ok(SUBMIT, { examId, recordId: base.recordId }, { as });
    const second = await ok(START_CALL, { examId }, { as });
    await ok(SUBMIT, { examId, recordId: second.recordId }, { as });
    expect(await refused(START_CALL, { examId }, { as })).toBe('noAttemptsLeft');
    expect(await listed(as, pack.packId)).toMatchObject({ taken: 2, left: 0 });
    expect(await ok('GET /app/exam/result_tip', { recordId: second.recordId }, { as })).toMatchObject({
      retake: { taken: 2, left: 0 },
    });
  });

  it('waits between two: the server says until when, and begins then', async () => {
    const { as, pack, examId, base } = await startScene(kit, { retake: { after: 30 } });
    await ok(SUBMIT, base, { as });
    const nextAt = kit.time.now + 30 * MINUTE;
    expect(await listed(as, pack.packId)).toMatchObject({ left: null, nextAt });
    kit.time.now = nextAt - 1;
    expect(await refused(START_CALL, { examId }, { as })).toBe('retakeTooSoon');
    kit.time.now = nextAt;
    expect(await ok(START_CALL, { examId }, { as })).toMatchObject({ resumed: false });
  });

  it('two servers begin no more than the paper allows, however the starts and hand-ins meet', async () => {
    const { as, examId, base } = await startScene(kit, { retake: { most: 2 } });
    await ok(SUBMIT, base, { as });
    const tab = async (app: typeof kit) => {
      const started = await app.call(START_CALL, { examId }, { as });
      if (started.code === 200) await app.call(SUBMIT, { examId, recordId: started.data.recordId }, { as });
    };
    for (let round = 0; round < 4; round += 1) await Promise.all([tab(kit), tab(sibling), tab(kit), tab(sibling)]);
    const rows = await kit.db.query
      .selectFrom('exam_records')
      .select('attempt')
      .where('exam_id', '=', examId)
      .where('user_id', '=', as.userId)
      .orderBy('attempt')
      .execute();
    expect(rows).toEqual([{ attempt: 1 }, { attempt: 2 }]);
  });

  /** Starts an exam while another transaction (a save, say) holds its open record, and until a start beside it was decided. */
  async function startHeld({ as, pack, examId, recordId }: Scene) {
    const other = await classmate(kit, pack);
    const beside = await makeExam(kit, pack, {
      questionIds: await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]),
    });
    const [locked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = sibling.db.transaction(async (trx) => {
      await trx.selectFrom('exam_records').select('id').where('id', '=', recordId).forUpdate().execute();
      locked.resolve();
      await decided.promise;
    });
    await locked.promise;
    const started = kit.call(START_CALL, { examId }, { as });
    await ok(START_CALL, { examId: beside }, { as: other });
    decided.resolve();
    await holding;
    return started;
  }

  // On SQLite transactions take turns.
  it.runIf(kind === 'postgres')(
    'the last permitted record is resumed, also while a save of it is under way',
    async () => {
      const scene = await startScene(kit, { retake: { most: 1 } });
      expect(await startHeld(scene)).toMatchObject({ code: 200, data: { recordId: scene.recordId, resumed: true } });
    },
  );

  it.runIf(kind === 'postgres')('and one that was opened again, of an exam that the school took out', async () => {
    const scene = await startScene(kit);
    const { as, examId, base } = scene;
    await ok(SUBMIT, base, { as });
    await ok(SUBMIT, { examId, recordId: (await ok(START_CALL, { examId }, { as })).recordId }, { as });
    const reopen = recordReopener(kit.db);
    const asked = { recordId: base.recordId, minutes: 10, reason: '误关', doneBy: 'operator', now: kit.time.now };
    await kit.db.transaction((trx) => reopen(trx, asked));
    await kit.db.query.updateTable('exams').set({ archived: 1 }).where('id', '=', examId).execute();
    expect(await startHeld(scene)).toMatchObject({ code: 200, data: { recordId: base.recordId, resumed: true } });
  });

  it('what the operator opens again is no new attempt', async () => {
    const { as, pack, examId, base } = await startScene(kit, { retake: { most: 2 } });
    await ok(SUBMIT, base, { as });
    const reopen = recordReopener(kit.db);
    const asked = { recordId: base.recordId, minutes: 10, reason: '误关', doneBy: 'operator', now: kit.time.now };
    expect(await kit.db.transaction((trx) => reopen(trx, asked))).toMatchObject({ ok: true });
    expect(await listed(as, pack.packId)).toMatchObject({ taken: 1, left: 1, nextAt: null });
    await ok(SUBMIT, base, { as });
    expect(await ok(START_CALL, { examId }, { as })).toMatchObject({ resumed: false });
  });

  it.each<{ counts: CountedRecord; counted: boolean[]; takers: number; average: number }>([
    { counts: 'first', counted: [true, false, false], takers: 2, average: 1 },
    { counts: 'best', counted: [false, true, false], takers: 2, average: 3 },
    { counts: 'last', counted: [false, false, true], takers: 2, average: 2 },
  ])('of three records the $counts counts', async ({ counts, counted, takers, average }) => {
    const { as: other, pack, examId, ids, base } = await startScene(kit, { retake: { counts } });
    const hand = (as: TestUser, recordId: number, right: number) =>
      ok(
        SUBMIT,
        {
          examId,
          recordId,
          ...(recordId === base.recordId ? { windowId: base.windowId } : {}),
          answers: ['A', 'B'].slice(0, right).map((answer, at) => ({ questionId: ids[at] ?? 0, answer, seq: 1 })),
        },
        { as },
      );
    await hand(other, base.recordId, 1);
    const as = await classmate(kit, pack);
    const sat: number[] = [];
    // Handed in empty, so that the keys can be read; then by heart; then half.
    for (const right of [0, 2, 1]) {
      kit.time.now += MINUTE;
      const { recordId } = await ok(START_CALL, { examId }, { as });
      await hand(as, recordId, right);
      sat.push(recordId);
    }
    const tips = [];
    for (const recordId of sat) tips.push(await ok('GET /app/exam/result_tip', { recordId }, { as }));
    expect(tips.map((tip) => tip.countsInRanking)).toEqual(counted);
    expect(tips.map((tip) => tip.rank !== null)).toEqual(counted);
    expect(tips[0]).toMatchObject({ takerCount: takers, averageScore: average });
  });
});
