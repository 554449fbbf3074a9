import type { Mark } from '#contract/values/exam.ts';
import type { FailedWhy } from '#web/lib/send.ts';
import {
  byLetters,
  type HandInReply,
  type KeyedQuestion,
  type Paper,
  type Question,
  type RecordSnapshot,
} from '../paper.ts';
import { type Answers, isAnswered, type UnsentAnswer } from './answers-state.ts';
import { type MarkChange, type Marks, noUnsentMarks, type UnsentMarks } from './marks-state.ts';

type Dialog = 'submit' | 'finish' | 'feedback' | 'keys' | 'card' | null;
/**
 * `open`: answering · `takenOver`: another window answers · `handing`: hand-in under way · `closed`: nothing can change ·
 * `review`: handed in and looked at with its keys (examType 2).
 */
type Phase = 'open' | 'takenOver' | 'handing' | 'closed' | 'review';

export interface ExamState {
  readonly paper: Paper;
  readonly questions: ReadonlyMap<number, Question>;
  /** What the server says of the record itself, as of the latest snapshot. */
  readonly record: Omit<RecordSnapshot, 'answers' | 'now' | 'remaining' | 'savedAt'>;
  readonly phase: Phase;
  readonly current: number;
  /** 1 answer mode · 2 recite mode. */
  readonly questionMode: 1 | 2;
  readonly autoAdvance: boolean;
  /** In practice: a choice of one letter shows its answer at once, instead of moving on. */
  readonly showAtOnce: boolean;
  /** Time of the choice after which the screen moves on by itself, unless something else happens first; or null. */
  readonly advancing: number | null;
  readonly answers: Answers;
  readonly marks: Marks;
  readonly marksUnsent: UnsentMarks;
  /** Keys that may be seen: shown one by one, or all in recite mode and in a review. */
  readonly keys: ReadonlyMap<number, KeyedQuestion>;
  /** Questions whose answer is final because their key was shown or the paper handed in, with the state they came to. */
  readonly finals: ReadonlyMap<number, number>;
  /** Questions whose key is being asked for; `saving` waits for the answer to be saved first. */
  readonly showing: ReadonlyMap<number, 'saving' | 'asking'>;
  /** Counts the server's confirmations: an answer to what was asked at a lower count may be out of date. */
  readonly confirmed: number;
  /** Recite mode: not asked, under way, or there. */
  readonly recite: 'none' | 'asking' | 'there';
  /** Questions whose key is withheld because they are in an open exam, as far as it was asked for: in recite mode and review all of them. */
  readonly hidden: ReadonlySet<number>;
  readonly online: boolean;
  /** The session is gone: the latest save was refused for it. */
  readonly signedOut: boolean;
  /** Failed saves in a row. */
  readonly failures: number;
  /** Number of the waiting retry; older timers are ignored. */
  readonly round: number;
  /** Server time of the last acknowledged save, of this window or as the server told when it was asked; or null. */
  readonly savedAt: number | null;
  /** Failed hand-ins in a row, while `handing`. */
  readonly handTries: number;
  readonly handing: boolean;
  /** The hand-in under way is that of the end: it stops where time was given back, which the student's own does not. */
  readonly byTime: boolean;
  /** Time that was given back (补时) and not yet looked away from, in minutes; null: none. */
  readonly given: { readonly minutes: number; readonly reason: string } | null;
  /** The note about the student's own time was put away. */
  readonly ownTimeSeen: boolean;
  /** The record's end has passed. */
  readonly over: boolean;
  /**
   * What is not certain of the end while the clock is in doubt and the server has not been heard. `maybe`: by the device's own
   * clock it has passed · `waits`: by the clock of this page too; nothing can change until the server says what time it is.
   */
  readonly ending: 'certain' | 'maybe' | 'waits';
  /** What this browser could not keep is about to be put on its disk again. */
  readonly keeping: boolean;
  readonly dialog: Dialog;
  /** The scratch paper lies beside the question. */
  readonly scratch: boolean;
  /** Options can be struck out. */
  readonly striking: boolean;
}

