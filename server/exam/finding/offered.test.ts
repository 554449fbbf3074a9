import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { contentReader, VersionGone } from '../paper/content-store.ts';
import { makeExam } from '../paper.test-kit.ts';
import { startScene } from '../scene.test-kit.ts';
import { readOffered } from './offered.ts';
import { findPaper } from './store.ts';

describe.each(databases)('a paper that is looked at while a correction replaces it on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());

  it('is shown as it is on offer then', async () => {
    const { pack, ids } = await startScene(kit);
    const examId = await makeExam(kit, pack, { questionIds: ids });
    const { query } = kit.db;
    const found = await findPaper(query, examId);
    if (found === null) throw new Error('no paper');
    // No record began with its version, so nothing of it is kept.
    const next = found.version + 1;
    await query.updateTable('exams').set({ version: next, total_score: 99 }).where('id', '=', examId).execute();
    const read = contentReader();
    await expect(read(query, examId, found.version)).rejects.toThrow(VersionGone);
    const { paper, content } = await readOffered(query, read, examId, found);
    expect([paper.version, paper.totalScore, content.questions.length]).toEqual([next, 99, ids.length]);
  });
});
