import { describe, expect, it } from 'vitest';
import { afterStall, followEdge, TARGET, waitToWatch } from './live-edge.ts';

const held = { from: 10, until: 20, rate: 1, target: TARGET };
const near = 20 - TARGET;

describe('near the newest picture', () => {
  it.each([
    ['where it wants to be', { position: near }, null, 1],
    ['a little behind', { position: near - 0.5 }, null, 1],
    ['behind', { position: near - 0.7 }, null, 1.15],
    ['catching up', { position: near - 0.3, rate: 1.15 }, null, 1.15],
    ['caught up', { position: near + 0.01, rate: 1.15 }, null, 1],
    ['far behind', { position: near - 2.6 }, near, 1],
    ['before what it holds, as after a gap', { position: 9.9 }, near, 1],
    ['beyond it, as with another clock', { position: 21 }, near, 1],
    ['it holds less than it wants', { position: 19.5, from: 19.6 }, 19.6, 1],
    ['after stalls it wants more', { position: near - 0.7, target: 2 }, null, 1],
  ])('%s', (_, edge, jumpTo, rate) => expect(followEdge({ ...held, ...edge })).toEqual({ jumpTo, rate }));

  it('wants more after each stall, up to a bound', () => {
    let target = TARGET;
    for (let stalls = 0; stalls < 20; stalls += 1) target = afterStall(target);
    expect(target).toBe(2);
  });
});

describe('coming back', () => {
  it.each([
    [0, 10_000, 0, 0],
    [0, 10_000, 1, 10_000],
    [0, 500, 0.5, 250],
    [1, 500, 0, 1000],
    [1, 500, 1, 2000],
    [4, 500, 0.5, 12_000],
    [99, 500, 0, 15_000],
    [99, 500, 1, 30_000],
  ])('try %d, spread %d, chance %d: %d ms', (tries, spread, chance, wait) =>
    expect(waitToWatch(tries, spread, chance)).toBe(wait),
  );
});
