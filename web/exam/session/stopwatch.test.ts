import { expect, it } from 'vitest';
import { stopwatch } from './stopwatch.ts';

it('counts the time in which it runs, on top of earlier visits', () => {
  let now = 1000;
  const watch = stopwatch(40, () => now);
  now += 5000;
  expect(watch.spent(), 'it stands still at first').toBe(40);
  watch.run(true);
  now += 9900;
  expect(watch.spent()).toBe(49);
  watch.run(true);
  now += 100;
  expect(watch.spent(), 'running already, nothing is lost').toBe(50);
  watch.run(false);
  now += 60_000;
  expect(watch.spent(), 'a page out of sight').toBe(50);
  watch.run(true);
  now += 1000;
  expect(watch.spent()).toBe(51);
});

it('goes on from what another window counted, and takes nothing back', () => {
  let now = 0;
  const watch = stopwatch(10, () => now);
  watch.run(true);
  now += 5000;
  watch.atLeast(12);
  expect(watch.spent()).toBe(15);
  watch.atLeast(60);
  expect(watch.spent()).toBe(60);
  now += 2000;
  expect(watch.spent()).toBe(62);
});
