import { Counter, type Registry } from 'prom-client';
import type { Why } from '#contract/envelope.ts';
import type { PayChannel } from '#contract/values/order.ts';
import type { Parts, Random } from '#server/parts.ts';
import type { PaymentProvider } from './provider.ts';
import { type Sandbox, sandboxCashier } from './sandbox.ts';

/** What the work on orders shares. */
export interface OrderParts extends Pick<Parts, 'db' | 'random' | 'log' | 'clock'> {
  /** The ways in which this school takes money, in the order in which they are offered. */
  channels(): PayChannel[];
  providerOf(channel: PayChannel): PaymentProvider | undefined;
  /** The cashier that moves no money; null: there is none. */
  sandbox: Sandbox | null;
  /** What somebody has to do before anything is bought: agree, or have a guardian consent (decisions §7); null: nothing. */
  mayPay(userId: number, now: number): Promise<Why | null>;
  /** Messages of providers by what became of them. */
  notices?: Counter<'channel' | 'outcome'>;
}

/** Puts together what the work on orders shares. */
export function orderParts(
  parts: Pick<Parts, 'db' | 'random' | 'log' | 'clock' | 'payments' | 'sandboxPay'> &
    Partial<Pick<OrderParts, 'mayPay'>>,
  metrics?: Registry,
): OrderParts {
  const { db, random, log, clock, payments } = parts;
  const sandbox = parts.sandboxPay ? sandboxCashier(db, clock) : null;
  const all = () => [...payments, ...(sandbox ? [sandbox] : [])];
  return {
    db,
    random,
    log,
    clock,
    sandbox,
    // The operator's commands buy nothing.
    mayPay: parts.mayPay ?? (async () => null),
    ...(metrics && { notices: noticeCounter(metrics) }),
    channels: () => all().map(({ channel }) => channel),
    providerOf: (channel) => all().find((provider) => provider.channel === channel),
  };
}

/** An id by chance, which a browser's number holds exactly. */
export const randomId = (random: Random) => random(6).readUIntBE(0, 6) + 1;

/** A number for a provider: 32 of 0-9a-f, 128 bits of chance. */
export const tradeNo = (random: Random) => random(16).toString('hex');

function noticeCounter(metrics: Registry): Counter<'channel' | 'outcome'> {
  const name = 'lixue_payment_notices_total';
  return (
    (metrics.getSingleMetric(name) as Counter<'channel' | 'outcome'> | undefined) ??
    new Counter({
      name,
      help: 'Messages of payment providers by what became of them.',
      labelNames: ['channel', 'outcome'],
      registers: [metrics],
    })
  );
}
