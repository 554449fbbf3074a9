import { afterAll, describe, expect, it } from 'vitest';
import { databases, START, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate, HOUR, SWEEP, startScene, storedAnswers } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const FLAG = 'POST /api/exam/flag';

describe.each(databases)('marking questions on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('are set, taken away and toggled, and survive a reload', async () => {
    const { as, base, ids, recordId, save } = await startScene(kit);
    const mark = { ...base, questionId: ids[1] };
    expect(await ok(FLAG, mark, { as })).toEqual({ flag: 1 });
    expect(await ok(FLAG, mark, { as })).toEqual({ flag: 0 });
    expect(await ok(FLAG, { ...mark, flag: 1 }, { as })).toEqual({ flag: 1 });
    expect(await ok(FLAG, { ...mark, flag: 1 }, { as })).toEqual({ flag: 1 });
    const snapshot = await ok('GET /api/exam/cache', { recordId }, { as });
    expect(snapshot.answers).toEqual([
      {
        questionId: ids[1],
        answer: '',
        seq: 0,
        flag: 1,
        guess: 0,
        showAnswerFlag: 0,
        state: 0,
        isSubmit: 0,
        myScore: null,
        judgeFlag: null,
      },
    ]);
    // A mark neither hinders the first answer nor is lost by it.
    await ok(SAVE, save(1, 'B', 1), { as });
    const after = await ok('GET /api/exam/cache', { recordId }, { as });
    expect(after.answers[0]).toMatchObject({ answer: 'B', seq: 1, flag: 1 });
    await ok(FLAG, { ...mark, flag: 0 }, { as });
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'B', seq: 1 });
  });

  it('two toggles in one moment cancel out', async () => {
    const { as, base, ids } = await startScene(kit);
    const mark = { ...base, questionId: ids[1] };
    const both = await Promise.all([ok(FLAG, mark, { as }), ok(FLAG, mark, { as })]);
    expect(both.map((mark) => mark.flag).sort()).toEqual([0, 1]);
  });

  it('follow the window and the time as answers do', async () => {
    const { as, base, ids } = await startScene(kit);
    const mark = { ...base, questionId: ids[1] };
    expect(await refused(FLAG, { ...mark, windowId: 'window-0002' }, { as })).toBe('takenOver');
    kit.time.now = START + HOUR + 10_001;
    expect(await refused(FLAG, mark, { as })).toBe('tooLate');
  });

  it('after hand-in are set and taken away from any window, and change nothing but the mark', async () => {
    const { as, base, ids, recordId, save, pack } = await startScene(kit);
    await ok(SAVE, save(1, 'B', 7), { as });
    await ok('POST /api/exam/submit', base, { as });
    kit.time.now = START + 30 * HOUR;
    const before = await ok('GET /app/exam/review', { recordId }, { as });
    const tip = await ok('GET /app/exam/result_tip', { recordId }, { as });
    const { examId } = base;
    // 1 has an answer, 2 has none.
    for (const questionId of [ids[1], ids[2]]) {
      expect(await ok(FLAG, { examId, recordId, questionId, flag: 1 }, { as })).toEqual({ flag: 1 });
      expect(await ok(FLAG, { examId, recordId, questionId, windowId: 'window-0002' }, { as })).toEqual({ flag: 0 });
      expect(await ok(FLAG, { examId, recordId, questionId }, { as })).toEqual({ flag: 1 });
    }
    const after = await ok('GET /app/exam/review', { recordId }, { as });
    const marked: readonly number[] = [ids[1], ids[2]];
    expect(after).toEqual({
      ...before,
      questions: before.questions.map((question) => ({
        ...question,
        flag: marked.includes(question.questionId) ? 1 : 0,
      })),
    });
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toEqual(tip);
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'B', seq: 7 });
    const other = await classmate(kit, pack);
    const mine = { examId, recordId, questionId: ids[1], flag: 0 };
    expect(await refused(FLAG, mine, { as: other })).toBe('notFound');
    expect(await refused(FLAG, { ...mine, questionId: 987_654 }, { as })).toBe('notFound');
    expect((await ok('GET /app/exam/review', { recordId }, { as })).questions[1]?.flag).toBe(1);
  });

  it('after the record was closed by time too', async () => {
    const { as, base, ids, recordId } = await startScene(kit);
    kit.time.now = START + 2 * HOUR;
    await kit.chore(SWEEP);
    const { examId } = base;
    expect(await ok(FLAG, { examId, recordId, questionId: ids[0], flag: 1 }, { as })).toEqual({ flag: 1 });
    const { questions } = await ok('GET /app/exam/review', { recordId }, { as });
    expect(questions.map(({ flag, answer, state }) => [flag, answer, state])).toEqual(
      ids.map((id) => [id === ids[0] ? 1 : 0, '', 0]),
    );
  });

  it('of a question that is withheld show nothing of it', async () => {
    const { as, base, ids, recordId, pack } = await startScene(kit, { kind: 'chapter' });
    await ok('POST /api/exam/submit', base, { as });
    const open = await makeExam(kit, pack, { questionIds: ids });
    await ok('GET /app/exam/test_start', { examId: open, windowId: 'window-0003' }, { as });
    expect(await ok(FLAG, { examId: base.examId, recordId, questionId: ids[0] }, { as })).toEqual({ flag: 1 });
    const { questions } = await ok('GET /app/exam/review', { recordId }, { as });
    expect(questions[0]).toMatchObject({ flag: 1, hidden: true, rightAnswer: '', answerAnalysis: '', state: 0 });
  });
});
