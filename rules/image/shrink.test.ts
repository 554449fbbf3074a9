import { describe, expect, it } from 'vitest';
import { beforeSending, shrunkSize } from './shrink.ts';

describe('a picture for Q&A', () => {
  it.each([
    [3072 * 1024, 'jpg', 100, 'send'],
    [3072 * 1024 + 1, 'jpg', 100, 'shrink'],
    [3072 * 1024 + 1, 'png', 100, 'shrink'],
    [10, null, 100, 'shrink'],
    [10, null, null, 'shrink'],
    [10, 'png', 100, 'send'],
    // What the browser cannot read is told by the server what is wrong with it.
    [10, 'png', null, 'send'],
    // A sheet of paper, photographed with 48 million points, is small as a file.
    [10, 'jpg', 25_000_000, 'send'],
    [10, 'jpg', 25_000_001, 'shrink'],
    [10, 'png', 120_000_000, 'shrink'],
    // 20 000 by 20 000 in a megabyte.
    [10, 'png', 120_000_001, 'refuse'],
    [10, null, 400_000_000, 'refuse'],
  ] as const)('of %i bytes, kind %s and %s points: %s', (size, kind, points, what) =>
    expect(beforeSending({ size, kind, points })).toBe(what),
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
