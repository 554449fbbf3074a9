import { type QaAnswerState, type QaState, type QaType, qaState, qaType } from '#contract/values/qa.ts';

/** How a question stands, and what a teacher who looked at `version` wants to say to it. */
interface Asked {
  type: QaType;
  state: QaState;
  version: number;
  wanted: { version: number; state: QaAnswerState | undefined; text: string; images: number };
}

type Decision =
  | { ok: true; state: QaAnswerState }
  | { ok: false; why: 'commentEmpty' | 'reasonNeeded' | 'answeredMeanwhile' | 'alreadyDecided' };

/** Whether the school has said what becomes of a correction or a suggestion. */
const isDecided = (state: QaState) => state === qaState.mended || state === qaState.declined;

/**
 * Whether a question may be answered so (docs/decisions/038-questions-and-answers.md). Teaching questions are answered with words or
 * images; corrections and suggestions as reports are (024): 收到 and 已修正 need no words, 不采纳 a reason, and a decision never
 * goes back to 收到. What was said since the teacher looked is never passed over.
 */
export function decideQaAnswer({ type, state, version, wanted }: Asked): Decision {
  if (wanted.version !== version) return { ok: false, why: 'answeredMeanwhile' };
  if (type === qaType.teaching) {
    if (wanted.text === '' && wanted.images === 0) return { ok: false, why: 'commentEmpty' };
    return { ok: true, state: qaState.received };
  }
  const said = wanted.state ?? qaState.received;
  if (said === qaState.declined && wanted.text === '') return { ok: false, why: 'reasonNeeded' };
  if (said === qaState.received && isDecided(state)) return { ok: false, why: 'alreadyDecided' };
  return { ok: true, state: said };
}
