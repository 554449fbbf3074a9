import { expect, it } from 'vitest';
import { BLINK, blankWait, SAME } from './blank-wait.ts';

it('shows nothing for a blink', () => {
  expect(blankWait().left(1000)).toBe(BLINK);
});

it('goes on where the last one was, drawn before that one leaves or just after', () => {
  const wait = blankWait();
  wait.left(1000);
  wait.shown();
  expect(wait.left(3000)).toBe(BLINK - 2000);
  wait.gone(3000);
  wait.shown();
  wait.gone(4000);
  expect(wait.left(4000 + SAME)).toBe(BLINK - 3000 - SAME);
});

it('begins anew after something else was in sight', () => {
  const wait = blankWait();
  wait.left(1000);
  wait.shown();
  wait.gone(1200);
  expect(wait.left(1200 + SAME + 1)).toBe(BLINK);
});

it('goes on where the server drew one', () => {
  const wait = blankWait();
  wait.stoodSince(0, 3000);
  expect(wait.left(3000)).toBe(BLINK - 3000);
});
