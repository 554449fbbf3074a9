import type { GradeMode } from '#contract/values/exam.ts';
import { isAnswered, isSelfScored, type QuestionType } from './answer.ts';

/** 0 unanswered · 1 right · 2 wrong · 3 partly right · 4 waiting for the student's own score · 5 void: it counts for nothing. */
type QuestionState = 0 | 1 | 2 | 3 | 4 | 5;

/** One question of a graded record. `earned` is null until the student has scored it. */
export interface Graded {
  state: QuestionState;
  earned: number | null;
  /** Type 8 once scored: 1 right, 2 wrong; else null. */
  judgeFlag: 1 | 2 | null;
  /** What its student gave themselves, set aside while the question gives its points to everybody or to nobody. */
  own?: OwnScore;
}

/** A student's own score of a text (types 4, 8), with what the question gave when they scored it. */
export interface OwnScore {
  earned: number;
  of: number;
  judgeFlag: 1 | 2 | null;
}

export interface Key {
  type: QuestionType;
  /** Letters ascending, or text. */
  right: string;
  /** Points of the question in this exam. */
  score: number;
  /** Left out: by its key. */
  gradeMode?: GradeMode;
}

const NOTHING: Graded = { state: 0, earned: 0, judgeFlag: null };
const WRONG: Graded = { state: 2, earned: 0, judgeFlag: null };
const WAITING: Graded = { state: 4, earned: null, judgeFlag: null };
const VOID: Graded = { state: 5, earned: 0, judgeFlag: null };

/**
 * The points that a question gives where a list names so many: a void one (作废) gives none, in whatever list it stands, by whomever that
 * was written (docs/decisions/028). What the list says stays there, for the day on which it counts again.
 */
export function pointsOf(gradeMode: GradeMode, listed: number): number {
  return gradeMode === 'void' ? 0 : listed;
}

/** Whether a part of the right letters may bring something: types 3 and 5, by the rule of their paper. */
export function hasParts(type: QuestionType): boolean {
  return type === 3 || type === 5;
}

/**
 * Grades one answer (decisions §3 Scoring). Types 1 and 2 are exact. Types 3 and 5 are exact, or earn the paper's share
 * for a proper subset of the right letters, rounded down to half points; one wrong letter earns nothing. Types 4 and 8
 * wait for the student's own score once they are answered.
 * A question that gives its points to everybody gives them to who left it open too; every answer to it is right. A void one is neither
 * right nor wrong nor open, whatever was answered.
 * @param answer stored letters ascending, or text; null or '' when unanswered
 * @param share 0 to 1; null: exact or nothing
 */
export function gradeAnswer(
  { type, right, score, gradeMode = 'key' }: Key,
  answer: string | null,
  share: number | null,
): Graded {
  if (gradeMode === 'void') return VOID;
  if (gradeMode === 'all') return { state: isAnswered(answer) ? 1 : 0, earned: score, judgeFlag: null };
  if (!isAnswered(answer)) return NOTHING;
  if (isSelfScored(type)) return WAITING;
  if (answer === right) return { state: 1, earned: score, judgeFlag: null };
  if (!hasParts(type) || share === null) return WRONG;
  if (![...answer].every((letter) => right.includes(letter))) return WRONG;
  return { state: 3, earned: Math.floor(addPoints([score * share]) * 2) / 2, judgeFlag: null };
}

/**
 * The student's own score of a question of type 4 or 8. Type 8 says right or wrong too; when it does not, full points
 * are right. Type 4 is right with full points, wrong with none, else partly right.
 */
export function scoreSelf(
  { type, score, gradeMode = 'key' }: Pick<Key, 'type' | 'score' | 'gradeMode'>,
  myScore: number,
  judgeFlag: 1 | 2 | undefined,
): { ok: true; graded: Graded } | { ok: false; why: 'scoreOutOfRange' | 'notSelfScored' } {
  if (!isSelfScored(type) || gradeMode !== 'key') return { ok: false, why: 'notSelfScored' };
  if (!(myScore >= 0 && myScore <= score)) return { ok: false, why: 'scoreOutOfRange' };
  const earned = addPoints([myScore]);
  if (type === 8) {
    const judged = judgeFlag ?? (earned === score ? 1 : 2);
    return { ok: true, graded: { state: judged, earned, judgeFlag: judged } };
  }
  return { ok: true, graded: { state: earned === score ? 1 : earned === 0 ? 2 : 3, earned, judgeFlag: null } };
}

/** What a record adds up to. Partly right counts as wrong (spec §3: "1 right, otherwise wrong"). */
export interface Tally {
  score: number;
  rightCount: number;
  wrongCount: number;
  unansweredCount: number;
  pendingCount: number;
}

/** Adds up a record. Questions that the student has still to score count as pending and bring no points; void ones count nowhere. */
export function tally(graded: Iterable<Pick<Graded, 'state' | 'earned'>>): Tally {
  const counts = [0, 0, 0, 0, 0, 0];
  const points: number[] = [];
  for (const { state, earned } of graded) {
    counts[state] = (counts[state] ?? 0) + 1;
    points.push(earned ?? 0);
  }
  const [unansweredCount = 0, rightCount = 0, wrong = 0, partly = 0, pendingCount = 0] = counts;
  return { score: addPoints(points), rightCount, wrongCount: wrong + partly, unansweredCount, pendingCount };
}

/** Adds points exactly to the hundredth: binary fractions do not drift into the sum. */
export function addPoints(points: Iterable<number>): number {
  let hundredths = 0;
  for (const earned of points) hundredths += Math.round(earned * 100);
  return hundredths / 100;
}

/** A score as whole percent of the total, rounded down, so that 59.9 never reads as a pass (spec §9 score labels). */
export function percentOf(score: number, total: number): number {
  if (total <= 0) return 0;
  return Math.min(100, Math.max(0, Math.floor((Math.round(score * 100) * 100) / Math.round(total * 100))));
}
