import { expect, test } from 'vitest';
import { sameOptions, stripLetters } from './option-text.ts';

const options = (...texts: string[]) => Object.fromEntries(texts.map((text, at) => ['ABCDEFGH'[at], text]));

test.each([
  ['dots', ['A. 甲', 'B. 乙'], ['甲', '乙']],
  ['dots without a blank', ['A.甲', 'B.乙'], ['甲', '乙']],
  ['full-width dots', ['Ａ．甲', 'Ｂ．乙'], ['甲', '乙']],
  ['Chinese commas', ['A、甲', 'B、乙', 'C、丙'], ['甲', '乙', '丙']],
  ['brackets', ['（A）甲', '(B) 乙'], ['甲', '乙']],
  ['closing brackets', ['A)甲', 'B）乙'], ['甲', '乙']],
  ['lower case', ['a. 甲', 'b. 乙'], ['甲', '乙']],
  ['mixed marks', ['A. 甲', 'B、乙'], ['甲', '乙']],
  ['in tags', ['<p>A. 甲</p>', '<p>B. 乙</p>'], ['<p>甲</p>', '<p>乙</p>']],
  ['in front of formulas', ['A. $x<1$', 'B. $x>1$'], ['$x<1$', '$x>1$']],
  ['Latin texts', ['A. Apple', 'B. Banana'], ['Apple', 'Banana']],
])('takes the letters off: %s', (_, written, read) => {
  expect(stripLetters(options(...written))).toEqual(options(...read));
});

test.each([
  ['one without a letter', ['A. 甲', '乙']],
  ['another letter', ['A. 甲', 'C. 乙']],
  ['a blank is no mark', ['A 型血', 'B 型血']],
  ['no mark', ['A型血', 'B型血']],
  ['combinations', ['A、B', 'B、C', 'C、D']],
  ['combinations with a word', ['A、B都对', 'B、C都对']],
  ['nothing would remain', ['A.', 'B.']],
  ['the same would remain', ['A. 型', 'B. 型']],
  ['a single option', ['A. 甲']],
  ['formulas', ['A=1', 'B=1']],
])('leaves all as they are: %s', (_, written) => {
  expect(stripLetters(options(...written))).toEqual(options(...written));
});

test.each([
  ['blanks of a formula', '\\(x+y\\)', '\\(x + y\\)', true],
  ['a blank that ends a command', '\\(\\sin x\\)', '\\(\\sinx\\)', false],
  ['a blank in the text of a formula', '\\(\\text{a b}\\)', '\\(\\text{ab}\\)', false],
  ['an element that shows nothing', '<span>甲</span>', '甲', true],
  ['an element that shows', '<span><u>甲</u></span>', '甲', false],
  ['a blank between words', '1 2', '12', false],
])('two options that differ by %s alone', (_, one, other, same) => {
  expect(sameOptions({ A: one, B: other })).toEqual(same ? ['A', 'B'] : null);
});

test('thirty thousand signs that begin formulas take no time', () => {
  const began = performance.now();
  expect(sameOptions(options('\\('.repeat(15_000), '\\['.repeat(15_000)))).toBeNull();
  expect(performance.now() - began).toBeLessThan(500);
});
