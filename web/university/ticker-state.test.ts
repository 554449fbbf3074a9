import { expect, it } from 'vitest';
import { moves, STEP, TICK, ticked } from './ticker-state.ts';

it('moves 1 px every 100 ms and goes round without a jump', () => {
  expect([TICK, STEP]).toEqual([100, 1]);
  expect(ticked(0, 500)).toBe(1);
  expect(ticked(499, 500)).toBe(0);
  expect(ticked(499.5, 500)).toBe(0.5);
  expect(ticked(7, 0)).toBe(8);
});

it('stands still for each reason alone', () => {
  const free = { over: false, focus: false, paused: false, calm: false, hidden: false };
  expect(moves(free)).toBe(true);
  for (const reason of Object.keys(free)) expect(moves({ ...free, [reason]: true }), reason).toBe(false);
});
