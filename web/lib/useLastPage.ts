import { useEffect } from 'react';
import { onPage, type QueryChange, useQuery } from './query.ts';

/**
 * Leads from a page behind the last one to the last: what stood there was removed, answered or handed in meanwhile, and the pages before it are not empty.
 * @param shown the page as it came; undefined: not yet
 * @param to the query of its address
 * @returns whether it is on the way there, so that nothing is called empty
 */
export function useLastPage(
  shown: { pageNum: number; pages: number } | undefined,
  to: (page: number) => QueryChange = onPage,
): boolean {
  const [, setQuery] = useQuery();
  const last = Math.max(1, shown?.pages ?? 1);
  const behind = shown !== undefined && shown.pageNum > last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `setQuery` is another one each time, and changes what the address says at that moment
  useEffect(() => {
    if (behind) setQuery(to(last), { replace: true });
  }, [behind, last]);
  return behind;
}
