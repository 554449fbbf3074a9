import { useEffect } from 'react';
import { onPage, useQuery } from './query.ts';

/**
 * Leads from a page behind the last one to the last: what stood there was removed, answered or handed in meanwhile, and the pages before it are not empty.
 * @param shown the page as it came; undefined: not yet
 * @returns whether it is on the way there, so that nothing is called empty
 */
export function useLastPage(shown: { pageNum: number; pages: number } | undefined): boolean {
  const [, setQuery] = useQuery();
  const last = Math.max(1, shown?.pages ?? 1);
  const behind = shown !== undefined && shown.pageNum > last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `setQuery` is another one each time, and changes what the address says at that moment
  useEffect(() => {
    if (behind) setQuery(onPage(last), { replace: true });
  }, [behind, last]);
  return behind;
}
