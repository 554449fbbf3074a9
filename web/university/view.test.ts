import { describe, expect, it } from 'vitest';
import { isNarrowed, listInput, narrowed, searchOf, viewOf } from './view.ts';

const view = (search: string) => viewOf(new URLSearchParams(search));
const plain = view('');

describe('the view in the address', () => {
  it.each([
    '',
    '?name=%E5%8C%97%E4%BA%AC&prov=%E5%8C%97%E4%BA%AC&city=%E5%8C%97%E4%BA%AC%E5%B8%82&level=985&page=3&id=12&compare=1',
    '?level=dfc',
    '?id=7',
  ])('%s comes back as it went in', (search) => {
    expect(searchOf(view(search))).toBe(search);
  });
  it.each([
    '?page=0',
    '?page=-3',
    '?page=1e9',
    '?page=9999',
    '?level=996',
    '?id=x',
    '?id=1.5',
    '?compare=yes',
    '?name=+',
  ])('junk %s is left out', (search) => {
    expect(view(search)).toEqual(plain);
  });
  it('cuts what is longer than the call takes', () => {
    expect(view(`?name=${'a'.repeat(500)}`).name).toHaveLength(60);
  });
});

describe('narrowing', () => {
  const third = { ...view('?prov=江苏&city=南京市&page=3'), id: 5 };
  it('begins at page 1 again', () => {
    expect(narrowed(third, { level: '985' })).toMatchObject({ page: 1, prov: '江苏', city: '南京市', id: 5 });
    expect(narrowed(third, { level: 'all', prov: '江苏' })).toBe(third);
    expect(narrowed({ ...third, name: 'x' }, { name: '' }).page).toBe(1);
  });
  it('begins at page 1 when the name is emptied, whatever was in force', () => {
    expect(narrowed(third, { name: '' })).toEqual({ ...third, page: 1 });
    const first = { ...third, page: 1 };
    expect(narrowed(first, { name: '' })).toBe(first);
  });
  it('forgets the city with its province', () => {
    expect(narrowed(third, { prov: '浙江' })).toMatchObject({ prov: '浙江', city: '', page: 1 });
    expect(narrowed(third, { prov: '浙江', city: '杭州市' })).toMatchObject({ prov: '浙江', city: '杭州市' });
    expect(narrowed(third, { prov: '江苏' })).toBe(third);
  });
  it('knows whether anything narrows', () => {
    expect([plain, third, view('?level=211'), view('?id=3&page=2')].map(isNarrowed)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

it('asks the list call for what the view says and nothing else', () => {
  expect(listInput(plain, 2)).toEqual({ pageNum: 2, pageSize: 24 });
  expect(listInput(view('?level=211&prov=江苏&name=南'), 1)).toEqual({
    ...{ pageNum: 1, pageSize: 24, name: '南', prov: '江苏', is211: 1 },
  });
});
