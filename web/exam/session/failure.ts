import { CallError, failureText } from '#web/lib/send.ts';
import type { Failure } from './exam-model.ts';

/** A failed call as the state of an exam or a review takes it. */
export function failureOf(error: unknown): Failure {
  const msg = failureText(error);
  return error instanceof CallError ? { why: error.why, msg, at: error.at } : { why: 'broken', msg };
}
