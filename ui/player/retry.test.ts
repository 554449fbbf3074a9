import { describe, expect, it } from 'vitest';
import { type Standing, waitAfterFailure } from './retry.ts';

const stands: Standing = { failures: 0, why: 'network', ahead: 0, paused: false };

describe('a part that did not come', () => {
  it.each<[string, Partial<Standing>, number | 'wanted' | null]>([
    ['is tried again after a second', {}, 1000],
    ['then after two', { failures: 1 }, 2000],
    ['then after four', { failures: 2 }, 4000],
    ['has failed where nothing is left to play', { failures: 3 }, null],
    ['has failed where less than a second is left', { failures: 3, ahead: 0.9 }, null],
    ['is tried on while there is film to play', { failures: 3, ahead: 1 }, 4000],
    ['and again', { failures: 9, ahead: 12 }, 4000],
    ['once somebody plays or jumps, where it stands paused', { failures: 3, ahead: 12, paused: true }, 'wanted'],
    ['is tried as soon at first, also paused', { failures: 0, ahead: 12, paused: true }, 1000],
    ['has failed where what came is no film, however much is left', { failures: 3, why: 'decode', ahead: 12 }, null],
  ])('%s', (_name, change, wait) => {
    expect(waitAfterFailure({ ...stands, ...change })).toBe(wait);
  });
});
