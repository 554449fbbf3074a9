import { describe, expect, it } from 'vitest';
import { fold, searchable } from '#rules/search/match.ts';
import { filterList, type Listed, pageOf, suggest } from './search.ts';

let ids = 0;
function university(name: string, reading: string, aliases: string[] = [], is985 = 0, prov = '北京'): Listed {
  ids += 1;
  const latin = (text: string) => searchable(fold(text), [...fold(text).folded]);
  return {
    id: ids,
    name: searchable(fold(name), reading.split(' ')),
    aliases: aliases.map(latin),
    prov,
    city: `${prov}市`,
    is985,
    is211: is985,
    isDfc: 1,
  };
}

const all = [
  university('北京大学', 'bei jing da xue', ['北大'], 1),
  university('北京交通大学', 'bei jing jiao tong da xue', ['北交大']),
  university('北京师范大学', 'bei jing shi fan da xue', ['北师大'], 1),
  university('东北大学', 'dong bei da xue', ['东大'], 1, '辽宁'),
  university('河北大学', 'he bei da xue', ['河大'], 0, '河北'),
];
const names = (list: readonly { name: { text: string } }[]) => list.map((university) => university.name.text);

describe('suggestions', () => {
  it('put the beginning first, then the higher level, then the shorter name', () => {
    expect(suggest(all, '北').map(({ item }) => item.name.text)).toEqual([
      '北京大学',
      '北京师范大学',
      '北京交通大学',
      '东北大学',
      '河北大学',
    ]);
  });
  it('are at most eight', () => {
    const many = Array.from({ length: 30 }, (_, at) => university(`第${at}大学`, ''));
    expect(suggest(many, '大学')).toHaveLength(8);
  });
  it.each(['', '   ', '（', '·', '北京（', '#'])('%j suggests nothing', (typed) => {
    expect(suggest(all, typed)).toEqual([]);
  });
});

describe('list', () => {
  it.each([
    [{}, ['北京大学', '北京交通大学', '北京师范大学', '东北大学', '河北大学']],
    [{ is985: 1 }, ['北京大学', '北京师范大学', '东北大学']],
    [{ is985: 0 }, ['北京大学', '北京交通大学', '北京师范大学', '东北大学', '河北大学']],
    [{ prov: '辽宁' }, ['东北大学']],
    [{ prov: '辽宁', city: '北京市' }, []],
    [{ prov: '', city: '' }, ['北京大学', '北京交通大学', '北京师范大学', '东北大学', '河北大学']],
    [{ name: 'bjdx' }, ['北京大学']],
    [{ name: '北', is985: 1 }, ['北京大学', '北京师范大学', '东北大学']],
    [{ name: '北师大' }, ['北京师范大学']],
    [{ name: '没有' }, []],
    [{ name: '#' }, []],
    [{ name: '（' }, []],
    [{ name: '（', is985: 1 }, []],
    [{ name: ' \u3000' }, ['北京大学', '北京交通大学', '北京师范大学', '东北大学', '河北大学']],
  ])('%j', (filter, expected) => {
    expect(names(filterList(all, filter))).toEqual(expected);
  });
  it('has whatever is suggested', () => {
    for (const typed of ['北', 'bj', 'beijing', '北大', '东', 'd']) {
      const listed = new Set(filterList(all, { name: typed }).map(({ id }) => id));
      for (const { item } of suggest(all, typed)) expect(listed.has(item.id), typed).toBe(true);
    }
  });
  it('pages without losing or repeating anything', () => {
    const pages = [1, 2, 3, 4].map((page) => pageOf(all, page, 2));
    expect(pages.flatMap((page) => page.list)).toEqual(all);
    expect(pages.map((page) => page.hasMore)).toEqual([true, true, false, false]);
  });
});
