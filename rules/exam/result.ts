import { percentOf } from './scoring.ts';

/** What one chapter of a paper brought, in points. */
interface ChapterOutcome {
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

/** Percent from which a score is excellent, and a pass (spec §9). Under a pass a chapter counts as weak. */
const EXCELLENT = 90;
const PASS = 60;
const MOST_CHAPTERS = 2;

/** The label of a score: excellent (优秀), pass (及格) or start (起步). */
type ScoreLevel = 'excellent' | 'pass' | 'start';

/** The label of a score in percent: excellent at 90 or above, pass at 60 or above, otherwise start (spec §4, §9). */
export function scoreLevel(percent: number): ScoreLevel {
  if (percent >= EXCELLENT) return 'excellent';
  return percent >= PASS ? 'pass' : 'start';
}

/**
 * Sentences for the student on what to do next, most useful first: weak chapters, open ends, the whole. Only what has its
 * score counts: a chapter whose questions all wait is neither strong nor weak (decisions §3 待评分).
 */
export function advise({ score, totalScore, pendingCount, unansweredCount, byChapter }: Outcome): string[] {
  const percent = percentOf(score, totalScore);
  const weak = byChapter
    .map(({ name, earned, total, pending }) => ({ name, earned, total: total - pending }))
    .map((chapter) => ({ ...chapter, rate: percentOf(chapter.earned, chapter.total) }))
    .filter((chapter) => chapter.total > 0 && chapter.rate < PASS)
    .sort((a, b) => a.rate - b.rate || b.total - a.total)
    .slice(0, MOST_CHAPTERS);
  const advice: string[] = [];
  if (pendingCount > 0) advice.push(`还有 ${pendingCount} 题待评分，对照参考答案评分后总分会更新。`);
  for (const { name, rate } of weak) advice.push(`“${name}”得分率 ${rate}%，建议先看解析，再做一遍这一章的练习。`);
  if (unansweredCount > 0) advice.push(`有 ${unansweredCount} 题没有作答，下次注意留出时间。`);
  if (pendingCount === 0) {
    const level = scoreLevel(percent);
    if (level === 'excellent') advice.push('掌握得很好，可以挑战下一份试卷。');
    else if (level === 'pass') advice.push('已经及格，把错题弄懂就能再上一个台阶。');
    else advice.push('基础还不牢，建议先做章节练习，再回来重考。');
  }
  return advice;
}
