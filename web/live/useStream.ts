import { useCall } from '#web/lib/useCall.ts';

/** How often it is asked how a stream stands, while its teacher looks (milliseconds). */
const LOOK_EVERY = 3000;

/** How the stream of a live lesson stands, for its teacher, as long as it is shown. */
export const useStream = (liveId: number) =>
  useCall('GET /app/live/stream', { liveId }, { staleTime: 0, refetchInterval: () => LOOK_EVERY });
