import type { ReactNode } from 'react';
import { createPath, Navigate, useLocation } from 'react-router';
import { ListState } from '#ui/ListState.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { BlankPage } from './BlankPage.tsx';

/** Shows a page to a signed-in person and sends a visitor to sign in and back (spec §6). */
export function SignedIn({ children }: { children: ReactNode }) {
  const { ready, me, failed, retry } = useMe();
  const location = useLocation();
  if (!ready) {
    return (
      <ListState
        loading
        error={failed === null ? null : t(failed.msg)}
        onRetry={() => void retry()}
        skeleton={<BlankPage />}
      >
        {null}
      </ListState>
    );
  }
  if (me === null) return <Navigate to={paths.login(createPath(location))} replace />;
  return children;
}
