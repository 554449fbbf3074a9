import { describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { RESCORE, RESCORE_OWN } from '../quality/quality.test-kit.ts';
import { SWEEP } from '../scene.test-kit.ts';
import { addOverdueRecords, jobDatabase } from './killed-job.test-kit.ts';

const STUDENTS = 1500;

describe.each(databases)('a server that is killed while it re-scores on $name', ({ kind }) => {
  const jobs = jobDatabase(kind);

  it('every record is re-scored once, with its statistics, its history and its notice', async () => {
    const kit = await jobs.open();
    const { db } = kit;
    const pack = await makePack(kit);
    const [questionId = 0, other = 0] = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'A' },
    ]);
    const questionIds = [questionId, other];
    const examId = await makeExam(kit, pack, { questionIds });
    const answers = (id: number) => [id % 3 > 0 ? 'B' : 'A', 'A'];
    await addOverdueRecords(kit, { packId: pack.packId, examId, questionIds, students: STUDENTS, answers });
    await kit.chore(SWEEP);
    const teacher = await kit.user('teacher');
    const { standing } = await kit.ok('GET /app/question/quality', { questionId }, { as: teacher });
    const asked = { questionId, standing, rightAnswer: 'B', reason: '答案有误' };
    await kit.ok('POST /app/question/correct', asked, { as: teacher });

    const state = async () => {
      const rows = await db.query
        .selectFrom('exam_records')
        .leftJoin('record_rescores', 'record_rescores.record_id', 'exam_records.id')
        .leftJoin('notices', 'notices.record_id', 'exam_records.id')
        .select(['exam_records.id', 'exam_records.version', 'exam_records.score', 'exam_records.right_count'])
        .select(['record_rescores.score_before', 'record_rescores.score_after', 'notices.id as told'])
        .execute();
      const key = await db.query
        .selectFrom('question_accuracy')
        .select(['key_version', 'taken', 'right_count'])
        .where('question_id', '=', questionId)
        .orderBy('key_version')
        .execute();
      const wrong = await db.query
        .selectFrom('wrong_questions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('question_id', '=', questionId)
        .where('state', '=', 'in')
        .where('times_wrong', '>', 0)
        .executeTakeFirstOrThrow();
      return { rows, key, wrong: Number(wrong.count) };
    };
    /** Each record is wholly as it was, or wholly as it shall be; the sums say so too. */
    const check = async () => {
      const { rows, key, wrong } = await state();
      expect(rows).toHaveLength(STUDENTS);
      const moved = rows.filter(({ version }) => version === 2);
      const hadB = (id: number) => id % 3 > 0;
      for (const { id, version, score, right_count: right, score_before: before, score_after: after, told } of rows) {
        const [was, is] = hadB(id) ? [2, 4] : [4, 2];
        const now = version === 2 ? is : was;
        expect([score, right, before, after, told === null]).toEqual(
          version === 2 ? [now, now / 2, was, is, false] : [now, now / 2, null, null, true],
        );
      }
      const right = (version: number) =>
        rows.filter((row) => row.version === version && hadB(row.id) === (version === 2)).length;
      const kept = key.find((row) => row.key_version === 1);
      expect([kept?.taken, kept?.right_count]).toEqual([STUDENTS - moved.length, right(1)]);
      if (moved.length > 0)
        expect(key.find((row) => row.key_version === 2)).toMatchObject({ taken: moved.length, right_count: right(2) });
      expect(wrong).toBe(rows.length - right(1) - right(2));
      return moved.length;
    };
    expect(await check()).toBe(0);
    let cut = 0;
    for (let kill = 0; kill < 2; kill += 1) {
      const before = await check();
      await jobs.kill(RESCORE, () => movedOf(db, examId));
      const after = await check();
      if (after > before && after < STUDENTS) cut += 1;
    }
    expect(cut).toBeGreaterThan(0);
    expect(await jobs.finish(RESCORE)).toBe(0);
    expect(await check()).toBe(STUDENTS);
    // It was not asked whether students have put papers together that have it.
    const ask = () => kit.ok('GET /app/question/quality', { questionId }, { as: teacher });
    expect((await ask()).history).toMatchObject([{ done: false, rescored: STUDENTS }]);
    await kit.chore(RESCORE_OWN);
    const one = await ask();
    expect(one.history).toMatchObject([{ done: true, rescored: STUDENTS }]);
  }, 120_000);
});

async function movedOf(db: TestApp['db'], examId: number): Promise<number> {
  const { count } = await db.query
    .selectFrom('exam_records')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('exam_id', '=', examId)
    .where('version', '=', 2)
    .executeTakeFirstOrThrow();
  return Number(count);
}
