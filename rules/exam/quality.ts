import type { GradeMode, LookReason } from '#contract/values/exam.ts';

/**
 * How a question fares with its students. Discrimination is that of the upper against the lower group, 27 % each by the rest
 * of their paper (T. L. Kelley, The selection of upper and lower groups for the validation of test items, 1939), judged as by
 * R. L. Ebel, Essentials of Educational Measurement (1965): below 0.2 an item is poor, below 0 its key is to be doubted.
 */

/** Bands of the share that students earned of the rest of their paper, each 5 %; behind them those of whom it is not known. */
export const BANDS = 20;
/** The share of students in each of the two groups. */
const GROUP = 0.27;
/** Students from whom on the two groups say something: eleven in each. */
const LEAST_STUDENTS = 40;
/** Other questions of a record from which on the rest of it says how good a student is. */
const LEAST_REST = 5;
const POOR = 0.2;

/** How many students gave each answer, by band. Letters ascending; a text as its verdict: `=1` right, `=2` wrong, `=3` partly. */
export type Choices = Record<string, number[]>;

/** The band of one student; `BANDS`: too little of the rest is known. */
export function bandOf({ earned, total, questions }: { earned: number; total: number; questions: number }): number {
  if (questions < LEAST_REST || total <= 0) return BANDS;
  return Math.min(BANDS - 1, Math.max(0, Math.floor((earned / total) * BANDS + 1e-9)));
}

/** Adds one answer. */
export function addChoice(choices: Choices, answer: string, band: number): void {
  const bands = choices[answer] ?? [];
  choices[answer] = bands;
  while (bands.length <= band) bands.push(0);
  bands[band] = (bands[band] ?? 0) + 1;
}

interface Given {
  answer: string;
  /** Students of all, and of each group: parts of a band count by their share. */
  all: number;
  upper: number;
  lower: number;
}

/** How a question fared; shares from 0 to 1. */
export interface Quality {
  /** Students whose first answer is counted. */
  answered: number;
  rightRate: number | null;
  /** From -1 to 1; null: fewer than `LEAST_STUDENTS` whose rest is known. */
  discrimination: number | null;
  /** Students in each group; 0 while there is no discrimination. */
  group: number;
  /** Every answer that was given, the most frequent first. */
  given: Given[];
}

/** @param right letters ascending, or `=1` for a text */
export function qualityOf(choices: Choices, right: string): Quality {
  const sizes = Array.from({ length: BANDS }, (_, band) =>
    Object.values(choices).reduce((sum, bands) => sum + (bands[band] ?? 0), 0),
  );
  const known = sizes.reduce((sum, size) => sum + size, 0);
  const group = known < LEAST_STUDENTS ? 0 : known * GROUP;
  const upper = shares([...sizes].reverse(), group).reverse();
  const lower = shares(sizes, group);
  const given = Object.entries(choices)
    .map(([answer, bands]) => ({
      answer,
      all: bands.reduce((sum, count) => sum + count, 0),
      upper: weighted(bands, upper),
      lower: weighted(bands, lower),
    }))
    .filter(({ all }) => all > 0)
    .sort((a, b) => b.all - a.all || (a.answer < b.answer ? -1 : 1));
  const answered = given.reduce((sum, { all }) => sum + all, 0);
  const key = given.find(({ answer }) => answer === right);
  return {
    answered,
    rightRate: answered === 0 ? null : (key?.all ?? 0) / answered,
    discrimination: group === 0 ? null : ((key?.upper ?? 0) - (key?.lower ?? 0)) / group,
    group,
    given,
  };
}

/** Which share of each band belongs to a group of this size, the first band first. */
function shares(sizes: readonly number[], group: number): number[] {
  let left = group;
  return sizes.map((size) => {
    const taken = size === 0 ? 0 : Math.min(1, left / size);
    left = Math.max(0, left - size);
    return taken;
  });
}

const weighted = (bands: readonly number[], weights: readonly number[]) =>
  weights.reduce((sum, weight, band) => sum + weight * (bands[band] ?? 0), 0);

/** How many chose each letter, whatever else they chose: what a distractor draws. */
export function byLetter(given: readonly Given[], letters: string): (Omit<Given, 'answer'> & { letter: string })[] {
  return [...letters].map((letter) => {
    const chosen = given.filter(({ answer }) => answer.includes(letter));
    const sum = (of: 'all' | 'upper' | 'lower') => chosen.reduce((total, one) => total + one[of], 0);
    return { letter, all: sum('all'), upper: sum('upper'), lower: sum('lower') };
  });
}

/**
 * Why a question needs a look, the most urgent first: another answer is given more often than the key by the good students ·
 * the poor ones are right more often than the good ones · students have reported it · it hardly tells good from poor, though it
 * is neither easy nor hard (Ebel: those cannot). Of a question that is not graded by its key, reports alone count.
 */
export function lookReasons(
  { given, discrimination, rightRate }: Quality,
  { right, gradeMode, reports }: { right: string; gradeMode: GradeMode; reports: number },
): LookReason[] {
  const reasons: LookReason[] = [];
  if (gradeMode === 'key' && discrimination !== null && rightRate !== null) {
    const key = given.find(({ answer }) => answer === right)?.upper ?? 0;
    if (!right.startsWith('=') && given.some(({ answer, upper }) => answer !== right && upper > key))
      reasons.push('keyBeaten');
    if (discrimination < 0) reasons.push('negative');
    else if (discrimination < POOR && rightRate > 0.1 && rightRate < 0.9) reasons.push('weak');
  }
  if (reports > 0) reasons.push('reported');
  return reasons.sort((a, b) => WEIGHT[b] - WEIGHT[a]);
}

const WEIGHT: Readonly<Record<LookReason, number>> = { keyBeaten: 8, negative: 4, reported: 2, weak: 1 };

/** How much a question needs a look, for the order of a list; 0: not at all. */
export function attentionOf(reasons: readonly LookReason[]): number {
  return reasons.reduce((sum, reason) => sum + WEIGHT[reason], 0);
}
