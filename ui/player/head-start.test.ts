import { describe, expect, it } from 'vitest';
import { firstPart } from './head-start.ts';

const list = (...durations: number[]) =>
  [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:3',
    '#EXT-X-KEY:METHOD=AES-128,URI="720.key"',
    ...durations.flatMap((duration, at) => [`#EXTINF:${duration.toFixed(3)},`, `720/${at}.ts`]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
const base = 'http://school.test/app/video/play/7/720.m3u8';
const part = (at: number) => `http://school.test/app/video/play/7/720/${at}.ts`;

describe('the part that plays first', () => {
  it.each([
    [0, 0],
    [2.5, 0],
    // hls.js begins at the next part where a place lies within a quarter of a second of the end.
    [2.8, 1],
    [3, 1],
    [7.9, 2],
  ])('from %s s on is number %s', (from, at) => {
    expect(firstPart(list(3, 3, 2.4), base, from)).toBe(part(at));
  });

  it('is none beyond the end, and none in a text that is no list', () => {
    expect(firstPart(list(3, 3), base, 6)).toBeNull();
    expect(firstPart('', base, 0)).toBeNull();
  });
});
