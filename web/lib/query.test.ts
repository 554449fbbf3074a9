import { describe, expect, it } from 'vitest';
import { addressWith, onPage, onPlace, placeIn, withQuery } from './query.ts';

describe('a query with something else in it', () => {
  it.each([
    ['', { page: 2 }, 'page=2'],
    ['a=1&page=3', { page: null }, 'a=1'],
    ['a=1&text=x', { text: '', a: 2 }, 'a=2'],
    ['a=1', {}, 'a=1'],
    ['text=%E6%B0%B4', { a: '&=' }, 'text=%E6%B0%B4&a=%26%3D'],
  ])('%j changed by %j is %j', (search, change, wanted) => {
    expect(withQuery(new URLSearchParams(search), change).toString()).toBe(wanted);
  });

  it('leaves what it was given as it is', () => {
    const search = new URLSearchParams('a=1');
    withQuery(search, { a: 2 });
    expect(search.toString()).toBe('a=1');
  });

  it('an address without a query ends without a sign of one', () => {
    expect(addressWith('/teach', new URLSearchParams('page=2'), onPage(1))).toBe('/teach');
    expect(addressWith('/teach', new URLSearchParams(), onPage(2))).toBe('/teach?page=2');
  });
});

describe('the pages of a list that shrinks', () => {
  /** The address after going to pages one after the other; each page ends with the place that its number names. */
  const walked = (...pages: number[]) => {
    let search = new URLSearchParams('show=all');
    let shown = 1;
    for (const to of pages) {
      search = withQuery(search, onPlace(search, to, { pageNum: shown, next: `w${shown}-${shown}` }));
      shown = to;
    }
    return search;
  };

  it.each([
    [[2], 'w1-1'],
    [[2, 3], 'w2-2'],
    [[2, 3, 2], 'w1-1'],
    [[2, 3, 4, 3, 4], 'w3-3'],
    [[2, 1], undefined],
    [[2, 3, 1, 2], 'w1-1'],
    // What lies between was not read: such a page is found by its number.
    [[3], undefined],
    [[2, 5], undefined],
    [[2, 5, 6], 'w5-5'],
    [[2, 5, 6, 5], undefined],
    [[2, 3, 4, 2], 'w1-1'],
  ])('walked as %j begin behind %j', (pages, place) => {
    expect(placeIn(walked(...pages))).toBe(place);
  });

  it('do not go on from a page that is on the screen until another one has come', () => {
    const search = walked(2);
    const read = { pageNum: 1, next: 'w1-1' };
    expect(placeIn(withQuery(search, onPlace(search, 3, read)))).toBeUndefined();
    expect(placeIn(withQuery(search, onPlace(search, 2, read)))).toBe('w1-1');
  });

  it('keep the first page free of places, and the rest of the address as it is', () => {
    expect(walked(2, 1).toString()).toBe('show=all');
    expect(walked(2, 3).toString()).toBe('show=all&page=3&after=w1-1.w2-2');
  });

  it('are found by their number where the address has no place, or something else', () => {
    for (const search of ['page=2', 'page=2&after=', 'page=2&after=x', 'after=w1-1', 'page=2&after=w1-1.x'])
      expect(placeIn(new URLSearchParams(search))).toBeUndefined();
    expect(withQuery(new URLSearchParams('page=5'), onPlace(new URLSearchParams('page=5'), 4, null)).toString()).toBe(
      'page=4',
    );
  });

  it('know the places of the last thirty pages', () => {
    const search = walked(...Array.from({ length: 50 }, (_, at) => at + 2));
    expect(placeIn(search)).toBe('w50-50');
    expect(search.get('after')?.split('.')).toHaveLength(30);
  });
});
