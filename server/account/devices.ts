import { EndSessions, GetDeviceCode, ListSessions } from '#contract/account.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { deviceHashOf } from '#server/user/asker.ts';
import { newDeviceCode, type Signer } from '#server/user/device-code.ts';
import { forgetDevices } from '#server/user/device-store.ts';
import { hashToken } from '#server/user/session.ts';
import { endSessions, listSessions } from '#server/user/session-store.ts';

/** What the page calls a session: a hash of the hash of its token, from which nothing of either is found. */
const idOf = (tokenHash: string) => hashToken(`session|${tokenHash}`).slice(0, 24);

/** Where one is signed in, signing out there, and what proves on another device that one is signed in here. */
export function serveDevices(serve: Serve, { db }: Pick<Parts, 'db'>, key: Signer): void {
  serve(GetDeviceCode, async ({ user: { userId }, arrivedAt }) => newDeviceCode(key, userId, arrivedAt));
  serve(ListSessions, async ({ user: { userId, tokenHash }, arrivedAt }) => {
    const sessions = await listSessions(db.query, userId, arrivedAt);
    return {
      list: sessions.map(({ token_hash, browser, system, place, created_at, last_seen_at }) => ({
        ...{ sessionId: idOf(token_hash), browser, system, place, createdAt: created_at, lastSeenAt: last_seen_at },
        current: token_hash === tokenHash ? 1 : 0,
      })),
    };
  });
  serve(EndSessions, async (ask) => {
    const { userId, tokenHash } = ask.user;
    const { sessionId } = ask.input;
    const others = (await listSessions(db.query, userId, ask.arrivedAt)).filter(
      ({ token_hash }) => token_hash !== tokenHash && (sessionId === undefined || idOf(token_hash) === sessionId),
    );
    if (sessionId !== undefined && others.length === 0) return refuse('notFound');
    const ended = await db.changePeople(async (trx) => {
      // Whoever was signed in there may not be the person: it is a strange device from now on.
      await forgetDevices(trx, userId, deviceHashOf(ask));
      return endSessions(
        trx,
        userId,
        others.map(({ token_hash }) => token_hash),
      );
    });
    return { ended };
  });
}
