import { describe, expect, it } from 'vitest';
import { TooBusy, turnstile } from './turnstile.ts';

/** Work that ends when it is told to. */
function gates() {
  const log: string[] = [];
  const open: Record<string, (error?: Error) => void> = {};
  const work = (name: string) => () => {
    log.push(name);
    return new Promise<string>((resolve, reject) => {
      open[name] = (error) => (error ? reject(error) : resolve(name));
    });
  };
  return { log, open, work };
}
const turn = () => new Promise<void>((next) => setImmediate(next));

describe('turnstile', () => {
  it('runs so many at once, the rest in order of arrival, and refuses those past the queue', async () => {
    const through = turnstile(2, 2);
    const { log, open, work } = gates();
    const running = ['a', 'b', 'c', 'd'].map((name) => through(work(name)));
    await expect(through(work('e'))).rejects.toThrow(TooBusy);
    expect(log).toEqual(['a', 'b']);
    open.b?.();
    await turn();
    expect(log).toEqual(['a', 'b', 'c']);
    running.push(through(work('f')));
    open.a?.();
    open.c?.();
    await turn();
    expect(log).toEqual(['a', 'b', 'c', 'd', 'f']);
    open.d?.();
    open.f?.();
    expect(await Promise.all(running)).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('goes on after work that failed', async () => {
    const through = turnstile(1, 5);
    const { open, work } = gates();
    const first = through(work('a'));
    const second = through(work('b'));
    open.a?.(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await turn();
    open.b?.();
    expect(await second).toBe('b');
    const third = through(work('c'));
    await turn();
    open.c?.();
    expect(await third).toBe('c');
  });
});
