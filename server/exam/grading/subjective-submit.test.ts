import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate, startScene } from '../scene.test-kit.ts';
import { recordReopener } from './reopen.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const SCORE = 'POST /app/exam/subjective_submit';

describe.each(databases)('the student’s own score on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('raises the total, may be changed, and the statistics follow', async () => {
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
      { state: 1, myScore: 5, judgeFlag: null, accuracyRate: null },
      { state: 1, myScore: 4, judgeFlag: 1, accuracyRate: null },
    ]);
    const { answers } = await ok('GET /api/exam/cache', { recordId }, { as });
    expect(answers.find((answer) => answer.questionId === ids[5])).toMatchObject({ myScore: 4, judgeFlag: 1 });
    expect(await ok(SCORE, { ...own, myScore: 0, judgeFlag: 2 }, { as })).toMatchObject({
      score: 7,
      rightCount: 2,
      wrongCount: 1,
    });
    const after = await ok('GET /app/exam/result_tip', base, { as });
    expect(after.byChapter.map((chapter) => [chapter.earned, chapter.total, chapter.averageRate])).toEqual([
      [7, 12, 7 / 12],
      [0, 7, 0],
    ]);
    const tree = await ok('GET /app/question/index', { packId: pack.packId }, { as });
    expect(tree.courses[0]?.chapters.map((chapter) => chapter.rightRate)).toEqual([1, 0]);
  });

  it('keeps which scoring points were ticked beside a score that may be another, for the next look and the next change', async () => {
    const { as, base, save, ids, recordId } = await startScene(kit);
    for (const [at, answer] of [
      [3, '写到甲'],
      [5, '文'],
    ] as const)
      await ok(SAVE, save(at, answer, at), { as });
    await ok(SUBMIT, base, { as });
    const look = async () => (await ok('GET /app/exam/review', base, { as })).questions[3];
    expect(await look()).toMatchObject({
      points: [
        { text: '采点甲', weight: 3, words: ['甲'] },
        { text: '采点乙', weight: 1.5, words: [] },
      ],
      ticks: [],
      myScore: null,
    });
    const text = { recordId, questionId: ids[3] };
    expect(await ok(SCORE, { ...text, myScore: 4.5, ticks: [1, 0, 1] }, { as })).toMatchObject({ score: 4.5 });
    expect(await look()).toMatchObject({ ticks: [0, 1], myScore: 4.5 });
    // The score is the student's own, whatever is ticked.
    expect(await ok(SCORE, { ...text, myScore: 2, ticks: [1] }, { as })).toMatchObject({ score: 2 });
    expect(await look()).toMatchObject({ ticks: [1], myScore: 2 });
    await ok(SCORE, { ...text, myScore: 5 }, { as });
    expect(await look()).toMatchObject({ ticks: [1], myScore: 5 });
    await ok(SCORE, { ...text, myScore: 0, ticks: [] }, { as });
    expect(await look()).toMatchObject({ ticks: [], myScore: 0 });
    for (const ticks of [[2], [0, 29]])
      expect(await refused(SCORE, { ...text, myScore: 1, ticks }, { as })).toBe('noSuchPoint');
    // One that has none can have none ticked; nothing is stored of a score that is refused.
    expect(await refused(SCORE, { recordId, questionId: ids[5], myScore: 1, ticks: [0] }, { as })).toBe('noSuchPoint');
    expect(await refused(SCORE, { ...text, myScore: 99, ticks: [0] }, { as })).toBe('scoreOutOfRange');
    expect(await look()).toMatchObject({ ticks: [], myScore: 0 });
    for (const ticks of [['甲'], [-1], [0.5], [30], Array(31).fill(0), 'all'])
      expect((await kit.raw(SCORE, { ...text, myScore: 1, ticks }, { as })).code).toBe(400);
  });

  it('points and ticks are withheld while a scored exam with the question is open; a record that is opened again has no ticks', async () => {
    const { as, base, save, ids, recordId, pack } = await startScene(kit);
    await ok(SAVE, save(3, '写到甲', 1), { as });
    await ok(SUBMIT, base, { as });
    await ok(SCORE, { recordId, questionId: ids[3], myScore: 3, ticks: [0] }, { as });
    const look = async () => (await ok('GET /app/exam/review', base, { as })).questions[3];
    const timed = await makeExam(kit, pack, { kind: 'timed', questionIds: ids });
    kit.time.now += 10_000;
    const sat = await ok('GET /app/exam/test_start', { examId: timed }, { as });
    expect(await look()).toMatchObject({ hidden: true, points: [], ticks: [], myScore: null });
    await ok(SUBMIT, { examId: timed, recordId: sat.recordId }, { as });
    expect(await look()).toMatchObject({ points: [{ text: '采点甲' }, { text: '采点乙' }], ticks: [0], myScore: 3 });
    const reopen = recordReopener(kit.db);
    const why = { minutes: 10, reason: '误收', doneBy: 'tester', now: kit.time.now };
    await kit.db.transaction((trx) => reopen(trx, { recordId, ...why }));
    await ok(SUBMIT, base, { as });
    expect(await look()).toMatchObject({ ticks: [], state: 4, myScore: null });
  });

  it.each([
    ['more than the question has', 3, 5.5, 'scoreOutOfRange'],
    ['more than questions usually have', 3, 5000, 'scoreOutOfRange'],
    ['less than nothing', 3, -1, 'scoreOutOfRange'],
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
    for (const myScore of ['five', null, 1e9]) {
      const reply = await kit.raw(SCORE, { recordId, questionId: ids[3], myScore }, { as });
      expect(reply.code).toBe(400);
    }
    const other = await classmate(kit, pack);
    expect(await refused(SCORE, { recordId, questionId: ids[3], myScore: 1 }, { as: other })).toBe('notFound');
    expect(await refused(SCORE, { recordId, questionId: 987_654, myScore: 1 }, { as })).toBe('notFound');
  });
});
