import { yuanOf } from '#rules/order/money.ts';
import { isWholeRefund, mayRefund, refundable } from '#rules/order/order.ts';
import { endEnrolmentByOrder } from '#server/course/enrolment-store.ts';
import type { Trx } from '#server/db/open.ts';
import { saveNotices } from '#server/notice/store.ts';
import { giveCouponBack } from './coupon-store.ts';
import {
  addOrderEvent,
  addRefund,
  changeOrder,
  changeRefund,
  claimRefund,
  findRefund,
  hasOtherLine,
  lockOrder,
  readOrderEvents,
  readPayments,
  readRefunds,
  type StoredOrder,
  type StoredRefund,
} from './order-store.ts';
import { type OrderParts, randomId, tradeNo } from './parts.ts';
import { ProviderAway, ProviderRefused, type RefundSaid } from './provider.ts';
import { answerRefundAsk } from './request-store.ts';

/** Who asks for money to go back, and of which order how much. */
interface RefundAsk {
  orderId: number;
  /** In fen; null: all that is left. */
  amount: number | null;
  reason: string;
  byWhom: string;
  /** The same one twice is one refund. */
  requestId: string;
}

type RefundAnswer =
  | { ok: true; refund: StoredRefund }
  | { ok: false; why: 'notFound' | 'notPaid' | 'tooMuchBack' | 'tooManyRefunds' };

/** Lets a part of what an order was paid with go back, or all of it; never more than was paid (rules/order/order.ts). */
export async function refundOrder(parts: OrderParts, asked: RefundAsk): Promise<RefundAnswer> {
  const answer = await parts.db.transaction<RefundAnswer>(
    async (trx) => {
      const order = await lockOrder(trx, asked.orderId);
      if (!order) return { ok: false, why: 'notFound' };
      const before = await readRefunds(trx, [order.id]);
      const same = before.find(({ request_id }) => request_id === asked.requestId);
      if (same) return { ok: true, refund: same };
      const payment = (await readPayments(trx, [order.id])).find(({ id }) => id === order.payment_id);
      if (order.state !== 'paid' || !payment) return { ok: false, why: 'notPaid' };
      const own = before.filter(({ payment_id }) => payment_id === payment.id);
      const amount = asked.amount ?? refundable(payment.paid, own);
      const may = mayRefund(payment.paid, own, amount);
      if (!may.ok) return may;
      const now = parts.clock();
      const refund = await addRefund(trx, {
        id: randomId(parts.random),
        order_id: order.id,
        payment_id: payment.id,
        out_refund_no: tradeNo(parts.random),
        request_id: asked.requestId,
        amount,
        reason: asked.reason,
        by_whom: asked.byWhom,
        state: 'waiting',
        created_at: now,
        done_at: null,
      });
      // Whoever gives money back has answered who asked for it.
      const agreed = { state: 'agreed' as const, answer: '', by_whom: asked.byWhom, refund_id: refund.id };
      await answerRefundAsk(trx, order.id, { ...agreed, answered_at: now });
      const words = { amount, reason: asked.reason, by: asked.byWhom };
      await addOrderEvent(trx, { orderId: order.id, event: `refund:${refund.id}`, now, words });
      return { ok: true, refund };
    },
    { idempotent: () => true },
  );
  if (answer.ok && answer.refund.state === 'waiting') await sendRefund(parts, answer.refund);
  return answer;
}

/**
 * Ends an order that cost nothing, as a whole refund does one that was paid; its student is told why. The same press is once.
 * @returns false: it was paid with money, or gives nothing
 */
export async function revokeFree(
  parts: OrderParts,
  { orderId, reason, byWhom, requestId }: Omit<RefundAsk, 'amount'>,
): Promise<boolean> {
  return parts.db.transaction(
    async (trx) => {
      const order = await lockOrder(trx, orderId);
      if (!order || order.payment_id !== null) return false;
      const event = `ended:${requestId}`;
      if (order.state !== 'paid') return (await readOrderEvents(trx, orderId)).some((one) => one.event === event);
      const now = parts.clock();
      await takeCourse(trx, order, now, { event, words: { reason, by: byWhom } });
      const words = { title: order.title, reason, orderNo: order.order_no };
      await saveNotices(trx, parts.random, now, [
        { userId: order.user_id, event: `orderEnded:${orderId}`, kind: 'orderEnded', words },
      ]);
      return true;
    },
    { idempotent: () => true },
  );
}

/**
 * Asks again for what a provider said could not go back, each with a new number, since the old one has its answer.
 * @returns how many
 */
