import { yuanOf } from '#rules/order/money.ts';
import { mayClose, mayGiveUp, type OrderFacts, type Settlement, settle } from '#rules/order/order.ts';
import { enrolByOrder } from '#server/course/enrolment-store.ts';
import { findSoldPack, lockPack } from '#server/course/pack-store.ts';
import type { Trx } from '#server/db/open.ts';
import { saveNotices } from '#server/notice/store.ts';
import { isGone } from '#server/user/store.ts';
import { giveCouponBack, takeCoupon } from './coupon-store.ts';
import {
  addOrderEvent,
  addRefund,
  changeOrder,
  changePayment,
  countSeats,
  findOrder,
  findPayment,
  hasOtherLine,
  lockOrder,
  readPayments,
  type StoredOrder,
  type StoredPayment,
  type StoredRefund,
} from './order-store.ts';
import { type OrderParts, randomId, tradeNo } from './parts.ts';
import { type PaymentSaid, ProviderAway, ProviderRefused } from './provider.ts';
import { sendRefund } from './refund.ts';

/** What is decided about a stored order by. */
export const factsOf = (order: StoredOrder): OrderFacts => ({
  state: order.state,
  total: order.total,
  expiresAt: order.expires_at,
  hasCoupon: order.user_coupon_id !== null,
});

/**
 * Asks the provider about one attempt and does what follows from its word; what cannot be asked stays as it is and is asked
 * again. Calls, callbacks and chores all come through here, in any number and at any time.
 * @param closes an attempt that was not paid is ended at the provider
 * @returns whether the provider answered
 */
export async function askPayment(parts: OrderParts, outTradeNo: string, { closes = false } = {}): Promise<boolean> {
  const payment = await findPayment(parts.db.query, outTradeNo);
  const provider = payment && parts.providerOf(payment.channel);
  if (!payment) return false;
  if (!provider) {
    await giveUp(parts, payment, { silent: false });
    return false;
  }
  if (payment.state === 'paid') {
    await noteAsked(parts, payment, {});
    return true;
  }
  try {
    let said = await provider.query(outTradeNo);
    const order = await findOrder(parts.db.query, payment.order_id);
    // What has ended here ends there too.
    const ends = closes || payment.state === 'closed' || (order !== undefined && order.state !== 'open');
    if (said.state !== 'paid' && said.state !== 'closed' && ends)
      said = (await provider.close(outTradeNo)) === 'paid' ? await provider.query(outTradeNo) : { state: 'closed' };
    await takeWord(parts, payment, said);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderAway || error instanceof ProviderRefused)) throw error;
    parts.log.warn({ channel: payment.channel, outTradeNo, why: error.message }, 'a payment could not be asked about');
    // A closed one that could not be asked about stays to be asked about: its time for that may be over.
    const waits = payment.state === 'closed' && error instanceof ProviderAway;
    await noteAsked(parts, payment, waits ? { hinted: 1 } : {}, true);
    await giveUp(parts, payment, { silent: true });
    return false;
  }
}

/**
 * Ends an attempt whose provider the school has taken out, or that stays silent long after its end, so that its order ends. It stays
 * hinted: once the provider is there again it is asked, and money that came in time is not lost.
 */
async function giveUp(parts: OrderParts, payment: StoredPayment, { silent }: { silent: boolean }): Promise<void> {
  const { channel, out_trade_no: outTradeNo, expires_at: expiresAt } = payment;
  const now = parts.clock();
  if (!mayGiveUp({ state: payment.state, expiresAt }, { now, silent })) return;
  await parts.db.transaction(
    async (trx) => {
      await lockOrder(trx, payment.order_id);
      if ((await findPayment(trx, outTradeNo))?.state !== 'open') return;
      await changePayment(trx, payment.id, { state: 'closed', asked_at: now, hinted: 1 });
      const event = `${silent ? 'silent' : 'givenUp'}:${payment.id}`;
      await addOrderEvent(trx, { orderId: payment.order_id, event, now, words: { channel } });
    },
    { idempotent: () => true },
  );
  parts.log.error(
    { channel, outTradeNo },
    `a payment was given up: its provider ${silent ? 'does not answer' : 'is no longer set up'}`,
  );
}

async function noteAsked(
  parts: OrderParts,
  { id }: StoredPayment,
  change: { state?: 'closed'; hinted?: 1 },
  stillHinted = false,
): Promise<void> {
  await changePayment(parts.db.query, id, {
    asked_at: parts.clock(),
    ...(stillHinted ? {} : { hinted: 0 }),
    ...change,
  });
}

async function takeWord(parts: OrderParts, payment: StoredPayment, said: PaymentSaid): Promise<void> {
  const now = parts.clock();
  if (said.state !== 'paid') {
    await parts.db.transaction(
      async (trx) => {
        await lockOrder(trx, payment.order_id);
        const fresh = await findPayment(trx, payment.out_trade_no);
        const ends = fresh?.state === 'open' && said.state === 'closed';
        await changePayment(trx, payment.id, { asked_at: now, hinted: 0, ...(ends ? { state: 'closed' } : {}) });
      },
      { idempotent: () => true },
    );
    return;
  }
  const refund = await parts.db.transaction((trx) => takePaid(parts, trx, payment, said, now), {
    idempotent: () => true,
  });
  if (refund) await sendRefund(parts, refund);
}

