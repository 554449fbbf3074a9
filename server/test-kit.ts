import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type Calls, calls } from '#contract/all.ts';
import type { DataOf, InputOf } from '#contract/call.ts';
import type { Refusal, Why } from '#contract/envelope.ts';
import { type App, createApp } from './app.ts';
import { type Bus, localBus } from './bus.ts';
import { fingerprintOf } from './db/fingerprint.ts';
import { type Db, openDb } from './db/open.ts';
import { localFiles } from './files.ts';
import type { Parts } from './parts.ts';
import { createSession } from './user/session.ts';

/** A database that call tests run on. */
interface TestDatabase {
  name: string;
  kind: 'sqlite' | 'postgres';
}

/** SQLite always, PostgreSQL too when TEST_DATABASE_URL names one: `describe.each(databases)('…on $name', (database) => …)`. */
export const databases: readonly TestDatabase[] = [
  { name: 'SQLite', kind: 'sqlite' },
  ...(process.env.TEST_DATABASE_URL ? [{ name: 'PostgreSQL', kind: 'postgres' } as const] : []),
];

/** Someone signed in. */
export interface TestUser {
  userId: number;
  phone: string;
  token: string;
}

type Inputs<N extends keyof Calls> = InputOf<Calls[N]>;
/** Fields with a default may be left out by a caller. */
type Sent<N extends keyof Calls> = Partial<
  Pick<Inputs<N>, Extract<keyof Inputs<N>, 'pageNum' | 'pageSize' | 'type' | 'questionTypesId'>>
> &
  Omit<Inputs<N>, 'pageNum' | 'pageSize' | 'type' | 'questionTypesId'>;

interface Sender {
  /** Who asks; left out: a visitor. */
  as?: TestUser | undefined;
  headers?: Record<string, string>;
}

/** The envelope of an answer with its HTTP status. */
interface Reply<D> {
  status: number;
  code: number;
  msg: string;
  data: D;
}

export interface TestApp {
  app: App;
  parts: Parts;
  db: Db;
  /** The hand-set clock: all that the app knows of time. */
  time: { now: number };
  /** SMS the app sent. */
  sms: { phone: string; code: string }[];
  /** Makes a call and gives its envelope, whatever it says. */
  call<N extends keyof Calls>(name: N, input: Sent<N>, sender?: Sender): Promise<Reply<DataOf<Calls[N]>>>;
  /** Makes a call that has to work and gives its data. */
  ok<N extends keyof Calls>(name: N, input: Sent<N>, sender?: Sender): Promise<DataOf<Calls[N]>>;
  /** Makes a call that has to be refused and gives the reason. */
  refused<N extends keyof Calls>(name: N, input: Sent<N>, sender?: Sender): Promise<Why>;
  /** Makes a call with any input at all: for junk. */
  raw(name: keyof Calls, input: unknown, sender?: Sender): Promise<Reply<unknown>>;
  /** A new person with a session of their own. */
  user(role?: 'student' | 'teacher'): Promise<TestUser>;
  /** Runs a background job once, by its name. */
  job(name: string): Promise<void>;
  /** A second process on the same database: its own app and connection, the same clock; alone with its bus if none is given. */
  sibling(bus?: Bus): Promise<TestApp>;
  close(): Promise<void>;
}

/** Where the hand-set clock starts: 2026-11-20 18:00 in China. */
export const START = Date.UTC(2026, 10, 20, 10, 0, 0);

let phones = 15_000_000_000 + Math.floor(Math.random() * 900_000_000);

/**
 * A real app in process on a real database of its own: a SQLite file in a temporary folder, or a fresh schema of
 * TEST_DATABASE_URL. Nothing is faked but the clock and the SMS provider. Close it in `afterAll`.
 */
