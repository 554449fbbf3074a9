import { describe, expect, it } from 'vitest';
import { fitting, lengthOf, withinLength } from './typed-text.ts';

it.each<[string, string, string, string]>([
  ['what fits', '一', '一二', '一二'],
  ['as many characters outside the basic plane as others', '', '😀😀😀', '😀😀😀'],
  ['no half of a character when what is pasted is cut', '😀', '😀😀😀😀', '😀😀😀'],
  ['nothing more when it is full, wherever it is typed', '一二三', '一新二三', '一二三'],
  ['what is pasted in front as far as there is room, and loses nothing', '一二', '甲乙丙一二', '甲一二'],
  ['what is shorter again', '一二三', '一二', '一二'],
])('a field of three takes %s', (_, before, typed, after) => {
  expect(withinLength(before, typed, 3)).toBe(after);
});

describe('of what is too much for a field of five', () => {
  // `|` is the caret.
  it.each([
    ['一二三四五|', '一二三四五|'],
    ['一二三四五六|', '一二三四五|'],
    ['新|一二三四五', '|一二三四五'],
    ['一甲乙丙|二三四', '一甲|二三四'],
    ['一二三四zhong|', '一二三四z|'],
    ['一二三四😀😀|', '一二三四😀|'],
    ['一二三四👨‍👩‍👧|', '一二三四|'],
    ['👨‍👩‍👧|', '👨‍👩‍👧|'],
    ['一|二三四五六七', '二三四五六|'],
    ['一二三四e\u0301|', '一二三四|'],
  ])('%s leaves %s', (typed, left) => {
    const caret = typed.indexOf('|');
    const fits = fitting(typed.replace('|', ''), caret, 5);
    expect(`${fits.text.slice(0, fits.caret)}|${fits.text.slice(fits.caret)}`).toBe(left);
  });
});

it('counts as a person does', () => {
  expect(lengthOf('😀好a')).toBe(3);
});
