import {
  ORDER_WAITS,
  type OrderState,
  type PaymentState,
  type RefundState,
  type ReturnReason,
} from '#contract/values/order.ts';

/** What is decided about an order by. Sums are fen, times epoch milliseconds. */
export interface OrderFacts {
  state: OrderState;
  total: number;
  expiresAt: number;
  /** A coupon was used for its total. */
  hasCoupon: boolean;
}

/** One attempt to pay an order. */
interface PaymentFacts {
  state: PaymentState;
  /** What was asked for. */
  amount: number;
}

/** How things stand when money has come. */
export interface Surroundings {
  /** The account of its student was closed: nobody is there whom a course could be given. */
  gone: boolean;
  /** Another paid order gives this student the pack. */
  hasCourse: boolean;
  /** The pack is still on offer. */
  onOffer: boolean;
  /** There is a seat for this order, that it holds or could take. */
  seat: boolean;
  /** The order's coupon is held by it or free again. */
  coupon: boolean;
}

/**
 * What money does that a provider says has come, for one attempt. `nothing`: it is known already · `enrol`: the order is paid and
 * gives its course; `retake`: it had given its seat and its coupon back · `return`: it is recorded and goes back by itself;
 * `close`: the order ends with it.
 */
export type Settlement =
  | { do: 'nothing' }
  | { do: 'enrol'; retake: boolean }
  | { do: 'return'; reason: ReturnReason; close: boolean };

/**
 * Decides what becomes of money (decisions §8): state moves forward only, the first money pays the order, any other goes
 * back, and money after expiry enrols where it can.
 * @param paid what the provider says was asked for and paid: `amount.total` of WeChat, `total_amount` of Alipay, so that a voucher of theirs does not
 *   make it too little
 */
export function settle(order: OrderFacts, payment: PaymentFacts, paid: number, around: Surroundings): Settlement {
  if (payment.state === 'paid') return { do: 'nothing' };
  const close = order.state === 'open';
  if (order.state === 'paid' || order.state === 'refunded') return { do: 'return', reason: 'paidTwice', close: false };
  if (around.gone) return { do: 'return', reason: 'accountGone', close };
  // What was asked for is the order's total; a sum that is neither would make a course cheaper or dearer than it was.
  if (paid !== payment.amount || paid !== order.total) return { do: 'return', reason: 'wrongAmount', close: false };
  if (around.hasCourse) return { do: 'return', reason: 'hasCourse', close };
  if (order.state === 'open') return { do: 'enrol', retake: false };
  if (!around.onOffer) return { do: 'return', reason: 'notOnOffer', close };
  if (!around.seat) return { do: 'return', reason: 'soldOut', close };
  if (order.hasCoupon && !around.coupon) return { do: 'return', reason: 'couponGone', close };
  return { do: 'enrol', retake: true };
}

/** When an order that is made now runs out. */
export function expiryOf(now: number): number {
  return now + ORDER_WAITS;
}

/** Providers take no attempt that ends within the minute (WeChat: `time_expire`). */
const LAST_ATTEMPT = 60_000;

/** Whether an order may be paid now. Every attempt ends with its order. */
export function mayPay(
  order: OrderFacts,
  now: number,
): { ok: true } | { ok: false; why: 'orderPaid' | 'orderOver' | 'nothingToPay' } {
  if (order.state === 'paid' || order.state === 'refunded') return { ok: false, why: 'orderPaid' };
  if (order.state === 'closed' || now > order.expiresAt - LAST_ATTEMPT) return { ok: false, why: 'orderOver' };
  return order.total === 0 ? { ok: false, why: 'nothingToPay' } : { ok: true };
}

/** Whether an order is taken as paid without money: only a total of 0, in time (spec §7 zero_pay). */
export function mayTakeFree(
  order: OrderFacts,
  now: number,
): { ok: true } | { ok: false; why: 'orderPaid' | 'orderOver' | 'notFree' } {
  if (order.state === 'paid') return { ok: false, why: 'orderPaid' };
  // `refunded`: the school has ended it.
  if (order.state !== 'open' || now >= order.expiresAt) return { ok: false, why: 'orderOver' };
  return order.total === 0 ? { ok: true } : { ok: false, why: 'notFree' };
}

/**
 * Whether an unpaid order may close: by time or by its student, and only when no attempt at a provider can bring money any
 * more. An attempt whose provider has not answered keeps it open, until it is given up (`mayGiveUp`).
 */
