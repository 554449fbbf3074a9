import { isAnswered as isGiven } from '#rules/exam/answer.ts';
import type { RecordSnapshot } from '../paper.ts';

/** An unacknowledged answer of one question and how far it has come. `answer` '' is the explicit clearing (清除作答). */
interface UnsentProgress {
  answer: string;
  /** Its place in time: the newest of a question wins at the server. */
  seq: number;
  /** The student has left the question or stopped changing it: it may be sent. */
  due: boolean;
  /** The number under which something of this question is on its way, or null. */
  sending: number | null;
  /** Something was sent and never acknowledged: the server may or may not hold it, so only a newer save settles it. */
  tried: boolean;
  /** The server refused it inside a hand-in that cannot wait: it stays in this browser, and is not sent any more. */
  refused: boolean;
  /** Whether it was read back from this browser's disk; null while that is under way. */
  kept: boolean | null;
}

/** All answers of one record as this window knows them. Maps are by question id; a missing key is "no answer". */
export interface Answers {
  /** What the screen shows. */
  shown: ReadonlyMap<number, string>;
  /** What the server has acknowledged to be on its disk. */
  saved: ReadonlyMap<number, string>;
  unsent: ReadonlyMap<number, UnsentProgress>;
  /** The highest number known to this window. */
  seq: number;
}

/** What the browser has of an answer that the server has not acknowledged: on its disk, and on its way to the server. */
export interface UnsentAnswer {
  questionId: number;
  answer: string;
  seq: number;
}

function put<V>(map: ReadonlyMap<number, V>, key: number, value: V): Map<number, V> {
  return new Map(map).set(key, value);
}

