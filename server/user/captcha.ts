import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { SliderChallenge, SliderProof } from '#contract/user.ts';
import type { CaptchaAction } from '#contract/values/user.ts';
import { CHALLENGE_LIFE, judgeDrag, TICKET_LIFE } from '#rules/user/captcha.ts';
import { addressKey } from '#rules/user/limits.ts';
import { EASIEST, HARDEST, hasZeroBits, workBits, workText } from '#rules/user/work.ts';
import type { Query } from '#server/db/open.ts';
import { settledSetting } from '#server/db/settings-store.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { askerOf, type Browser, deviceHashOf, knowsDevice, nameDevice } from './asker.ts';
import { watchProvider } from './captcha-provider.ts';
import { addTicket, markAnswered, takeTicket } from './captcha-store.ts';
import { eventsWithin, noteEvent } from './rate-limit.ts';
import { hashToken } from './session.ts';
import { findUserByPhone } from './store.ts';
import { phoneMeant } from './typed-phone.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
/** A challenge may have become so much too easy since it was handed out: who fetched many in advance fetches others. */
const EASIER_BY = 3;

/** What a challenge says of itself. It is signed and stored nowhere, so that a flood of them fills nothing. */
interface Challenge {
  id: string;
  action: CaptchaAction;
  /** The number, as its keyed hash. */
  phone: string;
  /** The device cookie's hash and the address that it was handed to. */
  device: string;
  address: string;
  /** The number's person signed in on the device before. */
  known: boolean;
  bits: number;
  /** A proof of the captcha's provider was asked for; who brings none pays the most work. */
  provider: boolean;
  at: number;
}

/** Signs challenges and names numbers, for all processes of an installation alike. */
export interface CaptchaKey {
  /** A number as tickets and challenges carry it. */
  phoneKey(phone: string): string;
  sign(text: string): string;
}

/** The installation's key: made at the first start, kept with its settings. */
export async function captchaKey({ db, random }: Pick<Parts, 'db' | 'random'>): Promise<CaptchaKey> {
  const key = await settledSetting(db.query, 'captcha_key', () => random(32).toString('base64url'));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return { sign, phoneKey: (phone) => sign(`phone|${phone}`) };
}

/** Reads a challenge that came back. @returns null when it is none of ours; its age is judged by the caller */
function readChallenge(key: CaptchaKey, text: string): Challenge | null {
  const [body = '', signature = ''] = text.split('.');
  const right = Buffer.from(key.sign(body));
  const given = Buffer.from(signature);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Challenge;
}

/** How much work there is behind the drag. */
const bitsOfDrag = ({ bits, provider }: Pick<Challenge, 'bits' | 'provider'>) => (provider ? HARDEST : bits);

/** What the proof of work has to begin with: the challenge's signature, 43 characters. */
const seedOf = (challengeId: string) => challengeId.split('.')[1] ?? '';

/**
 * Uses a ticket up. @returns false when it is unknown, used, expired, or was made for another action, number or asker
 * (then it stays)
 */
export async function redeemTicket(
  query: Query,
  key: CaptchaKey,
  ticket: string,
  use: { action: CaptchaAction; phone: string; asker: string },
  now: number,
): Promise<boolean> {
  const { action, phone, asker } = use;
  const taken = await takeTicket(query, hashToken(ticket), { action, phone_key: key.phoneKey(phone), asker });
  return taken !== undefined && taken.expires_at > now;
}

/**
 * Handing out a slider and judging what comes back: the drag, and behind it a proof of work whose cost grows with the
 * failures at the number and from the address (decisions §7). On a device that the person signed in on before, neither
 * counts. Where the school has a captcha of others, strangers are asked for its proof instead of the drag; the drag with the
 * most work stands in for it, so that nobody is locked out while the provider, or its script in one browser, is away.
 */
