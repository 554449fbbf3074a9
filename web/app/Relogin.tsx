import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { rememberFocus } from '#ui/focus.ts';
import { useLate } from '#ui/useLate.ts';
import type { Me } from '#web/lib/me.ts';
import { type Data, onSignInNeeded } from '#web/lib/send.ts';

const load = () => import('#web/user/ReloginDialog.tsx');
/** After the person put it off, how long failing calls fail quietly, in milliseconds. */
const putOff = 30_000;

interface Wait {
  me: Me;
  resolve: (signedIn: boolean) => void;
}

/**
 * Repairs a lost session in place: the first call that fails with 401 while somebody is signed in opens the dialog over
 * the page, so that an exam stays open; the calls wait and are repeated. A visitor is never asked.
 */
export function Relogin() {
  const client = useQueryClient();
  const [wait, setWait] = useState<Wait | null>(null);
  useEffect(() => {
    let quietUntil = 0;
    onSignInNeeded((pressed) => {
      const me = client.getQueryData<Data<'GET /api/user/info'>>(['GET /api/user/info', {}])?.user ?? null;
      if (me === null || (!pressed && performance.now() < quietUntil)) return Promise.resolve(false);
      const refocus = rememberFocus();
      return new Promise((resolve) => {
        setWait({
          me,
          resolve: (signedIn) => {
            if (!signedIn) quietUntil = performance.now() + putOff;
            setWait(null);
            resolve(signedIn);
            // The dialog goes at the next drawing; before that it would hold the keyboard.
            setTimeout(refocus, 50);
          },
        });
      });
    });
    return () => onSignInNeeded(null);
  }, [client]);
  const found = useLate(load, wait === null ? null : 0);
  return wait && found && <found.default me={wait.me} onDone={wait.resolve} />;
}
