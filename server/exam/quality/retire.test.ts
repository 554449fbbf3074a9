import { afterAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate } from '../scene.test-kit.ts';
import { classRoom } from './quality.test-kit.ts';

const RETIRE = 'POST /app/question/retire';
const RESTORE = 'POST /app/question/restore';
const LIST = 'GET /app/question/quality_list';

describe.each(databases)('a question that a teacher takes out on $name', async ({ kind }) => {
  const kit: TestApp = await testApp(kind);
  const { ok, refused } = kit;
  afterAll(() => kit.close());

  it('is in nothing that begins from then on, stays in what began with it, and comes back in its place', async () => {
    const { pack, ids, examId, teacher: as } = await classRoom(kit);
    const [questionId = 0, second = 0] = ids;
    const questionsOf = async (student: Awaited<ReturnType<typeof classmate>>) => {
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as: student });
      const { questions } = await ok('GET /api/exam/details', { recordId }, { as: student });
      return questions.map((question) => question.questionId);
    };
    const sitting = await classmate(kit, pack);
    expect(await questionsOf(sitting)).toEqual(ids);

    const done = await ok(RETIRE, { questionId, reason: '  超纲 ' }, { as });
    expect(done).toMatchObject({
      open: 1,
      papers: [{ totalQuestion: 7, totalScore: 14 }],
      question: {
        archived: true,
        retired: { at: kit.time.now, nickname: expect.stringMatching(/^学员/), reason: '超纲' },
      },
    });
    expect(await questionsOf(sitting)).toEqual(ids);
    expect(await questionsOf(await classmate(kit, pack))).toEqual(ids.slice(1));
    const listed = async (only?: 'retired') =>
      (await ok(LIST, { packId: pack.packId, ...(only && { only }) }, { as })).list.map((line) => line.questionId);
    expect(await listed('retired')).toEqual([questionId]);
    expect(await listed()).not.toContain(questionId);

    // A colleague who was slower is told, and nothing is written twice.
    const colleague = await kit.user('teacher');
    expect(await refused(RETIRE, { questionId, reason: '重复' }, { as: colleague })).toBe('questionRetired');
    expect(await refused(RESTORE, { questionId: second }, { as })).toBe('questionNotRetired');
    expect(await ok(RESTORE, { questionId }, { as: colleague })).toMatchObject({
      open: 1,
      papers: [{ totalQuestion: 8, totalScore: 16 }],
      question: { archived: false, retired: null },
    });
    expect(await questionsOf(await classmate(kit, pack))).toEqual(ids);
    expect(await listed('retired')).toEqual([]);
  });

  it('is named by a teacher alone, with a reason, and leaves no paper empty', async () => {
    const { pack, ids, teacher: as } = await classRoom(kit);
    const [questionId = 0, other = 0] = ids;
    const student = await classmate(kit, pack);
    expect(await refused(RETIRE, { questionId, reason: '超纲' }, { as: student })).toBe('notAllowed');
    expect(await refused(RESTORE, { questionId }, { as: student })).toBe('notAllowed');
    expect(await refused(RETIRE, { questionId, reason: ' \n ' }, { as })).toBe('badInput');
    expect(await refused(RETIRE, { questionId: 99_999_999, reason: '超纲' }, { as })).toBe('notFound');
    await makeExam(kit, pack, { questionIds: [other] });
    expect(await refused(RETIRE, { questionId: other, reason: '超纲' }, { as })).toBe('onlyQuestion');
    expect((await ok('GET /app/question/quality', { questionId: other }, { as })).retired).toBeNull();
  });
});
