import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { makeQuestions } from '../paper.test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

/** An author changes a paper while a record of it is open. */
describe.each(databases)('a paper that changes under an open record on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  async function change(questionId: number, letters: string) {
    const options = Object.fromEntries([...letters].map((letter) => [letter, `<p>选项 ${letter}</p>`]));
    await kit.db.query
      .updateTable('questions')
      .set({ options: JSON.stringify(options) })
      .where('id', '=', questionId)
      .execute();
    await nextVersion();
    return options;
  }

  const nextVersion = () =>
    kit.db.query
      .updateTable('exams')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .execute();

  it.each(['ABCDE', 'ABC'])(
    'the options of a question become %s: it shows them all under their own letters, and is graded so',
    async (letters) => {
      // Until the order of its options is not their own: only then is anything to be seen.
      let scene = await startScene(kit, { kind: 'chapter', shuffleOptions: true });
      const shownOf = async ({ recordId, as, ids }: typeof scene) =>
        (await ok('GET /api/exam/details', { recordId }, { as })).questions.find(
          ({ questionId }) => questionId === ids[1],
        )?.options;
      for (let tries = 0; (await shownOf(scene))?.B?.includes('选项 B'); tries += 1) {
        if (tries > 50) throw new Error('the options are never shuffled');
        scene = await startScene(kit, { kind: 'chapter', shuffleOptions: true });
      }
      const { as, ids, save, base, recordId } = scene;
      const options = await change(ids[1], letters);
      expect(await shownOf(scene)).toEqual(options);
      await ok('POST /api/exam/save_question', save(1, 'B', 1), { as });
      const cache = await ok('GET /api/exam/cache', { recordId }, { as });
      expect(cache.answers).toMatchObject([{ questionId: ids[1], answer: 'B' }]);
      const gone = 'ABCDEF'[letters.length] ?? '';
      expect(await refused('POST /api/exam/save_question', save(1, gone, 2), { as })).toBe('answerMalformed');
      expect(await ok('POST /api/exam/submit', base, { as })).toMatchObject({ rightCount: 1 });
      const review = await ok('GET /app/exam/review', { recordId }, { as });
      const own = review.questions.find(({ questionId }) => questionId === ids[1]);
      expect(own).toMatchObject({ answer: 'B', rightAnswer: 'B', options, state: 1 });
    },
  );

  it('a question that comes in stands at the end, one that is taken out is in no section any more', async () => {
    const { as, ids, recordId, examId, pack } = await startScene(kit, { shuffleQuestions: true });
    const paper = () => ok('GET /api/exam/details', { recordId }, { as });
    const before = await paper();
    const order = before.questions.map(({ questionId }) => questionId);
    expect([...order].sort((a, b) => a - b)).toEqual(ids);
    // Sections name their questions in the order in which this student sees them.
    expect(before.sections).toMatchObject([{ questionIds: order }]);
    const [added = 0] = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
    await kit.db.query
      .insertInto('exam_questions')
      .values({ exam_id: examId, question_id: added, position: 0, score: 2 })
      .execute();
    await kit.db.query.deleteFrom('exam_questions').where('question_id', '=', ids[2]).execute();
    await nextVersion();
    const after = await paper();
    const left = order.filter((questionId) => questionId !== ids[2]);
    expect(after.questions.map(({ questionId }) => questionId)).toEqual([...left, added]);
    expect(after.sections).toMatchObject([{ questionIds: left }]);
  });
});
