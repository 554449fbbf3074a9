import type { Why } from '#contract/envelope.ts';
import type { ExamParts } from '../parts.ts';
import { findExam } from './store.ts';
import { type RecordLine, recordLines } from './user-exam-list.ts';

/** Earlier records of one exam that the history shows. */
const MOST_RECORDS = 200;

/** A student's records of one exam, newest first; with a test type only if the exam is of that type. */
export async function readHistory(
  exam: ExamParts,
  asked: { userId: number; examId: number; testType?: number },
): Promise<{ ok: true; list: RecordLine[] } | { ok: false; why: Why }> {
  const { db, records, access } = exam;
  const { userId, examId, testType } = asked;
  const own = await records.list({ userId, examId }, MOST_RECORDS, 0);
  const found = own[0] ?? (await findExam(db.query, examId));
  if (!found || (testType !== undefined && found.testType !== testType)) return { ok: false, why: 'notFound' };
  // Own records stay readable after an enrolment has ended; without any, the exam is none of the caller's business.
  if (own.length === 0) {
    const opens = await access.mayOpen(userId, found.packId);
    if (!opens.ok) return opens;
  }
  return { ok: true, list: await recordLines(exam, userId, own) };
}
