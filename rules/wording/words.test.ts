import { describe, expect, it } from 'vitest';
import { readWordList, wordsIn } from './words.ts';

describe('a list of words', () => {
  const read = readWordList('\ufeff# 说明\r\n代考\n 替 考 \n口交\n!路口交通\n\n');
  const list = read.ok ? read.list : { words: [], allowed: [] };
  it.each([
    ['找代考', ['代考']],
    ['找 代 考', ['代考']],
    ['代*考，替-考', ['代考', '替考']],
    ['ＡＢ代\u200b考', ['代考']],
    ['时代。考试', []],
    ['时代考试', ['代考']],
    ['路口交通拥堵', []],
    ['路口交通和口交', ['口交']],
    ['极限', []],
  ])('in %j finds %j', (text, words) => expect(wordsIn(text, list)).toEqual(words));

  it('refuses lines that would stop everything', () => {
    expect(readWordList('代考\n的\n!x\n')).toEqual({ ok: false, lines: [2, 3] });
    expect(readWordList('')).toEqual({ ok: true, list: { words: [], allowed: [] } });
  });
});
