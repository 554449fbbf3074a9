import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate, startScene, storedAnswers } from '../scene.test-kit.ts';

const START = 'GET /app/exam/test_start';

/**
 * Ids that belong to the caller and do not belong together: an own record named with another own exam, a question of the same
 * pack that is not in the paper. Whose they are says nothing against them; that they do not fit has to be noticed.
 */
describe.each(databases)('ids that do not belong together on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  async function twoExams() {
    const scene = await startScene(kit);
    const { as, pack, ids, windowId } = scene;
    const otherId = await makeExam(kit, pack, { questionIds: ids });
    const other = await ok(START, { examId: otherId, windowId }, { as });
    const [outside = 0] = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
    return { ...scene, otherId, otherRecordId: other.recordId, outside };
  }

  it('a hand-in that names another exam of its student closes neither record', async () => {
    const { as, base, otherId, otherRecordId, save } = await twoExams();
    const asked = { ...base, examId: otherId, answers: [{ questionId: save(0, 'A').questionId, answer: 'A', seq: 1 }] };
    expect(await refused('POST /api/exam/submit', asked, { as })).toBe('notFound');
    for (const recordId of [base.recordId, otherRecordId]) {
      expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({ submittedAt: null, answers: [] });
    }
  });

  it('another student’s hand-in, save and mark change nothing in the record', async () => {
    const { base, ids, pack, recordId, save } = await twoExams();
    const as = await classmate(kit, pack);
    const answers = [{ questionId: ids[0], answer: 'A', seq: 1 }];
    expect(await refused('POST /api/exam/submit', { ...base, answers }, { as })).toBe('notFound');
    expect(await refused('POST /api/exam/save_question', save(0, 'A', 1), { as })).toBe('notFound');
    expect(await refused('POST /api/exam/flag', { ...base, questionId: ids[0], flag: 1 }, { as })).toBe('notFound');
    expect((await storedAnswers(kit, recordId)).size).toBe(0);
    const record = await kit.db.query.selectFrom('exam_records').selectAll().where('id', '=', recordId).execute();
    expect(record).toMatchObject([{ submitted_at: null, closed: null }]);
  });

  it('a save that names another exam of its student is in neither record', async () => {
    const { as, base, otherId, otherRecordId, save } = await twoExams();
    expect(await refused('POST /api/exam/save_question', { ...save(0, 'A', 1), examId: otherId }, { as })).toBe(
      'notFound',
    );
    for (const recordId of [base.recordId, otherRecordId]) expect((await storedAnswers(kit, recordId)).size).toBe(0);
  });

  it('a mark that names another exam, or a question outside of the paper, is nowhere', async () => {
    const { as, base, ids, otherId, otherRecordId, outside } = await twoExams();
    const FLAG = 'POST /api/exam/flag';
    expect(await refused(FLAG, { ...base, examId: otherId, questionId: ids[0], flag: 1 }, { as })).toBe('notFound');
    expect(await refused(FLAG, { ...base, questionId: outside, flag: 1 }, { as })).toBe('notFound');
    for (const recordId of [base.recordId, otherRecordId]) expect((await storedAnswers(kit, recordId)).size).toBe(0);
  });

  it('a question outside of the paper is neither saved, nor handed in, nor shown, nor scored', async () => {
    const { as, base, pack, recordId } = await startScene(kit);
    const [outside = 0] = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
    const saved = { ...base, questionId: outside, answer: 'A', seq: 1 };
    expect(await refused('POST /api/exam/save_question', saved, { as })).toBe('questionGone');
    const answers = [{ questionId: outside, answer: 'A', seq: 1 }];
    expect(await ok('POST /api/exam/submit', { ...base, answers }, { as })).toMatchObject({
      unansweredCount: 6,
      late: [],
    });
    expect((await storedAnswers(kit, recordId)).size).toBe(0);
    const scored = { recordId, questionId: outside, myScore: 1 };
    expect(await refused('POST /app/exam/subjective_submit', scored, { as })).toBe('notFound');

    const practice = await startScene(kit, { kind: 'chapter' });
    const shown = { ...practice.base, questionId: outside };
    expect(await refused('POST /app/exam/show_answer', shown, { as: practice.as })).toBe('notFound');
  });
});
