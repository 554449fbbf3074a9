import { afterAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
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

  it('is the one that was looked at, be its number the 编号 of another one', async () => {
    const { ids, teacher: as } = await classRoom(kit);
    const [questionId = 0, other = 0] = ids;
    await kit.db.query
      .updateTable('questions')
      .set({ school_key: `#${questionId}` })
      .where('id', '=', other)
      .execute();
    expect((await ok(RETIRE, { questionId, reason: '超纲' }, { as })).question.questionId).toBe(questionId);
    const out = async (id: number) =>
      (await ok('GET /app/question/quality', { questionId: id }, { as })).retired !== null;
    expect([await out(questionId), await out(other)]).toEqual([true, false]);
    expect((await ok(RESTORE, { questionId }, { as })).question.retired).toBeNull();
  });

  it('leaves the practices of its chapter and of those above it, and no other is written', async () => {
    const { pack, ids, teacher: as } = await classRoom(kit);
    const [questionId = 0] = ids;
    const lone = (await makeQuestions(kit, pack, [{ type: 1, right: 'A', chapter: 1 }]))[0] ?? 0;
    const practices = async () => {
      const rows = await kit.db.query
        .selectFrom('exams')
        .select(['chapter_id', 'version', 'total_question', 'archived'])
        .where('pack_id', '=', pack.packId)
        .where('kind', '=', 'chapter')
        .where('archived', '=', 0)
        .execute();
      return new Map(rows.map((row) => [row.chapter_id, [row.total_question, row.version]]));
    };
    // These make the practices, as an import would.
    await ok(RETIRE, { questionId, reason: '超纲' }, { as });
    await ok(RESTORE, { questionId }, { as });
    await ok(RETIRE, { questionId: lone, reason: '超纲' }, { as });
    await ok(RETIRE, { questionId: ids[7] ?? 0, reason: '超纲' }, { as });
    const [top, section, point, second] = pack.chapterIds;
    const before = await practices();
    expect([top, section, point, second].map((id) => before.get(id)?.[0])).toEqual([4, 4, 4, 3]);

    await ok(RETIRE, { questionId, reason: '超纲' }, { as });
    const now = await practices();
    expect([top, section, point, second].map((id) => now.get(id)?.[0])).toEqual([3, 3, 3, 3]);
    expect(now.get(second)).toEqual(before.get(second));
    await ok(RESTORE, { questionId }, { as });
    await ok(RESTORE, { questionId: lone }, { as });
    const again = await practices();
    expect([top, section, point, second].map((id) => again.get(id)?.[0])).toEqual([5, 5, 4, 3]);
    expect(again.get(second)).toEqual(before.get(second));
    // All of a chapter gone: its practice is not on offer.
    for (const id of ids.slice(4, 7)) await ok(RETIRE, { questionId: id, reason: '超纲' }, { as });
    expect((await practices()).get(second)).toBeUndefined();
    await ok(RESTORE, { questionId: ids[4] ?? 0 }, { as });
    expect((await practices()).get(second)?.[0]).toBe(1);
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
