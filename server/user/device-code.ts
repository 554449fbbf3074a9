import { timingSafeEqual } from 'node:crypto';
import { deviceCodeTurns, digitsOf, readDeviceCode } from '#rules/user/device-code.ts';
import type { CaptchaKey } from './captcha.ts';

/** Signs with the installation's key. */
export type Signer = Pick<CaptchaKey, 'sign'>;

const codeOf = (key: Signer, userId: number, turn: number) =>
  digitsOf(Buffer.from(key.sign(`device-code|${userId}|${turn}`), 'base64url').readBigUInt64BE());

/** What a device shows on which somebody is signed in, to prove it on another one. Nothing is stored: it follows from the person and the time. */
export function newDeviceCode(key: Signer, userId: number, now: number): { code: string; until: number } {
  const { newest, until } = deviceCodeTurns(now);
  return { code: codeOf(key, userId, newest), until };
}

/** Whether a code was shown to this person lately. Tries are for the caller to count. */
export function isDeviceCode(key: Signer, userId: number, typed: string, now: number): boolean {
  const read = Buffer.from(readDeviceCode(typed));
  return deviceCodeTurns(now).taken.some((turn) => {
    const right = Buffer.from(codeOf(key, userId, turn));
    return right.length === read.length && timingSafeEqual(right, read);
  });
}
