import { expect, it } from 'vitest';
import { advise, levelOf, scoreLevel, shortOfTime } from './result.ts';

it.each([
  [0, 'start'],
  [59, 'start'],
  [60, 'pass'],
  [89, 'pass'],
  [90, 'excellent'],
  [100, 'excellent'],
] as const)('%d percent is: %s', (percent, level) => {
  expect(scoreLevel(percent)).toBe(level);
});

it.each([
  ['all is scored', { percent: 92, pendingCount: 0 }, 'excellent'],
  ['a question waits for its score', { percent: 40, pendingCount: 1 }, null],
  ['it is withheld', { percent: null, pendingCount: null }, null],
] as const)('the label of a result when %s', (_, tip, level) => {
  expect(levelOf(tip)).toBe(level);
});

it.each([
  ['without a limit', null, 90, false],
  ['nine seconds after the start', 100, 9, false],
  ['with a fifth left', 100, 80, false],
  ['with less', 100, 81, true],
  ['at the end', 100, 100, true],
  ['closed by the server, late', 100, 130, true],
] as const)('closed %s (end %s, at %i): short of time %s', (_, endsAt, closedAt, short) => {
  expect(shortOfTime({ startedAt: 0, endsAt }, closedAt)).toBe(short);
});

const result = { score: 95, totalScore: 100, pendingCount: 0, unansweredCount: 0, limited: true, byChapter: [] };

it.each([
  ['excellent', result, [{ code: 'level', level: 'excellent' }]],
  ['pass', { ...result, score: 60 }, [{ code: 'level', level: 'pass' }]],
  ['just under', { ...result, score: 59.5 }, [{ code: 'level', level: 'start' }]],
  ['waiting: no verdict on the whole yet', { ...result, score: 0, pendingCount: 2 }, [{ code: 'pending', count: 2 }]],
  [
    'the two weakest chapters, the weaker first, and what was left open',
    {
      ...result,
      score: 70,
      unansweredCount: 3,
      byChapter: [
        { name: '甲', earned: 5, total: 10, pending: 0 },
        { name: '乙', earned: 6, total: 10, pending: 0 },
        { name: '丙', earned: 1, total: 10, pending: 0 },
        { name: '丁', earned: 5.5, total: 10, pending: 0 },
        { name: '戊', earned: 0, total: 0, pending: 0 },
      ],
    },
    [
      { code: 'weakChapter', chapterName: '丙', percent: 10 },
      { code: 'weakChapter', chapterName: '甲', percent: 50 },
      { code: 'unanswered', count: 3, limited: true },
      { code: 'level', level: 'pass' },
    ],
  ],
  [
    'without a limit nothing is said of the clock',
    { ...result, unansweredCount: 3, limited: false },
    [
      { code: 'unanswered', count: 3, limited: false },
      { code: 'level', level: 'excellent' },
    ],
  ],
  [
    'what waits for its score is neither weak nor strong',
    {
      ...result,
      score: 7,
      pendingCount: 2,
      byChapter: [
        { name: '全部待评分', earned: 0, total: 10, pending: 10 },
        { name: '已评的都对', earned: 6, total: 16, pending: 10 },
        { name: '已评的较弱', earned: 1, total: 12, pending: 10 },
      ],
    },
    [
      { code: 'pending', count: 2 },
      { code: 'weakChapter', chapterName: '已评的较弱', percent: 50 },
    ],
  ],
])('advice: %s', (_, given, expected) => {
  expect(advise(given)).toEqual(expected);
});
