import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { DeskOrder, DeskOrders, ExportOrders, RefundPreview } from '#contract/order-desk.ts';
import { MOST_LISTED_ORDERS } from '#contract/values/order.ts';
import { chinaDay, DAY } from '#rules/clock/china-day.ts';
import { needsReversal } from '#rules/order/invoice.ts';
import { previewRefund } from '#rules/order/order.ts';
import type { Query } from '#server/db/open.ts';
import { findUserByPhone, readPeople } from '#server/user/store.ts';
import { shown } from './buy.ts';
import {
  countWaiting,
  type DeskFilter,
  findOrdersByTrade,
  listDeskOrders,
  readOrdersAfter,
  readWaiting,
} from './desk-store.ts';
import {
  findOrder,
  findOrderByNo,
  hasOtherLine,
  readOrderEvents,
  readPayments,
  readRefunds,
  readUnknownNumbers,
  type StoredOrder,
} from './order-store.ts';
import type { OrderParts } from './parts.ts';
import { readInvoices, readRefundAsks } from './request-store.ts';
import { keptOf, paidBy, shownAsk, shownInvoice } from './requests.ts';

type Listed = DataOf<typeof DeskOrders>['list'][number];
type Refusal = { ok: false; why: Why };
const no = (why: Why): Refusal => ({ ok: false, why });

/** Rows of one part of an export. */
const EXPORT_PART = 1000;

/** Which orders a search means: by number, phone, or a number of a payment or refund. */
async function meantBy(query: Query, typed: string): Promise<Pick<DeskFilter, 'userId' | 'orderIds'>> {
  const keyword = typed.trim();
  if (keyword === '') return {};
  if (/^1\d{10}$/.test(keyword)) return { userId: (await findUserByPhone(query, keyword))?.id ?? 0 };
  // A control sign is in no number, and is no text for PostgreSQL.
  if (!/^[\x21-\x7e]+$/.test(keyword)) return { orderIds: [] };
  const byNo = await findOrderByNo(query, keyword.toLowerCase());
  return { orderIds: byNo ? [byNo.id] : await findOrdersByTrade(query, keyword) };
}

function daysOf({ from, until }: { from?: string; until?: string }): Pick<DeskFilter, 'from' | 'until'> | null {
  const first = from === undefined ? undefined : chinaDay(from);
  const last = until === undefined ? undefined : chinaDay(until);
  if (first === null || last === null) return null;
  return { from: first, until: last === undefined ? undefined : last + DAY };
}

/** Orders as the school sees them: with whose they are, and what waits. */
async function listed(query: Query, orders: readonly StoredOrder[], now: number): Promise<Listed[]> {
  const ids = orders.map(({ id }) => id);
  const people = await readPeople(
    query,
    orders.map(({ user_id }) => user_id),
  );
  const waiting = await readWaiting(query, ids, now);
  const payments = await readPayments(query, ids);
  const plain = await shown(query, orders);
  return orders.flatMap((order, at) => {
    const own = plain[at];
    const person = people.get(order.user_id);
    const flag = (set: ReadonlySet<number>) => (set.has(order.id) ? 1 : 0);
    return own
      ? [
          {
            ...own,
            userId: order.user_id,
            nickname: person?.nickname ?? '',
            phone: person?.validPhoneExt ?? '',
            channel: payments.find(({ id }) => id === order.payment_id)?.channel ?? null,
            refundWaits: flag(waiting.refund),
            invoiceWaits: flag(waiting.invoice),
            refundFailed: flag(waiting.failed),
            refundSlow: flag(waiting.slow),
          },
        ]
      : [];
  });
}

/** A page of the orders of the school. Null: a day is none. */
export async function deskList(
  { db: { query }, clock }: OrderParts,
  { keyword = '', state, waits, from, until, pageNum, pageSize }: InputOf<typeof DeskOrders>,
): Promise<DataOf<typeof DeskOrders> | null> {
  const days = daysOf({ ...(from !== undefined && { from }), ...(until !== undefined && { until }) });
  if (days === null) return null;
  const now = clock();
  const filter = { ...days, state, waits, now, ...(await meantBy(query, keyword)) };
  const page = { limit: pageSize, offset: (pageNum - 1) * pageSize };
  const { orders, total } = await listDeskOrders(query, { ...filter, ...page });
  return {
    list: await listed(query, orders, now),
    total,
    pages: Math.ceil(Math.min(total, MOST_LISTED_ORDERS) / pageSize),
    pageNum,
    waiting: await countWaiting(query, now),
    unknown: await readUnknownNumbers(query, 20),
  };
}

/** Whom an act is said to be by: a teacher by name, the program and its commands as they are. */
async function namesOf(query: Query, said: readonly string[]): Promise<(byWhom: string) => string> {
  const idIn = (byWhom: string) => Number(/^teacher:(\d+)$/.exec(byWhom)?.[1] ?? 0);
  const people = await readPeople(query, said.map(idIn).filter(Boolean));
  return (byWhom) => (idIn(byWhom) > 0 ? (people.get(idIn(byWhom))?.nickname ?? '') : byWhom);
}

/** What an event says, as far as it is of these kinds. */
function wordsOf(text: string): { amount: number | null; reason: string; by: string } {
  const words = JSON.parse(text) as Record<string, unknown>;
  const sum = words.amount ?? words.total ?? words.paid;
  const reason = words.reason ?? words.why ?? words.said;
  return {
    amount: typeof sum === 'number' ? sum : null,
    reason: typeof reason === 'string' ? reason : '',
    by: typeof words.by === 'string' ? words.by : '',
  };
}

