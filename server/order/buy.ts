import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { CreateOrder, ListOrders, PayOrder, UseCoupon } from '#contract/order.ts';
import type { PayChannel } from '#contract/values/order.ts';
import { chinaTime } from '#rules/clock/china-day.ts';
import { discountOf } from '#rules/order/coupon.ts';
import { expiryOf, mayPay, mayTakeFree } from '#rules/order/order.ts';
import { saleState } from '#rules/order/sale.ts';
import { isEnrolled } from '#server/course/enrolment-store.ts';
import { findSoldPack, lockPack } from '#server/course/pack-store.ts';
import { isDuplicate, type Query, type Trx } from '#server/db/open.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { termsOf } from './coupon.ts';
import { findOwnCoupon, giveCouponBack, takeCoupon } from './coupon-store.ts';
import {
  addOrder,
  addOrderEvent,
  addPayment,
  changeOrder,
  changePayment,
  claimAsk,
  countSeats,
  findOrder,
  findPayment,
  findSameOrder,
  hasOtherLine,
  listOrders,
  lockOrder,
  readPayments,
  readRefunds,
  type StoredOrder,
  type StoredPayment,
} from './order-store.ts';
import { type OrderParts, randomId, tradeNo } from './parts.ts';
import { type PaymentProvider, ProviderAway, ProviderRefused } from './provider.ts';
import { askPayment, endOrder, factsOf, giveCourse } from './settle.ts';

type OrderOnWire = DataOf<typeof CreateOrder>;
type Refusal = { ok: false; why: Why };
type Answer = { ok: true; order: StoredOrder } | Refusal;
const no = (why: Why): Refusal => ({ ok: false, why });

/** Orders and payments that one student begins: more than anyone does by hand. */
const ORDERS = [
  { most: 10, within: 10 * 60_000 },
  { most: 60, within: 24 * 60 * 60_000 },
];
const PAYMENTS = [{ most: 30, within: 10 * 60_000 }];
/** A page that waits asks again and again; the providers are asked this often at most (milliseconds). */
const ASK_EVERY = 5000;

/** Orders as their students see them. */
export async function shown(query: Query, orders: readonly StoredOrder[]): Promise<OrderOnWire[]> {
  const refunds = Map.groupBy(
    await readRefunds(
      query,
      orders.map(({ id }) => id),
    ),
    ({ order_id }) => order_id,
  );
  return orders.map((order) => {
    const own = refunds.get(order.id) ?? [];
    const sum = (wanted: typeof own) => wanted.reduce((total, { amount }) => total + amount, 0);
    return {
      orderId: order.id,
      orderNo: order.order_no,
      packId: order.pack_id,
      packageName: order.title,
      price: order.price,
      discount: order.discount,
      total: order.total,
      couponName: order.coupon_name,
      state: order.state,
      sandbox: order.sandbox,
      createdAt: order.created_at,
      expiresAt: order.expires_at,
      paidAt: order.paid_at,
      refunded: sum(own.filter((refund) => refund.state === 'done' && refund.payment_id === order.payment_id)),
      refunding: sum(own.filter(({ state }) => state === 'waiting')),
      returned: order.returned === '' ? null : order.returned,
    };
  });
}

/** The order of a student; another's is none. */
export async function findOwnOrder(query: Query, userId: number, orderId: number): Promise<StoredOrder | undefined> {
  const order = await findOrder(query, orderId);
  return order?.user_id === userId ? order : undefined;
}

/**
 * Orders a pack. The price is the pack's at this moment, the server's alone, and copied; the coupon is held and a seat taken in
 * the same transaction. The same press of the button gives the same order, and so does another one while an order of this
 * pack waits.
 */
export async function createOrder(
  parts: OrderParts,
  { userId, now, ...asked }: InputOf<typeof CreateOrder> & { userId: number; now: number },
): Promise<Answer> {
  const { query } = parts.db;
  const same = await findSameOrder(query, { userId, ...asked });
  if (same) return same.pack_id === asked.packId ? { ok: true, order: same } : no('badInput');
  const lacks = await parts.mayPay(userId, now);
  if (lacks !== null) return no(lacks);
  const counted = await countEvent(query, `order:${userId}`, ORDERS, now);
  if (!counted.ok) return no('tooMany');
  try {
    return await parts.db.transaction((trx) => addNewOrder(parts, trx, { userId, now, ...asked }));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // The other press of the button was a moment faster.
    const order = await findSameOrder(query, { userId, ...asked });
    if (order?.pack_id === asked.packId) return { ok: true, order };
    return order ? no('badInput') : Promise.reject(error);
  }
}

