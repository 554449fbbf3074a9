import { describe, expect, test } from 'vitest';
import { differenceOf, isWhollyOther, nearMatch, pairsOf, type ToldBy } from './same-question.ts';

const FOUR = { A: '资产', B: '负债', C: '所有者权益', D: '收入' };
const base: ToldBy = { type: 2, topic: '下列各项中，属于企业流动资产的是（　）。', options: FOUR, material: '' };
const judge = (topic: string): ToldBy => ({ type: 1, topic, options: { A: '对', B: '错' }, material: '' });
const pictured = (alt: string): ToldBy => {
  const shown = `<img src="/files/1.png" alt="${alt}" />`;
  return { ...base, options: { ...FOUR, A: shown }, material: `图纸${shown}` };
};
const text = (topic: string, material = ''): ToldBy => ({ type: 4, topic, options: {}, material });

describe('probably one question, of which one part was corrected', () => {
  test.each<[string, ToldBy, ToldBy, string | null]>([
    ['the same', base, base, null],
    ['a wrong character in the text', base, { ...base, topic: '下列各项中，属于企业流动资产的时（　）。' }, 'topic'],
    ['two wrong characters', base, { ...base, topic: '下列各项之中，属于企业流动资产的有（　）。' }, 'topic'],
    ['formatting alone', base, { ...base, topic: '下列各项中，<u>属于</u>企业流动资产的是（　）。' }, 'topic'],
    [
      'a text written anew under options that tell',
      { ...base, options: { ...FOUR, A: '固定资产折旧' } },
      { ...base, options: { ...FOUR, A: '固定资产折旧' }, topic: '哪一个？' },
      'topic',
    ],
    [
      'another text under options that tell nothing',
      { ...base, options: { A: '①②', B: '①③' } },
      { ...base, options: { A: '①②', B: '①③' }, topic: '哪一个？' },
      null,
    ],
    ['one option', base, { ...base, options: { ...FOUR, D: '收益' } }, 'options'],
    [
      'options in another order',
      base,
      { ...base, options: { A: '负债', B: '资产', C: '所有者权益', D: '收入' } },
      'options',
    ],
    ['an option more', base, { ...base, options: { ...FOUR, E: '费用' } }, 'options'],
    ['other options', base, { ...base, options: { A: '一', B: '二', C: '三', D: '四' } }, null],
    ['what is said of a picture', pictured(''), pictured('红色矩形'), null],
    [
      'the text, and what is said of pictures',
      pictured(''),
      { ...pictured('红色'), topic: `${base.topic}？` },
      'topic',
    ],
    ['the type', base, { ...base, type: 3 }, 'type'],
    ['type and text', base, { ...base, type: 3, topic: `${base.topic}？` }, null],
    ['judged: a wrong character', judge('太阳从东方升起。'), judge('太阳从东边升起。'), 'topic'],
    ['judged: another sentence', judge('太阳从东方升起。'), judge('月亮绕着地球转。'), null],
    ['short: one character of three', judge('错别子'), judge('错别字'), 'topic'],
    ['short: one character of one', judge('甲'), judge('乙'), null],
    [
      'another material',
      text('根据材料，回答下列问题', '材料一：甲公司购入设备一台。'),
      text('根据材料，回答下列问题', '材料二：乙公司销售商品一批，价款未收。'),
      null,
    ],
    [
      'a corrected material',
      text('根据材料，回答下列问题', '甲公司购入设备一台，原价 100 万元。'),
      text('根据材料，回答下列问题', '甲公司购入设备一台，原价 120 万元。'),
      'material',
    ],
    [
      'a material that was missing',
      text('根据材料，回答下列问题'),
      text('根据材料，回答下列问题', '甲公司购入设备一台。'),
      'material',
    ],
    [
      'a long text with a changed stretch',
      text(`${'甲乙丙丁戊己庚辛'.repeat(100)}一`),
      text(`一${'甲乙丙丁戊己庚辛'.repeat(100)}`),
      'topic',
    ],
    ['two long texts', text('甲乙丙丁戊己庚辛'.repeat(100)), text('子丑寅卯辰巳午未'.repeat(100)), null],
  ])('%s', (_, stored, row, part) => {
    expect(nearMatch(stored, row)?.part ?? null).toBe(part);
    expect(nearMatch(row, stored)?.part ?? null).toBe(part);
  });

  test('what is nearer is more alike, and a text written anew says that only the rest vouches for it', () => {
    const one = nearMatch(base, { ...base, topic: `${base.topic}？` });
    const other = nearMatch(base, { ...base, topic: `${base.topic}请选出正确的` });
    expect(one?.likeness).toBeGreaterThan(other?.likeness ?? 1);
    const telling = { ...base, options: { ...FOUR, A: '固定资产折旧' } };
    expect(nearMatch(telling, { ...telling, topic: '哪一个？' })).toMatchObject({ onlyByRest: true });
  });
});

test.each([
  ['another question', base, { ...base, topic: '光合作用的产物是什么？', options: { A: '氧气', B: '氮气' } }, true],
  ['a text written anew', base, { ...base, topic: '光合作用的产物是什么？' }, false],
  ['options written anew', base, { ...base, options: { A: '氧气', B: '氮气' } }, false],
  [
    'options written anew under a text that many have',
    { ...base, topic: '下列说法正确的是（　）。' },
    { ...base, topic: '下列说法正确的是（　）。', options: { A: '水往低处流', B: '水不流' } },
    true,
  ],
  [
    'one of them corrected',
    { ...base, topic: '下列说法正确的是（　）。' },
    { ...base, topic: '下列说法正确的是（　）。', options: { ...FOUR, A: '资产类' } },
    false,
  ],
  ['another sentence to judge', judge('太阳从东方升起。'), judge('月亮绕着地球转。'), true],
  ['judged, corrected', judge('太阳从东方升起。'), judge('太阳从西方升起。'), false],
] as const)('a key given twice: %s', (_, stored, row, other) => {
  expect(isWhollyOther(stored, row)).toBe(other);
});

test('pairs are of what is read, with its edges', () => {
  expect(pairsOf('<b>甲</b> 乙')).toEqual(['\u0002甲', '甲乙', '乙\u0003']);
  expect(pairsOf('')).toEqual(['\u0002\u0003']);
});

test.each([
  ['一二三', '一二四', ['一二三', '一二四']],
  [
    `${'前'.repeat(20)}错${'后'.repeat(20)}`,
    `${'前'.repeat(20)}对${'后'.repeat(20)}`,
    [`…${'前'.repeat(8)}错${'后'.repeat(8)}…`, `…${'前'.repeat(8)}对${'后'.repeat(8)}…`],
  ],
  ['', '一', ['', '一']],
  ['<p>一</p><p>二</p>', '一 二', ['一 二', '一 二']],
] as const)('where %s and %s differ', (before, after, shown) => {
  expect(differenceOf(before, after)).toEqual(shown);
});
