import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { freshDatabase } from '#server/db/fresh-database.test-kit.ts';
import { type DbTarget, openDb } from '#server/db/open.ts';
import { assemble, type TestApp } from '#server/test-kit.ts';
import { startSweep } from './sweep-process.test-kit.ts';

/** A database that a test works on, and beside it processes of their own that do one job and may be killed meanwhile. */
interface JobDatabase {
  /** The app of the test, by the clock of the machine, as that of the processes is. */
  open(): Promise<TestApp>;
  /** Starts the job and kills its process at the first figure of `done` that is higher than before. */
  kill(job: string, done: () => Promise<number>): Promise<void>;
  /** Lets a process do the job to its end. @returns its exit code */
  finish(job: string): Promise<number | null>;
}

/** The database of a `describe`, which is gone after it. */
export function jobDatabase(kind: DbTarget['kind']): JobDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-job-'));
  let making: ReturnType<typeof freshDatabase> | undefined;
  const database = () => {
    making ??= freshDatabase(kind, join(folder, 'test.db'));
    return making;
  };
  const openTarget = async () => openDb((await database()).target, Date.now());
  const kits: TestApp[] = [];
  afterAll(async () => {
    for (const kit of kits) await kit.close();
    await (await making)?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    open: async () => {
      const kit = await assemble(await openTarget(), folder, { now: Date.now() }, false, openTarget);
      kits.push(kit);
      return kit;
    },
    kill: async (job, done) => {
      const before = await done();
      const process = await startSweep((await database()).target, folder, job);
      await expect.poll(async () => (await done()) > before, { timeout: 20_000, interval: 1 }).toBe(true);
      await process.kill();
    },
    finish: async (job) => (await startSweep((await database()).target, folder, job)).ended(),
  };
}

interface OverduePaper {
  packId: number;
  examId: number;
  questionIds: readonly number[];
  /** A multiple of 500. */
  students: number;
  /** What stands in a record by its id, in the order of the questions. */
  answers: (recordId: number) => readonly string[];
}

/** Students whose time for a paper has been over for an hour, each with answers and not yet graded. */
export async function addOverdueRecords(
  { db, time }: Pick<TestApp, 'db' | 'time'>,
  paper: OverduePaper,
): Promise<void> {
  const { packId, examId, questionIds, students, answers } = paper;
  await db.transaction(async (trx) => {
    for (let from = 0; from < students; from += 500) {
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
            pack_id: packId,
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
            answers(id).map((answer, at) => ({
              ...{ record_id: id, question_id: questionIds[at] ?? 0, answer },
              ...{ seq: 1, saved_at: time.now - 5_000_000 },
            })),
          ),
        )
        .execute();
    }
  });
}
