import { useLate } from '#ui/useLate.ts';
import { useUnread } from './useUnread.ts';

const load = () => import('./AnnouncementDialog.tsx');

/** Where the school's announcements open, once in a page. Their dialog is fetched when there is one. */
export function AnnouncementHost() {
  const { announced } = useUnread();
  return announced > 0 && <LateDialog />;
}

function LateDialog() {
  const found = useLate(load);
  return found && <found.default />;
}
