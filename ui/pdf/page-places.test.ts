import { expect, it } from 'vitest';
import { drawnAround, keyMeaning, nextZoom, pageAt, placesOf } from './page-places.ts';

const size = { width: 100, height: 50 };

it('pages stand under each other, each as tall as it is', () => {
  const { tops, height } = placesOf(3, (page) => (page === 2 ? { width: 100, height: 100.6 } : size), 2);
  expect(tops).toEqual([12, 124, 337]);
  expect(height).toBe(449);
});

it.each([
  [0, 1],
  [12, 1],
  [123, 1],
  [124, 2],
  [400, 3],
  [9999, 3],
])('the page at %i is %i', (middle, page) => {
  expect(pageAt([12, 124, 337], middle)).toBe(page);
});

it.each([
  [1, 300, 1, 5],
  [2, 300, 1, 5],
  [150, 300, 148, 152],
  [300, 300, 296, 300],
  [1, 1, 1, 1],
  [2, 3, 1, 3],
])('around page %i of %i are drawn %i to %i', (current, pages, first, last) => {
  expect(drawnAround(current, pages)).toEqual({ first, last });
});

it('zooms in steps that end', () => {
  expect([nextZoom(1, 1), nextZoom(2, -1), nextZoom(1, -1), nextZoom(4, 1)]).toEqual([1.25, 1.5, 1, 4]);
});

it.each([
  ['PageDown', { what: 'turn', by: 1 }],
  ['ArrowLeft', { what: 'turn', by: -1 }],
  ['End', { what: 'go', to: 'last' }],
  ['=', { what: 'zoom', by: 1 }],
  ['0', { what: 'zoom', by: 0 }],
  ['ArrowDown', null],
  ['constructor', null],
])('the key %s means %j', (key, meaning) => {
  expect(keyMeaning(key)).toEqual(meaning);
});
