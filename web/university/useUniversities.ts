import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { CallError, type Data, send } from '#web/lib/send.ts';
import { callKey, shouldRetry } from '#web/lib/useCall.ts';
import { listInput, type View } from './view.ts';

export type University = Data<'GET /app/university/list'>['list'][number];

/** The list changes when somebody imports one; a page visit need not ask twice. */
export const universitiesStay = 5 * 60_000;

/** The list as the spec's store holds it: what is there, how many there are, whether something is coming. */
export interface UniversityList {
  list: readonly University[];
  total: number;
  /** Nothing of this filter has arrived yet. */
  loading: boolean;
  /** What is shown belongs to the filter before; the new one is on its way. */
  stale: boolean;
  /** A further page is on its way. */
  loadingMore: boolean;
  hasMore: boolean;
  /** The first page failed. */
  error: CallError | null;
  /** A further page failed. */
  moreError: CallError | null;
  retry: () => void;
}

/** Pages 1 to `view.page` under each other. Each page is cached by itself, so going back or loading more asks only for what is new. */
export function useUniversities(view: View): UniversityList {
  const name = 'GET /app/university/list';
  const pages = useQueries({
    queries: Array.from({ length: view.page }, (_, at) => {
      const input = listInput(view, at + 1);
      return {
        queryKey: callKey(name, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => send(name, input, { signal }),
        staleTime: universitiesStay,
        retry: shouldRetry,
        ...(at === 0 ? { placeholderData: keepPreviousData<Data<typeof name>> } : {}),
      };
    }),
  });
  const [first] = pages;
  const stale = first?.isPlaceholderData ?? false;
  // A page shows only after those before it.
  const gap = pages.findIndex((page) => page.data === undefined);
  const there = stale ? pages.slice(0, 1) : gap === -1 ? pages : pages.slice(0, gap);
  const missing = stale || gap === -1 ? undefined : pages[gap];
  const seen = new Set<number>();
  const list = there
    .flatMap((page) => page.data?.list ?? [])
    // Between two pages somebody may have imported: nothing shows twice. Without a mark there is no card (spec §2).
    .filter(({ id, logoUrl }) => logoUrl !== '' && !seen.has(id) && seen.add(id));
  const firstError = first?.data === undefined && first?.error instanceof CallError ? first.error : null;
  return {
    list,
    total: first?.data?.total ?? 0,
    loading: first?.data === undefined && firstError === null,
    stale,
    loadingMore: (missing?.isFetching ?? false) && gap > 0,
    hasMore: there.at(-1)?.data?.hasMore ?? false,
    error: firstError,
    moreError: gap > 0 && missing?.error instanceof CallError && !missing.isFetching ? missing.error : null,
    retry: () => {
      for (const page of pages) if (page.error !== null) void page.refetch();
    },
  };
}
