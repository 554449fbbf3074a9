import type { Why } from '#contract/envelope.ts';
import type { Mark } from '#contract/values/exam.ts';
import { mayMark } from '#rules/exam/attempt.ts';
import { gradeAnswer } from '#rules/exam/scoring.ts';
import { grouped, HELD } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import { StatisticChanges } from '../grading/statistics.ts';
import { PairMap } from '../pair-map.ts';
import type { ExamParts } from '../parts.ts';
import type { NewMark, RecordQuestion } from '../record/answer-store.ts';
import { type LockedRecord, lockRecords } from './locked-record.ts';

/** One mark on its way to the disk; `value` undefined: toggle. */
interface Marking extends RecordQuestion {
  userId: number;
  examId: number;
  value: 0 | 1 | undefined;
  windowId?: string | undefined;
  arrivedAt: number;
}

type Marked = { ok: true; value: 0 | 1 } | { ok: false; why: Why };

/**
 * Makes the marker for one kind of mark: marks are as durable as answers, but have no order to keep; `mayMark` says who may
 * set them, and when. A right answer that its student calls a guess after it was graded enters the wrong-question list at once.
 */
export function markSaver(parts: ExamParts, mark: Mark): (marking: Marking) => Promise<Marked> {
  return grouped<Marking, Marked>(
    parts.db,
    ({ recordId }) => recordId,
    (trx, markings) => markAll(parts, trx, mark, markings),
    // Toggled twice is not toggled once.
    { idempotent: ({ value }) => value !== undefined },
  );
}

async function markAll(
  parts: ExamParts,
  trx: Trx,
  mark: Mark,
  markings: readonly Marking[],
): Promise<(Marked | typeof HELD)[]> {
  const { locked, held } = await lockRecords(
    parts,
    trx,
    markings.map((marking) => marking.recordId),
  );
  const refusals = markings.map((marking) => refusalOf(marking, locked.get(marking.recordId)));
  const stored = await parts.answers.read(
    trx,
    markings.filter((_, at) => refusals[at] === null),
  );
  const writes = new PairMap<NewMark>();
  const statistics = new StatisticChanges();
  const outputs = markings.map((marking, at): Marked | typeof HELD => {
    const { recordId, questionId, arrivedAt } = marking;
    if (held.has(recordId)) return HELD;
    const why = refusals[at] ?? null;
    if (why !== null) return { ok: false, why };
    const answer = stored.get(recordId, questionId);
    const before = writes.get(recordId, questionId)?.value ?? answer?.[mark] ?? 0;
    const value = marking.value ?? (before === 1 ? 0 : 1);
    writes.set(recordId, questionId, { recordId, questionId, value, savedAt: arrivedAt });
    const record = locked.get(recordId);
    if (mark === 'guess' && value !== before && record && isKnownRight(record, questionId, answer))
      statistics.noteGuess(record.record, questionId, value === 1 ? 'guessed' : 'notGuessed', arrivedAt);
    return { ok: true, value };
  });
  await parts.answers.writeMarks(trx, mark, writes.values());
  await parts.writeStatistics(trx, statistics);
  return outputs;
}

/** Whether an answer is graded, and right: it was handed in, or its key was shown. */
function isKnownRight(
  { record, content }: LockedRecord,
  questionId: number,
  answer: { answer: string | null; shownAt: number | null } | undefined,
): boolean {
  const question = content.byId.get(questionId);
  const graded = record.submittedAt !== null || (answer?.shownAt ?? null) !== null;
  return graded && question !== undefined && gradeAnswer(question, answer?.answer ?? null, content.partial).state === 1;
}

function refusalOf(marking: Marking, locked: LockedRecord | undefined): Why | null {
  if (!locked || locked.record.userId !== marking.userId || locked.record.examId !== marking.examId) return 'notFound';
  if (!locked.content.byId.has(marking.questionId)) return 'notFound';
  const may = mayMark(locked.record, marking.windowId, marking.arrivedAt);
  return may.ok ? null : may.why;
}
