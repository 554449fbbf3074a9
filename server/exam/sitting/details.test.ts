import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { classmate, startScene } from '../scene.test-kit.ts';

describe.each(databases)('the paper of a record on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('gives everybody the same paper without a layout', async () => {
    const { as, recordId, examId, pack } = await startScene(kit);
    const other = await classmate(kit, pack);
    const second = await ok('GET /app/exam/test_start', { examId }, { as: other });
    const [one, two] = [
      await ok('GET /api/exam/details', { recordId }, { as }),
      await ok('GET /api/exam/details', { recordId: second.recordId }, { as: other }),
    ];
    expect({ ...two, recordId }).toEqual(one);
  });

  it('of a record from before papers were kept shows all, options of another number under their own letters', async () => {
    const { as, ids, recordId } = await startScene(kit);
    const layout = { order: [ids[2], ids[1]], options: { [ids[1]]: 'EDCBA', [ids[2]]: 'DCBA' } };
    await kit.db.query
      .updateTable('exam_records')
      .set({ layout: JSON.stringify(layout) })
      .where('id', '=', recordId)
      .execute();
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    expect(questions.map(({ questionId }) => questionId)).toEqual([ids[2], ids[1], ids[0], ids[3], ids[4], ids[5]]);
    expect([questions[0]?.options.A, questions[1]?.options.A]).toEqual(['<p>选项 D</p>', '<p>选项 A</p>']);
  });
});
