import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAnswered, normalAnswer, type QuestionType, sortLetters } from './answer.ts';

describe('normalAnswer', () => {
  it.each<[string, QuestionType, string, string, string | null]>([
    ['judge', 1, 'AB', 'B', 'B'],
    ['judge takes one letter', 1, 'AB', 'AB', null],
    ['single', 2, 'ABCD', 'c', 'C'],
    ['single takes one letter', 2, 'ABCD', 'AC', null],
    ['single off the options', 2, 'ABCD', 'E', null],
    ['multiple is sorted', 3, 'ABCD', 'DBA', 'ABD'],
    ['multiple with separators', 3, 'ABCD', 'D, B，A', 'ABD'],
    ['multiple, a letter twice', 3, 'ABCD', 'AAB', 'AB'],
    ['multiple, all letters', 3, 'ABCD', 'ABCD', 'ABCD'],
    ['multiple, a letter that is not offered', 3, 'ABCD', 'ABE', null],
    ['multiple, a word', 3, 'ABCD', '对', null],
    ['indefinite, one letter', 5, 'ABCDE', 'E', 'E'],
    ['the longest that is read', 3, 'ABCD', 'A'.repeat(64), 'A'],
    ['a long string is no answer', 3, 'ABCD', 'A'.repeat(65), null],
    ['cleared', 3, 'ABCD', '', ''],
    ['cleared with spaces', 2, 'ABCD', '  ', ''],
    ['text stays as it is', 4, '', ' 一行\n二行 ', ' 一行\n二行 '],
    ['blank text is a cleared answer', 8, '', ' \n ', ''],
    ['text loses NUL', 4, '', 'a\u0000b', 'ab'],
    ['text that is only NUL', 4, '', '\u0000', ''],
    ['half a surrogate pair is what a database makes of it', 8, '', 'a\ud800b', 'a\ufffdb'],
  ])('%s', (_, type, letters, raw, expected) => {
    expect(normalAnswer(type, letters, raw)).toEqual(
      expected === null ? { ok: false, why: 'answerMalformed' } : { ok: true, answer: expected },
    );
  });

  it('is stable: what it gives is taken again unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom<QuestionType>(1, 2, 3, 4, 5, 8), fc.string({ maxLength: 80 }), (type, raw) => {
        const first = normalAnswer(type, 'ABCDEFGH', raw);
        if (first.ok) expect(normalAnswer(type, 'ABCDEFGH', first.answer)).toEqual(first);
      }),
    );
  });
});

it('sortLetters does not depend on the order', () => {
  fc.assert(
    fc.property(fc.subarray([...'ABCDEFGH']), fc.nat(), (letters, seed) => {
      const turned = [...letters.slice(seed % 8), ...letters.slice(0, seed % 8)];
      expect(sortLetters(turned.join(''))).toBe(letters.join(''));
    }),
  );
});

it.each([
  [null, false],
  ['', false],
  [' \n', false],
  ['A', true],
])('isAnswered(%j) is %s', (answer, expected) => {
  expect(isAnswered(answer)).toBe(expected);
});
