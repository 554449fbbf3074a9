import { afterAll, describe, expect, it } from 'vitest';
import { OWN_PAPERS } from '#contract/values/exam.ts';
import { dayOf } from '#rules/exam/schedule.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { addOwnPaper } from '../paper/own-paper-store.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';

const DAY = 86_400_000;
const dateOf = (at: number) => new Date(dayOf(at) * DAY).toISOString().slice(0, 10);

describe.each(databases)('review before the exam date on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  /** A student who got all questions of a practice wrong just now. */
  async function allWrong(count: number) {
    kit.time.now = START;
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const ids = await makeQuestions(
      kit,
      pack,
      Array.from({ length: count }, () => ({ type: 1 as const, right: 'A' })),
    );
    const examId = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    await sit(as, examId, ids, 'B');
    return { as, pack, packId: pack.packId, ids, examId };
  }

  async function sit(as: TestUser, examId: number, ids: readonly number[], letter: string) {
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const answers = ids.map((questionId) => ({ questionId, answer: letter, seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    return recordId;
  }

  const daily = (as: TestUser, packId: number) => ok('GET /app/exam/daily_review', { packId }, { as });

  it('asks what went wrong from the next day on, so many a day as the student chose, and says what is done', async () => {
    const { as, packId } = await allWrong(12);
    expect(await daily(as, packId)).toMatchObject({ count: 0, done: 0, total: 12, dailySize: 20, daysLeft: null });
    await ok('POST /app/exam/study_settings', { packId, dailySize: 5 }, { as });
    kit.time.now += DAY;
    expect(await daily(as, packId)).toMatchObject({ count: 5, done: 0, total: 12, dailySize: 5, open: null });
    const { examId } = await ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(await daily(as, packId)).toMatchObject({ open: { examId, recordId } });
    expect(await ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as })).toEqual({ examId });
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    expect(questions).toHaveLength(5);
    const answers = questions.map(({ questionId }, at) => ({ questionId, answer: at === 0 ? 'B' : 'A', seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    expect(await daily(as, packId)).toMatchObject({ count: 0, done: 5, total: 12, open: null });
    expect(await refused('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as })).toBe('noQuestions');
    kit.time.now += DAY;
    expect(await daily(as, packId)).toMatchObject({ count: 5, done: 0 });
    expect(await ok('GET /app/exam/daily_reviews', {}, { as })).toMatchObject({
      list: [{ packId, count: 5, total: 12 }],
    });
  });

  it('knows the date of the pack, or the student’s own, and foretells the days up to it', async () => {
    const { as, pack, packId } = await allWrong(10);
    const examDate = dateOf(START + 30 * DAY);
    expect(await daily(as, packId)).toMatchObject({ examDate: null, packExamDate: null });
    await kit.db.query.updateTable('packs').set({ exam_date: examDate }).where('id', '=', pack.packId).execute();
    expect(await daily(as, packId)).toMatchObject({ examDate, ownExamDate: null, daysLeft: 30 });
    const own = dateOf(START + 4 * DAY);
    await ok('POST /app/exam/study_settings', { packId, examDate: own }, { as });
    const soon = await daily(as, packId);
    expect(soon).toMatchObject({ examDate: own, ownExamDate: own, packExamDate: examDate, daysLeft: 4 });
    expect(soon.forecast.map(({ date }) => date)).toEqual([0, 1, 2, 3].map((days) => dateOf(START + days * DAY)));
    // In the last week all are seen again.
    expect(soon.forecast.reduce((sum, { reviews }) => sum + reviews, 0)).toBe(10);
    await ok('POST /app/exam/study_settings', { packId, examDate: null, leaveAfter: 3 }, { as });
    expect(await daily(as, packId)).toMatchObject({ examDate, ownExamDate: null, dailySize: 20 });
    expect(await ok('GET /app/exam/error_index', { packId }, { as })).toMatchObject({ leaveAfter: 3 });
    for (const wrong of ['2026-02-30', '2026-13-01'])
      expect(await refused('POST /app/exam/study_settings', { packId, examDate: wrong }, { as })).toBe('badInput');
  });

  it('takes no exam date that has passed in China, and schedules against none that has passed since', async () => {
    kit.time.now = START;
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const { packId } = pack;
    const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
    await makeExam(kit, pack, { kind: 'chapter', questionIds: [questionId] });
    const choose = (days: number) => ({ packId, examDate: dateOf(kit.time.now + days * DAY) });
    expect(await refused('POST /app/exam/study_settings', choose(-1), { as })).toBe('examDatePast');
    // Half past midnight in China: what is today there is yesterday by Greenwich.
    kit.time.now = Date.parse('2026-11-24T00:30:00+08:00');
    expect(await refused('POST /app/exam/study_settings', { packId, examDate: '2026-11-23' }, { as })).toBe(
      'examDatePast',
    );
    await ok('POST /app/exam/study_settings', { packId, examDate: '2026-11-24' }, { as });
    await ok('POST /app/exam/study_settings', { packId, examDate: '2026-11-25' }, { as });
    await ok('POST /app/exam/collect', { questionId, collect: 1 }, { as });
    kit.time.now += 2 * DAY;
    expect(await daily(as, packId)).toMatchObject({ daysLeft: -1, examDate: '2026-11-25', total: 1 });
  });

  it('reviews collected questions and those that left the list by its rule; not what the student removed', async () => {
    const { as, packId, ids, examId } = await allWrong(3);
    const [first = 0, second = 0] = ids;
    await ok('POST /app/exam/study_settings', { packId, leaveAfter: 1 }, { as });
    kit.time.now += 1000;
    await sit(as, examId, [first], 'A');
    await ok('POST /api/exam/error_rm', { id: second }, { as });
    expect(await daily(as, packId)).toMatchObject({ total: 2 });
    await ok('POST /app/exam/collect', { questionId: second, collect: 1 }, { as });
    expect(await daily(as, packId)).toMatchObject({ total: 3 });
    await kit.db.query.updateTable('questions').set({ archived: 1 }).where('id', '=', first).execute();
    expect(await daily(as, packId)).toMatchObject({ total: 2 });
  });

  it('lets go of a question whose mistake or guess was taken back, unless it is collected', async () => {
    kit.time.now = START;
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const { packId } = pack;
    const ids = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
    const [questionId = 0] = ids;
    const examId = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const recordId = await sit(as, examId, ids, 'A');
    const guess = (value: 0 | 1) => ok('POST /app/exam/guess', { examId, recordId, questionId, guess: value }, { as });
    await guess(1);
    expect(await daily(as, packId)).toMatchObject({ total: 1 });
    await guess(0);
    expect(await daily(as, packId)).toMatchObject({ total: 0 });
    kit.time.now += DAY;
    await sit(as, examId, ids, 'A');
    expect(
      await kit.db.query.selectFrom('review_cards').select('due').where('question_id', '=', questionId).execute(),
    ).toEqual([]);
    await ok('POST /app/exam/collect', { questionId, collect: 1 }, { as });
    expect(await daily(as, packId)).toMatchObject({ total: 1 });
  });

  it('leaves out what the student sits in a scored exam now', async () => {
    const { as, pack, packId, ids } = await allWrong(3);
    kit.time.now += DAY;
    const exam = await makeExam(kit, pack, { kind: 'mock', questionIds: ids.slice(0, 1) });
    const { recordId } = await ok('GET /app/exam/test_start', { examId: exam }, { as });
    expect(await daily(as, packId)).toMatchObject({ count: 2, total: 2, withheld: true });
    await ok('POST /api/exam/submit', { examId: exam, recordId }, { as });
    expect(await daily(as, packId)).toMatchObject({ total: 3, withheld: false });
  });

  it('is begun as often as any own practice, and no more', async () => {
    const { as, packId } = await allWrong(1);
    kit.time.now += DAY;
    const press = (requestId: string) =>
      kit.raw('POST /app/exam/own_paper', { packId, name: '错题', requestId }, { as });
    const pressed = await press('press-0001');
    await kit.db.transaction(async (trx) => {
      for (let at = 1; at < OWN_PAPERS.most; at += 1)
        await addOwnPaper(trx, {
          userId: as.userId,
          packId,
          slug: `own:${as.userId}:${at}`,
          kind: 'own',
          name: '错题练习',
          purpose: 'chosen',
          examTime: null,
          questions: [],
          sat: [],
          now: kit.time.now,
        });
    });
    const begin = { packId, name: '今日复习' };
    expect(await refused('POST /app/exam/daily_start', begin, { as })).toBe('tooMany');
    expect(await refused('POST /app/exam/own_paper', { ...begin, from: 'wrong' }, { as })).toBe('tooMany');
    // The same press once more is no further one.
    expect(await press('press-0001')).toEqual(pressed);
    expect(await press('press-0002')).toMatchObject({ data: { why: 'tooMany' } });
    kit.time.now += DAY;
    await ok('POST /app/exam/daily_start', begin, { as });
  });

  it('pressed twice is one practice, at once and later, until something has changed', async () => {
    const { as, packId, ids, examId } = await allWrong(3);
    kit.time.now += DAY;
    const begin = () => ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as });
    const pressed = await Promise.all([begin(), begin(), begin()]);
    expect(new Set(pressed.map((one) => one.examId))).toHaveLength(1);
    kit.time.now += 3_600_000;
    const first = pressed[0]?.examId ?? 0;
    expect(await begin()).toEqual({ examId: first });
    // One of them is answered elsewhere: what was made is not today's review any more.
    await sit(as, examId, ids.slice(0, 1), 'A');
    const { examId: second } = await begin();
    expect(second).not.toBe(first);
    await ok('GET /app/exam/test_start', { examId: second }, { as });
    expect(await begin()).toEqual({ examId: second });
    // Nobody began the first one.
    await kit.chore('exam: delete own papers that nobody began');
    const papers = async () =>
      (await kit.db.query.selectFrom('own_papers').select('exam_id').where('user_id', '=', as.userId).execute())
        .map((row) => row.exam_id)
        .sort((a, b) => a - b);
    expect(await papers()).toEqual([first, second]);
    kit.time.now += DAY + 1;
    await kit.chore('exam: delete own papers that nobody began');
    expect(await papers()).toEqual([second]);
    expect(await refused('GET /app/exam/test_start', { examId: first }, { as })).toBe('notFound');
  });

  it('asks another question of the knowledge point at every second review; right, it counts for the card, wrong, it comes in itself', async () => {
    const { as, pack, packId, ids } = await allWrong(2);
    const others = await makeQuestions(kit, pack, [
      { type: 1, right: 'A' },
      { type: 1, right: 'A' },
    ]);
    await makeExam(kit, pack, { kind: 'chapter', questionIds: others, name: '又一章' });
    const [one = 0, two = 0] = ids;
    const point = (name: string, of: readonly number[]) =>
      kit.db.query.updateTable('questions').set({ knowledge_point: name }).where('id', 'in', of).execute();
    await point('票据', [one, ...others.slice(0, 1)]);
    await point('存货', [two, ...others.slice(1)]);
    const review = async (letters: Readonly<Record<number, string>>) => {
      const { examId } = await ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as });
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      const { questions, similar } = await ok('GET /api/exam/details', { recordId }, { as });
      const asked = questions.map(({ questionId }) => questionId).sort((a, b) => a - b);
      const answers = asked.map((questionId) => ({ questionId, answer: letters[questionId] ?? 'A', seq: 1 }));
      await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
      return { asked, similar };
    };
    const reps = async () =>
      (
        await kit.db.query
          .selectFrom('review_cards')
          .select(['question_id', 'reps'])
          .where('user_id', '=', as.userId)
          .orderBy('question_id')
          .execute()
      ).map((row) => [row.question_id, row.reps]);
    kit.time.now += DAY;
    // The first time it is the question itself.
    expect(await review({})).toEqual({ asked: ids, similar: undefined });
    kit.time.now += 10 * DAY;
    const [other = 0, mistaken = 0] = others;
    expect(await review({ [mistaken]: 'B' })).toEqual({ asked: others, similar: expect.arrayContaining(others) });
    expect(await reps()).toEqual([
      [one, 2],
      [two, 1],
    ]);
    const wrong = await ok('GET /api/exam/error', { packId }, { as });
    expect(wrong.list.map(({ question }) => question.questionId)).toContain(mistaken);
    // Right answers to another question do not take this one out of the list.
    expect(wrong.list.find(({ question }) => question.questionId === one)).toMatchObject({ rightStreak: 1 });
    kit.time.now += DAY;
    expect(await daily(as, packId)).toMatchObject({ count: 2 });
    // The other one of its point is under review now, and has its own card.
    expect(await review({})).toMatchObject({ asked: [two, mistaken], similar: undefined });
    expect(other).toBeGreaterThan(two);
  });

  it('an answer given anywhere reviews its question, once a day', async () => {
    const { as, packId, ids, examId } = await allWrong(4);
    kit.time.now += DAY;
    await sit(as, examId, ids.slice(0, 2), 'A');
    expect(await daily(as, packId)).toMatchObject({ done: 2, count: 2 });
    kit.time.now += 1000;
    await sit(as, examId, ids.slice(0, 2), 'A');
    const cards = await kit.db.query
      .selectFrom('review_cards')
      .select(['question_id', 'reps'])
      .where('question_id', 'in', ids)
      .execute();
    // Those that only came in have none yet.
    expect(new Map(cards.map((row) => [row.question_id, row.reps]))).toEqual(
      new Map(ids.slice(0, 2).map((id) => [id, 1])),
    );
  });
});