export async function testApp(kind: TestDatabase['kind'] = 'sqlite', demo = true): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-test-'));
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const time = { now: START };
  const url = process.env.TEST_DATABASE_URL ?? '';
  const open = () =>
    openDb(kind === 'sqlite' ? { kind, path: join(folder, 'test.db') } : { kind, url, schema }, time.now);
  const first = await assemble(await open(), folder, time, demo, open);
  return {
    ...first,
    close: async () => {
      if (kind === 'postgres') await sql`drop schema ${sql.id(schema)} cascade`.execute(first.db.query);
      await first.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A test app around a database and a folder that are there already, e.g. of a restored backup. */
export async function assemble(
  db: Db,
  folder: string,
  time: { now: number },
  demo: boolean,
  open: () => Promise<Db>,
  bus: Bus = localBus(),
): Promise<TestApp> {
  const sms: TestApp['sms'] = [];
  const parts: Parts = {
    db,
    files: localFiles(join(folder, 'files')),
    sms: {
      send: async (phone, code) => {
        sms.push({ phone, code });
      },
    },
    bus,
    clock: () => time.now,
    random: randomBytes,
    log: pino({ level: 'error' }),
    demo,
    publicUrl: null,
  };
  const app = await createApp(parts);
  const byName = new Map(calls.map(({ call }) => [call.name as string, call]));

  async function raw(name: keyof Calls, input: unknown, sender: Sender = {}): Promise<Reply<unknown>> {
    const call = byName.get(name);
    if (!call) throw new Error(`no such call: ${name}`);
    const headers: Record<string, string> = { ...sender.headers };
    if (sender.as) headers.authorization = `Bearer ${sender.as.token}`;
    const answer =
      call.method === 'GET'
        ? await app.inject({ method: 'GET', url: call.path, query: asQuery(input), headers })
        : await app.inject({ method: 'POST', url: call.path, payload: input as object, headers });
    const envelope = answer.json() as Omit<Reply<unknown>, 'status'>;
    return { status: answer.statusCode, ...envelope };
  }
  const call = <N extends keyof Calls>(name: N, input: Sent<N>, sender?: Sender) =>
    raw(name, input, sender) as Promise<Reply<DataOf<Calls[N]>>>;

  return {
    app,
    parts,
    db,
    time,
    sms,
    raw,
    call,
    ok: async (name, input, sender) => {
      const reply = await call(name, input, sender);
      if (reply.code !== 200) throw new Error(`${name} was refused: ${JSON.stringify(reply)}`);
      return reply.data;
    },
    refused: async (name, input, sender) => {
      const reply = await raw(name, input, sender);
      if (reply.code === 200) throw new Error(`${name} was not refused: ${JSON.stringify(reply)}`);
      if (reply.code !== reply.status) throw new Error(`code ${reply.code} is not the status ${reply.status}`);
      return (reply.data as Refusal).why;
    },
    user: async (role = 'student') => {
      phones += 1;
      const phone = String(phones);
      const { id } = await db.query
        .insertInto('users')
        .values({ phone, password_hash: null, nickname: `学员${phone.slice(-4)}`, role, created_at: time.now })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { token } = await createSession(db.query, randomBytes, id, time.now);
      return { userId: id, phone, token };
    },
    job: async (name) => {
      const job = app.jobs.find((one) => one.name === name);
      if (!job) throw new Error(`no such job: ${name}`);
      await job.run();
    },
    sibling: async (other) => assemble(await open(), folder, time, demo, open, other),
    close: async () => {
      await app.close();
      await parts.bus.close();
      await db.close();
    },
  };
}

function asQuery(input: unknown): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) query[name] = String(value);
  }
  return query;
}

// ---- makers of content ----

/** A question as a test writes it; what is left out gets a plain value. */
export interface MakeQuestion {
  type: 1 | 2 | 3 | 4 | 5 | 8;
  /** Letters, or text for types 4 and 8. */
  right: string;
  /** How many options; 4 when left out (types 2, 3, 5). */
  options?: number;
  score?: number;
  /** Index into the pack's chapters; 0 when left out. */
  chapter?: number;
  topic?: string;
  caseId?: number;
}

export interface MadePack {
  packId: number;
  courseId: number;
  /** [level 1, its section (level 2), the section's point (level 3), a second level 1] */
  chapterIds: [number, number, number, number];
}

let made = 0;

