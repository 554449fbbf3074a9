import { expect, it } from 'vitest';
import { dailyState, examDayState, lastDaysState } from './daily-review.ts';

const TODAY = '2026-11-23';
const TOMORROW = '2026-11-24';
const day = (date: string, reviews: number) => ({ date, reviews });

type Daily = Parameters<typeof dailyState>[0];
it.each<[string, Partial<Daily>, ReturnType<typeof dailyState>]>([
  ['questions are left', { count: 3, done: 2 }, { code: 'left', count: 3, done: 2 }],
  ['one was begun and is open, none is left', { open: true, done: 2 }, { code: 'left', count: 0, done: 2 }],
  ['all are done', { done: 5, forecast: [day(TOMORROW, 4)] }, { code: 'done', done: 5 }],
  [
    'none today, some tomorrow',
    { forecast: [day(TODAY, 0), day(TOMORROW, 4)] },
    { code: 'next', date: TOMORROW, inDays: 1, count: 4 },
  ],
  [
    'none until a later day',
    { forecast: [day(TOMORROW, 0), day('2026-11-30', 1)] },
    { code: 'next', date: '2026-11-30', inDays: null, count: 1 },
  ],
  ['today is no day after today', { forecast: [day(TODAY, 9)] }, { code: 'nothing' }],
  ['nothing comes', {}, { code: 'nothing' }],
])('the card of today’s review: %s', (_, daily, state) => {
  expect(dailyState({ count: 0, done: 0, open: false, forecast: [], ...daily }, TODAY, TOMORROW)).toEqual(state);
});

it.each([
  [null, { code: 'unset' }],
  [-1, { code: 'over' }],
  [0, { code: 'today' }],
  [1, { code: 'ahead', count: 1 }],
])('%s days to the exam', (daysLeft, state) => {
  expect(examDayState(daysLeft)).toEqual(state);
});

it.each([
  ['no date', 100, 20, null, null],
  ['the exam is today', 100, 20, 0, null],
  ['all fit into seven days', 140, 20, 30, { code: 'all' }],
  ['one more than fit', 141, 20, 30, { code: 'more', need: 21 }],
  ['fewer days than seven', 60, 20, 2, { code: 'more', need: 30 }],
  ['no number there is would do', 1401, 20, 30, { code: 'tooMany' }],
  ['as many as there are numbers for', 1400, 20, 30, { code: 'more', need: 200 }],
])('the last days before the exam: %s', (_, total, dailySize, daysLeft, state) => {
  expect(lastDaysState({ total, dailySize, daysLeft }, 200)).toEqual(state);
});
