import { afterAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { recountedCounters, storedCounters } from '../grading/study.test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate, startScene } from '../scene.test-kit.ts';
import { type ClassRoom, classRoom, RESCORE } from './quality.test-kit.ts';

const TIP = 'GET /app/exam/result_tip';
const REVIEW = 'GET /app/exam/review';
const SUBMIT = 'POST /api/exam/submit';
const DAY = 86_400_000;

describe.each(databases)('a void question on $name', async ({ kind }) => {
  const kit: TestApp = await testApp(kind);
  const { ok, refused } = kit;
  afterAll(() => kit.close());

  async function grade(
    { ids, teacher: as }: Pick<ClassRoom, 'ids' | 'teacher'>,
    gradeMode: 'key' | 'all' | 'void',
    at = 0,
  ) {
    const questionId = ids[at] ?? 0;
    const { standing } = await ok('GET /app/question/quality', { questionId }, { as });
    await ok('POST /app/question/correct', { questionId, standing, gradeMode, reason: '超纲' }, { as });
    await kit.chore(RESCORE);
  }
  const start = async (as: TestUser, examId: number) => {
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    return { as, examId, recordId, ids: questions.map(({ questionId }) => questionId) };
  };
  const handIn = ({ as, examId, recordId, ids }: Awaited<ReturnType<typeof start>>, answer = 'A') =>
    ok(SUBMIT, { examId, recordId, answers: ids.map((questionId) => ({ questionId, answer, seq: 1 })) }, { as });

  it('is neither right nor wrong nor open, for who sat it before and for who sits it now; the review says so', async () => {
    const room = await classRoom(kit);
    const before = await room.sits('BAAAAAAA');
    await grade(room, 'void');
    const now = await room.sits('BAAAAAAA');
    for (const { as, recordId } of [before, now]) {
      expect(await ok(TIP, { recordId }, { as })).toMatchObject({
        score: 14,
        totalScore: 14,
        rightCount: 7,
        wrongCount: 0,
        unansweredCount: 0,
      });
      const [question, other] = (await ok(REVIEW, { recordId }, { as })).questions;
      expect(question).toMatchObject({ gradeMode: 'void', state: 5, score: 0, myScore: 0, answer: 'B' });
      expect(other).toMatchObject({ gradeMode: 'key', state: 1 });
      const { list } = await ok('GET /api/exam/error', { packId: room.pack.packId }, { as });
      expect(list).toEqual([]);
    }
    await grade(room, 'all');
    const after = await room.sits('BAAAAAAA');
    const [question] = (await ok(REVIEW, after, after)).questions;
    expect(question).toMatchObject({ gradeMode: 'all', state: 1, score: 2, myScore: 2 });
    expect(await storedCounters(kit)).toEqual(await recountedCounters(kit));
  });

  it.each(['void', 'all'] as const)(
    'what a student gave themselves in a text comes back with it, ticks too: %s',
    async (gradeMode) => {
      const { as, base, save, ids, recordId, pack } = await startScene(kit);
      const teacher = await kit.user('teacher');
      const room = { ids, teacher };
      for (const [at, text] of [
        [3, '写到甲'],
        [5, '文'],
      ] as const)
        await ok('POST /api/exam/save_question', save(at, text, at), { as });
      await ok(SUBMIT, base, { as });
      const SCORE = 'POST /app/exam/subjective_submit';
      await ok(SCORE, { recordId, questionId: ids[3], myScore: 2.5, ticks: [0] }, { as });
      await ok(SCORE, { recordId, questionId: ids[5], myScore: 5, judgeFlag: 2 }, { as });
      const look = async () => {
        const { questions } = await ok(REVIEW, base, { as });
        return [questions[3], questions[5]];
      };
      const before = await look();
      expect(before).toMatchObject([
        { state: 3, myScore: 2.5, ticks: [0] },
        { state: 2, myScore: 5, judgeFlag: 2 },
      ]);
      const { score } = await ok(TIP, base, { as });
      for (const at of [3, 5]) await grade(room, gradeMode, at);
      expect(await ok(TIP, base, { as })).toMatchObject({ score: gradeMode === 'void' ? 0 : 10, pendingCount: 0 });
      // From one to the other on the way back.
      for (const at of [3, 5]) await grade(room, gradeMode === 'void' ? 'all' : 'void', at);
      for (const at of [3, 5]) await grade(room, 'key', at);
      expect(await look()).toMatchObject([
        { state: 3, myScore: 2.5, ticks: [0] },
        { state: 2, myScore: 5, judgeFlag: 2 },
      ]);
      expect(await ok(TIP, base, { as })).toMatchObject({ score, pendingCount: 0 });
      const wrong = await ok('GET /api/exam/error', { packId: pack.packId }, { as });
      expect(wrong.list.map(({ question }) => question.questionId).sort((a, b) => a - b)).toEqual([ids[3], ids[5]]);
      expect(await storedCounters(kit)).toEqual(await recountedCounters(kit));
    },
  );

  it('stands in no practice on offer, and comes back where it was; who practised it keeps it', async () => {
    const room = await classRoom(kit, { kind: 'afterclass' });
    const { pack, ids, examId } = room;
    const earlier = await room.sits('BAAAAAAA');
    await grade(room, 'void', 2);
    expect(await ok(TIP, earlier, earlier)).toMatchObject({ score: 12, totalScore: 14, totalQuestion: 8 });
    expect((await ok(REVIEW, earlier, earlier)).questions.map(({ state }) => state)).toEqual([2, 1, 5, 1, 1, 1, 1, 1]);
    const fresh = await start(await classmate(kit, pack), examId);
    expect(fresh.ids).toEqual(ids.filter((_, at) => at !== 2));
    const { questionId, ...asked } = { questionId: ids[2] ?? 0, packId: pack.packId, name: '练习' };
    expect(await refused('POST /app/exam/own_paper', { ...asked, questionIds: [questionId] }, fresh)).toBe(
      'noQuestions',
    );
    await grade(room, 'key', 2);
    expect(await ok(TIP, earlier, earlier)).toMatchObject({ score: 14, totalScore: 16 });
    // Who had begun meanwhile goes on with what they have.
    expect(await handIn(fresh)).toMatchObject({ score: 14, totalScore: 14 });
    const again = await start(await classmate(kit, pack), examId);
    expect(again.ids).toEqual(ids);
    expect(await handIn(again)).toMatchObject({ score: 16, totalScore: 16 });
    expect(await storedCounters(kit)).toEqual(await recountedCounters(kit));
  });

  it('gives nothing in a random paper that was drawn before, nor in the total; who had begun keeps the paper', async () => {
    const room = await classRoom(kit);
    await makeExam(kit, room.pack, { kind: 'chapter', questionIds: room.ids, name: '题库' });
    const [as, begun] = [await classmate(kit, room.pack), await classmate(kit, room.pack)];
    const draw = async (student: TestUser) =>
      (
        await ok(
          'POST /app/exam/random_paper',
          {
            packId: room.pack.packId,
            name: '随机组卷',
            lines: [{ questionTypesId: 2, count: 8, score: 3 }],
            examTime: 30,
          },
          { as: student },
        )
      ).examId;
    const [examId, open] = [await draw(as), await start(begun, await draw(begun))];
    await grade(room, 'void');
    const mine = await start(as, examId);
    expect(mine.ids).toHaveLength(8);
    expect(await handIn(mine)).toMatchObject({ score: 21, totalScore: 21, rightCount: 7 });
    expect(await ok(TIP, mine, mine)).toMatchObject({ score: 21, totalScore: 21, percent: 100 });
    expect(await handIn(open)).toMatchObject({ score: 24, totalScore: 24 });
    // Nobody draws it any more.
    const lines = [{ questionTypesId: 2 as const, count: 8, score: 3 }];
    const asked = { packId: room.pack.packId, name: '随机组卷', lines, examTime: 30 };
    expect(await refused('POST /app/exam/random_paper', asked, { as })).toBe('bankTooSmall');
  });

  it('is in no set of today’s review, and reviewing it by itself counts for nothing', async () => {
    const room = await classRoom(kit, { kind: 'afterclass' });
    const { packId } = room.pack;
    const { as } = await room.sits('BAAAAAAA');
    const [questionId = 0] = room.ids;
    await ok('POST /app/exam/collect', { questionId, collect: 1 }, { as });
    kit.time.now += 2 * DAY;
    const total = async () => (await ok('GET /app/exam/daily_review', { packId }, { as })).total;
    expect(await total()).toBe(1);
    await grade(room, 'void');
    expect(await total()).toBe(0);
    expect(await refused('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as })).toBe('noQuestions');
    const reviewed = await ok('POST /app/v2/exam/save_review', { questionId, judgeFlag: 2 }, { as });
    expect(reviewed).toMatchObject({ state: 5, wrong: null });
    expect((await ok('GET /app/exam/collection', { packId }, { as })).list[0]).toMatchObject({ onOffer: 0 });
  });

  it('stands in its place in a paper of the school, whose total has nothing of it', async () => {
    const room = await classRoom(kit);
    const { ids, pack } = room;
    await grade(room, 'void');
    // A list that names points for it, however it came about.
    const examId = await makeExam(kit, pack, { questionIds: ids, score: 5 });
    const mine = await start(await classmate(kit, pack), examId);
    expect(mine.ids).toEqual(ids);
    expect(await handIn(mine)).toMatchObject({ score: 35, rightCount: 7 });
  });
});
