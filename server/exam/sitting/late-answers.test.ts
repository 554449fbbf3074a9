import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { HOUR, SWEEP, startScene } from '../scene.test-kit.ts';

/** A hand-in that arrives after the server closed the record encloses answers of which some are known already. */
describe.each(databases)('answers enclosed too late on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

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
