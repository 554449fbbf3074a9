import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, START, testApp } from '#server/test-kit.ts';
import { type MakeQuestion, makeExam, makeQuestions } from '../paper.test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('while a scored exam is open, other packs tell nothing of it on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('an after-class practice of another pack tells nothing of them either', async () => {
    const { as, ids, base } = await startScene(kit);
    const pack = await makePack(kit, { students: [as] });
    const examId = await makeExam(kit, pack, { kind: 'afterclass', chapter: 1, questionIds: ids });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    await ok(SAVE, { examId, recordId, questionId: ids[0], answer: 'A', seq: 1 }, { as });
    const shown = { recordId, questionId: ids[0] };
    expect(await refused('POST /app/exam/show_answer', shown, { as })).toBe('keyHidden');
    expect(await ok('GET /app/exam/recite', { recordId }, { as })).toEqual({ questions: [], hidden: ids });
    expect(await ok(SUBMIT, { examId, recordId }, { as })).toMatchObject({ rightCount: null, withheld: true });
    const rates = async () => {
      const tree = await ok('GET /app/question/index', { packId: pack.packId, type: 2 }, { as });
      return new Set(JSON.stringify(tree).match(/"rightRate":[^,]+/g));
    };
    expect(await rates()).toEqual(new Set(['"rightRate":null']));
    await ok(SUBMIT, base, { as });
    expect(await rates()).toEqual(new Set(['"rightRate":null', '"rightRate":1']));
  });

  it('questions of another pack that read the same are closed too, whatever their ids, until the exam is handed in', async () => {
    const topics = ['<p>光在真空中沿直线传播。</p>', '<p>下列正确的是（ ）。</p>', '<p>论述光速。</p>'];
    const twins = (blank: string): MakeQuestion[] => [
      { type: 1, right: 'A', topic: topics[0]?.replace('真空', `${blank}真空`) },
      { type: 2, right: 'B', topic: topics[1]?.replace('（ ）', `（${blank}）`) },
      { type: 4, right: '<p>参考</p>', topic: topics[2] },
    ];
    kit.time.now = START;
    const as = await kit.user();
    const [first, second] = [await makePack(kit, { students: [as] }), await makePack(kit, { students: [as] })];
    const mock = await makeExam(kit, first, { questionIds: await makeQuestions(kit, first, twins('')) });
    const ids = await makeQuestions(kit, second, [
      ...twins('\u3000'),
      { type: 2, right: 'C', topic: '<p>另一道题</p>' },
    ]);
    const [judge = 0, single = 0, text = 0, other = 0] = ids;
    const same = [judge, single, text];
    const begin = async (examId: number) => ({
      examId,
      recordId: (await ok('GET /app/exam/test_start', { examId }, { as })).recordId,
    });
    const practiceId = await makeExam(kit, second, { kind: 'chapter', questionIds: ids });
    const afterId = await makeExam(kit, second, { kind: 'afterclass', chapter: 1, questionIds: ids });
    const before = await begin(practiceId);
    await ok(SUBMIT, before, { as });
    kit.time.now += 1000;
    const open = await begin(mock);
    kit.time.now += 1000;

    const practice = await begin(practiceId);
    const after = await begin(afterId);
    for (const record of [practice, after]) {
      await ok(SAVE, { ...record, questionId: judge, answer: 'A', seq: 1 }, { as });
      await ok(SAVE, { ...record, questionId: single, answer: 'C', seq: 2 }, { as });
      await ok(SAVE, { ...record, questionId: text, answer: '文', seq: 3 }, { as });
      await ok(SAVE, { ...record, questionId: other, answer: 'C', seq: 4 }, { as });
      const recited = await ok('GET /app/exam/recite', record, { as });
      expect([recited.questions.map((question) => question.questionId), recited.hidden]).toEqual([[other], same]);
      for (const questionId of same) {
        expect(await refused('POST /app/exam/show_answer', { ...record, questionId }, { as })).toBe('keyHidden');
      }
      expect(await ok(SUBMIT, record, { as })).toMatchObject({ rightCount: null, wrongCount: null, withheld: true });
      const scored = { ...record, questionId: text, myScore: 1 };
      expect(await refused('POST /app/exam/subjective_submit', scored, { as })).toBe('keyHidden');
    }
    const hidden = async (record: { recordId: number }) =>
      (await ok('GET /app/exam/review', record, { as })).questions.filter((question) => question.hidden);
    for (const record of [before, practice, after]) {
      expect(
        (await hidden(record)).map((question) => [question.questionId, question.rightAnswer, question.answerAnalysis]),
      ).toEqual(same.map((id) => [id, '', '']));
    }
    expect(await ok('GET /app/exam/result_tip', practice, { as })).toMatchObject({ rank: null, withheld: true });
    const rates = async (type: 1 | 2) => {
      const tree = await ok('GET /app/question/index', { packId: second.packId, type }, { as });
      return JSON.stringify(tree).match(/"rightRate":[\d.]+/g);
    };
    expect([await rates(1), await rates(2)]).toEqual([null, null]);

    await ok(SUBMIT, open, { as });
    expect(await hidden(practice)).toEqual([]);
    expect(await ok('GET /app/exam/result_tip', practice, { as })).toMatchObject({
      rightCount: 2,
      wrongCount: 1,
      withheld: false,
    });
    expect((await ok('GET /app/exam/recite', after, { as })).questions.map((question) => question.rightAnswer)).toEqual(
      ['A', 'B', '<p>参考</p>', 'C'],
    );
    expect([await rates(1), await rates(2)]).not.toContain(null);
    const again = await begin(practiceId);
    const shown = await ok('POST /app/exam/show_answer', { ...again, questionId: single }, { as });
    expect(shown.question.rightAnswer).toBe('B');
  });
});