/** A pack with one course and a chapter tree of three levels, and whoever is named enrolled. */
export async function makePack(
  { db, time }: Pick<TestApp, 'db' | 'time'>,
  options: { enrol?: 'open' | 'closed'; students?: readonly TestUser[] } = {},
): Promise<MadePack> {
  made += 1;
  const insert = db.query;
  const pack = await insert
    .insertInto('packs')
    .values({
      slug: `pack-${made}`,
      name: `课程包 ${made}`,
      summary: '摘要',
      description: '<p>说明</p>',
      exam_date: null,
      enrol: options.enrol ?? 'open',
      unlock: 'free',
      position: made,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const course = await insert
    .insertInto('courses')
    .values({ pack_id: pack.id, slug: 'course', name: '课程', position: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const chapter = async (slug: string, level: number, parent: number | null) =>
    (
      await insert
        .insertInto('chapters')
        .values({ pack_id: pack.id, course_id: course.id, parent_id: parent, slug, name: slug, level, position: level })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const one = await chapter('chapter-1', 1, null);
  const section = await chapter('section-1', 2, one);
  const point = await chapter('point-1', 3, section);
  const other = await chapter('chapter-2', 1, null);
  const packed = { packId: pack.id, courseId: course.id, chapterIds: [one, section, point, other] } satisfies MadePack;
  for (const student of options.students ?? []) await enrol({ db, time }, student, packed.packId);
  return packed;
}

/** Enrols a person in a pack. */
export async function enrol({ db, time }: Pick<TestApp, 'db' | 'time'>, user: TestUser, packId: number): Promise<void> {
  await db.query
    .insertInto('enrolments')
    .values({ user_id: user.userId, pack_id: packId, created_at: time.now, last_studied_at: null })
    .execute();
}

/** Questions of a pack; @returns their ids in order. */
export async function makeQuestions(
  { db }: Pick<TestApp, 'db'>,
  pack: MadePack,
  questions: readonly MakeQuestion[],
): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < questions.length; from += 500) {
    const rows = await db.query
      .insertInto('questions')
      .values(
        questions.slice(from, from + 500).map((question, at) => {
          made += 1;
          const topic = question.topic ?? `<p>题目 ${made}</p>`;
          return {
            pack_id: pack.packId,
            chapter_id: pack.chapterIds[question.chapter ?? 0] ?? pack.chapterIds[0],
            slug: `q-${made}`,
            question_types_id: question.type,
            topic,
            options: JSON.stringify(optionsOf(question)),
            right_answer: question.right,
            answer_analysis: `<p>解析 ${made}</p>`,
            score: question.score ?? 2,
            difficulty: null,
            case_id: question.caseId ?? null,
            position: from + at,
            fingerprint: fingerprintOf({ topic, options: optionsOf(question), material: null }),
          };
        }),
      )
      .returning('id')
      .execute();
    ids.push(...rows.map((row) => row.id));
  }
  return ids.sort((a, b) => a - b);
}

function optionsOf({ type, options = 4 }: MakeQuestion): Record<string, string> {
  if (type === 1) return { A: '对', B: '错' };
  if (type === 4 || type === 8) return {};
  return Object.fromEntries([...'ABCDEFGH'.slice(0, options)].map((letter) => [letter, `<p>选项 ${letter}</p>`]));
}

export interface MakeExam {
  kind?: 'chapter' | 'afterclass' | 'mock' | 'past' | 'timed';
  questionIds: readonly number[];
  /** Points each; the questions' own (2) when left out. */
  score?: number;
  minutes?: number | null;
  partial?: number | null;
  shuffleQuestions?: boolean;
  shuffleOptions?: boolean;
  year?: number;
  /** Index into the pack's chapters, for chapter and after-class practice. */
  chapter?: number;
  name?: string;
}

/** A paper of a pack; mock with 60 minutes when nothing else is said. */
export async function makeExam({ db }: Pick<TestApp, 'db'>, pack: MadePack, exam: MakeExam): Promise<number> {
  made += 1;
  const kind = exam.kind ?? 'mock';
  const practice = kind === 'chapter' || kind === 'afterclass';
  const points = new Map<number, number>();
  for (let from = 0; from < exam.questionIds.length; from += 1000) {
    const rows = await db.query
      .selectFrom('questions')
      .select(['id', 'score'])
      .where('id', 'in', exam.questionIds.slice(from, from + 1000))
      .execute();
    for (const row of rows) points.set(row.id, exam.score ?? row.score);
  }
  const { id } = await db.query
    .insertInto('exams')
    .values({
      pack_id: pack.packId,
      course_id: pack.courseId,
      chapter_id: practice ? (pack.chapterIds[exam.chapter ?? 0] ?? null) : null,
      slug: `${kind}-${made}`,
      kind,
      name: exam.name ?? `试卷 ${made}`,
      year: exam.year ?? null,
      exam_time: exam.minutes === undefined ? (practice ? null : 60) : exam.minutes,
      test_type: kind === 'timed' ? 11 : 0,
      partial: exam.partial ?? null,
      shuffle_questions: exam.shuffleQuestions ? 1 : 0,
      shuffle_options: exam.shuffleOptions ? 1 : 0,
      pass_score: null,
      total_question: exam.questionIds.length,
      total_score: [...points.values()].reduce((sum, score) => sum + score, 0),
      sections: kind === 'chapter' ? '[]' : JSON.stringify([{ title: '一、试题', questionIds: exam.questionIds }]),
      position: made,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let from = 0; from < exam.questionIds.length; from += 1000) {
    await db.query
      .insertInto('exam_questions')
      .values(
        exam.questionIds.slice(from, from + 1000).map((questionId, at) => ({
          exam_id: id,
          question_id: questionId,
          position: from + at,
          score: points.get(questionId) ?? 0,
        })),
      )
      .execute();
  }
  return id;
}
