import type { Why } from '#contract/envelope.ts';
import { normalAnswer } from '#rules/exam/answer.ts';
import { acceptAnswer, type Kept } from '#rules/exam/attempt.ts';
import { type Layout, toStored } from '#rules/exam/shuffle.ts';
import { grouped } from '#server/db/group.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { ByQuestion, type Place } from '../pair-map.ts';
import { type Content, type ContentQuestion, permutationOf, type ReadContent } from '../paper/content.ts';
import type { AnswerRow, Answers, LateRow } from '../record/answer-store.ts';
import type { RecordRow, Records } from '../record/store.ts';

/** One answer on its way to the disk. */
interface Save extends Place {
  userId: number;
  examId: number;
  /** As the student sees it: shown letters, or text. */
  answer: string;
  seq?: number | undefined;
  windowId?: string | undefined;
  totalTime?: number | undefined;
  /** When the request reached the server: this decides, not when its group is written. */
  arrivedAt: number;
}

type Saved = { ok: true; savedAt: number; seq: number; stale: boolean } | { ok: false; why: Why };

export interface Around {
  db: Db;
  records: Records;
  answers: Answers;
  readContent: ReadContent;
}

/** A record that is held by the transaction, with its paper as its student sees it. */
export interface HeldRecord {
  record: RecordRow;
  content: Content;
  layout: Layout | null;
}

/** Holds records against every other change until the transaction ends, and reads their papers. */
export async function holdRecords(
  { records, readContent }: Pick<Around, 'records' | 'readContent'>,
  trx: Trx,
  recordIds: Iterable<number>,
): Promise<Map<number, HeldRecord>> {
  const held = new Map<number, HeldRecord>();
  const papers = new Map<number, Content>();
  for (const record of await records.lock(trx, [...new Set(recordIds)])) {
    const content = papers.get(record.examId) ?? (await readContent(trx, record.examId, record.version));
    papers.set(record.examId, content);
    held.set(record.id, { record, content, layout: record.shuffled ? await records.layout(trx, record) : null });
  }
  return held;
}

/** An answer as a student sent it, as it is stored; null when it cannot be an answer to the question. */
export function storedAnswer(question: ContentQuestion, layout: Layout | null, raw: string): string | null {
  const normal = normalAnswer(question.type, question.letters, raw);
  if (!normal.ok) return null;
  return question.letters === '' ? normal.answer : toStored(normal.answer, permutationOf(layout, question));
}

type Checked = { save: Save; record: RecordRow; answer: string } | { why: Why };

function check(save: Save, held: HeldRecord | undefined): Checked {
  if (!held || held.record.userId !== save.userId || held.record.examId !== save.examId) return { why: 'notFound' };
  const question = held.content.byId.get(save.questionId);
  if (!question) return { why: 'questionGone' };
  const answer = storedAnswer(question, held.layout, save.answer);
  return answer === null ? { why: 'answerMalformed' } : { save, record: held.record, answer };
}

/** Saves that may wait at once; past that a new one is refused, so that memory cannot run out when the disk is stuck. */
const MOST_WAITING = 20_000;

/**
 * Makes the saver. Saves of one moment share one transaction: one read of the records concerned (held against hand-in),
 * one of what is kept, a decision each by `acceptAnswer`, one write; every caller is answered after the commit. Late ones
 * are kept as evidence in the same transaction.
 */
export function answerSaver(around: Around, mostWaiting = MOST_WAITING): (save: Save) => Promise<Saved> {
  const write = grouped<Save, Saved>(around.db, (trx, saves) => saveAll(around, trx, saves));
  let waiting = 0;
  return async (save) => {
    if (waiting >= mostWaiting) return { ok: false, why: 'busy' };
    waiting += 1;
    try {
      return await write(save);
    } finally {
      waiting -= 1;
    }
  };
}

async function saveAll(around: Around, trx: Trx, saves: readonly Save[]): Promise<Saved[]> {
  const held = await holdRecords(
    around,
    trx,
    saves.map((save) => save.recordId),
  );
  const checked = saves.map((save) => check(save, held.get(save.recordId)));
  const places = checked.flatMap((one) => ('why' in one ? [] : one.save));
  const kept: ByQuestion<Kept> = await around.answers.kept(trx, places);
  const writes = new ByQuestion<AnswerRow>();
  const late: LateRow[] = [];
  const outputs = checked.map((one): Saved => {
    if ('why' in one) return { ok: false, why: one.why };
    const { save, record, answer } = one;
    const { recordId, questionId, seq, windowId, arrivedAt } = save;
    const accepted = acceptAnswer(record, { answer, seq, windowId }, kept.get(save) ?? null, arrivedAt);
    if (!accepted.ok) {
      if (accepted.why === 'tooLate') late.push({ recordId, questionId, answer, seq: seq ?? arrivedAt, arrivedAt });
      return { ok: false, why: accepted.why };
    }
    if (accepted.write) {
      // Of two saves of one question in a group the second meets the first, as if it had been written.
      kept.set(save, { answer, seq: accepted.seq, shownAt: null });
      const totalTime = save.totalTime ?? 0;
      writes.set(save, { recordId, questionId, answer, seq: accepted.seq, savedAt: arrivedAt, totalTime });
    }
    return { ok: true, savedAt: arrivedAt, seq: accepted.seq, stale: accepted.stale };
  });
  await around.answers.write(trx, writes.values());
  await around.answers.writeLate(trx, late);
  return outputs;
}
