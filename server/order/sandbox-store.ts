import type { PaymentState } from '#contract/values/order.ts';
import type { Query } from '#server/db/open.ts';

interface SandboxTrade {
  amount: number;
  state: PaymentState;
  paid_at: number | null;
}

/** Makes an attempt known to the cashier that moves no money; twice is the same as once. */
export async function addTrade(query: Query, outTradeNo: string, amount: number, now: number): Promise<void> {
  await query
    .insertInto('sandbox_trades')
    .values({ out_trade_no: outTradeNo, amount, state: 'open', paid_at: null, created_at: now })
    .onConflict((conflict) => conflict.column('out_trade_no').doNothing())
    .execute();
}

/** An attempt as the cashier knows it. */
export async function findTrade(query: Query, outTradeNo: string): Promise<SandboxTrade | undefined> {
  return query
    .selectFrom('sandbox_trades')
    .select(['amount', 'state', 'paid_at'])
    .where('out_trade_no', '=', outTradeNo)
    .executeTakeFirst();
}

/** Moves an attempt that is still open. @returns whether it was */
export async function moveTrade(
  query: Query,
  outTradeNo: string,
  to: { state: 'paid' | 'closed'; paid_at: number | null },
): Promise<boolean> {
  const moved = await query
    .updateTable('sandbox_trades')
    .set(to)
    .where('out_trade_no', '=', outTradeNo)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Notes money that went back; the same number twice is one. */
export async function addSandboxRefund(
  query: Query,
  refund: { out_refund_no: string; out_trade_no: string; amount: number; created_at: number },
): Promise<void> {
  await query
    .insertInto('sandbox_refunds')
    .values(refund)
    .onConflict((conflict) => conflict.column('out_refund_no').doNothing())
    .execute();
}

/** Whether money of this number went back. */
export async function hasSandboxRefund(query: Query, outRefundNo: string): Promise<boolean> {
  const row = await query
    .selectFrom('sandbox_refunds')
    .select('amount')
    .where('out_refund_no', '=', outRefundNo)
    .executeTakeFirst();
  return row !== undefined;
}

/** What the cashier did in a time. */
export async function readSandboxDay(query: Query, from: number, until: number) {
  const trades = await query
    .selectFrom('sandbox_trades')
    .select(['out_trade_no', 'amount'])
    .where('paid_at', '>=', from)
    .where('paid_at', '<', until)
    .execute();
  const refunds = await query
    .selectFrom('sandbox_refunds')
    .select(['out_refund_no', 'out_trade_no', 'amount'])
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .execute();
  return { trades, refunds };
}
