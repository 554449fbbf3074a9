import { describe, expect, it } from 'vitest';
import { fold, searchable } from '#rules/search/match.ts';
import { filterList, type Listed, pageOf, suggest } from './search.ts';

type Flags = Partial<Pick<Listed, 'is985' | 'is211' | 'isDfc' | 'city'>>;
const university = (id: number, name: string, flags: Flags = {}): Listed => ({
  id,
  name: searchable(fold(name), [...fold(name).folded]),
  aliases: [],
  prov: '江苏',
  city: '南京市',
  is985: 0,
  is211: 0,
  isDfc: 0,
  ...flags,
});
const order = (all: readonly Listed[], typed: string) => {
  const suggested = suggest(all, typed).map(({ item }) => item.id);
  // The list and the suggestions put what they find in one order.
  expect(filterList(all, { name: typed }).map(({ id }) => id)).toEqual(suggested);
  return suggested;
};

describe('the order of what is found', () => {
  it.each<[string, Listed[], number[]]>([
    ['the beginning before the inside', [university(1, '东山大学'), university(2, '山东大学')], [2, 1]],
    [
      '985 before 211, 211 before 双一流, that before none',
      [
        university(1, '山一大学'),
        university(2, '山二大学', { isDfc: 1 }),
        university(3, '山三大学', { is211: 1 }),
        university(4, '山四大学', { is985: 1 }),
      ],
      [4, 3, 2, 1],
    ],
    [
      '985 alone before both others together',
      [university(1, '山一大学', { is211: 1, isDfc: 1 }), university(2, '山二大学', { is985: 1 })],
      [2, 1],
    ],
    ['the shorter name first', [university(1, '山西师范大学'), university(2, '山西大学')], [2, 1]],
    ['among equals the order of the list', [university(7, '山西大学'), university(3, '山东大学')], [7, 3]],
  ])('%s', (_, all, expected) => {
    expect(order(all, '山')).toEqual(expected);
    // Whatever order they stand in, where the order of the list does not decide.
    if (expected[0] !== 7) expect(order(all.toReversed(), '山')).toEqual(expected);
  });

  it('the eight best are suggested, wherever in the list they stand', () => {
    const many = Array.from({ length: 40 }, (_, at) => university(at, `山${'西'.repeat(40 - at)}大学`));
    expect(suggest(many, '山').map(({ item }) => item.id)).toEqual([39, 38, 37, 36, 35, 34, 33, 32]);
    expect(suggest(many.toReversed(), '山').map(({ item }) => item.id)).toEqual([39, 38, 37, 36, 35, 34, 33, 32]);
  });
});

describe('filters', () => {
  const all = [
    university(1, '甲', { is985: 1, is211: 1, isDfc: 1 }),
    university(2, '乙', { is211: 1, isDfc: 1 }),
    university(3, '丙', { isDfc: 1, city: '苏州市' }),
    university(4, '丁', { city: '苏州市' }),
  ];
  it.each([
    [{ is985: 1 }, [1]],
    [{ is211: 1 }, [1, 2]],
    [{ isDfc: 1 }, [1, 2, 3]],
    [{ is985: 0, is211: 0, isDfc: 0 }, [1, 2, 3, 4]],
    [{ city: '苏州市' }, [3, 4]],
    [{ prov: '江苏', city: '苏州市', isDfc: 1 }, [3]],
  ])('%j', (filter, expected) => {
    expect(filterList(all, filter).map(({ id }) => id)).toEqual(expected);
  });
});

it('a last page that is full has no more behind it', () => {
  expect(pageOf([1, 2, 3, 4], 2, 2)).toEqual({ list: [3, 4], hasMore: false });
  expect(pageOf([1, 2, 3, 4], 1, 2)).toEqual({ list: [1, 2], hasMore: true });
  expect(pageOf([1, 2, 3, 4], 3, 2)).toEqual({ list: [], hasMore: false });
});
