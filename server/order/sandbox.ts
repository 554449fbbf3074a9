import { chinaDay, DAY } from '#rules/clock/china-day.ts';
import type { Db } from '#server/db/open.ts';
import { type PaymentProvider, ProviderRefused } from './provider.ts';
import { addSandboxRefund, addTrade, findTrade, hasSandboxRefund, moveTrade, readSandboxDay } from './sandbox-store.ts';

/** The cashier that moves no money (decisions §8): what it knows stands in tables of its own, as at a provider. */
export interface Sandbox extends PaymentProvider {
  /** A student presses 支付 at it. @returns whether that paid it */
  pay(outTradeNo: string, now: number): Promise<boolean>;
}

/** Makes the cashier that moves no money. It sends no messages: it is asked. */
export function sandboxCashier({ query }: Pick<Db, 'query'>, clock: () => number): Sandbox {
  return {
    channel: 'sandbox',
    begin: async ({ outTradeNo, amount, orderId, now }) => {
      await addTrade(query, outTradeNo, amount, now);
      return { payUrl: `/order/${orderId}` };
    },
    query: async (outTradeNo) => {
      const trade = await findTrade(query, outTradeNo);
      if (!trade) return { state: 'none' };
      if (trade.state !== 'paid') return { state: trade.state };
      return { state: 'paid', amount: trade.amount, providerNo: `sandbox-${outTradeNo}`, paidAt: trade.paid_at };
    },
    close: async (outTradeNo) => {
      if (await moveTrade(query, outTradeNo, { state: 'closed', paid_at: null })) return 'closed';
      return (await findTrade(query, outTradeNo))?.state === 'paid' ? 'paid' : 'closed';
    },
    refund: async ({ outTradeNo, outRefundNo, amount }) => {
      await addSandboxRefund(query, {
        out_refund_no: outRefundNo,
        out_trade_no: outTradeNo,
        amount,
        created_at: clock(),
      });
      return { state: 'done' };
    },
    queryRefund: async ({ outRefundNo }) => ({ state: (await hasSandboxRefund(query, outRefundNo)) ? 'done' : 'none' }),
    bill: async (day) => {
      const from = chinaDay(day);
      if (from === null) throw new ProviderRefused('badDay', `${day} is no day`);
      const { trades, refunds } = await readSandboxDay(query, from, from + DAY);
      return [
        ...trades.map((row) => ({
          kind: 'payment' as const,
          outTradeNo: row.out_trade_no,
          outRefundNo: '',
          amount: row.amount,
        })),
        ...refunds.map((row) => ({
          kind: 'refund' as const,
          outTradeNo: row.out_trade_no,
          outRefundNo: row.out_refund_no,
          amount: row.amount,
        })),
      ];
    },
    readNotice: () => ({ ok: false, unknownKey: false }),
    pay: async (outTradeNo, now) => {
      if (await moveTrade(query, outTradeNo, { state: 'paid', paid_at: now })) return true;
      return (await findTrade(query, outTradeNo))?.state === 'paid';
    },
  };
}