/** How a record comes onto the screen: nothing is asked for, waited for or failed, and no dialog is open. */
export const nothingUnderWay = {
  questionMode: 1,
  showAtOnce: false,
  advancing: null,
  marksUnsent: noUnsentMarks,
  showing: new Map(),
  confirmed: 0,
  recite: 'none',
  signedOut: false,
  failures: 0,
  round: 0,
  savedAt: null,
  handTries: 0,
  handing: false,
  byTime: false,
  given: null,
  ownTimeSeen: false,
  over: false,
  ending: 'certain',
  keeping: false,
  dialog: null,
  scratch: false,
  striking: false,
} as const satisfies Partial<ExamState>;

export type ExamEvent =
  /** `stays`: chosen on the way through the options by arrow keys, after which the question stays. */
  | { type: 'chosen'; letter: string; now: number; stays?: boolean }
  | { type: 'typed'; text: string; now: number }
  | { type: 'cleared'; now: number }
  | { type: 'left' }
  | { type: 'go'; to: number }
  | { type: 'quiet'; questionId: number; seq: number }
  | { type: 'advance'; chosenAt: number }
  | { type: 'saved'; sent: UnsentAnswer; savedAt: number; seq: number; stale: boolean; extraTime?: number }
  | { type: 'saveFailed'; sent: UnsentAnswer; failure: Failure; jitter: number }
  | { type: 'retry'; round: number }
  | { type: 'retryNow' }
  | { type: 'online' }
  | { type: 'offline' }
  /** Without `questionId`: the question on the screen. */
  | { type: 'marked'; mark: Mark; questionId?: number }
  | { type: 'markSaved'; change: MarkChange }
  | { type: 'markFailed'; change: MarkChange; failure: Failure }
  | { type: 'takenOver' }
  /** `asked`: `confirmed` at the moment the server was asked. */
  | { type: 'tookOver'; snapshot: RecordSnapshot; asked: number }
  | { type: 'refreshed'; snapshot: RecordSnapshot; asked: number }
  | { type: 'submit' }
  | { type: 'submitted'; result: HandInReply | null }
  /** `sent`: the answers that the hand-in enclosed. */
  | { type: 'submitFailed'; sent: readonly UnsentAnswer[]; failure: Failure; jitter: number }
  | { type: 'submitAgain'; round: number }
  | { type: 'submitStopped' }
  /** `left` by the clock of this page; `doubt`: that clock is in doubt, and by the device's own one so much is left. */
  | { type: 'tick'; left: number; doubt?: { left: number } }
  /** Whether an answer was read back from this browser's disk. */
  | { type: 'kept'; questionId: number; seq: number; kept: boolean }
  | { type: 'keepAgain' }
  | { type: 'mode'; questionMode: 1 | 2 }
  | { type: 'recited'; questions: readonly KeyedQuestion[]; hidden: readonly number[] }
  | { type: 'reciteFailed'; failure: Failure }
  /** A scored exam began in another window of this browser, which may have these questions. */
  | { type: 'examBegan' }
  | { type: 'show' }
  | { type: 'shown'; question: KeyedQuestion; state: number }
  | { type: 'showFailed'; questionId: number; failure: Failure }
  | { type: 'autoAdvance'; on: boolean }
  | { type: 'showAtOnce'; on: boolean }
  | { type: 'scratch'; on: boolean }
  | { type: 'striking'; on: boolean }
  /** An option of the question on the screen was struck out, or that was taken back. */
  | { type: 'struck' }
  /** The note about time that was given back was put away. */
  | { type: 'givenSeen' }
  /** The note about the student's own time was put away. */
  | { type: 'ownTimeSeen' }
  | { type: 'dialog'; dialog: Dialog };

/** Why a call failed, the sentence for the person, and which entry of the list that was sent is at fault, where one is. */
export interface Failure {
  why: FailedWhy;
  msg: string;
  at?: number | undefined;
}

