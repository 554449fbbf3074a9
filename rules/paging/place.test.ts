import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pagesFrom, placeOf, placeText } from './place.ts';

it('a place is what its text says', () => {
  const number = fc.integer({ min: 0, max: 999_999_999_999_999 });
  fc.assert(
    fc.property(fc.record({ waits: fc.boolean(), at: number, id: number }), (place) => {
      expect(placeOf(placeText(place))).toEqual(place);
    }),
  );
});

it.each([
  '',
  'w',
  'w1',
  'w1-',
  'w-1-2',
  'x1-2',
  'w1-2-3',
  'w1.5-2',
  ' w1-2',
  'w1-2\n',
  `w${'9'.repeat(16)}-1`,
  'w１-2',
])('%j is no place', (text) => {
  expect(placeOf(text)).toBeNull();
});

it.each([
  [1, 0, 0],
  [1, 20, 1],
  [1, 21, 2],
  // Nothing is left on the page that one was led to: it is the one before that is the last.
  [3, 0, 2],
  [3, 1, 3],
  [3, 41, 5],
])('on page %i with %i entries from there on, 20 a page, there are %i pages', (pageNum, entries, pages) => {
  expect(pagesFrom(pageNum, entries, 20)).toBe(pages);
});
