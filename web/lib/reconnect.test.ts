import { expect, it } from 'vitest';
import { pauseBefore } from './reconnect.ts';

it.each([
  // A connection that stood has ended: the server starts again, and its windows come back over ten seconds.
  [0, true, 0, 0],
  [0, true, 0.5, 5000],
  [0, true, 1, 10_000],
  // What does not come about is tried ever more slowly, up to a minute.
  [1, false, 0, 1000],
  [1, false, 1, 2000],
  [4, false, 1, 16_000],
  [9, false, 0, 30_000],
  [40, false, 1, 60_000],
])('after %d tries, stood: %s, by chance %d the next comes in %d ms', (tries, stood, chance, pause) => {
  expect(pauseBefore(tries, stood, chance)).toBe(pause);
});
