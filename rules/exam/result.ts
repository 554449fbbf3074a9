import { percentOf } from './scoring.ts';

/** What one chapter of a paper brought, in points. */
export interface ChapterOutcome {
  name: string;
  earned: number;
  total: number;
  /** What of `total` still waits for a score (待评分). */
  pending: number;
}

/** The outcome of a record as advice looks at it. */
export interface Outcome {
  score: number;
  totalScore: number;
  pendingCount: number;
  unansweredCount: number;
  byChapter: readonly ChapterOutcome[];
}

/** Under this share of its points a chapter counts as weak: the pass mark of the product (spec §9: 60). */
const WEAK = 60;
const MOST_CHAPTERS = 2;

/**
 * Sentences for the student on what to do next, most useful first: weak chapters, open ends, the whole. Only what has its
 * score counts: a chapter whose questions all wait is neither strong nor weak (decisions §3 待评分).
 */
export function advise({ score, totalScore, pendingCount, unansweredCount, byChapter }: Outcome): string[] {
  const percent = percentOf(score, totalScore);
  const weak = byChapter
    .map(({ name, earned, total, pending }) => ({ name, earned, total: total - pending }))
    .map((chapter) => ({ ...chapter, rate: percentOf(chapter.earned, chapter.total) }))
    .filter((chapter) => chapter.total > 0 && chapter.rate < WEAK)
    .sort((a, b) => a.rate - b.rate || b.total - a.total)
    .slice(0, MOST_CHAPTERS);
  const advice: string[] = [];
  if (pendingCount > 0) advice.push(`还有 ${pendingCount} 题待评分，对照参考答案评分后总分会更新。`);
  for (const { name, rate } of weak) advice.push(`「${name}」得分率 ${rate}%，建议先看解析，再做一遍这一章的练习。`);
  if (unansweredCount > 0) advice.push(`有 ${unansweredCount} 题没有作答，下次注意留出时间。`);
  if (pendingCount === 0) {
    if (percent >= 90) advice.push('掌握得很好，可以挑战下一份试卷。');
    else if (percent >= WEAK) advice.push('已经及格，把错题弄懂就能再上一个台阶。');
    else advice.push('基础还不牢，建议先做章节练习，再回来重考。');
  }
  return advice;
}
