import { afterAll, describe, expect, it } from 'vitest';
import { type Calls, calls } from '#contract/all.ts';
import { endEnrolment, enrol as enrolAgain } from '#server/course/enrolment-store.ts';
import { type MadePack, makePack } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';

const REVIEW = 'POST /app/v2/exam/save_review';
const OWN = 'POST /app/exam/own_paper';
const RANDOM = 'POST /app/exam/random_paper';
const DAY = 86_400_000;

describe.each(databases)('the key of a question that its student has not met yet, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  /** A student who has collected everything: two questions that stand in a mock alone, which they have not begun, and one of a practice. */
  async function collector() {
    kit.time.now = START;
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const [letter = 0, text = 0, practised = 0] = await makeQuestions(kit, pack, [
      { type: 2, right: 'B', chapter: 2 },
      { type: 4, right: '<p>参考</p>', chapter: 2 },
      { type: 2, right: 'C', chapter: 2 },
    ]);
    const unmet = [letter, text];
    await kit.db.query.updateTable('questions').set({ knowledge_point: '票据' }).execute();
    const mock = await makeExam(kit, pack, { questionIds: unmet, name: '没开始的模拟卷' });
    const practice = await makeExam(kit, pack, { kind: 'chapter', questionIds: [practised], chapter: 2 });
    for (const questionId of [...unmet, practised])
      await ok('POST /app/exam/collect', { questionId, collect: 1 }, { as });
    return { as, pack, packId: pack.packId, letter, text, unmet, practised, mock, practice };
  }
  const keysIn = async (as: TestUser, packId: number) =>
    Object.fromEntries(
      (await ok('GET /app/exam/collection', { packId }, { as })).list.map(({ question }) => [
        question.questionId,
        question.rightAnswer,
      ]),
    );
  const sit = async (as: TestUser, examId: number, answers: object[] = []) => {
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    await ok('POST /api/exam/submit', { examId, recordId, answers } as never, { as });
    return recordId;
  };
  const line = (questionTypesId: 2 | 4, count = 1) => ({ questionTypesId, count, score: 2 });

  it('is not in the collection, and no review of it is taken, until the paper it stands in is handed in', async () => {
    const { as, packId, letter, text, practised, mock } = await collector();
    expect(await keysIn(as, packId)).toEqual({ [letter]: '', [text]: '', [practised]: 'C' });
    expect(await ok('GET /app/exam/collection', { packId }, { as })).toMatchObject({ withheld: false });
    for (const answer of ['A', 'B', undefined])
      expect(await refused(REVIEW, { questionId: letter, answer }, { as })).toBe('keyHidden');
    expect(await ok(REVIEW, { questionId: practised, answer: 'C' }, { as })).toMatchObject({ state: 1 });
    // Begun it is withheld as ever; left open in a paper that is over, its key was seen all the same.
    const { recordId } = await ok('GET /app/exam/test_start', { examId: mock }, { as });
    expect(await keysIn(as, packId)).toMatchObject({ [letter]: '', [practised]: 'C' });
    await ok('POST /api/exam/submit', { examId: mock, recordId }, { as });
    expect(await keysIn(as, packId)).toEqual({ [letter]: 'B', [text]: '<p>参考</p>', [practised]: 'C' });
    expect(await ok(REVIEW, { questionId: letter, answer: 'A' }, { as })).toMatchObject({ state: 2 });
  });

  it('is burnt by no paper of one’s own: chosen, collected, never answered, drawn or reviewed', async () => {
    const { as, packId, unmet, letter, practised, mock } = await collector();
    const own = { packId, name: '自选' };
    expect(await refused(OWN, { ...own, questionIds: unmet }, { as })).toBe('noQuestions');
    for (const wanted of [
      { questionIds: [...unmet, practised] },
      { from: 'collected' },
      { from: 'unanswered', most: 1 },
    ]) {
      const { examId } = await ok(OWN, { ...own, ...wanted } as never, { as });
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      const { questions } = await ok('GET /app/exam/recite', { recordId }, { as });
      expect(questions.map(({ questionId }) => questionId)).toEqual([practised]);
    }
    const drawn = { packId, name: '随机', examTime: 30 };
    expect(await refused(RANDOM, { ...drawn, lines: [line(4)] }, { as })).toBe('bankTooSmall');
    expect(await refused(RANDOM, { ...drawn, lines: [line(2, 2)] }, { as })).toBe('bankTooSmall');
    const counts = async () =>
      (await ok('GET /app/exam/random_options', { packId }, { as })).chapters.flatMap(({ types }) => types);
    expect(await counts()).toEqual([{ questionTypesId: 2, count: 1 }]);
    kit.time.now += 10 * DAY;
    expect(await ok('GET /app/exam/daily_review', { packId }, { as })).toMatchObject({ total: 1 });
    const daily = async () => {
      const { examId } = await ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as });
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
      const asked = questions.map(({ questionId }) => questionId);
      await ok(
        'POST /api/exam/submit',
        { examId, recordId, answers: asked.map((questionId) => ({ questionId, answer: 'C', seq: 1 })) },
        { as },
      );
      return asked;
    };
    expect(await daily()).toEqual([practised]);
    // At the second review another question of the point would stand for it; the others are kept for their paper.
    kit.time.now += 25 * DAY;
    expect(await daily()).toEqual([practised]);
    await sit(as, mock, [{ questionId: letter, answer: 'A', seq: 1 }]);
    expect(await ok('GET /app/exam/daily_review', { packId }, { as })).toMatchObject({ total: 3 });
    expect(await counts()).toEqual([
      { questionTypesId: 2, count: 2 },
      { questionTypesId: 4, count: 1 },
    ]);
    expect(await ok(RANDOM, { ...drawn, lines: [line(2, 2), line(4)] }, { as })).toMatchObject({ totalQuestion: 3 });
    expect(await ok(OWN, { ...own, questionIds: unmet }, { as })).toMatchObject({ totalQuestion: 2 });
  });

  it('may be practised while it is sat, since it was read; its key follows the hand-in', async () => {
    const { as, packId, unmet, letter, mock } = await collector();
    const open = await ok('GET /app/exam/test_start', { examId: mock }, { as });
    const { examId } = await ok(OWN, { packId, name: '自选', questionIds: unmet }, { as });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(await refused('POST /app/exam/show_answer', { recordId, questionId: letter }, { as })).toBe('keyHidden');
    await ok('POST /api/exam/submit', { examId: mock, recordId: open.recordId }, { as });
    expect(await ok('POST /app/exam/show_answer', { recordId, questionId: letter }, { as })).toMatchObject({
      question: { rightAnswer: 'B' },
    });
  });

  it('is seen by who was shown it one by one, also after its practice was taken away', async () => {
    const { as, packId, practised, practice } = await collector();
    const { recordId } = await ok('GET /app/exam/test_start', { examId: practice }, { as });
    await kit.db.query.updateTable('exams').set({ archived: 1 }).where('id', '=', practice).execute();
    expect(await keysIn(as, packId)).toMatchObject({ [practised]: '' });
    await ok('POST /app/exam/show_answer', { recordId, questionId: practised }, { as });
    expect(await keysIn(as, packId)).toMatchObject({ [practised]: 'C' });
  });

  it('is given to nobody whose enrolment has ended, but in records of their own that are over', async () => {
    const { as, packId, practised, practice } = await collector();
    const recordId = await sit(as, practice, [{ questionId: practised, answer: 'A', seq: 1 }]);
    await endEnrolment(kit.db.query, as.userId, packId);
    for (const answer of ['A', 'C'])
      expect(await refused(REVIEW, { questionId: practised, answer }, { as })).toBe('notEnrolled');
    expect(await refused('GET /app/exam/collection', { packId }, { as })).toBe('notEnrolled');
    expect(await refused('GET /api/exam/error', { packId }, { as })).toBe('notEnrolled');
    expect(await refused(OWN, { packId, name: '自选', questionIds: [practised] }, { as })).toBe('notEnrolled');
    expect((await ok('GET /app/exam/review', { recordId }, { as })).questions).toMatchObject([{ rightAnswer: 'C' }]);
    await enrolAgain(kit.db.query, as.userId, packId, kit.time.now);
    expect(await ok(REVIEW, { questionId: practised, answer: 'C' }, { as })).toMatchObject({ state: 1 });
  });

  it('is in no answer of any call that names the pack, its paper or the questions', async () => {
    const { as, pack, unmet, letter, text, mock } = await collector();
    const known = knownOf(pack, { mock, unmet });
    // What was collected is due.
    kit.time.now += 10 * DAY;
    const worked = new Set<string>();
    for (const { call } of calls) {
      // The first two begin the paper and end the session.
      if (['GET /app/exam/test_start', 'POST /api/user/logout'].includes(call.name) || call.who === 'teacher') continue;
      if ((call.input.required ?? []).some((field) => !(field in known) && field !== 'questionId')) continue;
      const fields = Object.keys(call.input.properties);
      for (const from of 'from' in call.input.properties ? ['collected', 'unanswered', 'flagged'] : [undefined])
        for (const questionId of fields.includes('questionId') ? [letter, text] : [letter]) {
          const input = Object.fromEntries(
            fields.flatMap((field) => {
              const value = field === 'questionId' ? questionId : field === 'from' ? from : known[field];
              return value === undefined ? [] : [[field, value]];
            }),
          );
          const reply = await kit.raw(call.name as keyof Calls, input, { as });
          if (reply.code === 200) worked.add(call.name);
          const said = JSON.stringify(reply);
          for (const secret of [/"rightAnswer":"[^C"]/, /参考/]) expect(said, call.name).not.toMatch(secret);
        }
    }
    // What could have told it was asked rightly.
    for (const name of [
      'GET /app/exam/collection',
      'GET /api/exam/error',
      'GET /app/question/list',
      'GET /app/question/index',
      'GET /app/exam/question_history',
      'GET /app/exam/daily_review',
      'POST /app/exam/daily_start',
      'GET /api/exam/statistics',
      'POST /app/exam/collect',
      'GET /app/exam/random_options',
    ])
      expect(worked).toContain(name);
  });
});

/** What the walk says where a call asks for it. */
function knownOf(pack: MadePack, { mock, unmet }: { mock: number; unmet: number[] }): Record<string, unknown> {
  return {
    packId: pack.packId,
    chapterId: pack.chapterIds[2],
    examId: mock,
    questionIds: unmet,
    answer: 'B',
    collect: 1,
    name: '自选',
    type: 1,
    pageNum: 1,
    pageSize: 100,
    questionTypesId: 0,
    feedbackType: 13,
    feedbackDesc: '题目有误',
    lines: [{ questionTypesId: 4, count: 1, score: 2 }],
    examTime: 30,
  };
}
