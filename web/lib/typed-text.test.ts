import { expect, it } from 'vitest';
import { lengthOf, withinLength } from './typed-text.ts';

it.each<[string, string, string, string]>([
  ['what fits', '一', '一二', '一二'],
  ['as many characters outside the basic plane as others', '', '😀😀😀', '😀😀😀'],
  ['no half of a character when what is pasted is cut', '😀', '😀😀😀😀', '😀😀😀'],
  ['nothing more when it is full, wherever it is typed', '一二三', '一新二三', '一二三'],
  ['what is shorter again', '一二三', '一二', '一二'],
])('a field of three takes %s', (_, before, typed, after) => {
  expect(withinLength(before, typed, 3)).toBe(after);
});

it('counts as a person does', () => {
  expect(lengthOf('😀好a')).toBe(3);
});
