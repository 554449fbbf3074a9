import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { recountedCounters, storedCounters } from '../grading/study.test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate } from '../scene.test-kit.ts';
import { type ClassRoom, COUNT, classRoom, rescoreAll } from './quality.test-kit.ts';

const ONE = 'GET /app/question/quality';
const PREVIEW = 'POST /app/question/correction_preview';
const CORRECT = 'POST /app/question/correct';
const TIP = 'GET /app/exam/result_tip';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('correcting a question on $name', async ({ kind }) => {
  const kit: TestApp = await testApp(kind);
  const { ok, refused } = kit;
  afterAll(() => kit.close());
  // What students see of their own figures follows every correction.
  afterEach(async () => expect(await storedCounters(kit)).toEqual(await recountedCounters(kit)));

  const standingOf = async (as: TestUser, questionId: number) => (await ok(ONE, { questionId }, { as })).standing;
  /** A correction of the first question, whatever else is said B is right. */
  const corrected = async (room: ClassRoom, change: object = { rightAnswer: 'B' }, at = 0) => {
    const questionId = room.ids[at] ?? 0;
    const asked = { questionId, standing: await standingOf(room.teacher, questionId), ...change };
    return { ...asked, reason: '答案印错了' };
  };
  const score = async (one: { as: TestUser; recordId: number }) => (await ok(TIP, one, one)).score;
  const wrong = async (as: TestUser, { pack }: ClassRoom) =>
    (await ok('GET /api/exam/error', { packId: pack.packId }, { as })).list.map(({ question }) => question.questionId);

  it('is shown with figures before it is done, and then done: scores, rank, statistics, wrong list, history, notices', async () => {
    const room = await classRoom(kit);
    const { ids, teacher: as, examId, sits } = room;
    const [questionId = 0] = ids;
    // 60 % is a pass: with B right the first reaches it, the second falls below.
    const gains = await sits('BAAAABBB');
    const loses = await sits('AAAAABBB');
    const same = await sits('CABBBBBB');
    await kit.chore(COUNT);
    const { reason, ...asked } = await corrected(room);
    expect(await ok(PREVIEW, asked, { as })).toEqual({
      records: 3,
      students: 3,
      gaining: 1,
      losing: 1,
      passing: 1,
      failing: 1,
      open: 0,
      own: 0,
      papers: [
        {
          examId,
          name: expect.any(String),
          records: 3,
          averageBefore: 6.67,
          averageAfter: 6.67,
          totalBefore: 16,
          totalAfter: 16,
          passedBefore: 1,
          passedAfter: 1,
        },
      ],
    });
    expect(await score(gains)).toBe(8);
    expect(await wrong(gains.as, room)).toContain(questionId);
    kit.time.now += 60_000;
    const after = await ok(CORRECT, { ...asked, reason }, { as });
    expect(after.question.rightAnswer).toBe('B');
    expect(after.history).toMatchObject([
      { reason, done: false, changes: [{ field: 'right', before: 'A', after: 'B' }] },
    ]);
    await rescoreAll(kit);
    expect([await score(gains), await score(loses), await score(same)]).toEqual([10, 8, 2]);
    const tip = await ok(TIP, gains, gains);
    expect(tip).toMatchObject({ rank: 1, rightCount: 5, wrongCount: 3 });
    expect(tip.rescores).toEqual([
      { questionId, questionNumber: 1, rule: null, rescoredAt: kit.time.now, reason, scoreBefore: 8, scoreAfter: 10 },
    ]);
    // Points of its chapter: of three students and four questions, eight, six and two.
    expect(tip.byChapter[0]?.averageRate).toBeCloseTo(16 / 24);
    const review = await ok('GET /app/exam/review', gains, gains);
    expect(review.questions[0]).toMatchObject({
      state: 1,
      rightAnswer: 'B',
      answer: 'B',
      accuracyRate: 1 / 3,
      correction: null,
    });
    expect(await wrong(gains.as, room)).not.toContain(questionId);
    expect(await wrong(loses.as, room)).toContain(questionId);
    expect(await wrong(same.as, room)).toContain(questionId);
    const notices = async (one: { as: TestUser }) =>
      (await ok('GET /app/common/notice', {}, one)).list.map(({ kind, words }) => [kind, words]);
    expect(await notices(gains)).toEqual([['rescored', { examName: review.examName, before: 8, after: 10, reason }]]);
    expect(await notices(loses)).toMatchObject([['rescored', { before: 10, after: 8 }]]);
    expect(await notices(same)).toEqual([]);
    const done = await ok(ONE, { questionId }, { as });
    expect(done.history).toMatchObject([{ rescored: 2, done: true }]);
    // What students chose stays counted, and is right by the new key.
    expect(done).toMatchObject({ answered: 3 });
    expect(done.rightRate).toBeCloseTo(1 / 3, 2);
    // Doing it again finds nothing: neither a second notice nor other figures.
    await rescoreAll(kit);
    expect(await ok(TIP, gains, gains)).toEqual(tip);
    expect(await notices(gains)).toHaveLength(1);
    // Who begins now gets the new key.
    expect(await score(await sits('BAAAAAAA'))).toBe(16);
  });

  it('two teachers at once: the second is told, and sees what the first did', async () => {
    const room = await classRoom(kit);
    const first = await corrected(room);
    const second = await kit.user('teacher');
    await ok(CORRECT, first, { as: room.teacher });
    expect(await refused(CORRECT, { ...first, rightAnswer: 'C' }, { as: second })).toBe('correctedMeanwhile');
    const { reason: _, ...preview } = first;
    expect(await refused(PREVIEW, preview, { as: second })).toBe('correctedMeanwhile');
    expect(await refused(CORRECT, await corrected(room, { rightAnswer: 'B' }), { as: second })).toBe(
      'nothingToCorrect',
    );
    expect(await refused(CORRECT, await corrected(room, { rightAnswer: 'AB' }), { as: second })).toBe(
      'answerMalformed',
    );
    expect(await refused(CORRECT, await corrected(room, { answerAnalysis: '$\\def\\a{}\\a$' }), { as: second })).toBe(
      'richTextFaulty',
    );
    expect(
      await refused(CORRECT, { ...(await corrected(room, { rightAnswer: 'C' })), reason: ' ' }, { as: second }),
    ).toBe('badInput');
  });

  it('an open record keeps its paper, is graded by its own key, and is graded again when it is handed in', async () => {
    const room = await classRoom(kit);
    const { examId, ids, pack, teacher } = room;
    const as = await classmate(kit, pack);
    const { recordId, paperVersion } = await ok('GET /app/exam/test_start', { examId }, { as });
    const save = { examId, recordId, questionId: ids[0] ?? 0, answer: 'B', seq: 1, paperVersion };
    const { reason, ...asked } = await corrected(room);
    expect(await ok(PREVIEW, asked, { as: teacher })).toMatchObject({ records: 0, open: 1, papers: [] });
    await ok(CORRECT, { ...asked, reason }, { as: teacher });
    await rescoreAll(kit);
    await ok('POST /api/exam/save_question', save, { as });
    expect((await ok('GET /api/exam/cache', { recordId }, { as })).paperVersion).toBe(paperVersion);
    const [event] = (await ok(ONE, { questionId: ids[0] ?? 0 }, { as: teacher })).history;
    expect(event).toMatchObject({ done: false, rescored: 0 });
    expect(await ok(SUBMIT, { examId, recordId }, { as })).toMatchObject({ score: 0 });
    await kit.chore(COUNT);
    await rescoreAll(kit);
    expect(await ok(TIP, { recordId }, { as })).toMatchObject({
      score: 2,
      rescores: [{ scoreBefore: 0, scoreAfter: 2 }],
    });
    expect((await ok(ONE, { questionId: ids[0] ?? 0 }, { as: teacher })).history).toMatchObject([
      { done: true, rescored: 1 },
    ]);
  });

  it('says nothing to who sits the question in another paper now, until that is handed in', async () => {
    const room = await classRoom(kit, { kind: 'afterclass' });
    const { ids, pack, sits, teacher: as } = room;
    const earlier = await sits('BAAAAAAA');
    kit.time.now += 60_000;
    const examId = await makeExam(kit, pack, { questionIds: ids });
    expect(await score(earlier)).toBe(14);
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as: earlier.as });
    const before = await ok(TIP, earlier, earlier);
    await ok(CORRECT, await corrected(room), { as });
    await rescoreAll(kit);
    expect(await ok(TIP, earlier, earlier)).toEqual(before);
    expect((await ok('GET /app/common/notice', {}, earlier)).list).toEqual([]);
    const waits = async () => (await ok(ONE, { questionId: ids[0] ?? 0 }, { as })).history;
    // The record that is open, and the earlier one of who sits it.
    expect(await waits()).toMatchObject([{ done: false, waiting: 2 }]);
    await ok(SUBMIT, { examId, recordId }, { as: earlier.as });
    expect(await waits()).toMatchObject([{ done: false, waiting: 0 }]);
    await rescoreAll(kit);
    expect(await score(earlier)).toBe(16);
    expect((await ok('GET /app/common/notice', {}, earlier)).list).toHaveLength(1);
  });

  it('a question may give its points to everybody, or count for nothing, and count again', async () => {
    const room = await classRoom(kit);
    const { teacher: as, sits } = room;
    const [right, mistaken, open] = [await sits('AAAAAAAA'), await sits('CAAAAAAA'), await sits('-AAAAAAA')];
    const all = async () => {
      await rescoreAll(kit);
      const found = [];
      for (const one of [right, mistaken, open]) {
        const { score, totalScore } = await ok(TIP, one, one);
        found.push([score, totalScore]);
      }
      return found;
    };
    await ok(CORRECT, await corrected(room, { gradeMode: 'all' }), { as });
    expect(await all()).toEqual([
      [16, 16],
      [16, 16],
      [16, 16],
    ]);
    expect(await wrong(mistaken.as, room)).toEqual([]);
    await ok(CORRECT, await corrected(room, { gradeMode: 'void' }), { as });
    expect(await all()).toEqual([
      [14, 14],
      [14, 14],
      [14, 14],
    ]);
    const last = (await ok('GET /app/common/notice', {}, right)).list[0];
    expect(last).toMatchObject({ kind: 'rescored', words: { before: 16, after: 14 } });
    expect((await ok(ONE, { questionId: room.ids[0] ?? 0 }, { as })).papers).toMatchObject([{ score: 0 }]);
    await ok(CORRECT, await corrected(room, { gradeMode: 'key' }), { as });
    expect(await all()).toEqual([
      [16, 16],
      [14, 16],
      [14, 16],
    ]);
    expect(await wrong(mistaken.as, room)).toEqual([room.ids[0]]);
  });

  it('points in a paper change its total and every record of it; an analysis alone changes no result', async () => {
    const room = await classRoom(kit);
    const { teacher: as, sits, examId, ids } = room;
    const one = await sits('AAAAAAAA');
    await ok(CORRECT, await corrected(room, { scores: [{ examId, score: 4 }] }), { as });
    await rescoreAll(kit);
    expect(await ok(TIP, one, one)).toMatchObject({ score: 18, totalScore: 18 });
    const after = await ok(CORRECT, await corrected(room, { answerAnalysis: '因为 \\(x=1\\)\n所以' }, 1), { as });
    expect(after.question.answerAnalysis).toBe('因为 \\(x=1\\)<br />所以');
    expect(after.history[0]).toMatchObject({ done: true, rescored: 0, changes: [{ field: 'analysis' }] });
    await rescoreAll(kit);
    expect((await ok(TIP, one, one)).rescores).toHaveLength(1);
    const review = await ok('GET /app/exam/review', one, one);
    expect(review.questions.find(({ questionId }) => questionId === ids[1])?.correction?.question?.answerAnalysis).toBe(
      '因为 \\(x=1\\)<br />所以',
    );
  });

  it('records that began before another correction are graded again too, each beside what it showed', async () => {
    const room = await classRoom(kit);
    const { teacher: as, sits, ids } = room;
    const old = await sits('BAAAAAAA');
    // Another question is corrected by its analysis: the old record keeps its version.
    await ok(CORRECT, await corrected(room, { answerAnalysis: '新的解析' }, 5), { as });
    const young = await sits('BAAAAAAA');
    await ok(CORRECT, await corrected(room), { as });
    await rescoreAll(kit);
    expect([await score(old), await score(young)]).toEqual([16, 16]);
    const analysis = async (one: typeof old) =>
      (await ok('GET /app/exam/review', one, one)).questions.find(({ questionId }) => questionId === ids[5])
        ?.answerAnalysis;
    expect([await analysis(old), await analysis(young)]).toEqual([expect.stringMatching(/^<p>解析/), '新的解析']);
    // And once more, on top of both.
    await ok(CORRECT, await corrected(room, { rightAnswer: 'C' }), { as });
    await rescoreAll(kit);
    expect([await score(old), await score(young)]).toEqual([14, 14]);
    expect((await ok(TIP, old, old)).rescores).toHaveLength(2);
  });
});
