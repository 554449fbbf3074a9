import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enrol } from '#server/course/enrolment-store.ts';
import { type MadePack, makePack } from '#server/course/pack.test-kit.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { createSession } from '#server/user/session.ts';

/** What one bench found: a line of the table. `value` is compared with the budget of its name. */
export interface Finding {
  name: string;
  value: number;
  unit: string;
  detail: string;
}

/** Prints what a bench found, for `bench/run.ts` to read. */
export function report(finding: Finding): void {
  process.stdout.write(`${JSON.stringify(finding)}\n`);
}

/** The control (bench/control-server.ts) in a process of its own. */
export async function startControl(): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'control-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [bytes] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(bytes.toString()),
    pid: child.pid ?? 0,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

/** A school for a bench: a folder with a database, students who are signed in and enrolled, and a paper. */
export interface School {
  dataDir: string;
  db: Db;
  pack: MadePack;
  examId: number;
  questionIds: number[];
  students: { userId: number; token: string }[];
  close(): Promise<void>;
}

interface SchoolOptions {
  students: number;
  questions: number;
  /** HTML of every topic, behind its number; each `#` in it is a number that no other question has. */
  topic?: string;
  /** An empty PostgreSQL database to use instead of SQLite. */
  databaseUrl?: string | undefined;
}

/** Makes a school, on SQLite unless a PostgreSQL database is given. */
export async function makeSchool(options: SchoolOptions): Promise<School> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lixue-bench-'));
  const now = Date.now();
  const { databaseUrl } = options;
  const db = await openDb(
    databaseUrl === undefined
      ? { kind: 'sqlite', path: join(dataDir, 'lixue.db'), busyMs: 2000 }
      : { kind: 'postgres', url: databaseUrl },
    now,
  );
  const at = { db, time: { now } };
  const pack = await makePack(at);
  const kinds = [2, 3, 1, 5] as const;
  const questionIds = await makeQuestions(
    at,
    pack,
    Array.from({ length: options.questions }, (_, index) => {
      const type = kinds[index % kinds.length] ?? 2;
      return {
        type,
        right: type === 3 ? 'ABD' : 'A',
        chapter: index % 4,
        ...(options.topic === undefined
          ? {}
          : { topic: `${index} ${options.topic.replaceAll('#', String(index + 2))}` }),
      };
    }),
  );
  const examId = await makeExam(at, pack, { questionIds, minutes: 120, partial: 0.5 });
  const students = await db.transaction(async (trx) => {
    const made: School['students'] = [];
    for (let index = 0; index < options.students; index += 1) {
      const { id } = await trx
        .insertInto('users')
        .values({
          phone: String(13_000_000_000 + index),
          password_hash: null,
          nickname: `学员${index}`,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { token } = await createSession(trx, randomBytes, id, now);
      await enrol(trx, id, pack.packId, now);
      made.push({ userId: id, token });
    }
    return made;
  });
  return {
    dataDir,
    db,
    pack,
    examId,
    questionIds,
    students,
    close: async () => {
      await db.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
