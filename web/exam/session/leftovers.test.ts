import { beforeEach, expect, it, vi } from 'vitest';
import type { Left } from './unsent.ts';

let rows: Left[] = [];
const removed: number[] = [];
vi.mock('./unsent.ts', () => ({
  leftBehind: async () => rows,
  openUnsent: (_studentId: number, recordId: number) => ({
    remove: async ({ questionId }: { questionId: number }) => void removed.push(recordId * 100 + questionId),
  }),
}));

const NOW = 1_000_000;
const left = (recordId: number, questionId: number, at = NOW - 60_000): Left => ({
  recordId,
  questionId,
  at,
  answer: 'A',
  seq: 7,
  examId: 3,
  windowId: `window-of-${recordId}`,
});

/** What left the page, as record and question, and what the server answers to each. */
let sent: string[] = [];
let versions: unknown[] = [];
let answerTo: (recordId: number, questionId: number) => { code: number; why?: string } = () => ({ code: 200 });
let sendLeftovers: (studentId: number, now: number) => Promise<void>;

beforeEach(async () => {
  vi.resetModules();
  sent = [];
  versions = [];
  removed.length = 0;
  answerTo = () => ({ code: 200 });
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const { recordId, questionId, windowId, seq, paperVersion } = JSON.parse(String(init.body));
    versions.push(paperVersion);
    sent.push(`${recordId}/${questionId} ${windowId} ${seq}`);
    const { code, why } = answerTo(recordId, questionId);
    if (code === 0) throw new TypeError('no network');
    return new Response(JSON.stringify({ code, msg: '', data: why ? { why } : { savedAt: 1, seq, stale: false } }));
  });
  ({ sendLeftovers } = await import('./leftovers.ts'));
});

it('sends each as from the window that made it, and forgets what the server has', async () => {
  rows = [left(1, 11), left(2, 12)];
  await sendLeftovers(5, NOW);
  expect(sent).toEqual(['1/11 window-of-1 7', '2/12 window-of-2 7']);
  expect(removed).toEqual([111, 212]);
});

it('leaves the newest to the page that may still send them itself', async () => {
  rows = [left(1, 11, NOW - 1000)];
  await sendLeftovers(5, NOW);
  expect(sent).toEqual([]);
});

it('what is refused stays, its window is not asked for again, and the others go on', async () => {
  rows = [left(1, 11), left(1, 12), left(2, 13)];
  answerTo = (recordId) => (recordId === 1 ? { code: 409, why: 'takenOver' } : { code: 200 });
  await sendLeftovers(5, NOW);
  await sendLeftovers(5, NOW);
  expect(sent.filter((request) => request.startsWith('1/'))).toEqual(['1/11 window-of-1 7']);
  expect(removed).toEqual([213, 213]);
});

it('one answer that is refused for itself keeps none of the others back', async () => {
  rows = [left(1, 11), left(1, 12)];
  answerTo = (_recordId, questionId) => (questionId === 11 ? { code: 422, why: 'questionGone' } : { code: 200 });
  await sendLeftovers(5, NOW);
  rows = [left(1, 11)];
  await sendLeftovers(5, NOW);
  expect(sent).toEqual(['1/11 window-of-1 7', '1/12 window-of-1 7']);
  expect(removed).toEqual([112]);
});

it.each([
  ['no network', { code: 0 }],
  ['signed out', { code: 401, why: 'notSignedIn' }],
  ['a busy server', { code: 503, why: 'busy' }],
  ['a gateway that knows no such address', { code: 404 }],
  ['a gateway that wants fewer calls', { code: 429 }],
])('%s: nothing more is tried now, everything stays', async (_, answer) => {
  rows = [left(1, 11), left(2, 12)];
  answerTo = () => answer;
  await sendLeftovers(5, NOW);
  expect([sent.length, removed]).toEqual([1, []]);
  answerTo = () => ({ code: 200 });
  await sendLeftovers(5, NOW);
  expect(removed).toEqual([111, 212]);
});

it('an answer is sent as of the version of the paper that it was given under, an older browser’s without one', async () => {
  rows = [{ ...left(1, 11), paperVersion: 3 }, left(2, 12)];
  await sendLeftovers(5, NOW);
  expect(versions).toEqual([3, undefined]);
});
