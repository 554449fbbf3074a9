import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { CallError } from '#web/lib/send.ts';
import { invalidate } from '#web/lib/useCall.ts';

/** What calls say where nothing is left of what they were asked for. */
const gone: ReadonlySet<string> = new Set(['noQuestions', 'notFound']);

/**
 * What is shown of mistakes and reviews is asked for anew where what was pressed is not there any more: an exam that has the questions began in another window,
 * say, and the page has to say so.
 */
export function useRenewIfGone(): (error: unknown) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (error) => {
      if (!(error instanceof CallError) || !gone.has(error.why)) return;
      await Promise.all([
        invalidate(client, 'GET /app/exam/error_index'),
        invalidate(client, 'GET /app/exam/daily_review'),
        invalidate(client, 'GET /api/exam/error'),
        invalidate(client, 'GET /api/exam/error_opt'),
      ]);
    },
    [client],
  );
}
