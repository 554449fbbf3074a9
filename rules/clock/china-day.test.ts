import { expect, it } from 'vitest';
import { chinaDay, chinaMoment, chinaTime, DAY } from './china-day.ts';

it.each([
  ['2026-11-30', Date.UTC(2026, 10, 29, 16)],
  ['2028-02-29', Date.UTC(2028, 1, 28, 16)],
  ['2026-02-29', null],
  ['2026-13-01', null],
  ['0000-01-01', null],
  ['2026-1-1', null],
  ['', null],
])('%s begins at %s', (text, at) => {
  expect(chinaDay(text)).toBe(at);
});

it('tells the time of China', () => {
  expect(chinaTime(Date.UTC(2026, 10, 20, 10))).toBe('2026-11-20 18:00:00');
  expect(chinaTime((chinaDay('2026-11-30') ?? 0) + DAY - 1)).toBe('2026-11-30 23:59:59');
});

it.each([
  ['2026-11-20 18:00', Date.UTC(2026, 10, 20, 10)],
  [' 2026-11-20T00:00 ', Date.UTC(2026, 10, 19, 16)],
  ['2026-11-20 24:00', null],
  ['2026-11-20 18:60', null],
  ['2026-02-30 18:00', null],
  ['2026-11-20', null],
  ['', null],
])('%j is the moment %s', (text, at) => {
  expect(chinaMoment(text)).toBe(at);
});
