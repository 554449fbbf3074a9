import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let page = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  page = new EventTarget();
  vi.stubGlobal('window', page);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const scroll = () => page.dispatchEvent(new Event('scroll'));

it('does what a reader would feel once the page rests, and not what is called off meanwhile', async () => {
  const { whenResting } = await import('./when-resting.ts');
  scroll();
  const [work, other] = [vi.fn(), vi.fn()];
  whenResting(work);
  const callOff = whenResting(other);
  vi.advanceTimersByTime(350);
  scroll();
  vi.advanceTimersByTime(390);
  expect(work).not.toHaveBeenCalled();
  callOff();
  vi.advanceTimersByTime(600);
  expect(work).toHaveBeenCalledOnce();
  expect(other).not.toHaveBeenCalled();
});

it('does it at once where nothing moves, or moved a while ago', async () => {
  const { whenResting } = await import('./when-resting.ts');
  const work = vi.fn();
  whenResting(work);
  expect(work).toHaveBeenCalledTimes(1);
  scroll();
  vi.advanceTimersByTime(401);
  whenResting(work);
  expect(work).toHaveBeenCalledTimes(2);
});

it('gives each of several things that waited a moment of its own', async () => {
  const { whenResting } = await import('./when-resting.ts');
  scroll();
  const done: string[] = [];
  whenResting(() => done.push('one'));
  whenResting(() => done.push('other'));
  whenResting(() => done.push('third'));
  const seen: number[] = [];
  for (let passed = 0; passed < 1200; passed += 50) {
    vi.advanceTimersByTime(50);
    seen.push(done.length);
  }
  expect(done.sort()).toEqual(['one', 'other', 'third']);
  // Never two of them within three frames.
  expect(seen.every((count, at) => count - (seen[at - 1] ?? 0) <= 1)).toBe(true);
});

it('lets what comes just after something wait, though nothing moves', async () => {
  const { whenResting } = await import('./when-resting.ts');
  const [one, other, third] = [vi.fn(), vi.fn(), vi.fn()];
  whenResting(one);
  whenResting(other);
  expect([one, other].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  vi.advanceTimersByTime(100);
  whenResting(third);
  expect(third).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50);
  expect(other).toHaveBeenCalledOnce();
  expect(third).not.toHaveBeenCalled();
});
