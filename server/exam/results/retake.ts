import { type RetakeState, retakeState } from '#rules/exam/retake.ts';
import { readRetakeRule } from '../paper/retake-store.ts';
import type { ExamParts } from '../parts.ts';
import type { RecordView } from '../record/store.ts';

/** What the rule of the paper leaves the student of a record. */
export async function readRetake(
  { db, records }: ExamParts,
  { userId, examId }: Pick<RecordView, 'userId' | 'examId'>,
): Promise<RetakeState> {
  const [newest] = await records.list({ userId, examId }, 1, 0);
  const taken = await records.count({ userId, examId });
  return retakeState(await readRetakeRule(db.query, examId), { taken, lastClosedAt: newest?.submittedAt ?? null });
}
