import { createHash, timingSafeEqual } from 'node:crypto';
import type { SmsPurpose } from '#contract/values/user.ts';
import type { Query } from '#server/db/open.ts';
import type { Random } from '#server/parts.ts';
import { countTry, putCode, takeCode } from './sms-code-store.ts';

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
