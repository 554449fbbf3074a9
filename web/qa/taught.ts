import type { CallKey, Data } from '#web/lib/send.ts';

/** A question as teachers look at it. */
export type Taught = Data<'GET /app/qa/question'>;

/** What teachers see of Q&A: read again when one of them answers, hides or assigns. */
export const TAUGHT_LISTS = [
  'GET /app/qa/question',
  'GET /app/qa/queue',
  'GET /app/qa/waiting',
] as const satisfies readonly CallKey[];
