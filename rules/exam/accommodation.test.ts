import { describe, expect, it } from 'vitest';
import { type Accommodation, accommodationIn, minutesAdded } from './accommodation.ts';

const percent = (percent: 125 | 150 | 200): Accommodation => ({ percent, minutes: null });
const minutes = (minutes: number): Accommodation => ({ percent: null, minutes });

describe('minutes that an accommodation adds', () => {
  it.each([
    ['a quarter', 60, percent(125), 15],
    ['a quarter, rounded up to a minute', 45, percent(125), 12],
    ['a half', 90, percent(150), 45],
    ['a half of one minute', 1, percent(150), 1],
    ['as much again', 150, percent(200), 150],
    ['as much again as a whole day', 1440, percent(200), 1440],
    ['minutes, however long the paper', 60, minutes(20), 20],
    ['never beyond two days', 1440, minutes(1441), 1440],
    ['nothing without one', 60, null, 0],
    ['nothing where there is no end', null, percent(200), 0],
    ['no minutes where there is no end', null, minutes(20), 0],
  ])('%s', (_, examTime, accommodation, wanted) => {
    expect(minutesAdded(examTime, accommodation)).toBe(wanted);
  });
});

describe('which one counts in a pack', () => {
  const everywhere = { packId: null, ...percent(200) };
  const here = { packId: 7, ...percent(125) };
  it.each([
    ['the one of the pack, though it gives less', [everywhere, here], 7, here],
    ['that of all packs elsewhere', [everywhere, here], 8, everywhere],
    ['none elsewhere', [here], 8, null],
    ['none at all', [], 7, null],
  ])('%s', (_, set, packId, wanted) => {
    expect(accommodationIn(set, packId)).toBe(wanted);
  });
});
