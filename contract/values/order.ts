/** `open` waits for payment · `paid` · `closed` without payment, or its money went back by itself · `refunded` as a whole. */
export const orderStates = ['open', 'paid', 'closed', 'refunded'] as const;
export type OrderState = (typeof orderStates)[number];

/** Of one attempt to pay an order. `paid` at the provider, whatever came of it. */
const paymentStates = ['open', 'paid', 'closed'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** `waiting` for the provider's word · `done` the provider says so · `failed` the money did not go back. */
const refundStates = ['waiting', 'done', 'failed'] as const;
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
export const returnReasons = ['paidTwice', 'wrongAmount', 'soldOut', 'notOnOffer', 'couponGone', 'hasCourse'] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** How long an order waits for payment (milliseconds; decisions §8). */
export const ORDER_WAITS = 30 * 60_000;

/** Whether a pack can be bought: `free` costs nothing · `closed` the school enrols itself, or takes no payments. */
export const saleStates = ['free', 'onSale', 'early', 'over', 'soldOut', 'closed'] as const;
export type SaleState = (typeof saleStates)[number];
