import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

describe.each(databases)('results of an exam on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('result and review are there from hand-in on, and agree with what the hand-in said', async () => {
    const { as, base, save } = await startScene(kit);
    await ok('POST /api/exam/save_question', save(0, 'A', 1), { as });
    for (const name of ['GET /app/exam/result_tip', 'GET /app/exam/review'] as const)
      expect(await refused(name, base, { as })).toBe('notSubmitted');
    const { score, totalScore, rightCount } = await ok('POST /api/exam/submit', base, { as });
    expect(await ok('GET /app/exam/result_tip', base, { as })).toMatchObject({
      score,
      totalScore,
      rightCount,
      rank: 1,
    });
    const { questions } = await ok('GET /app/exam/review', base, { as });
    expect(questions.filter(({ state }) => state === 1)).toHaveLength(rightCount ?? -1);
    expect(questions.reduce((sum, { myScore }) => sum + (myScore ?? 0), 0)).toBe(score);
  });
});
