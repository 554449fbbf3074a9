import type { Paper, RecordSnapshot } from '../paper.ts';
import { merge, standing, type UnsentAnswer } from './answers-state.ts';
import { currentQuestion, type ExamState, nothingUnderWay } from './exam-model.ts';
import { lock, timeGiven } from './hand-in.ts';
import {
  marksOf,
  noUnsentMarks,
  sendMarks,
  storedMarks,
  type UnsentMarks,
  unsentMarkCount,
  withUnsent,
} from './marks-state.ts';
import { sendDue, withAnswers } from './outbox.ts';
import { askForFinalKey } from './reveal.ts';
import { retryWhileOffline } from './sending.ts';
import { ask, inTurn, type Step, set, stay } from './step.ts';

/** The parts of the state that are as the server says. */
function fromServer(snapshot: RecordSnapshot): Pick<ExamState, 'record' | 'marks' | 'finals'> {
  const { answers, now: _now, remaining: _remaining, savedAt: _savedAt, ...record } = snapshot;
  return {
    record,
    marks: storedMarks(answers),
    // Final because their key was shown.
    finals: new Map(
      answers.filter(({ showAnswerFlag }) => showAnswerFlag === 1).map(({ questionId, state }) => [questionId, state]),
    ),
  };
}

/** Opens a record: what the server stores joined with the answers and marks that this browser kept, unsent until acknowledged. */
export function openExam(
  paper: Paper,
  snapshot: RecordSnapshot,
  local: readonly UnsentAnswer[],
  at: { index: number; autoAdvance: boolean; showAtOnce?: boolean; online: boolean; marks?: UnsentMarks },
): Step {
  const { answers, outdated } = merge(snapshot, local);
  const last = paper.questions.length - 1;
  const questions = new Map(paper.questions.map((question) => [question.questionId, question]));
  const marksUnsent = marksOf(at.marks ?? noUnsentMarks, questions);
  const stored = fromServer(snapshot);
  const opened: ExamState = {
    ...nothingUnderWay,
    paper,
    questions,
    ...stored,
    marks: withUnsent(stored.marks, marksUnsent),
    marksUnsent,
    phase: snapshot.submittedAt !== null ? 'closed' : snapshot.ownsWindow ? 'open' : 'takenOver',
    current: Math.max(0, Math.min(at.index, last)),
    autoAdvance: at.autoAdvance,
    showAtOnce: at.showAtOnce ?? false,
    answers,
    keys: new Map(),
    hidden: new Set(),
    online: at.online,
    savedAt: savedBy(snapshot, marksUnsent),
    given:
      snapshot.extraTime > 0 && snapshot.submittedAt === null
        ? { minutes: snapshot.extraTime, reason: snapshot.extraReason }
        : null,
  };
  return inTurn(
    opened,
    (state) => ask(state, ...outdated.map((unsent) => ({ do: 'forget', unsent }) as const)),
    (state) => (state.phase === 'closed' ? ask(state, { do: 'goto', to: 'result' }) : restore(state)),
    (state) => (at.online ? stay(state) : retryWhileOffline(state)),
  );
}

/** When the server saved last, as far as that says that it has all: not while it is to hear of marks. Of unsent answers the screen itself tells. */
function savedBy({ savedAt }: RecordSnapshot, marksUnsent: UnsentMarks): number | null {
  return unsentMarkCount(marksUnsent) > 0 ? null : savedAt;
}

/** Goes on from the opened record. What another window left unsent is put on the disk anew, as this window's to send. */
function restore(state: ExamState): Step {
  const restored = [...state.answers.unsent].map(([questionId, { answer, seq }]) => ({ questionId, answer, seq }));
  return inTurn(
    state,
    (opened) => ask(opened, ...restored.map((unsent) => ({ do: 'keep', unsent }) as const)),
    askForFinalKey,
    (opened) => ask(opened, ...sendMarks(opened.marksUnsent)),
    sendDue,
  );
}

/**
 * What the server stores now, after taking over or after a doubt: own unsent answers stay where they are newer. `resend`:
 * whatever was on its way was refused, everything is due again.
 */
