import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { recountedCounters, storedCounters } from '../grading/study.test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate } from '../scene.test-kit.ts';
import { type ClassRoom, classRoom, rescoreAll } from './quality.test-kit.ts';

describe.each(databases)(
  'a paper that is corrected again before all its records are re-scored, on $name',
  async ({ kind }) => {
    const kit = await testApp(kind);
    afterAll(() => kit.close());
    afterEach(async () => expect(await storedCounters(kit)).toEqual(await recountedCounters(kit)));
    const { ok } = kit;

    /** The key of a question becomes B. */
    const correct = async ({ teacher: as, ids }: ClassRoom, at: number) => {
      const questionId = ids[at] ?? 0;
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as });
      const change = { questionId, standing, rightAnswer: 'B' };
      const preview = await ok('POST /app/question/correction_preview', change, { as });
      await ok('POST /app/question/correct', { ...change, reason: '答案印错了' }, { as });
      return preview;
    };
    const begin = async ({ examId }: ClassRoom, as: TestUser) => ({
      ...{ as, examId },
      recordId: (await ok('GET /app/exam/test_start', { examId }, { as })).recordId,
    });
    type Sat = Awaited<ReturnType<typeof begin>>;
    const handIn = ({ as, ...sat }: Sat, { ids }: ClassRoom, letters: string) => {
      const answers = [...letters].map((answer, at) => ({ questionId: ids[at] ?? 0, answer, seq: at + 1 }));
      return ok('POST /api/exam/submit', { ...sat, answers }, { as });
    };
    const rescore = () => rescoreAll(kit);
    const score = async ({ as, recordId }: Sat) => (await ok('GET /app/exam/result_tip', { recordId }, { as })).score;
    const allDone = async ({ teacher: as, ids }: ClassRoom) => {
      const done: boolean[] = [];
      for (const questionId of ids.slice(0, 2))
        done.push(
          ...(await ok('GET /app/question/quality', { questionId }, { as })).history.map(
            (correction) => correction.done,
          ),
        );
      return done;
    };

    it.each([
      ['nobody has begun since', false, false],
      ['others have begun since', true, false],
      ['others have begun and handed in since', true, true],
    ])('an open record gets every correction once it is handed in; %s', async (_, begun, closed) => {
      const room = await classRoom(kit);
      const first = await begin(room, await classmate(kit, room.pack));
      await correct(room, 0);
      await rescore();
      const second = begun ? await begin(room, await classmate(kit, room.pack)) : null;
      if (second && closed) await handIn(second, room, 'BBAAAAAA');
      expect(await correct(room, 1)).toMatchObject({ open: begun && !closed ? 2 : 1 });
      await rescore();
      await handIn(first, room, 'BBAAAAAA');
      await rescore();
      expect(await score(first)).toBe(16);
      if (second && !closed) await handIn(second, room, 'BBAAAAAA');
      await rescore();
      if (second) expect(await score(second)).toBe(16);
      expect(await allDone(room)).toEqual([true, true]);
    });

    it('a record that waits for its student gets what came meanwhile after that, and in its order', async () => {
      const room = await classRoom(kit, { kind: 'afterclass' });
      const waits = await begin(room, await classmate(kit, room.pack));
      await handIn(waits, room, 'BBAAAAAA');
      kit.time.now += 60_000;
      const examId = await makeExam(kit, room.pack, { questionIds: room.ids.slice(0, 1) });
      const sat = await ok('GET /app/exam/test_start', { examId }, { as: waits.as });
      await correct(room, 0);
      await rescore();
      await correct(room, 1);
      await rescore();
      expect(await allDone(room)).toEqual([false, false]);
      await ok('POST /api/exam/submit', { examId, recordId: sat.recordId }, { as: waits.as });
      await rescore();
      expect(await score(waits)).toBe(16);
      expect(await allDone(room)).toEqual([true, true]);
    });

    it('a record, or a paper, that cannot be read does not stop what is graded behind it', async () => {
      const [broken, room] = [await classRoom(kit), await classRoom(kit)];
      const of = async (one: ClassRoom) => {
        const sat = await begin(one, await classmate(kit, one.pack));
        await handIn(sat, one, 'BBAAAAAA');
        return sat;
      };
      const [lost, bad, good] = [await of(broken), await of(room), await of(room)];
      await correct(broken, 0);
      await correct(room, 0);
      // The paper of the first was not kept, and of the second what was graded cannot be read.
      const kept = await kit.db.query
        .deleteFrom('paper_revisions')
        .where('exam_id', '=', broken.examId)
        .returningAll()
        .execute();
      const write = (graded: string) =>
        kit.db.query.updateTable('exam_records').set({ graded }).where('id', '=', bad.recordId).execute();
      const { graded } = await kit.db.query
        .selectFrom('exam_records')
        .select('graded')
        .where('id', '=', bad.recordId)
        .executeTakeFirstOrThrow();
      await write('{');
      // Another process, which has read no paper before.
      const other = await kit.sibling();
      other.parts.log.level = 'silent';
      const rescore = () => rescoreAll(other);
      await rescore();
      expect(await score(good)).toBe(14);
      await write(graded ?? '');
      await kit.db.query.insertInto('paper_revisions').values(kept).execute();
      expect([await score(lost), await score(bad)]).toEqual([12, 12]);
      for (let run = 0; run < 60; run += 1) await rescore();
      expect([await score(lost), await score(bad)]).toEqual([14, 14]);
      expect([...(await allDone(broken)), ...(await allDone(room))]).toEqual([true, true]);
      // What was broken is counted too, by now.
      expect(await kit.db.query.selectFrom('records_to_count').selectAll().execute()).toEqual([]);
      await other.close();
    });
  },
);
