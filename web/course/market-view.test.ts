import { describe, expect, it } from 'vitest';
import { isMarketNarrowed, marketInput, marketSearchOf, marketViewOf } from './market-view.ts';

const viewOf = (query: string) => marketViewOf(new URLSearchParams(query));

describe('the view of the market', () => {
  it.each([
    ['', '', false],
    ['keyword=%E4%BC%9A%E8%AE%A1&category=3&price=sale&lessons=1&exams=1&sort=cheap', undefined, true],
    ['keyword=++&category=-1&price=all&lessons=2&exams=yes&sort=up&page=9', '', false],
    ['sort=newest', '?sort=newest', false],
    ['price=free', '?price=free', true],
  ])('of %j is kept in the address', (query, expected, narrowed) => {
    const view = viewOf(query);
    expect(marketSearchOf(view)).toBe(expected ?? `?${query}`);
    expect(isMarketNarrowed(view)).toBe(narrowed);
    expect(viewOf(marketSearchOf(view))).toEqual(view);
  });

  it('asks for what it says and for nothing else', () => {
    expect(marketInput(viewOf(''))).toEqual({ pageSize: 24 });
    expect(marketInput(viewOf('keyword=数学&category=3&price=free&lessons=1&exams=1&sort=dear'))).toEqual({
      ...{ pageSize: 24, keyword: '数学', categoryId: 3, price: 'free', hasLessons: 1, hasExams: 1, sort: 'dear' },
    });
  });
});