/** Writes what a provider says was paid. Everything of it is one transaction, and no provider is asked inside. */
async function takePaid(
  parts: OrderParts,
  trx: Trx,
  { out_trade_no, order_id }: StoredPayment,
  said: Extract<PaymentSaid, { state: 'paid' }>,
  now: number,
): Promise<StoredRefund | null> {
  const order = await lockOrder(trx, order_id);
  const payment = await findPayment(trx, out_trade_no);
  if (!order || !payment) return null;
  const decided = await decide(trx, order, payment, said.amount);
  await changePayment(trx, payment.id, { asked_at: now, hinted: 0 });
  if (decided.do === 'nothing') return null;
  await changePayment(trx, payment.id, {
    state: 'paid',
    paid: said.amount,
    provider_no: said.providerNo.slice(0, 100),
    paid_at: said.paidAt ?? now,
  });
  if (decided.do === 'enrol') {
    await giveCourse(parts, trx, order, { payment, now });
    return null;
  }
  await addOrderEvent(trx, {
    orderId: order.id,
    event: `returned:${payment.id}`,
    now,
    words: { why: decided.reason, paid: said.amount, channel: payment.channel },
  });
  const told = decided.reason === 'accountGone' ? [] : [order.user_id];
  await saveNotices(
    trx,
    parts.random,
    now,
    told.map((userId) => ({
      userId,
      event: `orderReturned:${payment.id}`,
      kind: 'orderReturned',
      words: { title: order.title, total: yuanOf(said.amount), orderNo: order.order_no },
    })),
  );
  if (decided.close) await closeOrder(trx, order, now);
  if (order.state !== 'paid' && order.state !== 'refunded')
    await changeOrder(trx, order.id, { returned: decided.reason });
  return addRefund(trx, {
    id: randomId(parts.random),
    order_id: order.id,
    payment_id: payment.id,
    out_refund_no: tradeNo(parts.random),
    request_id: `return-${payment.id}`,
    amount: said.amount,
    reason: decided.reason,
    by_whom: 'system',
    state: 'waiting',
    created_at: now,
    done_at: null,
  });
}

/** Loads what the rule asks for, and takes a coupon again that had been given back. */
async function decide(trx: Trx, order: StoredOrder, payment: StoredPayment, paid: number): Promise<Settlement> {
  const late = order.state === 'closed';
  if (late) await lockPack(trx, order.pack_id);
  const pack = late ? await findSoldPack(trx, order.pack_id) : null;
  const around = {
    gone: await isGone(trx, order.user_id),
    hasCourse: await hasOtherLine(trx, order),
    onOffer: pack !== null && !pack.archived,
    seat: pack !== null && (pack.seats === null || (await countSeats(trx, pack.id)) < pack.seats),
    coupon: true,
  };
  const decided = settle(factsOf(order), payment, paid, around);
  if (decided.do !== 'enrol' || !decided.retake || order.user_coupon_id === null) return decided;
  if (await takeCoupon(trx, order.user_coupon_id, order.id, 'used')) return decided;
  return settle(factsOf(order), payment, paid, { ...around, coupon: false });
}

/** An order is paid: its student is enrolled, told once, and its coupon is used. @param payment null: it cost nothing */
export async function giveCourse(
  { random }: Pick<OrderParts, 'random'>,
  trx: Trx,
  order: StoredOrder,
  { payment, now }: { payment: StoredPayment | null; now: number },
): Promise<void> {
  await changeOrder(trx, order.id, {
    state: 'paid',
    access: 1,
    seat: 1,
    payment_id: payment?.id ?? null,
    sandbox: payment?.channel === 'sandbox' ? 1 : 0,
    paid_at: now,
    closed_at: null,
    returned: '',
  });
  if (order.user_coupon_id !== null) await takeCoupon(trx, order.user_coupon_id, order.id, 'used');
  await enrolByOrder(trx, order.user_id, order.pack_id, now);
  await addOrderEvent(trx, {
    orderId: order.id,
    event: 'paid',
    now,
    words: { total: order.total, channel: payment?.channel ?? null, late: order.state === 'closed' },
  });
  await saveNotices(trx, random, now, [
    {
      userId: order.user_id,
      event: `orderPaid:${order.id}`,
      kind: 'orderPaid',
      words: { title: order.title, total: yuanOf(order.total), orderNo: order.order_no },
    },
  ]);
}

async function closeOrder(trx: Trx, { id }: StoredOrder, now: number): Promise<void> {
  await changeOrder(trx, id, { state: 'closed', seat: 0, closed_at: now });
  await giveCouponBack(trx, id);
  await addOrderEvent(trx, { orderId: id, event: 'closed', now });
}

/**
 * Ends an order that waits, by time or by its student: every attempt is ended at its provider first, and one that was paid
 * meanwhile pays the order. One whose provider does not answer keeps the order open, for the next time.
 * @returns the order as it is now
 */
export async function endOrder(parts: OrderParts, orderId: number): Promise<StoredOrder | undefined> {
  for (const payment of await readPayments(parts.db.query, [orderId]))
    if (payment.state === 'open') await askPayment(parts, payment.out_trade_no, { closes: true });
  return parts.db.transaction(
    async (trx) => {
      const order = await lockOrder(trx, orderId);
      if (order && mayClose(factsOf(order), await readPayments(trx, [orderId]))) {
        await closeOrder(trx, order, parts.clock());
        return findOrder(trx, orderId);
      }
      return order;
    },
    { idempotent: () => true },
  );
}
