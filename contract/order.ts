import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nothing, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { callback } from './callback.ts';
import {
  couponKinds,
  couponStates,
  invoiceKinds,
  invoiceStates,
  LONGEST_EMAIL,
  LONGEST_REASON,
  LONGEST_TITLE,
  orderStates,
  payChannels,
  refundAskStates,
  refundStates,
  returnReasons,
} from './values/order.ts';

export const Fen = Type.Integer({ description: 'in fen (分)' });
/** What a browser names its press of a button, so that twice is the same as once. */
export const RequestId = Type.String({ minLength: 8, maxLength: 64, pattern: '^[0-9A-Za-z_-]+$' });

export const OrderFields = {
  orderId: Id,
  orderNo: Type.String(),
  packId: Id,
  packageName: Type.String({ description: 'as it was when it was ordered' }),
  price: Fen,
  discount: Fen,
  total: Fen,
  couponName: Type.String({ description: 'empty: no coupon' }),
  state: OneOf(orderStates),
  sandbox: Type.Integer({ minimum: 0, maximum: 1, description: '1: no money moved' }),
  createdAt: Millis,
  expiresAt: Millis,
  paidAt: Nullable(Millis),
  refunded: Type.Integer({
    description: 'in fen: what the provider says has gone back of what was paid for the course',
  }),
  refunding: Type.Integer({ description: 'in fen: what is on its way back, double payments too' }),
  returned: Nullable(OneOf(returnReasons, { description: 'why the money of an order went back by itself' })),
};
export const Order = Type.Object(OrderFields);

export const RefundAsk = Type.Object({
  refundAskId: Id,
  reason: Type.String(),
  state: OneOf(refundAskStates),
  answer: Type.String({ description: 'what the school says where it declines' }),
  createdAt: Millis,
  answeredAt: Nullable(Millis),
});
export const Invoice = Type.Object({
  invoiceId: Id,
  kind: OneOf(invoiceKinds),
  title: Type.String(),
  taxNo: Type.String({ description: 'of a company' }),
  email: Type.String(),
  state: OneOf(invoiceStates),
  amount: Type.Integer({ description: 'in fen: what it was issued for' }),
  number: Type.String(),
  redNumber: Type.String({ description: 'of the red one that takes it back' }),
  answer: Type.String({ description: 'what the school says where it declines' }),
  createdAt: Millis,
  answeredAt: Nullable(Millis),
});

export const CreateOrder = call('POST /api/order/create_order', {
  says: 'Orders a pack that is sold; an order of the pack that waits for payment is given instead of a second one.',
  source: 'spec §7 Courses and orders; decisions §8',
  who: 'user',
  input: Type.Object({
    packId: Id,
    requestId: RequestId,
    userCouponId: Type.Optional(Nullable(Id)),
  }),
  data: Order,
  refuses: [
    'notFound',
    'notOnSale',
    'soldOut',
    'alreadyJoined',
    'tooMany',
    'couponGone',
    'couponEarly',
    'couponOver',
    'couponElsewhere',
    'couponBelow',
  ],
});

export const UseCoupon = call('POST /api/order/use_coupon', {
  says: 'Uses another coupon for an order that waits, or none; not once its payment has begun.',
  source: 'spec §7 Courses and orders; decisions §8',
  who: 'user',
  input: Type.Object({ orderId: Id, userCouponId: Nullable(Id) }),
  data: Order,
  refuses: [
    'notFound',
    'orderPaid',
    'orderOver',
    'payingAlready',
    'couponGone',
    'couponEarly',
    'couponOver',
    'couponElsewhere',
    'couponBelow',
  ],
});

export const ZeroPay = call('POST /api/order/zero_pay', {
  says: 'Takes an order whose total is 0 as paid; twice is the same as once.',
  source: 'spec §7 Courses and orders; decisions §8',
  who: 'user',
  input: Type.Object({ orderId: Id }),
  data: Order,
  refuses: ['notFound', 'orderPaid', 'orderOver', 'notFree', 'alreadyJoined'],
});

export const PayOrder = call('POST /api/order/pay', {
  says: 'Begins to pay an order in one way, or goes on with it: two windows get the same code.',
  source: 'decisions §2, §8',
  who: 'user',
  input: Type.Object({ orderId: Id, channel: OneOf(payChannels) }),
  data: Type.Object({
    channel: OneOf(payChannels),
    codeUrl: Nullable(Type.String({ description: 'what a square code to scan holds' })),
    payUrl: Nullable(Type.String({ description: 'the page of the provider' })),
    amount: Fen,
    expiresAt: Millis,
  }),
  refuses: [
    'notFound',
    'orderPaid',
    'orderOver',
    'nothingToPay',
    'alreadyJoined',
    'noSuchChannel',
    'payAway',
    'tooMany',
  ],
});

export const CancelOrder = call('POST /api/order/cancel', {
  says: 'Closes an order that waits for payment, which gives its coupon and its seat back; twice is the same as once.',
  source: 'decisions §2, §8',
  who: 'user',
  input: Type.Object({ orderId: Id }),
  data: Order,
  refuses: ['notFound', 'orderPaid', 'payUnsure', 'payingAlready'],
});

export const QueryOrderState = call('POST /api/order/query_order_state', {
  says: 'The state of an order; while it waits the provider is asked, every 5 seconds at most.',
  source: 'spec §7 Courses and orders; decisions §8',
  who: 'user',
  input: Type.Object({ orderId: Id }),
  data: Type.Object({
    state: OneOf(orderStates),
    returned: Nullable(OneOf(returnReasons)),
    expiresAt: Millis,
    asked: Type.Boolean({ description: 'the provider has just answered' }),
  }),
  refuses: ['notFound'],
});

