import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { AskInvoice, AskRefund } from '#contract/order.ts';
import { type InvoiceState, LONGEST_REASON } from '#contract/values/order.ts';
import { faultsOfInvoice, mayAskInvoice, tidyTaxNo } from '#rules/order/invoice.ts';
import { mayAskRefund, refundable } from '#rules/order/order.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { saveNotices } from '#server/notice/store.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import {
  addOrderEvent,
  findOrder,
  lockOrder,
  readPayments,
  readRefunds,
  type StoredOrder,
  type StoredPayment,
  type StoredRefund,
} from './order-store.ts';
import { type OrderParts, randomId } from './parts.ts';
import {
  addInvoice,
  addRefundAsk,
  answerRefundAsk,
  changeInvoice,
  findInvoice,
  findRefundAsk,
  readInvoices,
  readRefundAsks,
  type StoredInvoice,
  type StoredRefundAsk,
} from './request-store.ts';

type Refusal = { ok: false; why: Why };
const no = (why: Why): Refusal => ({ ok: false, why });

/** What one student asks the school for: more than anyone does by hand. */
const ASKS = [
  { most: 20, within: 60 * 60_000 },
  { most: 60, within: 24 * 60 * 60_000 },
];

/** A reason as it is kept; null: there is none, or it is too long. */
export function tidyReason(typed: string): string | null {
  const reason = typed.trim();
  return reason === '' || [...reason].length > LONGEST_REASON ? null : reason;
}

/** A request for money back as it is shown. */
export const shownAsk = (ask: StoredRefundAsk): DataOf<typeof AskRefund> => ({
  refundAskId: ask.id,
  reason: ask.reason,
  state: ask.state,
  answer: ask.answer,
  createdAt: ask.created_at,
  answeredAt: ask.answered_at,
});

/** An invoice as it is shown. */
export const shownInvoice = (invoice: StoredInvoice): DataOf<typeof AskInvoice> => ({
  invoiceId: invoice.id,
  kind: invoice.kind,
  title: invoice.title,
  taxNo: invoice.tax_no,
  email: invoice.email,
  state: invoice.state,
  amount: invoice.amount,
  number: invoice.number,
  redNumber: invoice.red_number,
  answer: invoice.answer,
  createdAt: invoice.created_at,
  answeredAt: invoice.answered_at,
});

/** The payment that paid an order; undefined: none did. */
export const paidBy = (order: StoredOrder, payments: readonly StoredPayment[]): StoredPayment | undefined =>
  payments.find(({ id }) => id === order.payment_id);

/** What the school keeps of an order: paid, less all that has gone or goes back. In fen. */
export function keptOf(
  order: StoredOrder,
  payments: readonly StoredPayment[],
  refunds: readonly StoredRefund[],
): number {
  const payment = paidBy(order, payments);
  if (!payment) return 0;
  return refundable(
    payment.paid,
    refunds.filter(({ payment_id }) => payment_id === payment.id),
  );
}

async function keptNow(query: Query, order: StoredOrder): Promise<number> {
  return keptOf(order, await readPayments(query, [order.id]), await readRefunds(query, [order.id]));
}

/** What a student may ask for, and has asked for, of an own order. */
export async function requestsOf(query: Query, order: StoredOrder) {
  const refunds = await readRefunds(query, [order.id]);
  const kept = keptOf(order, await readPayments(query, [order.id]), refunds);
  const asks = await readRefundAsks(query, order.id);
  const invoices = await readInvoices(query, [order.id]);
  const paid = order.state === 'paid';
  const [ask] = asks;
  const [invoice] = invoices;
  return {
    refunds: refunds.map(({ amount, state, created_at: createdAt, done_at: doneAt }) => ({
      amount,
      state,
      createdAt,
      doneAt,
    })),
    refundAsk: ask ? shownAsk(ask) : null,
    mayAskRefund: mayAskRefund({ paid, left: kept, waiting: ask?.state === 'waiting' }) ? 1 : 0,
    invoice: invoice ? shownInvoice(invoice) : null,
    mayAskInvoice: mayAskInvoice({ paid, kept, states: invoices.map(({ state }) => state) }) ? 1 : 0,
  };
}

/** Locks an own order; another's is none. */
async function lockOwn(trx: Trx, userId: number, orderId: number): Promise<StoredOrder | null> {
  if ((await findOrder(trx, orderId))?.user_id !== userId) return null;
  return (await lockOrder(trx, orderId)) ?? null;
}

