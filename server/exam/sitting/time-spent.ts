import { mayChange, notedSeconds } from '#rules/exam/attempt.ts';
import type { ExamParts } from '../parts.ts';

type Noted =
  | { ok: true; totalTime: number }
  | { ok: false; why: 'notFound' | 'takenOver' | 'alreadySubmitted' | 'tooLate' };

/**
 * Keeps what a window that is left has counted, so that reading counts as answering does (docs/decisions/067-what-time-was-spent.md).
 * With it stands the question on its screen, where another browser goes on (012).
 * @param asked.totalTime seconds on the whole record, all visits together
 */
export async function noteTimeSpent(
  { db, records }: Pick<ExamParts, 'db' | 'records'>,
  asked: {
    userId: number;
    recordId: number;
    windowId?: string | undefined;
    totalTime: number;
    questionId?: number | undefined;
    seq?: number | undefined;
    arrivedAt: number;
  },
): Promise<Noted> {
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  const may = mayChange(record, asked.windowId, asked.arrivedAt);
  if (!may.ok) return may;
  const totalTime = notedSeconds(record, asked.totalTime, asked.arrivedAt);
  const { questionId, seq = 0 } = asked;
  const isLatest = questionId !== undefined && Math.floor(asked.totalTime) >= record.totalTime;
  await records.noteTime(db.query, record.id, totalTime, isLatest ? { questionId, seq } : null);
  return { ok: true, totalTime };
}
