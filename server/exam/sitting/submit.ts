import type { Why } from '#contract/envelope.ts';
import type { StoredAnswer } from '#rules/exam/attempt.ts';
import { acceptAnswer, mayChange } from '#rules/exam/attempt.ts';
import { handsInTooSoon } from '#rules/exam/extra-time.ts';
import { grouped, HELD } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import type { ClosedRecord, RecordToClose } from '../grading/close-records.ts';
import { PairMap } from '../pair-map.ts';
import type { ExamParts } from '../parts.ts';
import type { RecordQuestion } from '../record/answer-store.ts';
import { inStoredLetters, isPaperOf, type LockedRecord, lockRecords } from './locked-record.ts';

interface HandIn {
  userId: number;
  examId: number;
  recordId: number;
  windowId?: string | undefined;
  totalTime?: number | undefined;
  /** The version of the paper that the answers were given under; left out: the record's own. */
  paperVersion?: number | undefined;
  /** Where the window hands in because the time is over: the minutes given back of which it knows. */
  extraTime?: number | undefined;
  /** The last answers that were not acknowledged yet. */
  answers: readonly { questionId: number; answer: string; seq: number }[];
  arrivedAt: number;
}

/** `closedNow` is null when the record had been closed before: a repeated hand-in gives the same result. */
type HandedIn =
  | { ok: true; late: number[]; closedNow: ClosedRecord | null }
  | { ok: false; why: Why; field?: string; at?: number };

/** An answer inside a hand-in, in the letters that are stored. */
interface Enclosed extends RecordQuestion {
  /** Its place in the hand-in. */
  at: number;
  answer: string;
  seq: number;
}

type Refused = { ok: false; why: Why; field?: string; at?: number };

/**
 * Makes the function that hands in. Hand-ins of one moment share one transaction that holds their records: the enclosed answers are
 * taken by the same rule as any save, then the record is graded and closed. What arrived after end and grace is stored
 * as evidence and named in `late`. Of two hand-ins of one record in a group, the second finds it closed.
 */
export function handInTaker(parts: ExamParts): (handIn: HandIn) => Promise<HandedIn> {
  return grouped<HandIn, HandedIn>(
    parts.db,
    ({ recordId }) => recordId,
    (trx, handIns) => handInAll(parts, trx, handIns),
    { most: 100 },
  );
}

async function handInAll(parts: ExamParts, trx: Trx, handIns: readonly HandIn[]): Promise<(HandedIn | typeof HELD)[]> {
  const { locked: records, held } = await lockRecords(
    parts,
    trx,
    handIns.map((handIn) => handIn.recordId),
  );
  const outputs: (HandedIn | typeof HELD)[] = [];
  const toClose = new Map<number, RecordToClose & { at: number; late: number[] }>();
  for (const [at, handIn] of handIns.entries()) {
    const locked = records.get(handIn.recordId);
    if (held.has(handIn.recordId)) {
      outputs.push(HELD);
    } else if (!locked || locked.record.userId !== handIn.userId || locked.record.examId !== handIn.examId) {
      outputs.push({ ok: false, why: 'notFound' });
    } else if (locked.record.submittedAt !== null) {
      outputs.push({ ok: true, late: await storeEvidence(parts, trx, locked, handIn), closedNow: null });
    } else if (toClose.has(locked.record.id)) {
      outputs.push({ ok: true, late: [], closedNow: null });
    } else if (handsInTooSoon(locked.record, handIn.extraTime, handIn.arrivedAt)) {
      outputs.push({ ok: false, why: 'moreTime' });
    } else {
      const { record } = locked;
      const may = mayChange(record, handIn.windowId, handIn.arrivedAt);
      // A hand-in that comes too late still closes: what was saved in time counts.
      const taken: Taken = may.ok || may.why === 'tooLate' ? await takeEnclosed(parts, trx, locked, handIn) : may;
      outputs.push(taken.ok ? { ok: true, late: taken.late, closedNow: null } : taken);
      if (!taken.ok) continue;
      const { arrivedAt: now, totalTime } = handIn;
      toClose.set(record.id, { record, now, totalTime, at, late: taken.late });
    }
  }
  const list = [...toClose.values()];
  const closed = await parts.closeRecords(trx, list);
  for (const [index, { at, late }] of list.entries()) {
    outputs[at] = { ok: true, late, closedNow: closed[index] ?? null };
  }
  return outputs;
}

