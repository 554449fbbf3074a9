import { normalAnswer } from '#rules/exam/answer.ts';
import { type Layout, toStored } from '#rules/exam/shuffle.ts';
import type { Trx } from '#server/db/open.ts';
import { PairMap } from '../pair-map.ts';
import { type Content, type ContentQuestion, permutationOf } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import type { ExamRecord } from '../record/store.ts';

/** A record whose row the transaction holds, with its paper as its student sees it. */
export interface LockedRecord {
  record: ExamRecord;
  content: Content;
  layout: Layout | null;
}

/**
 * Locks records against every other change until the transaction ends, and reads their papers. Waits for nobody: `held`
 * are those that another transaction holds now.
 */
export async function lockRecords(
  { records, readContent }: Pick<ExamParts, 'records' | 'readContent'>,
  trx: Trx,
  recordIds: Iterable<number>,
): Promise<{ locked: Map<number, LockedRecord>; held: ReadonlySet<number> }> {
  const locked = new Map<number, LockedRecord>();
  const papers = new PairMap<Content>();
  const { free, held } = await records.lockFree(trx, [...new Set(recordIds)]);
  for (const record of free) {
    const { examId, version } = record;
    const content = papers.get(examId, version) ?? (await readContent(trx, examId, version));
    papers.set(examId, version, content);
    locked.set(record.id, { record, content, layout: record.shuffled ? await records.layout(trx, record) : null });
  }
  return { locked, held };
}

/** Whether an answer was given under the paper that the record shows: else its letters may stand for other options. */
export function isPaperOf({ version }: Pick<ExamRecord, 'version'>, paperVersion: number | undefined): boolean {
  return paperVersion === undefined || paperVersion === version;
}

/** An answer as a student sent it, in the letters that are stored; null when it cannot be an answer to the question. */
export function inStoredLetters(question: ContentQuestion, layout: Layout | null, raw: string): string | null {
  const normal = normalAnswer(question.type, question.letters, raw);
  if (!normal.ok) return null;
  return question.letters === '' ? normal.answer : toStored(normal.answer, permutationOf(layout, question));
}
