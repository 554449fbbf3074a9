import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

describe.each(databases)('what counts as done in a list of records on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('answers that are there: neither a cleared one, nor a mark alone', async () => {
    const { as, base, save, ids } = await startScene(kit);
    const SAVE = 'POST /api/exam/save_question';
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(SAVE, save(1, 'B', 2), { as });
    await ok(SAVE, save(1, '', 3), { as });
    await ok(SAVE, save(3, '  ', 4), { as });
    await ok('POST /api/exam/flag', { ...base, questionId: ids[2] }, { as });
    const { list } = await ok('GET /api/user/exam_list', {}, { as });
    expect(list).toMatchObject([{ doneCount: 1, score: null }]);
  });
});
