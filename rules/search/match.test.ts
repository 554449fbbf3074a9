import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, fold, foldTyped, hitIn, type Match, matchOf, type Searchable, searchable } from './match.ts';

const findIn = (candidate: Candidate, typed: string): Match | null => {
  const query = foldTyped(typed);
  const hit = query && hitIn(candidate, query);
  return hit && matchOf(hit);
};

/** `readings`: pinyin of the folded characters, parted by blanks. */
const read = (text: string, readings: string): Searchable =>
  searchable(fold(text), readings === '' ? [...fold(text).folded] : readings.split(' '));
const peking: Candidate = {
  name: read('北京大学', 'bei jing da xue'),
  aliases: [read('北大', 'bei da'), read('PKU', '')],
};
const beihang: Candidate = {
  name: read('北京航空航天大学', 'bei jing hang kong hang tian da xue'),
  aliases: [read('北航', 'bei hang'), read('BUAA', '')],
};
const chongqing: Candidate = { name: read('重庆大学', 'chong qing da xue'), aliases: [] };
const geosciences: Candidate = {
  name: read('中国地质大学（武汉）', 'zhong guo di zhi da xue wu han'),
  aliases: [],
};
const xian: Candidate = { name: read('西安交通大学', 'xi an jiao tong da xue'), aliases: [] };
const lvliang: Candidate = { name: read('吕梁学院', 'lv liang xue yuan'), aliases: [] };

describe('finding', () => {
  it.each([
    // query, where, by, highlighted, reading
    ['北京', peking, 'name', '北京', ''],
    ['京大', peking, 'name', '京大', ''],
    ['北大', peking, 'alias', '北大', ''],
    ['pku', peking, 'alias', 'PKU', ''],
    ['ＰＫＵ', peking, 'alias', 'PKU', ''],
    ['bjdx', peking, 'initials', '北京大学', 'bei jing da xue'],
    ['BJDX', peking, 'initials', '北京大学', 'bei jing da xue'],
    ['beida', peking, 'pinyin', '北大', 'bei da'],
    ['bd', peking, 'initials', '北大', 'bei da'],
    ['beijing', peking, 'pinyin', '北京', 'bei jing'],
    ['beijingdaxue', peking, 'pinyin', '北京大学', 'bei jing da xue'],
    ["bei'jing da", peking, 'pinyin', '北京大', 'bei jing da'],
    ['běijīng', peking, 'pinyin', '北京', 'bei jing'],
    ['beij', peking, 'pinyin', '北京', 'bei jing'],
    ['beijingd', peking, 'pinyin', '北京大', 'bei jing da'],
    ['beijingdx', peking, 'pinyin', '北京大学', 'bei jing da xue'],
    ['北京dx', peking, 'pinyin', '北京大学', 'bei jing da xue'],
    ['北京 大学', peking, 'name', '北京大学', ''],
    ['hangkong', beihang, 'pinyin', '航空', 'hang kong'],
    ['bh', beihang, 'initials', '北航', 'bei hang'],
    ['buaa', beihang, 'alias', 'BUAA', ''],
    ['cqdx', chongqing, 'initials', '重庆大学', 'chong qing da xue'],
    ['chqdx', chongqing, 'initials', '重庆大学', 'chong qing da xue'],
    ['chongq', chongqing, 'pinyin', '重庆', 'chong qing'],
    ['地质大学(武汉)', geosciences, 'name', '地质大学（武汉）', ''],
    ['大学武汉', geosciences, 'name', '大学（武汉', ''],
    ["xi'an", xian, 'pinyin', '西安', 'xi an'],
    ["xi'", xian, 'pinyin', '西', 'xi'],
    ['lv', lvliang, 'pinyin', '吕', 'lv'],
    ['lǚliáng', lvliang, 'pinyin', '吕梁', 'lv liang'],
    ['lü', lvliang, 'pinyin', '吕', 'lv'],
  ] as const)('%j', (typed, candidate, by, highlighted, reading) => {
    const match = findIn(candidate, typed);
    expect(match).toMatchObject({ by, reading });
    expect(match?.text.slice(match.from, match.to)).toBe(highlighted);
  });

  it.each([
    ['', peking],
    ['（）', peking],
    ['eijing', peking],
    ['jingbei', peking],
    ['bjdxx', peking],
    ['清华', peking],
    ['xian', peking],
    ['zhongqing', chongqing],
    ['%', peking],
    ['.*', peking],
  ] as const)('does not find %j', (typed, candidate) => {
    expect(findIn(candidate, typed)).toBeNull();
  });

  it('prefers the whole, then the beginning, then a short name, then pinyin', () => {
    const ranks = ['北京大学', '北京', '北大', 'pk', 'beida', '京大', 'bei', 'daxue'].map(
      (typed) => findIn(peking, typed)?.rank,
    );
    expect(ranks).toEqual([0, 1, 0, 2, 3, 4, 6, 8]);
  });

  it('finds every piece of a name, whatever its case or width, and highlights exactly that piece', () => {
    const characters = (text: string) => text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (text, a, b) => {
        const pieces = characters(text);
        const start = a % pieces.length;
        const piece = pieces.slice(start, start + 1 + (b % (pieces.length - start))).join('');
        if (foldTyped(piece) === null) return;
        const match = findIn({ name: read(text, ''), aliases: [] }, piece);
        expect(match).not.toBeNull();
        const highlighted = text.slice(match?.from, match?.to);
        if (match?.by === 'name') expect(foldTyped(highlighted)?.folded).toContain(foldTyped(piece)?.folded);
      }),
    );
  });

  it('answers anything that can be typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
        const match = findIn(peking, typed);
        if (match) expect(match.to).toBeGreaterThan(match.from);
      }),
    );
  });
});

