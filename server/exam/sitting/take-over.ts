import type { ExamParts } from '../parts.ts';
import { announceTakeOver } from './watch.ts';

/** Makes a window the one that may save, and tells the others of the record. */
export async function takeOver(
  { db, bus, records }: ExamParts,
  asked: { userId: number; recordId: number; windowId: string },
): Promise<{ ok: true } | { ok: false; why: 'notFound' | 'alreadySubmitted' }> {
  const { userId, recordId, windowId } = asked;
  if (!(await records.find(userId, recordId))) return { ok: false, why: 'notFound' };
  if (!(await records.takeWindow(db.query, userId, recordId, windowId))) return { ok: false, why: 'alreadySubmitted' };
  await announceTakeOver(bus, recordId, windowId);
  return { ok: true };
}
