import { serverNow } from '#web/lib/clock.ts';
import { useCall } from '#web/lib/useCall.ts';
import { untilNextChange } from './day-groups.ts';

/** The live lessons of a pack, or of all packs one has; looked at again when one of them begins or ends. */
export function useLives(
  { packId, pageNum = 1, pageSize }: { packId?: number | undefined; pageNum?: number; pageSize: number },
  enabled = true,
) {
  return useCall(
    'GET /app/live/list',
    { pageNum, pageSize, ...(packId === undefined ? {} : { packId }) },
    {
      enabled,
      staleTime: 0,
      keepPrevious: true,
      refetchInterval: (last) => (last === undefined ? false : untilNextChange(last.list, serverNow())),
    },
  );
}
