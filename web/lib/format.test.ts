import { describe, expect, it } from 'vitest';
import { clockTime, dayInChina, daysUntil, formatCount, formatDay, formatMoment, formatRate } from './format.ts';

const at = (text: string) => Date.parse(text);

describe('format', () => {
  it('says moments on the Chinese calendar, the year only where it differs', () => {
    const now = at('2026-11-20T12:00:00+08:00');
    expect(formatMoment(at('2026-11-20T18:30:00+08:00'), now)).toBe('11月20日 18:30');
    expect(formatMoment(at('2025-12-31T23:59:59+08:00'), now)).toBe('2025年12月31日 23:59');
    // Already the next year in China, still the old one in London.
    expect(formatDay(at('2026-12-31T16:00:00Z'), now)).toBe('2027年1月1日');
  });

  it('says the time of day in China to the second', () => {
    expect(clockTime(at('2026-11-20T16:00:05Z'))).toBe('00:00:05');
    expect(clockTime(at('2026-11-20T10:32:05.999+08:00'))).toBe('10:32:05');
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [9_999, '9,999'],
    [10_000, '1万'],
    [12_345, '1.2万'],
    [99_999, '9.9万'],
    [123_456_789, '1.2亿'],
  ])('says the count %i as %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  it.each([
    [0.999, '99%'],
    [1, '100%'],
    [0.29, '29%'],
    [0.57, '57%'],
  ])('says the rate %d as %s', (rate, text) => {
    expect(formatRate(rate)).toBe(text);
  });

  it('counts days by the Chinese calendar', () => {
    const lateEvening = at('2026-11-20T23:30:00+08:00');
    expect(dayInChina(lateEvening)).toBe('2026-11-20');
    expect(dayInChina(at('2026-11-20T16:00:00Z'))).toBe('2026-11-21');
    expect(daysUntil('2026-11-21', lateEvening)).toBe(1);
    expect(daysUntil('2026-11-20', lateEvening)).toBe(0);
    expect(daysUntil('2026-11-19', lateEvening)).toBe(-1);
    expect(daysUntil('soon', lateEvening)).toBeNull();
  });
});
