import * as kept from './answers-state.ts';
import type { ExamRequest, ExamState, Step } from './exam-model.ts';

/** Failures in a row after which saving is blocked and only retried in the background (spec §5, §9). */
export const FAILURE_LIMIT = 3;
/** Saves under way at once. */
const LANES = 4;

/** Waiting time before the nth retry: doubles from one second to at most 30, spread by `jitter` (0 to 1). */
export function backOff(tries: number, jitter: number): number {
  return Math.round(Math.min(30_000, 1000 * 2 ** (tries - 1)) * (0.5 + jitter));
}

/** One step under construction: the state so far and what it asks for. */
export class Steps {
  state: ExamState;
  readonly requests: ExamRequest[] = [];

  constructor(state: ExamState) {
    this.state = state;
  }

  set(change: Partial<ExamState>): this {
    this.state = { ...this.state, ...change };
    return this;
  }

  ask(...requests: ExamRequest[]): this {
    this.requests.push(...requests);
    return this;
  }

  toast(text: string): this {
    return this.ask({ do: 'toast', text });
  }

  /** Takes new answers and tells the browser's own store what to keep or forget. */
  answers(answers: kept.Answers): this {
    const before = this.state.answers.unsent;
    for (const [questionId, { answer, seq }] of answers.unsent) {
      if (before.get(questionId)?.seq !== seq) this.ask({ do: 'keep', kept: { questionId, answer, seq } });
    }
    for (const [questionId, { answer, seq }] of before) {
      if (!answers.unsent.has(questionId)) this.ask({ do: 'forget', kept: { questionId, answer, seq } });
    }
    return this.set({ answers });
  }

  /** Sends what is due, as far as lanes are free and saving is not blocked. `probe` sends one although it is blocked or offline. */
  pump(probe = false): this {
    const { state } = this;
    if (state.phase !== 'open' && state.phase !== 'handing') return this;
    const blocked = !state.online || state.failures >= FAILURE_LIMIT;
    if (blocked && !probe) return this;
    const { answers, sent } = kept.take(state.answers, blocked ? 1 : LANES);
    for (const one of sent) this.ask({ do: 'save', kept: one });
    return this.set({ answers });
  }

  done(): Step {
    return { state: this.state, requests: this.requests };
  }
}
