import { type Mark, marks as markKinds } from '#contract/values/exam.ts';
import { recall, remember } from '#web/lib/remember.ts';
import type { MarkChange, UnsentMarks } from './marks-state.ts';

const NAME = 'exam.marks';
/** Marks that a browser keeps: the latest ones. */
const MOST = 200;

/** A mark that the server has not confirmed. In the browser its kind is the name of the field: `{…, flag: true}`. */
interface KeptMark extends MarkChange {
  recordId: number;
}

/** The marks of a record that did not reach the server when its screen was left. */
export function keptMarks(recordId: number): UnsentMarks {
  const kept = recallMarks().filter((mark) => mark.recordId === recordId);
  const of = (kind: Mark) =>
    new Map(kept.filter(({ mark }) => mark === kind).map(({ questionId, on }) => [questionId, on]));
  return { flag: of('flag'), guess: of('guess') };
}

/**
 * Keeps what became unsent between two states, and forgets what the server took or refused. Only what changed is written,
 * so that an answer that comes after leaving undoes nothing that was marked since.
 */
export function keepMarks(recordId: number, before: UnsentMarks, after: UnsentMarks): void {
  if (before === after) return;
  let kept = recallMarks();
  for (const mark of markKinds) {
    const of = (questionId: number) => (other: KeptMark) =>
      other.recordId === recordId && other.questionId === questionId && other.mark === mark;
    for (const [questionId, on] of before[mark]) {
      const is = of(questionId);
      if (!after[mark].has(questionId)) kept = kept.filter((other) => !(is(other) && other.on === on));
    }
    for (const [questionId, on] of after[mark]) {
      const is = of(questionId);
      if (before[mark].get(questionId) !== on) {
        kept = [{ recordId, questionId, mark, on }, ...kept.filter((other) => !is(other))];
      }
    }
  }
  const rows = kept.slice(0, MOST).map(({ mark, on, ...of }) => ({ ...of, [mark]: on }));
  remember(NAME, rows.length === 0 ? null : JSON.stringify(rows));
}

/** What is not as it was written (another version, another hand) counts as nothing. */
function recallMarks(): KeptMark[] {
  try {
    const rows: unknown = JSON.parse(recall(NAME) ?? '[]');
    return Array.isArray(rows) ? rows.flatMap(markIn) : [];
  } catch {
    return [];
  }
}

function markIn(row: unknown): KeptMark[] {
  if (typeof row !== 'object' || row === null) return [];
  const { recordId, questionId, ...kinds } = row as Readonly<Record<string, unknown>>;
  if (typeof recordId !== 'number' || typeof questionId !== 'number') return [];
  return markKinds.flatMap((mark) => {
    const on = kinds[mark];
    return typeof on === 'boolean' ? [{ recordId, questionId, mark, on }] : [];
  });
}
