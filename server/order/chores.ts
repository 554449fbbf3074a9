import { refundWaits } from '#rules/order/order.ts';
import type { Chore } from '#server/chores.ts';
import { checkYesterday } from './check.ts';
import { readDuePayments, readDueRefunds, readExpired } from './order-store.ts';
import type { OrderParts } from './parts.ts';
import { sendRefund } from './refund.ts';
import { askPayment, endOrder } from './settle.ts';

/** A payment is asked about again after this long, so that a lost message enrols within a minute (milliseconds). */
const ASK_AGAIN = 30_000;
/** How long after its end a closed attempt is still asked about. */
const AFTER_END = 15 * 60_000;
/** Of one run: a provider that is slow must not hold up the next kind of work for long. */
const AT_ONCE = 40;
/** Calls to providers under way in a run: those that are not answered keep the others waiting for seconds, not for minutes. */
const SIDE_BY_SIDE = 8;
const FROM_THE_FIRST = { expiresAt: 0, id: 0 };
const DAY = 24 * 60 * 60 * 1000;
/** From when on the operator is told that a provider's key runs out (days). */
const WARN_DAYS = 30;

/** Does each piece of work, so many at once; what fails is thrown when all of them have ended. */
async function sideBySide<T>(pieces: readonly T[], work: (piece: T) => Promise<unknown>): Promise<void> {
  const left = pieces.values();
  const one = async () => {
    for (const piece of left) await work(piece);
  };
  const done = await Promise.allSettled(Array.from({ length: SIDE_BY_SIDE }, one));
  for (const each of done) if (each.status === 'rejected') throw each.reason;
}

/** What time does to orders: any number of processes may run it, and all of it may be repeated. */
export function orderChores(parts: OrderParts): Chore[] {
  const { db, log } = parts;
  // Orders whose provider does not answer stay: the next run goes on behind them, so that they hold up no others.
  let reached = FROM_THE_FIRST;
  return [
    {
      name: 'ask for payments',
      every: 10_000,
      run: async (now) => {
        const due = { now, every: ASK_AGAIN, after: AFTER_END, limit: AT_ONCE };
        // A provider that does not answer holds up nothing of the others.
        await Promise.all(
          parts.channels().map(async (channel) => {
            const payments = await readDuePayments(db.query, { ...due, channel });
            await sideBySide(payments, (payment) => askPayment(parts, payment.out_trade_no));
          }),
        );
      },
    },
    {
      name: 'close orders',
      every: 10_000,
      run: async (now) => {
        const expired = await readExpired(db.query, now, { after: reached, limit: AT_ONCE });
        await sideBySide(expired, ({ id }) => endOrder(parts, id));
        reached = expired.length < AT_ONCE ? FROM_THE_FIRST : (expired.at(-1) ?? FROM_THE_FIRST);
      },
    },
    {
      name: 'send refunds',
      every: 15_000,
      run: async (now) => {
        const refunds = await readDueRefunds(db.query, { now, waits: refundWaits, limit: AT_ONCE });
        await sideBySide(refunds, (refund) => sendRefund(parts, refund));
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
