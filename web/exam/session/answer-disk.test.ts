import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerDisk } from './answer-disk.ts';
import { memoryStore, type UnsentStore } from './unsent.ts';

const told = vi.fn();
const answer = (seq: number, questionId = 3) => ({ questionId, answer: 'A', seq });

/** A store whose writes end only when they are let go, in the order in which they were asked for. */
function slowStore() {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => {
    asked.push(name);
    return new Promise<true>((done) => ends.push(() => done(true)));
  };
  const store: UnsentStore = {
    ...memoryStore(),
    put: ({ questionId, seq }) => work(`put ${questionId} ${seq}`),
    remove: async ({ questionId, seq }) => void (await work(`remove ${questionId} ${seq}`)),
  };
  return { store, asked, end: () => ends.shift()?.() };
}

beforeEach(() => {
  vi.useFakeTimers();
  told.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

it('writes a change once, however often it is asked for, and an older one never', () => {
  const { store, asked } = slowStore();
  const disk = answerDisk(store, told);
  for (const seq of [5, 5, 4, 7, 7]) disk.put(answer(seq));
  disk.put(answer(1, 4));
  expect(asked).toEqual(['put 3 5', 'put 3 7', 'put 4 1']);
});

it('removes once, and what was removed is not put again', () => {
  const { store, asked } = slowStore();
  const disk = answerDisk(store, told);
  disk.put(answer(5));
  void disk.remove(answer(5));
  void disk.remove(answer(5));
  disk.put(answer(5));
  disk.put(answer(6));
  expect(asked).toEqual(['put 3 5', 'remove 3 5', 'put 3 6']);
});

it('removing an older one does not make the newer one forgotten', () => {
  const { store, asked } = slowStore();
  const disk = answerDisk(store, told);
  disk.put(answer(7));
  void disk.remove(answer(5));
  disk.put(answer(7));
  void disk.remove(answer(7));
  expect(asked).toEqual(['put 3 7', 'remove 3 5', 'remove 3 7']);
});

it('an answer that was never put here can be removed: it was on the disk before', () => {
  const { store, asked } = slowStore();
  void answerDisk(store, told).remove(answer(5));
  expect(asked).toEqual(['remove 3 5']);
});

it('says when an answer is on the disk, and waits no longer than a second', async () => {
  const { store, end } = slowStore();
  const disk = answerDisk(store, told);
  const stored = vi.fn();
  disk.put(answer(5));
  void disk.stored(answer(5)).then(stored);
  await vi.advanceTimersByTimeAsync(500);
  expect(stored).not.toHaveBeenCalled();
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(stored).toHaveBeenCalledOnce();
  disk.put(answer(6));
  void disk.stored(answer(6)).then(stored);
  await vi.advanceTimersByTimeAsync(1000);
  expect(stored).toHaveBeenCalledTimes(2);
});

it('a disk that fails is as good as one that is done', async () => {
  const no = () => Promise.reject(new Error('disk full'));
  const disk = answerDisk({ ...memoryStore(), put: no, remove: no, clear: no }, told);
  disk.put(answer(5));
  await Promise.all([disk.stored(answer(5)), disk.remove(answer(5)), disk.clear()]);
});

/** What was told, as `seq kept`. */
const heard = () => told.mock.calls.map(([{ seq }, kept]) => `${seq} ${kept}`);

it('tells what was read back, and what was not', async () => {
  const store = memoryStore();
  const disk = answerDisk({ ...store, put: async ({ seq }) => seq !== 6 }, told);
  for (const seq of [5, 6, 7]) disk.put(answer(seq));
  await vi.advanceTimersByTimeAsync(0);
  expect(heard()).toEqual(['5 true', '6 false', '7 true']);
});

it('what did not get there may be put again, and only that', async () => {
  const asked: number[] = [];
  let full = true;
  const put: UnsentStore['put'] = async ({ seq }) => {
    asked.push(seq);
    if (full) throw new Error('QuotaExceededError');
    return true;
  };
  const disk = answerDisk({ ...memoryStore(), put }, told);
  disk.put(answer(5));
  await vi.advanceTimersByTimeAsync(0);
  full = false;
  disk.put(answer(5));
  await vi.advanceTimersByTimeAsync(0);
  disk.put(answer(5));
  await vi.advanceTimersByTimeAsync(5000);
  expect([asked, heard()]).toEqual([
    [5, 5],
    ['5 false', '5 true'],
  ]);
});

it('a disk that hangs has kept nothing until it says so', async () => {
  const { store, end } = slowStore();
  const disk = answerDisk(store, told);
  disk.put(answer(5));
  await vi.advanceTimersByTimeAsync(999);
  expect(heard()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard()).toEqual(['5 false']);
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard()).toEqual(['5 false', '5 true']);
});
