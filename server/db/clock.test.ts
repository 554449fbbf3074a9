import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { sharedClock } from './clock.ts';

describe.each(databases)('the clock of servers on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());

  it('is the same for machines whose own clocks differ, and follows one that is set', async () => {
    let off = 60_000;
    const skewed = await sharedClock(kit.db, () => Date.now() + off);
    const right = await sharedClock(kit.db);
    const apart = () => Math.abs(skewed.now() - right.now());
    if (kind === 'sqlite') {
      // One server, one clock.
      expect(apart()).toBeGreaterThan(59_000);
      expect(skewed.jobs).toEqual([]);
      return;
    }
    expect(apart()).toBeLessThan(500);
    off = -3_600_000;
    for (const job of skewed.jobs) await job.run();
    expect(apart()).toBeLessThan(500);
  });
});
