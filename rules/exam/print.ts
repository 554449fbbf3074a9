import type { ExamKind } from '#contract/values/exam.ts';
import { mayReveal } from './reveal.ts';

/** Who prints a paper, and how they stand to it. */
export interface PrintFacts {
  kind: ExamKind;
  /** Whose paper it is. */
  of: 'school' | 'me' | 'somebodyElse';
  teacher: boolean;
  /** The record that is printed; null: there is none, so the paper itself is. */
  record: { submittedAt: number | null } | null;
}

type MayPrint = { ok: true; keys: boolean } | { ok: false; why: 'notFound' | 'printAfterStart' };

/**
 * Whether a paper may be printed, and whether with keys (decision 027). A scored paper of the school is printed by a student once they
 * have begun it: read in peace beforehand, its time and its ranking would mean nothing. Keys follow the rule of the screen
 * (`mayReveal`); what stands in an open scored exam is left out of them besides.
 */
export function mayPrint({ kind, of, teacher, record }: PrintFacts): MayPrint {
  if (of === 'somebodyElse') return { ok: false, why: 'notFound' };
  if (of === 'school' && teacher) return { ok: true, keys: true };
  const keys = mayReveal({ kind, submittedAt: record?.submittedAt ?? null });
  if (of === 'school' && record === null && !keys) return { ok: false, why: 'printAfterStart' };
  return { ok: true, keys };
}
