import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AskTurns } from './ask-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Turns with a server that answers at once, or when it is told to. */
function turns(answersAfter = 0) {
  const asked: string[] = [];
  const made = new AskTurns(
    () => Date.now(),
    async (key) => {
      asked.push(key);
      if (answersAfter > 0) await new Promise((resolve) => setTimeout(resolve, answersAfter));
      return `stream of ${key}`;
    },
  );
  const wait = (ip: string, key: string, isHere = () => true) => made.wait(ip, key, isHere);
  return { asked, wait };
}

describe('whose key is asked for next', () => {
  it.each([
    ['one address', () => '198.51.100.7', 10],
    // One line has at least so many.
    ['one network of IPv6', (at: number) => `2001:db8:1:2::${at.toString(16)}`, 10],
    ['an address as IPv6', (at: number) => (at % 2 ? '198.51.100.7' : '::ffff:198.51.100.7'), 10],
    ['many addresses', (at: number) => `198.51.${at}.7`, 50],
  ])('%s has its allowance, and its rest later', async (_, address, atOnce) => {
    const { asked, wait } = turns();
    const all = Promise.all(Array.from({ length: 100 }, (__, at) => wait(address(at), `wrong-${at}`)));
    await vi.advanceTimersByTimeAsync(60);
    expect(asked.length).toBeGreaterThanOrEqual(atOnce);
    expect(asked.length).toBeLessThanOrEqual(atOnce + 4);
    await vi.advanceTimersByTimeAsync(12_000);
    expect((await all).at(-1)).toBe('stream of wrong-99');
  });

  it('another address is asked for within a moment, however many strangers wait', async () => {
    const { asked, wait } = turns();
    for (let at = 0; at < 2000; at += 1) void wait(`198.51.100.${at % 7}`, `wrong-${at}`);
    await vi.advanceTimersByTimeAsync(3000);
    const before = asked.length;
    expect(before).toBeLessThan(220);
    const found = wait('203.0.113.5', 'right');
    await vi.advanceTimersByTimeAsync(200);
    await expect(found).resolves.toBe('stream of right');
    expect(asked.indexOf('right') - before).toBeLessThan(10);
  });

  it('a server that answers late is asked by others too', async () => {
    const { asked, wait } = turns(5000);
    for (let at = 0; at < 40; at += 1) void wait('198.51.100.7', `wrong-${at}`);
    await vi.advanceTimersByTimeAsync(3000);
    expect(asked).toHaveLength(4);
    void wait('203.0.113.5', 'right');
    expect(asked.at(-1)).toBe('right');
  });

  it('who is gone is not asked for', async () => {
    const { asked, wait } = turns();
    let here = true;
    const gone = Array.from({ length: 100 }, (_, at) => wait('198.51.100.7', `wrong-${at}`, () => here));
    await vi.advanceTimersByTimeAsync(50);
    const before = asked.length;
    here = false;
    void wait('198.51.100.7', 'last');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await gone.at(-1)).toBeNull();
    expect(asked.slice(before)).toEqual(['last']);
  });
});
