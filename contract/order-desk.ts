import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nothing, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { Fen, Invoice, OrderFields, RefundAsk, RequestId } from './order.ts';
import {
  checkOutcomes,
  couponKinds,
  LONGEST_REASON,
  MOST_CODES,
  orderStates,
  orderWaits,
  payChannels,
  paymentStates,
  refundStates,
} from './values/order.ts';

/*
 * The orders of the school: for teachers to whom they were given (`order keeper`). Every call refuses others with
 * `noOrderRight`.
 */
const source = 'decisions §8; docs/decisions/047-buying.md';
const Reason = Type.String({ minLength: 1, maxLength: LONGEST_REASON * 2 });
const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  maxLength: 10,
  examples: ['2026-11-20'],
  description: 'a day in China, YYYY-MM-DD',
});
const Sum = Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'in fen (分)' });

const Listed = {
  ...OrderFields,
  userId: Id,
  nickname: Type.String({ description: 'empty: the account is gone' }),
  phone: Type.String({ description: 'masked' }),
  channel: Nullable(OneOf(payChannels)),
  refundWaits: YesNo,
  invoiceWaits: YesNo,
  refundFailed: YesNo,
  refundSlow: YesNo,
};

export const DeskOrders = call('GET /api/order/desk_list', {
  says: 'The orders of the school, newest first, by number, phone, state, days, or what waits for the school.',
  source,
  who: 'teacher',
  input: Type.Object({
    keyword: Type.Optional(
      Type.String({ maxLength: 64, description: 'order number, phone, or a number of a payment or refund' }),
    ),
    state: Type.Optional(OneOf(orderStates)),
    waits: Type.Optional(OneOf(orderWaits)),
    from: Type.Optional(Day),
    until: Type.Optional(Day),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Type.Object({
    ...Page(Type.Object(Listed)).properties,
    waiting: Type.Object({
      refund: Type.Integer(),
      invoice: Type.Integer(),
      failed: Type.Integer(),
      slow: Type.Integer(),
    }),
    unknown: Type.Array(
      Type.Object({ channel: OneOf(payChannels), outTradeNo: Type.String(), times: Type.Integer(), lastAt: Millis }),
      { description: 'payments that a provider has told of and nobody knows here' },
    ),
  }),
  refuses: ['noOrderRight', 'dayWrong'],
  limits: HEAVY,
});

export const DeskOrder = call('GET /api/order/desk_details', {
  says: 'One order with its payments, refunds, requests and all that happened to it.',
  source,
  who: 'teacher',
  input: Type.Object({ orderId: Id }),
  data: Type.Object({
    ...Listed,
    left: Type.Integer({ description: 'in fen: what may still go back' }),
    payments: Type.Array(
      Type.Object({
        outTradeNo: Type.String(),
        channel: OneOf(payChannels),
        state: OneOf(paymentStates),
        amount: Fen,
        paid: Fen,
        providerNo: Type.String(),
        createdAt: Millis,
        paidAt: Nullable(Millis),
      }),
    ),
    refunds: Type.Array(
      Type.Object({
        outRefundNo: Type.String(),
        amount: Fen,
        state: OneOf(refundStates),
        reason: Type.String(),
        by: Type.String(),
        said: Type.String(),
        createdAt: Millis,
        doneAt: Nullable(Millis),
      }),
    ),
    refundAsks: Type.Array(RefundAsk),
    invoices: Type.Array(Invoice),
    needsReversal: YesNo,
    events: Type.Array(
      Type.Object({
        event: Type.String(),
        at: Millis,
        amount: Nullable(Fen),
        reason: Type.String(),
        by: Type.String(),
      }),
    ),
  }),
  refuses: ['noOrderRight', 'notFound'],
});

export const RefundPreview = call('GET /api/order/desk_refund_preview', {
  says: 'What a refund would do, before it is asked for; without a sum that of all that is left.',
  source,
  who: 'teacher',
  input: Type.Object({ orderId: Id, amount: Type.Optional(Sum) }),
  data: Type.Object({
    amount: Fen,
    left: Fen,
    whole: YesNo,
    endsAccess: YesNo,
    couponBack: YesNo,
    invoiceIssued: YesNo,
    sandbox: YesNo,
  }),
  refuses: ['noOrderRight', 'notFound', 'notPaid', 'tooMuchBack', 'tooManyRefunds'],
});

export const RefundOrder = call('POST /api/order/desk_refund', {
  says: 'Lets money of an order go back, a part or (null) all that is left; the same requestId twice is once. An order that cost nothing only ends.',
  source,
  who: 'teacher',
  input: Type.Object({ orderId: Id, amount: Nullable(Sum), reason: Reason, requestId: RequestId }),
  data: Type.Object({ amount: Fen, state: OneOf(refundStates) }),
  refuses: ['noOrderRight', 'notFound', 'reasonWrong', 'notPaid', 'tooMuchBack', 'tooManyRefunds'],
});

export const RepeatRefund = call('POST /api/order/desk_refund_again', {
  says: 'Asks again for the refunds of an order that failed, each with a new number.',
  source,
  who: 'teacher',
  input: Type.Object({ orderId: Id, reason: Reason }),
  data: Type.Object({ count: Type.Integer() }),
  refuses: ['noOrderRight', 'notFound', 'reasonWrong', 'nothingFailed'],
});

export const DeclineRefund = call('POST /api/order/desk_refund_decline', {
  says: 'Declines what a student asks back, with a reason; its student is told. To agree is to refund.',
  source,
  who: 'teacher',
  input: Type.Object({ refundAskId: Id, answer: Reason }),
  data: Nothing,
  refuses: ['noOrderRight', 'notFound', 'reasonWrong', 'answeredAlready'],
});

export const IssueInvoice = call('POST /api/order/desk_invoice_issue', {
  says: 'Notes the number of an invoice that the school has issued for what it keeps of the order; its student is told.',
  source,
  who: 'teacher',
  input: Type.Object({
    invoiceId: Id,
    number: Type.String({ minLength: 1, maxLength: 40 }),
    title: Type.String({
      maxLength: 200,
      description: 'as it was read: one that its student changed since is refused',
    }),
    taxNo: Type.String({ maxLength: 40 }),
  }),
  data: Invoice,
  refuses: ['noOrderRight', 'notFound', 'invoiceNumberWrong', 'invoiceChanged', 'answeredAlready', 'notPaid'],
});

export const ReverseInvoice = call('POST /api/order/desk_invoice_reverse', {
  says: 'Notes the number of the red invoice (红字发票) that takes an issued one back.',
  source,
  who: 'teacher',
  input: Type.Object({ invoiceId: Id, number: Type.String({ minLength: 1, maxLength: 40 }) }),
  data: Invoice,
  refuses: ['noOrderRight', 'notFound', 'invoiceNumberWrong', 'answeredAlready'],
});

export const DeclineInvoice = call('POST /api/order/desk_invoice_decline', {
  says: 'Declines to issue an invoice, with a reason; its student is told.',
  source,
  who: 'teacher',
  input: Type.Object({ invoiceId: Id, answer: Reason }),
  data: Invoice,
  refuses: ['noOrderRight', 'notFound', 'reasonWrong', 'answeredAlready'],
});

export const ExportOrders = call('GET /api/order/desk_export', {
  says: 'Orders of some days for a spreadsheet, newest first, a part at a time: the next one goes on from `next`.',
  source,
  who: 'teacher',
  input: Type.Object({
    state: Type.Optional(OneOf(orderStates)),
    from: Type.Optional(Day),
    until: Type.Optional(Day),
    next: Type.Optional(
      Type.String({ maxLength: 40, pattern: '^\\d{1,16}-\\d{1,16}$', examples: ['1795000000000-1'] }),
    ),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        ...Listed,
        outTradeNo: Type.String({ description: 'of the payment that paid it' }),
        providerNo: Type.String(),
        invoiceNumber: Type.String(),
      }),
    ),
    next: Nullable(Type.String()),
  }),
  refuses: ['noOrderRight', 'dayWrong'],
  limits: HEAVY,
});

