import type { ReactNode } from 'react';
import { createPath, Navigate, useLocation } from 'react-router';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { BlankPage } from './BlankPage.tsx';

/** Shows a page to a signed-in person and sends a visitor to sign in and back (spec §6). */
export function SignedIn({ children, skeleton }: { children: ReactNode; skeleton?: ReactNode }) {
  const { call } = useMe();
  const location = useLocation();
  return (
    <CallState call={call} skeleton={skeleton ?? <BlankPage />}>
      {({ user }) => (user === null ? <Navigate to={paths.login(createPath(location))} replace /> : children)}
    </CallState>
  );
}
