import type { Why } from '#contract/envelope.ts';
import type { StoredAnswer } from '#rules/exam/attempt.ts';
import { acceptAnswer } from '#rules/exam/attempt.ts';
import { grouped, HELD } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import { PairMap } from '../pair-map.ts';
import type { ExamParts } from '../parts.ts';
import type { LateSave, NewAnswer, RecordQuestion } from '../record/answer-store.ts';
import type { ExamRecord } from '../record/store.ts';
import { inStoredLetters, isPaperOf, type LockedRecord, lockRecords } from './locked-record.ts';

/** One answer on its way to the disk. */
interface Save extends RecordQuestion {
  userId: number;
  examId: number;
  /** As the student sees it: shown letters, or text. */
  answer: string;
  /** The version of the paper that it was given under; left out: the record's own. */
  paperVersion?: number | undefined;
  seq?: number | undefined;
  windowId?: string | undefined;
  totalTime?: number | undefined;
  /** When the request reached the server: this decides, not when its group is written. */
  arrivedAt: number;
}

type Saved = { ok: true; savedAt: number; seq: number; stale: boolean; extraTime: number } | { ok: false; why: Why };

type SaverParts = Pick<ExamParts, 'db' | 'records' | 'answers' | 'readContent'>;

/** A save with all that its decision needs, or why there is none to make. */
type Decidable = { ok: true; save: Save; record: ExamRecord; answer: string } | { ok: false; why: Why };

async function decidable(
  parts: SaverParts,
  trx: Trx,
  save: Save,
  locked: LockedRecord | undefined,
): Promise<Decidable> {
  if (!locked || locked.record.userId !== save.userId || locked.record.examId !== save.examId) {
    return { ok: false, why: 'notFound' };
  }
  const { paperVersion, questionId } = save;
  if (!(await isPaperOf(parts, trx, locked, { paperVersion, questionIds: [questionId] })))
    return { ok: false, why: 'paperChanged' };
  const question = locked.content.byId.get(questionId);
  if (!question) return { ok: false, why: 'questionGone' };
  const answer = inStoredLetters(question, locked.layout, save.answer);
  return answer === null ? { ok: false, why: 'answerMalformed' } : { ok: true, save, record: locked.record, answer };
}

/**
 * Makes the saver. Saves of one moment share one transaction: one read of the records concerned (locked against
 * hand-in), one of what is stored, a decision each by `acceptAnswer`, one write; every caller is answered after the
 * commit. Late ones are stored as evidence in the same transaction.
 * @param mostWaiting saves that may wait at once
 */
export function answerSaver(parts: SaverParts, mostWaiting?: number): (save: Save) => Promise<Saved> {
  return grouped<Save, Saved>(
    parts.db,
    ({ recordId }) => recordId,
    (trx, saves) => saveAll(parts, trx, saves),
    mostWaiting === undefined ? {} : { mostWaiting },
  );
}

async function saveAll(parts: SaverParts, trx: Trx, saves: readonly Save[]): Promise<(Saved | typeof HELD)[]> {
  const { locked, held } = await lockRecords(
    parts,
    trx,
    saves.map((save) => save.recordId),
  );
  const stored: PairMap<StoredAnswer> = await parts.answers.read(trx, saves);
  const decidableSaves: Decidable[] = [];
  for (const save of saves) decidableSaves.push(await decidable(parts, trx, save, locked.get(save.recordId)));
  const writes = new PairMap<NewAnswer>();
  const late: LateSave[] = [];
  const outputs = decidableSaves.map((one, at): Saved | typeof HELD => {
    if (held.has(saves[at]?.recordId ?? 0)) return HELD;
    if (!one.ok) return one;
    const { save, record, answer } = one;
    const { recordId, questionId, seq, windowId, arrivedAt } = save;
    const before = stored.get(recordId, questionId) ?? null;
    const accepted = acceptAnswer(record, { answer, seq, windowId }, before, arrivedAt);
    if (!accepted.ok) {
      if (accepted.why === 'tooLate') late.push({ recordId, questionId, answer, seq: seq ?? arrivedAt, arrivedAt });
      return { ok: false, why: accepted.why };
    }
    if (accepted.write) {
      // Of two saves of one question in a group the second meets the first, as if it had been written.
      stored.set(recordId, questionId, { answer, seq: accepted.seq, shownAt: null });
      const totalTime = save.totalTime ?? 0;
      const row = { recordId, questionId, answer, seq: accepted.seq, savedAt: arrivedAt, totalTime };
      writes.set(recordId, questionId, row);
    }
    return { ok: true, savedAt: arrivedAt, seq: accepted.seq, stale: accepted.stale, extraTime: record.extraMinutes };
  });
  await parts.answers.write(trx, writes.values());
  await parts.answers.writeLate(trx, late);
  return outputs;
}
