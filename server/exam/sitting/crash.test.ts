import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { enrol, type MadePack, makePack } from '#server/course/pack.test-kit.ts';
import { type Db, type DbTarget, openDb } from '#server/db/open.ts';
import { type Cluster, postgresPrograms, startCluster } from '#server/db/postgres-cluster.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { startSweep } from '../grading/sweep-process.test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';

/*
 * Kills the server, or PostgreSQL, in the midst of saves, hand-ins and closings, and compares what was acknowledged with
 * what the disk holds. `CRASH_ROUNDS=100` kills that often (each database), `CRASH_SEED=…` chooses the same way again.
 */
const ROUNDS = process.env.CRASH_ROUNDS ? Number(process.env.CRASH_ROUNDS) : null;
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1e6);

const STUDENTS = 40;
const QUESTIONS = 24;
/** Saves that one student has in flight at once. */
const IN_FLIGHT = 3;
/** Students whose hand-in is under way when the blow falls. */
const HAND_INS = 8;
/** Exams whose time is over for every student: more records than the server closes in one transaction. */
const OVERDUE_EXAMS = 12;
/** Every question is worth this much. */
const POINTS = 2;

interface Save {
  seq: number;
  questionId: number;
  answer: string;
  acknowledged: boolean;
}

interface Student {
  userId: number;
  token: string;
  recordId: number;
  /** Everything that was sent for the record. */
  saves: Save[];
  /** The answers inside of a hand-in that was sent, and its score where it was acknowledged. */
  handIn: { answers: Save[]; score: number | null } | null;
}

interface School {
  examId: number;
  overdueExams: number[];
  pack: MadePack;
  questionIds: number[];
  students: Student[];
}

/** A number below `below`, the same ones in the same order for a seed (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Answered = { code: number; data: Record<string, unknown> };

/** Connections of the test to one server; null is the answer where that died before it had answered in full. */
function callsTo(port: number) {
  const agent = new Agent({ keepAlive: true });
  const ask = (token: string, method: string, path: string, body?: object) =>
    new Promise<Answered | null>((resolve) => {
      const payload = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      };
      const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (reply) => {
        let text = '';
        reply.on('data', (bytes: Buffer) => {
          text += bytes.toString();
        });
        reply.on('error', () => resolve(null));
        reply.on('close', () => resolve(reply.complete ? (JSON.parse(text) as Answered) : null));
      });
      sent.on('error', () => resolve(null));
      sent.end(payload);
    });
  return { ask, close: () => agent.destroy() };
}
type Calls = ReturnType<typeof callsTo>;

/** Uses the database over a connection of its own, which no kill has ever met. */
async function fresh<T>(target: DbTarget, use: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDb(target, Date.now());
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}

