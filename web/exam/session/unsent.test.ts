import { afterEach, describe, expect, it, vi } from 'vitest';
import { atMostASecond, keptStore, memoryStore, openUnsent } from './unsent.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const A5 = { questionId: 3, answer: 'A', seq: 5 };

it('a database of the browser that never opens is waited for a second, then what this page remembers is there', async () => {
  vi.useFakeTimers();
  vi.resetModules();
  class NeverDone extends EventTarget {}
  vi.stubGlobal('IDBRequest', NeverDone);
  vi.stubGlobal('indexedDB', { open: () => new NeverDone() });
  const fresh = await import('./unsent.ts');
  const store = fresh.openUnsent(1, 2);
  const put = vi.fn();
  void store.put(A5).then(put);
  const all = store.all();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await all).toEqual([A5]);
  expect(put, 'it was never read back').not.toHaveBeenCalled();
});

it('what comes in time is taken, and no timer stays', async () => {
  vi.useFakeTimers();
  expect(await atMostASecond(Promise.resolve('there'), null)).toBe('there');
  expect(await atMostASecond(Promise.reject(new Error('no')), null)).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

it('without a database of the browser nothing counts as kept, and another screen of this page finds it', async () => {
  expect(await openUnsent(1, 2).put(A5)).toBe(false);
  expect(await openUnsent(1, 2).all()).toEqual([A5]);
  expect(await openUnsent(1, 22).all()).toEqual([]);
  expect(await openUnsent(11, 2).all()).toEqual([]);
  await openUnsent(1, 2)
    .clear()
    .catch(() => undefined);
  expect(await openUnsent(1, 2).all()).toEqual([]);
});

describe('a disk that fails', () => {
  const failing = { ...memoryStore(), put: () => Promise.reject(new Error('QuotaExceededError')) };
  it('has kept nothing, and the answer stays in the page', async () => {
    const store = keptStore(memoryStore(), failing);
    expect(await store.put(A5)).toBe(false);
    expect(await store.all()).toEqual([A5]);
  });

  it('that reads back something else has not kept it either', async () => {
    const store = keptStore(memoryStore(), { ...memoryStore(), put: async () => false });
    expect(await store.put(A5)).toBe(false);
    expect(await store.all()).toEqual([A5]);
  });

  it('an older answer on the disk does not hide the newer one of the page', async () => {
    const rows = new Map([[3, { questionId: 3, answer: 'old', seq: 4 }]]);
    const store = keptStore(memoryStore(), { ...memoryStore(rows), put: failing.put });
    await store.put(A5);
    expect(await store.all()).toEqual([A5]);
  });

  it('once there is room the page forgets: what another window sends meanwhile is not named as unsent', async () => {
    const rows = new Map();
    const memory = new Map();
    const disk = memoryStore(rows);
    const store = keptStore(memoryStore(memory), { ...disk, put: async (answer) => !(await disk.put(answer)) });
    expect(await store.put(A5)).toBe(true);
    rows.clear();
    expect([await store.all(), memory.size]).toEqual([[], 0]);
  });
});

it('an older answer never replaces a newer one, and removing an older one leaves the newer', async () => {
  const store = memoryStore();
  await store.put({ questionId: 3, answer: 'B', seq: 7 });
  await store.put({ questionId: 3, answer: 'A', seq: 5 });
  await store.remove({ questionId: 3, answer: 'A', seq: 5 });
  expect(await store.all()).toEqual([{ questionId: 3, answer: 'B', seq: 7 }]);
  await store.remove({ questionId: 3, answer: 'B', seq: 7 });
  expect(await store.all()).toEqual([]);
});
