import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';

describe.each(databases)('the health of a server on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());

  it('says whether the time is sure, and is ready all the same: saves go on', async () => {
    for (const inDoubt of [true, false]) {
      kit.time.inDoubt = inDoubt;
      const ready = await kit.app.inject('/readyz');
      expect([ready.statusCode, ready.json()]).toEqual([200, { ok: true, clock: inDoubt ? 'uncertain' : 'sure' }]);
      const metrics = await kit.app.inject('/metrics');
      expect(metrics.body).toContain(`\nlixue_clock_uncertain ${inDoubt ? 1 : 0}\n`);
    }
  });
});
