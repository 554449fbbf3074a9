import { ownKinds } from '#contract/values/exam.ts';
import { normalAnswer } from '#rules/exam/answer.ts';
import { type Layout, toStored } from '#rules/exam/shuffle.ts';
import type { Trx } from '#server/db/open.ts';
import { PairMap } from '../pair-map.ts';
import { type Content, type ContentQuestion, permutationOf } from '../paper/content.ts';
import { findKept } from '../paper/teacher-correction-store.ts';
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

/**
 * Whether answers were given under the paper that the record shows: else their letters may stand for other options. A record that was
 * re-scored since it was closed has a later version (docs/decisions/028); what its window still sends names the one that it began with, and is
 * read where its questions have the same options.
 */
export async function isPaperOf(
  { readContent }: Pick<ExamParts, 'readContent'>,
  trx: Trx,
  { record: { examId, version, kind, submittedAt }, content }: LockedRecord,
  { paperVersion, questionIds }: { paperVersion: number | undefined; questionIds: readonly number[] },
): Promise<boolean> {
  if (paperVersion === undefined || paperVersion === version) return true;
  if (submittedAt === null || paperVersion > version) return false;
  const isOwn = ownKinds.some((own) => own === kind);
  if (!isOwn && (await findKept(trx, examId, paperVersion)) === null) return false;
  const before = await readContent(trx, examId, paperVersion);
  const read = (question: ContentQuestion | undefined) => JSON.stringify([question?.type, question?.options]);
  return questionIds.every((id) => read(before.byId.get(id)) === read(content.byId.get(id)));
}

/** An answer as a student sent it, in the letters that are stored; null when it cannot be an answer to the question. */
export function inStoredLetters(question: ContentQuestion, layout: Layout | null, raw: string): string | null {
  const normal = normalAnswer(question.type, question.letters, raw);
  if (!normal.ok) return null;
  return question.letters === '' ? normal.answer : toStored(normal.answer, permutationOf(layout, question));
}