async function makeSchool(db: Db): Promise<School> {
  const time = { now: Date.now() };
  const pack = await makePack({ db, time });
  const questionIds = await makeQuestions(
    { db },
    pack,
    Array.from({ length: QUESTIONS }, (_, at) => ({ type: 2, right: 'A', score: POINTS, chapter: at % 3 })),
  );
  const examId = await makeExam({ db }, pack, { questionIds });
  const overdueExams: number[] = [];
  for (let at = 0; at < OVERDUE_EXAMS; at += 1) overdueExams.push(await makeExam({ db }, pack, { questionIds }));
  const students: Student[] = [];
  for (let at = 0; at < STUDENTS; at += 1) {
    const { id: userId } = await db.query
      .insertInto('users')
      .values({
        phone: `138${String(at).padStart(8, '0')}`,
        password_hash: null,
        nickname: '学员',
        created_at: time.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { token } = await createSession(db.query, randomBytes, userId, time.now);
    await enrol({ db, time }, { userId }, pack.packId);
    students.push({ userId, token, recordId: 0, saves: [], handIn: null });
  }
  return { examId, overdueExams, pack, questionIds, students };
}

/** Of each question what is stored has to be one of the saves that were sent, and none older than an acknowledged one. */
async function expectKept(db: Db, students: readonly Student[]): Promise<void> {
  const rows = await db.query
    .selectFrom('exam_answers')
    .select(['record_id', 'question_id', 'seq', 'answer'])
    .where(
      'record_id',
      'in',
      students.map(({ recordId }) => recordId),
    )
    .execute();
  const stored = new Map(rows.map((row) => [`${row.record_id} ${row.question_id}`, row]));
  const wrong: unknown[] = [];
  for (const { recordId, saves, handIn } of students) {
    const sent = [...saves, ...(handIn?.answers ?? [])];
    for (const questionId of new Set(sent.map((save) => save.questionId))) {
      const own = sent.filter((save) => save.questionId === questionId);
      const row = stored.get(`${recordId} ${questionId}`);
      stored.delete(`${recordId} ${questionId}`);
      const least = Math.max(0, ...own.filter(({ acknowledged }) => acknowledged).map(({ seq }) => seq));
      const isOwn = own.some(({ seq, answer }) => row?.seq === seq && row.answer === answer);
      if (row ? !isOwn || row.seq < least : least > 0) wrong.push({ recordId, row: row ?? null, own: own.slice(-6) });
    }
  }
  expect({ wrong: wrong.slice(0, 3), foreign: [...stored.values()] }).toEqual({ wrong: [], foreign: [] });
}

/** Adds up what the counters must hold from the records and answers themselves, and compares. */
async function expectSums(db: Db, { pack, questionIds }: School): Promise<number> {
  const { query } = db;
  const records = await query.selectFrom('exam_records').selectAll().where('submitted_at', 'is not', null).execute();
  const answers = new Map<string, string>();
  for (const row of await query.selectFrom('exam_answers').selectAll().execute())
    if (row.answer) answers.set(`${row.record_id} ${row.question_id}`, row.answer);
  const sums = new Map<string, [number, number]>();
  const add = (name: string, first: number, second: number) => {
    const sum = sums.get(name) ?? [0, 0];
    sums.set(name, [sum[0] + first, sum[1] + second]);
  };
  const expected: unknown[] = [];
  for (const { id, user_id, exam_id } of records) {
    const given = questionIds.map((questionId) => answers.get(`${id} ${questionId}`));
    const right = given.filter((answer) => answer === 'A').length;
    const answered = given.filter((answer) => answer !== undefined).length;
    expected.push([id, right * POINTS, right, answered - right, QUESTIONS - answered]);
    for (const [at, questionId] of questionIds.entries()) {
      const chapterId = pack.chapterIds[at % 3];
      const isRight = given[at] === 'A' ? 1 : 0;
      if (answered > 0) add(`exam ${exam_id} ${questionId}`, isRight * POINTS, POINTS);
      if (given[at] === undefined) continue;
      add(`question ${questionId}`, 1, isRight);
      add(`student ${user_id} ${chapterId}`, 1, isRight);
    }
  }
  expect(
    records.map((row) => [row.id, row.score, row.right_count, row.wrong_count, row.unanswered_count]),
    'results of the records',
  ).toEqual(expected);
  const found = new Map<string, [number, number]>();
  for (const row of await query.selectFrom('question_accuracy').selectAll().execute())
    found.set(`question ${row.question_id}`, [row.taken, row.right_count]);
  for (const row of await query.selectFrom('exam_question_stats').selectAll().execute())
    found.set(`exam ${row.exam_id} ${row.question_id}`, [row.earned, row.total]);
  for (const row of await query.selectFrom('chapter_progress').selectAll().execute())
    found.set(`student ${row.user_id} ${row.chapter_id}`, [row.graded, row.right_count]);
  const inOrder = (map: Map<string, [number, number]>) =>
    [...map].filter(([, [a, b]]) => a !== 0 || b !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(inOrder(found), 'sums').toEqual(inOrder(sums));
  return records.length;
}

/** How long anything may take to be back. */
const POLL = { timeout: 30_000, interval: 1 };

const tally = { kills: 0, acknowledged: 0, again: 0, handIns: 0, cutHandIns: 0, closed: 0, cutSweeps: 0 };

/** One kind of blow: what dies, and what is there again afterwards. */
interface Blow {
  /** Deals it; resolves when the process is gone. */
  strike(): Promise<void>;
}

class Rounds {
  readonly #school: School;
  readonly #target: DbTarget;
  readonly #random: (below: number) => number;
  #seq = 0;

  constructor(school: School, target: DbTarget, random: (below: number) => number) {
    this.#school = school;
    this.#target = target;
    this.#random = random;
  }

  #newSave(questionId?: number): Save {
    this.#seq += 1 + this.#random(3);
    const { questionIds } = this.#school;
    const id = questionId ?? questionIds[this.#random(QUESTIONS)] ?? 0;
    return { seq: this.#seq, questionId: id, answer: 'ABCD'[this.#random(4)] ?? 'A', acknowledged: false };
  }

  /** Sends a save; @returns whether it was acknowledged. What is neither that nor uncertain is a fault. */
  async #send(calls: Calls, student: Student, save: Save): Promise<boolean> {
    const { seq, questionId, answer } = save;
    const { examId } = this.#school;
    const input = { examId, recordId: student.recordId, questionId, answer, seq };
    const reply = await calls.ask(student.token, 'POST', '/api/exam/save_question', input);
    if (reply === null || reply.code === 503) return false;
    expect(reply, JSON.stringify(input)).toMatchObject({ code: 200 });
    const { seq: stored, stale } = reply.data;
    const newer = student.saves.some((other) => other.questionId === questionId && other.seq === stored);
    expect([stale, newer], 'what is said to be stored was sent').toEqual([stored !== seq, true]);
    save.acknowledged = true;
    tally.acknowledged += 1;
    return true;
  }

  async #handIn(calls: Calls, student: Student): Promise<boolean> {
    const { handIn, recordId } = student;
    if (!handIn) return false;
    const answers = handIn.answers.map(({ questionId, answer, seq }) => ({ questionId, answer, seq }));
    const { examId } = this.#school;
    const reply = await calls.ask(student.token, 'POST', '/api/exam/submit', { examId, recordId, answers });
    if (reply === null || reply.code === 503) return false;
    expect(reply).toMatchObject({ code: 200, data: { closed: 'submitted', late: [] } });
    if (handIn.score !== null) expect(reply.data.score, 'of a repeated hand-in').toBe(handIn.score);
    handIn.score = Number(reply.data.score);
    for (const save of handIn.answers) save.acknowledged = true;
    return true;
  }

  /** Sends again what is uncertain, until all of it is acknowledged; whoever handed in begins anew. */
  async settle(calls: Calls): Promise<void> {
    const { examId, students } = this.#school;
    for (const student of students) {
      if (student.handIn) tally.cutHandIns += student.handIn.score === null ? 1 : 0;
    }
    await Promise.all(
      students.map(async (student) => {
        const uncertain = student.saves.filter(({ acknowledged }) => !acknowledged);
        for (const save of uncertain) {
          await expect.poll(() => this.#send(calls, student, save), { ...POLL, interval: 50 }).toBe(true);
          tally.again += 1;
        }
        // Repeating what was acknowledged is as good.
        if (student.handIn) {
          await expect.poll(() => this.#handIn(calls, student), { ...POLL, interval: 50 }).toBe(true);
          expect(await this.#handIn(calls, student)).toBe(true);
        }
      }),
    );
    await fresh(this.#target, async (db) => {
      await this.#expectGraded(db);
      await expectKept(db, students);
    });
    await Promise.all(
      students.map(async (student) => {
        if (student.handIn !== null) tally.handIns += 1;
        if (student.recordId !== 0 && student.handIn === null) return;
        const started = await calls.ask(student.token, 'GET', `/app/exam/test_start?examId=${examId}`);
        expect(started?.code).toBe(200);
        const recordId = Number(started?.data.recordId);
        expect(recordId, 'a record that was handed in is over').not.toBe(student.recordId);
        Object.assign(student, { recordId, saves: [], handIn: null });
      }),
    );
  }

  /** What was handed in holds the enclosed answers, closed once, with the score that was said. */
  async #expectGraded(db: Db): Promise<void> {
    const handed = this.#school.students.filter(({ handIn }) => handIn !== null);
    for (const { recordId, handIn } of handed) {
      const record = await db.query
        .selectFrom('exam_records')
        .select(['closed', 'score'])
        .where('id', '=', recordId)
        .executeTakeFirstOrThrow();
      expect(record).toEqual({ closed: 'submitted', score: handIn?.score });
      const rows = await db.query
        .selectFrom('exam_answers')
        .select(['question_id', 'seq', 'answer'])
        .where('record_id', '=', recordId)
        .execute();
      for (const { questionId, seq, answer } of handIn?.answers ?? [])
        expect(rows).toContainEqual({ question_id: questionId, seq, answer });
    }
  }

  /** Students save, some hand in, the blow falls; then everything is compared. */
  async round(calls: Calls, { strike }: Blow): Promise<void> {
    const { students, questionIds } = this.#school;
    let saved = 0;
    let over = false;
    const handingIn = new Set(Array.from({ length: HAND_INS }, () => students[this.#random(STUDENTS)]));
    let handInsBegin = () => {};
    const handInsMay = new Promise<void>((resolve) => {
      handInsBegin = resolve;
    });
    let stopSaving = false;
    const lane = async (student: Student) => {
      while (!over && !(stopSaving && handingIn.has(student))) {
        const save = this.#newSave();
        student.saves.push(save);
        if (!(await this.#send(calls, student, save))) return false;
        saved += 1;
      }
      return true;
    };
    const working = students.map(async (student) => {
      const lanes = await Promise.all(Array.from({ length: IN_FLIGHT }, () => lane(student)));
      // Nothing of theirs is uncertain: what the hand-in encloses is the newest.
      if (!handingIn.has(student) || over || lanes.includes(false)) return;
      await handInsMay;
      const answers = questionIds.slice(0, 2 + this.#random(4)).map((questionId) => this.#newSave(questionId));
      student.handIn = { answers, score: null };
      await this.#handIn(calls, student);
    });
    const failed = Promise.all(working);
    failed.catch(() => undefined);
    const enough = 200 + this.#random(300);
    while (saved < enough) await Promise.race([new Promise((next) => setImmediate(next)), failed]);
    stopSaving = true;
    // The blow falls a few answers later: before, in and after the commit of the hand-ins.
    const after = saved + this.#random(40);
    handInsBegin();
    while (saved < after) await Promise.race([new Promise((next) => setImmediate(next)), failed]);
    await strike();
    over = true;
    tally.kills += 1;
    await failed;
  }

  async compare(): Promise<void> {
    await fresh(this.#target, async (db) => {
      await expectKept(db, this.#school.students);
      await expectSums(db, this.#school);
    });
  }

  /** Records whose time has been over for an hour, with a few answers each. */
  async makeOverdue(): Promise<void> {
    const { students, overdueExams, pack, questionIds } = this.#school;
    const now = Date.now();
    await fresh(this.#target, async (db) => {
      for (const examId of overdueExams) {
        const made = await db.query
          .insertInto('exam_records')
          .values(
            students.map(({ userId }) => ({
              user_id: userId,
              exam_id: examId,
              pack_id: pack.packId,
              started_at: now - 7_200_000,
              ends_at: now - 3_600_000,
            })),
          )
          .returning('id')
          .execute();
        const answers = made.flatMap(({ id }) =>
          questionIds.slice(0, 1 + this.#random(10)).map((questionId) => ({
            record_id: id,
            question_id: questionId,
            answer: 'ABCD'[this.#random(4)] ?? 'A',
            seq: 1,
            saved_at: now - 5_000_000,
          })),
        );
        for (let at = 0; at < answers.length; at += 100)
          await db.query
            .insertInto('exam_answers')
            .values(answers.slice(at, at + 100))
            .execute();
      }
    });
  }

  /** How many of the overdue records are open. */
  async overdueLeft(db: Db): Promise<number> {
    const rows = await db.query
      .selectFrom('exam_records')
      .select('id')
      .where('exam_id', 'in', this.#school.overdueExams)
      .where('submitted_at', 'is', null)
      .execute();
    return rows.length;
  }

  /** Kills what closes the overdue records, at any moment and between two of its transactions; the last one finishes. */
  async sweep(dataDir: string): Promise<void> {
    await this.makeOverdue();
    const all = await fresh(this.#target, (db) => this.overdueLeft(db));
    expect(all).toBe(STUDENTS * OVERDUE_EXAMS);
    for (const until of ['any moment', 'some are closed'] as const) {
      await fresh(this.#target, async (db) => {
        const sweep = await startSweep(this.#target, dataDir);
        if (until === 'any moment') for (let at = this.#random(200); at > 0; at -= 1) await new Promise(setImmediate);
        else await expect.poll(() => this.overdueLeft(db), POLL).toBeLessThan(all);
        await sweep.kill();
      });
      tally.kills += 1;
      await fresh(this.#target, async (db) => {
        tally.cutSweeps += [0, all].includes(await this.overdueLeft(db)) ? 0 : 1;
        await expectSums(db, this.#school);
      });
    }
    expect(await (await startSweep(this.#target, dataDir)).ended()).toBe(0);
    await fresh(this.#target, async (db) => {
      expect(await this.overdueLeft(db)).toBe(0);
      await expectSums(db, this.#school);
    });
    tally.closed += all;
  }
}

function report(name: string): void {
  const { kills, acknowledged, again, handIns, cutHandIns, closed, cutSweeps } = tally;
  process.stderr.write(
    `crash on ${name}, seed ${SEED}: ${kills} kills, ${acknowledged} acknowledged saves, ${again} uncertain ones sent again, ` +
      `${handIns} hand-ins, ${cutHandIns} of them cut, ${closed} records closed by the sweep, which ${cutSweeps} kills met in its middle\n`,
  );
  expect(acknowledged).toBeGreaterThan(kills * 100);
  for (const key of Object.keys(tally) as (keyof typeof tally)[]) tally[key] = 0;
}

const timeout = 240_000 + (ROUNDS ?? 0) * 20_000;

it('SQLite: what was acknowledged stands after every kill of the server, and all is graded once', {
  timeout,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lixue-crash-'));
  const target: DbTarget = { kind: 'sqlite', path: join(dataDir, 'lixue.db'), busyMs: 5000 };
  const school = await fresh(target, makeSchool);
  const rounds = new Rounds(school, target, chance(SEED));
  for (let round = 0; round < (ROUNDS ?? 3); round += 1) {
    const server = await startServer({ dataDir });
    const calls = callsTo(server.port);
    await rounds.settle(calls);
    await rounds.round(calls, { strike: server.kill });
    calls.close();
    await rounds.compare();
  }
  const server = await startServer({ dataDir });
  const calls = callsTo(server.port);
  await rounds.settle(calls);
  calls.close();
  await server.kill();
  await rounds.sweep(dataDir);
  report('SQLite');
  rmSync(dataDir, { recursive: true, force: true });
});

const programs = postgresPrograms();

it.skipIf(programs === null)(
  `PostgreSQL: the same, and after kills of PostgreSQL itself${programs === null ? ' (initdb is not installed here)' : ''}`,
  { timeout },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lixue-crash-'));
    const cluster: Cluster = await startCluster(programs ?? '');
    try {
      const target: DbTarget = { kind: 'postgres', url: cluster.url };
      const school = await fresh(target, makeSchool);
      const rounds = new Rounds(school, target, chance(SEED));
      const start = () => startServer({ dataDir, databaseUrl: cluster.url });
      let server = await start();
      for (let round = 0; round < (ROUNDS ?? 3); round += 1) {
        const calls = callsTo(server.port);
        await rounds.settle(calls);
        const what = (['kill', 'server', 'killBackend'] as const)[round % 3] ?? 'kill';
        await rounds.round(calls, { strike: what === 'server' ? server.kill : cluster[what] });
        calls.close();
        // The server lives through the end of its database.
        if (what !== 'server') await cluster.recover();
        await rounds.compare();
        if (what === 'server') server = await start();
      }
      const calls = callsTo(server.port);
      await rounds.settle(calls);
      calls.close();
      await server.kill();
      await rounds.sweep(dataDir);
      report('PostgreSQL');
    } finally {
      await cluster.remove();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
