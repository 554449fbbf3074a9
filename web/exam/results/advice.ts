import type { ScoreLevel } from '#contract/values/exam.ts';
import type { Advice } from '#rules/exam/result.ts';
import { msg, t } from '#web/lib/t.ts';

const ofLevel: Readonly<Record<ScoreLevel, string>> = {
  excellent: msg('掌握得很好，可以挑战下一份试卷。'),
  pass: msg('已经及格，把错题弄懂就能再上一个台阶。'),
  start: msg('基础还不牢，建议先做章节练习，再回来重考。'),
};

/** A practice, today's review among them, is no paper to sit again, and no other one follows it. */
const ofPractice: Readonly<Record<ScoreLevel, string>> = {
  ...ofLevel,
  excellent: msg('掌握得很好，可以接着往下学。'),
  start: msg('基础还不牢，建议先看懂解析，再把没做对的题练一遍。'),
};

/** A piece of advice (rules/exam/result.ts) as a sentence in the person's language. */
export function sayAdvice(advice: Advice, { practice }: { practice: boolean }): string {
  switch (advice.code) {
    case 'pending':
      return t('还有 {count} 题待评分，对照参考答案评分后总分会更新。', { count: advice.count });
    case 'weakChapter':
      return t('“{name}”得分率 {rate}%，建议先看解析，再做一遍这一章的练习。', {
        name: advice.chapterName,
        rate: advice.percent,
      });
    case 'unanswered':
      return advice.limited
        ? t('有 {count} 题没有作答，下次注意留出时间。', { count: advice.count })
        : t('有 {count} 题没有作答，可以再练一次。', { count: advice.count });
    case 'level':
      return t((practice ? ofPractice : ofLevel)[advice.level]);
  }
}
