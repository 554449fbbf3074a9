import type { QaEntryKind } from '#contract/values/qa.ts';

/** An entry that somebody may want to follow up on. */
interface FollowedEntry {
  kind: QaEntryKind;
  /** Its writer. */
  userId: number;
  /** Of a question: whether a teacher has answered it. */
  answered: boolean;
}

/**
 * Whether 追问 is offered on an entry (spec §2 Q&A screens, §6; decisions §6): on an own follow-up, which no teacher wrote, and on
 * the own question itself once a teacher has answered it.
 */
export function mayFollowUp({ kind, userId, answered }: FollowedEntry, viewerId: number): boolean {
  if (userId !== viewerId) return false;
  return kind === 'followUp' || (kind === 'question' && answered);
}