async function addNewOrder(
  parts: OrderParts,
  trx: Trx,
  { userId, now, packId, requestId, userCouponId }: InputOf<typeof CreateOrder> & { userId: number; now: number },
): Promise<Answer> {
  await lockPack(trx, packId);
  // The same press, or another one of this student, was a moment faster: its seat and its coupon are this one's.
  const same = await findSameOrder(trx, { userId, packId, requestId });
  if (same) return same.pack_id === packId ? { ok: true, order: same } : no('badInput');
  const pack = await findSoldPack(trx, packId);
  if (!pack || pack.archived) return no('notFound');
  if (await hasPack(trx, { id: 0, user_id: userId, pack_id: packId })) return no('alreadyJoined');
  const state = saleState({ ...pack, taken: await countSeats(trx, packId) }, now, parts.channels().length > 0);
  if (state === 'soldOut') return no('soldOut');
  if (state !== 'onSale' || pack.price === null) return no('notOnSale');
  const id = randomId(parts.random);
  const cut = await holdCoupon(
    trx,
    { userId, orderId: id, userCouponId: userCouponId ?? null },
    { ...pack, price: pack.price },
    now,
  );
  if (!cut.ok) return cut;
  const order = await addOrder(trx, {
    id,
    order_no: `${chinaTime(now).slice(0, 10).replaceAll('-', '')}${parts.random(8).toString('hex')}`,
    user_id: userId,
    pack_id: packId,
    request_id: requestId,
    title: pack.name,
    price: pack.price,
    discount: cut.off,
    total: pack.price - cut.off,
    user_coupon_id: cut.userCouponId,
    coupon_name: cut.name,
    state: 'open',
    seat: 1,
    payment_id: null,
    created_at: now,
    expires_at: expiryOf(now),
    paid_at: null,
    closed_at: null,
  });
  await addOrderEvent(trx, { orderId: id, event: 'made', now, words: { total: order.total } });
  return { ok: true, order };
}

/** Whether a student has the pack of an order by something else: late money of an earlier order, or the school, may have given it while the order waited. */
async function hasPack(trx: Trx, order: Pick<StoredOrder, 'id' | 'user_id' | 'pack_id'>): Promise<boolean> {
  return (await isEnrolled(trx, order.user_id, order.pack_id)) || hasOtherLine(trx, order);
}

type Cut = { ok: true; off: number; userCouponId: number | null; name: string };

/** Holds a coupon for an order, if it may be used for the pack at this price now. */
async function holdCoupon(
  trx: Trx,
  { userId, orderId, userCouponId }: { userId: number; orderId: number; userCouponId: number | null },
  pack: { id: number; price: number },
  now: number,
): Promise<Cut | Refusal> {
  if (userCouponId === null) return { ok: true, off: 0, userCouponId: null, name: '' };
  const coupon = await findOwnCoupon(trx, userId, userCouponId);
  if (!coupon || coupon.ended_at !== null) return no('couponGone');
  const cut = discountOf(termsOf(coupon), { price: pack.price, packId: pack.id, now });
  if (!cut.ok) return cut;
  if (!(await takeCoupon(trx, userCouponId, orderId, 'held'))) return no('couponGone');
  return { ok: true, off: cut.off, userCouponId, name: coupon.name };
}

/** A refusal inside of a transaction that has written: everything is taken back. */
class TakenBack extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.why);
    this.refusal = refusal;
  }
}

