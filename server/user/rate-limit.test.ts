import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { countEvent, forgetEvents, wouldAllow } from './rate-limit.ts';
import { codeFor, newPhone, ticketFor } from './sign-in.test-kit.ts';

const limit = [
  { within: 1000, most: 3 },
  { within: 10_000, most: 5 },
];

describe.each(databases)('counted events on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const rows = (bucket: string) =>
    t.db.query.selectFrom('rate_events').select('id').where('bucket', '=', bucket).execute();

  it('allow up to the limit, tell when one more is allowed, and keep buckets apart', async () => {
    const now = t.time.now;
    for (let n = 0; n < 3; n += 1) expect((await countEvent(t.db.query, 'a', limit, now)).ok).toBe(true);
    expect(await countEvent(t.db.query, 'a', limit, now + 400)).toEqual({ ok: false, why: 'tooMany', retryAfter: 600 });
    expect(await rows('a')).toHaveLength(3);
    expect((await countEvent(t.db.query, 'b', limit, now)).ok).toBe(true);
    expect((await countEvent(t.db.query, 'a', limit, now + 1000)).ok).toBe(true);
  });

  it('never allow more than the limit at once, from two processes, and leave no trace of what was refused', async () => {
    const other = await t.sibling();
    const tried = await Promise.all(
      Array.from({ length: 30 }, (_, n) => countEvent((n % 2 ? t : other).db.query, 'race', limit, t.time.now)),
    );
    const allowed = tried.filter(({ ok }) => ok).length;
    expect(allowed).toBeLessThanOrEqual(3);
    expect(await rows('race')).toHaveLength(allowed);
    await other.close();
  });

  it('can be taken back and forgotten', async () => {
    const counted = await countEvent(t.db.query, 'c', [{ within: 1000, most: 1 }], t.time.now);
    if (!counted.ok) throw new Error('the first was refused');
    expect((await wouldAllow(t.db.query, 'c', [{ within: 1000, most: 1 }], t.time.now)).ok).toBe(false);
    await counted.undo();
    expect((await wouldAllow(t.db.query, 'c', [{ within: 1000, most: 1 }], t.time.now)).ok).toBe(true);
    await countEvent(t.db.query, 'c', limit, t.time.now);
    await forgetEvents(t.db.query, 'c');
    expect(await rows('c')).toHaveLength(0);
  });

  it('the chore deletes what has expired and nothing else', async () => {
    const user = await t.user();
    const send = async () => {
      await codeFor(t, newPhone(), 'login');
    };
    await send();
    await ticketFor(t, 'login', newPhone());
    const count = async () => {
      const counts: Record<string, number> = {};
      for (const table of [
        'captcha_challenges',
        'captcha_tickets',
        'asked_codes',
        'rate_events',
        'sessions',
      ] as const) {
        const { n } = await t.db.query
          .selectFrom(table)
          .select((query) => query.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow();
        counts[table] = n;
      }
      return counts;
    };
    const before = await count();
    await t.chore('forget expired sign-in data');
    expect(await count()).toEqual(before);
    expect(Object.values(before).every((n) => n > 0)).toBe(true);
    t.time.now += 5 * 60_000;
    await t.chore('forget expired sign-in data');
    expect(await count()).toMatchObject({ captcha_challenges: 0, captcha_tickets: 0, asked_codes: 0 });
    expect((await count()).rate_events).toBe(before.rate_events);
    t.time.now += 24 * 60 * 60_000;
    expect((await t.ok('GET /api/user/info', {}, { as: user })).user).not.toBeNull();
    await t.chore('forget expired sign-in data');
    expect(await count()).toMatchObject({ rate_events: 0 });
    t.time.now += 31 * 24 * 60 * 60_000;
    await t.chore('forget expired sign-in data');
    expect(await count()).toMatchObject({ sessions: 0 });
  });
});
