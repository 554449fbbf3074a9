import type { Insertable, Selectable } from 'kysely';
import type { CouponState } from '#contract/values/order.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Coupons } from '#server/db/schema.ts';

type StoredCoupon = Selectable<Coupons>;

/** A coupon that somebody has, with what it promises. */
export interface OwnCoupon extends Omit<StoredCoupon, 'id' | 'created_at'> {
  id: number;
  user_id: number;
  state: CouponState;
  order_id: number | null;
}

const own = (query: Query) =>
  query
    .selectFrom('user_coupons')
    .innerJoin('coupons', 'coupons.id', 'user_coupons.coupon_id')
    .selectAll('coupons')
    .select(['user_coupons.id as id', 'user_coupons.user_id', 'user_coupons.state', 'user_coupons.order_id']);

/** The coupons of a student: those that can be used first, then by their end. */
export async function readOwnCoupons(query: Query, userId: number, limit: number): Promise<OwnCoupon[]> {
  return own(query)
    .where('user_coupons.user_id', '=', userId)
    .orderBy('user_coupons.state')
    .orderBy('coupons.valid_until', 'desc')
    .orderBy('user_coupons.id')
    .limit(limit)
    .execute();
}

/** One coupon of a student; undefined: it is nobody's, or another's. */
export async function findOwnCoupon(query: Query, userId: number, id: number): Promise<OwnCoupon | undefined> {
  return own(query).where('user_coupons.id', '=', id).where('user_coupons.user_id', '=', userId).executeTakeFirst();
}

/** Takes a coupon that is free, or is this order's already. @returns whether it is the order's now */
export async function takeCoupon(trx: Trx, id: number, orderId: number, state: 'held' | 'used'): Promise<boolean> {
  const taken = await trx
    .updateTable('user_coupons')
    .set({ state, order_id: orderId })
    .where('id', '=', id)
    .where((is) => is.or([is('state', '=', 'free'), is('order_id', '=', orderId)]))
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
}

/** Gives the coupon of an order back to its student; twice is the same as once. */
export async function giveCouponBack(trx: Trx, orderId: number): Promise<void> {
  await trx
    .updateTable('user_coupons')
    .set({ state: 'free', order_id: null })
    .where('order_id', '=', orderId)
    .execute();
}

/** The coupon behind a code, which is locked until the transaction ends. */
export async function lockCode(
  trx: Trx,
  code: string,
): Promise<{ coupon: StoredCoupon; most: number | null; used: number } | undefined> {
  const locked = await trx
    .updateTable('coupon_codes')
    .set(({ ref }) => ({ code: ref('code') }))
    .where('code', '=', code)
    .returningAll()
    .executeTakeFirst();
  if (!locked) return undefined;
  const coupon = await trx
    .updateTable('coupons')
    .set(({ ref }) => ({ slug: ref('slug') }))
    .where('id', '=', locked.coupon_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { coupon, most: locked.most, used: locked.used };
}

/** How many of a kind of coupon a student has got. */
export async function countOwn(query: Query, userId: number, couponId: number): Promise<number> {
  const { count } = await query
    .selectFrom('user_coupons')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('coupon_id', '=', couponId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Gives a coupon, which is counted for its kind and its code. */
export async function giveCoupon(
  trx: Trx,
  given: { id: number; userId: number; couponId: number; nth: number; code: string; now: number },
): Promise<void> {
  await trx
    .insertInto('user_coupons')
    .values({
      id: given.id,
      user_id: given.userId,
      coupon_id: given.couponId,
      nth: given.nth,
      code: given.code,
      state: 'free',
      order_id: null,
      created_at: given.now,
    })
    .execute();
  await trx
    .updateTable('coupons')
    .set(({ eb }) => ({ given: eb('given', '+', 1) }))
    .where('id', '=', given.couponId)
    .execute();
  if (given.code !== '')
    await trx
      .updateTable('coupon_codes')
      .set(({ eb }) => ({ used: eb('used', '+', 1) }))
      .where('code', '=', given.code)
      .execute();
}

/** Makes a kind of coupon with its codes. @throws a duplicate where slug or code is there already */
export async function addCoupon(
  trx: Trx,
  coupon: Insertable<Coupons>,
  codes: readonly { code: string; most: number | null }[],
): Promise<void> {
  const { id } = await trx.insertInto('coupons').values(coupon).returning('id').executeTakeFirstOrThrow();
  for (const { code, most } of codes)
    await trx.insertInto('coupon_codes').values({ code, coupon_id: id, most }).execute();
}

/** The kinds of coupons, newest first, with how many of each were used. */
export async function listCoupons(query: Query): Promise<(StoredCoupon & { used: number })[]> {
  const coupons = await query.selectFrom('coupons').selectAll().orderBy('id', 'desc').execute();
  const used = await query
    .selectFrom('user_coupons')
    .select(['coupon_id', ({ fn }) => fn.countAll<number>().as('used')])
    .where('state', '=', 'used')
    .groupBy('coupon_id')
    .execute();
  const counts = new Map(used.map((row) => [row.coupon_id, Number(row.used)]));
  return coupons.map((coupon) => ({ ...coupon, used: counts.get(coupon.id) ?? 0 }));
}

/** A page of the kinds of coupons, newest first, with how many codes each has and how many of it were used. */
export async function listCouponsPage(
  query: Query,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ coupons: (StoredCoupon & { used: number; codes: number })[]; total: number }> {
  const { total } = await query
    .selectFrom('coupons')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const coupons = await query
    .selectFrom('coupons')
    .selectAll()
    .select(({ selectFrom }) => [
      selectFrom('user_coupons')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('user_coupons.coupon_id', '=', 'coupons.id')
        .where('user_coupons.state', '=', 'used')
        .as('used'),
      selectFrom('coupon_codes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('coupon_codes.coupon_id', '=', 'coupons.id')
        .as('codes'),
    ])
    .orderBy('coupons.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return {
    coupons: coupons.map((coupon) => ({ ...coupon, used: Number(coupon.used), codes: Number(coupon.codes) })),
    total: Number(total),
  };
}

/** A kind of coupon by its slug; undefined: there is none. */
export async function findCoupon(query: Query, slug: string): Promise<StoredCoupon | undefined> {
  return query.selectFrom('coupons').selectAll().where('slug', '=', slug).executeTakeFirst();
}

/** The codes of a kind of coupon. */
export async function readCodes(
  query: Query,
  couponId: number,
): Promise<{ code: string; most: number | null; used: number }[]> {
  return query
    .selectFrom('coupon_codes')
    .select(['code', 'most', 'used'])
    .where('coupon_id', '=', couponId)
    .orderBy('code')
    .execute();
}

/** Ends a kind of coupon: nobody gets one any more, and none can be used. @returns whether there was one */
export async function endCoupon(query: Query, slug: string, now: number): Promise<boolean> {
  const ended = await query
    .updateTable('coupons')
    .set({ ended_at: now })
    .where('slug', '=', slug)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}
