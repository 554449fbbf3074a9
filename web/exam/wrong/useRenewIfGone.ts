import { useQueryClient } from '@tanstack/react-query';
import { CallError } from '#web/lib/send.ts';
import { invalidate } from '#web/lib/useCall.ts';

/**
 * What is shown of mistakes and reviews is asked for anew where nothing of it can be practised any more: an exam that has the questions began in another window,
 * say, and the page has to say so.
 */
export function useRenewIfGone(): (error: unknown) => Promise<void> {
  const client = useQueryClient();
  return async (error) => {
    if (!(error instanceof CallError) || error.why !== 'noQuestions') return;
    await Promise.all([
      invalidate(client, 'GET /app/exam/error_index'),
      invalidate(client, 'GET /app/exam/daily_review'),
      invalidate(client, 'GET /api/exam/error'),
    ]);
  };
}
