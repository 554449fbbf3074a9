import type { Why } from '#contract/envelope.ts';
import { acceptAnswer, type Kept, mayChange } from '#rules/exam/attempt.ts';
import { grouped } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import { ByQuestion } from './by-question.ts';
import type { ClosedRecord, CloseRecords, ToClose } from './close.ts';
import { type HeldRecord, holdRecords, type Around as SaveAround, storedAnswer } from './save.ts';

export interface HandIn {
  userId: number;
  examId: number;
  recordId: number;
  windowId?: string | undefined;
  totalTime?: number | undefined;
  /** The last answers that were not acknowledged yet. */
  answers: readonly { questionId: number; answer: string; seq: number }[];
  arrivedAt: number;
}

/** `closedNow` is null when the record had been closed before: a repeated hand-in gives the same result. */
export type HandedIn =
  | { ok: true; late: number[]; closedNow: ClosedRecord | null }
  | { ok: false; why: Why; field?: string; at?: number };

interface Around extends SaveAround {
  closeRecords: CloseRecords;
}

interface Enclosed {
  /** Its place in the hand-in. */
  at: number;
  recordId: number;
  questionId: number;
  answer: string;
  seq: number;
}

/**
 * Makes the hander-in. Hand-ins of one moment share one transaction that holds their records: the enclosed answers are
 * taken by the same rule as any save, then the record is graded and closed. What arrived after end and grace is kept as
 * evidence and named in `late`. Of two hand-ins of one record in a group, the second finds it closed.
 */
export function handInTaker(around: Around): (handIn: HandIn) => Promise<HandedIn> {
  return grouped<HandIn, HandedIn>(around.db, (trx, handIns) => handInAll(around, trx, handIns), 100);
}

async function handInAll(around: Around, trx: Trx, handIns: readonly HandIn[]): Promise<HandedIn[]> {
  const held = await holdRecords(
    around,
    trx,
    handIns.map((one) => one.recordId),
  );
  const outputs: HandedIn[] = [];
  const toClose = new Map<number, ToClose & { at: number; late: number[] }>();
  for (const [at, handIn] of handIns.entries()) {
    const own = held.get(handIn.recordId);
    if (!own || own.record.userId !== handIn.userId || own.record.examId !== handIn.examId) {
      outputs.push({ ok: false, why: 'notFound' });
    } else if (own.record.submittedAt !== null) {
      outputs.push({ ok: true, late: await keepEvidence(around, trx, own, handIn), closedNow: null });
    } else if (toClose.has(own.record.id)) {
      outputs.push({ ok: true, late: [], closedNow: null });
    } else {
      const may = mayChange(own.record, handIn.windowId, handIn.arrivedAt);
      // A hand-in that comes too late still closes: what was saved in time counts.
      const taken: Taken = may.ok || may.why === 'tooLate' ? await takeEnclosed(around, trx, own, handIn) : may;
      outputs.push(taken.ok ? { ok: true, late: taken.late, closedNow: null } : taken);
      if (!taken.ok) continue;
      const { arrivedAt: now, totalTime } = handIn;
      toClose.set(own.record.id, { record: own.record, now, totalTime, at, late: taken.late });
    }
  }
  const list = [...toClose.values()];
  const closed = await around.closeRecords(trx, list);
  for (const [index, { at, late }] of list.entries()) {
    outputs[at] = { ok: true, late, closedNow: closed[index] ?? null };
  }
  return outputs;
}

type Taken = { ok: true; late: number[] } | { ok: false; why: Why; field?: string; at?: number };

/** Takes the answers inside a hand-in as saves of the same moment. */
async function takeEnclosed(around: Around, trx: Trx, held: HeldRecord, handIn: HandIn): Promise<Taken> {
  if (handIn.answers.length === 0) return { ok: true, late: [] };
  const enclosed = readEnclosed(held, handIn);
  if (!Array.isArray(enclosed)) return enclosed;
  const kept: ByQuestion<Kept> = await around.answers.kept(trx, enclosed);
  const writes = new ByQuestion<Enclosed>();
  const late: Enclosed[] = [];
  for (const one of enclosed) {
    const save = { answer: one.answer, seq: one.seq, windowId: handIn.windowId };
    const accepted = acceptAnswer(held.record, save, kept.get(one) ?? null, handIn.arrivedAt);
    if (!accepted.ok && accepted.why === 'badInput')
      return { ok: false, why: 'badInput', field: `answers.${one.at}.seq`, at: one.at };
    if (!accepted.ok && accepted.why === 'tooLate') late.push(one);
    // A question whose key was shown keeps its answer, and a stale one was not needed: neither stops a hand-in.
    if (!accepted.ok || !accepted.write) continue;
    kept.set(one, { answer: one.answer, seq: one.seq, shownAt: null });
    writes.set(one, one);
  }
  const savedAt = handIn.arrivedAt;
  await around.answers.write(
    trx,
    writes.values().map((one) => ({ ...one, savedAt, totalTime: 0 })),
  );
  return { ok: true, late: await writeLate(around, trx, late, handIn) };
}

/** Answers in a hand-in that comes after the server closed the record at its end: evidence, as from any late save. */
async function keepEvidence(around: Around, trx: Trx, held: HeldRecord, handIn: HandIn): Promise<number[]> {
  const may = mayChange(held.record, handIn.windowId, handIn.arrivedAt);
  if (may.ok || may.why !== 'tooLate' || handIn.answers.length === 0) return [];
  const enclosed = readEnclosed(held, handIn);
  if (!Array.isArray(enclosed)) return [];
  const kept = await around.answers.kept(trx, enclosed);
  const late = enclosed.filter((one) => {
    const before = kept.get(one);
    return before?.answer !== one.answer && one.seq > (before?.seq ?? 0);
  });
  return writeLate(around, trx, late, handIn);
}

async function writeLate(
  around: Around,
  trx: Trx,
  late: readonly Enclosed[],
  { arrivedAt }: HandIn,
): Promise<number[]> {
  await around.answers.writeLate(
    trx,
    late.map((one) => ({ ...one, arrivedAt })),
  );
  return [...new Set(late.map((one) => one.questionId))];
}

function readEnclosed({ record, content, layout }: HeldRecord, handIn: HandIn): Enclosed[] | (Taken & { ok: false }) {
  const enclosed: Enclosed[] = [];
  for (const [at, { questionId, answer: raw, seq }] of handIn.answers.entries()) {
    const question = content.byId.get(questionId);
    // Taken out by the school meanwhile: gone, and no reason to keep anybody from handing in (decision 004).
    if (!question) continue;
    const answer = storedAnswer(question, layout, raw);
    if (answer === null) return { ok: false, why: 'answerMalformed', field: `answers.${at}`, at };
    enclosed.push({ at, recordId: record.id, questionId, answer, seq });
  }
  return enclosed;
}
