import { describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases } from '#server/test-kit.ts';
import { contentReader } from '../paper/content-store.ts';
import { correctRule } from '../paper/correct-rule.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { RESCORE } from '../quality/quality.test-kit.ts';
import { SWEEP } from '../scene.test-kit.ts';
import { addOverdueRecords, jobDatabase } from './killed-job.test-kit.ts';
import { recountedCounters, storedCounters } from './study.test-kit.ts';

const STUDENTS = 1500;

describe.each(databases)('a server that is killed while it grades by another rule on $name', ({ kind }) => {
  const jobs = jobDatabase(kind);

  it('every record is graded by two rules in their order, once each, with its history and its notices', async () => {
    const kit = await jobs.open();
    const { db, time } = kit;
    const pack = await makePack(kit);
    const ids = await makeQuestions(kit, pack, [
      { type: 3, right: 'AB', score: 4 },
      { type: 5, right: 'ABC', score: 4 },
      { type: 2, right: 'A' },
    ]);
    const examId = await makeExam(kit, pack, { questionIds: ids });
    const { slug } = await db.query
      .selectFrom('exams')
      .select('slug')
      .where('id', '=', examId)
      .executeTakeFirstOrThrow();
    // Of three students two leave letters out: in one question, or in both.
    const answers = (id: number) => (id % 3 === 0 ? ['AB', 'ABC', 'A'] : [id % 3 === 1 ? 'AB' : 'A', 'AB', 'A']);
    await addOverdueRecords(kit, { packId: pack.packId, examId, questionIds: ids, students: STUDENTS, answers });
    await kit.chore(SWEEP);
    const { userId: teacherId } = await kit.user('teacher');
    const parts = { db, readContent: contentReader() };
    const asked = { packId: pack.packId, key: slug, teacherId, reason: '考纲规定', now: time.now };
    for (const partial of [0.5, 0.25]) await db.transaction((trx) => correctRule(parts, trx, { ...asked, partial }));

    /** By each version: without a rule, by a half, by a quarter. */
    const scores = (id: number) => (id % 3 === 0 ? [10, 10, 10] : id % 3 === 1 ? [6, 8, 7] : [2, 6, 4]);
    /** Each record is wholly by one of the rules, and has the history and the notices of those before. @returns how often any was moved */
    const check = async () => {
      const rows = await db.query
        .selectFrom('exam_records')
        .select(['id', 'version', 'score', 'wrong_count'])
        .where('exam_id', '=', examId)
        .execute();
      const kept = await db.query.selectFrom('record_rescores').selectAll().orderBy('correction_id').execute();
      const told = await db.query
        .selectFrom('notices')
        .select('record_id')
        .where('kind', '=', 'ruleCorrected')
        .execute();
      const history = Map.groupBy(kept, ({ record_id: id }) => id);
      const notices = Map.groupBy(told, ({ record_id: id }) => id);
      expect(rows).toHaveLength(STUDENTS);
      for (const { id, version, score, wrong_count: wrong } of rows) {
        const own = scores(id);
        expect([score, wrong]).toEqual([own[version - 1], id % 3]);
        const steps = id % 3 === 0 ? [] : own.slice(1, version).map((after, at) => [own[at], after]);
        expect((history.get(id) ?? []).map((row) => [row.score_before, row.score_after])).toEqual(steps);
        expect(notices.get(id)?.length ?? 0).toBe(steps.length);
      }
      expect(await storedCounters(kit)).toEqual(await recountedCounters(kit));
      return rows.reduce((sum, { version }) => sum + version - 1, 0);
    };
    const moves = async () => {
      const { count } = await db.query
        .selectFrom('record_rescores')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    };
    expect(await check()).toBe(0);
    let cut = 0;
    for (let kill = 0; kill < 2; kill += 1) {
      await jobs.kill(RESCORE, moves);
      const after = await check();
      if (after > 0 && after < STUDENTS * 2) cut += 1;
    }
    expect(cut).toBeGreaterThan(0);
    expect(await jobs.finish(RESCORE)).toBe(0);
    expect(await check()).toBe(STUDENTS * 2);
    const points = await db.query
      .selectFrom('exam_question_stats')
      .select(['question_id', 'earned', 'total'])
      .orderBy('question_id')
      .execute();
    // The points of the comparison follow: a third earns all, the others a quarter.
    const third = STUDENTS / 3;
    expect(points.map(({ earned, total }) => [earned, total])).toEqual([
      [third * (4 + 4 + 1), STUDENTS * 4],
      [third * (4 + 1 + 1), STUDENTS * 4],
      [STUDENTS * 2, STUDENTS * 2],
    ]);
    const { done_at } = await db.query
      .selectFrom('question_corrections')
      .select('done_at')
      .orderBy('correction_id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(done_at).not.toBeNull();
  }, 120_000);
});
