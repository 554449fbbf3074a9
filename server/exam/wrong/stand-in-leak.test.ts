import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';

const DAY = 86_400_000;

describe.each(databases)(
  'a question that stands for another and is then sat in a scored exam, on $name',
  async ({ kind }) => {
    const kit = await testApp(kind);
    afterAll(() => kit.close());
    const { ok } = kit;

    /** What a student sees of today's review after handing in a guess at a question of their open exam; `seen` once it is over. */
    async function guessed(letter: 'A' | 'B') {
      kit.time.now = START;
      const as: TestUser = await kit.user();
      const pack = await makePack(kit, { students: [as] });
      const { packId } = pack;
      const ids = await makeQuestions(kit, pack, [
        { type: 1, right: 'A' },
        { type: 1, right: 'A' },
      ]);
      const [own = 0, other = 0] = ids;
      await kit.db.query.updateTable('questions').set({ knowledge_point: '票据' }).where('id', 'in', ids).execute();
      const practice = await makeExam(kit, pack, { kind: 'chapter', questionIds: [own] });
      await makeExam(kit, pack, { kind: 'chapter', questionIds: [other] });
      const mock = await makeExam(kit, pack, { kind: 'mock', questionIds: [other], minutes: 600 });
      const begin = async (examId: number) => ({
        examId,
        recordId: (await ok('GET /app/exam/test_start', { examId }, { as })).recordId,
      });
      const handIn = (sat: { examId: number; recordId: number }, questionId: number, answer: string) =>
        ok('POST /api/exam/submit', { ...sat, answers: [{ questionId, answer, seq: 1 }] }, { as });
      await handIn(await begin(practice), own, 'B');
      kit.time.now += DAY;
      await handIn(await begin(practice), own, 'A');
      kit.time.now += 10 * DAY;
      const { examId } = await ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as });
      const review = await begin(examId);
      expect((await ok('GET /api/exam/details', { recordId: review.recordId }, { as })).similar).toEqual([other]);
      const sat = await begin(mock);
      kit.time.now += 1000;
      await handIn(review, other, letter);
      const look = async () => ({
        daily: { ...(await ok('GET /app/exam/daily_review', { packId }, { as })), packId: 0 },
        all: (await ok('GET /app/exam/daily_reviews', {}, { as })).list.map(({ count, done, total }) => ({
          count,
          done,
          total,
        })),
        again: (await kit.raw('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as })).code,
      });
      const during = await look();
      await ok('POST /api/exam/submit', sat, { as });
      return { during, after: await look() };
    }

    it('moves nothing that the student can see until the exam is over, whatever they answered', async () => {
      const [right, wrong] = [await guessed('A'), await guessed('B')];
      expect(right.during).toEqual(wrong.during);
      expect(right.during.daily).toMatchObject({ count: 0, done: 0, total: 0 });
      expect(right.after.daily).toMatchObject({ count: 0, done: 1, total: 1 });
      expect(wrong.after.daily).toMatchObject({ count: 1, done: 0, total: 2 });
    });
  },
);
