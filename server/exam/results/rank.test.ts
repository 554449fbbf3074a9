import { afterAll, describe, expect, it } from 'vitest';
import { enrol } from '#server/course/pack.test-kit.ts';
import { teachersApart } from '#server/db/migrations/044-teachers-apart.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { classmate, HOUR, SWEEP, startScene } from '../scene.test-kit.ts';

describe.each(databases)('the rank among takers on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  async function oneExam() {
    const { as, pack, examId, ids, base } = await startScene(kit);
    await ok('POST /api/exam/submit', { ...base, answers: [{ questionId: ids[0], answer: 'B', seq: 1 }] }, { as });
    /** Sits the exam with the first `right` questions right and the others unanswered; the result page of that record. */
    const take = async (student: TestUser, right: number) => {
      kit.time.now += 1000;
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as: student });
      const answers = ['A', 'B', 'ABD']
        .slice(0, right)
        .map((answer, at) => ({ questionId: ids[at] ?? 0, answer, seq: 1 }));
      await ok('POST /api/exam/submit', { examId, recordId, answers }, { as: student });
      return recordId;
    };
    const tip = (student: TestUser, recordId: number) => ok('GET /app/exam/result_tip', { recordId }, { as: student });
    return { pack, examId, ids, take, tip, sat: as, other: () => classmate(kit, pack) };
  }

  it('compares with the others, not with own records: a second one does not count (decision 020)', async () => {
    const { take, tip, other } = await oneExam();
    const [own, first] = [await other(), await other()];
    await take(first, 2);
    const better = await take(own, 3);
    const worse = await take(own, 1);
    expect(await tip(own, better)).toMatchObject({ score: 7, rank: 1, takerCount: 3, countsInRanking: true });
    expect(await tip(own, worse)).toMatchObject({ score: 2, rank: null, takerCount: 3, countsInRanking: false });
  });

  it('has no teachers in it: not among the takers, not in rank, averages or quality', async () => {
    const { take, tip, other, examId, pack, ids } = await oneExam();
    const own = await other();
    const recordId = await take(own, 1);
    const before = await tip(own, recordId);
    const teacher = await kit.user('teacher');
    await enrol(kit, teacher, pack.packId);
    const tried = await take(teacher, 3);
    // Times of answers are everybody's.
    expect({ ...(await tip(own, recordId)), answerTimes: [] }).toEqual({ ...before, answerTimes: [] });
    const papers = await ok('GET /api/exam/exam_list', { packId: pack.packId }, { as: own });
    expect(papers.list.find((paper) => paper.examId === examId)?.takerCount).toBe(before.takerCount);
    expect(await tip(teacher, tried)).toMatchObject({
      score: 7,
      rank: null,
      countsInRanking: null,
      takerCount: before.takerCount,
      averageScore: before.averageScore,
    });
    await kit.chore('exam: count question quality');
    const counted = await kit.db.query
      .selectFrom('question_quality')
      .select(['question_id', 'choices'])
      .where('question_id', 'in', ids)
      .execute();
    // The first question was answered by two students, the others by the teacher alone.
    expect(counted.filter(({ choices }) => choices !== '{}').map((row) => row.question_id)).toEqual([ids[0]]);
  });

  it('compares types and difficulties with all takers, and what was there before is added up the same', async () => {
    const { take, tip, other, examId } = await oneExam();
    const [own, better] = [await other(), await other()];
    const recordId = await take(own, 1);
    await take(better, 3);
    const found = await tip(own, recordId);
    // Three takers: the judged question was right twice, single and multiple choice once.
    expect(found.byType.slice(0, 3).map(({ averageRate }) => averageRate)).toEqual([2 / 3, 1 / 3, 1 / 3]);
    expect(found.byDifficulty.map(({ difficulty, averageRate }) => [difficulty, averageRate])).toEqual([
      [0, 5 / 51],
      [3, 2 / 3],
    ]);
    const stored = () =>
      kit.db.query
        .selectFrom('exam_question_stats')
        .selectAll()
        .where('exam_id', '=', examId)
        .orderBy('question_id')
        .execute();
    const counted = await stored();
    await kit.db.query.deleteFrom('exam_question_stats').execute();
    await kit.db.transaction((trx) => teachersApart.fill?.(trx as never) ?? Promise.reject(new Error('fills nothing')));
    expect(await stored()).toEqual(counted);
  });

  it('counts another student once, however often that one did better', async () => {
    const { take, tip, other } = await oneExam();
    const [own, first] = [await other(), await other()];
    await take(first, 2);
    await take(first, 3);
    await take(first, 3);
    const recordId = await take(own, 1);
    expect(await tip(own, recordId)).toMatchObject({ rank: 2, takerCount: 3 });
  });

  it('counts a hand-in without answers like any other: rank, average, comparison by chapter, history', async () => {
    const { take, tip, other, examId } = await oneExam();
    const [own, empty] = [await other(), await other()];
    const recordId = await take(own, 2);
    const rates = async () => (await tip(own, recordId)).byChapter.map(({ averageRate }) => averageRate);
    expect((await rates())[0]).toBeCloseTo(4 / 24);
    const nothing = await take(empty, 0);
    expect(await tip(empty, nothing)).toMatchObject({ closed: 'submitted', score: 0, rank: 2, takerCount: 3 });
    expect(await tip(own, recordId)).toMatchObject({ rank: 1, takerCount: 3, averageScore: 1.33 });
    expect((await rates())[0]).toBeCloseTo(4 / 36);
    const { list } = await ok('POST /app/exam/history', { examId }, { as: empty });
    expect(list).toMatchObject([{ recordId: nothing, closed: 'submitted', score: 0 }]);
    // Its keys were seen: what is sat after it does not count in its place.
    const again = await take(empty, 3);
    expect(await tip(empty, again)).toMatchObject({ rank: null, countsInRanking: false });
  });

  it('leaves out who answered nothing until the end: no taker, no rank, no part of the average', async () => {
    const { take, tip, other, examId } = await oneExam();
    const [own, absent] = [await other(), await other()];
    const recordId = await take(own, 1);
    const empty = await ok('GET /app/exam/test_start', { examId }, { as: absent });
    kit.time.now += HOUR + 20_000;
    const before = (await tip(own, recordId)).byChapter.map(({ averageRate }) => averageRate);
    await kit.chore(SWEEP);
    const after = await tip(own, recordId);
    expect(after).toMatchObject({ rank: 1, takerCount: 2, averageScore: 1 });
    expect(after.byChapter.map(({ averageRate }) => averageRate)).toEqual(before);
    expect(await tip(absent, empty.recordId)).toMatchObject({ closed: 'unanswered', rank: null, takerCount: 2 });
  });
});
