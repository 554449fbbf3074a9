import type { Chore } from '#server/chores.ts';
import { checkYesterday } from './check.ts';
import { readDuePayments, readExpired, readWaitingRefunds } from './order-store.ts';
import type { OrderParts } from './parts.ts';
import { askPayment, endOrder, sendRefund } from './settle.ts';

/** A payment is asked about again after this long, so that a lost message enrols within a minute (milliseconds). */
const ASK_AGAIN = 30_000;
/** How long after its end a closed attempt is still asked about. */
const AFTER_END = 15 * 60_000;
/** A refund is tried again after this long, twice as long each time, up to the longest. */
const TRY_AGAIN = 30_000;
const LONGEST = 30 * 60_000;
/** Of one run: a provider that is slow must not hold up the next kind of work for long. */
const AT_ONCE = 40;
const DAY = 24 * 60 * 60 * 1000;
/** From when on the operator is told that a provider's key runs out (days). */
const WARN_DAYS = 30;

/** What time does to orders: any number of processes may run it, and all of it may be repeated. */
export function orderChores(parts: OrderParts): Chore[] {
  const { db, log } = parts;
  return [
    {
      name: 'ask for payments',
      every: 10_000,
      run: async (now) => {
        const due = { now, every: ASK_AGAIN, after: AFTER_END, limit: AT_ONCE };
        for (const payment of await readDuePayments(db.query, due)) await askPayment(parts, payment.out_trade_no);
      },
    },
    {
      name: 'close orders',
      every: 10_000,
      run: async (now) => {
        for (const orderId of await readExpired(db.query, now, AT_ONCE)) await endOrder(parts, orderId);
      },
    },
    {
      name: 'send refunds',
      every: 15_000,
      run: async (now) => {
        for (const refund of await readWaitingRefunds(db.query, AT_ONCE)) {
          const wait = Math.min(TRY_AGAIN * 2 ** Math.max(0, refund.tries - 1), LONGEST);
          if (refund.tries === 0 || refund.tried_at <= now - wait) await sendRefund(parts, refund);
        }
      },
    },
    {
      name: 'compare with bills',
      every: 20 * 60_000,
      run: (now) => checkYesterday(parts, now),
    },
    {
      name: 'look at payment keys',
      every: DAY,
      run: async (now) => {
        for (const channel of parts.channels()) {
          const days = parts.providerOf(channel)?.keysEndIn?.(now) ?? null;
          if (days !== null && days <= WARN_DAYS)
            log.error({ channel, days }, 'a key of a payment provider runs out: bring the new one in');
        }
      },
    },
  ];
}