export function mayClose(order: OrderFacts, payments: readonly PaymentFacts[]): boolean {
  return order.state === 'open' && payments.every(({ state }) => state !== 'open');
}

/**
 * How long after its end an attempt is still waited for whose provider does not answer (milliseconds): longer than outages are, and than the
 * two hours for which WeChat's codes live whatever was asked for.
 */
const SILENT_FOR = 2 * 60 * 60_000;

/**
 * Whether an attempt is given up that its provider says nothing of: after its end nobody can pay it any more. One that the school has
 * taken out cannot be asked, so its attempts end in time. What was paid goes its way once the provider speaks again.
 * @param silent the provider is there and does not answer
 */
export function mayGiveUp(
  { state, expiresAt }: { state: PaymentState; expiresAt: number },
  { now, silent }: { now: number; silent: boolean },
): boolean {
  return state === 'open' && now >= expiresAt + (silent ? SILENT_FOR : 0);
}

/** A refund is tried again after this long, twice as long each time, up to the longest (milliseconds). */
const TRY_AGAIN = 30_000;
const LONGEST_WAIT = 30 * 60_000;

/** For each number of tries that a refund has had, how long it waits for the next; those with more wait like the last. */
export const refundWaits: readonly number[] = [
  0,
  ...Array.from({ length: 8 }, (_, at) => Math.min(TRY_AGAIN * 2 ** at, LONGEST_WAIT)),
];

/** After this long somebody has to ask the provider why money that it was told to give back is still on its way (milliseconds). */
export const REFUND_SLOW = 24 * 60 * 60_000;

/** What has gone back, or is on its way, of one payment. */
interface RefundFacts {
  state: RefundState;
  amount: number;
}

/** WeChat takes 50 partial refunds of one payment. */
const MOST_REFUNDS = 50;

/** What of a payment may still go back, in fen: what failed has not gone. */
export function refundable(paid: number, refunds: readonly RefundFacts[]): number {
  return refunds.reduce((left, { state, amount }) => (state === 'failed' ? left : left - amount), paid);
}

/** Whether a part of a payment may go back: never more than was paid, all refunds together. */
export function mayRefund(
  paid: number,
  refunds: readonly RefundFacts[],
  amount: number,
): { ok: true } | { ok: false; why: 'tooMuchBack' | 'tooManyRefunds' } {
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > refundable(paid, refunds))
    return { ok: false, why: 'tooMuchBack' };
  return refunds.length < MOST_REFUNDS ? { ok: true } : { ok: false, why: 'tooManyRefunds' };
}

/** Whether all of a payment has gone back: its order then gives nothing any more, and its coupon comes back once. */
export function isWholeRefund(paid: number, refunds: readonly RefundFacts[]): boolean {
  return refunds.reduce((sum, { state, amount }) => (state === 'done' ? sum + amount : sum), 0) >= paid;
}

/** What becomes of an order by a refund. Sums are fen. */
interface RefundPreview {
  amount: number;
  /** What may still go back after it. */
  left: number;
  /** All of the payment has gone back then. */
  whole: boolean;
  /** Its student loses the course: a whole refund, and no other order gives it. */
  endsAccess: boolean;
  couponBack: boolean;
}

/**
 * What a refund will do, before anybody asks for it.
 * @param amount null: all that is left
 * @param elsewhere another paid order gives this student the pack
 */
export function previewRefund(
  {
    paid,
    refunds,
    hasCoupon,
    elsewhere,
  }: { paid: number; refunds: readonly RefundFacts[]; hasCoupon: boolean; elsewhere: boolean },
  amount: number | null,
): { ok: true; preview: RefundPreview } | { ok: false; why: 'tooMuchBack' | 'tooManyRefunds' } {
  const left = refundable(paid, refunds);
  const asked = amount ?? left;
  const may = mayRefund(paid, refunds, asked);
  if (!may.ok) return may;
  const whole = asked === left;
  return {
    ok: true,
    preview: {
      amount: asked,
      left: left - asked,
      whole,
      endsAccess: whole && !elsewhere,
      couponBack: whole && hasCoupon,
    },
  };
}

/** Whether a student may ask for money back: some is left of a paid order, and the school has not been asked already. */
export function mayAskRefund({ paid, left, waiting }: { paid: boolean; left: number; waiting: boolean }): boolean {
  return paid && left > 0 && !waiting;
}