function reconcile(state: ExamState, snapshot: RecordSnapshot, resend: boolean): Step {
  const local = [...state.answers.unsent].map(([questionId, { answer, seq }]) => ({ questionId, answer, seq }));
  const { answers } = merge(snapshot, local);
  const unsent = new Map(answers.unsent);
  if (!resend) {
    // What is on its way stays on its way.
    for (const [id, waiting] of state.answers.unsent) if (unsent.has(id)) unsent.set(id, waiting);
  }
  // What is under the student's hands now is not replaced, unless its question was answered elsewhere.
  const shown = new Map(answers.shown);
  const here = currentQuestion(state)?.questionId;
  const hands = here === undefined ? undefined : state.answers.shown.get(here);
  if (here !== undefined && standing(answers, here) === standing(state.answers, here)) {
    if (hands !== undefined) shown.set(here, hands);
  }
  const { record, marks, finals } = fromServer(snapshot);
  return inTurn(
    state,
    (before) => withAnswers(before, { ...answers, shown, unsent, seq: Math.max(answers.seq, state.answers.seq) }),
    (after) =>
      set(after, {
        record,
        marks: withUnsent(marks, after.marksUnsent),
        finals,
        savedAt: Math.max(after.savedAt ?? 0, savedBy(snapshot, after.marksUnsent) ?? 0) || null,
        ...withoutWithheld(after, finals),
      }),
    (after) => (after.hidden.has(here ?? 0) ? stay(after) : askForFinalKey(after)),
  );
}

/** An answer whose key was shown came to something: where the server says it did not, its question is sat in a scored exam, and its key is withheld. */
function withoutWithheld({ answers, keys, hidden }: ExamState, finals: ExamState['finals']): Partial<ExamState> {
  const isWithheld = (id: number) => finals.get(id) === 0 && (answers.saved.get(id) ?? '') !== '';
  return {
    keys: new Map([...keys].filter(([id]) => !isWithheld(id))),
    hidden: new Set([...hidden].filter((id) => (finals.get(id) ?? 0) === 0)),
  };
}

/**
 * News of what the server stores. A snapshot that was asked for before the server's latest confirmation (`asked`) may miss
 * what it confirmed: taken as it is, an answer that is safely stored would vanish from the screen. It is asked again.
 */
export function refreshed(state: ExamState, snapshot: RecordSnapshot, asked: number, resend = false): Step {
  if (snapshot.submittedAt !== null) {
    // By this window's own hand-in: only its reply names what came too late.
    if (state.handing || state.phase === 'closed') return stay(state);
    return set(state, { phase: 'closed' }, { do: 'goto', to: 'result' });
  }
  const old = asked !== state.confirmed;
  return inTurn(
    state,
    (before) => (old ? ask(before, { do: 'refresh' }) : stay(before)),
    // The end is the record's: no answer on its way makes it another.
    (before) => (snapshot.extraTime === before.record.extraTime ? stay(before) : timeGiven(before, snapshot)),
    (before) => {
      if (old && !resend) return stay(before);
      if (before.phase === 'open' && !snapshot.ownsWindow) return set(before, { phase: 'takenOver', dialog: null });
      return inTurn(
        before,
        (live) =>
          live.phase === 'open' || live.phase === 'takenOver' ? reconcile(live, snapshot, resend) : stay(live),
        sendDue,
      );
    },
  );
}

/** Another window has taken the paper over. */
export function takenOver(state: ExamState): Step {
  return state.phase === 'open' || state.phase === 'handing' ? lock(state) : stay(state);
}

/** This window has taken the paper over: no failures, time as the server says, everything due again. */
export function tookOver(state: ExamState, snapshot: RecordSnapshot, asked: number): Step {
  if (state.phase === 'closed') return stay(state);
  return inTurn(
    state,
    (before) => set(before, { phase: 'open', failures: 0, over: false }),
    (before) => refreshed(before, snapshot, asked, true),
    // What the server was asked before the taking over may still say that another window has the paper.
    (after) => set(after, { confirmed: after.confirmed + 1 }),
  );
}
