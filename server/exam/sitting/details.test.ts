import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

describe.each(databases)('the paper of a record on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('gives everybody the same paper without a layout, a changed one when it changed', async () => {
    const { as, recordId, ids } = await startScene(kit);
    const before = await ok('GET /api/exam/details', { recordId }, { as });
    await kit.db.query.updateTable('questions').set({ topic: '<p>改正后</p>' }).where('id', '=', ids[0]).execute();
    await kit.db.query
      .updateTable('exams')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .execute();
    const after = await ok('GET /api/exam/details', { recordId }, { as });
    expect(after.questions[0]?.topic).toBe('<p>改正后</p>');
    expect(after.questions.slice(1)).toEqual(before.questions.slice(1));
  });
});
