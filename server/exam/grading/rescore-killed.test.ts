import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { type DbTarget, openDb } from '#server/db/open.ts';
import { assemble, databases, type TestApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { RESCORE, RESCORE_OWN } from '../quality/quality.test-kit.ts';
import { SWEEP } from '../scene.test-kit.ts';
import { startSweep } from './sweep-process.test-kit.ts';

const STUDENTS = 1500;

describe.each(databases)('a server that is killed while it re-scores on $name', ({ kind }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-rescore-'));
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const target: DbTarget =
    kind === 'sqlite'
      ? { kind, path: join(folder, 'test.db') }
      : { kind, url: process.env.TEST_DATABASE_URL ?? '', schema };
  const open = () => openDb(target, Date.now());
  const kits: TestApp[] = [];
  afterAll(async () => {
    const [first] = kits;
    if (first && kind === 'postgres') await sql`drop schema ${sql.id(schema)} cascade`.execute(first.db.query);
    for (const kit of kits) await kit.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('every record is re-scored once, with its statistics, its history and its notice', async () => {
    const kit = await assemble(await open(), folder, { now: Date.now() }, false, open);
    kits.push(kit);
    const { db, time } = kit;
    const pack = await makePack(kit);
    const [questionId = 0, other = 0] = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'A' },
    ]);
    const examId = await makeExam(kit, pack, { questionIds: [questionId, other] });
    await db.transaction(async (trx) => {
      for (let from = 0; from < STUDENTS; from += 500) {
        const users = await trx
          .insertInto('users')
          .values(
            Array.from({ length: 500 }, (_, at) => ({
              phone: String(17_000_000_000 + from + at),
              password_hash: null,
              nickname: '学员',
              created_at: time.now,
            })),
          )
          .returning('id')
          .execute();
        const records = await trx
          .insertInto('exam_records')
          .values(
            users.map(({ id }) => ({
              user_id: id,
              exam_id: examId,
              pack_id: pack.packId,
              started_at: time.now - 7_200_000,
              ends_at: time.now - 3_600_000,
            })),
          )
          .returning('id')
          .execute();
        await trx
          .insertInto('exam_answers')
          .values(
            records.flatMap(({ id }) =>
              [questionId, other].map((question) => ({
                record_id: id,
                question_id: question,
                answer: question === questionId && id % 3 > 0 ? 'B' : 'A',
                seq: 1,
                saved_at: time.now - 5_000_000,
              })),
            ),
          )
          .execute();
      }
    });
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
      const process = await startSweep(target, folder, RESCORE);
      await expect.poll(async () => (await movedOf(db, examId)) > before, { timeout: 20_000, interval: 1 }).toBe(true);
      await process.kill();
      const after = await check();
      if (after > before && after < STUDENTS) cut += 1;
    }
    expect(cut).toBeGreaterThan(0);
    expect(await (await startSweep(target, folder, RESCORE)).ended()).toBe(0);
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
