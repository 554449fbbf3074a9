import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ExchangeCoupon, ListCoupons } from '#contract/order.ts';
import { type CouponTerms, discountOf } from '#rules/order/coupon.ts';
import { findSoldPack } from '#server/course/pack-store.ts';
import { isDuplicate } from '#server/db/open.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { countOwn, findOwnCoupon, giveCoupon, lockCode, type OwnCoupon, readOwnCoupons } from './coupon-store.ts';
import { type OrderParts, randomId } from './parts.ts';

type CouponOnWire = DataOf<typeof ExchangeCoupon>;
type Listed = DataOf<typeof ListCoupons>['list'];

/** Tries at codes of one student: nobody types more, and nobody guesses one. */
const TRIES = [
  { most: 10, within: 60_000 },
  { most: 60, within: 24 * 60 * 60_000 },
];
/** Coupons that are shown at once: those that can be used come first. */
const MOST_SHOWN = 200;

type Promised = Pick<OwnCoupon, 'kind' | 'off' | 'most_off' | 'threshold' | 'pack_ids' | 'valid_from' | 'valid_until'>;

/** What a stored coupon promises. */
export const termsOf = (coupon: Promised): CouponTerms => ({
  kind: coupon.kind,
  off: coupon.off,
  mostOff: coupon.most_off,
  threshold: coupon.threshold,
  packIds: coupon.pack_ids === null ? null : (JSON.parse(coupon.pack_ids) as number[]),
  validFrom: coupon.valid_from,
  validUntil: coupon.valid_until,
});

function onTheWire(coupon: OwnCoupon): CouponOnWire {
  const { packIds, ...terms } = termsOf(coupon);
  const { id: userCouponId, name, state } = coupon;
  return { userCouponId, name, ...terms, packIds: packIds && [...packIds], state };
}

/** The coupons of a student; with a pack what each takes off its price now. Null: there is no such pack. */
export async function listOwnCoupons(
  { db: { query } }: OrderParts,
  { userId, packId, now }: { userId: number; packId: number | undefined; now: number },
): Promise<Listed | null> {
  const pack = packId === undefined ? null : await findSoldPack(query, packId);
  if (packId !== undefined && (!pack || pack.archived)) return null;
  return (await readOwnCoupons(query, userId, MOST_SHOWN)).map((coupon) => {
    const price = pack?.price ?? null;
    const usable = coupon.state === 'free' && coupon.ended_at === null && pack !== null && price !== null;
    const cut = usable ? discountOf(termsOf(coupon), { price, packId: pack.id, now }) : null;
    return {
      ...onTheWire(coupon),
      over: coupon.ended_at !== null || now >= coupon.valid_until ? 1 : 0,
      discount: cut?.ok ? cut.off : null,
    };
  });
}

/** Codes are typed in any case, with blanks and hyphens where somebody wrote them. */
export const tidyCode = (typed: string) => typed.replace(/[\s-]/g, '').toUpperCase();

/** Gives a student the coupon of a code: each as often as it is given to one person, and no more than there are. */
export async function exchangeCoupon(
  parts: OrderParts,
  { userId, code: typed, now }: { userId: number; code: string; now: number },
): Promise<{ ok: true; coupon: CouponOnWire } | { ok: false; why: Why }> {
  const code = tidyCode(typed);
  const counted = await countEvent(parts.db.query, `coupon:${userId}`, TRIES, now);
  if (!counted.ok) return { ok: false, why: 'tooMany' };
  // Codes are letters and digits: what has other signs is none, and is no text for the database either.
  if (!/^[0-9A-Z]+$/.test(code)) return { ok: false, why: 'noSuchCode' };
  const id = randomId(parts.random);
  const given = await parts.db
    .transaction<Why | null>(async (trx) => {
      const found = await lockCode(trx, code);
      if (!found || found.coupon.ended_at !== null) return 'noSuchCode';
      const { coupon } = found;
      if (now >= coupon.valid_until) return 'couponOver';
      const nth = (await countOwn(trx, userId, coupon.id)) + 1;
      if (nth > coupon.per_person) return 'couponTaken';
      const out = found.most !== null && found.used >= found.most;
      if (out || (coupon.most !== null && coupon.given >= coupon.most)) return 'couponsOut';
      await giveCoupon(trx, { id, userId, couponId: coupon.id, nth, code, now });
      return null;
    })
    .catch((error: unknown) => {
      if (isDuplicate(error)) return 'couponTaken' as const;
      throw error;
    });
  if (given !== null) return { ok: false, why: given };
  const own = await findOwnCoupon(parts.db.query, userId, id);
  return own ? { ok: true, coupon: onTheWire(own) } : { ok: false, why: 'noSuchCode' };
}