describe('signs', () => {
  const mining: Candidate = {
    name: read('中国矿业大学（北京）', 'zhong guo kuang ye da xue bei jing'),
    aliases: [read('矿大（北京）', 'kuang da bei jing')],
  };
  const kings: Candidate = { name: read("King's College · London", ''), aliases: [] };
  const bracketAlias: Candidate = { name: read('石油大学', 'shi you da xue'), aliases: [read('石大[北京]', '')] };

  it.each([
    // typed, where, by, highlighted
    ['（北京）', mining, 'name', '（北京）'],
    ['(北京)', mining, 'name', '（北京）'],
    ['（北京)', mining, 'name', '（北京）'],
    ['  (北京) ', mining, 'name', '（北京）'],
    ['大学 (北京)', mining, 'name', '大学（北京）'],
    ['(', mining, 'name', '（'],
    [')', mining, 'name', '）'],
    ['(北', mining, 'name', '（北'],
    ['矿大(', mining, 'alias', '矿大（'],
    ['大学北京', mining, 'name', '大学（北京'],
    ['zgkydx', mining, 'initials', '中国矿业大学'],
    ['[北京]', bracketAlias, 'alias', '[北京]'],
    ['［北京］', bracketAlias, 'alias', '[北京]'],
    ['·', kings, 'name', '·'],
    ['・', kings, 'name', '·'],
    ['･', kings, 'name', '·'],
    ['•', kings, 'name', '·'],
    ['COLLEGE · L', kings, 'name', 'College · L'],
    ["king's", kings, 'name', "King's"],
    ['ＫＩＮＧ＇Ｓ', kings, 'name', "King's"],
    ["'", kings, 'name', "'"],
    ["'s", kings, 'name', "'s"],
  ] as const)('%j is found as it stands', (typed, candidate, by, highlighted) => {
    const match = findIn(candidate, typed);
    expect(match?.by).toBe(by);
    expect(match?.text.slice(match.from, match.to)).toBe(highlighted);
  });

  it.each([
    ['(北京)', peking],
    ['（北京', peking],
    ['(', peking],
    ['#', mining],
    ['（）', mining],
    ['(武汉)', mining],
    ['北京(', mining],
    ['(bj)', mining],
    ['zgkydx(', mining],
    ['[北京]', mining],
    ['?', mining],
    ['。', mining],
    ['´', mining],
    ['\u0301', mining],
    ['😀', mining],
    ['\ue000', mining],
    ['%', kings],
    ['_', kings],
    ['.', kings],
  ] as const)('%j is not found where it does not stand', (typed, candidate) => {
    expect(foldTyped(typed)).not.toBeNull();
    expect(findIn(candidate, typed)).toBeNull();
  });

  it.each(['', ' ', '\u3000', ' \t\n ', '\u200b', '\ufeff'])('%j looks for nothing', (typed) => {
    expect(foldTyped(typed)).toBeNull();
  });

  /** What a person compares by eye: one width, one case, no blanks. */
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '').replaceAll('・', '·');
  const signs = fc.constantFrom(...'()（）[]【】·・-－—、，。!！?？#＃%/&＆+');
  const letters = fc.constantFrom(...'北京大学中国石油矿业武汉aBzＺｑ019３');
  const name = fc
    .array(fc.oneof({ weight: 3, arbitrary: letters }, signs, fc.constant(' ')), { minLength: 1, maxLength: 14 })
    .map((characters) => characters.join(''));
  const hasSign = (text: string) => /[\p{P}\p{S}]/u.test(plain(text));

  it('count exactly as in contains, folded by width and case', () => {
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 2 }), name, (text, aliases, typed) => {
        fc.pre(plain(typed) !== '');
        const candidate = { name: read(text, ''), aliases: aliases.map((alias) => read(alias, '')) };
        const contains = [text, ...aliases].some((known) => plain(known).includes(plain(typed)));
        const found = findIn(candidate, typed);
        // Without a sign more is found: across signs and as pinyin.
        if (hasSign(typed)) expect(found !== null).toBe(contains);
        else if (contains) expect(found).not.toBeNull();
        if (found && hasSign(typed)) expect(plain(found.text.slice(found.from, found.to))).toBe(plain(typed));
      }),
      { numRuns: 2000 },
    );
  });

  it('find every piece of a name as it was typed, in any width and case', () => {
    const wide = (text: string) =>
      text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000');
    const typing = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.normalize('NFKC'),
      wide,
      (text) => `  ${text} `,
    );
    fc.assert(
      fc.property(name, fc.nat(), fc.nat(), typing, (text, a, b, type) => {
        const characters = [...text];
        const start = a % characters.length;
        const piece = characters.slice(start, start + 1 + (b % (characters.length - start))).join('');
        fc.pre(plain(piece) !== '');
        expect(findIn({ name: read(text, ''), aliases: [] }, type(piece))).not.toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});