/** What a change asks the world to do. The runner does it and answers with events. */
export type ExamRequest =
  /** Onto this browser's disk. */
  | { do: 'keep'; unsent: UnsentAnswer }
  /** Off this browser's disk. */
  | { do: 'forget'; unsent: UnsentAnswer }
  /** To the server. */
  | { do: 'save'; unsent: UnsentAnswer }
  | ({ do: 'mark' } & MarkChange)
  | { do: 'wait'; ms: number; event: ExamEvent }
  | { do: 'toast'; text: string }
  /** `extraTime`: only because the time is over, as far as this window knows. */
  | { do: 'submit'; answers: readonly UnsentAnswer[]; extraTime?: number }
  | { do: 'goto'; to: 'result' | 'examCenter' }
  | { do: 'address'; index: number }
  | { do: 'show'; questionId: number }
  | { do: 'recite' }
  | { do: 'refresh' };

/** A record on the question screen, be it sat or reviewed: its state, and a way to say what happened. */
export interface ShownRecord {
  readonly getState: () => ExamState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: (event: ExamEvent) => void;
}

/** The question on the screen. A record always has at least one (the server refuses to start an empty paper). */
export function currentQuestion(state: ExamState): Question | undefined {
  return state.paper.questions[state.current];
}

/** Whether the question on the screen can be answered here and now. */
export function mayAnswer(state: ExamState, questionId: number): boolean {
  return takesChanges(state) && state.questionMode === 1 && !state.finals.has(questionId);
}

/** Whether the question on the screen can be marked here and now: while it can be answered, and in a review. */
export function mayMark(state: ExamState): boolean {
  return state.phase === 'review' || takesChanges(state);
}

/**
 * Whether the answer of a question can be called a guess here and now, or that be taken back: where it is given, and one that
 * can be guessed. Reciting, nothing is answered.
 */
export function mayGuess(state: ExamState, questionId: number): boolean {
  const type = state.questions.get(questionId)?.questionTypesId ?? 0;
  return (
    mayMark(state) &&
    state.questionMode === 1 &&
    byLetters(type) &&
    (isAnswered(state.answers, questionId) || state.marks.guess.has(questionId))
  );
}

/**
 * Whether a right answer is a guess; `listed`: the server knows, so that it stands among the wrong questions. Undefined: it is
 * none, or not known to be right.
 */
export function guessedRight(state: ExamState, questionId: number): 'said' | 'listed' | undefined {
  if (state.finals.get(questionId) !== 1 || !state.marks.guess.has(questionId)) return undefined;
  return state.marksUnsent.guess.has(questionId) ? 'said' : 'listed';
}

function takesChanges({ phase, over, ending }: ExamState): boolean {
  return phase === 'open' && !over && ending !== 'waits';
}

/** Whether every question shows its key, as far as it may be seen: in recite mode and in a review. */
export function showsKeys(state: ExamState): boolean {
  return state.questionMode === 2 || state.phase === 'review';
}

/** How many answers the server has not acknowledged. */
export function unsentCount(state: ExamState): number {
  return state.answers.unsent.size;
}

/** How many of them this browser holds on its disk: they were read back from there. */
export function keptCount(state: ExamState): number {
  return [...state.answers.unsent.values()].filter(({ kept }) => kept === true).length;
}

/** How many of them it could not put there: they live as long as this page. */
export function unkeptCount(state: ExamState): number {
  return [...state.answers.unsent.values()].filter(({ kept }) => kept === false).length;
}

/** How many questions have no answer that would count. */
export function unansweredCount(state: ExamState): number {
  return state.paper.questions.filter(({ questionId }) => !isAnswered(state.answers, questionId)).length;
}

/** Whether handing in now would have anything to grade. */
export function anyAnswered(state: ExamState): boolean {
  return state.paper.questions.some(({ questionId }) => isAnswered(state.answers, questionId));
}