const Coupon = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  kind: OneOf(couponKinds),
  off: Type.Integer(),
  mostOff: Nullable(Fen),
  threshold: Fen,
  packNames: Nullable(Type.Array(Type.String())),
  validFrom: Millis,
  validUntil: Millis,
  most: Nullable(Type.Integer()),
  perPerson: Type.Integer(),
  given: Type.Integer(),
  used: Type.Integer(),
  codes: Type.Integer(),
  endedAt: Nullable(Millis),
});

export const DeskCoupons = call('GET /api/order/desk_coupons', {
  says: 'The kinds of coupons of the school, newest first, with how many were given and used.',
  source,
  who: 'teacher',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Page(Coupon),
  refuses: ['noOrderRight'],
});

export const AddCoupon = call('POST /api/order/desk_coupon_add', {
  says: 'Makes a kind of coupon: with one code for everybody, or as many as are asked for that work once; the same requestId twice is once.',
  source,
  who: 'teacher',
  input: Type.Object({
    requestId: RequestId,
    name: Type.String({ minLength: 1, maxLength: 80 }),
    kind: OneOf(couponKinds),
    off: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'fen, or hundredths' }),
    mostOff: Type.Optional(Nullable(Sum)),
    threshold: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'in fen' })),
    packIds: Type.Optional(Nullable(Type.Array(Id, { maxItems: 100 }))),
    from: Type.Optional(Day),
    until: Day,
    most: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
    perPerson: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    code: Type.Optional(Type.String({ maxLength: 60 })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_CODES })),
  }),
  data: Type.Object({ slug: Type.String() }),
  refuses: [
    'noOrderRight',
    'couponNameWrong',
    'couponOffWrong',
    'couponDaysWrong',
    'couponCodeWrong',
    'codeThere',
    'notFound',
  ],
});

