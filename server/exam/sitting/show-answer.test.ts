import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('showing an answer of a practice on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('shows one answer, grades it and makes it final', async () => {
    const { as, ids, recordId, windowId, save, base, pack } = await startScene(kit, { kind: 'chapter' });
    await ok(SAVE, save(0, 'B', 1), { as });
    const shown = await ok('POST /app/exam/show_answer', { recordId, questionId: ids[0], windowId }, { as });
    expect(shown).toMatchObject({ state: 2, showAnswerFlag: 1, question: { rightAnswer: 'A', accuracyRate: null } });
    expect(await refused(SAVE, save(0, 'A', 2), { as })).toBe('answerShown');
    await ok(SAVE, save(1, 'B', 3), { as });
    const snapshot = await ok('GET /api/exam/cache', { recordId, windowId }, { as });
    // Shown, an answer is final and has its points; of the other nothing is told.
    expect(
      snapshot.answers.map((answer) => [answer.showAnswerFlag, answer.state, answer.isSubmit, answer.myScore]),
    ).toEqual([
      [1, 2, 1, 0],
      [0, 0, 0, null],
    ]);
    const again = await ok('POST /app/exam/show_answer', { recordId, questionId: ids[0], windowId }, { as });
    expect(again).toMatchObject({ state: 2, question: { accuracyRate: null } });
    // A hand-in cannot change it either, and its question is counted once.
    const answers = [{ questionId: ids[0], answer: 'A', seq: 9 }];
    expect(await ok(SUBMIT, { ...base, answers }, { as })).toMatchObject({ rightCount: 1, wrongCount: 1 });
    const stats = await kit.db.query
      .selectFrom('question_accuracy')
      .selectAll()
      .where('question_id', 'in', ids)
      .orderBy('question_id')
      .execute();
    expect(stats.map((row) => [row.taken, row.right_count])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    const tree = await ok('GET /app/question/index', { packId: pack.packId }, { as });
    expect(tree.courses[0]?.chapters[0]).toMatchObject({ rightRate: 0.5, doneCount: 2 });
  });

  it('an unanswered question whose answer was shown stays unanswered', async () => {
    const { as, ids, recordId, windowId, save } = await startScene(kit, { kind: 'chapter' });
    const shown = await ok('POST /app/exam/show_answer', { recordId, questionId: ids[0], windowId }, { as });
    expect(shown.state).toBe(0);
    expect(await refused(SAVE, save(0, 'A', 2), { as })).toBe('answerShown');
  });

  it('only the window that may save may show, and only before hand-in', async () => {
    const { as, ids, recordId, windowId, base } = await startScene(kit, { kind: 'chapter' });
    const asked = { recordId, questionId: ids[0] };
    expect(await refused('POST /app/exam/show_answer', { ...asked, windowId: 'window-0002' }, { as })).toBe(
      'takenOver',
    );
    expect(await refused('POST /app/exam/show_answer', { ...asked, questionId: 987_654, windowId }, { as })).toBe(
      'notFound',
    );
    await ok(SUBMIT, base, { as });
    expect(await refused('POST /app/exam/show_answer', { ...asked, windowId }, { as })).toBe('alreadySubmitted');
  });

  it('shows the key with the letters that this student sees', async () => {
    const { as, ids, recordId, windowId } = await startScene(kit, { kind: 'chapter', shuffleOptions: true });
    const { questions } = await ok('GET /app/exam/recite', { recordId }, { as });
    for (const question of [questions[1], questions[2], questions[4]]) {
      const texts = [...(question?.rightAnswer ?? '')].map(
        (letter) => question?.options[letter]?.match(/选项 (.)/)?.[1],
      );
      const right = { [ids[1]]: 'B', [ids[2]]: 'ABD', [ids[4]]: 'AC' }[question?.questionId ?? 0];
      expect(texts.sort().join('')).toBe(right);
    }
    const shown = await ok('POST /app/exam/show_answer', { recordId, questionId: ids[2], windowId }, { as });
    expect(shown.question.rightAnswer).toBe(questions[2]?.rightAnswer);
  });
});
