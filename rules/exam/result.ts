import type { DataOf } from '#contract/call.ts';
import type { ResultTip } from '#contract/exam.ts';
import { PASS_PERCENT, type ScoreLevel } from '#contract/values/exam.ts';
import { timeLevel } from './countdown.ts';
import { addPoints, percentOf } from './scoring.ts';

/** One piece of advice, as a code with its numbers. */
export type Advice = DataOf<typeof ResultTip>['advice'][number];

/** The points of one chapter in a record. */
interface ChapterScore {
  name: string;
  earned: number;
  total: number;
  /** What of `total` still waits for a score (待评分). */
  pending: number;
}

/** What advice looks at in the result of a record. */
interface AdvisedResult {
  score: number;
  totalScore: number;
  pendingCount: number;
  unansweredCount: number;
  /** Whether the clock may be why questions were left open (`shortOfTime`). */
  limited: boolean;
  byChapter: readonly ChapterScore[];
}

/**
 * Whether a record ran short of time: it was handed in, or closed, when its timer had turned amber. Who hands in long before that left
 * questions open for another reason. Milliseconds.
 * @param endsAt null: no limit
 */
export function shortOfTime(
  { startedAt, endsAt }: { startedAt: number; endsAt: number | null },
  closedAt: number,
): boolean {
  return endsAt !== null && timeLevel(endsAt - closedAt, endsAt - startedAt) !== 'calm';
}

/** Percent from which a score is excellent (spec §9). */
const EXCELLENT = 90;
const MOST_CHAPTERS = 2;

/** The label of a score in percent: excellent at 90 or above, pass at 60 or above, otherwise start (spec §4, §9). */
export function scoreLevel(percent: number): ScoreLevel {
  if (percent >= EXCELLENT) return 'excellent';
  return percent >= PASS_PERCENT ? 'pass' : 'start';
}

/**
 * Points from which a record of a paper is a pass: the mark that its school set (`passScore`), else 60 %. Its label follows the percent alone (spec §9).
 * @param passScore null: the school set none
 */
export function passMark(totalScore: number, passScore: number | null): number {
  return passScore ?? addPoints([(totalScore * PASS_PERCENT) / 100]);
}

/** Whether a record is a pass; one without points is none. */
export function isPass(score: number, totalScore: number, passScore: number | null): boolean {
  return totalScore > 0 && addPoints([score, -passMark(totalScore, passScore)]) >= 0;
}

/**
 * The label of a result; null while questions of it wait for their score (decisions §3 待评分) or are withheld, since its percent
 * is not the whole one yet.
 */
export function levelOf({
  percent,
  pendingCount,
}: Pick<DataOf<typeof ResultTip>, 'percent' | 'pendingCount'>): ScoreLevel | null {
  return percent === null || pendingCount !== 0 ? null : scoreLevel(percent);
}

/**
 * What the student should do next, most useful first: own scores to give, weak chapters, unanswered questions, the score as a
 * whole. Questions that the student has still to score do not count: a chapter of nothing else is neither strong nor weak,
 * and the score has no label while there is one (decisions §3 待评分).
 */
export function advise({
  score,
  totalScore,
  pendingCount,
  unansweredCount,
  limited,
  byChapter,
}: AdvisedResult): Advice[] {
  const weak = byChapter
    .map(({ name, earned, total, pending }) => ({ name, earned, total: total - pending }))
    .map((chapter) => ({ ...chapter, percent: percentOf(chapter.earned, chapter.total) }))
    .filter((chapter) => chapter.total > 0 && chapter.percent < PASS_PERCENT)
    .sort((a, b) => a.percent - b.percent || b.total - a.total)
    .slice(0, MOST_CHAPTERS);
  const advice: Advice[] = [];
  if (pendingCount > 0) advice.push({ code: 'pending', count: pendingCount });
  for (const { name, percent } of weak) advice.push({ code: 'weakChapter', chapterName: name, percent });
  if (unansweredCount > 0) advice.push({ code: 'unanswered', count: unansweredCount, limited });
  if (pendingCount === 0) advice.push({ code: 'level', level: scoreLevel(percentOf(score, totalScore)) });
  return advice;
}
