import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AskedAhead, askedAhead, forgetAhead, nameAhead } from './asked-ahead.ts';

const answer: AskedAhead = { status: 200, text: '{}', sent: 10, received: 60 };
const put = (answers: Record<string, Promise<AskedAhead | null>>, noted = {}) => {
  globalThis.lixueAhead = { windowId: 'w1', answers, noted };
};
const remembered: Record<string, string> = {};
vi.mock('./remember.ts', () => ({ recall: (name: string) => remembered[name] ?? null }));
afterEach(() => {
  globalThis.lixueAhead = undefined;
});

describe('what was asked ahead', () => {
  it('is taken once, by who asks for the same', async () => {
    put({ '/api/a?id=1': Promise.resolve(answer) });
    expect(await askedAhead('/api/a?id=2', () => 100)).toBeNull();
    expect(await askedAhead('/api/a?id=1', () => 100)).toEqual(answer);
    expect(await askedAhead('/api/a?id=1', () => 100)).toBeNull();
  });

  it.each([
    ['was refused', Promise.resolve(null), 100],
    ['is as old as half a minute', Promise.resolve(answer), 30_061],
  ])('has to be sent where it %s', async (_what, said, now) => {
    put({ '/api/a': said });
    expect(await askedAhead('/api/a', () => now)).toBeNull();
  });

  it('has to be sent where somebody else signed in since, also while its answer was on its way', async () => {
    put({ '/api/a': Promise.resolve(answer), '/api/b': Promise.resolve(answer) }, { cameAgain: '5', leftAt: null });
    remembered.cameAgain = '5';
    expect(await askedAhead('/api/a', () => 100)).toEqual(answer);
    const asked = askedAhead('/api/b', () => 100);
    remembered.cameAgain = '6';
    expect(await asked).toBeNull();
  });

  it('has to be sent where it hangs', async () => {
    vi.useFakeTimers();
    put({ '/api/a': new Promise(() => undefined) });
    const asked = askedAhead('/api/a', () => 100);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toBeNull();
    vi.useRealTimers();
  });

  it('is forgotten by the beginning of its address', async () => {
    put({ '/api/a?id=1': Promise.resolve(answer), '/api/ab': Promise.resolve(answer) });
    forgetAhead('/api/a?');
    expect(await askedAhead('/api/a?id=1', () => 100)).toBeNull();
    expect(await askedAhead('/api/ab', () => 100)).toEqual(answer);
  });

  it('is nothing on a page that asks for nothing', async () => {
    expect(await askedAhead('/api/a')).toBeNull();
    expect(nameAhead()).toBeNull();
    expect(() => forgetAhead('/api/')).not.toThrow();
  });

  it('names the window once', () => {
    put({});
    expect([nameAhead(), nameAhead()]).toEqual(['w1', null]);
  });
});
