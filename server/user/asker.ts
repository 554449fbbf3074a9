import { addressKey } from '#rules/user/limits.ts';
import type { Query } from '#server/db/open.ts';
import type { Random } from '#server/parts.ts';
import { isKnownDevice, putKnownDevice } from './device-store.ts';
import { hashToken } from './session.ts';

/** A device is known for as long after a sign-in. */
const DEVICE_LIFE = 180 * 24 * 60 * 60 * 1000;

/** What a request says of the browser that sent it. */
export interface Browser {
  /** The device cookie; null: none came. */
  device: string | null;
  ip: string;
  setDevice(device: { token: string; expiresAt: number }): void;
}

/** The hash of the device cookie, by which alone it is stored; null when none came. */
export function deviceHashOf({ device }: Browser): string | null {
  return device === null ? null : hashToken(device);
}

/**
 * Who asks, before anybody is signed in: the browser by its device cookie, a client without cookies by its address. To
 * invent a cookie gains nothing: it is only another asker that nobody knows.
 */
export function askerOf(browser: Browser): string {
  const hash = deviceHashOf(browser);
  return hash === null ? `address:${addressKey(browser.ip)}` : `device:${hash}`;
}

/** Whether the person signed in on this device before. */
export async function knowsDevice(query: Query, browser: Browser, userId: number, now: number): Promise<boolean> {
  const hash = deviceHashOf(browser);
  return hash !== null && isKnownDevice(query, hash, userId, now);
}

/** Gives a browser that has none its device cookie: 256 random bits. @returns its hash */
export function nameDevice(browser: Browser, random: Random, now: number): string {
  const token = browser.device ?? random(32).toString('base64url');
  browser.setDevice({ token, expiresAt: now + DEVICE_LIFE });
  return hashToken(token);
}

/** Knows the device from now on as one of this person's. */
export async function rememberDevice(
  query: Query,
  browser: Browser,
  random: Random,
  userId: number,
  now: number,
): Promise<void> {
  const device_hash = nameDevice(browser, random, now);
  await putKnownDevice(query, { device_hash, user_id: userId, seen_at: now, expires_at: now + DEVICE_LIFE });
}
