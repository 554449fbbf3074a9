import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

/** What the school took out of its offer. */
describe.each(databases)('archived papers and packs on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('an archived paper is in no list, and its year goes with the last paper of it', async () => {
    const { as, pack, ids } = await startScene(kit);
    const { packId } = pack;
    const [of2023, of2024] = [
      await makeExam(kit, pack, { kind: 'past', year: 2023, questionIds: ids }),
      await makeExam(kit, pack, { kind: 'past', year: 2024, questionIds: ids }),
    ];
    const papers = async () =>
      (await ok('GET /api/exam/exam_list', { packId, kind: 'past' }, { as })).list.map(({ examId }) => examId);
    const years = async () => (await ok('GET /api/exam/year_list', { packId }, { as })).list;
    expect([await papers(), await years()]).toEqual([
      [of2024, of2023],
      [2024, 2023],
    ]);
    await kit.db.query.updateTable('exams').set({ archived: 1 }).where('id', '=', of2024).execute();
    expect([await papers(), await years()]).toEqual([[of2023], [2023]]);
  });

  it('of an archived pack nothing is found and nothing starts; own records stay', async () => {
    const { as, pack, ids, base, examId } = await startScene(kit);
    const { packId } = pack;
    const unsat = await makeExam(kit, pack, { questionIds: ids });
    await ok('POST /api/exam/submit', base, { as });
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', packId).execute();
    expect(await refused('GET /app/question/index', { packId }, { as })).toBe('notFound');
    expect(await refused('GET /app/question/list', { packId, chapterId: pack.chapterIds[0] }, { as })).toBe('notFound');
    expect(await refused('GET /api/exam/exam_list', { packId }, { as })).toBe('notFound');
    expect(await refused('GET /app/exam/test_start', { examId: unsat }, { as })).toBe('notFound');
    expect(await refused('POST /app/exam/history', { examId: unsat }, { as })).toBe('notFound');
    expect((await ok('POST /app/exam/history', { examId }, { as })).list).toHaveLength(1);
    expect(await ok('GET /app/exam/result_tip', base, { as })).toMatchObject({ recordId: base.recordId });
  });
});
