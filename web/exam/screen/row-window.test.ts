import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsInView, scrollTo, topsOf } from './row-window.ts';

const tops = topsOf([38, 52, 52, 52, 38, 52]);

it('knows where rows begin', () => {
  expect(tops).toEqual([0, 38, 90, 142, 194, 232, 284]);
});

it.each([
  ['the top', 0, 100, 0, [0, 3]],
  ['the middle', 100, 50, 0, [2, 4]],
  ['the end', 200, 84, 0, [4, 6]],
  ['more around', 100, 50, 60, [1, 5]],
] as const)('draws what is seen: %s', (_, scroll, view, more, rows) => {
  expect(rowsInView(tops, scroll, view, more)).toEqual(rows);
});

it('draws nothing of nothing', () => {
  expect(rowsInView(topsOf([]), 0, 500, 100)).toEqual([0, 0]);
});

it('always covers the whole view, and few more rows than that', () => {
  const heights = fc.array(fc.constantFrom(38, 52), { minLength: 1, maxLength: 600 });
  fc.assert(
    fc.property(heights, fc.nat(40_000), fc.integer({ min: 1, max: 900 }), (list, wish, view) => {
      const at = topsOf(list);
      const all = at.at(-1) ?? 0;
      const scroll = Math.min(wish, Math.max(0, all - view));
      const [first, end] = rowsInView(at, scroll, view, 100);
      expect(at[first]).toBeLessThanOrEqual(scroll);
      expect(at[end]).toBeGreaterThanOrEqual(Math.min(all, scroll + view));
      expect(end - first).toBeLessThanOrEqual((view + 200) / 38 + 2);
    }),
  );
});

it.each([
  ['above', 1, 100, 38],
  ['in view', 2, 80, 80],
  ['below', 5, 0, 184],
])('scrolls just far enough: %s', (_, row, scroll, expected) => {
  expect(scrollTo(tops, row, scroll, 100)).toBe(expected);
});