const Slug = Type.String({ minLength: 1, maxLength: 64 });

export const EndCoupon = call('POST /api/order/desk_coupon_end', {
  says: 'Ends a kind of coupon: nobody gets one, and none can be used any more; orders that are there keep theirs. Twice is the same as once.',
  source,
  who: 'teacher',
  input: Type.Object({ slug: Slug }),
  data: Nothing,
  refuses: ['noOrderRight', 'notFound'],
});

export const CouponCodes = call('GET /api/order/desk_codes', {
  says: 'The codes of a kind of coupon, with how often each was used.',
  source,
  who: 'teacher',
  input: Type.Object({ slug: Slug }),
  data: Type.Object({
    list: Type.Array(Type.Object({ code: Type.String(), most: Nullable(Type.Integer()), used: Type.Integer() })),
  }),
  refuses: ['noOrderRight', 'notFound'],
  limits: HEAVY,
});

const Check = Type.Object({
  day: Type.String(),
  channel: OneOf(payChannels),
  outcome: OneOf(checkOutcomes),
  at: Millis,
  payments: Type.Object({ count: Type.Integer(), sum: Fen }),
  refunds: Type.Object({ count: Type.Integer(), sum: Fen }),
  differences: Type.Array(
    Type.Object({
      what: OneOf(['theirs', 'ours', 'sum']),
      kind: OneOf(['payment', 'refund']),
      no: Type.String(),
      amount: Fen,
      ourAmount: Nullable(Fen),
      orderId: Nullable(Id),
    }),
  ),
});

export const DeskChecks = call('GET /api/order/desk_checks', {
  says: 'What the comparisons of the last days with the bills of the providers found, newest first.',
  source,
  who: 'teacher',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Check) }),
  refuses: ['noOrderRight'],
});

export const CheckDay = call('POST /api/order/desk_check', {
  says: 'Compares a day with the bills of the providers now.',
  source,
  who: 'teacher',
  input: Type.Object({ day: Day }),
  data: Type.Object({ list: Type.Array(Check) }),
  refuses: ['noOrderRight', 'dayWrong', 'tooMany'],
});