export async function repeatRefund(
  parts: OrderParts,
  orderId: number,
  { reason, byWhom }: { reason: string; byWhom: string },
): Promise<number> {
  const again = await parts.db.transaction(
    async (trx) => {
      await lockOrder(trx, orderId);
      const refunds = await readRefunds(trx, [orderId]);
      const payments = await readPayments(trx, [orderId]);
      const made: StoredRefund[] = [];
      for (const failed of refunds.filter(({ state }) => state === 'failed')) {
        const payment = payments.find(({ id }) => id === failed.payment_id);
        const request_id = `again-${failed.id}`;
        const own = [...refunds, ...made].filter(({ payment_id }) => payment_id === failed.payment_id);
        if (!payment || own.some((one) => one.request_id === request_id)) continue;
        if (!mayRefund(payment.paid, own, failed.amount).ok) continue;
        const { order_id, payment_id, amount } = failed;
        const named = { id: randomId(parts.random), out_refund_no: tradeNo(parts.random), request_id };
        const asked = { reason, by_whom: byWhom, state: 'waiting' as const, created_at: parts.clock(), done_at: null };
        made.push(await addRefund(trx, { ...named, ...asked, order_id, payment_id, amount }));
      }
      return made;
    },
    { idempotent: () => true },
  );
  for (const refund of again) await sendRefund(parts, refund);
  return again.length;
}

/** Tries to bring money back, or asks what became of it: always with the same number. */
export async function sendRefund(parts: OrderParts, refund: StoredRefund): Promise<void> {
  const payments = await readPayments(parts.db.query, [refund.order_id]);
  const payment = payments.find(({ id }) => id === refund.payment_id);
  const provider = payment && parts.providerOf(payment.channel);
  // A try counts also where nobody can be asked: else it would stand before those that can go.
  if (!(await claimRefund(parts.db.query, refund, parts.clock())) || !payment || !provider) return;
  const named = { outTradeNo: payment.out_trade_no, outRefundNo: refund.out_refund_no };
  try {
    let said: RefundSaid = refund.tries === 0 ? { state: 'none' } : await provider.queryRefund(named);
    if (said.state === 'none') {
      const { amount, reason } = refund;
      said = await provider.refund({ ...named, amount, paid: payment.paid, reason });
    }
    await takeRefundWord(parts, refund, said);
  } catch (error) {
    if (error instanceof ProviderRefused)
      return takeRefundWord(parts, refund, { state: 'failed', said: error.message });
    if (!(error instanceof ProviderAway)) throw error;
    parts.log.warn({ outRefundNo: refund.out_refund_no, why: error.message }, 'a refund could not be asked for');
  }
}

/** Asks what became of money on its way back, because a message of the provider named it. */
export async function askRefund(parts: OrderParts, outRefundNo: string): Promise<void> {
  const refund = await findRefund(parts.db.query, outRefundNo);
  if (refund?.state === 'waiting') await sendRefund(parts, refund);
}

async function takeRefundWord(parts: OrderParts, refund: StoredRefund, said: RefundSaid): Promise<void> {
  if (said.state !== 'done' && said.state !== 'failed') return;
  const now = parts.clock();
  if (said.state === 'failed')
    parts.log.error(
      { outRefundNo: refund.out_refund_no, said: said.said },
      'a refund failed: somebody has to look at it',
    );
  await parts.db.transaction(
    async (trx) => {
      const order = await lockOrder(trx, refund.order_id);
      const refunds = await readRefunds(trx, [refund.order_id]);
      const fresh = refunds.find(({ id }) => id === refund.id);
      if (!order || fresh?.state !== 'waiting') return;
      const words = { amount: refund.amount };
      if (said.state === 'failed') {
        await changeRefund(trx, refund.id, { state: 'failed', said: said.said.slice(0, 500) });
        await addOrderEvent(trx, { orderId: order.id, event: `refundFailed:${refund.id}`, now, words });
        return;
      }
      await changeRefund(trx, refund.id, { state: 'done', done_at: now });
      await addOrderEvent(trx, { orderId: order.id, event: `refunded:${refund.id}`, now, words });
      await saveNotices(trx, parts.random, now, [
        {
          userId: order.user_id,
          event: `orderRefunded:${refund.id}`,
          kind: 'orderRefunded',
          words: { title: order.title, total: yuanOf(refund.amount), orderNo: order.order_no },
        },
      ]);
      const payment = (await readPayments(trx, [order.id])).find(({ id }) => id === order.payment_id);
      if (order.state !== 'paid' || !payment || refund.payment_id !== payment.id) return;
      fresh.state = 'done';
      const own = refunds.filter(({ payment_id }) => payment_id === payment.id);
      if (isWholeRefund(payment.paid, own))
        await takeCourse(trx, order, now, { event: 'refunded', words: { by: refund.by_whom } });
    },
    { idempotent: () => true },
  );
}

/** A whole refund: the order gives nothing any more, its seat and its coupon come back, other paid orders still count. */
async function takeCourse(
  trx: Trx,
  order: StoredOrder,
  now: number,
  happened: { event: string; words: object },
): Promise<void> {
  await changeOrder(trx, order.id, { state: 'refunded', access: 0, seat: 0 });
  await giveCouponBack(trx, order.id);
  if (!(await hasOtherLine(trx, order))) await endEnrolmentByOrder(trx, order.user_id, order.pack_id);
  await addOrderEvent(trx, { orderId: order.id, now, ...happened });
}
