/** How much of something one person may use at a stretch; what was used is given back evenly within `within` milliseconds. */
export interface Allowance {
  readonly most: number;
  readonly within: number;
}

/** What is used up of an allowance, as of a time. */
export interface Used {
  readonly amount: number;
  readonly at: number;
}

/** What is still used up of an allowance now (a bucket that leaks): 0 where nothing is known. */
export function stillUsed({ most, within }: Allowance, used: Used | undefined, now: number): number {
  if (used === undefined) return 0;
  return Math.max(0, used.amount - (Math.max(0, now - used.at) * most) / within);
}

/**
 * Whether `amount` more fits into an allowance. In any `within` milliseconds at most twice `most` is used.
 * @returns `used`: what to remember; `retryAfter`: milliseconds until so much would fit, for ever where it never does
 */
export function takeMore(
  allowance: Allowance,
  used: Used | undefined,
  amount: number,
  now: number,
): { ok: true; used: Used } | { ok: false; retryAfter: number } {
  const sum = stillUsed(allowance, used, now) + amount;
  if (sum <= allowance.most) return { ok: true, used: { amount: sum, at: now } };
  if (amount > allowance.most) return { ok: false, retryAfter: Number.POSITIVE_INFINITY };
  return { ok: false, retryAfter: Math.ceil(((sum - allowance.most) * allowance.within) / allowance.most) };
}
