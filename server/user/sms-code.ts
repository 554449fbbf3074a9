import { createHash, timingSafeEqual } from 'node:crypto';
import { SendSmsCode } from '#contract/user.ts';
import type { SmsPurpose } from '#contract/values/user.ts';
import { addressKey, limits, RESEND_AFTER } from '#rules/user/limits.ts';
import { maskPhone, readPhone } from '#rules/user/phone.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts, Random } from '#server/parts.ts';
import { redeemTicket } from './captcha.ts';
import { countEvent } from './rate-limit.ts';
import { SmsNotSent } from './sms.ts';
import { countTry, putCode, takeCode } from './sms-code-store.ts';
import { findUser } from './store.ts';

/** A code lives 5 minutes and takes 5 tries (decisions §7). */
const CODE_LIFE = 5 * 60 * 1000;
const TRIES = 5;

/** Six digits, each of the million equally likely: draws that would favour the low ones are thrown away. */
export function drawCode(random: Random): string {
  for (;;) {
    const drawn = random(4).readUInt32BE();
    if (drawn < 4_294_000_000) return String(drawn % 1_000_000).padStart(6, '0');
  }
}

function hashCode(phone: string, purpose: SmsPurpose, code: string): string {
  return createHash('sha256').update(`lixue-sms|${purpose}|${phone}|${code}`).digest('hex');
}

/** Keeps a code that was sent, bound to phone and purpose; an older one of the same pair ends. */
export async function keepCode(
  query: Query,
  phone: string,
  purpose: SmsPurpose,
  code: string,
  now: number,
): Promise<void> {
  await putCode(query, phone, purpose, {
    code_hash: hashCode(phone, purpose, code),
    tries_left: TRIES,
    created_at: now,
    expires_at: now + CODE_LIFE,
  });
}

/** A code that was entered rightly and is not used up yet. */
export interface RightCode {
  id: number;
  codeHash: string;
}

/**
 * Tries a code. The try is counted before it is looked at, so no number of parallel tries gets more than five. A right
 * code must then be used up by `redeemCode`.
 * @returns null when it is wrong, expired, used or out of tries
 */
export async function tryCode(
  query: Query,
  phone: string,
  purpose: SmsPurpose,
  code: string,
  now: number,
): Promise<RightCode | null> {
  const counted = await countTry(query, phone, purpose, now);
  if (!counted) return null;
  const typed = Buffer.from(hashCode(phone, purpose, code.normalize('NFKC').replace(/\s/g, '')), 'hex');
  return timingSafeEqual(typed, Buffer.from(counted.code_hash, 'hex'))
    ? { id: counted.id, codeHash: counted.code_hash }
    : null;
}

/** Uses a right code up. @returns false when someone else just did, or a newer code has replaced it */
export async function redeemCode(query: Query, code: RightCode): Promise<boolean> {
  return takeCode(query, code.id, code.codeHash);
}

/** A right code that someone else used up in the meantime. */
export class CodeGone extends Error {}

/** Uses a right code up within a change, which is rolled back when it cannot: throws `CodeGone`. */
export async function spendCode(trx: Trx, code: RightCode): Promise<void> {
  if (!(await redeemCode(trx, code))) throw new CodeGone();
}

/** Sending a code to a phone (decisions §7). */
export function serveSmsCode(serve: Serve, { db, random, sms, demo, log }: Parts): void {
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
      await sms.send(phone, code);
    } catch (error) {
      // A code that was not sent does not count for the number. For the address it does, or failures could be hammered.
      await byPhone.undo();
      log.warn({ err: error, phone: maskPhone(phone) }, 'SMS code not sent');
      return refuse(error instanceof SmsNotSent && error.reason === 'tooSoon' ? 'smsTooSoon' : 'smsNotSent');
    }
    await keepCode(db.query, phone, purpose, code, arrivedAt);
    return { resendAfter: RESEND_AFTER, demoCode: demo ? code : null };
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
