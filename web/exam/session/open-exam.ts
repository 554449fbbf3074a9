import { fetchFormulas } from '#ui/RichText.tsx';
import { hasFormula } from '#ui/safe-html.ts';
import { send } from '#web/lib/send.ts';
import type { Paper, RecordSnapshot } from '../paper.ts';
import type { UnsentAnswer } from './answers-state.ts';
import { openUnsent, type UnsentStore } from './unsent.ts';

/** Milliseconds that a paper waits for what sets its formulas, once it is there; on a line that takes longer, the question comes first. */
const FORMULAS_WAIT = 500;

/** All that is needed to show a record. */
interface Opened {
  paper: Paper;
  snapshot: RecordSnapshot;
  /** Where this browser puts what the server has not acknowledged. */
  store: UnsentStore;
  /** What was there when the record was opened. */
  local: UnsentAnswer[];
}

/**
 * Opens a record in this window, which becomes the one that may save. Without `recordId` the exam is started, or the
 * open record of it resumed; with it (a reload, or the back button) only that record is opened, so that coming back to
 * a handed-in paper never starts a new one.
 * Throws CallError.
 */
export async function openRecord(
  examId: number,
  recordId: number | null,
  studentId: number,
  windowId: string,
): Promise<Opened> {
  const id = recordId ?? (await send('GET /app/exam/test_start', { examId, windowId })).recordId;
  if (recordId !== null) await takeOver(recordId, windowId);
  const [paper, [snapshot, store, local]] = await Promise.all([
    send('GET /api/exam/details', { recordId: id }).then(async (there) => {
      await Promise.race([formulasCome(there), later(FORMULAS_WAIT)]);
      return there;
    }),
    send('GET /api/exam/cache', { recordId: id, windowId }).then(async (there) => {
      const { paperVersion } = there;
      const kept = openUnsent(studentId, id, { examId, windowId, paperVersion });
      return [there, kept, await kept.all()] as const;
    }),
  ]);
  return { paper, snapshot, store, local };
}

/** A record that is handed in cannot be taken over; the cache then says so, and the screen leads to the result. */
async function takeOver(recordId: number, windowId: string): Promise<void> {
  await send('POST /app/exam/take_over', { recordId, windowId }).catch((error: unknown) => {
    if (!(error instanceof Error && 'why' in error && error.why === 'alreadySubmitted')) throw error;
  });
}

/**
 * Waits for all that the formulas of a paper need: they would stand as their source first, and the options would move under a finger. What
 * came set needs little, which was asked for beside the paper (`ask-ahead.ts`); what a busy server did not set needs the library.
 */
async function formulasCome({ questions, cases }: Paper): Promise<void> {
  const texts = [
    ...cases.map(({ text }) => text),
    ...questions.flatMap(({ topic, options }) => [topic, ...Object.values(options)]),
  ];
  const some = texts.filter(hasFormula);
  if (some.length === 0) return;
  const code = await fetchFormulas();
  await code?.fetchLibraryFor(some);
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
