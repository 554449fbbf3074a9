import { expect, it } from 'vitest';
import { addStroke, blank, hasRoom, INK_MOST, readJottings, TEXT_LONGEST, toggleStruck } from './jottings.ts';

it('an option is struck out and taken back, for each question by itself', () => {
  const one = toggleStruck(toggleStruck(blank, 11, 'D'), 11, 'B');
  expect(one.struck).toEqual({ 11: 'BD' });
  const two = toggleStruck(one, 12, 'A');
  expect(toggleStruck(two, 11, 'D').struck).toEqual({ 11: 'B', 12: 'A' });
  expect(toggleStruck(toggleStruck(two, 11, 'B'), 11, 'D').struck, 'nothing is left behind').toEqual({ 12: 'A' });
});

it('a stroke is kept in whole pixels, until the sheet is full', () => {
  expect(addStroke(blank, [1.4, 2.6]).strokes).toEqual([[1, 3]]);
  expect(addStroke(blank, [1]), 'half a point is none').toBe(blank);
  const full = addStroke(
    blank,
    Array.from({ length: INK_MOST }, () => 7),
  );
  expect(hasRoom(blank)).toBe(true);
  expect(hasRoom(full)).toBe(false);
  expect(addStroke(full, [1, 2])).toBe(full);
});

it.each<[string, object, object]>([
  [
    'as it was written',
    { struck: { 11: 'BD' }, text: '略', strokes: [[1, 2]] },
    { struck: { 11: 'BD' }, text: '略', strokes: [[1, 2]] },
  ],
  ['nothing of it', {}, blank],
  ['another hand', { struck: { 11: 4, 12: 'b' }, text: 4, strokes: [[1], ['a', 'b'], 5] }, blank],
  ['a text beyond all bounds', { text: 'x'.repeat(9000) }, { ...blank, text: 'x'.repeat(TEXT_LONGEST) }],
])('reads %s', (_, kept, expected) => {
  expect(readJottings(kept)).toEqual(expected);
});
