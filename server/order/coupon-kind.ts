import { hash } from 'node:crypto';
import type { InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { AddCoupon } from '#contract/order-desk.ts';
import { chinaDay, DAY } from '#rules/clock/china-day.ts';
import { readPackNames } from '#server/course/store.ts';
import { isDuplicate } from '#server/db/open.ts';
import type { Random } from '#server/parts.ts';
import { tidyCode } from './coupon.ts';
import { addCoupon, findCoupon } from './coupon-store.ts';
import type { OrderParts } from './parts.ts';

/** What a kind of coupon is made of; the page and the command (`coupon add`) say the same. */
type NewCoupon = Omit<InputOf<typeof AddCoupon>, 'requestId'> & { slug: string };

/**
 * Makes a kind of coupon with its codes: one for everybody, or as many as are asked for that work once each.
 * @returns its codes
 */
export async function makeCouponKind(
  { db, random }: Pick<OrderParts, 'db' | 'random'>,
  { slug, ...asked }: NewCoupon,
  now: number,
): Promise<{ ok: true; codes: string[] } | { ok: false; why: Why }> {
  const name = asked.name.trim();
  if (name === '' || [...name].length > 40) return { ok: false, why: 'couponNameWrong' };
  if (asked.off < 1 || (asked.kind === 'percent' && asked.off > 100)) return { ok: false, why: 'couponOffWrong' };
  const from = asked.from === undefined ? now : chinaDay(asked.from);
  const until = chinaDay(asked.until);
  if (from === null || until === null || until + DAY <= from || until + DAY <= now)
    return { ok: false, why: 'couponDaysWrong' };
  const one = asked.code === undefined ? null : tidyCode(asked.code);
  const wrongCode =
    one === null ? asked.count === undefined : asked.count !== undefined || !/^[0-9A-Z]{4,40}$/.test(one);
  if (wrongCode) return { ok: false, why: 'couponCodeWrong' };
  const packIds = asked.packIds ?? null;
  if (packIds && (await readPackNames(db.query, packIds)).size < new Set(packIds).size)
    return { ok: false, why: 'notFound' };
  const codes =
    one === null
      ? Array.from({ length: asked.count ?? 0 }, () => ({ code: randomCode(random), most: 1 }))
      : [{ code: one, most: null }];
  const coupon = {
    slug,
    name,
    kind: asked.kind,
    off: asked.off,
    most_off: asked.kind === 'percent' ? (asked.mostOff ?? null) : null,
    threshold: asked.threshold ?? 0,
    pack_ids: packIds && packIds.length > 0 ? JSON.stringify(packIds) : null,
    valid_from: from,
    valid_until: until + DAY,
    most: asked.most ?? null,
    per_person: asked.perPerson ?? 1,
    created_at: now,
    ended_at: null,
  };
  try {
    await db.transaction((trx) => addCoupon(trx, coupon, codes));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return { ok: false, why: 'codeThere' };
  }
  return { ok: true, codes: codes.map(({ code }) => code) };
}

/** Makes a kind of coupon that a page's press of a button named: the same press twice is once. */
export async function makeCouponOnce(
  parts: Pick<OrderParts, 'db' | 'random'>,
  { requestId, ...asked }: InputOf<typeof AddCoupon>,
  now: number,
): Promise<{ ok: true; slug: string } | { ok: false; why: Why }> {
  // By its hash: presses whose names differ in case or sign alone are two.
  const slug = `p-${hash('sha256', requestId, 'hex').slice(0, 32)}`;
  if (await findCoupon(parts.db.query, slug)) return { ok: true, slug };
  const made = await makeCouponKind(parts, { ...asked, slug }, now);
  if (made.ok || (made.why === 'codeThere' && (await findCoupon(parts.db.query, slug)))) return { ok: true, slug };
  return made;
}

/** Sixteen signs that nobody mistakes for each other: 80 bits of chance. */
function randomCode(random: Random): string {
  const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  return [...random(16)].map((byte) => signs[byte % 32]).join('');
}
