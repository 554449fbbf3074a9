import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { HOUR, SWEEP, startScene } from '../scene.test-kit.ts';

/** The window of the scene's own record; another was begun without one. */
const windowOf = ({ recordId }: { recordId: number }, { base }: { base: { recordId: number; windowId: string } }) =>
  recordId === base.recordId ? { windowId: base.windowId } : {};

/** A hand-in that arrives after the server closed the record encloses answers of which some are known already. */
describe.each(databases)('answers enclosed too late on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it.each<[string, [answer: string, seq: number], boolean]>([
    ['newer than what is stored, and another', ['C', 6], true],
    ['newer, and the same', ['B', 6], false],
    ['older, and another', ['C', 4], false],
    ['with the same number, and another', ['C', 5], false],
  ])('%s', async (_, [answer, seq], isEvidence) => {
    const { as, base, save, ids, recordId } = await startScene(kit);
    await ok('POST /api/exam/save_question', save(1, 'B', 5), { as });
    kit.time.now += HOUR + 20_000;
    await kit.chore(SWEEP);
    const handIn = { ...base, answers: [{ questionId: ids[1], answer, seq }] };
    const late = isEvidence ? [ids[1]] : [];
    expect(await ok('POST /api/exam/submit', handIn, { as })).toMatchObject({ closed: 'timeUp', rightCount: 1, late });
    const stored = await kit.db.query.selectFrom('late_saves').selectAll().where('record_id', '=', recordId).execute();
    expect(stored.map((row) => [row.answer, row.seq])).toEqual(isEvidence ? [[answer, seq]] : []);
  });

  it.each(['mock', 'own'] as const)(
    'a record that was re-scored since keeps them too, of a paper of kind %s',
    async (paper) => {
      const scene = await startScene(kit);
      const { as, ids, pack } = scene;
      const [teacher, questionId] = [await kit.user('teacher'), ids[1]];
      let base: { examId: number; recordId: number } = scene.base;
      if (paper === 'own') {
        const lines = [{ questionTypesId: 2 as const, count: 1, score: 2 }];
        const asked = { packId: pack.packId, name: '随机组卷', lines, examTime: 60 };
        const { examId } = await ok('POST /app/exam/random_paper', asked, { as });
        base = { examId, recordId: (await ok('GET /app/exam/test_start', { examId }, { as })).recordId };
        await ok('POST /api/exam/submit', scene.base, { as });
      }
      const { paperVersion } = await ok('GET /api/exam/cache', base, { as });
      await ok(
        'POST /api/exam/save_question',
        { ...base, ...windowOf(base, scene), questionId, answer: 'B', seq: 5 },
        { as },
      );
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as: teacher });
      kit.time.now += HOUR + 20_000;
      await kit.chore(SWEEP);
      const change = { questionId, standing, rightAnswer: 'C', reason: '答案印错了' };
      await ok('POST /app/question/correct', change, { as: teacher });
      await kit.chore('exam: re-score corrected records');
      await kit.chore('exam: re-score corrected own papers');
      expect(await ok('GET /app/exam/result_tip', base, { as })).toMatchObject({ rescores: [{ questionId }] });
      const late = { ...base, ...windowOf(base, scene), questionId, answer: 'C', seq: 6, paperVersion };
      expect(await refused('POST /api/exam/save_question', late, { as })).toBe('tooLate');
      // A version that there never was is none of its own.
      for (const other of [0, paperVersion - 1, 999_999])
        expect(await kit.raw('POST /api/exam/save_question', { ...late, paperVersion: other }, { as })).toMatchObject({
          code: expect.toSatisfy((code) => code === 400 || code === 409 || code === 422),
        });
      const answers = [{ questionId, answer: 'D', seq: 7 }];
      const handIn = { ...base, ...windowOf(base, scene), answers, paperVersion };
      expect(await ok('POST /api/exam/submit', handIn, { as })).toMatchObject({ late: [questionId] });
      const stored = kit.db.query.selectFrom('late_saves').selectAll().where('record_id', '=', base.recordId);
      expect((await stored.execute()).map((row) => [row.answer, row.seq])).toEqual([['D', 7]]);
    },
  );

  it('a question is named once, however often it was answered too late', async () => {
    const { as, base, ids, recordId } = await startScene(kit);
    kit.time.now += HOUR + 20_000;
    const answers = [3, 4].map((seq) => ({ questionId: ids[1], answer: 'B', seq }));
    const late = [ids[1]];
    expect(await ok('POST /api/exam/submit', { ...base, answers }, { as })).toMatchObject({ late });
    const stored = await kit.db.query.selectFrom('late_saves').selectAll().where('record_id', '=', recordId).execute();
    expect(stored.map(({ seq }) => seq)).toEqual([4]);
  });
});
