import { describe, expect, it } from 'vitest';
import { byDay, namedDay, untilNextChange } from './day-groups.ts';

describe('live lessons under their days', () => {
  it('stand in their order, one group for days that follow each other', () => {
    const lessons = ['2026-11-20', '2026-11-20', '2026-11-21', '2026-11-20'].map((startDateExt, id) => ({
      id,
      startDateExt,
    }));
    expect(byDay(lessons).map(({ day, lessons: of }) => [day, of.map(({ id }) => id)])).toEqual([
      ['2026-11-20', [0, 1]],
      ['2026-11-21', [2]],
      ['2026-11-20', [3]],
    ]);
    expect(byDay([])).toEqual([]);
  });

  // 2026-11-20 23:30 in China.
  const now = Date.UTC(2026, 10, 20, 15, 30);
  it.each([
    ['2026-11-20', 'today'],
    ['2026-11-21', 'tomorrow'],
    ['2026-11-22', null],
    ['2026-11-19', null],
  ])('%s: %s', (day, word) => {
    expect(namedDay(day, now)).toBe(word);
  });

  it.each([
    [[], 60_000],
    [[{ startTime: now + 5000, endTime: now + 9000 }], 5000],
    [[{ startTime: now - 5000, endTime: now + 9000 }], 9000],
    [[{ startTime: now + 100, endTime: now + 9000 }], 1000],
    [[{ startTime: now - 9, endTime: now - 1 }], 60_000],
  ])('%j: looks again after %d ms', (lessons, wait) => {
    expect(untilNextChange(lessons, now)).toBe(wait);
  });
});
