import type { Selectable } from 'kysely';
import { type RuleChange, ruledQuestions } from '#rules/exam/rescore.ts';
import { lockPack } from '#server/course/pack-store.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import type { Exams } from '#server/db/schema.ts';
import type { Content, ContentQuestion } from './content.ts';
import type { ReadContent } from './content-store.ts';
import { Correction } from './correction-store.ts';
import { readExamQuestions } from './exam-question-store.ts';
import { leadRecords } from './lead-records.ts';
import {
  findPaper,
  hasRecords,
  keepRuled,
  type PaperVersion,
  saveTeacherCorrection,
  versionsOf,
  writeRule,
} from './teacher-correction-store.ts';

/** Another rule for partly right answers of a paper of the school. */
interface WantedRule {
  packId: number;
  /** The paper’s stable key in the pack. */
  key: string;
  /** Share of the points for a proper subset of the right letters; null: exact or nothing. */
  partial: number | null;
}

/** A version of the paper whose records are graded again by it. */
interface RuledVersion extends PaperVersion {
  content: Content;
  /** What is graded again. */
  questions: ContentQuestion[];
}

/** What another rule would do. */
export interface PlannedRule {
  exam: Selectable<Exams>;
  change: RuleChange;
  touched: RuledVersion[];
}

/**
 * Finds the versions of a paper whose records another rule grades again: what records have, or come to yet, with questions in which a part of the
 * right letters may bring something. Writes nothing.
 * @returns null where the paper has that rule, or is none of the school, or no record is graded by it
 */
export async function planRule(
  query: Query,
  readContent: ReadContent,
  { packId, key, partial }: WantedRule,
): Promise<PlannedRule | null> {
  const exam = await findPaper(query, packId, key);
  if (!exam || exam.partial === partial) return null;
  const touched: RuledVersion[] = [];
  const ids = new Set<number>();
  for (const version of await versionsOf(query, exam)) {
    const content = await readContent(query, exam.id, version.version);
    const questions = ruledQuestions(content, partial);
    if (questions.length === 0) continue;
    const isMet = version.comeYet.length > 0 || (await hasRecords(query, exam.id, version.version));
    if (!isMet) continue;
    touched.push({ ...version, content, questions });
    for (const { questionId } of questions) ids.add(questionId);
  }
  if (touched.length === 0) return null;
  return { exam, change: { partial: [exam.partial, partial], questionIds: [...ids].sort((a, b) => a - b) }, touched };
}

/**
 * Gives a paper another rule for partly right answers, as a question is corrected (`correctQuestion`): who begins from now on is graded by it, and
 * every version that records have gets one beside it, to which they are moved when they are graded again (docs/decisions/083).
 * Of the questions nothing is noted: no key and no points of theirs are others.
 */
export async function correctRule(
  { db, readContent }: { db: Db; readContent: ReadContent },
  trx: Trx,
  { teacherId, reason, now, ...wanted }: WantedRule & { teacherId: number; reason: string; now: number },
): Promise<void> {
  const { packId, partial } = wanted;
  await lockPack(trx, packId);
  const correction = new Correction(db, trx, { packId, now, noted: false, stays: true });
  await correction.lockPapers();
  const plan = await planRule(trx, readContent, wanted);
  if (plan === null) return;
  const { exam, change, touched } = plan;
  const id = await correction.correctionId();
  await correction.replacePaper(exam, () => readExamQuestions(trx, exam.id), true);
  await writeRule(trx, exam.id, partial);
  const led = await leadRecords(trx, exam, touched, (kept, _, version) => keepRuled(trx, kept, { version, partial }));
  await saveTeacherCorrection(trx, { id, examId: exam.id, teacherId, reason, change, now }, led);
  await correction.done();
}
