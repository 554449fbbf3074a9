import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findKeyWords, keyWordsIn } from './key-words.ts';

const found = (answer: string, ...words: string[]) =>
  findKeyWords(answer, words).map(([from, to]) => answer.slice(from, to));

describe('key words in an answer', () => {
  it.each([
    ['as they stand', '借记银行存款', ['银行存款'], ['银行存款']],
    ['not there', '借记应收账款', ['银行存款'], []],
    ['full width', '计提ＧＤＰ５０００', ['GDP', '5000'], ['ＧＤＰ５０００']],
    ['capitals', 'the gdp grew', ['GDP'], ['gdp']],
    ['blanks inside', '银 行\n存款', ['银行存款'], ['银 行\n存款']],
    ['punctuation inside', '1,000 元', ['1000'], ['1,000']],
    ['blanks and punctuation of the word', '权责发生制', [' 权责，发生制。'], ['权责发生制']],
    ['the point of a number stays', '约 31.4 和 3.14', ['3.14'], ['3.14']],
    ['a point at the end does not', '得 5. 又', ['5'], ['5']],
    ['no part of a longer number', '11000 与 1000', ['1000'], ['1000']],
    ['no part of a longer word', 'interest in it', ['in'], ['in']],
    ['latin beside Chinese', '按GDP计算', ['gdp'], ['GDP']],
    ['twice', '坏账，又是坏账', ['坏账'], ['坏账', '坏账']],
    ['overlapping ones are one', '应收账款余额', ['应收账款', '账款余额'], ['应收账款余额']],
    ['one inside another', '固定资产折旧', ['固定资产折旧', '资产'], ['固定资产折旧']],
    ['signs of formulas count', 'x=1', ['x=1', 'x1'], ['x=1']],
    ['beyond the first plane', '𠮷利', ['𠮷利'], ['𠮷利']],
    ['a ligature of one sign', '㎏', ['kg'], ['㎏']],
    ['a word of nothing but signs', '，。', ['，'], []],
    ['an empty answer', '', ['词'], []],
    ['an empty word', '词', [''], []],
  ])('%s', (_, answer, words, wanted) => {
    expect(found(answer, ...words)).toEqual(wanted);
    expect(keyWordsIn(answer, words).length > 0).toBe(wanted.length > 0);
  });

  it('are parts of the answer, ascending and apart, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), (answer, words) => {
        let last = -1;
        for (const [from, to] of findKeyWords(answer, words)) {
          expect(from).toBeGreaterThan(last);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(answer.length);
          last = to;
        }
      }),
    );
  });
});
