import { QA_MOST_FOLLOW_UPS, type QaEntryKind } from '#contract/values/qa.ts';

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

/**
 * Whether one more 追问 may stand under a question: they are shown wherever the question is listed, so there are
 * `QA_MOST_FOLLOW_UPS` at most until a teacher answers.
 * @param entries answers and follow-ups, the oldest first
 */
export function hasRoomForMore(entries: readonly { kind: QaEntryKind; hidden: number }[]): boolean {
  const answered = entries.findLastIndex(({ kind, hidden }) => kind === 'answer' && hidden === 0);
  return entries.slice(answered + 1).filter(({ kind }) => kind === 'followUp').length < QA_MOST_FOLLOW_UPS;
}
