import { type InfiniteData, keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { type CallError, type CallKey, type Data, type Input, send } from './send.ts';
import { type CallOptions, shouldRetry } from './useCall.ts';

/** A list that grows while one reads it: its pages, and from where its reader began. */
interface Growing {
  list: readonly { id: number }[];
  pageNum: number;
  pages: number;
  beforeId?: number | null;
  /** Behind which row the next page begins, of a list from which rows are taken. */
  next?: string | null;
}
type GrowingCall = { [N in CallKey]: Data<N> extends Growing ? N : never }[CallKey];

interface Page {
  pageNum: number;
  beforeId?: number | undefined;
  after?: string | undefined;
}

/**
 * Reads a list page after page under each other (加载更多). The later pages go on from where the first one began, so that what others
 * add meanwhile neither repeats a row nor hides one; nor does what they take away, of a list that says `next`.
 */
export function useMore<N extends GrowingCall>(
  name: N,
  input: Omit<Input<N>, 'pageNum' | 'beforeId' | 'after'>,
  { enabled = true, keepPrevious = false }: Pick<CallOptions<Data<N>>, 'enabled' | 'keepPrevious'> = {},
) {
  const query = useInfiniteQuery<Data<N>, CallError, InfiniteData<Data<N>, Page>, readonly unknown[], Page>({
    queryKey: moreKey(name, input),
    queryFn: ({ signal, pageParam }) => send(name, { ...input, ...pageParam } as unknown as Input<N>, { signal }),
    initialPageParam: { pageNum: 1 },
    getNextPageParam: (last, all) => {
      const page = last as unknown as Growing;
      const first = all[0] as unknown as Growing | undefined;
      return page.pageNum < page.pages
        ? { pageNum: page.pageNum + 1, beforeId: first?.beforeId ?? undefined, after: page.next ?? undefined }
        : undefined;
    },
    retry: shouldRetry,
    staleTime: 0,
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  return {
    /** For CallState: all pages that were read, once the first one is here. */
    call: { data: data?.pages, error: data === undefined ? error : null, refetch },
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    moreError: isFetchNextPageError ? error : null,
    readMore: () => void fetchNextPage(),
  };
}

/** Reads lists of this call again from their first page: somebody has added to them. */
export function readFromFirst(client: QueryClient, name: GrowingCall): Promise<void> {
  client.setQueriesData<InfiniteData<unknown>>({ queryKey: [name] }, firstPage);
  return client.invalidateQueries({ queryKey: [name] });
}

/** Forgets the later pages of one list: who comes back to it begins with the first. */
export function firstPageAgain<N extends GrowingCall>(
  client: QueryClient,
  name: N,
  input: Omit<Input<N>, 'pageNum' | 'beforeId' | 'after'>,
): void {
  client.setQueryData<InfiniteData<unknown>>(moreKey(name, input), firstPage);
}

const moreKey = (name: GrowingCall, input: object) => [name, input, 'more'] as const;

const firstPage = (kept: InfiniteData<unknown> | undefined) =>
  kept !== undefined && Array.isArray(kept.pages)
    ? { pages: kept.pages.slice(0, 1), pageParams: kept.pageParams.slice(0, 1) }
    : kept;