// ---- money back ----

/** A student asks for the money of an order back; while one waits, the same is given again. */
export async function askRefundBack(
  parts: OrderParts,
  { userId, orderId, reason: typed, now }: InputOf<typeof AskRefund> & { userId: number; now: number },
): Promise<{ ok: true; ask: StoredRefundAsk } | Refusal> {
  const reason = tidyReason(typed);
  if ((await findOrder(parts.db.query, orderId))?.user_id !== userId) return no('notFound');
  if (reason === null) return no('reasonWrong');
  const counted = await countEvent(parts.db.query, `order-ask:${userId}`, ASKS, now);
  if (!counted.ok) return no('tooMany');
  return parts.db.transaction(async (trx) => {
    const order = await lockOwn(trx, userId, orderId);
    if (!order) return no('notFound');
    const waiting = (await readRefundAsks(trx, orderId)).find(({ state }) => state === 'waiting');
    if (waiting) return { ok: true, ask: waiting };
    const facts = { paid: order.state === 'paid', left: await keptNow(trx, order), waiting: false };
    if (!mayAskRefund(facts)) return no('nothingToRefund');
    const ask = await addRefundAsk(trx, {
      id: randomId(parts.random),
      order_id: orderId,
      user_id: userId,
      reason,
      state: 'waiting',
      refund_id: null,
      created_at: now,
      answered_at: null,
    });
    await addOrderEvent(trx, { orderId, event: `refundAsked:${ask.id}`, now, words: {} });
    return { ok: true, ask };
  });
}

/** A student takes back that money is asked for. */
export async function withdrawRefund(
  parts: OrderParts,
  { userId, orderId, now }: { userId: number; orderId: number; now: number },
): Promise<{ ok: true } | Refusal> {
  return parts.db.transaction(async (trx) => {
    if (!(await lockOwn(trx, userId, orderId))) return no('notFound');
    const taken = { state: 'withdrawn' as const, answer: '', by_whom: 'student', refund_id: null, answered_at: now };
    await answerRefundAsk(trx, orderId, taken);
    return { ok: true };
  });
}

/** The school declines to give money back; its student is told. */
export async function declineRefund(
  parts: OrderParts,
  { refundAskId, answer: typed, byWhom, now }: { refundAskId: number; answer: string; byWhom: string; now: number },
): Promise<{ ok: true } | Refusal> {
  const answer = tidyReason(typed);
  if (answer === null) return no('reasonWrong');
  const asked = await findRefundAsk(parts.db.query, refundAskId);
  if (!asked) return no('notFound');
  return parts.db.transaction(async (trx) => {
    const order = await lockOrder(trx, asked.order_id);
    if (!order) return no('notFound');
    if ((await findRefundAsk(trx, refundAskId))?.state !== 'waiting') return no('answeredAlready');
    const declined = { state: 'declined' as const, answer, by_whom: byWhom, refund_id: null, answered_at: now };
    await answerRefundAsk(trx, order.id, declined);
    await addOrderEvent(trx, {
      orderId: order.id,
      event: `refundDeclined:${asked.id}`,
      now,
      words: { reason: answer, by: byWhom },
    });
    await saveNotices(trx, parts.random, now, [
      {
        userId: order.user_id,
        event: `refundDeclined:${asked.id}`,
        kind: 'refundDeclined',
        words: { title: order.title, reason: answer, orderNo: order.order_no },
      },
    ]);
    return { ok: true };
  });
}

// ---- invoices ----

const FAULTS = { title: 'titleWrong', taxNo: 'taxNoWrong', email: 'emailWrong' } as const;

