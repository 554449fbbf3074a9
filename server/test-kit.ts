import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type CallData, type CallInputs, type Calls, calls } from '#contract/all.ts';
import type { Refusal, Why } from '#contract/envelope.ts';
import type { Role } from '#contract/values/user.ts';
import { type App, createApp } from './app.ts';
import { type Bus, localBus } from './bus.ts';
import { runOnce } from './chores.ts';
import type { SharedClock } from './db/clock.ts';
import { freshDatabase } from './db/fresh-database.test-kit.ts';
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

type Inputs<N extends keyof Calls> = CallInputs[N];
/** Fields with a default may be left out by a caller. */
type Sent<N extends keyof Calls> = Partial<
  Pick<Inputs<N>, Extract<keyof Inputs<N>, 'pageNum' | 'pageSize' | 'page' | 'type' | 'questionTypesId'>>
> &
  Omit<Inputs<N>, 'pageNum' | 'pageSize' | 'page' | 'type' | 'questionTypesId'>;

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

/** A clock that is set by hand. */
interface TestTime {
  now: number;
  /** The clock was just moved, and nobody knows yet whether rightly. */
  inDoubt?: boolean;
}

export interface TestApp {
  app: App;
  parts: Parts;
  db: Db;
  /** The hand-set clock: all that the app knows of time, and whether it is sure of it. */
  time: TestTime;
  /** SMS the app sent. */
  sms: { phone: string; code: string }[];
  /** Makes a call and gives its envelope, whatever it says. */
  call<N extends keyof Calls>(name: N, input: Sent<N>, sender?: Sender): Promise<Reply<CallData[N]>>;
  /** Makes a call that has to work and gives its data. */
  ok<N extends keyof Calls>(name: N, input: Sent<N>, sender?: Sender): Promise<CallData[N]>;
  /** Makes a call that has to be refused and gives the reason. */
  refused<N extends keyof Calls>(name: N, input: Sent<N>, sender?: Sender): Promise<Why>;
  /** Makes a call with any input at all: for junk. */
  raw(name: keyof Calls, input: unknown, sender?: Sender): Promise<Reply<unknown>>;
  /** A new person with a session of their own. */
  user(role?: Role): Promise<TestUser>;
  /** Runs a background chore once, by its name. */
  chore(name: string): Promise<void>;
  /** A second process on the same database: its own app and connection, the same clock; alone with its bus if none is given. */
  sibling(bus?: Bus): Promise<TestApp>;
  close(): Promise<void>;
}

/** Where the hand-set clock starts: 2026-11-20 18:00 in China. */
export const START = Date.UTC(2026, 10, 20, 10, 0, 0);

let phones = 15_000_000_000 + Math.floor(Math.random() * 900_000_000);

/**
 * A real app in process on a real database of its own: a SQLite file in a temporary folder, or a fresh database
 * beside that of TEST_DATABASE_URL. Nothing is faked but the clock and the SMS provider. Close it in `afterAll`.
 * @param clockOf makes another clock than the one set by hand
 */
export async function testApp(
  kind: TestDatabase['kind'] = 'sqlite',
  demo = true,
  clockOf?: (db: Db) => Promise<SharedClock>,
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-test-'));
  const time: TestTime = { now: START };
  const { target, remove } = await freshDatabase(kind, join(folder, 'test.db'));
  const open = () => openDb(target, time.now);
  const db = await open();
  const first = await assemble(db, folder, time, demo, open, localBus(), await clockOf?.(db));
  return {
    ...first,
    close: async () => {
      await first.close();
      await remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A test app around a database and a folder that are there already, e.g. of a restored backup. */
export async function assemble(
  db: Db,
  folder: string,
  time: TestTime,
  demo: boolean,
  open: () => Promise<Db>,
  bus: Bus = localBus(),
  clock?: Pick<SharedClock, 'now' | 'sureTime' | 'onSetBack'>,
): Promise<TestApp> {
  const sms: TestApp['sms'] = [];
  const parts: Parts = {
    db,
    files: localFiles(join(folder, 'files')),
    workFolder: join(folder, 'work'),
    rtmp: null,
    srs: null,
    ffmpegPath: null,
    sms: {
      send: async (phone, code) => {
        sms.push({ phone, code });
      },
    },
    lessonShare: 0.9,
    smsBudget: { perHour: 2000, perAddressHour: 600 },
    identitySecret: Buffer.from('of tests alone'),
    captcha: null,
    payments: [],
    sandboxPay: demo,
    bus,
    clock: clock?.now ?? (() => time.now),
    sureTime: clock?.sureTime ?? (async () => (time.inDoubt ? null : time.now)),
    onClockSetBack: clock?.onSetBack ?? (() => undefined),
    random: randomBytes,
    log: pino({ level: 'error' }),
    metrics: new Registry(),
    demo,
    publicUrl: null,
  };
  const app = await createApp(parts, { apiDocs: true, metrics: true });
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
    raw(name, input, sender) as Promise<Reply<CallData[N]>>;

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
    chore: async (name) => {
      const chore = app.chores.find((known) => known.name === name);
      if (!chore) throw new Error(`no such chore: ${name}`);
      await runOnce(chore, () => parts.sureTime(db.query));
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
