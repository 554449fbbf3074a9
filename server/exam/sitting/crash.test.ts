import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { type Db, type DbTarget, openDb } from '#server/db/open.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { PairMap } from '../pair-map.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';

const STUDENTS = 200;
const QUESTIONS = 40;

interface Student {
  token: string;
  recordId: number;
  /** By question: the highest number that was acknowledged, with its answer. */
  acknowledged: Map<number, { seq: number; answer: string }>;
  /** Score of an acknowledged hand-in. */
  handedIn: number | null;
}

type Answered = { code: number; data: Record<string, unknown> };

/** One call over a kept connection; null when the server died before it answered in full. */
function callServer(
  agent: Agent,
  port: number,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answered | null> {
  return new Promise((resolve) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
      },
      (reply) => {
        let text = '';
        reply.on('data', (bytes: Buffer) => {
          text += bytes.toString();
        });
        reply.on('error', () => resolve(null));
        reply.on('close', () => resolve(reply.complete ? (JSON.parse(text) as Answered) : null));
      },
    );
    sent.on('error', () => resolve(null));
    sent.end(payload);
  });
}

/** Compares everything that was acknowledged with what the database holds after the crash. */
async function expectNothingLost(db: Db, students: readonly Student[]): Promise<number> {
  let compared = 0;
  const lost: unknown[] = [];
  const answers = await db.query.selectFrom('exam_answers').selectAll().execute();
  const stored = new PairMap<(typeof answers)[number]>();
  for (const row of answers) stored.set(row.record_id, row.question_id, row);
  const records = new Map(
    (await db.query.selectFrom('exam_records').selectAll().execute()).map((row) => [row.id, row]),
  );
  for (const student of students) {
    for (const [questionId, { seq, answer }] of student.acknowledged) {
      compared += 1;
      const row = stored.get(student.recordId, questionId);
      const safe = row !== undefined && (row.seq > seq || (row.seq === seq && row.answer === answer));
      if (!safe) lost.push({ recordId: student.recordId, questionId, seq, answer, stored: row ?? null });
    }
    if (student.handedIn !== null) {
      const record = records.get(student.recordId);
      if (record?.submitted_at == null || record.score !== student.handedIn)
        lost.push({ handedIn: student.handedIn, record });
    }
  }
  expect(lost).toEqual([]);
  return compared;
}

async function crashRounds(target: DbTarget, dataDir: string, rounds: number): Promise<number> {
  const time = { now: Date.now() };
  const db = await openDb(target, time.now);
  const pack = await makePack({ db, time });
  const questionIds = await makeQuestions(
    { db },
    pack,
    Array.from({ length: QUESTIONS }, () => ({ type: 2, right: 'A' })),
  );
  const examId = await makeExam({ db }, pack, { questionIds });
  const students: Student[] = [];
  for (let at = 0; at < STUDENTS; at += 1) {
    const user = await db.query
      .insertInto('users')
      .values({
        phone: `1380000${String(at).padStart(4, '0')}`,
        password_hash: null,
        nickname: '学员',
        created_at: time.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { token } = await createSession(db.query, randomBytes, user.id, time.now);
    await enrol({ db, time }, { userId: user.id }, pack.packId);
    students.push({ token, recordId: 0, acknowledged: new Map(), handedIn: null });
  }

  let seq = 0;
  let compared = 0;
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ dataDir, ...(target.kind === 'postgres' ? { databaseUrl: target.url } : {}) });
    const agent = new Agent({ keepAlive: true, maxSockets: STUDENTS });
    const ask = (student: Student, method: string, path: string, body?: object) =>
      callServer(agent, server.port, student.token, method, path, body);
    let alive = true;
    let saved = 0;

    async function work(student: Student): Promise<void> {
      const started = await ask(student, 'GET', `/app/exam/test_start?examId=${examId}`);
      if (!started) return;
      if (started.data.recordId !== student.recordId) {
        // Only a hand-in, acknowledged or under way at the crash, may end a record.
        student.recordId = Number(started.data.recordId);
        student.acknowledged.clear();
      }
      student.handedIn = null;
      while (alive) {
        seq += 1;
        const own = seq;
        const questionId = questionIds[own % QUESTIONS] ?? 0;
        const answer = 'ABCD'[(own >> 3) % 4] ?? 'A';
        const body = { examId, recordId: student.recordId, questionId, answer, seq: own };
        const reply = await ask(student, 'POST', '/api/exam/save_question', body);
        if (!reply) return;
        if (reply.code !== 200) throw new Error(`a save was refused: ${JSON.stringify(reply)}`);
        saved += 1;
        student.acknowledged.set(questionId, { seq: own, answer });
        if (own % 997 === 0) {
          const result = await ask(student, 'POST', '/api/exam/submit', { examId, recordId: student.recordId });
          if (result?.code === 200) student.handedIn = Number(result.data.score);
          return;
        }
      }
    }

    const working = Promise.all(students.map(work));
    // The blow falls in the midst of saving: after more acknowledgements in each round, not after a time.
    while (saved < STUDENTS + round * 150) await new Promise((next) => setImmediate(next));
    const before = saved;
    await server.kill();
    alive = false;
    await working;
    agent.destroy();
    expect(before).toBeGreaterThan(0);
    compared += await expectNothingLost(db, students);
  }
  await db.close();
  return compared;
}

it('SIGKILL in the midst of 200 concurrent exams, 20 times: nothing acknowledged is lost', {
  timeout: 240_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lixue-crash-'));
  const compared = await crashRounds({ kind: 'sqlite', path: join(dataDir, 'lixue.db'), busyMs: 1000 }, dataDir, 20);
  rmSync(dataDir, { recursive: true, force: true });
  expect(compared).toBeGreaterThan(20_000);
});

it.skipIf(!process.env.TEST_DATABASE_URL)('the same on PostgreSQL, 5 times', { timeout: 240_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lixue-crash-'));
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  const admin = await openDb({ kind: 'postgres', url: url.href, schema: `crash_${randomBytes(4).toString('hex')}` }, 0);
  const name = `lixue_crash_${randomBytes(4).toString('hex')}`;
  await sql.raw(`create database ${name}`).execute(admin.query);
  url.pathname = `/${name}`;
  const compared = await crashRounds({ kind: 'postgres', url: url.href }, dataDir, 5);
  await sql.raw(`drop database ${name} with (force)`).execute(admin.query);
  await admin.close();
  rmSync(dataDir, { recursive: true, force: true });
  expect(compared).toBeGreaterThan(2_000);
});
