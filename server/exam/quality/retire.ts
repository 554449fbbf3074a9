import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { RestoreQuestion, RetireQuestion } from '#contract/exam-quality.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { readQuality } from '../grading/quality.ts';
import {
  type RetiredOrRestored,
  restoreQuestion,
  retireQuestion,
  type WhichQuestion,
} from '../paper/retire-question.ts';
import { readPackOf } from '../paper/retired-store.ts';
import type { ExamParts } from '../parts.ts';

type Done = { ok: true; data: DataOf<typeof RetireQuestion> } | { ok: false; why: Why; field?: string };

/** A teacher takes a question out of everything new. */
export async function makeRetired(
  parts: ExamParts,
  { questionId, reason: typed, teacherId, now }: InputOf<typeof RetireQuestion> & { teacherId: number; now: number },
): Promise<Done> {
  const reason = tidyText(typed);
  if (reason === '') return { ok: false, why: 'badInput', field: 'reason' };
  return changed(parts, questionId, now, async (which) => {
    const done = await retireQuestion(parts.db, which, { by: '', teacherId, reason });
    return done.ok || done.why !== 'retiredAlready' ? done : { ok: false, why: 'questionRetired' };
  });
}

/** A teacher brings a retired question back. */
export function makeRestored(
  parts: ExamParts,
  { questionId, now }: InputOf<typeof RestoreQuestion> & { now: number },
): Promise<Done> {
  return changed(parts, questionId, now, async (which) => {
    const done = await restoreQuestion(parts.db, which);
    return done.ok || done.why === 'notFound' ? done : { ok: false, why: 'questionNotRetired' };
  });
}

async function changed(
  parts: ExamParts,
  questionId: number,
  now: number,
  work: (which: WhichQuestion) => Promise<RetiredOrRestored | { ok: false; why: Why }>,
): Promise<Done> {
  const packId = await readPackOf(parts.db.query, questionId);
  if (packId === null) return { ok: false, why: 'notFound', field: 'questionId' };
  const done = await work({ packId, name: questionId, now });
  if (!done.ok) return { ok: false, why: done.why };
  const question = await readQuality(parts, questionId);
  if (question === null) return { ok: false, why: 'notFound', field: 'questionId' };
  return { ok: true, data: { question, papers: done.papers, open: done.touched.open } };
}
