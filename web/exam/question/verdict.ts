import { msg } from '#web/lib/t.ts';

/** What became of an answer: each has its own shape, so that colour alone never says it. */
export type Verdict = 'right' | 'wrong' | 'partly' | 'pending' | 'unanswered' | 'hidden' | 'void';

/** Question `state` of the contract in words: 0 unanswered, 1 right, 2 wrong, 3 partly right, 4 waits for a score, 5 void. */
export function verdictOf(state: number, answer: string): Verdict {
  if (state === 1) return 'right';
  if (state === 3) return 'partly';
  if (state === 4) return 'pending';
  if (state === 5) return 'void';
  return state === 0 || answer === '' ? 'unanswered' : 'wrong';
}

/** The interface word of each verdict, in Chinese: the key for `t`. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  right: msg('回答正确'),
  wrong: msg('回答错误'),
  partly: msg('部分正确'),
  pending: msg('待评分'),
  unanswered: msg('未作答'),
  hidden: msg('考试中，暂不显示'),
  void: msg('已作废'),
};
