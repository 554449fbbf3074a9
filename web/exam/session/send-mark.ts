import { send } from '#web/lib/send.ts';
import type { MarkChange } from './marks-state.ts';

/** Sends one mark of a record. Throws CallError. @returns whether the server has it now */
export async function sendMark(
  record: { recordId: number; examId: number; windowId?: string },
  { mark, questionId, on }: MarkChange,
): Promise<boolean> {
  const value = on ? 1 : 0;
  if (mark === 'flag') return (await send('POST /api/exam/flag', { ...record, questionId, flag: value })).flag === 1;
  return (await send('POST /app/exam/guess', { ...record, questionId, guess: value })).guess === 1;
}