/** Uses another coupon for an order that waits, or none; its price stays as it was. */
export async function changeCoupon(
  parts: OrderParts,
  { userId, orderId, userCouponId, now }: InputOf<typeof UseCoupon> & { userId: number; now: number },
): Promise<Answer> {
  const found = await findOwnOrder(parts.db.query, userId, orderId);
  if (!found) return no('notFound');
  try {
    return await parts.db.transaction<Answer>(
      async (trx) => {
        const order = await lockOrder(trx, orderId);
        if (!order) return no('notFound');
        if (order.user_coupon_id === userCouponId) return { ok: true, order };
        const may = mayPay({ ...factsOf(order), total: 1 }, now);
        if (!may.ok) return no(may.why);
        // An attempt carries the total that it was begun with, and a closed one may still bring money.
        if ((await readPayments(trx, [orderId])).length > 0) return no('payingAlready');
        await giveCouponBack(trx, orderId);
        const pack = { id: order.pack_id, price: order.price };
        const cut = await holdCoupon(trx, { userId, orderId, userCouponId }, pack, now);
        if (!cut.ok) throw new TakenBack(cut);
        await changeOrder(trx, orderId, {
          discount: cut.off,
          total: order.price - cut.off,
          user_coupon_id: cut.userCouponId,
          coupon_name: cut.name,
        });
        const changed = await findOrder(trx, orderId);
        return changed ? { ok: true, order: changed } : no('notFound');
      },
      { idempotent: () => true },
    );
  } catch (error) {
    if (error instanceof TakenBack) return error.refusal;
    throw error;
  }
}

/** Takes an order whose total is 0 as paid. */
export async function takeFree(
  parts: OrderParts,
  { userId, orderId, now }: { userId: number; orderId: number; now: number },
): Promise<Answer> {
  if (!(await findOwnOrder(parts.db.query, userId, orderId))) return no('notFound');
  const lacks = await parts.mayPay(userId, now);
  if (lacks !== null) return no(lacks);
  return parts.db.transaction<Answer>(
    async (trx) => {
      const order = await lockOrder(trx, orderId);
      if (!order) return no('notFound');
      // Computed again from what was copied: a total that says 0 and is not would give a course away.
      const total = order.price - order.discount;
      const may = mayTakeFree({ ...factsOf(order), total: Math.max(total, order.total) }, now);
      if (!may.ok) return may.why === 'orderPaid' && total === 0 ? { ok: true, order } : no(may.why);
      if (await hasPack(trx, order)) return no('alreadyJoined');
      await giveCourse(parts, trx, order, { payment: null, now });
      const paid = await findOrder(trx, orderId);
      return paid ? { ok: true, order: paid } : no('notFound');
    },
    { idempotent: () => true },
  );
}

type Paying = { ok: true; paying: DataOf<typeof PayOrder> } | Refusal;

/**
 * Begins to pay an order in one way. The attempt is committed before its provider hears of it; two windows share one, and
 * one that a provider did not answer is begun again with its own number.
 */
export async function payOrder(
  parts: OrderParts,
  { userId, orderId, channel, now }: InputOf<typeof PayOrder> & { userId: number; now: number },
): Promise<Paying> {
  const found = await findOwnOrder(parts.db.query, userId, orderId);
  if (!found) return no('notFound');
  const provider = parts.providerOf(channel);
  if (!provider) return no('noSuchChannel');
  const lacks = await parts.mayPay(userId, now);
  if (lacks !== null) return no(lacks);
  const counted = await countEvent(parts.db.query, `pay:${userId}`, PAYMENTS, now);
  if (!counted.ok) return no('tooMany');
  const attempt = await parts.db.transaction<{ ok: true; payment: StoredPayment } | Refusal>(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (!order) return no('notFound');
    const may = mayPay(factsOf(order), now);
    if (!may.ok) return no(may.why);
    if (await hasPack(trx, order)) return no('alreadyJoined');
    const open = (await readPayments(trx, [orderId])).find((one) => one.channel === channel && one.state === 'open');
    if (open) return { ok: true, payment: open };
    const payment = await addPayment(trx, {
      id: randomId(parts.random),
      order_id: orderId,
      out_trade_no: tradeNo(parts.random),
      channel,
      amount: order.total,
      state: 'open',
      created_at: now,
      expires_at: order.expires_at,
      paid_at: null,
      asked_at: now,
    });
    return { ok: true, payment };
  });
  if (!attempt.ok) return attempt;
  const { payment } = attempt;
  const way = payment.way === '' ? await begin(parts, provider, payment, found) : payment.way;
  if (way === null) return no('payAway');
  const { codeUrl = null, payUrl = null } = JSON.parse(way) as { codeUrl?: string; payUrl?: string };
  return { ok: true, paying: { channel, codeUrl, payUrl, amount: payment.amount, expiresAt: payment.expires_at } };
}

