import { afterAll, describe, expect, it } from 'vitest';
import { databases, START, testApp } from '#server/test-kit.ts';
import { HOUR, startScene } from '../scene.test-kit.ts';

describe.each(databases)('sitting an exam on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('goes from start to result', async () => {
    const { as, ids, base, save, examId } = await startScene(kit);
    const record = await ok('GET /app/exam/test_start', { examId, windowId: base.windowId }, { as });
    expect(record).toMatchObject({
      examMode: 1,
      examType: 1,
      questionMode: 1,
      totalTime: 0,
      startedAt: START,
      endsAt: START + HOUR,
      resumed: true,
    });
    const details = await ok('GET /api/exam/details', { recordId: base.recordId }, { as });
    expect(details.recordId).toBe(base.recordId);
    expect(details.questions.map((question) => question.questionId)).toEqual(ids);
    expect(details.questions.every((question) => question.showAnswerFlag === 0)).toBe(true);
    expect(details.sections).toEqual([{ title: '一、试题', questionIds: ids }]);
    for (const [at, answer] of ['A', 'C', 'AB', '我的回答', '', '我的回答'].entries()) {
      kit.time.now += 1000;
      await ok('POST /api/exam/save_question', { ...save(at, answer, at + 1), totalTime: at }, { as });
    }
    const snapshot = await ok('GET /api/exam/cache', base, { as });
    expect(snapshot).toMatchObject({
      lastSeq: 6,
      savedAt: START + 6000,
      totalTime: 5,
      remaining: HOUR - 6000,
      now: START + 6000,
      ownsWindow: true,
    });
    expect(snapshot.answers.map((answer) => answer.answer)).toEqual(['A', 'C', 'AB', '我的回答', '', '我的回答']);
    for (const answer of snapshot.answers)
      expect(answer).toMatchObject({ isSubmit: 0, myScore: null, judgeFlag: null });
    const result = await ok('POST /api/exam/submit', { ...base, totalTime: 7 }, { as });
    expect(result).toEqual({
      recordId: base.recordId,
      closed: 'submitted',
      submittedAt: START + 6000,
      score: 3.5,
      totalScore: 19,
      pendingCount: 2,
      rightCount: 1,
      wrongCount: 2,
      unansweredCount: 1,
      usedTime: 6,
      withheld: false,
      late: [],
    });
    const handedIn = await ok('GET /api/exam/cache', base, { as });
    expect(handedIn).toMatchObject({ examType: 2, totalTime: 7 });
    expect(handedIn.answers.map((answer) => [answer.isSubmit, answer.state, answer.myScore])).toEqual([
      [1, 1, 2],
      [1, 2, 0],
      [1, 3, 1.5],
      [1, 4, null],
      [1, 0, 0],
      [1, 4, null],
    ]);
    const review = await ok('GET /app/exam/review', base, { as });
    expect(review.questions.map((question) => [question.state, question.myScore])).toEqual([
      [1, 2],
      [2, 0],
      [3, 1.5],
      [4, null],
      [0, 0],
      [4, null],
    ]);
  });

  it('takes what a literal client sends: ids as texts, seconds with a fraction; what is stored are whole numbers', async () => {
    const { as, ids, base, save } = await startScene(kit);
    const asTexts = (input: object) =>
      Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
    const sent = { ...asTexts(save(0, 'A', 1)), totalTime: 7.5 };
    expect(await kit.raw('POST /api/exam/save_question', sent, { as })).toMatchObject({ code: 200, data: { seq: 1 } });
    const flag = await kit.raw('POST /api/exam/flag', asTexts({ ...base, questionId: ids[1], flag: 1 }), { as });
    expect(flag.data).toEqual({ flag: 1 });
    expect(await ok('GET /api/exam/cache', base, { as })).toMatchObject({ totalTime: 7, lastSeq: 1 });
    const answers = [
      { questionId: `${ids[1]}`, answer: 'B', seq: '2' },
      { questionId: `${ids[3]}`, answer: '文', seq: '3' },
    ];
    const enclosed = { ...asTexts(base), totalTime: '9.9', answers };
    expect(await kit.raw('POST /api/exam/submit', enclosed, { as })).toMatchObject({
      code: 200,
      data: { rightCount: 2 },
    });
    expect(await ok('GET /api/exam/cache', base, { as })).toMatchObject({ totalTime: 9 });
    const text = { recordId: `${base.recordId}`, questionId: `${ids[3]}`, myScore: '2.5' };
    for (const junk of ['1e3', '0x1', ' 1', '1.5', '', 'abc', null, true])
      expect(await kit.raw('POST /app/exam/history', { examId: junk }, { as })).toMatchObject({
        code: 400,
        data: { field: 'examId' },
      });
    expect(await kit.raw('POST /app/exam/subjective_submit', text, { as })).toMatchObject({
      code: 200,
      data: { score: 6.5 },
    });
  });
});
