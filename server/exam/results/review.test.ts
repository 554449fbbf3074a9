import { afterAll, describe, expect, it } from 'vitest';
import { databases, START, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('the review on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('the review shows every question with own answer, key, mark and sections', async () => {
    const { as, base, save, ids } = await startScene(kit);
    await ok(SAVE, save(2, 'AB', 1), { as });
    await ok('POST /api/exam/flag', { ...base, questionId: ids[1] }, { as });
    await ok(SUBMIT, base, { as });
    const review = await ok('GET /app/exam/review', base, { as });
    expect(review).toMatchObject({ examType: 2, questionMode: 1, totalTime: 0, sections: [{ questionIds: ids }] });
    expect(review.questions[1]).toMatchObject({
      answer: '',
      flag: 1,
      state: 0,
      myScore: 0,
      isSubmit: 1,
      showAnswerFlag: 1,
      rightAnswer: 'B',
      accuracyRate: null,
    });
    expect(review.questions[2]).toMatchObject({
      answer: 'AB',
      flag: 0,
      state: 3,
      myScore: 1.5,
      rightAnswer: 'ABD',
      accuracyRate: null,
    });
    expect(review.questions[3]).toMatchObject({ rightAnswer: '<p>参考</p>' });
    const recited = await ok('GET /app/exam/recite', base, { as });
    expect(recited.questions.map((question) => question.showAnswerFlag)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('shows no own letters of questions that are sat in a scored exam: beside a tally that is all right they are the key', async () => {
    const { as, ids, pack } = await startScene(kit);
    const practice = await makeExam(kit, pack, { kind: 'chapter', questionIds: [ids[0], ids[3]] });
    const { recordId } = await ok('GET /app/exam/test_start', { examId: practice }, { as });
    const answers = [
      { questionId: ids[0] ?? 0, answer: 'A', seq: 1 },
      { questionId: ids[3] ?? 0, answer: '自己写的', seq: 2 },
    ];
    await ok(SUBMIT, { examId: practice, recordId, answers }, { as });
    const lettersNow = async () => {
      const review = await ok('GET /app/exam/review', { recordId }, { as });
      const cache = await ok('GET /api/exam/cache', { recordId }, { as });
      return [review.questions, cache.answers].map((list) =>
        ids.flatMap((id) => list.find(({ questionId }) => questionId === id)?.answer ?? []),
      );
    };
    // The scene's own paper is open.
    expect(await lettersNow()).toEqual([
      ['', '自己写的'],
      ['', '自己写的'],
    ]);
    await kit.db.query.updateTable('exam_records').set({ submitted_at: 1 }).where('id', '<>', recordId).execute();
    expect(await lettersNow()).toEqual([
      ['A', '自己写的'],
      ['A', '自己写的'],
    ]);
  });

  it('the review says, as the result does, whether and when the paper may be sat again', async () => {
    const { as, base } = await startScene(kit, { retake: { most: 3, after: 30, counts: 'best' } });
    await ok(SUBMIT, base, { as });
    const { retake } = await ok('GET /app/exam/review', base, { as });
    expect(retake).toMatchObject({ most: 3, after: 30, counts: 'best', taken: 1, left: 2 });
    expect(retake.nextAt).toBe(START + 30 * 60_000);
    expect(retake).toEqual((await ok('GET /app/exam/result_tip', base, { as })).retake);
  });
});
