import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '../test-kit.ts';
import { classmate, startScene } from './scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const SCORE = 'POST /app/exam/subjective_submit';

describe.each(databases)('results on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('rank and average among all takers: best of each, equal scores share a rank', async () => {
    const { pack, examId, ids } = await startScene(kit);
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
    expect(await tip(middle, middleId)).toMatchObject({ score: 4, rank: 2, takerCount: 4, averageScore: 3.4 });
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

  describe('the student’s own score', () => {
    it('raises the total, may be changed, and the figures follow', async () => {
      const { as, base, save, ids, recordId, pack } = await startScene(kit);
      for (const [at, answer] of ['A', '', '', '文', '', '文'].entries())
        await ok(SAVE, save(at, answer, at + 1), { as });
      expect(await ok(SUBMIT, base, { as })).toMatchObject({ score: 2, pendingCount: 2, rightCount: 1 });
      const text = { recordId, questionId: ids[3] };
      const own = { recordId, questionId: ids[5] };
      expect(await ok(SCORE, { ...text, myScore: 2.5 }, { as })).toMatchObject({
        score: 4.5,
        pendingCount: 1,
        wrongCount: 1,
      });
      expect(await ok(SCORE, { ...own, myScore: 4, judgeFlag: 1 }, { as })).toMatchObject({
        score: 8.5,
        pendingCount: 0,
        rightCount: 2,
      });
      expect(await ok(SCORE, { ...text, myScore: 5 }, { as })).toMatchObject({
        score: 11,
        rightCount: 3,
        wrongCount: 0,
      });
      const review = await ok('GET /app/exam/review', base, { as });
      expect([review.questions[3], review.questions[5]]).toMatchObject([
        { state: 1, myScore: 5, judgeFlag: null, accuracyRate: 1 },
        { state: 1, myScore: 4, judgeFlag: 1, accuracyRate: 1 },
      ]);
      expect(await ok(SCORE, { ...own, myScore: 0, judgeFlag: 2 }, { as })).toMatchObject({
        score: 7,
        rightCount: 2,
        wrongCount: 1,
      });
      const after = await ok('GET /app/exam/result_tip', base, { as });
      expect(after.byChapter.map((one) => [one.earned, one.total, one.averageRate])).toEqual([
        [7, 12, 7 / 12],
        [0, 7, 0],
      ]);
      const tree = await ok('GET /app/question/index', { packId: pack.packId }, { as });
      expect(tree.courses[0]?.chapters.map((one) => one.rightRate)).toEqual([1, 0]);
    });

    it.each([
      ['more than the question has', 3, 5.5, 'scoreOutOfRange'],
      ['a choice question', 0, 1, 'notSelfScored'],
      ['an unanswered question', 5, 1, 'notSelfScored'],
    ])('refuses %s', async (_, at, myScore, why) => {
      const { as, base, save, ids, recordId } = await startScene(kit);
      await ok(SAVE, save(0, 'A', 1), { as });
      await ok(SAVE, save(3, '文', 2), { as });
      await ok(SUBMIT, base, { as });
      expect(await refused(SCORE, { recordId, questionId: ids[at] ?? 0, myScore }, { as })).toBe(why);
    });

    it('refuses a score that is none, another’s record, and a question of another paper', async () => {
      const { as, base, ids, recordId, pack } = await startScene(kit);
      await ok(SUBMIT, base, { as });
      for (const myScore of [-1, '5', null, 1e9]) {
        const reply = await kit.raw(SCORE, { recordId, questionId: ids[3], myScore }, { as });
        expect(reply.code).toBe(400);
      }
      const other = await classmate(kit, pack);
      expect(await refused(SCORE, { recordId, questionId: ids[3], myScore: 1 }, { as: other })).toBe('notFound');
      expect(await refused(SCORE, { recordId, questionId: 987_654, myScore: 1 }, { as })).toBe('notFound');
    });
  });

  it('the review shows every question with own answer, key, mark and sections', async () => {
    const { as, base, save, ids } = await startScene(kit);
    await ok(SAVE, save(2, 'AB', 1), { as });
    await ok('POST /api/exam/flag', { ...base, questionId: ids[1] }, { as });
    await ok(SUBMIT, base, { as });
    const review = await ok('GET /app/exam/review', base, { as });
    expect(review).toMatchObject({ examType: 2, sections: [{ questionIds: ids }] });
    expect(review.questions[1]).toMatchObject({
      answer: '',
      flag: 1,
      state: 0,
      myScore: 0,
      rightAnswer: 'B',
      accuracyRate: null,
    });
    expect(review.questions[2]).toMatchObject({
      answer: 'AB',
      flag: 0,
      state: 3,
      myScore: 1.5,
      rightAnswer: 'ABD',
      accuracyRate: 0,
    });
    expect(review.questions[3]).toMatchObject({ rightAnswer: '<p>参考</p>' });
    const recited = await ok('GET /app/exam/recite', base, { as });
    expect(recited.questions).toHaveLength(6);
  });
});
