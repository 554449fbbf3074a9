import { CallError, type FailedWhy, send } from '#web/lib/send.ts';
import { type Left, leftBehind, openUnsent } from './unsent.ts';

/** Milliseconds for which an answer is left to the page that made it: while that lives, it sends within a second. */
const SETTLED = 5000;

/** Refusals of everything that a window left behind: handed in, too late, another window has the paper, another account. */
const ofAll: ReadonlySet<FailedWhy> = new Set<FailedWhy>(['takenOver', 'alreadySubmitted', 'tooLate', 'notFound']);

/** Windows, and single answers of theirs, that the server will not take from here. */
const refused = new Set<string>();
const nameOf = ({ windowId, questionId }: Left) => `${windowId} ${questionId}`;

/**
 * Sends answers that an exam left in this browser when its page went: closed without a network, killed, or left and
 * loaded anew (decisions §3: the browser keeps answers and sends them when the network is back). They are saved as from
 * the window that made them, so the server refuses them where another has taken over. What it refuses stays, and is
 * restored when the exam is opened or named on its result page.
 */
export async function sendLeftovers(studentId: number, now: number): Promise<void> {
  for (const left of await leftBehind(studentId)) {
    if (refused.has(left.windowId) || refused.has(nameOf(left)) || left.at > now - SETTLED) continue;
    if (!(await sendLeft(studentId, left))) return;
  }
}

/** @returns false where nothing more can be sent now */
async function sendLeft(studentId: number, left: Left): Promise<boolean> {
  const { recordId, questionId, answer, seq, examId, windowId, paperVersion } = left;
  try {
    await send(
      'POST /api/exam/save_question',
      { examId, recordId, questionId, answer, seq, windowId, ...(paperVersion === undefined ? {} : { paperVersion }) },
      // The student did not ask for this, so it opens no sign-in dialog.
      { signInAgain: false },
    );
    await openUnsent(studentId, recordId).remove({ questionId, answer, seq });
    return true;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // What says no reason of ours is no refusal, but somebody between: a gateway while the school starts its server anew.
    if (error.code === 0 || error.code === 401 || error.why === 'tooMany' || error.why === 'broken') return false;
    if (error.code >= 500) return false;
    refused.add(ofAll.has(error.why) ? windowId : nameOf(left));
    return true;
  }
}
