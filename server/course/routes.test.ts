import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';

describe.each(databases)('course packs on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('visitors see the packs with counts, and nothing done', async () => {
    const pack = await makePack(kit);
    const ids = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'A' },
    ]);
    await kit.db.query
      .updateTable('questions')
      .set({ archived: 1 })
      .where('id', '=', ids[1] ?? 0)
      .execute();
    await makeExam(kit, pack, { kind: 'mock', questionIds: ids });
    await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const { list } = await ok('GET /api/common/course_list', {});
    expect(list.find((listed) => listed.packId === pack.packId)).toMatchObject({
      questionCount: 1,
      examCount: 1,
      doneCount: 0,
      buyState: 0,
    });
    expect(await ok('GET /api/common/course_details', { packId: pack.packId })).toMatchObject({
      enrolOpen: 1,
      buyState: 0,
      courses: [{ courseId: pack.courseId, questionCount: 1 }],
    });
  });

  it('an archived pack is gone', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', pack.packId).execute();
    expect(await refused('GET /api/common/course_details', { packId: pack.packId })).toBe('notFound');
    expect(await refused('POST /api/course/course_join', { packId: pack.packId }, { as })).toBe('notFound');
    expect(await ok('GET /api/user/course_list', {}, { as })).toEqual({ list: [] });
  });

  it('joining an open pack enrols once, also when it is asked twenty times at once', async () => {
    const as = await kit.user();
    const { packId } = await makePack(kit);
    await Promise.all(Array.from({ length: 20 }, () => ok('POST /api/course/course_join', { packId }, { as })));
    const { list } = await ok('GET /api/user/course_list', {}, { as });
    expect(list).toMatchObject([{ packId, buyState: 1, joinedAt: kit.time.now, lastStudiedAt: null }]);
    expect(await refused('POST /api/course/course_join', { packId })).toBe('notSignedIn');
  });

  it('a closed pack is joined by the school only; who is in it stays in', async () => {
    const as = await kit.user();
    const inside = await kit.user();
    const { packId } = await makePack(kit, { enrol: 'closed', students: [inside] });
    expect(await refused('POST /api/course/course_join', { packId }, { as })).toBe('enrolClosed');
    expect(await ok('POST /api/course/course_join', { packId }, { as: inside })).toEqual({});
    expect(await ok('GET /api/common/course_details', { packId }, { as })).toMatchObject({ enrolOpen: 0, buyState: 0 });
  });

  it('my packs: last studied first, with what was answered', async () => {
    const as = await kit.user();
    const first = await makePack(kit, { students: [as] });
    kit.time.now += 1000;
    const second = await makePack(kit, { students: [as] });
    const mine = async () => (await ok('GET /api/user/course_list', {}, { as })).list.map((pack) => pack.packId);
    expect(await mine()).toEqual([second.packId, first.packId]);
    const ids = await makeQuestions(kit, first, [{ type: 2, right: 'A' }]);
    const examId = await makeExam(kit, first, { kind: 'chapter', questionIds: ids });
    kit.time.now += 1000;
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    await ok(
      'POST /api/exam/save_question',
      { examId, recordId, questionId: ids[0] ?? 0, answer: 'B', seq: 1 },
      { as },
    );
    expect(await mine()).toEqual([first.packId, second.packId]);
    const { list } = await ok('GET /api/user/course_list', {}, { as });
    expect(list[0]).toMatchObject({ doneCount: 1, lastStudiedAt: kit.time.now });
  });
});
