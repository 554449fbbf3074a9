import { expect, it } from 'vitest';
import { advise, scoreLevel } from './result.ts';

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

const outcome = { score: 95, totalScore: 100, pendingCount: 0, unansweredCount: 0, byChapter: [] };

it.each([
  ['excellent', outcome, ['掌握得很好，可以挑战下一份试卷。']],
  ['pass', { ...outcome, score: 60 }, ['已经及格，把错题弄懂就能再上一个台阶。']],
  ['just under', { ...outcome, score: 59.5 }, ['基础还不牢，建议先做章节练习，再回来重考。']],
  [
    'waiting: no verdict on the whole yet',
    { ...outcome, score: 0, pendingCount: 2 },
    ['还有 2 题待评分，对照参考答案评分后总分会更新。'],
  ],
  [
    'the two weakest chapters, the weaker first, and what was left open',
    {
      ...outcome,
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
      '“丙”得分率 10%，建议先看解析，再做一遍这一章的练习。',
      '“甲”得分率 50%，建议先看解析，再做一遍这一章的练习。',
      '有 3 题没有作答，下次注意留出时间。',
      '已经及格，把错题弄懂就能再上一个台阶。',
    ],
  ],
  [
    'what waits for its score is neither weak nor strong',
    {
      ...outcome,
      score: 7,
      pendingCount: 2,
      byChapter: [
        { name: '全部待评分', earned: 0, total: 10, pending: 10 },
        { name: '已评的都对', earned: 6, total: 16, pending: 10 },
        { name: '已评的较弱', earned: 1, total: 12, pending: 10 },
      ],
    },
    ['还有 2 题待评分，对照参考答案评分后总分会更新。', '“已评的较弱”得分率 50%，建议先看解析，再做一遍这一章的练习。'],
  ],
])('advice: %s', (_, given, expected) => {
  expect(advise(given)).toEqual(expected);
});
