import type { Why } from '#contract/envelope.ts';
import { mayMark } from '#rules/exam/attempt.ts';
import { grouped, HELD } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import { PairMap } from '../pair-map.ts';
import type { ExamParts } from '../parts.ts';
import type { NewFlag, RecordQuestion } from '../record/answer-store.ts';
import { type LockedRecord, lockRecords } from './locked-record.ts';

/** One mark on its way to the disk; `flag` undefined: toggle. */
interface Mark extends RecordQuestion {
  userId: number;
  examId: number;
  flag: 0 | 1 | undefined;
  windowId?: string | undefined;
  arrivedAt: number;
}

type Marked = { ok: true; flag: 0 | 1 } | { ok: false; why: Why };

/** Makes the marker: marks are as durable as answers, but have no order to keep; `mayMark` says who may set them, and when. */
export function flagSaver(parts: ExamParts): (mark: Mark) => Promise<Marked> {
  return grouped<Mark, Marked>(
    parts.db,
    ({ recordId }) => recordId,
    (trx, marks) => markAll(parts, trx, marks),
    // Toggled twice is not toggled once.
    { idempotent: ({ flag }) => flag !== undefined },
  );
}

async function markAll(parts: ExamParts, trx: Trx, marks: readonly Mark[]): Promise<(Marked | typeof HELD)[]> {
  const { locked, held } = await lockRecords(
    parts,
    trx,
    marks.map((mark) => mark.recordId),
  );
  const refusals = marks.map((mark) => refusalOf(mark, locked.get(mark.recordId)));
  const stored = await parts.answers.read(
    trx,
    marks.filter((_, at) => refusals[at] === null),
  );
  const writes = new PairMap<NewFlag>();
  const outputs = marks.map((mark, at): Marked | typeof HELD => {
    if (held.has(mark.recordId)) return HELD;
    const why = refusals[at] ?? null;
    if (why !== null) return { ok: false, why };
    const { recordId, questionId, arrivedAt } = mark;
    const before = writes.get(recordId, questionId)?.flag ?? stored.get(recordId, questionId)?.flag ?? 0;
    const flag = mark.flag ?? (before === 1 ? 0 : 1);
    writes.set(recordId, questionId, { recordId, questionId, flag, savedAt: arrivedAt });
    return { ok: true, flag };
  });
  await parts.answers.writeFlags(trx, writes.values());
  return outputs;
}

function refusalOf(mark: Mark, locked: LockedRecord | undefined): Why | null {
  if (!locked || locked.record.userId !== mark.userId || locked.record.examId !== mark.examId) return 'notFound';
  if (!locked.content.byId.has(mark.questionId)) return 'notFound';
  const may = mayMark(locked.record, mark.windowId, mark.arrivedAt);
  return may.ok ? null : may.why;
}