type Taken = { ok: true; late: number[] } | Refused;

/** Takes the answers inside a hand-in as saves of the same moment. */
async function takeEnclosed(parts: ExamParts, trx: Trx, locked: LockedRecord, handIn: HandIn): Promise<Taken> {
  if (handIn.answers.length === 0) return { ok: true, late: [] };
  const read = await readEnclosed(parts, trx, locked, handIn);
  if (!read.ok) return read;
  const stored: PairMap<StoredAnswer> = await parts.answers.read(trx, read.enclosed);
  const writes = new PairMap<Enclosed>();
  const late: Enclosed[] = [];
  for (const enclosed of read.enclosed) {
    const { at, recordId, questionId, answer, seq } = enclosed;
    const save = { answer, seq, windowId: handIn.windowId };
    const accepted = acceptAnswer(locked.record, save, stored.get(recordId, questionId) ?? null, handIn.arrivedAt);
    if (!accepted.ok && (accepted.why === 'badInput' || accepted.why === 'seqTaken'))
      return { ok: false, why: accepted.why, field: `answers.${at}.seq`, at };
    if (!accepted.ok && accepted.why === 'tooLate') late.push(enclosed);
    // A question whose key was shown keeps its answer, and a stale one was not needed: neither stops a hand-in.
    if (!accepted.ok || !accepted.write) continue;
    stored.set(recordId, questionId, { answer, seq, shownAt: null });
    writes.set(recordId, questionId, enclosed);
  }
  const savedAt = handIn.arrivedAt;
  await parts.answers.write(
    trx,
    writes.values().map((enclosed) => ({ ...enclosed, savedAt, totalTime: 0 })),
  );
  return { ok: true, late: await writeLate(parts, trx, late, handIn) };
}

/** Answers in a hand-in that comes after the server closed the record at its end: evidence, as from any late save. */
async function storeEvidence(parts: ExamParts, trx: Trx, locked: LockedRecord, handIn: HandIn): Promise<number[]> {
  const may = mayChange(locked.record, handIn.windowId, handIn.arrivedAt);
  if (may.ok || may.why !== 'tooLate' || handIn.answers.length === 0) return [];
  const read = await readEnclosed(parts, trx, locked, handIn);
  if (!read.ok) return [];
  const stored = await parts.answers.read(trx, read.enclosed);
  const late = read.enclosed.filter(({ recordId, questionId, answer, seq }) => {
    const before = stored.get(recordId, questionId);
    return before?.answer !== answer && seq > (before?.seq ?? 0);
  });
  return writeLate(parts, trx, late, handIn);
}

/** @returns the questions whose answers came too late */
async function writeLate(
  { answers }: ExamParts,
  trx: Trx,
  late: readonly Enclosed[],
  { arrivedAt }: HandIn,
): Promise<number[]> {
  await answers.writeLate(
    trx,
    late.map((enclosed) => ({ ...enclosed, arrivedAt })),
  );
  return [...new Set(late.map((enclosed) => enclosed.questionId))];
}

async function readEnclosed(
  parts: ExamParts,
  trx: Trx,
  locked: LockedRecord,
  handIn: HandIn,
): Promise<{ ok: true; enclosed: Enclosed[] } | Refused> {
  const { record, content, layout } = locked;
  const { paperVersion, answers } = handIn;
  const questionIds = answers.map(({ questionId }) => questionId);
  if (answers.length > 0 && !(await isPaperOf(parts, trx, locked, { paperVersion, questionIds }))) {
    return { ok: false, why: 'paperChanged', field: 'paperVersion' };
  }
  const enclosed: Enclosed[] = [];
  for (const [at, { questionId, answer: raw, seq }] of answers.entries()) {
    const question = content.byId.get(questionId);
    // Not in the record's paper: no reason to keep anybody from handing in (decision 016).
    if (!question) continue;
    const answer = inStoredLetters(question, layout, raw);
    if (answer === null) return { ok: false, why: 'answerMalformed', field: `answers.${at}`, at };
    enclosed.push({ at, recordId: record.id, questionId, answer, seq });
  }
  return { ok: true, enclosed };
}
