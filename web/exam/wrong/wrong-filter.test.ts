import { describe, expect, it } from 'vitest';
import { askedFilter, filterFrom, withFilter } from './wrong-filter.ts';

const from = (text: string) => filterFrom(new URLSearchParams(text));

describe('the filter of the wrong-question list in the address', () => {
  it.each([
    ['', { tab: 'in' }],
    ['tab=left&chapter=3&type=2', { tab: 'left', chapterId: 3, questionTypesId: 2 }],
    ['tab=nothing&chapter=x&times=-1&exam=1.5', { tab: 'in' }],
    [
      'exam=4&times=2&days=7&guessed=1&order=timesWrong',
      { tab: 'in', examId: 4, timesWrong: 2, days: 7, guessed: 1, order: 'timesWrong' },
    ],
    ['guessed=2&order=x', { tab: 'in' }],
  ])('%s', (text, filter) => {
    expect(from(text)).toEqual(filter);
  });

  it('is changed part by part, from the first page, and keeps what is not its own', () => {
    const search = new URLSearchParams('packId=9&page=3&type=2');
    expect(withFilter(search, { chapterId: 5 }).toString()).toBe('packId=9&type=2&chapter=5');
    expect(withFilter(search, { questionTypesId: null, tab: 'left' }).toString()).toBe('packId=9&tab=left');
    expect(withFilter(new URLSearchParams('tab=left'), { tab: 'in' }).toString()).toBe('');
  });

  it('is asked for as the call has it: days become a time, the collection has no state', () => {
    const now = Date.UTC(2026, 10, 22, 5);
    expect(askedFilter(9, { tab: 'in', days: 7, order: 'timesWrong' }, now)).toEqual({
      packId: 9,
      state: 'in',
      since: Date.UTC(2026, 10, 15),
    });
    expect(askedFilter(9, { tab: 'collected', questionTypesId: 2 }, now)).toMatchObject({
      state: undefined,
      questionTypesId: 2,
    });
  });
});
