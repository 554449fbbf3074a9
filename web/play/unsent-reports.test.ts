import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError, type FailedWhy } from '#web/lib/send.ts';
import {
  hasUnsent,
  isTelling,
  keepBegun,
  onUnsent,
  sendLeft,
  sendReport,
  stayAlive,
  unsentWaitsFor,
} from './unsent-reports.ts';

type Answer = 'ok' | FailedWhy;
let answers: Answer[] = [];
/** What the server's answers wait for. */
let answering: Promise<void> = Promise.resolve();
const arrived: number[] = [];
const said: object[] = [];
const kept = new Map<string, string>();
const codes: Partial<Record<FailedWhy, number>> = { offline: 0, busy: 503, notEnrolled: 403, notSignedIn: 401 };

vi.mock('#web/lib/remember.ts', () => ({
  recall: (name: string) => kept.get(name) ?? null,
  remember: (name: string, value: string | null) => void (value === null ? kept.delete(name) : kept.set(name, value)),
}));
/** The browser's disk, as an earlier page left it. */
let disk: string | null = null;
vi.mock('./report-disk.ts', () => ({
  readCopy: async () => disk,
  copyToDisk: (read: () => string | null) => {
    disk = read();
  },
}));
vi.mock('#web/lib/send.ts', async (original) => ({
  ...(await original<object>()),
  send: async (_name: string, body: { seq: number }) => {
    const { seq } = body;
    said.push(body);
    await answering;
    const answer = answers.shift() ?? 'ok';
    if (answer !== 'ok') throw new CallError(codes[answer] ?? 422, answer, answer);
    arrived.push(seq);
    return { nodeState: 2, position: seq, share: 0.1, believed: 1 };
  },
}));

let student = 0;
const report = (seq: number) => ({
  ...{ packId: 1, firstVideoId: 2, duration: 30, position: seq * 30, rate: 1, places: [{ from: 0, to: 30 }] },
  ...{ playId: `opening-${student}`, seq, studentId: student, at: Date.now() + seq },
});
beforeEach(() => {
  answers = [];
  arrived.length = 0;
  said.length = 0;
  kept.clear();
  disk = null;
  student += 1;
});

it('forgets what arrived', async () => {
  expect(await sendReport(report(1))).toMatchObject({ position: 1 });
  expect([hasUnsent(student), unsentWaitsFor(), arrived]).toEqual([false, null, [1]]);
});

it('keeps what found no network, says so, and sends it later in its order', async () => {
  answers = ['offline', 'busy'];
  let told = 0;
  const stop = onUnsent(() => {
    told += 1;
  });
  expect(await sendReport(report(1))).toBeNull();
  expect(await sendReport(report(2))).toBeNull();
  expect([hasUnsent(student), unsentWaitsFor()]).toEqual([true, 'network']);
  expect(told).toBeGreaterThan(0);
  stop();
  answers = ['offline'];
  expect(await sendLeft(student)).toBe(false);
  expect(await sendLeft(student)).toBe(true);
  expect([arrived, hasUnsent(student), unsentWaitsFor()]).toEqual([[1, 2], false, null]);
});

it('gives up what is refused for good, and keeps what only its student may send', async () => {
  answers = ['notEnrolled', 'notSignedIn'];
  await sendReport(report(1));
  expect(hasUnsent(student)).toBe(false);
  await sendReport(report(2));
  expect([hasUnsent(student), hasUnsent(student + 1000)]).toEqual([true, false]);
  expect(await sendLeft(student + 1000)).toBe(false);
  expect(await sendLeft(student)).toBe(true);
});

it('does not call it the network where its student was signed out', async () => {
  answers = ['notSignedIn'];
  await sendReport(report(1));
  expect(unsentWaitsFor()).toBe('signIn');
  answers = ['offline'];
  await sendLeft(student);
  expect(unsentWaitsFor()).toBe('network');
  await sendLeft(student);
  expect(unsentWaitsFor()).toBeNull();
});

it('says with each whose it is: the session may be of somebody else, who signed in in another window', async () => {
  answers = ['offline'];
  await sendReport(report(1));
  await sendLeft(student);
  expect(said).toEqual(Array(2).fill(expect.objectContaining({ seq: 1, studentId: student })));
});

it('says of each for how long it was kept', async () => {
  kept.set('play.unsent', JSON.stringify([{ ...report(1), at: Date.now() - 90_000 }]));
  await sendLeft(student);
  await sendReport(report(2));
  const [left, now] = said as { ago: number }[];
  expect(left?.ago).toBeGreaterThanOrEqual(90_000);
  expect(left?.ago).toBeLessThan(120_000);
  // A device clock that was set back since says nothing.
  expect(now?.ago).toBe(0);
});