export function serveCaptcha(serve: Serve, parts: Parts, key: CaptchaKey): void {
  const { db, random, smsBudget, captcha } = parts;
  const heard = watchProvider(parts);

  serve(SliderChallenge, async (ask) => {
    const { input, user, arrivedAt } = ask;
    const meant = await phoneMeant(db.query, input.phone, user?.userId ?? null);
    if (!meant.ok) return refuse(meant.why, 'phone');
    const owner = await findUserByPhone(db.query, meant.phone);
    const known = owner !== undefined && (await knowsDevice(db.query, ask, owner.id, arrivedAt));
    const challenge: Challenge = {
      id: random(12).toString('base64url'),
      action: input.action,
      phone: key.phoneKey(meant.phone),
      device: nameDevice(ask, random, arrivedAt),
      address: addressKey(ask.ip),
      known,
      bits: known ? EASIEST : await bitsFor(meant.phone, ask, arrivedAt),
      provider: captcha !== null && !known,
      at: arrivedAt,
    };
    const body = Buffer.from(JSON.stringify(challenge)).toString('base64url');
    const seed = key.sign(body);
    return {
      challengeId: `${body}.${seed}`,
      expiresIn: CHALLENGE_LIFE,
      work: { seed, bits: bitsOfDrag(challenge) },
      provider: captcha && challenge.provider ? { ...captcha.shown, bits: challenge.bits } : null,
    };
  });

  serve(SliderProof, async (ask) => {
    const { input, arrivedAt } = ask;
    const challenge = readChallenge(key, input.challengeId);
    if (!challenge || !isTheSame(challenge, ask)) return refuse('captchaFailed');
    const { id, action, at } = challenge;
    const elapsed = arrivedAt - at;
    if (elapsed < 0 || elapsed >= CHALLENGE_LIFE) return refuse('captchaFailed');
    const used = { id: hashToken(id), action, created_at: at, expires_at: at + CHALLENGE_LIFE };
    if (!(await markAnswered(db.query, used))) return refuse('captchaFailed');
    const { proof } = input;
    if (proof !== undefined && !(captcha && challenge.provider)) return refuse('captchaFailed');
    if (proof === undefined) {
      const judged = judgeDrag(input.track ?? [], elapsed);
      if (!judged.ok) return refuse(judged.why);
    }
    const hashed = hash('sha256', workText(seedOf(input.challengeId), input.work ?? 0), 'buffer');
    const bits = proof === undefined ? bitsOfDrag(challenge) : challenge.bits;
    if (!hasZeroBits(hashed, bits)) return refuse('captchaFailed');
    if (!challenge.known && bits + EASIER_BY < (await bitsFor(null, ask, arrivedAt))) return refuse('captchaFailed');
    // Last of all: each question costs the school money.
    if (captcha && proof !== undefined) {
      const word = await captcha.verify(proof);
      heard(word);
      if (word.is !== 'passed') return refuse(word.is === 'away' ? 'captchaAway' : 'captchaFailed');
    } else if (challenge.provider) heard({ is: 'none' });
    await noteEvent(db.query, `tickets-to:${challenge.address}`, arrivedAt);
    const ticket = random(24).toString('base64url');
    const use = { action, phone_key: challenge.phone, asker: askerOf(ask) };
    await addTicket(db.query, { ...use, ticket_hash: hashToken(ticket), expires_at: arrivedAt + TICKET_LIFE });
    return { ticket };
  });

  /** Whether the one who answers is the one who asked: the same browser, or, of a client without cookies, the same address. */
  function isTheSame(challenge: Challenge, browser: Browser): boolean {
    const device = deviceHashOf(browser);
    return device === null ? challenge.address === addressKey(browser.ip) : challenge.device === device;
  }

  async function bitsFor(phone: string | null, { ip }: Browser, now: number): Promise<number> {
    const address = addressKey(ip);
    const within = (bucket: string, ms: number) => eventsWithin(db.query, bucket, ms, now);
    let number = 0;
    if (phone !== null) {
      for (const bucket of ['login', 'login-code', 'sms']) number += await within(`${bucket}:${phone}`, HOUR);
    }
    return workBits({
      number,
      failures: await within(`login-from:${address}`, HOUR),
      tickets: await within(`tickets-to:${address}`, MINUTE),
      sent: (await within(`sms-from:${address}`, HOUR)) / smsBudget.perAddressHour,
    });
  }
}
