import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

describe.each(databases)('grading an exam on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('the server grades what has a key, the student the short answers, and the total says what waits', async () => {
    const { as, base, ids } = await startScene(kit);
    const given = ['A', 'C', 'AB', '我的回答', '', '我的回答'];
    const answers = given.flatMap((answer, at) =>
      answer === '' ? [] : [{ questionId: ids[at] ?? 0, answer, seq: at + 1 }],
    );
    const states = async () =>
      (await ok('GET /app/exam/review', base, { as })).questions.map(({ state, myScore }) => [state, myScore]);
    expect(await ok('POST /api/exam/submit', { ...base, answers }, { as })).toMatchObject({
      score: 3.5,
      pendingCount: 2,
      unansweredCount: 1,
    });
    const byServer = [
      [1, 2],
      [2, 0],
      [3, 1.5],
    ];
    expect(await states()).toEqual([...byServer, [4, null], [0, 0], [4, null]]);
    const score = { recordId: base.recordId, questionId: ids[3] };
    await ok('POST /app/exam/subjective_submit', { ...score, myScore: 5 }, { as });
    const own = { recordId: base.recordId, questionId: ids[5], myScore: 0, judgeFlag: 2 };
    expect(await ok('POST /app/exam/subjective_submit', own, { as })).toMatchObject({ score: 8.5, pendingCount: 0 });
    expect(await states()).toEqual([...byServer, [1, 5], [0, 0], [2, 0]]);
  });
});
