import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { HOUR, SWEEP, startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('what was graded near the start of a scored exam on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('a record closed by less before it than the clocks of two servers differ is withheld, the same everywhere', async () => {
    const { as, examId, base, save } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(SUBMIT, base, { as });
    kit.time.now += 1000;
    await ok('GET /app/exam/test_start', { examId }, { as });
    const tip = await ok('GET /app/exam/result_tip', base, { as });
    expect(tip).toMatchObject({ rightCount: null, withheld: true, byType: [] });
    const { list } = await ok('GET /api/user/exam_list', { state: 'closed' }, { as });
    expect(list).toMatchObject([{ score: null, withheld: true }]);
  });

  it('a record that took answers in its grace, after the exam had begun, tells nothing although it counts from its end', async () => {
    const ended = await startScene(kit);
    const { as, recordId, save } = ended;
    const examId = await makeExam(kit, ended.pack, { questionIds: ended.ids });
    kit.time.now += HOUR + 1000;
    const scored = await ok('GET /app/exam/test_start', { examId }, { as });
    await ok(SAVE, save(0, 'A', 1), { as });
    kit.time.now += 60_000;
    await kit.chore(SWEEP);
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({
      closed: 'timeUp',
      rightCount: null,
      withheld: true,
      byType: [],
    });
    const papers = await ok('GET /api/exam/exam_list', { packId: ended.pack.packId }, { as });
    expect(papers.list.map((paper) => paper.lastScore)).toEqual([null, null]);
    await ok(SUBMIT, { examId, recordId: scored.recordId }, { as });
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({
      rightCount: 1,
      withheld: false,
    });
  });
});