/** @returns what the student's page needs, as it is stored; null: the provider did not answer, or refused */
async function begin(
  parts: OrderParts,
  provider: PaymentProvider,
  { id, out_trade_no: outTradeNo, amount, expires_at: expiresAt }: StoredPayment,
  { id: orderId, title }: StoredOrder,
): Promise<string | null> {
  try {
    const begun = await provider.begin({ outTradeNo, amount, title, orderId, now: parts.clock(), expiresAt });
    const way = JSON.stringify(begun);
    await changePayment(parts.db.query, id, { way });
    // The order may have been given up meanwhile: then nobody is to pay this any more.
    if ((await findPayment(parts.db.query, outTradeNo))?.state !== 'open') {
      await askPayment(parts, outTradeNo, { closes: true });
      return null;
    }
    return way;
  } catch (error) {
    if (!(error instanceof ProviderAway || error instanceof ProviderRefused)) throw error;
    parts.log.error({ channel: provider.channel, outTradeNo, why: error.message }, 'a payment could not be begun');
    return null;
  }
}

/** Closes an order of a student that waits. */
export async function cancelOrder(
  parts: OrderParts,
  { userId, orderId }: { userId: number; orderId: number },
): Promise<Answer> {
  const found = await findOwnOrder(parts.db.query, userId, orderId);
  if (!found) return no('notFound');
  const order = found.state === 'open' ? await endOrder(parts, orderId) : found;
  if (order?.state === 'closed') return { ok: true, order };
  if (order?.state !== 'open') return no('orderPaid');
  return no('payUnsure');
}

/** The state of an order; while it waits its providers are asked, seldom enough. */
export async function queryState(
  parts: OrderParts,
  { userId, orderId, now }: { userId: number; orderId: number; now: number },
): Promise<{ ok: true; order: StoredOrder; asked: boolean } | Refusal> {
  const { query } = parts.db;
  const order = await findOwnOrder(query, userId, orderId);
  if (!order) return no('notFound');
  if (order.state !== 'open' || !(await claimAsk(query, orderId, now, ASK_EVERY)))
    return { ok: true, order, asked: false };
  let asked = false;
  for (const payment of await readPayments(query, [orderId]))
    if (payment.state === 'open') asked = (await askPayment(parts, payment.out_trade_no)) || asked;
  return { ok: true, order: (await findOrder(query, orderId)) ?? order, asked };
}

/** Pays an order at the cashier that moves no money. */
export async function paySandbox(
  parts: OrderParts,
  { userId, orderId, now }: { userId: number; orderId: number; now: number },
): Promise<Answer> {
  const order = await findOwnOrder(parts.db.query, userId, orderId);
  if (!order || !parts.sandbox) return no('notFound');
  const payment = (await readPayments(parts.db.query, [orderId])).find(
    ({ channel, state }) => channel === 'sandbox' && state === 'open',
  );
  if (!payment) return order.state === 'paid' ? { ok: true, order } : no('notFound');
  await parts.sandbox.pay(payment.out_trade_no, now);
  await askPayment(parts, payment.out_trade_no);
  return { ok: true, order: (await findOrder(parts.db.query, orderId)) ?? order };
}

/** A page of the orders of a student. */
export async function ownOrders(
  { db: { query } }: OrderParts,
  userId: number,
  { packId, state, pageNum, pageSize }: InputOf<typeof ListOrders>,
): Promise<DataOf<typeof ListOrders>> {
  const page = { limit: pageSize, offset: (pageNum - 1) * pageSize };
  const { orders, total } = await listOrders(query, { userId, packId, state, ...page });
  return { list: await shown(query, orders), total, pages: Math.ceil(total / pageSize), pageNum };
}

/** The ways in which an order can be paid. */
export const channelsFor = (parts: OrderParts, { state, total }: StoredOrder): PayChannel[] =>
  state === 'open' && total > 0 ? parts.channels() : [];
