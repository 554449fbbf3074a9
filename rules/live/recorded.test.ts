import { describe, expect, it } from 'vitest';
import { byPartName } from './part-name.ts';
import { CLOCKS_APART as APART, recordedFrom, trialOf } from './recorded.ts';

const T = 1_795_000_000_000;
const MINUTE = 60_000;
const part = (from: number, length: number, name = '0002-1795000000000.flv') => ({ name, from: T + from, length });

it('parts stand in the order of their numbers, then of their times', () => {
  const names = [
    '0000-1795000000000.flv',
    '0000-1795000000001.flv',
    '0002-1.flv',
    '0002-1.flv~',
    '9999-1.flv',
    '10000-1.flv',
  ];
  expect(names.toReversed().sort(byPartName)).toEqual(names);
  expect(byPartName('', '0000-1795000000000.flv')).toBeLessThan(0);
  expect(byPartName('0002-1.flv', '0002-1.flv')).toBe(0);
});

describe('what of a recording belongs to its lesson', () => {
  it.each([
    ['begun by its stream half an hour before', -30, -30],
    ['begun by its stream later', -10, -30],
    ['begun by its teacher sooner', -50, -50],
    ['begun late, since its clock was in doubt', 3, -30],
  ])('%s', (_, startedAt, from) =>
    expect(recordedFrom({ startTime: T, startedAt: T + startedAt * MINUTE })).toBe(T + from * MINUTE),
  );

  it.each([
    ['a part of the lesson', part(1000, 9000), '0002', 0],
    ['a trial that was over', part(-9000, 8000), '0003', null],
    ['a trial that was over a moment ago', part(-4000, 4100), '0003', null],
    ['a trial that goes on into the lesson', part(-9000, 20_000), '0002', 9000 - APART],
    ['the same, closed before the lesson was noted', part(-9000, 20_000), '0003', 9000 + APART],
    ['a part of the lesson that was closed before it was noted', part(20_000, 9000), '0003', 0],
    ['the part with which the lesson began, by another clock', part(-3000, 60_000), '0002', 0],
    [
      'a part behind the ten thousandth, of a lesson that began with a late one',
      part(-3_600_000, 8000, '10001-1795000000000.flv'),
      '9998',
      0,
    ],
    ['a trial of ten thousand parts', part(-3_600_000, 8000, '9998-1795000000000.flv'), '10001', null],
    ['a clock that was set forward meanwhile', part(-3_600_000, 8000), '0002', 0],
    ['a clock that was set back meanwhile', part(3_600_000, 8000), '0003', 0],
  ])('%s', (_, each, firstPart, trial) => expect(trialOf(each, { firstPart, begins: T })).toBe(trial));
});
