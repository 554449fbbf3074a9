import { describe, expect, it } from 'vitest';
import { linesAt, NOTHING_READ, type ReadReplay, readsNext } from './replay-lines.ts';

const line = (seq: number, second: number) => ({
  ...{ seq, second, nickname: '甲', avatarUrl: '', teacher: false, text: '好' },
});
const read = (seconds: number[], more: Partial<ReadReplay> = {}): ReadReplay => ({
  ...{ from: 0, next: seconds.length, more: true },
  list: seconds.map((second, at) => line(at + 1, second)),
  ...more,
});

describe('the talk beside a replay', () => {
  it.each([
    ['begins where the replay stands', NOTHING_READ, 75.5, { from: 75, after: null }],
    ['has enough for a while', read([10, 200]), 100, null],
    ['is read further before it runs out', read([10, 150]), 100, { from: 0, after: 2 }],
    ['has all there is', read([10, 20], { more: false }), 5000, null],
    ['goes on where nothing was said for long', read([], { next: 40 }), 30, { from: 0, after: 40 }],
    ['begins anew before what was read', read([100], { from: 90 }), 20, { from: 20, after: null }],
    ['begins anew far behind what was read', read([10, 20]), 4000, { from: 4000, after: null }],
  ])('%s', (_, was, position, asks) => expect(readsNext(was, position)).toEqual(asks));

  it('shows what has been said so far, up to its very second', () => {
    const lines = linesAt(read([1, 2, 2, 3.5]), 2);
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(linesAt(read([5]), 4)).toEqual([]);
    expect(linesAt(read(Array.from({ length: 300 }, (_, at) => at)), 400)).toHaveLength(200);
  });
});
