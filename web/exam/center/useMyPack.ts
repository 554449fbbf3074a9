import { idFrom } from '#web/lib/paths.ts';
import { useCall } from '#web/lib/useCall.ts';

/**
 * The packs of the signed-in person and the one that an address names; without a name the one studied last. `pack` is
 * null when the address names a pack that the person has not joined, or there is none.
 */
export function useMyPack(named: string | null) {
  const mine = useCall('GET /api/user/course_list', {});
  const packs = mine.data?.list ?? [];
  const pack = named === null ? packs[0] : packs.find(({ packId }) => packId === idFrom(named));
  return { mine, packs, pack: pack ?? null };
}
