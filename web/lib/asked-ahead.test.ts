import { afterEach, describe, expect, it } from 'vitest';
import { type AskedAhead, askedAhead, forgetAhead, nameAhead } from './asked-ahead.ts';

const answer: AskedAhead = { status: 200, text: '{}', sent: 10, received: 60 };
const put = (answers: Record<string, Promise<AskedAhead | null>>) => {
  globalThis.lixueAhead = { windowId: 'w1', answers };
};
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
