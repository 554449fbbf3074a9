import { describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases } from '#server/test-kit.ts';
import { addOwnPaper, ownPaperVersion } from '../paper/own-paper-store.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { RESCORE, RESCORE_OWN, rescoreAll } from '../quality/quality.test-kit.ts';
import { SWEEP } from '../scene.test-kit.ts';
import { jobDatabase } from './killed-job.test-kit.ts';

const PAPERS = 200;
const OPEN = 20;

describe.each(databases)('a server that is killed while it re-scores own papers on $name', ({ kind }) => {
  const jobs = jobDatabase(kind);

  it('says that two corrections in a row are done when each record has got both, and how many wait till then', async () => {
    const kit = await jobs.open();
    const { db, time } = kit;
    const pack = await makePack(kit);
    const ids = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'A' },
    ]);
    await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const { userId } = await kit.user();
    await db.transaction(async (trx) => {
      const version = await ownPaperVersion(trx, pack.packId);
      const questions = ids.map((id) => [id, 2] as const);
      const records: { id: number }[] = [];
      for (let at = 0; at < PAPERS; at += 1) {
        const { examId } = await addOwnPaper(trx, {
          ...{ userId, packId: pack.packId, slug: `own:${userId}:${at}`, kind: 'own', name: '练习', purpose: 'chosen' },
          ...{ examTime: null, questions, sat: [], now: time.now },
        });
        const ends = at < OPEN ? null : time.now - 3_600_000;
        const asked = { user_id: userId, exam_id: examId, pack_id: pack.packId, version };
        records.push(
          await trx
            .insertInto('exam_records')
            .values({ ...asked, started_at: time.now - 7_200_000, ends_at: ends })
            .returning('id')
            .executeTakeFirstOrThrow(),
        );
      }
      for (let from = 0; from < PAPERS; from += 100)
        await trx
          .insertInto('exam_answers')
          .values(
            records.slice(from, from + 100).flatMap(({ id }) =>
              ids.map((question) => ({
                ...{ record_id: id, question_id: question, answer: 'B', seq: 1, saved_at: time.now - 5_000_000 },
              })),
            ),
          )
          .execute();
    });
    await kit.chore(SWEEP);
    await rescoreAll(kit);
    const teacher = await kit.user('teacher');
    for (const questionId of ids) {
      const { standing } = await kit.ok('GET /app/question/quality', { questionId }, { as: teacher });
      const asked = { questionId, standing, rightAnswer: 'B', reason: '答案有误' };
      await kit.ok('POST /app/question/correct', asked, { as: teacher });
    }
    const told = async () => {
      const found = [];
      for (const questionId of ids) {
        const { history } = await kit.ok('GET /app/question/quality', { questionId }, { as: teacher });
        found.push([history[0]?.done, history[0]?.waiting, history[0]?.rescored]);
      }
      return found;
    };
    const moved = async () => {
      const rows = await db.query.selectFrom('record_rescores').select('record_id').execute();
      return rows.length;
    };
    expect(await told()).toEqual([
      [false, 0, 0],
      [false, 0, 0],
    ]);
    let cut = 0;
    for (let kill = 0; kill < 2; kill += 1) {
      await jobs.kill(RESCORE_OWN, moved);
      const after = await moved();
      if (after < 2 * (PAPERS - OPEN)) cut += 1;
      // Of each record both are written, or none.
      expect(await told()).toEqual([
        [false, OPEN, after / 2],
        [false, OPEN, after / 2],
      ]);
    }
    expect(cut).toBe(2);
    expect(await jobs.finish(RESCORE_OWN)).toBe(0);
    const all = PAPERS - OPEN;
    expect(await told()).toEqual([
      [false, OPEN, all],
      [false, OPEN, all],
    ]);
    await db.query
      .updateTable('exam_records')
      .set({ ends_at: time.now - 3_600_000 })
      .where('ends_at', 'is', null)
      .execute();
    await kit.chore(SWEEP);
    expect(await told()).toEqual([
      [false, 0, all],
      [false, 0, all],
    ]);
    await rescoreAll(kit);
    const done = [
      [true, 0, PAPERS],
      [true, 0, PAPERS],
    ];
    expect(await told()).toEqual(done);
    // As if it had been killed when all was graded and not said to be.
    await db.query.updateTable('question_corrections').set({ done_at: null }).execute();
    await kit.chore(RESCORE);
    expect(await told()).toEqual(done);
  }, 300_000);
});