export const QueryOrder = call('GET /api/order/query_order', {
  says: 'One order of the caller, with the ways in which it can be paid.',
  source: 'spec §7 Courses and orders',
  who: 'user',
  input: Type.Object({ orderId: Id }),
  data: Type.Object({
    ...OrderFields,
    channels: Type.Array(OneOf(payChannels)),
    begun: YesNo,
    refunds: Type.Array(
      Type.Object({ amount: Fen, state: OneOf(refundStates), createdAt: Millis, doneAt: Nullable(Millis) }),
    ),
    refundAsk: Nullable(RefundAsk),
    mayAskRefund: YesNo,
    invoice: Nullable(Invoice),
    mayAskInvoice: YesNo,
  }),
  refuses: ['notFound'],
});

export const ListOrders = call('GET /api/order/list', {
  says: "The caller's orders, newest first.",
  source: 'decisions §2',
  who: 'user',
  input: Type.Object({
    packId: Type.Optional(Id),
    state: Type.Optional(OneOf(orderStates)),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Page(Order),
  limits: HEAVY,
});

export const AskRefund = call('POST /api/order/refund_ask', {
  says: 'Asks the school for the money of an order back; while one waits, the same is given again.',
  source: 'decisions §8; docs/decisions/047-buying.md',
  who: 'user',
  input: Type.Object({ orderId: Id, reason: Type.String({ minLength: 1, maxLength: LONGEST_REASON * 2 }) }),
  data: RefundAsk,
  refuses: ['notFound', 'nothingToRefund', 'reasonWrong', 'tooMany'],
});

export const WithdrawRefund = call('POST /api/order/refund_withdraw', {
  says: 'Takes back that money is asked for; twice is the same as once.',
  source: 'decisions §8; docs/decisions/047-buying.md',
  who: 'user',
  input: Type.Object({ orderId: Id }),
  data: Nothing,
  refuses: ['notFound'],
});

export const AskInvoice = call('POST /api/order/invoice_ask', {
  says: 'Asks the school for an invoice (发票) of a paid order; while one waits, what it says is changed.',
  source: 'decisions §8; docs/decisions/047-buying.md',
  who: 'user',
  input: Type.Object({
    orderId: Id,
    kind: OneOf(invoiceKinds),
    title: Type.String({ minLength: 1, maxLength: LONGEST_TITLE * 2 }),
    taxNo: Type.Optional(Type.String({ maxLength: 40 })),
    email: Type.String({ minLength: 1, maxLength: LONGEST_EMAIL }),
  }),
  data: Invoice,
  refuses: ['notFound', 'noInvoice', 'titleWrong', 'taxNoWrong', 'emailWrong', 'tooMany'],
});

export const WithdrawInvoice = call('POST /api/order/invoice_withdraw', {
  says: 'Takes back that an invoice is asked for, before it is issued; twice is the same as once.',
  source: 'decisions §8; docs/decisions/047-buying.md',
  who: 'user',
  input: Type.Object({ orderId: Id }),
  data: Nothing,
  refuses: ['notFound'],
});

export const SandboxPay = call('POST /api/order/sandbox_pay', {
  says: 'Pays an order at the cashier that moves no money; a school’s server has none.',
  source: 'decisions §8',
  who: 'user',
  input: Type.Object({ orderId: Id }),
  data: Order,
  refuses: ['notFound'],
});

export const CouponFields = {
  userCouponId: Id,
  name: Type.String(),
  kind: OneOf(couponKinds),
  off: Type.Integer({ description: 'amount: fen off; percent: hundredths off' }),
  mostOff: Nullable(Fen),
  threshold: Fen,
  packIds: Nullable(Type.Array(Id)),
  validFrom: Millis,
  validUntil: Type.Integer({ description: 'epoch milliseconds: the end of its last day in China' }),
  state: OneOf(couponStates),
};
export const ListCoupons = call('GET /api/coupon/list', {
  says: "The caller's coupons; with a pack, what each takes off its price now.",
  source: 'decisions §2',
  who: 'user',
  input: Type.Object({ packId: Type.Optional(Id) }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        ...CouponFields,
        over: YesNo,
        discount: Nullable(Type.Integer({ description: 'in fen; null: it cannot be used for this pack now' })),
      }),
    ),
  }),
  refuses: ['notFound'],
});

export const ExchangeCoupon = call('GET /api/coupon/exchange', {
  says: 'Gives the caller the coupon of a code.',
  source: 'spec §7 Courses and orders; decisions §7',
  who: 'user',
  writes: true,
  input: Type.Object({ code: Type.String({ minLength: 1, maxLength: 40 }) }),
  data: Type.Object(CouponFields),
  refuses: ['noSuchCode', 'couponTaken', 'couponOver', 'couponsOut', 'tooMany'],
});

/** A provider repeats what was not answered, from few machines. */
const MANY = { inFlight: 100, perMinute: 3000 };

export const WechatNotice = callback('/notify/wechat', {
  says: 'WeChat Pay says that something was paid or has gone back.',
  source: 'decisions §8',
  limits: MANY,
});

export const AlipayNotice = callback('/notify/alipay', {
  says: 'Alipay says that something was paid, closed or has gone back.',
  source: 'decisions §8',
  limits: MANY,
});
