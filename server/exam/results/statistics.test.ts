import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { databases, START, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate, startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const STATISTICS = 'GET /api/exam/statistics';

describe.each(databases)('a student’s own figures on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('add up what was graded, by chapter, type and difficulty, with records and days', async () => {
    const { as, base, pack, recordId, save } = await startScene(kit);
    const { packId, chapterIds } = pack;
    const nothing = { packId, done: 0, right: 0, seconds: 0, total: 0, lost: 0, withheld: false };
    const lists = { byChapter: [], byType: [], byDifficulty: [], records: [], days: [] };
    const other = await classmate(kit, pack);
    expect(await ok(STATISTICS, { packId }, { as: other })).toEqual({ ...nothing, ...lists });
    kit.time.now = START + 100_000;
    for (const [at, answer] of ['A', 'C', 'AB', '', 'AC'].entries())
      await ok(SAVE, { ...save(at, answer, at + 1), totalTime: 20 * (at + 1) }, { as });
    // Nothing of it shows before hand-in.
    expect(await ok(STATISTICS, { packId }, { as })).toEqual({ ...nothing, withheld: true, ...lists });
    await ok(SUBMIT, base, { as });
    const done = await ok(STATISTICS, { packId }, { as });
    expect(done).toEqual({
      packId,
      done: 4,
      right: 2,
      seconds: 80,
      total: 9,
      lost: 3.5,
      byChapter: [
        { chapterId: chapterIds[2], name: 'point-1', done: 3, right: 1, seconds: 60, total: 7, lost: 3.5 },
        { chapterId: chapterIds[3], name: 'chapter-2', done: 1, right: 1, seconds: 20, total: 2, lost: 0 },
      ],
      byType: [
        { questionTypesId: 1, done: 1, right: 1, seconds: 20, total: 2, lost: 0 },
        { questionTypesId: 2, done: 1, right: 0, seconds: 20, total: 2, lost: 2 },
        { questionTypesId: 3, done: 1, right: 0, seconds: 20, total: 3, lost: 1.5 },
        { questionTypesId: 5, done: 1, right: 1, seconds: 20, total: 2, lost: 0 },
      ],
      byDifficulty: [
        { difficulty: 0, done: 3, right: 1, seconds: 60, total: 7, lost: 3.5 },
        { difficulty: 3, done: 1, right: 1, seconds: 20, total: 2, lost: 0 },
      ],
      records: [
        {
          recordId,
          examName: expect.any(String),
          kind: 'mock',
          submittedAt: START + 100_000,
          graded: 4,
          right: 2,
          percent: 28,
          pendingCount: 0,
        },
      ],
      days: [{ date: '2026-11-20', answered: 4, seconds: 80 }],
      withheld: false,
    });
    // Another student's, and another pack's, are others.
    expect(await ok(STATISTICS, { packId }, { as: other })).toEqual({ ...nothing, ...lists });
    // Half a year ago the day has left the calendar, and the figures stay.
    const earlier = { day: sql<number>`day - 182` };
    await kit.db.query.updateTable('study_days').set(earlier).where('user_id', '=', as.userId).execute();
    expect(await ok(STATISTICS, { packId }, { as })).toEqual({ ...done, days: [] });
  });

  it('leave out what stands in an open scored exam of the student, and say so', async () => {
    const { as, base, ids, pack, save } = await startScene(kit, { kind: 'chapter' });
    const { packId } = pack;
    const [apart = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A', chapter: 0 }]);
    const elsewhere = await makeExam(kit, pack, { kind: 'chapter', chapter: 0, questionIds: [apart] });
    const own = await ok('GET /app/exam/test_start', { examId: elsewhere }, { as });
    const sat = { examId: elsewhere, recordId: own.recordId };
    await ok(SAVE, { ...sat, questionId: apart, answer: 'B' }, { as });
    await ok(SUBMIT, sat, { as });
    const exam = await makeExam(kit, pack, { questionIds: ids });
    kit.time.now = START + 60_000;
    const open = await ok('GET /app/exam/test_start', { examId: exam }, { as });
    const seen = async () => {
      const { days, ...figures } = await ok(STATISTICS, { packId }, { as });
      return { figures, answered: days.reduce((sum, { answered }) => sum + answered, 0) };
    };
    const before = await seen();
    expect(before.figures).toMatchObject({ done: 1, right: 0, withheld: true });
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(SUBMIT, base, { as });
    const during = await seen();
    expect(during.figures).toEqual(before.figures);
    // That something was answered is no secret.
    expect(during.answered).toBe(before.answered + 1);
    await ok(SUBMIT, { examId: exam, recordId: open.recordId }, { as });
    expect((await seen()).figures).toMatchObject({ done: 2, right: 1, withheld: false });
  });
});
