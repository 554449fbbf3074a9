import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('the chapter tree on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('counts questions and what the student did, rolled up three levels', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const ids = await makeQuestions(kit, pack, [
      { type: 2, right: 'A', chapter: 1 },
      { type: 2, right: 'A', chapter: 2 },
      { type: 2, right: 'A', chapter: 2 },
    ]);
    const [first = 0, second = 0, third = 0] = ids;
    const point = await makeExam(kit, pack, { kind: 'chapter', chapter: 2, questionIds: [second, third] });
    const whole = await makeExam(kit, pack, { kind: 'chapter', chapter: 0, questionIds: [first, second, third] });
    const start = await ok('GET /app/exam/test_start', { examId: point }, { as });
    await ok(SAVE, { examId: point, recordId: start.recordId, questionId: second, answer: 'A', seq: 1 }, { as });
    const open = await ok('GET /app/question/index', { packId: pack.packId }, { as });
    const top = open.courses[0]?.chapters[0];
    expect(top).toMatchObject({
      level: 1,
      totalQuestion: 3,
      doneCount: 1,
      lastState: 1,
      rightRate: null,
      examId: whole,
      isShow: 1,
    });
    expect(top?.childes[0]).toMatchObject({ level: 2, totalQuestion: 3, lastState: 1, examId: null, isShow: 1 });
    expect(top?.childes[0]?.childes[0]).toMatchObject({
      level: 3,
      totalQuestion: 2,
      doneCount: 1,
      lastState: 1,
      examId: point,
      recordId: start.recordId,
    });
    expect(open.courses[0]?.chapters[1]).toMatchObject({ totalQuestion: 0, lastState: 0, examId: null, isShow: 0 });
    await ok(SUBMIT, { examId: point, recordId: start.recordId }, { as });
    const closed = await ok('GET /app/question/index', { packId: pack.packId }, { as });
    expect(closed.courses[0]?.chapters[0]).toMatchObject({ lastState: 2, rightRate: 1, doneCount: 1 });
  });

  it('type 2 is after-class practice with its own counts; without questions it starts nothing (暂无考试题目)', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const ids = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'A' },
      { type: 2, right: 'A', chapter: 3 },
    ]);
    const full = await makeExam(kit, pack, { kind: 'afterclass', chapter: 1, questionIds: ids.slice(0, 2) });
    const empty = await makeExam(kit, pack, { kind: 'afterclass', chapter: 3, questionIds: [] });
    const { recordId } = await ok('GET /app/exam/test_start', { examId: full }, { as });
    await ok(SAVE, { examId: full, recordId, questionId: ids[0] ?? 0, answer: 'B', seq: 1 }, { as });
    await ok(SUBMIT, { examId: full, recordId }, { as });
    const tree = await ok('GET /app/question/index', { packId: pack.packId, type: 2 }, { as });
    const [first, second] = tree.courses[0]?.chapters ?? [];
    expect(first?.childes[0]).toMatchObject({ totalQuestion: 2, doneCount: 1, rightRate: 0, examId: full, recordId });
    expect(first).toMatchObject({ totalQuestion: 2, doneCount: 1, lastState: 2 });
    expect(second).toMatchObject({ totalQuestion: 0, examId: empty, lastState: 0 });
    const reply = await kit.call('GET /app/exam/test_start', { examId: empty }, { as });
    expect(reply).toMatchObject({ code: 422, msg: '暂无考试题目' });
  });

  it('is of one course when asked, and only for those enrolled', async () => {
    const { as, pack } = await startScene(kit);
    const tree = await ok('GET /app/question/index', { packId: pack.packId, courseId: pack.courseId }, { as });
    expect(tree.courses).toHaveLength(1);
    expect(await refused('GET /app/question/index', { packId: pack.packId, courseId: 987_654 }, { as })).toBe(
      'notFound',
    );
    expect(await refused('GET /app/question/index', { packId: 987_654 }, { as })).toBe('notFound');
    const stranger = await kit.user();
    for (const name of ['GET /app/question/index', 'GET /api/exam/exam_list', 'GET /api/exam/year_list'] as const) {
      expect(await refused(name, { packId: pack.packId }, { as: stranger })).toBe('notEnrolled');
    }
    const asked = { packId: pack.packId, chapterId: pack.chapterIds[0] };
    expect(await refused('GET /app/question/list', asked, { as: stranger })).toBe('notEnrolled');
  });
});
