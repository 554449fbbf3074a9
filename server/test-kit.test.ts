import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, testApp } from './test-kit.ts';

describe.each(databases)('test kit on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  it('gives a real app with content', async () => {
    const student = await kit.user();
    const pack = await makePack(kit, { students: [student] });
    const ids = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 4, right: '略', score: 5 },
    ]);
    const examId = await makeExam(kit, pack, { questionIds: ids });
    const exam = await kit.db.query.selectFrom('exams').selectAll().where('id', '=', examId).executeTakeFirstOrThrow();
    expect(exam).toMatchObject({ total_score: 7, total_question: 2 });
    expect(await kit.ok('GET /api/user/info', {}, { as: student })).toMatchObject({
      user: { studentId: student.userId },
    });
  });
});
