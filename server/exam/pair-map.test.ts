import { expect, it } from 'vitest';
import { PairMap } from './pair-map.ts';

it('holds a value for two ids together, in their order', () => {
  const map = new PairMap<string>();
  map.set(1, 2, 'a');
  map.set(2, 1, 'b');
  map.set(1, 3, 'c');
  map.set(1, 2, 'd');
  expect([map.get(1, 2), map.get(2, 1), map.get(3, 1), map.get(1, 1)]).toEqual(['d', 'b', undefined, undefined]);
  expect([map.has(1, 3), map.has(3, 1), map.has(1, 1)]).toEqual([true, false, false]);
  expect(map.entries()).toEqual([
    [1, 2, 'd'],
    [1, 3, 'c'],
    [2, 1, 'b'],
  ]);
  expect(map.values()).toEqual(['d', 'c', 'b']);
});
