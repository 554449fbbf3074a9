import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type CallError, type Data, send } from '#web/lib/send.ts';
import { shouldRetry } from '#web/lib/useCall.ts';
import { type MarketView, marketInput } from './market-view.ts';

const LIST = 'GET /api/common/course_list';
type Page = Data<typeof LIST>;

/** The packs of a view page after page under each other. A page is read on from the last pack that shows. */
export function usePacks(view: MarketView) {
  const input = marketInput(view);
  const query = useInfiniteQuery<Page, CallError, InfiniteData<Page, string>, readonly unknown[], string>({
    queryKey: [LIST, input, 'more'],
    queryFn: ({ signal, pageParam }) =>
      send(LIST, pageParam === '' ? input : { ...input, afterPlace: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ afterPlace }) => afterPlace,
    placeholderData: keepPreviousData,
    retry: shouldRetry,
  });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const seen = new Set<number>();
  return {
    call: {
      // A pack whose price changed between two pages may stand in both.
      data: data && {
        packs: data.pages.flatMap(({ list }) => list).filter(({ packId }) => !seen.has(packId) && seen.add(packId)),
        total: data.pages[0]?.total ?? 0,
      },
      error: data === undefined ? error : null,
      refetch,
    },
    /** What shows belongs to the view before. */
    stale: query.isPlaceholderData,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    moreError: isFetchNextPageError ? error : null,
    readMore: () => void fetchNextPage(),
  };
}
