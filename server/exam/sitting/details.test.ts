import { afterAll, describe, expect, it, vi } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
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

  it('brings the formulas of its texts set, and those of a key with the key alone', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const questionIds = await makeQuestions(kit, pack, [
      { type: 2, right: 'B', topic: '<p>设 \\(t_1&lt;2\\) 与 \\(\\nosuch\\)</p>' },
      { type: 4, right: '<p>参考 \\(k_1\\)</p>', topic: '<p>求 \\[t_2\\]</p>' },
    ]);
    const examId = await makeExam(kit, pack, { kind: 'chapter', questionIds });
    const windowId = 'window-0001';
    const { recordId } = await ok('GET /app/exam/test_start', { examId, windowId }, { as });
    const sourcesOf = ({ formulas = {} }: { formulas?: Record<string, string> }) => Object.keys(formulas);
    const details = await vi.waitFor(async () => {
      const paper = await ok('GET /api/exam/details', { recordId }, { as });
      expect(sourcesOf(paper)).toEqual(['\\(t_1<2\\)', '\\(\\nosuch\\)', '\\[t_2\\]']);
      return paper;
    }, 20_000);
    expect(details.formulas?.['\\(t_1<2\\)']).toContain('class="katex"');
    expect(details.formulas?.['\\[t_2\\]']).toContain('class="katex-display"');
    expect(details.formulas?.['\\(\\nosuch\\)']).toBe('');
    const [, text = 0] = questionIds;
    const asked = { recordId, questionId: text, windowId };
    const both = ['\\[t_2\\]', '\\(k_1\\)'];
    await vi.waitFor(
      async () => expect(sourcesOf(await ok('POST /app/exam/show_answer', asked, { as }))).toEqual(both),
      20_000,
    );
    expect(sourcesOf(await ok('GET /app/exam/recite', { recordId }, { as }))).toEqual(expect.arrayContaining(both));
    expect(sourcesOf(await ok('GET /api/exam/details', { recordId }, { as }))).not.toContain('\\(k_1\\)');
    await ok('POST /api/exam/submit', { examId, recordId, windowId }, { as });
    expect(sourcesOf(await ok('GET /app/exam/review', { recordId }, { as }))).toEqual(expect.arrayContaining(both));
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
