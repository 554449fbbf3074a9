import { afterEach, expect, it } from 'vitest';
import { advise } from '#rules/exam/result.ts';
import { setLanguage } from '#web/lib/t.ts';
import { sayAdvice } from './advice.ts';

afterEach(() => setLanguage('zh-CN'));

const paper = { practice: false };

const results = [95, 70, 10].flatMap((score) =>
  [0, 3].map((pendingCount) =>
    advise({
      limited: pendingCount > 0,
      score,
      totalScore: 100,
      pendingCount,
      unansweredCount: 2,
      byChapter: [{ name: '第一章“概述”', earned: 1, total: 10, pending: 0 }],
    }),
  ),
);

it('says every piece of advice in Chinese', () => {
  expect([...new Set(results.flat().map((advice) => sayAdvice(advice, paper)))].sort()).toEqual(
    [
      '还有 3 题待评分，对照参考答案评分后总分会更新。',
      '“第一章“概述””得分率 10%，建议先看解析，再做一遍这一章的练习。',
      '有 2 题没有作答，下次注意留出时间。',
      '有 2 题没有作答，可以再练一次。',
      '掌握得很好，可以挑战下一份试卷。',
      '已经及格，把错题弄懂就能再上一个台阶。',
      '基础还不牢，建议先做章节练习，再回来重考。',
    ].sort(),
  );
});

it('says every piece of advice in English, names apart', async () => {
  await setLanguage('en');
  for (const advice of results.flat()) {
    for (const practice of [false, true])
      expect(sayAdvice(advice, { practice }).replace('第一章“概述”', '')).not.toMatch(/\p{Script=Han}/u);
  }
});

it('sends nobody from a practice to sit a paper', () => {
  const said = results.flat().map((advice) => sayAdvice(advice, { practice: true }));
  expect(said).toContain('基础还不牢，建议先看懂解析，再把没做对的题练一遍。');
  expect(said.join()).not.toMatch(/重考|试卷/);
});
