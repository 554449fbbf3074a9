import type { PayChannel } from '#contract/values/order.ts';
import { chinaDay, DAY } from '#rules/clock/china-day.ts';
import { type Difference, differences } from '#rules/order/reconcile.ts';
import { findPayment, findRefund, readPaidBetween, readRefundsBetween } from './order-store.ts';
import type { OrderParts } from './parts.ts';

/** What a day's comparison found. Sums are fen. */
export interface DayReport {
  channel: PayChannel;
  day: string;
  payments: { count: number; sum: number };
  refunds: { count: number; sum: number };
  differences: Difference[];
}

/**
 * Compares a day of ours with the bill of a provider. Midnight cuts both sides a little differently, so that what only one of them has
 * on that day is looked for among all of ours before it is told.
 * @throws ProviderAway, ProviderRefused
 */
export async function compareDay(parts: OrderParts, channel: PayChannel, day: string): Promise<DayReport | null> {
  const from = chinaDay(day);
  const provider = parts.providerOf(channel);
  if (from === null || !provider) return null;
  const { query } = parts.db;
  const bill = await provider.bill(day);
  const ours = [
    ...(await readPaidBetween(query, channel, from, from + DAY)).map((row) => ({
      kind: 'payment' as const,
      outTradeNo: row.out_trade_no,
      outRefundNo: '',
      amount: row.paid,
    })),
    ...(await readRefundsBetween(query, channel, from, from + DAY)).map((row) => ({ kind: 'refund' as const, ...row })),
  ];
  const elsewhere: typeof ours = [];
  for (const line of bill) {
    const payment = line.kind === 'payment' ? await findPayment(query, line.outTradeNo) : undefined;
    const refund = line.kind === 'refund' ? await findRefund(query, line.outRefundNo) : undefined;
    const amount = payment?.state === 'paid' ? payment.paid : refund?.state === 'done' ? refund.amount : null;
    if (amount !== null) elsewhere.push({ ...line, amount });
  }
  const tally = (kind: 'payment' | 'refund') => {
    const lines = bill.filter((line) => line.kind === kind);
    return { count: lines.length, sum: lines.reduce((sum, { amount }) => sum + amount, 0) };
  };
  return {
    channel,
    day,
    payments: tally('payment'),
    refunds: tally('refund'),
    differences: differences(bill, ours, elsewhere),
  };
}
