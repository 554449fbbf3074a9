import fc from 'fast-check';
import { expect, it } from 'vitest';
import { padded, pieces } from './prepared.ts';

it('pieces lose nothing, repeat nothing and have few lengths', () => {
  fc.assert(
    fc.property(fc.nat(3000), (count) => {
      const items = Array.from({ length: count }, (_, at) => at);
      const cut = pieces(items);
      expect(cut.flat()).toEqual(items);
      for (const piece of cut) expect(piece.length <= 32 || [64, 256, 1024].includes(piece.length)).toBe(true);
    }),
  );
});

it.each([
  [[], []],
  [[7], [7]],
  [
    [7, 8],
    [7, 8, 8, 8],
  ],
  [
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ],
])('padded(%j)', (items, expected) => {
  expect(padded(items)).toEqual(expected);
});

it('padded has few lengths, and leaves a list that is longer than all of them alone', () => {
  expect(padded(Array.from({ length: 300 }, () => 1))).toHaveLength(1024);
  expect(padded(Array.from({ length: 1025 }, () => 1))).toHaveLength(1025);
});
