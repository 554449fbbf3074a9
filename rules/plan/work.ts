import type { PlanKind } from '#contract/values/plan.ts';

/** Something of a pack that is learned once: a lesson to watch, or the questions of a chapter to answer. */
export interface PlanStep {
  kind: 'lesson' | 'practice';
  /** Of a lesson its id, of a practice that of its chapter. */
  id: number;
  /** With which chapter it can be left out; null: it stands at the top of its course. */
  chapterId: number | null;
  /** What is left of a lesson; of a practice it follows from `count`. */
  seconds: number;
  /** Questions of a practice that were never answered. */
  count: number;
}

export interface PlanPaper {
  id: number;
  seconds: number;
  taken: boolean;
}

export interface PlanPack {
  packId: number;
  /** Null: no date is set, it goes on at a steady pace. Today or past: nothing is planned. */
  examDay: number | null;
  /** In the order in which they are studied, which a plan never changes. */
  steps: readonly PlanStep[];
  /** All of them in their order, taken ones too: a paper keeps its place when one before it is taken. */
  papers: readonly PlanPaper[];
  /** That one question takes. */
  questionSeconds: number;
  /** Questions that are still to be reviewed today, and at most a day. */
  reviewsToday: number;
  reviewSize: number;
  /** Questions that come due on days after today. */
  due: ReadonlyMap<number, number>;
}

export interface PlanInput {
  today: number;
  /** From Monday to Sunday; 0: a day off. */
  minutes: readonly number[];
  /** Seconds of today that are used: what was planned and is done. */
  spent: number;
  /** In the order in which they are named. */
  packs: readonly PlanPack[];
}

export interface PlanTask {
  kind: PlanKind;
  packId: number;
  /** As in its step, of a paper its exam; of a review 0. */
  id: number;
  chapterId: number | null;
  seconds: number;
  /** Questions of a practice or review. */
  count: number;
  /** More of the same lesson or chapter follows on another day. */
  part: boolean;
}

/** The farthest day that is looked at. */
export const LONGEST = 730;
/** Nobody sits down for less of a lesson or a chapter, unless less is left or the day is short (`pieceOf`). */
export const LEAST = 600;
export const LAST_WEEK = 7;

/** A pack while days are filled. */
export interface Work {
  pack: PlanPack;
  /** The step that comes next, and what is left of it. */
  at: number;
  left: { seconds: number; count: number };
  /** Seconds of all steps that are left. */
  rest: number;
  papers: Map<number, PlanPaper>;
  /** Papers for which no day was left. */
  homeless: number;
  waiting: number;
  comes: Map<number, number>;
}

export const secondsOf = (step: PlanStep, pack: PlanPack) =>
  step.kind === 'practice' ? step.count * pack.questionSeconds : step.seconds;
export const leftOf = (step: PlanStep | undefined) => ({ seconds: step?.seconds ?? 0, count: step?.count ?? 0 });

export function workOf(pack: PlanPack): Work {
  return {
    pack,
    at: 0,
    left: leftOf(pack.steps[0]),
    rest: pack.steps.reduce((sum, step) => sum + secondsOf(step, pack), 0),
    papers: new Map(),
    homeless: 0,
    waiting: 0,
    comes: new Map(pack.due),
  };
}