/** One order with all that belongs to it; null: there is none. */
export async function deskDetails(
  { db: { query }, clock }: OrderParts,
  orderId: number,
): Promise<DataOf<typeof DeskOrder> | null> {
  const order = await findOrder(query, orderId);
  const [own] = order ? await listed(query, [order], clock()) : [];
  if (!order || !own) return null;
  const payments = await readPayments(query, [orderId]);
  const refunds = await readRefunds(query, [orderId]);
  const invoices = await readInvoices(query, [orderId]);
  const events = (await readOrderEvents(query, orderId)).map(({ words, ...event }) => ({
    ...event,
    ...wordsOf(words),
  }));
  const nameOf = await namesOf(query, [...refunds.map(({ by_whom }) => by_whom), ...events.map(({ by }) => by)]);
  const kept = keptOf(order, payments, refunds);
  return {
    ...own,
    left: order.state === 'paid' ? kept : 0,
    payments: payments.map((payment) => ({
      outTradeNo: payment.out_trade_no,
      channel: payment.channel,
      state: payment.state,
      amount: payment.amount,
      paid: payment.paid,
      providerNo: payment.provider_no,
      createdAt: payment.created_at,
      paidAt: payment.paid_at,
    })),
    refunds: refunds.map((refund) => ({
      outRefundNo: refund.out_refund_no,
      amount: refund.amount,
      state: refund.state,
      reason: refund.reason,
      by: nameOf(refund.by_whom),
      said: refund.said,
      createdAt: refund.created_at,
      doneAt: refund.done_at,
    })),
    refundAsks: (await readRefundAsks(query, orderId)).map(shownAsk),
    invoices: invoices.map(shownInvoice),
    needsReversal: invoices.some((invoice) => needsReversal(invoice, kept)) ? 1 : 0,
    events: events.map((event) => ({ ...event, by: nameOf(event.by) })),
  };
}

/** What a refund would do to an order. */
export async function refundPreview(
  { db: { query } }: OrderParts,
  { orderId, amount }: InputOf<typeof RefundPreview>,
): Promise<{ ok: true; preview: DataOf<typeof RefundPreview> } | Refusal> {
  const order = await findOrder(query, orderId);
  if (!order) return no('notFound');
  if (order.state !== 'paid') return no('notPaid');
  const payment = paidBy(order, await readPayments(query, [orderId]));
  const elsewhere = await hasOtherLine(query, order);
  const hasCoupon = order.user_coupon_id !== null;
  const invoiceIssued = (await readInvoices(query, [orderId])).some(({ state }) => state === 'issued') ? 1 : 0;
  const fixed = { invoiceIssued, sandbox: order.sandbox === 1 ? 1 : 0 } as const;
  if (!payment)
    // It cost nothing: there is nothing to give back but its coupon, and the course ends.
    return amount === undefined
      ? {
          ok: true,
          preview: {
            amount: 0,
            left: 0,
            whole: 1,
            endsAccess: elsewhere ? 0 : 1,
            couponBack: hasCoupon ? 1 : 0,
            ...fixed,
          },
        }
      : no('tooMuchBack');
  const refunds = (await readRefunds(query, [orderId])).filter(({ payment_id }) => payment_id === payment.id);
  const said = previewRefund({ paid: payment.paid, refunds, hasCoupon, elsewhere }, amount ?? null);
  if (!said.ok) return said;
  const { whole, endsAccess, couponBack, ...sums } = said.preview;
  return {
    ok: true,
    preview: {
      ...sums,
      whole: whole ? 1 : 0,
      endsAccess: endsAccess ? 1 : 0,
      couponBack: couponBack ? 1 : 0,
      ...fixed,
    },
  };
}

/** A part of the orders of some days for a spreadsheet. Null: a day is none. */
export async function exportPart(
  { db: { query }, clock }: OrderParts,
  { state, from, until, next }: InputOf<typeof ExportOrders>,
): Promise<DataOf<typeof ExportOrders> | null> {
  const days = daysOf({ ...(from !== undefined && { from }), ...(until !== undefined && { until }) });
  if (days === null) return null;
  const [createdAt = 0, id = 0] = (next ?? '').split('-').map(Number);
  const after = next === undefined ? null : { createdAt, id };
  const now = clock();
  const orders = await readOrdersAfter(query, { ...days, state, now, after, limit: EXPORT_PART });
  const ids = orders.map((order) => order.id);
  const payments = new Map((await readPayments(query, ids)).map((payment) => [payment.id, payment]));
  const invoices = await readInvoices(query, ids);
  const rows = await listed(query, orders, now);
  const last = orders.at(-1);
  return {
    list: rows.map((row, at) => {
      const payment = payments.get(orders[at]?.payment_id ?? 0);
      const issued = invoices.find((one) => one.order_id === row.orderId && one.state === 'issued');
      return {
        ...row,
        outTradeNo: payment?.out_trade_no ?? '',
        providerNo: payment?.provider_no ?? '',
        invoiceNumber: issued?.number ?? '',
      };
    }),
    next: last && orders.length === EXPORT_PART ? `${last.created_at}-${last.id}` : null,
  };
}
