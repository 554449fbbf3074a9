import { Logout } from '#contract/user.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { endSession } from './session-store.ts';

/** Ending the own session (decisions §7). */
export function serveLogout(serve: Serve, { db }: Parts): void {
  serve(Logout, async ({ user, setSession }) => {
    if (user) await db.changePeople((trx) => endSession(trx, user.tokenHash));
    setSession(null);
    return {};
  });
}
