import { GetUserInfo, Logout, SendSmsCode, SliderChallenge, SliderProof } from '#contract/user.ts';
import type { SmsPurpose } from '#contract/values/user.ts';
import { CHALLENGE_LIFE, judgeDrag } from '#rules/user/captcha.ts';
import { addressKey, limits, RESEND_AFTER } from '#rules/user/limits.ts';
import { maskPhone, readPhone } from '#rules/user/phone.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { createChallenge, createTicket, redeemChallenge, redeemTicket } from './captcha.ts';
import { serveLogin } from './login.ts';
import { serveProfile } from './profile.ts';
import { countEvent } from './rate-limit.ts';
import { endSession } from './session-store.ts';
import { SmsNotSent } from './sms.ts';
import { drawCode, keepCode } from './sms-code.ts';
import { findUser, userInfoOf } from './store.ts';

/** Sign-in and the own profile (decisions §2, §7). */
export function userRoutes(serve: Serve, parts: Parts): void {
  const { db, random, clock, log } = parts;
  serveLogin(serve, parts);
  serveProfile(serve, parts);

  serve(GetUserInfo, async ({ user }) => {
    const found = user === null ? undefined : await findUser(db.query, user.userId);
    return { user: found ? userInfoOf(found) : null, demo: parts.demo, now: clock() };
  });

  serve(Logout, async ({ user, setSession }) => {
    if (user) await db.changePeople((trx) => endSession(trx, user.tokenHash));
    setSession(null);
    return {};
  });

  serve(SliderChallenge, async ({ input, ip, arrivedAt }) => {
    const counted = await countEvent(db.query, `challenge:${addressKey(ip)}`, limits.challengeByAddress, arrivedAt);
    if (!counted.ok) return refuse('tooMany');
    return {
      challengeId: await createChallenge(db.query, random, input.action, arrivedAt),
      expiresIn: CHALLENGE_LIFE,
    };
  });

  serve(SliderProof, async ({ input, arrivedAt }) => {
    const challenge = await redeemChallenge(db.query, input.challengeId, arrivedAt);
    if (!challenge) return refuse('captchaFailed');
    const judged = judgeDrag(input.track, challenge.elapsed);
    if (!judged.ok) return refuse(judged.why);
    return { ticket: await createTicket(db.query, random, challenge.action, arrivedAt) };
  });

  serve(SendSmsCode, async ({ input, user, ip, arrivedAt }) => {
    const { purpose } = input;
    const read = await phoneFor(input.phone, purpose, user?.userId ?? null);
    if (!read.ok) return refuse(read.why, read.why === 'phoneWrong' ? 'phone' : undefined);
    const { phone } = read;
    if (!(await redeemTicket(db.query, input.ticket, 'sms_code', arrivedAt))) return refuse('ticketNeeded', 'ticket');
    // The person's own limit first: a campus shares one address, and a refused person must not use it up (decisions §7).
    const byPhone = await countEvent(db.query, `sms:${phone}`, limits.smsByPhone, arrivedAt);
    if (!byPhone.ok) return refuse('smsTooSoon');
    const byAddress = await countEvent(db.query, `sms-from:${addressKey(ip)}`, limits.smsByAddress, arrivedAt);
    if (!byAddress.ok) {
      await byPhone.undo();
      return refuse('tooMany');
    }
    const code = drawCode(random);
    try {
      await parts.sms.send(phone, code);
    } catch (error) {
      // A code that was not sent does not count for the number. For the address it does, or failures could be hammered.
      await byPhone.undo();
      log.warn({ err: error, phone: maskPhone(phone) }, 'SMS code not sent');
      return refuse(error instanceof SmsNotSent && error.reason === 'tooSoon' ? 'smsTooSoon' : 'smsNotSent');
    }
    await keepCode(db.query, phone, purpose, code, arrivedAt);
    return { resendAfter: RESEND_AFTER, demoCode: parts.demo ? code : null };
  });

  /**
   * The number a code goes to. A login takes any number. The other purposes are a signed-in person's; for those that prove
   * the person (`password`, `phone_old`) it is their own number, which the page may name as it knows it: masked.
   */
  async function phoneFor(
    typed: string,
    purpose: SmsPurpose,
    userId: number | null,
  ): Promise<{ ok: true; phone: string } | { ok: false; why: 'phoneWrong' | 'notSignedIn' }> {
    const read = readPhone(typed);
    if (purpose === 'login') return read;
    const found = userId === null ? undefined : await findUser(db.query, userId);
    if (!found) return { ok: false, why: 'notSignedIn' };
    if (purpose === 'phone_new') return read;
    const own = typed === maskPhone(found.phone) || (read.ok && read.phone === found.phone);
    return own ? { ok: true, phone: found.phone } : { ok: false, why: 'phoneWrong' };
  }
}
