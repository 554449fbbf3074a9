import { GetUserInfo } from '#contract/user.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { findUser, userInfoOf } from './store.ts';

/** Who is signed in (decisions §2). */
export function serveInfo(serve: Serve, { db, clock, demo }: Parts): void {
  serve(GetUserInfo, async ({ user }) => {
    const found = user === null ? undefined : await findUser(db.query, user.userId);
    return { user: found ? userInfoOf(found) : null, demo, now: clock() };
  });
}
