import {
  QA_ANSWER_LONGEST,
  QA_LONGEST,
  type QaAnswerState,
  type QaType,
  qaAnswerStates,
  qaType,
  qaTypes,
} from '#contract/values/qa.ts';
import { keptDraft } from '#web/lib/drafts.ts';
import { type Begun, begunFrom, nothingBegun } from '#web/lib/picture-draft.ts';

/** What somebody has begun to ask at a place, or nothing yet. */
export function draftOf(owner: number, place: string): Begun & { feedbackType: QaType } {
  return (
    keptDraft(owner, place, (kept) => {
      const type = qaTypes.find((known) => known === (kept as Record<string, unknown>).feedbackType);
      const said = begunFrom(kept, QA_LONGEST);
      return type === undefined || said === null ? null : { feedbackType: type, ...said };
    }) ?? { feedbackType: qaType.teaching, ...nothingBegun }
  );
}

/** The place of a follow-up to an entry. */
export const followUpPlace = (parentId: number) => `qa.followUp.${parentId}`;

/** A follow-up to an entry, or nothing begun yet. */
export function followUpDraft(owner: number, parentId: number): Begun {
  return keptDraft(owner, followUpPlace(parentId), (kept) => begunFrom(kept, QA_LONGEST)) ?? nothingBegun;
}

/** The place of a teacher's answer to a question. */
export const answerPlace = (id: number) => `qa.answer.${id}`;

/** A teacher's answer to a question, or nothing begun yet. */
export function answerDraft(owner: number, id: number): Begun & { state: QaAnswerState | null } {
  return (
    keptDraft(owner, answerPlace(id), (kept) => {
      const said = begunFrom(kept, QA_ANSWER_LONGEST);
      const state = qaAnswerStates.find((known) => known === (kept as Record<string, unknown>).state) ?? null;
      return said === null ? null : { state, ...said };
    }) ?? { state: null, ...nothingBegun }
  );
}