it('finds what an earlier page left, and is not led astray by what is no report', async () => {
  kept.set('play.unsent', JSON.stringify([report(7), null, { playId: 3 }, 'x']));
  expect(await sendLeft(student)).toBe(true);
  expect(arrived).toEqual([7]);
  kept.set('play.unsent', '{broken');
  expect(hasUnsent(student)).toBe(false);
});

it('takes in once what only the disk has kept of a browser that was killed whole, or has newer', async () => {
  vi.resetModules();
  const page = await import('./unsent-reports.ts');
  kept.set('play.unsent', JSON.stringify([report(1), { ...report(2), duration: 5, begun: true }]));
  const newer = { ...report(2), duration: 25, begun: true, at: Date.now() + 1000 };
  disk = JSON.stringify([newer, report(3), 'x']);
  expect(await page.recoverUnsent()).toBe(true);
  const seqs = (JSON.parse(kept.get('play.unsent') ?? '') as { seq: number; duration: number }[]).map(
    ({ seq, duration }) => [seq, duration],
  );
  expect(seqs).toEqual([
    [1, 30],
    [3, 30],
    [2, 25],
  ]);
  expect(await page.sendLeft(student)).toBe(true);
  expect([arrived.sort(), kept.get('play.unsent'), disk]).toEqual([[1, 2, 3], undefined, null]);
});

it('gives up the oldest of very many', async () => {
  answers = Array.from({ length: 60 }, () => 'offline');
  for (let seq = 1; seq <= 60; seq += 1) await sendReport(report(seq));
  await sendLeft(student);
  expect(arrived[0]).toBe(21);
});

describe('what a page has begun to report', () => {
  const locks = { held: [] as { name: string }[] };
  const withLocks = (there: boolean) =>
    vi.stubGlobal('navigator', {
      locks: there ? { query: async () => ({ held: locks.held }), request: async () => undefined } : undefined,
    });
  beforeEach(() => {
    locks.held = [];
    withLocks(true);
  });
  afterEach(() => vi.unstubAllGlobals());

  it('is sent by another page once that page is gone, and not before', async () => {
    keepBegun(report(3));
    // Nobody waits for it: it is no outage.
    expect([hasUnsent(student), unsentWaitsFor()]).toEqual([true, null]);
    locks.held = [{ name: `play.opening-${student}` }];
    expect([await sendLeft(student), arrived]).toEqual([false, []]);
    locks.held = [];
    expect([await sendLeft(student), arrived, hasUnsent(student)]).toEqual([true, [3], false]);
  });

  it('is not sent by its own page beside the report', async () => {
    const end = stayAlive(`opening-${student}`);
    keepBegun(report(3));
    expect([await sendLeft(student), arrived]).toEqual([false, []]);
    await sendReport(report(3));
    expect([arrived, hasUnsent(student)]).toEqual([[3], false]);
    keepBegun(report(4));
    end();
    expect([await sendLeft(student), arrived]).toEqual([true, [3, 4]]);
  });

  it('gives way to the report itself, also where that found no network', async () => {
    keepBegun({ ...report(3), duration: 5 });
    answers = ['offline'];
    await sendReport(report(3));
    const stored = JSON.parse(kept.get('play.unsent') ?? '') as unknown[];
    expect(stored).toEqual([report(3)].map((one) => ({ ...one, at: expect.any(Number) })));
    locks.held = [{ name: `play.opening-${student}` }];
    expect([await sendLeft(student), arrived]).toEqual([true, [3]]);
  });

  it('without Web Locks is another page’s as soon as it was not kept anew for a while', async () => {
    withLocks(false);
    keepBegun(report(3));
    expect(await sendLeft(student)).toBe(false);
    keepBegun({ ...report(3), at: Date.now() - 21_000 });
    expect([await sendLeft(student), arrived]).toEqual([true, [3]]);
  });
});

it('waits for what is on its way: whoever asks for the lesson after that hears of it', async () => {
  let answer: () => void = () => undefined;
  answering = new Promise((resolve) => {
    answer = resolve;
  });
  const sending = sendReport(report(1));
  expect([isTelling(2), isTelling(3)]).toEqual([true, false]);
  const left = sendLeft(student).then((any) => [any, arrived]);
  // So that it has come to what is on its way.
  await new Promise((resolve) => setTimeout(resolve));
  answer();
  expect(await left).toEqual([true, [1]]);
  expect([said.length, await sending, isTelling(2)]).toMatchObject([1, { position: 1 }, false]);
});

it('keeps of places alone the last one of an opening, and all that was played', async () => {
  answers = ['offline', 'offline', 'offline', 'offline'];
  const place = (seq: number) => ({ ...report(seq), duration: 0, places: [] });
  for (const one of [report(1), place(2), place(3), { ...place(1), playId: 'another' }]) await sendReport(one);
  expect(await sendLeft(student)).toBe(true);
  expect(said.slice(4)).toMatchObject([{ seq: 1 }, { playId: 'another', seq: 1 }, { seq: 3 }]);
});
