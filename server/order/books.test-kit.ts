import { expect } from 'vitest';
import type { PayChannel } from '#contract/values/order.ts';
import type { TestApp, TestUser } from '#server/test-kit.ts';
import type { Trade } from './pay-server.test-kit.ts';

interface Books {
  packId: number;
  /** Of the pack; null: any number. */
  seats: number | null;
  /** The orders that were acknowledged; left out: more may have been made, by calls whose answer was lost. */
  known?: ReadonlySet<number>;
  students: readonly { as: TestUser; coupons: readonly number[]; joined: (packId: number) => Promise<boolean> }[];
  /** What the providers hold, by their own account. */
  trades: Partial<Record<PayChannel, ReadonlyMap<string, Trade>>>;
}

/**
 * Compares a school's orders of one pack with what the providers hold, once all has come to its end: nobody has the course without money, no
 * money is kept without the course or twice, and a coupon was used by one order at most.
 */
export async function checkBooks(
  { db: { query } }: Pick<TestApp, 'db'>,
  { packId, seats, known, students, trades }: Books,
): Promise<{ paid: number; refunded: number; closed: number }> {
  const orders = await query.selectFrom('orders').selectAll().where('pack_id', '=', packId).execute();
  if (known) expect(orders.every(({ id }) => known.has(id))).toBe(true);
  if (seats !== null) expect(orders.filter(({ seat }) => seat === 1).length).toBeLessThanOrEqual(seats);
  for (const order of orders) {
    expect(order.total).toBe(order.price - order.discount);
    expect(order.total).toBeGreaterThanOrEqual(0);
    expect(['paid', 'closed', 'refunded']).toContain(order.state);
    const payments = await query.selectFrom('payments').selectAll().where('order_id', '=', order.id).execute();
    let kept = 0;
    for (const payment of payments) {
      const trade = trades[payment.channel]?.get(payment.out_trade_no);
      const gone = [...(trade?.refunds.values() ?? [])].reduce(
        (sum, { amount, status }) => (status === 'ABNORMAL' ? sum : sum + amount),
        0,
      );
      const there = trade?.state === 'paid' ? trade.amount - gone : 0;
      expect(there).toBeGreaterThanOrEqual(0);
      expect(payment.state === 'paid').toBe(trade?.state === 'paid');
      kept += there;
    }
    // The school keeps money for a course it gives, and gives none without.
    if (order.state === 'paid' && order.payment_id === null)
      expect([order.access, order.total, kept]).toEqual([1, 0, 0]);
    else if (order.state === 'paid') expect([order.access, kept > 0 && kept <= order.total]).toEqual([1, true]);
    else expect([order.access, kept]).toEqual([0, 0]);
    if (order.user_coupon_id === null) continue;
    const coupon = await query
      .selectFrom('user_coupons')
      .selectAll()
      .where('id', '=', order.user_coupon_id)
      .executeTakeFirstOrThrow();
    if (order.state === 'paid') expect([coupon.state, coupon.order_id]).toEqual(['used', order.id]);
    else expect(coupon.order_id).not.toBe(order.id);
  }
  const given = await query
    .selectFrom('user_coupons')
    .selectAll()
    .where(
      'id',
      'in',
      students.flatMap(({ coupons }) => coupons),
    )
    .execute();
  for (const coupon of given) {
    // Used by exactly one order that gives its course, or free again: nothing is held once all has ended.
    const users = orders.filter(({ user_coupon_id, state }) => user_coupon_id === coupon.id && state === 'paid');
    expect([coupon.state, users.length]).toEqual(users.length === 0 ? ['free', 0] : ['used', 1]);
  }
  expect(await query.selectFrom('refunds').select('id').where('state', '=', 'waiting').execute()).toEqual([]);
  const asks = await query.selectFrom('refund_asks').selectAll().where('state', '=', 'agreed').execute();
  for (const { refund_id } of asks) expect(refund_id).not.toBe(null);
  for (const { as, joined } of students) {
    const lines = orders.filter((order) => order.user_id === as.userId && order.access === 1);
    expect(lines.length).toBeLessThanOrEqual(1);
    expect(await joined(packId)).toBe(lines.length === 1);
  }
  const count = (state: string) => orders.filter((order) => order.state === state).length;
  return { paid: count('paid'), refunded: count('refunded'), closed: count('closed') };
}
