import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { promiseAt, type WorkingDays, yearUnknownWithin } from './promise.ts';

const span = (from: string, to: string, name: string): [string, string][] => {
  const days: [string, string][] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push([new Date(at).toISOString().slice(0, 10), name]);
  return days;
};
/** As the State Council announced 2025 and 2026, in part. */
const days: WorkingDays = {
  years: new Set([2025, 2026]),
  off: new Map([
    ...span('2025-01-28', '2025-02-04', '春节'),
    ...span('2026-01-01', '2026-01-03', '元旦'),
    ...span('2026-10-01', '2026-10-07', '国庆节'),
  ]),
  worked: new Set(['2025-01-26', '2025-02-08', '2026-01-04', '2026-09-20', '2026-10-10']),
};
const china = (moment: string) => Date.parse(`${moment}+08:00`);

describe('an answer is promised', () => {
  it.each([
    ['on a Friday', '2026-11-20T09:00:00', 'today', '2026-11-20', ''],
    ['at the last moment before 18:00', '2026-11-19T17:59:59.999', 'today', '2026-11-19', ''],
    ['at 18:00', '2026-11-19T18:00:00', 'nextWorkingDay', '2026-11-20', ''],
    ['on a Friday evening', '2026-11-20T18:00:00', 'nextWorkingDay', '2026-11-23', ''],
    ['on a Saturday', '2026-11-21T10:00:00', 'nextWorkingDay', '2026-11-23', ''],
    ['at midnight', '2026-11-23T00:00:00', 'today', '2026-11-23', ''],
    ['a moment before midnight', '2026-11-22T23:59:59.999', 'nextWorkingDay', '2026-11-23', ''],
    ['on a Sunday that is worked', '2026-09-20T10:00:00', 'today', '2026-09-20', ''],
    ['on the eve of a Sunday that is worked', '2026-09-19T10:00:00', 'nextWorkingDay', '2026-09-20', ''],
    ['on the eve of a holiday', '2026-09-30T18:00:00', 'nextWorkingDay', '2026-10-08', ''],
    ['on the first day of a holiday', '2026-10-01T10:00:00', 'holiday', '2026-10-08', '国庆节'],
    ['on its last', '2026-10-07T23:00:00', 'holiday', '2026-10-08', '国庆节'],
    ['after it', '2026-10-08T10:00:00', 'today', '2026-10-08', ''],
    ['on the spec’s own holiday', '2025-01-30T12:00:00', 'holiday', '2025-02-05', '春节'],
    ['at the end of a year, over a holiday and a weekend', '2025-12-31T18:00:00', 'nextWorkingDay', '2026-01-04', ''],
    ['on New Year’s Day', '2026-01-01T00:00:00', 'holiday', '2026-01-04', '元旦'],
    ['on the last evening that is known', '2026-12-31T18:00:00', 'unknown', '', ''],
    ['on the last day that is known', '2026-12-31T17:00:00', 'today', '2026-12-31', ''],
    ['in a year that is not known', '2027-03-03T10:00:00', 'unknown', '', ''],
    ['before all years', '2024-12-31T19:00:00', 'unknown', '', ''],
  ] as const)('%s', (_when, moment, kind, date, holiday) => {
    const promisedAt = date === '' ? null : china(`${date}T18:30:00`);
    expect(promiseAt(china(moment), days)).toEqual({ kind, promisedAt, date, holiday });
  });

  it('never for the past, and never later for who asks earlier', () => {
    const moment = fc.integer({ min: china('2025-01-01T00:00:00'), max: china('2026-12-31T17:00:00') });
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [first, second] = [promiseAt(Math.min(one, other), days), promiseAt(Math.max(one, other), days)];
        expect(first.promisedAt).toBeGreaterThan(Math.min(one, other));
        expect(second.promisedAt ?? 0).toBeGreaterThanOrEqual(first.promisedAt ?? 0);
      }),
    );
  });

  it('not at all by a table that says that nothing is worked', () => {
    const off = new Map(span('2026-10-01', '2026-12-31', '假'));
    expect(promiseAt(china('2026-10-02T10:00:00'), { ...days, off, worked: new Set() }).kind).toBe('unknown');
  });
});

it.each([
  ['2026-11-20T00:00:00', 30, null],
  ['2026-12-10T00:00:00', 30, 2027],
  ['2027-01-01T00:00:00', 30, 2027],
] as const)('on %s the next %i days lead into a year that is not known: %s', (moment, ahead, year) =>
  expect(yearUnknownWithin(china(moment), ahead, days)).toBe(year),
);
