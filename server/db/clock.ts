import { uptime } from 'node:os';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type ClockState, clockAtStart, clockStep, isSure, TOLERANCE } from '#rules/clock/step.ts';
import type { Chore } from '#server/chores.ts';
import type { Db, Query } from './open.ts';

/** Milliseconds between two looks at the clocks of this machine. */
const LOOK_EVERY = 1000;
/** Milliseconds between two questions to the database for the time, while nothing is in doubt. */
const ASK_EVERY = 60_000;
/** Questions at once: the quickest answer says it best. */
const QUESTIONS = 3;

/** The clocks of a machine, in milliseconds; tests give their own. */
interface MachineClocks {
  /** Epoch milliseconds; anybody may set it. */
  wall(): number;
  /** Nobody sets it; it stands still while the machine is suspended. */
  monotonic(): number;
  /** How long the machine has been up, its sleep included; null where that is not known. */
  uptime(): number | null;
}

const thisMachine: MachineClocks = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => {
    try {
      return uptime() * 1000;
    } catch {
      return null;
    }
  },
};

/**
 * Called when the clock was set back by `by` milliseconds while it ran, and again until it went well. `since`: its time when it
 * began to run; `at`: the new time at which it was set back.
 */
type SetBack = (by: number, since: number, at: number) => Promise<void>;

/** The clock that decides in exams. */
export interface SharedClock {
  /** Epoch milliseconds, whole. It never goes back, unless the clock was set back and that is confirmed. */
  now(): number;
  /** For what cannot be undone (server/parts.ts). */
  sureTime(query: Query): Promise<number | null>;
  /** Registers what has to be done when a step back was confirmed; the time is not sure before it is done. */
  onSetBack(done: SetBack): void;
  /** What keeps it right while the server runs. */
  chores: readonly Chore[];
}

/** The time that a PostgreSQL tells, in epoch milliseconds. */
async function databaseTime(query: Query): Promise<number> {
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(
    query,
  );
  return Number(rows[0]?.at);
}

/** The time by which exams are held, asked once: for a command, which has no clock of its own that runs. */
export async function timeNow({ kind, query }: Pick<Db, 'kind' | 'query'>): Promise<number> {
  return kind === 'sqlite' ? Date.now() : Math.floor(await databaseTime(query));
}

/**
 * The one clock (decisions §3, docs/decisions/008-one-clock.md): it runs on the monotonic clock from a time that was told
 * once, by the wall clock (SQLite: one server) or by PostgreSQL (for all its servers). What is told later is compared with
 * it: a drift is followed, a step has to stand before it is believed (rules/clock/step.ts), and meanwhile the time is not
 * sure, so that what cannot be undone waits.
 */
export async function sharedClock(
  db: Pick<Db, 'kind' | 'query'>,
  log: Pick<Logger, 'warn'>,
  clocks: MachineClocks = thisMachine,
): Promise<SharedClock> {
  const { wall, monotonic } = clocks;
  const shared = db.kind === 'postgres';
  const setBack: SetBack[] = [];

  const readMachine = () => {
    const at = monotonic();
    return { monotonic: at, told: wall(), within: 0, uptime: clocks.uptime() };
  };
  const ask = async (query: Query, times: number) => {
    let best = { monotonic: 0, told: 0, within: Number.POSITIVE_INFINITY };
    for (let asked = 0; asked < times; asked += 1) {
      const before = monotonic();
      const told = await databaseTime(query);
      const within = (monotonic() - before) / 2;
      if (within < best.within) best = { monotonic: before + within, told, within };
    }
    return { ...best, uptime: clocks.uptime() };
  };

  let state: ClockState = clockAtStart(shared ? await ask(db.query, QUESTIONS) : readMachine());
  let since = Math.floor(state.readAt + state.offset);
  let latest = 0;
  let askedAt = state.readAt;
  /** Where this machine's own wall clock stands, beside a database that tells the time: a step of it is a reason to ask. */
  let ownOffset = wall() - monotonic();
  let suspicious = false;
  /** Steps back that were adopted, oldest first, after which something has to be done still. */
  const toSetBack: { by: number; at: number }[] = [];
  let settingBack: Promise<void> | null = null;

  const now = () => {
    const time = Math.floor(monotonic() + state.offset);
    if (time > latest) latest = time;
    return latest;
  };
  const sure = () => isSure(state) && !suspicious && toSetBack.length === 0;

  function take(reading: Parameters<typeof clockStep>[1]): void {
    // Answers of the database may overtake each other; an old one says nothing new.
    if (reading.monotonic < state.readAt) return;
    const { state: next, event, by } = clockStep(state, reading);
    state = next;
    const whose = shared ? "the database's clock" : 'the clock of this machine';
    const seconds = Math.round(by / 100) / 10;
    if (event === 'seen') log.warn({ seconds }, `${whose} was moved: not believed until it has stood there`);
    if (event === 'gone') log.warn(`${whose} is back where it was: its step was not followed`);
    if (event === 'slept') log.warn({ seconds }, 'this machine was asleep: the time goes on from where it is now');
    if (event !== 'adopted') return;
    log.warn({ seconds }, `${whose} has stood where it was moved to: its time is taken`);
    if (by > 0) return;
    latest = 0;
    toSetBack.push({ by, at: now() });
    // Whoever read the clock may do so in a transaction, and what is done here needs one of its own: nobody waits for it
    // but `watch`, which tries again what failed and tells of it.
    doSetBacks().catch(() => undefined);
  }

  function doSetBacks(): Promise<void> {
    settingBack ??= doAllSetBacks().finally(() => {
      settingBack = null;
    });
    return settingBack;
  }

  async function doAllSetBacks(): Promise<void> {
    for (let [step] = toSetBack; step; [step] = toSetBack) {
      for (const done of setBack) await done(-step.by, since, step.at);
      since += Math.floor(step.by);
      toSetBack.shift();
    }
  }

  /** A step of this machine's own clock says nothing of the database's, but it is asked at once. */
  function lookAtOwn(): void {
    const offset = wall() - monotonic();
    if (Math.abs(offset - ownOffset) > TOLERANCE) {
      const seconds = Math.round((offset - ownOffset) / 100) / 10;
      log.warn({ seconds }, "this machine's own clock was moved: the database is asked for the time");
      suspicious = true;
    }
    ownOffset = offset;
  }

  async function askDatabase(query: Query, times: number): Promise<number> {
    const reading = await ask(query, times);
    take(reading);
    askedAt = reading.monotonic;
    suspicious = false;
    return Math.floor(reading.told);
  }

  async function watch(): Promise<void> {
    if (!shared) take(readMachine());
    else {
      lookAtOwn();
      if (!sure() || monotonic() - askedAt >= ASK_EVERY) await askDatabase(db.query, QUESTIONS);
    }
    if (toSetBack.length > 0) await doSetBacks();
  }

  return {
    now,
    sureTime: async (query) => {
      if (!shared) {
        take(readMachine());
        return sure() ? now() : null;
      }
      lookAtOwn();
      const told = await askDatabase(query, 1);
      return sure() ? Math.min(now(), told) : null;
    },
    onSetBack: (done) => void setBack.push(done),
    chores: [{ name: 'watch the clock', every: LOOK_EVERY, run: watch }],
  };
}