/** A student asks for an invoice of a paid order; while it waits, what it says is changed. */
export async function askInvoice(
  parts: OrderParts,
  { userId, orderId, now, ...typed }: InputOf<typeof AskInvoice> & { userId: number; now: number },
): Promise<{ ok: true; invoice: StoredInvoice } | Refusal> {
  if ((await findOrder(parts.db.query, orderId))?.user_id !== userId) return no('notFound');
  const taxNo = typed.kind === 'company' ? tidyTaxNo(typed.taxNo ?? '') : '';
  const [fault] = faultsOfInvoice({ ...typed, taxNo });
  if (fault !== undefined) return no(FAULTS[fault]);
  const counted = await countEvent(parts.db.query, `order-ask:${userId}`, ASKS, now);
  if (!counted.ok) return no('tooMany');
  const says = { kind: typed.kind, title: typed.title.trim(), tax_no: taxNo, email: typed.email.trim() };
  return parts.db.transaction(async (trx) => {
    const order = await lockOwn(trx, userId, orderId);
    if (!order) return no('notFound');
    const invoices = await readInvoices(trx, [orderId]);
    const waiting = invoices.find(({ state }) => state === 'waiting');
    if (waiting) {
      await changeInvoice(trx, waiting.id, 'waiting', says);
      return { ok: true, invoice: { ...waiting, ...says } };
    }
    const kept = await keptNow(trx, order);
    const states: InvoiceState[] = invoices.map(({ state }) => state);
    if (!mayAskInvoice({ paid: order.state === 'paid', kept, states })) return no('noInvoice');
    const invoice = await addInvoice(trx, {
      id: randomId(parts.random),
      order_id: orderId,
      user_id: userId,
      ...says,
      state: 'waiting',
      created_at: now,
      answered_at: null,
    });
    await addOrderEvent(trx, { orderId, event: `invoiceAsked:${invoice.id}`, now });
    return { ok: true, invoice };
  });
}

/** A student takes back that an invoice is asked for. */
export async function withdrawInvoice(
  parts: OrderParts,
  { userId, orderId, now }: { userId: number; orderId: number; now: number },
): Promise<{ ok: true } | Refusal> {
  return parts.db.transaction(async (trx) => {
    if (!(await lockOwn(trx, userId, orderId))) return no('notFound');
    for (const { id } of await readInvoices(trx, [orderId]))
      await changeInvoice(trx, id, 'waiting', { state: 'withdrawn', answered_at: now });
    return { ok: true };
  });
}

/** What the school answers to who asks for an invoice. A number is there only once the invoice is. */
type InvoiceAnswer =
  /** With what it says, as the school has read it. */
  | { do: 'issue'; number: string; title: string; taxNo: string }
  | { do: 'decline'; answer: string }
  | { do: 'reverse'; number: string };

/** The school issues an invoice for what it keeps of the order, declines to, or takes one back with a red one. */
export async function answerInvoice(
  parts: OrderParts,
  { invoiceId, answer, byWhom, now }: { invoiceId: number; answer: InvoiceAnswer; byWhom: string; now: number },
): Promise<{ ok: true; invoice: StoredInvoice } | Refusal> {
  const number = answer.do === 'decline' ? '' : answer.number.replace(/\s/g, '');
  if (answer.do !== 'decline' && !/^\d{8,20}$/.test(number)) return no('invoiceNumberWrong');
  const reason = answer.do === 'decline' ? tidyReason(answer.answer) : '';
  if (reason === null) return no('reasonWrong');
  const found = await findInvoice(parts.db.query, invoiceId);
  if (!found) return no('notFound');
  return parts.db.transaction(async (trx) => {
    const order = await lockOrder(trx, found.order_id);
    if (!order) return no('notFound');
    const kept = await keptNow(trx, order);
    // Its student may have changed it meanwhile: the school has issued another one then.
    const asked = await findInvoice(trx, invoiceId);
    if (answer.do === 'issue' && asked?.state === 'waiting')
      if (asked.title !== answer.title || asked.tax_no !== answer.taxNo) return no('invoiceChanged');
    if (answer.do === 'issue' && (kept <= 0 || order.state !== 'paid')) return no('notPaid');
    const by = { by_whom: byWhom, answered_at: now };
    const changed =
      answer.do === 'issue'
        ? await changeInvoice(trx, invoiceId, 'waiting', { ...by, state: 'issued', number, amount: kept })
        : answer.do === 'decline'
          ? await changeInvoice(trx, invoiceId, 'waiting', { ...by, state: 'declined', answer: reason })
          : await changeInvoice(trx, invoiceId, 'issued', { ...by, state: 'reversed', red_number: number });
    const invoice = await findInvoice(trx, invoiceId);
    if (!changed || !invoice) return no('answeredAlready');
    const { state } = invoice;
    const event = `invoice-${state}:${invoiceId}`;
    await addOrderEvent(trx, { orderId: order.id, event, now, words: { by: byWhom, reason: number || reason } });
    const words = { title: order.title, number, reason, orderNo: order.order_no };
    if (state === 'issued' || state === 'declined')
      await saveNotices(trx, parts.random, now, [
        { userId: order.user_id, event, kind: state === 'issued' ? 'invoiceIssued' : 'invoiceDeclined', words },
      ]);
    return { ok: true, invoice };
  });
}
