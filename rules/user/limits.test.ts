import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressKey,
  allowsOneMore,
  type Limit,
  limits,
  OTHER_TRIES,
  OWN_TRIES,
  RESEND_AFTER,
  type SignInAttempt,
  signInLane,
  smsBySchool,
} from './limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** For each window the time of its `most`-th newest event: what the database is asked for. */
const nthNewestOf = (limit: Limit, times: readonly number[]) => {
  const newest = [...times].sort((a, b) => b - a);
  return limit.map(({ most }) => newest[most - 1] ?? null);
};
const allows = (limit: Limit, times: readonly number[], now: number) =>
  allowsOneMore(limit, nthNewestOf(limit, times), now);

describe('allowsOneMore', () => {
  const sms = limits.smsByPhone;
  it.each<[string, number[], number, number | null]>([
    ['the first', [], 0, null],
    ['a second at the same moment', [0], 0, MINUTE],
    ['a second 59.999 s later', [0], MINUTE - 1, 1],
    ['a second one minute later', [0], MINUTE, null],
    ['the sixth within the hour', [0, 1, 2, 3, 4].map((n) => n * MINUTE), 10 * MINUTE, 50 * MINUTE],
    ['the sixth when the first is an hour old', [0, 1, 2, 3, 4].map((n) => n * MINUTE), HOUR, null],
    ['the eleventh of the day', [...Array(10).keys()].map((n) => n * HOUR), 10 * HOUR, 14 * HOUR],
    ['the eleventh on the next day', [...Array(10).keys()].map((n) => n * HOUR), 24 * HOUR, null],
  ])('SMS: %s', (_what, times, now, wait) =>
    expect(allows(sms, times, now)).toEqual(
      wait === null ? { ok: true } : { ok: false, why: 'tooMany', retryAfter: wait },
    ),
  );

  it('no window ever holds more than its limit, and waiting retryAfter is enough', () => {
    const limit: Limit = [
      { within: 10, most: 2 },
      { within: 50, most: 5 },
    ];
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 120 }), (gaps) => {
        const taken: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const check = allows(limit, taken, now);
          if (check.ok) taken.push(now);
          else {
            expect(allows(limit, taken, now + check.retryAfter).ok).toBe(true);
            expect(allows(limit, taken, now + check.retryAfter - 1).ok).toBe(false);
          }
          for (const { within, most } of limit) {
            expect(taken.filter((at) => at > now - within).length).toBeLessThanOrEqual(most);
          }
        }
      }),
    );
  });

  it('one SMS a minute is what the page counts down', () => expect(RESEND_AFTER).toBe(60));
});

describe('addressKey', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::FFFF:10.1.2.3', '10.1.2.3'],
    ['2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['203.119.25.110', '203.119.25.110'],
    ['::ffff:203.119.25.110', '203.119.25.110'],
    ['2001::1:2:3:4:5:6', '2001:0:1:2::/64'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ])('%s → %s', (ip, key) => expect(addressKey(ip)).toBe(key));

  it('never throws and stays short', () => {
    fc.assert(fc.property(fc.string(), (ip) => void addressKey(ip)));
  });
});

describe('signInLane', () => {
  it.each<[string, SignInAttempt, ReturnType<typeof signInLane>]>([
    ['a stranger', { ownTries: null, knownDevice: false }, { lane: 'stranger', ticket: false }],
    ['a known device', { ownTries: null, knownDevice: true }, { lane: 'device', ticket: false }],
    ['who asked for the code', { ownTries: 5, knownDevice: false }, { lane: 'code', ticket: false }],
    ['on a known device too', { ownTries: 5, knownDevice: true }, { lane: 'code', ticket: false }],
    ['at the third try', { ownTries: 3, knownDevice: false }, { lane: 'code', ticket: false }],
    ['at the fourth try', { ownTries: 2, knownDevice: false }, { lane: 'code', ticket: true }],
    ['at the last try', { ownTries: 1, knownDevice: false }, { lane: 'code', ticket: true }],
    ['who used up the own code', { ownTries: 0, knownDevice: false }, { lane: 'stranger', ticket: false }],
    ['who used it up on a known device', { ownTries: 0, knownDevice: true }, { lane: 'device', ticket: false }],
  ])('%s', (_what, attempt, lane) => expect(signInLane(attempt)).toEqual(lane));

  it('leaves strangers 70 tries in a million a day at the codes of one number', () => {
    const most = (limit: Limit) => limit.at(-1)?.most ?? Number.NaN;
    const theirs = most(limits.smsByStrangers);
    const kept = most(limits.smsByPhone) - theirs;
    expect(theirs * (OWN_TRIES + OTHER_TRIES) + kept * OTHER_TRIES).toBe(70);
  });
});

it('keeps a fifth of the school’s codes for devices that people know', () => {
  const budget = { perHour: 2000, perAddressHour: 600 };
  expect(smsBySchool(budget, true)).toEqual([{ within: HOUR, most: 2000 }]);
  expect(smsBySchool(budget, false)).toEqual([{ within: HOUR, most: 1600 }]);
  expect(smsBySchool({ ...budget, perHour: 1 }, false)).toEqual([{ within: HOUR, most: 1 }]);
});
