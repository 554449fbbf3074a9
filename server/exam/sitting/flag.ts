import type { Why } from '#contract/envelope.ts';
import { mayChange } from '#rules/exam/attempt.ts';
import { grouped } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import { ByQuestion, type Place } from '../pair-map.ts';
import type { FlagRow } from '../record/answer-store.ts';
import { type Around, type HeldRecord, holdRecords } from './save-question.ts';

/** One mark on its way to the disk; `flag` undefined: toggle. */
export interface Mark extends Place {
  userId: number;
  examId: number;
  flag: 0 | 1 | undefined;
  windowId?: string | undefined;
  arrivedAt: number;
}

type Marked = { ok: true; flag: 0 | 1 } | { ok: false; why: Why };

/** Makes the marker: marks are as durable as answers and follow window and time alike, but have no order to keep. */
export function flagSaver(around: Around): (mark: Mark) => Promise<Marked> {
  return grouped<Mark, Marked>(around.db, (trx, marks) => markAll(around, trx, marks));
}

async function markAll(around: Around, trx: Trx, marks: readonly Mark[]): Promise<Marked[]> {
  const held = await holdRecords(
    around,
    trx,
    marks.map((mark) => mark.recordId),
  );
  const refusals = marks.map((mark) => refusalOf(mark, held.get(mark.recordId)));
  const kept = await around.answers.kept(
    trx,
    marks.filter((_, at) => refusals[at] === null),
  );
  const writes = new ByQuestion<FlagRow>();
  const outputs = marks.map((mark, at): Marked => {
    const why = refusals[at] ?? null;
    if (why !== null) return { ok: false, why };
    const before = writes.get(mark)?.flag ?? kept.get(mark)?.flag ?? 0;
    const flag = mark.flag ?? (before === 1 ? 0 : 1);
    writes.set(mark, { recordId: mark.recordId, questionId: mark.questionId, flag, savedAt: mark.arrivedAt });
    return { ok: true, flag };
  });
  await around.answers.writeFlags(trx, writes.values());
  return outputs;
}

function refusalOf(mark: Mark, held: HeldRecord | undefined): Why | null {
  if (!held || held.record.userId !== mark.userId || held.record.examId !== mark.examId) return 'notFound';
  if (!held.content.byId.has(mark.questionId)) return 'notFound';
  const may = mayChange(held.record, mark.windowId, mark.arrivedAt);
  return may.ok ? null : may.why;
}
