import { afterEach, expect, it } from 'vitest';
import { advise } from '#rules/exam/result.ts';
import { setLanguage } from '#web/lib/t.ts';
import { sayAdvice } from './advice.ts';

afterEach(() => setLanguage('zh-CN'));

const outcomes = [95, 70, 10].flatMap((score) =>
  [0, 3].map((pendingCount) =>
    advise({
      score,
      totalScore: 100,
      pendingCount,
      unansweredCount: 2,
      byChapter: [{ name: '第一章“概述”', earned: 1, total: 10, pending: 0 }],
    }),
  ),
);

it('says every sentence of the server unchanged in Chinese', () => {
  for (const sentence of outcomes.flat()) expect(sayAdvice(sentence)).toBe(sentence);
});

it('says every sentence of the server in English, names apart', async () => {
  await setLanguage('en');
  for (const sentence of outcomes.flat()) {
    expect(sayAdvice(sentence).replace('第一章“概述”', '')).not.toMatch(/\p{Script=Han}/u);
  }
});
