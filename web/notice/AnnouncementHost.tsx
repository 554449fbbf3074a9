import { useLate } from '#ui/useLate.ts';
import { useUnread } from './useUnread.ts';

const load = () => import('./AnnouncementDialog.tsx');
const loadStarts = () => import('./LiveStarts.tsx');

/** Where notices that do not wait for the bell are shown, once in a page: what the school announces, and live lessons that begin. */
export function AnnouncementHost() {
  const { announced, count } = useUnread();
  return (
    <>
      {announced > 0 && <LateDialog />}
      {count > announced && <LateStarts />}
    </>
  );
}

function LateStarts() {
  const found = useLate(loadStarts);
  return found && <found.default />;
}

function LateDialog() {
  const found = useLate(load);
  return found && <found.default />;
}
