import { describe, expect, it } from 'vitest';
import { beginningOf } from '#rules/wording/beginning.ts';
import { decideQaAnswer } from './answer.ts';
import { hasRoomForMore, mayFollowUp } from './follow-up.ts';
import { platformOf } from './platform.ts';
import { highlightsOf, likeness, likenessTerms, matches, searchOf, termsOf } from './terms.ts';
import { checkText, countText } from './text.ts';
import { readWordList, wordsIn } from './words.ts';

describe('a text', () => {
  it.each([
    ['', 0],
    ['a\r\nb', 3],
    ['a\n\rb', 4],
    ['😀'.repeat(3), 3],
    ['👨‍👩‍👧', 5],
  ])('%j has %i characters', (text, count) => expect(countText(text)).toBe(count));

  it.each([
    [undefined, false, { ok: false, why: 'commentEmpty' }],
    [' \r\n\u0000', false, { ok: false, why: 'commentEmpty' }],
    [' ', true, { ok: true, text: '' }],
    [' a\r\nb ', false, { ok: true, text: 'a\nb' }],
    ['😀'.repeat(5), false, { ok: true, text: '😀'.repeat(5) }],
    ['😀'.repeat(6), false, { ok: false, why: 'textTooLong' }],
    // Spaces around it are not stored, and do not count.
    ['  12345  ', false, { ok: true, text: '12345' }],
    ['1\r\n2\r\n3', false, { ok: true, text: '1\n2\n3' }],
    ['\ud83d', false, { ok: true, text: '\ufffd' }],
  ] as const)('%j of at most 5 (blank: %s) is %j', (text, blank, says) =>
    expect(checkText(text, 5, blank)).toEqual(says),
  );

  it.each([
    ['一二三', 3, '一二三'],
    ['一二三四', 3, '一二…'],
    [' 一\n二 ', 5, '一 二'],
    ['😀😀😀', 2, '😀…'],
  ])('%j begins in %i with %j', (text, longest, says) => expect(beginningOf(text, longest)).toBe(says));
});

it.each([
  [2, '', 2],
  [1, 'Windows', 1],
  [0, 'Windows', 0],
  [99, 'iPhone', 0],
  [undefined, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148', 1],
  [undefined, 'Mozilla/5.0 (Linux; Android 15; Pixel 9)', 0],
  [undefined, 'Mozilla/5.0 (Phone; OpenHarmony 5.0) ArkWeb Mobile', 0],
  [undefined, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 2],
  [undefined, '', 2],
] as const)('platform by the word %s and %j is %i', (word, agent, platform) =>
  expect(platformOf(word, agent)).toBe(platform),
);

it.each([
  ['followUp', 1, false, true],
  ['followUp', 2, true, false],
  ['question', 1, true, true],
  ['question', 1, false, false],
  ['question', 2, true, false],
  ['answer', 1, true, false],
  ['comment', 1, true, false],
] as const)('追问 of person 1 on a %s of %i (answered: %s): %s', (kind, userId, answered, may) =>
  expect(mayFollowUp({ kind, userId, answered }, 1)).toBe(may),
);

it.each([
  ['', true],
  ['f'.repeat(9), true],
  ['f'.repeat(10), false],
  [`${'f'.repeat(10)}a`, true],
  [`a${'f'.repeat(10)}`, false],
  // An answer that was taken out of sight answers nothing.
  [`${'f'.repeat(10)}h`, false],
  [`${'f'.repeat(10)}ah${'f'.repeat(9)}`, true],
])('after %j one more follow-up may stand: %s', (entries, may) => {
  const kindOf = (sign: string) => (sign === 'f' ? ('followUp' as const) : ('answer' as const));
  expect(hasRoomForMore([...entries].map((sign) => ({ kind: kindOf(sign), hidden: sign === 'h' ? 1 : 0 })))).toBe(may);
});

const no = (why: string) => ({ ok: false, why });
it.each([
  { type: 41, state: 0, wants: [undefined, 'x', 0], says: { ok: true, state: 1 } },
  { type: 41, state: 1, wants: [undefined, '', 1], says: { ok: true, state: 1 } },
  { type: 41, state: 0, wants: [3, 'x', 0], says: { ok: true, state: 1 } },
  { type: 41, state: 0, wants: [undefined, '', 0], says: no('commentEmpty') },
  { type: 32, state: 0, wants: [undefined, '', 0], says: { ok: true, state: 1 } },
  { type: 32, state: 0, wants: [2, '', 0], says: { ok: true, state: 2 } },
  { type: 31, state: 0, wants: [3, '', 0], says: no('reasonNeeded') },
  { type: 33, state: 0, wants: [3, '不合适', 0], says: { ok: true, state: 3 } },
  { type: 33, state: 3, wants: [2, '', 0], says: { ok: true, state: 2 } },
  { type: 33, state: 2, wants: [1, '在看', 0], says: no('alreadyDecided') },
  { type: 33, state: 3, wants: [undefined, '在看', 0], says: no('alreadyDecided') },
  { type: 41, state: 0, looked: 4, wants: [undefined, 'x', 0], says: no('answeredMeanwhile') },
] as const)('answering $type in state $state with $wants: $says', ({ type, state, wants, says, ...given }) => {
  const looked = ('looked' in given ? given.looked : undefined) ?? 5;
  const wanted = { version: looked, state: wants[0], text: wants[1], images: wants[2] };
  expect(decideQaAnswer({ type, state, version: 5, wanted })).toEqual(says);
});

describe('terms', () => {
  it.each([
    ['注册会计师', '会计', true],
    ['计会', '会计', false],
    ['增值税', '税', true],
    ['Ｌｉｍｉｔ', 'LIMIT', true],
    ['limits', 'limit', false],
    ['a_b', '_', true],
    ['ab', '_', false],
    ['50%', '50%', true],
    ['5 0 %', '50%', false],
    ['求 极限', '求极限', false],
    ['𠮷野家', '𠮷野', true],
    ['√2 是无理数', '√', true],
  ])('%j is found by %j: %s', (text, keyword, found) => {
    const search = searchOf(keyword);
    const terms = new Set(termsOf(text));
    expect(search.terms.every((term) => terms.has(term)) && matches(text, search).found).toBe(found);
  });

  it('are whole numbers that both databases hold, and few of them for the longest text', () => {
    const text = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x4e00 + at * 7)).join('');
    const terms = [...termsOf(text), ...termsOf('\u{10ffff}𠮷 hello 世界 😀 مرحبا')];
    expect(terms.every(Number.isSafeInteger)).toBe(true);
    expect(terms.length).toBeLessThan(1100);
    expect(searchOf('，。 ?').terms).toEqual([]);
  });

  it.each([
    ['求极限的极限', '极限', ['极限', '极限']],
    ['极限 求导', '求导 极限', ['极限', '求导']],
    ['Ａ b', 'a  B', ['Ａ b']],
    ['㎏ 与 kg', 'kg', ['㎏', 'kg']],
    ['无', '极限', []],
  ])('in %j, %j marks %j', (text, keyword, marked) =>
    expect(highlightsOf(text, searchOf(keyword)).map(({ from, to }) => text.slice(from, to))).toEqual(marked),
  );

  it('tell how alike two texts are', () => {
    const alike = (one: string, other: string) => likeness(likenessTerms(one), likenessTerms(other));
    expect(alike('定积分换元', '定积分换元')).toBe(1);
    expect(alike('定积分换元为什么', '请问定积分换元')).toBeGreaterThan(alike('定积分换元为什么', '英语为什么'));
    expect(alike('', '定积分')).toBe(0);
  });
});

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
