import type { CallKey } from '#web/lib/send.ts';

/** Every list that shows questions: read again when one of them changes. */
export const QUESTION_LISTS = [
  'GET /app/feedback/list',
  'GET /app/qa/newest',
  'GET /app/qa/search',
  'GET /app/qa/details',
  'GET /app/qa/info_student',
] as const satisfies readonly CallKey[];
