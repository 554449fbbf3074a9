import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/**
 * Says to the server what of a list is on the screen now, and to the page how much of it is still new: to be shown is to be looked at.
 * @param list what is shown; one object as long as it is the same list
 * @param say sends which of them were new, resolves to what is left
 */
export function useSeen<Row extends { unread: boolean }>(
  list: readonly Row[],
  say: (fresh: readonly Row[]) => Promise<unknown>,
  unreadKey: QueryKey,
): void {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is said once for each list
  useEffect(() => {
    const fresh = list.filter(({ unread }) => unread);
    if (fresh.length === 0) return;
    // Failed: the marks stay, and the next visit says it again.
    say(fresh).then(
      (left) => client.setQueryData(unreadKey, left),
      () => undefined,
    );
  }, [list, client]);
}
