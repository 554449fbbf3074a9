import { type AnswerState, type FeedbackState, feedbackState } from '#contract/values/feedback.ts';

/** How a report stands. */
interface Answered {
  state: FeedbackState;
  answer: string;
  /** How often it was answered. */
  version: number;
  /** The teacher who answered last. */
  answeredBy: number | null;
}

/** What a teacher wants to answer, having looked at `version`. */
interface Wanted {
  version: number;
  state: AnswerState;
  answer: string;
  teacherId: number;
}

type Decision =
  | { ok: true; changes: boolean }
  | { ok: false; why: 'reasonNeeded' | 'answeredMeanwhile' | 'alreadyDecided' };

/** Whether the school has said what becomes of a report: mended, or declined. */
export function isDecided(state: FeedbackState): boolean {
  return state === feedbackState.mended || state === feedbackState.declined;
}

/**
 * Whether a report may be answered so (docs/decisions/024-teachers-and-feedback.md). A decision can be changed to the other
 * one or said in other words, never taken back to 收到: its student has read it. What another teacher answered since is never
 * written over. The same answer again changes nothing; from the teacher who gave it also where they looked at an older
 * version, for so a reply that was lost is asked for.
 */
export function decideAnswer(now: Answered, wanted: Wanted): Decision {
  if (wanted.state === feedbackState.declined && wanted.answer === '') return { ok: false, why: 'reasonNeeded' };
  const same = now.state === wanted.state && now.answer === wanted.answer;
  if (same && now.answeredBy === wanted.teacherId) return { ok: true, changes: false };
  if (now.version !== wanted.version) return { ok: false, why: 'answeredMeanwhile' };
  if (isDecided(now.state) && wanted.state === feedbackState.received) return { ok: false, why: 'alreadyDecided' };
  return { ok: true, changes: !same };
}
