import { describe, expect, it } from 'vitest';
import { addressWith, onPage, withQuery } from './query.ts';

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
