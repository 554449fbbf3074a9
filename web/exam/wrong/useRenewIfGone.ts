import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { CallError } from '#web/lib/send.ts';
import { invalidate } from '#web/lib/useCall.ts';

/** What calls say where nothing is left of what they were asked for, or nothing may be told of it now. */
const gone: ReadonlySet<string> = new Set(['noQuestions', 'notFound', 'keyHidden']);

/** Asks anew for all that is shown of mistakes, collections and reviews. */
function useRenew(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      invalidate(client, 'GET /app/exam/error_index'),
      invalidate(client, 'GET /app/exam/daily_review'),
      invalidate(client, 'GET /api/exam/error'),
      invalidate(client, 'GET /api/exam/error_opt'),
      invalidate(client, 'GET /app/exam/collection'),
    ]);
  }, [client]);
}

/**
 * What is shown of mistakes and reviews is asked for anew where what was pressed is not there any more: an exam that has the questions began in another window,
 * say, and the page has to say so.
 */
export function useRenewIfGone(): (error: unknown) => Promise<void> {
  const renew = useRenew();
  return useCallback(
    async (error) => {
      if (error instanceof CallError && gone.has(error.why)) await renew();
    },
    [renew],
  );
}

/**
 * All of it is asked for anew where a list and what stands above it do not agree on whether an exam withholds something: one of them was asked for before
 * that exam began or ended in another window, and filters, pages and an export ask for one alone.
 * @param list what the list says; undefined: it is on its way
 */
export function useRenewIfSittingChanged(list: boolean | undefined, above: boolean): void {
  const renew = useRenew();
  useEffect(() => {
    if (list !== undefined && list !== above) void renew();
  }, [list, above, renew]);
}