function without<V>(map: ReadonlyMap<number, V>, key: number): ReadonlyMap<number, V> {
  if (!map.has(key)) return map;
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/**
 * The next number: higher than all known, and at least the server's time in milliseconds, so that of two windows that
 * both worked without a network the one that changed the answer last wins, not the one that changed it more often.
 */
function nextSeq(answers: Answers, now: number): number {
  return Math.max(answers.seq + 1, Math.floor(now));
}

/** A new change; what is, or may be, on its way of the one `before` it still is. */
function newUnsent(answer: string, seq: number, before: UnsentProgress | undefined): UnsentProgress {
  const sending = before?.sending ?? null;
  return { answer, seq, due: false, sending, tried: before?.tried ?? false, refused: false, kept: null };
}

/** The answer that would count if the paper were handed in now. */
export function standing(answers: Answers, id: number): string {
  return answers.unsent.get(id)?.answer ?? answers.saved.get(id) ?? '';
}

/** Whether the question counts as answered. An answer that was emptied without clearing still stands (decisions §3). */
export function isAnswered(answers: Answers, id: number): boolean {
  return isGiven(standing(answers, id)) || isGiven(answers.shown.get(id) ?? null);
}

/**
 * The student changed an answer. An empty one is never sent (spec §5); going back to what is saved needs no save unless
 * something else is, or may be, on its way.
 */
export function change(answers: Answers, id: number, value: string, now: number): Answers {
  const shown = put(answers.shown, id, value);
  const waiting = answers.unsent.get(id);
  const open = waiting !== undefined && (waiting.tried || waiting.sending !== null || waiting.answer === '');
  if (!isGiven(value)) return { ...answers, shown, unsent: open ? answers.unsent : without(answers.unsent, id) };
  if (value === waiting?.answer) return { ...answers, shown };
  if (value === (answers.saved.get(id) ?? '') && !open) {
    return { ...answers, shown, unsent: without(answers.unsent, id) };
  }
  const seq = nextSeq(answers, now);
  const unsent = put(answers.unsent, id, newUnsent(value, seq, waiting));
  return { ...answers, shown, unsent, seq };
}

/**
 * 清除作答: the one way to un-answer. The server is told whenever this window ever had an answer of the question, its own
 * or the server's: what the window knows may be old, and another device's answer would stand although the student
 * cleared it last. A question without any answer since the window opened says nothing.
 */
export function clear(answers: Answers, id: number, now: number): Answers {
  if (!answers.shown.has(id)) return answers;
  const shown = put(answers.shown, id, '');
  const waiting = answers.unsent.get(id);
  const seq = nextSeq(answers, now);
  const unsent = put(answers.unsent, id, { ...newUnsent('', seq, waiting), due: true });
  return { ...answers, shown, unsent, seq };
}

/** Leaving a question: what is unsent becomes due, and an emptied field shows again the answer that still stands. */
export function leave(answers: Answers, id: number): Answers {
  const waiting = answers.unsent.get(id);
  const stands = standing(answers, id);
  return {
    ...answers,
    unsent: waiting && !waiting.due ? put(answers.unsent, id, { ...waiting, due: true }) : answers.unsent,
    shown: (answers.shown.get(id) ?? '') === stands ? answers.shown : put(answers.shown, id, stands),
  };
}

/** Makes one unsent answer due without touching what is shown (autosave while the student looks on). */
export function due(answers: Answers, id: number): Answers {
  const waiting = answers.unsent.get(id);
  if (!waiting || waiting.due) return answers;
  return { ...answers, unsent: put(answers.unsent, id, { ...waiting, due: true }) };
}

/** At most `most` due answers that are not on their way, marked as being on their way. */
export function take(answers: Answers, most: number): { answers: Answers; sent: UnsentAnswer[] } {
  const busy = [...answers.unsent.values()].filter(({ sending }) => sending !== null).length;
  const sent: UnsentAnswer[] = [];
  const unsent = new Map(answers.unsent);
  for (const [questionId, waiting] of answers.unsent) {
    if (sent.length + busy >= most) break;
    if (!waiting.due || waiting.sending !== null || waiting.refused) continue;
    unsent.set(questionId, { ...waiting, sending: waiting.seq });
    sent.push({ questionId, answer: waiting.answer, seq: waiting.seq });
  }
  return sent.length === 0 ? { answers, sent } : { answers: { ...answers, unsent }, sent };
}

/** The server has `sent` on its disk. A newer unsent answer of the same question stays unsent. */
export function acknowledge(answers: Answers, sent: UnsentAnswer, storedSeq: number): Answers {
  const waiting = answers.unsent.get(sent.questionId);
  const saved = put(answers.saved, sent.questionId, sent.answer);
  const seq = Math.max(answers.seq, storedSeq);
  if (!waiting || waiting.seq <= sent.seq) {
    return { ...answers, saved, seq, unsent: without(answers.unsent, sent.questionId) };
  }
  return {
    ...answers,
    saved,
    seq,
    unsent: put(answers.unsent, sent.questionId, { ...waiting, sending: null, tried: false }),
  };
}

/** The answers that travel inside a hand-in: all that the server has not acknowledged nor refused there before. */
export function enclosed(answers: Answers): UnsentAnswer[] {
  return [...answers.unsent]
    .filter(([, waiting]) => !waiting.refused)
    .map(([questionId, { answer, seq }]) => ({ questionId, answer, seq }));
}

/** The server refused these inside a hand-in. A newer change of the question is not meant. */
export function refuse(answers: Answers, sent: readonly UnsentAnswer[]): Answers {
  const unsent = new Map(answers.unsent);
  for (const { questionId, seq } of sent) {
    const waiting = unsent.get(questionId);
    if (waiting?.seq === seq) unsent.set(questionId, { ...waiting, refused: true });
  }
  return { ...answers, unsent };
}

/** Whether this answer was read back from this browser's disk. A newer change of the question is not meant. */
export function noteKept(answers: Answers, questionId: number, seq: number, kept: boolean): Answers {
  const waiting = answers.unsent.get(questionId);
  if (waiting?.seq !== seq || waiting.kept === kept) return answers;
  return { ...answers, unsent: put(answers.unsent, questionId, { ...waiting, kept }) };
}

/** After the hand-in: only what the server refused is still unsent. */
export function handedIn(answers: Answers): Answers {
  return { ...answers, unsent: new Map([...answers.unsent].filter(([, waiting]) => waiting.refused)) };
}

/** A save failed: whether it arrived is unknown, so the answer stays unsent. */
export function failed(answers: Answers, sent: UnsentAnswer): Answers {
  const waiting = answers.unsent.get(sent.questionId);
  if (!waiting || waiting.sending !== sent.seq) return answers;
  // To the end of the line: one answer that always fails must not keep the others from being tried.
  const others = without(answers.unsent, sent.questionId);
  return { ...answers, unsent: put(others, sent.questionId, { ...waiting, sending: null, tried: true, due: true }) };
}

/** The server will never take this save (its answer is final, or malformed): what it holds is shown instead. */
export function drop(answers: Answers, sent: UnsentAnswer): Answers {
  const waiting = answers.unsent.get(sent.questionId);
  if (!waiting || waiting.seq !== sent.seq) return failed(answers, sent);
  return {
    ...answers,
    unsent: without(answers.unsent, sent.questionId),
    shown: put(answers.shown, sent.questionId, answers.saved.get(sent.questionId) ?? ''),
  };
}

/**
 * The answers of a record from what the server stores and what this browser has on its disk: local ones newer than the
 * server's are unsent (never "saved": incident Artemis PR 12948), the others are out of date. One with the server's own number
 * and another answer is sent too, so that its refusal names it.
 */
export function merge(
  snapshot: Pick<RecordSnapshot, 'answers' | 'lastSeq'>,
  local: readonly UnsentAnswer[],
): { answers: Answers; outdated: UnsentAnswer[] } {
  const saved = new Map<number, string>();
  const shown = new Map<number, string>();
  const seqs = new Map<number, number>();
  let seq = snapshot.lastSeq;
  for (const stored of snapshot.answers) {
    saved.set(stored.questionId, stored.answer);
    if (stored.answer !== '') shown.set(stored.questionId, stored.answer);
    seqs.set(stored.questionId, stored.seq);
    seq = Math.max(seq, stored.seq);
  }
  const final = new Set(
    snapshot.answers.filter(({ showAnswerFlag }) => showAnswerFlag === 1).map(({ questionId }) => questionId),
  );
  const unsent = new Map<number, UnsentProgress>();
  const outdated: UnsentAnswer[] = [];
  for (const restored of local) {
    const { questionId, answer } = restored;
    seq = Math.max(seq, restored.seq);
    const storedSeq = seqs.get(questionId) ?? 0;
    const isOld = restored.seq < storedSeq || (restored.seq === storedSeq && answer === saved.get(questionId));
    if (final.has(questionId) || isOld) {
      outdated.push(restored);
      continue;
    }
    unsent.set(questionId, {
      answer,
      seq: restored.seq,
      due: true,
      sending: null,
      tried: true,
      refused: false,
      kept: null,
    });
    shown.set(questionId, answer);
  }
  return { answers: { shown, saved, unsent, seq }, outdated };
}
