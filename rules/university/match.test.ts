import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, fold, foldQuery, type Match, matchOf, placeIn, type Searchable, searchable } from './match.ts';

const findIn = (candidate: Candidate, query: string): Match | null => {
  const place = placeIn(candidate, query);
  return place && matchOf(place);
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
    ['地质大学(武汉)', geosciences, 'name', '地质大学（武汉', ''],
    ['大学武汉', geosciences, 'name', '大学（武汉', ''],
    ['lv', lvliang, 'pinyin', '吕', 'lv'],
    ['lǚliáng', lvliang, 'pinyin', '吕梁', 'lv liang'],
    ['lü', lvliang, 'pinyin', '吕', 'lv'],
  ] as const)('%j', (typed, candidate, by, highlighted, reading) => {
    const match = findIn(candidate, foldQuery(typed));
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
    expect(findIn(candidate, foldQuery(typed))).toBeNull();
  });

  it('prefers the whole, then the beginning, then a short name, then pinyin', () => {
    const ranks = ['北京大学', '北京', '北大', 'pk', 'beida', '京大', 'bei', 'daxue'].map(
      (typed) => findIn(peking, foldQuery(typed))?.rank,
    );
    expect(ranks).toEqual([0, 1, 0, 2, 3, 4, 6, 8]);
  });

  it('finds every piece of a name, whatever its case or width, and highlights exactly that piece', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (text, a, b) => {
        const name = searchable(fold(text), fold(text).folded.split(''));
        const units = name.folded.length;
        if (units === 0) return;
        const start = a % units;
        const piece = name.folded.slice(start, start + 1 + (b % (units - start)));
        const match = findIn({ name, aliases: [] }, piece);
        expect(match).not.toBeNull();
        if (match?.by === 'name') expect(fold(text.slice(match.from, match.to)).folded).toContain(piece);
      }),
    );
  });

  it('answers anything that can be typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
        const match = findIn(peking, foldQuery(typed));
        if (match) expect(match.to).toBeGreaterThan(match.from);
      }),
    );
  });
});
