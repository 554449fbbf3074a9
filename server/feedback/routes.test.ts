import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeQuestions } from '#server/exam/paper.test-kit.ts';
import { classmate } from '#server/exam/scene.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';

const CALL = 'POST /app/feedback/lx_submit';

describe.each(databases)('exam question feedback on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  async function scene() {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    const input = {
      feedbackType: 14,
      packId: pack.packId,
      resourceId: pack.courseId,
      questionId,
      feedbackDesc: '答案应为 B',
    };
    return { as, pack, input };
  }

  it('is stored with who, what and where', async () => {
    const { as, input } = await scene();
    const { id } = await ok(CALL, { ...input, feedbackDesc: ' 第 3 行\u0000有错 ' }, { as });
    expect(
      await kit.db.query.selectFrom('exam_feedback').selectAll().where('id', '=', id).executeTakeFirst(),
    ).toMatchObject({
      user_id: as.userId,
      question_id: input.questionId,
      feedback_type: 14,
      feedback_desc: '第 3 行有错',
      created_at: kit.time.now,
    });
  });

  it('is stored with the id of the course of its question, whatever course of the pack is named', async () => {
    const { as, pack, input } = await scene();
    const { id: otherCourse } = await kit.db.query
      .insertInto('courses')
      .values({ pack_id: pack.packId, slug: 'other', name: '另一门课', position: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const resourceId of [pack.courseId, otherCourse, undefined]) {
      const { id } = await ok(CALL, { ...input, resourceId }, { as });
      expect(
        await kit.db.query.selectFrom('exam_feedback').selectAll().where('id', '=', id).executeTakeFirst(),
        String(resourceId),
      ).toMatchObject({ resource_id: pack.courseId, pack_id: pack.packId });
    }
    const { id } = await ok(CALL, { ...input, resourceId: otherCourse, questionId: undefined }, { as });
    expect(
      await kit.db.query.selectFrom('exam_feedback').selectAll().where('id', '=', id).executeTakeFirst(),
    ).toMatchObject({ resource_id: otherCourse, question_id: null });
  });

  it('refuses what is not of the pack, and who is not in it', async () => {
    const { as, input } = await scene();
    const other = await scene();
    expect(await refused(CALL, { ...input, questionId: other.input.questionId }, { as })).toBe('notFound');
    expect(await refused(CALL, { ...input, resourceId: other.input.resourceId }, { as })).toBe('notFound');
    expect(await refused(CALL, { ...input, packId: 987_654 }, { as })).toBe('notFound');
    expect(await refused(CALL, input, { as: other.as })).toBe('notEnrolled');
    expect(await refused(CALL, input)).toBe('notSignedIn');
    expect(await refused(CALL, { ...input, resourceId: undefined, questionId: undefined }, { as })).toBe('badInput');
    expect(await refused(CALL, { ...input, resourceId: 0 }, { as })).toBe('badInput');
  });

  it.each([
    ['an unknown type', { feedbackType: 12 }],
    ['a type of Q&A', { feedbackType: 41 }],
    ['301 characters', { feedbackDesc: '长'.repeat(301) }],
    ['301 characters outside the basic plane', { feedbackDesc: '😀'.repeat(301) }],
    ['no text', { feedbackDesc: undefined }],
  ])('refuses %s', async (_, wrong) => {
    const { as, input } = await scene();
    expect((await kit.raw(CALL, { ...input, ...wrong }, { as })).code).toBe(400);
    for (const character of ['长', '😀']) await ok(CALL, { ...input, feedbackDesc: character.repeat(300) }, { as });
  });

  it('says what is missing where nothing is written', async () => {
    const { as, input } = await scene();
    for (const feedbackDesc of ['', ' \n ', '\u3000', '\u0000'])
      expect(await kit.raw(CALL, { ...input, feedbackDesc }, { as }), JSON.stringify(feedbackDesc)).toMatchObject({
        code: 422,
        msg: '请输入问题描述',
      });
  });

  it('counts a line break as one character, however the client writes it', async () => {
    const { as, input } = await scene();
    const { id } = await ok(
      CALL,
      { ...input, feedbackDesc: `${'长'.repeat(9)}\r\n`.repeat(29) + '长'.repeat(10) },
      { as },
    );
    const stored = await kit.db.query.selectFrom('exam_feedback').selectAll().where('id', '=', id).executeTakeFirst();
    expect(stored?.feedback_desc).toBe(`${'长'.repeat(9)}\n`.repeat(29) + '长'.repeat(10));
  });

  it('is stored once when it is sent twice, at once or some minutes later; other words, another thing or another day are another report', async () => {
    const { as, pack, input } = await scene();
    const send = async (more: object = {}, who = as) => (await ok(CALL, { ...input, ...more }, { as: who })).id;
    const [first = 0, ...others] = await Promise.all([send(), send(), send()]);
    expect(others).toEqual([first, first]);
    kit.time.now += 9 * 60_000;
    expect(await send({ feedbackDesc: ' 答案应为 B' })).toBe(first);
    const [otherQuestion = 0] = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
    const honest = [
      await send({ feedbackDesc: '答案应为 C' }),
      await send({ feedbackType: 13 }),
      await send({ questionId: otherQuestion }),
      await send({ questionId: undefined }),
      await send({}, await classmate(kit, pack)),
    ];
    expect(new Set([first, ...honest])).toHaveLength(6);
    kit.time.now += 60_000;
    const later = await send();
    expect(later).toBeGreaterThan(first);
    // Once a teacher has looked at it, the same words are another report.
    const answer = { id: later, version: 0, state: 1 } as const;
    await ok('POST /app/feedback/answer', answer, { as: await kit.user('teacher') });
    expect(await send()).toBeGreaterThan(later);
  });

  it('takes 30 an hour from one student', async () => {
    const { as, pack, input } = await scene();
    for (let turn = 0; turn < 30; turn += 1) await ok(CALL, { ...input, feedbackDesc: `第 ${turn} 处` }, { as });
    expect(await refused(CALL, input, { as })).toBe('tooMany');
    // What was stored is no new one.
    await ok(CALL, { ...input, feedbackDesc: '第 3 处' }, { as });
    await ok(CALL, input, { as: await classmate(kit, pack) });
    kit.time.now += 60 * 60 * 1000;
    await ok(CALL, input, { as });
  });
});
