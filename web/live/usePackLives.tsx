import { useMe } from '#web/lib/me.ts';
import { useCall } from '#web/lib/useCall.ts';
import { LiveRows } from './LiveRows.tsx';
import { SchoolLives } from './SchoolLives.tsx';
import { useLives } from './useLives.ts';

/** So many stand on the page of a pack. */
const SHOWN = 50;

/** The live lessons of a pack on its page: to who is signed in with what they have booked. Nothing where there are none. */
export function usePackLives(packId: number) {
  const { ready, me } = useMe();
  const own = useLives({ packId, pageSize: SHOWN }, ready && me !== null);
  const anybody = useCall('GET /app/common/course_live_catalog', { packId }, { enabled: ready && me === null });
  const list = me === null ? anybody.data?.list : own.data?.list;
  if (!list?.length) return null;
  return me === null ? (
    <SchoolLives list={anybody.data?.list ?? []} signedIn={false} named={false} />
  ) : (
    <LiveRows list={own.data?.list ?? []} signedIn heading="h3" />
  );
}
