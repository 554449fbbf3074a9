import { createHash, timingSafeEqual } from 'node:crypto';
import { SendSmsCode } from '#contract/user.ts';
import type { SmsPurpose } from '#contract/values/user.ts';
import {
  addressKey,
  type Limit,
  limits,
  OTHER_TRIES,
  OWN_TRIES,
  RESEND_AFTER,
  smsBySchool,
} from '#rules/user/limits.ts';
import { maskPhone, readPhone } from '#rules/user/phone.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts, Random } from '#server/parts.ts';
import { askerOf, knowsDevice } from './asker.ts';
import { type CaptchaKey, redeemTicket } from './captcha.ts';
import { type Counted, countEvent, noteEvent } from './rate-limit.ts';
import { SmsNotSent } from './sms.ts';
import { type CodeOwner, countTry, ownTries, putCode, returnTry, takeCode } from './sms-code-store.ts';
import { smsWatch } from './sms-watch.ts';
import { findUser, findUserByPhone } from './store.ts';
import { phoneMeant } from './typed-phone.ts';

/** A code lives 5 minutes (decisions §7). */
const CODE_LIFE = 5 * 60 * 1000;

/** Six digits, each of the million equally likely: draws that would favour the low ones are thrown away. */
export function drawCode(random: Random): string {
  for (;;) {
    const drawn = random(4).readUInt32BE();
    if (drawn < 4_294_000_000) return String(drawn % 1_000_000).padStart(6, '0');
  }
}

function hashCode(phone: string, purpose: string, code: string): string {
  return createHash('sha256').update(`lixue-sms|${purpose}|${phone}|${code}`).digest('hex');
}

/** Keeps a code that was sent, bound to phone, purpose and who asked for it; an older one of the same asker ends. */
export async function keepCode(query: Query, owner: CodeOwner, code: string, now: number): Promise<void> {
  await putCode(query, owner, {
    code_hash: hashCode(owner.phone, owner.purpose, code),
    own_tries: OWN_TRIES,
    other_tries: OTHER_TRIES,
    created_at: now,
    expires_at: now + CODE_LIFE,
  });
}

/** A code that was entered rightly and is not used up yet. */
export interface RightCode {
  id: number;
  codeHash: string;
  /** Whose tries the one that found it was counted among. */
  whose: 'own' | 'others';
}

/**
 * Tries a code: at the one that this asker asked for, or, when they asked for none, at those that others did, of which all
 * strangers together have few tries (`signInLane` says how many in all), so that they use up none of the asker's own. The
 * try is counted before it is looked at, so no number of parallel tries gets more. A right code must then be used up by
 * `redeemCode`.
 * @returns null when it is wrong, expired, used or out of tries
 */
export async function tryCode(query: Query, owner: CodeOwner, code: string, now: number): Promise<RightCode | null> {
  const whose = (await ownTries(query, owner, now)) === null ? 'others' : 'own';
  const typed = Buffer.from(hashCode(owner.phone, owner.purpose, code.normalize('NFKC').replace(/\s/g, '')), 'hex');
  const right = (await countTry(query, owner, whose, now)).find(({ code_hash }) =>
    timingSafeEqual(typed, Buffer.from(code_hash, 'hex')),
  );
  return right ? { id: right.id, codeHash: right.code_hash, whose } : null;
}

/** Keeps a right code as it was before it was tried: it waits for what else has to be known, and its entering was no guess. */
export async function keepTry(query: Query, { id, codeHash, whose }: RightCode): Promise<void> {
  await returnTry(query, id, codeHash, whose);
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

/**
 * Sending a code to a phone (decisions §7). A number's own limits first; an address has none but the growing cost of the
 * ticket (`workBits`); the whole school has a budget an hour, of which a part is kept for devices that people signed in on
 * before. The operator is told in log and metrics when half of it is used, and again when it is spent.
 */
export function serveSmsCode(serve: Serve, parts: Parts, key: CaptchaKey): void {
  const { db, random, sms, demo, log, smsBudget } = parts;
  const watch = smsWatch(parts);
  serve(SendSmsCode, async (ask) => {
    const { input, user, arrivedAt } = ask;
    const { purpose } = input;
    const read = await phoneFor(input.phone, purpose, user?.userId ?? null);
    if (!read.ok) return refuse(read.why, read.why === 'phoneWrong' ? 'phone' : undefined);
    const { phone } = read;
    const asker = askerOf(ask);
    const use = { action: 'sms_code', phone, asker } as const;
    const { ticket } = input;
    if (ticket === undefined || !(await redeemTicket(db.query, key, ticket, use, arrivedAt)))
      return refuse('ticketNeeded', 'ticket');
    const owner = await findUserByPhone(db.query, phone);
    const known =
      owner !== undefined && (owner.id === user?.userId || (await knowsDevice(db.query, ask, owner.id, arrivedAt)));
    const counted: Counted[] = [];
    const undo = async () => {
      for (const one of counted) await one.undo();
    };
    const limited: readonly (readonly [string, Limit, 'smsTooSoon' | 'tooMany'])[] = [
      [`sms:${phone}`, limits.smsByPhone, 'smsTooSoon'],
      ...(known ? [] : ([[`sms-stranger:${phone}`, limits.smsByStrangers, 'smsTooSoon']] as const)),
      ['sms-school', smsBySchool(smsBudget, known), 'tooMany'],
    ];
    for (const [bucket, limit, why] of limited) {
      const one = await countEvent(db.query, bucket, limit, arrivedAt);
      if (!one.ok) {
        await undo();
        if (why === 'tooMany') watch.heldBack();
        return refuse(why);
      }
      counted.push(one);
    }
    if (!known) await noteEvent(db.query, `sms-from:${addressKey(ask.ip)}`, arrivedAt);
    await watch.look(arrivedAt);
    const code = drawCode(random);
    try {
      await sms.send(phone, code);
    } catch (error) {
      // A code that was not sent does not count for the number. For the address it does, or failures could be hammered.
      await undo();
      log.warn({ err: error, phone: maskPhone(phone) }, 'SMS code not sent');
      return refuse(error instanceof SmsNotSent && error.reason === 'tooSoon' ? 'smsTooSoon' : 'smsNotSent');
    }
    watch.sent();
    await keepCode(db.query, { phone, purpose, asker }, code, arrivedAt);
    return { resendAfter: RESEND_AFTER, demoCode: demo ? code : null };
  });

  /**
   * The number a code goes to. A login takes any number. The other purposes are a signed-in person's; for those that prove
   * the person (`password`, `phone_old`, `account`) it is their own number, which the page may name as it knows it: masked.
   */
  async function phoneFor(
    typed: string,
    purpose: SmsPurpose,
    userId: number | null,
  ): Promise<{ ok: true; phone: string } | { ok: false; why: 'phoneWrong' | 'notSignedIn' }> {
    if (purpose === 'login') return readPhone(typed);
    const found = userId === null ? undefined : await findUser(db.query, userId);
    if (!found) return { ok: false, why: 'notSignedIn' };
    if (purpose === 'phone_new' || purpose === 'guardian') return readPhone(typed);
    const meant = await phoneMeant(db.query, typed, found.id);
    return meant.ok && meant.phone === found.phone ? meant : { ok: false, why: 'phoneWrong' };
  }
}
