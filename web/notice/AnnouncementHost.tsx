import { lazy, Suspense } from 'react';
import { useUnread } from './useUnread.ts';

const AnnouncementDialog = lazy(() => import('./AnnouncementDialog.tsx'));

/** Where the school's announcements open, once in a page. Their dialog is fetched when there is one. */
export function AnnouncementHost() {
  const { announced } = useUnread();
  if (announced === 0) return null;
  return (
    <Suspense fallback={null}>
      <AnnouncementDialog />
    </Suspense>
  );
}
