import { Login } from '#contract/user.ts';
import { addressKey, FREE_FAILURES, limits } from '#rules/user/limits.ts';
import { firstNickname } from '#rules/user/nickname.ts';
import { readPhone } from '#rules/user/phone.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { redeemTicket } from './captcha.ts';
import { checkHash } from './password-hash.ts';
import { countEvent, forgetEvents, wouldAllow } from './rate-limit.ts';
import { createSession } from './session.ts';
import { endSession } from './session-store.ts';
import { redeemCode, tryCode } from './sms-code.ts';
import { addUser, findUserByPhone, type User, userInfoOf } from './store.ts';
import { TooBusy } from './turnstile.ts';

/** Signing in by phone and SMS code, or by phone and password (decisions §7). */
export function serveLogin(serve: Serve, { db, random, demo }: Parts): void {
  serve(Login, async ({ input, user: presented, ip, arrivedAt, setSession }) => {
    const { smsCode, password, ticket } = input;
    if ((smsCode === undefined) === (password === undefined)) return refuse('badInput');
    const read = readPhone(input.phone);
    if (!read.ok) return refuse(read.why, 'phone');
    const { phone } = read;

    // Guesses at the password and at the code are counted apart, so that a stranger who burns one leaves the other.
    const byCode = smsCode !== undefined;
    const bucket = byCode ? `login-code:${phone}` : `login:${phone}`;
    const free = await wouldAllow(db.query, bucket, FREE_FAILURES, arrivedAt);
    if (!free.ok && !(ticket !== undefined && (await redeemTicket(db.query, ticket, 'login', arrivedAt)))) {
      return refuse('ticketNeeded', 'ticket');
    }
    // Counted before the proof is looked at, so that parallel guesses cannot pass the limit together.
    const byPhone = await countEvent(
      db.query,
      bucket,
      byCode ? limits.codeLoginByPhone : limits.loginByPhone,
      arrivedAt,
    );
    if (!byPhone.ok) return refuse('tooMany');
    const byAddress = await countEvent(db.query, `login-from:${addressKey(ip)}`, limits.loginByAddress, arrivedAt);
    if (!byAddress.ok) {
      await byPhone.undo();
      return refuse('tooMany');
    }

    const proven = byCode
      ? await byCodeOf(phone, smsCode, arrivedAt)
      : await byPasswordOf(phone, password ?? '').catch((error: unknown) => {
          if (error instanceof TooBusy) return 'tooBusy' as const;
          throw error;
        });
    if (proven === 'tooBusy') {
      await byPhone.undo();
      return refuse('tooMany');
    }
    if (proven === null) return byCode ? refuse('smsCodeWrong', 'smsCode') : refuse('loginWrong');

    // Only failures count: the right ones are taken back, and forgive those before them.
    await byAddress.undo();
    await forgetEvents(db.query, bucket);
    const session = await db.changePeople(async (trx) => {
      if (presented) await endSession(trx, presented.tokenHash);
      return createSession(trx, random, proven.id, arrivedAt);
    });
    setSession(session);
    return { user: userInfoOf(proven), token: session.token };
  });

  /** Whether the account may be signed in to at all. */
  const isOpen = (user: User) => user.disabled === 0 && (user.demo === 0 || demo);

  async function byCodeOf(phone: string, typed: string, now: number): Promise<User | null> {
    const right = await tryCode(db.query, phone, 'login', typed, now);
    if (!right || !(await redeemCode(db.query, right))) return null;
    const known = await findUserByPhone(db.query, phone);
    if (!known) await addUser(db.query, { phone, nickname: firstNickname(phone) }, now);
    const user = known ?? (await findUserByPhone(db.query, phone));
    return user && isOpen(user) ? user : null;
  }

  async function byPasswordOf(phone: string, password: string): Promise<User | null> {
    const user = await findUserByPhone(db.query, phone);
    const right = await checkHash(user && isOpen(user) ? user.password_hash : null, password);
    return user && right ? user : null;
  }
}
