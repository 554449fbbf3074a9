import { describe, expect, it } from 'vitest';
import { withQuery } from '#web/lib/query.ts';
import { askedFilter, filterChange, filterFrom } from './wrong-filter.ts';

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
    // Beyond what the call takes.
    ['type=77&times=1001&days=99999999', { tab: 'in' }],
    ['type=8&times=1000&days=3650', { tab: 'in', questionTypesId: 8, timesWrong: 1000, days: 3650 }],
  ])('%s', (text, filter) => {
    expect(from(text)).toEqual(filter);
  });

  it('is changed part by part, from the first page, and keeps what is not its own', () => {
    const search = new URLSearchParams('packId=9&page=3&type=2');
    const changed = (of: URLSearchParams, change: Parameters<typeof filterChange>[0]) =>
      withQuery(of, filterChange(change)).toString();
    expect(changed(search, { chapterId: 5 })).toBe('packId=9&type=2&chapter=5');
    expect(changed(search, { questionTypesId: null, tab: 'left' })).toBe('packId=9&tab=left');
    expect(changed(new URLSearchParams('tab=left'), { tab: 'in' })).toBe('');
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
