import { afterEach, expect, it, vi } from 'vitest';
import { atMostASecond, memoryStore, openUnsent } from './unsent.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a database of the browser that never opens is waited for a second, then answers live in the page', async () => {
  vi.useFakeTimers();
  vi.resetModules();
  class NeverDone extends EventTarget {}
  vi.stubGlobal('IDBRequest', NeverDone);
  vi.stubGlobal('indexedDB', { open: () => new NeverDone() });
  const fresh = await import('./unsent.ts');
  let store: Awaited<ReturnType<typeof openUnsent>> | null = null;
  void fresh.openUnsent(1, 2).then((opened) => {
    store = opened;
  });
  await vi.advanceTimersByTimeAsync(900);
  expect(store).toBeNull();
  await vi.advanceTimersByTimeAsync(100);
  expect(store).toMatchObject({ lasting: false });
});

it('what comes in time is taken, and no timer stays', async () => {
  vi.useFakeTimers();
  expect(await atMostASecond(Promise.resolve('there'), null)).toBe('there');
  expect(await atMostASecond(Promise.reject(new Error('no')), null)).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

it('without a database of the browser answers live in the page, and the store says so', async () => {
  const store = await openUnsent(1, 2);
  expect(store.lasting).toBe(false);
  await store.put({ questionId: 3, answer: 'A', seq: 5 });
  expect(await store.all()).toEqual([{ questionId: 3, answer: 'A', seq: 5 }]);
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
