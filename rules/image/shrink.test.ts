import { describe, expect, it } from 'vitest';
import { mustShrink, shrunkSize } from './shrink.ts';

describe('a picture for Q&A', () => {
  it.each([
    [3072 * 1024, 'jpg', false],
    [3072 * 1024 + 1, 'jpg', true],
    [3072 * 1024 + 1, 'png', true],
    [10, null, true],
    [10, 'png', false],
  ] as const)('of %i bytes and kind %s is made smaller: %s', (size, kind, must) =>
    expect(mustShrink({ size, kind })).toBe(must),
  );

  it.each([
    [4000, 3000, 1920, 1440],
    [3000, 4000, 1440, 1920],
    [1920, 10, 1920, 10],
    [800, 600, 800, 600],
    [20_000, 3, 1920, 1],
  ])('of %i × %i becomes %i × %i', (width, height, toWidth, toHeight) =>
    expect(shrunkSize(width, height)).toEqual({ width: toWidth, height: toHeight }),
  );
});
