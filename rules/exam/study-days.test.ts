import { expect, it } from 'vitest';
import { daysInRow, lastWeeks } from './study-days.ts';

it.each<[string, string[], number]>([
  ['nothing', [], 0],
  ['today', ['2026-03-01'], 1],
  ['over the end of a month', ['2026-02-27', '2026-02-28', '2026-03-01'], 3],
  ['today is not over', ['2026-02-27', '2026-02-28'], 2],
  ['a gap ends it', ['2026-02-26', '2026-02-28', '2026-03-01'], 2],
  ['the day before yesterday is too long ago', ['2026-02-27'], 0],
])('days in a row: %s', (_, dates, count) => expect(daysInRow(dates, '2026-03-01')).toBe(count));

it.each<[string, string, string[][]]>([
  [
    'on a Sunday',
    '2026-03-01',
    [
      ['2026-02-16', '2026-02-22'],
      ['2026-02-23', '2026-03-01'],
    ],
  ],
  [
    'on a Monday',
    '2026-03-02',
    [
      ['2026-02-23', '2026-03-01'],
      ['2026-03-02', '2026-03-02'],
    ],
  ],
])('two weeks %s', (_, today, ends) => expect(lastWeeks(today, 2).map((week) => [week[0], week.at(-1)])).toEqual(ends));
