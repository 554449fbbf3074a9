import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { classmate, startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('results on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('rank and average among all takers: best of each, equal scores share a rank', async () => {
    const { pack, examId, ids } = await startScene(kit, { retake: { counts: 'best' } });
    const take = async (as: Awaited<ReturnType<typeof classmate>>, answers: readonly string[]) => {
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      for (const [at, answer] of answers.entries()) {
        if (answer) await ok(SAVE, { examId, recordId, questionId: ids[at] ?? 0, answer, seq: at + 1 }, { as });
      }
      await ok(SUBMIT, { examId, recordId }, { as });
      return recordId;
    };
    const [best, middle, second, low] = await Promise.all([1, 2, 3, 4].map(() => classmate(kit, pack)));
    if (!best || !middle || !second || !low) throw new Error('four students');
    await take(best, ['A', '', '']);
    await take(best, ['A', 'B', 'ABD']);
    const middleId = await take(middle, ['A', 'B', '']);
    const secondId = await take(second, ['A', 'B', '']);
    const lowId = await take(low, ['B', '', '']);
    const tip = async (as: typeof best, recordId: number) => ok('GET /app/exam/result_tip', { recordId }, { as });
    expect(await tip(middle, middleId)).toMatchObject({ score: 4, rank: 2, takerCount: 4, averageScore: 3.75 });
    expect(await tip(second, secondId)).toMatchObject({ rank: 2 });
    expect(await tip(low, lowId)).toMatchObject({ score: 0, rank: 4, percent: 0 });
    const papers = await ok('GET /api/exam/exam_list', { packId: pack.packId }, { as: best });
    expect(papers.list[0]).toMatchObject({ takerCount: 4, lastScore: 7, bestScore: 7, openRecordId: null });
  });

  it('compares by chapter and by type, and advises', async () => {
    const { as, base, save, pack } = await startScene(kit);
    for (const [at, answer] of ['A', 'C', 'ABD', '文', 'B', '文'].entries())
      await ok(SAVE, save(at, answer, at + 1), { as });
    await ok(SUBMIT, base, { as });
    const tip = await ok('GET /app/exam/result_tip', base, { as });
    expect(tip.byChapter).toEqual([
      { chapterId: pack.chapterIds[2], name: 'point-1', earned: 5, total: 12, pending: 5, averageRate: 5 / 7 },
      { chapterId: pack.chapterIds[3], name: 'chapter-2', earned: 0, total: 7, pending: 5, averageRate: 0 },
    ]);
    expect(tip.byType).toEqual([
      { questionTypesId: 1, earned: 2, total: 2, pending: 0, count: 1, right: 1 },
      { questionTypesId: 2, earned: 0, total: 2, pending: 0, count: 1, right: 0 },
      { questionTypesId: 3, earned: 3, total: 3, pending: 0, count: 1, right: 1 },
      { questionTypesId: 4, earned: 0, total: 5, pending: 5, count: 1, right: 0 },
      { questionTypesId: 5, earned: 0, total: 2, pending: 0, count: 1, right: 0 },
      { questionTypesId: 8, earned: 0, total: 5, pending: 5, count: 1, right: 0 },
    ]);
    expect(tip.advice.slice(0, 2)).toEqual([
      { code: 'pending', count: 2 },
      { code: 'weakChapter', chapterName: 'chapter-2', percent: 0 },
    ]);
  });
});
