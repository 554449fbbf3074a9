import { msg, t } from '#web/lib/t.ts';

/** The sentences that the server gives as advice (rules/exam/result.ts), with what varies in them as a pattern. */
const sentences: readonly [RegExp, string, readonly string[]][] = [
  [/^还有 (\d+) 题待评分/, msg('还有 {count} 题待评分，对照参考答案评分后总分会更新。'), ['count']],
  [/^“(.*)”得分率 (\d+)%/, msg('“{name}”得分率 {rate}%，建议先看解析，再做一遍这一章的练习。'), ['name', 'rate']],
  [/^有 (\d+) 题没有作答/, msg('有 {count} 题没有作答，下次注意留出时间。'), ['count']],
  [/^掌握得很好/, msg('掌握得很好，可以挑战下一份试卷。'), []],
  [/^已经及格/, msg('已经及格，把错题弄懂就能再上一个台阶。'), []],
  [/^基础还不牢/, msg('基础还不牢，建议先做章节练习，再回来重考。'), []],
];

/** A sentence of advice in the person's language; one that is not known stays as the server said it. */
export function sayAdvice(sentence: string): string {
  for (const [pattern, words, names] of sentences) {
    const found = pattern.exec(sentence);
    if (found) return t(words, Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? ''])));
  }
  return sentence;
}
