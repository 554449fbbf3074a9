import { afterAll, describe, expect, it } from 'vitest';
import { databases, START, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate, HOUR, startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('results on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  it('rank and average among all takers: best of each, equal scores share a rank', async () => {
    const { pack, examId, ids } = await startScene(kit, { retake: { counts: 'best' } });
    const take = async (as: Awaited<ReturnType<typeof classmate>>, answers: readonly string[]) => {
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      for (const [at, answer] of answers.entries()) {
        if (answer) await ok(SAVE, { examId, recordId, questionId: ids[at] ?? 0, answer, seq: at + 1 }, { as });
      }
      await ok(SUBMIT, { examId, recordId }, { as });
      return recordId;
    };
    const [best, middle, second, low] = await Promise.all([1, 2, 3, 4].map(() => classmate(kit, pack)));
    if (!best || !middle || !second || !low) throw new Error('four students');
    await take(best, ['A', '', '']);
    await take(best, ['A', 'B', 'ABD']);
    const middleId = await take(middle, ['A', 'B', '']);
    const secondId = await take(second, ['A', 'B', '']);
    const lowId = await take(low, ['B', '', '']);
    const tip = async (as: typeof best, recordId: number) => ok('GET /app/exam/result_tip', { recordId }, { as });
    expect(await tip(middle, middleId)).toMatchObject({ score: 4, rank: 2, takerCount: 4, averageScore: 3.75 });
    expect(await tip(second, secondId)).toMatchObject({ rank: 2 });
    expect(await tip(low, lowId)).toMatchObject({ score: 0, rank: 4, percent: 0 });
    const papers = await ok('GET /api/exam/exam_list', { packId: pack.packId }, { as: best });
    expect(papers.list[0]).toMatchObject({ takerCount: 4, lastScore: 7, bestScore: 7, openRecordId: null });
  });

  it('compares by chapter and by type, and advises', async () => {
    const { as, base, save, pack, ids } = await startScene(kit);
    kit.time.now = START + 100_000;
    for (const [at, answer] of ['A', 'C', 'ABD', '文', 'B', '文'].entries())
      await ok(SAVE, { ...save(at, answer, at + 1), totalTime: 10 * (at + 1) }, { as });
    await ok(SUBMIT, base, { as });
    const tip = await ok('GET /app/exam/result_tip', base, { as });
    expect(tip.byChapter).toEqual([
      {
        chapterId: pack.chapterIds[2],
        name: 'point-1',
        earned: 5,
        total: 12,
        pending: 5,
        averageRate: 5 / 7,
        seconds: 40,
      },
      {
        chapterId: pack.chapterIds[3],
        name: 'chapter-2',
        earned: 0,
        total: 7,
        pending: 5,
        averageRate: 0,
        seconds: 20,
      },
    ]);
    expect(tip.byType).toEqual([
      {
        questionTypesId: 1,
        earned: 2,
        total: 2,
        pending: 0,
        count: 1,
        pendingCount: 0,
        right: 1,
        seconds: 10,
        averageRate: 1,
      },
      {
        questionTypesId: 2,
        earned: 0,
        total: 2,
        pending: 0,
        count: 1,
        pendingCount: 0,
        right: 0,
        seconds: 10,
        averageRate: 0,
      },
      {
        questionTypesId: 3,
        earned: 3,
        total: 3,
        pending: 0,
        count: 1,
        pendingCount: 0,
        right: 1,
        seconds: 10,
        averageRate: 1,
      },
      {
        questionTypesId: 4,
        earned: 0,
        total: 5,
        pending: 5,
        count: 1,
        pendingCount: 1,
        right: 0,
        seconds: 10,
        averageRate: null,
      },
      {
        questionTypesId: 5,
        earned: 0,
        total: 2,
        pending: 0,
        count: 1,
        pendingCount: 0,
        right: 0,
        seconds: 10,
        averageRate: 0,
      },
      {
        questionTypesId: 8,
        earned: 0,
        total: 5,
        pending: 5,
        count: 1,
        pendingCount: 1,
        right: 0,
        seconds: 10,
        averageRate: null,
      },
    ]);
    expect(tip.advice.slice(0, 2)).toEqual([
      { code: 'pending', count: 2 },
      { code: 'weakChapter', chapterName: 'chapter-2', percent: 0 },
    ]);
    expect(tip.byDifficulty).toEqual([
      {
        difficulty: 0,
        earned: 3,
        total: 17,
        pending: 10,
        count: 5,
        pendingCount: 2,
        right: 1,
        seconds: 50,
        averageRate: 3 / 7,
      },
      {
        difficulty: 3,
        earned: 2,
        total: 2,
        pending: 0,
        count: 1,
        pendingCount: 0,
        right: 1,
        seconds: 10,
        averageRate: 1,
      },
    ]);
    // Two mistakes of two points: the chapter that comes first.
    expect(tip.steps).toEqual([
      { code: 'score', count: 2 },
      { code: 'wrongOfChapter', chapterId: pack.chapterIds[2], chapterName: 'point-1', count: 1, lost: 2 },
      { code: 'wrongOfPack', count: 2 },
    ]);
    // Types stand in their own order, whatever that of the paper.
    const examId = await makeExam(kit, pack, { questionIds: [ids[4], ids[2], ids[0]] });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    await ok(SUBMIT, { examId, recordId }, { as });
    const { byType } = await ok('GET /app/exam/result_tip', { recordId }, { as });
    expect(byType.map(({ questionTypesId }) => questionTypesId)).toEqual([1, 3, 5]);
  });

  it('says how long each answer took beside all who answered it, once they are three', async () => {
    const { as, base, examId, ids, pack, save } = await startScene(kit);
    const times = async () => (await ok('GET /app/exam/result_tip', base, { as })).answerTimes;
    kit.time.now = START + 200_000;
    await ok(SAVE, { ...save(0, 'B', 1), totalTime: 60 }, { as });
    await ok(SAVE, { ...save(1, 'B', 2), totalTime: 61 }, { as });
    await ok(SAVE, { ...save(2, '', 3), totalTime: 90 }, { as });
    await ok(SUBMIT, base, { as });
    // Both came together; what was cleared is no answer.
    expect(await times()).toEqual([
      { questionId: ids[0], seconds: 31, median: null },
      { questionId: ids[1], seconds: 30, median: null },
    ]);
    for (const totalTime of [10, 12, 11]) {
      const other = await classmate(kit, pack);
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as: other });
      const sat = { examId, recordId };
      kit.time.now += 100_000;
      await ok(SAVE, { ...sat, questionId: ids[0], answer: 'A', totalTime }, { as: other });
      await ok(SUBMIT, sat, { as: other });
    }
    const [first, second] = await times();
    expect(second?.median).toBeNull();
    expect(Math.abs((first?.median ?? 0) - 12)).toBeLessThanOrEqual(2);
  });

  it('compares nobody with themselves, however often they answered', async () => {
    const { ids, pack } = await startScene(kit);
    const as = await classmate(kit, pack);
    const sit = async (by: typeof as) => {
      const examId = await makeExam(kit, pack, { questionIds: ids.slice(0, 1) });
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as: by });
      kit.time.now += 60_000;
      await ok(SAVE, { examId, recordId, questionId: ids[0], answer: 'A', totalTime: 20 }, { as: by });
      await ok(SUBMIT, { examId, recordId }, { as: by });
      return { recordId };
    };
    const told = async (record: { recordId: number }) => [
      (await ok('GET /app/exam/result_tip', record, { as })).answerTimes[0]?.median,
      (await ok('GET /app/exam/review', record, { as })).questions[0]?.accuracyRate,
    ];
    const [first] = [await sit(as), await sit(as), await sit(as)];
    expect(await told(first)).toEqual([null, null]);
    await sit(await classmate(kit, pack));
    expect(await told(first)).toEqual([expect.any(Number), 1]);
  });

  it('names three steps, each of which leads to what it says', async () => {
    const { as, base, ids, pack, save } = await startScene(kit);
    const { packId } = pack;
    const practice = await makeExam(kit, pack, { kind: 'chapter', chapter: 2, questionIds: ids.slice(0, 4) });
    for (const [at, answer] of ['B', 'C', 'C'].entries()) await ok(SAVE, save(at, answer, at + 1), { as });
    await ok(SAVE, save(4, 'B', 9), { as });
    await ok(SUBMIT, base, { as });
    const steps = async () => (await ok('GET /app/exam/result_tip', base, { as })).steps;
    expect(await steps()).toEqual([
      { code: 'wrongOfChapter', chapterId: pack.chapterIds[2], chapterName: 'point-1', count: 3, lost: 12 },
      { code: 'practise', examId: practice, chapterName: 'point-1', percent: 0 },
      { code: 'wrongOfType', questionTypesId: 3, count: 1, lost: 3 },
    ]);
    const listed = { packId, pageNum: 1, pageSize: 10, examId: base.examId };
    const total = async (more: object) => (await ok('GET /api/exam/error', { ...listed, ...more }, { as })).total;
    expect(await total({ chapterId: pack.chapterIds[2] })).toBe(3);
    expect(await total({ questionTypesId: 3 })).toBe(1);
    // What is worked off is no step any more; what waits beside the record takes its place.
    await ok('POST /api/exam/error_rm', { ids: [...ids] }, { as });
    kit.time.now += 48 * HOUR;
    await makeExam(kit, pack, { questionIds: ids });
    expect(await steps()).toEqual([
      { code: 'practise', examId: practice, chapterName: 'point-1', percent: 0 },
      { code: 'again', score: 0, pass: 11.4 },
      { code: 'newPaper', count: 1 },
    ]);
  });

  it('names sitting a paper again only where its rule lets its student, by the mark of the paper, and never an own practice', async () => {
    const { as, base, examId, ids, pack } = await startScene(kit, { retake: { after: 60 } });
    await ok(SUBMIT, base, { as });
    const steps = async (recordId = base.recordId) =>
      (await ok('GET /app/exam/result_tip', { recordId }, { as })).steps;
    const random = { code: 'random', count: 6 };
    const set = (column: object) => kit.db.query.updateTable('exams').set(column).where('id', '=', examId).execute();
    expect(await steps()).toEqual([random]);
    kit.time.now += HOUR - 1;
    expect(await steps()).toEqual([random]);
    kit.time.now += 1;
    expect(await steps()).toEqual([{ code: 'again', score: 0, pass: 11.4 }, random]);
    await set({ pass_score: 15 });
    expect(await steps()).toEqual([{ code: 'again', score: 0, pass: 15 }, random]);
    await set({ pass_score: 0 });
    expect(await steps()).toEqual([random]);
    await set({ pass_score: null, most_attempts: 1 });
    expect(await steps()).toEqual([random]);
    const own = await ok(
      'POST /app/exam/own_paper',
      { packId: pack.packId, name: '自选', questionIds: [...ids] },
      { as },
    );
    const { recordId } = await ok('GET /app/exam/test_start', { examId: own.examId }, { as });
    await ok(SUBMIT, { examId: own.examId, recordId }, { as });
    expect(await steps(recordId)).toEqual([random]);
  });
});
