/** `open` waits for payment · `paid` · `closed` without payment, or its money went back by itself · `refunded` as a whole. */
export const orderStates = ['open', 'paid', 'closed', 'refunded'] as const;
export type OrderState = (typeof orderStates)[number];

/** Of one attempt to pay an order. `paid` at the provider, whatever came of it. */
export const paymentStates = ['open', 'paid', 'closed'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** `waiting` for the provider's word · `done` the provider says so · `failed` the money did not go back. */
export const refundStates = ['waiting', 'done', 'failed'] as const;
export type RefundState = (typeof refundStates)[number];

/** `sandbox`: a cashier of our own that moves no money. */
export const payChannels = ['wechat', 'alipay', 'sandbox'] as const;
export type PayChannel = (typeof payChannels)[number];

export const couponKinds = ['amount', 'percent'] as const;
export type CouponKind = (typeof couponKinds)[number];

/** Of a coupon that somebody has: `held` by an order that waits for payment. */
export const couponStates = ['free', 'held', 'used'] as const;
export type CouponState = (typeof couponStates)[number];

/** Why money goes back by itself. */
export const returnReasons = [
  'paidTwice',
  'wrongAmount',
  'soldOut',
  'notOnOffer',
  'couponGone',
  'hasCourse',
  'accountGone',
] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** How long an order waits for payment (milliseconds; decisions §8). */
export const ORDER_WAITS = 30 * 60_000;

/** Whether a pack can be bought: `free` costs nothing · `closed` the school enrols itself, or takes no payments. */
export const saleStates = ['free', 'onSale', 'early', 'over', 'soldOut', 'closed'] as const;
export type SaleState = (typeof saleStates)[number];

/** Of what a student asks the school for: that money goes back. `withdrawn` by the student. */
export const refundAskStates = ['waiting', 'agreed', 'declined', 'withdrawn'] as const;
export type RefundAskState = (typeof refundAskStates)[number];
/** Signs of the reason of a refund, of both sides. */
export const LONGEST_REASON = 80;

export const invoiceKinds = ['personal', 'company'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];
/** `reversed`: a red one (红字) takes it back, since its money went back. */
export const invoiceStates = ['waiting', 'issued', 'declined', 'withdrawn', 'reversed'] as const;
export type InvoiceState = (typeof invoiceStates)[number];
export const LONGEST_TITLE = 100;
export const LONGEST_EMAIL = 100;

/** What the school's list of orders can be narrowed to: what waits for somebody there. `slow`: money is on its way back for more than a day. */
export const orderWaits = ['refund', 'invoice', 'failed', 'slow'] as const;
export type OrderWait = (typeof orderWaits)[number];

/** Of the comparison of a day with a provider's bill: `away`: there was no bill to be had. */
export const checkOutcomes = ['same', 'differs', 'away'] as const;
export type CheckOutcome = (typeof checkOutcomes)[number];

/** The orders that a list counts and shows; what is older is found by a search or its day. */
export const MOST_LISTED_ORDERS = 10_000;
/** Codes of one kind of coupon that are made at once. */
export const MOST_CODES = 10_000;
