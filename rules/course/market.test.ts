import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packSorts } from '#contract/values/course.ts';
import { fold, searchable } from '#rules/search/match.ts';
import {
  findPacks,
  fits,
  isPromotedLink,
  isShownAt,
  pageOfPacks,
  placeOf,
  recommendedPacks,
  type ShelvedPack,
} from './market.ts';

const pack = (packId: number, more: Partial<ShelvedPack> = {}): ShelvedPack => ({
  packId,
  position: packId,
  price: null,
  listedAt: 0,
  categoryIds: [],
  ...more,
});
const named = (name: string) => searchable(fold(name), [...name]);

describe('packs of the market', () => {
  it.each([
    [{}, {}, true],
    [{ categoryIds: [7, 3] }, { categoryId: 3 }, true],
    [{ categoryIds: [7, 3] }, { categoryId: 4 }, false],
    [{ price: null }, { price: 'free' }, true],
    [{ price: 0 }, { price: 'free' }, false],
    [{ price: 100 }, { price: 'sale' }, true],
    [{ price: null }, { price: 'sale' }, false],
  ] as const)('%j fits %j: %s', (more, filter, expected) => {
    expect(fits(pack(1, more), filter)).toBe(expected);
  });

  it.each([
    ['its little category, its big one, the rest', { categoryIds: [7, 3] }, [], [4, 3, 2, 5]],
    ['without what is joined', { categoryIds: [7, 3] }, [4, 2], [3, 5, 6]],
    ['of a pack that stands in a big category: all of that first', { categoryIds: [3, 0] }, [], [3, 4, 2, 5]],
    ['without a category: the order of the school', {}, [], [2, 3, 4, 5]],
  ])('are recommended: %s', (_why, of, had, expected) => {
    const all = [
      pack(6),
      pack(5),
      pack(4, { categoryIds: [7, 3] }),
      pack(3, { categoryIds: [8, 3] }),
      pack(2, { categoryIds: [9, 0] }),
      pack(1, of),
    ];
    expect(recommendedPacks(all, pack(1, of), { had: new Set(had), most: 4 })).toEqual(expected);
  });

  const orderBy = (sort: (typeof packSorts)[number], packs: readonly ShelvedPack[]) =>
    pageOfPacks(
      packs.map((one) => ({ pack: one.packId, place: placeOf(sort, one, null) })),
      { pageNum: 1, pageSize: 100 },
    ).list;

  it('stand as asked', () => {
    const all = [
      pack(1, { position: 9, price: 500, listedAt: 10 }),
      pack(2, { position: 1, listedAt: 30 }),
      pack(3, { position: 2, price: 100, listedAt: 30 }),
    ];
    expect(packSorts.map((sort) => orderBy(sort, all))).toEqual([
      [2, 3, 1],
      [3, 2, 1],
      [2, 3, 1],
      [1, 3, 2],
    ]);
  });

  it('are found by name, category and teacher, the best match first', () => {
    const all = new Map([
      [1, { name: named('考研数学'), aliases: [named('考研'), named('林之远')] }],
      [2, { name: named('数学'), aliases: [named('高考')] }],
      [3, { name: named('会计实务'), aliases: [named('数学基础')] }],
    ]);
    expect([...(findPacks(all, '数学')?.keys() ?? [])]).toEqual([1, 2, 3]);
    const found = findPacks(all, '数学');
    const ordered = pageOfPacks(
      [...(found ?? [])].map(([id, fit]) => ({ pack: id, place: placeOf('school', pack(id), fit) })),
      { pageNum: 1, pageSize: 9 },
    );
    expect(ordered.list).toEqual([2, 3, 1]);
    expect([...(findPacks(all, '林之')?.keys() ?? [])]).toEqual([1]);
    expect(findPacks(all, ' 　')).toBeNull();
    expect(findPacks(all, '%')?.size).toBe(0);
  });

  it('are read page by page without repeating or missing one, whatever comes and goes between', () => {
    const some = fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 200 }), price: fc.integer({ min: 0, max: 3 }) }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(some, fc.constantFrom(...packSorts), fc.integer({ min: 1, max: 7 }), (rows, sort, pageSize) => {
        const [first, rest] = [rows.slice(0, Math.ceil(rows.length / 2)), rows.slice(Math.ceil(rows.length / 2))];
        const place = (all: typeof rows) =>
          all.map(({ id, price }) => ({
            pack: id,
            place: placeOf(sort, pack(id, { price: price || null, listedAt: id % 5 }), null),
          }));
        let there = [...first];
        const coming = [...rest];
        const seen: number[] = [];
        let after: string | undefined;
        for (;;) {
          const page = pageOfPacks(place(there), { pageNum: 1, pageSize, after });
          seen.push(...page.list);
          if (page.after === null) break;
          after = page.after;
          const next = coming.pop();
          if (next) there = [...there, next];
        }
        expect(new Set(seen).size).toBe(seen.length);
        for (const { id } of first) expect(seen).toContain(id);
      }),
    );
  });

  it.each([
    ['/courses?category=1', true],
    ['/', true],
    ['https://example.com/a?b', true],
    ['https://example.com', true],
    ['//example.com', false],
    ['/\\example.com', false],
    ['http://example.com', false],
    ['javascript:alert(1)', false],
    ['https://a@example.com', false],
    ['https:///x', false],
    ['/a b', false],
    ['', false],
  ])('may lead to %j: %s', (link, expected) => {
    expect(isPromotedLink(link)).toBe(expected);
  });

  it.each([
    [null, null, true],
    [10, null, true],
    [11, null, false],
    [null, 10, false],
    [null, 11, true],
  ])('shown from %j until %j at 10: %s', (from, until, expected) => {
    expect(isShownAt({ from, until }, 10)).toBe(expected);
  });
});
