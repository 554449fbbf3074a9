import { recall, remember } from '#web/lib/remember.ts';

const NAME = 'exam.marks';
/** Marks that a browser keeps: the latest ones. */
const MOST = 200;

/** A mark that the server has not confirmed. */
interface KeptMark {
  recordId: number;
  questionId: number;
  flag: boolean;
}

/** The marks of a record that did not reach the server when its screen was left, by question. */
export function keptMarks(recordId: number): ReadonlyMap<number, boolean> {
  return new Map(
    recallMarks()
      .filter((mark) => mark.recordId === recordId)
      .map(({ questionId, flag }) => [questionId, flag]),
  );
}

/**
 * Keeps what became unsent between two states, and forgets what the server took or refused. Only what changed is written,
 * so that an answer that comes after leaving undoes nothing that was marked since.
 */
export function keepMarks(
  recordId: number,
  before: ReadonlyMap<number, boolean>,
  after: ReadonlyMap<number, boolean>,
): void {
  if (before === after) return;
  let marks = recallMarks();
  const of = (questionId: number) => (mark: KeptMark) => mark.recordId === recordId && mark.questionId === questionId;
  for (const [questionId, flag] of before) {
    const is = of(questionId);
    if (!after.has(questionId)) marks = marks.filter((mark) => !(is(mark) && mark.flag === flag));
  }
  for (const [questionId, flag] of after) {
    const is = of(questionId);
    if (before.get(questionId) !== flag) {
      marks = [{ recordId, questionId, flag }, ...marks.filter((mark) => !is(mark))];
    }
  }
  remember(NAME, marks.length === 0 ? null : JSON.stringify(marks.slice(0, MOST)));
}

/** What is not as it was written (another version, another hand) counts as nothing. */
function recallMarks(): KeptMark[] {
  try {
    const marks: unknown = JSON.parse(recall(NAME) ?? '[]');
    return Array.isArray(marks) ? marks.filter(isMark) : [];
  } catch {
    return [];
  }
}

function isMark(value: unknown): value is KeptMark {
  if (typeof value !== 'object' || value === null) return false;
  const { recordId, questionId, flag } = value as Partial<KeptMark>;
  return typeof recordId === 'number' && typeof questionId === 'number' && typeof flag === 'boolean';
}
