import type { CouponKind } from '#contract/values/order.ts';
import { hundredthsOf } from './money.ts';

/** What a coupon promises. Sums are fen, times epoch milliseconds. */
export interface CouponTerms {
  kind: CouponKind;
  /** `amount`: fen off. `percent`: hundredths off, 1 to 100. */
  off: number;
  /** The most that `percent` takes off; null: no bound. */
  mostOff: number | null;
  /** The price from which on it may be used. */
  threshold: number;
  /** The packs it is for; null: every pack. */
  packIds: readonly number[] | null;
  validFrom: number;
  /** From this moment on it may not be used: the end of its last day in China. */
  validUntil: number;
}

type CouponWhy = 'couponEarly' | 'couponOver' | 'couponElsewhere' | 'couponBelow';

/**
 * What a coupon takes off the price of a pack: never more than the price, so that no total is negative (spec §7 use_coupon).
 * @returns fen off, or why it may not be used
 */
export function discountOf(
  terms: CouponTerms,
  { price, packId, now }: { price: number; packId: number; now: number },
): { ok: true; off: number } | { ok: false; why: CouponWhy } {
  if (now < terms.validFrom) return { ok: false, why: 'couponEarly' };
  if (now >= terms.validUntil) return { ok: false, why: 'couponOver' };
  if (terms.packIds !== null && !terms.packIds.includes(packId)) return { ok: false, why: 'couponElsewhere' };
  if (price < terms.threshold) return { ok: false, why: 'couponBelow' };
  const wanted = terms.kind === 'amount' ? terms.off : Math.min(hundredthsOf(price, terms.off), terms.mostOff ?? price);
  return { ok: true, off: Math.min(wanted, price) };
}
