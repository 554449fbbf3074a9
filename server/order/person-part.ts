import { allOf, type PersonPart } from '#server/person-part.ts';
import { cancelOrder, shown } from './buy.ts';
import { readOwnCoupons } from './coupon-store.ts';
import { removeKeeper } from './desk-store.ts';
import { readOrdersOf } from './order-store.ts';
import type { OrderParts } from './parts.ts';
import { forgetRequestsOf, readRequestsOf } from './request-store.ts';

/** Coupons of one person that are read at once: far more than anyone has. */
const MOST_COUPONS = 10_000;

/**
 * Of a person: orders and coupons. An order that waits for payment is closed before its account is; the others stay, of an account that
 * names nobody any more, since the school has to keep its books.
 */
export function orderPersonParts(parts: OrderParts): readonly PersonPart[] {
  const { query } = parts.db;
  return [
    {
      name: '订单',
      rows: (userId) => allOf(async () => shown(query, await readOrdersOf(query, userId))),
      settle: async (userId) => {
        const open = (await readOrdersOf(query, userId)).filter(({ state }) => state === 'open');
        let settled = true;
        for (const { id } of open) {
          const ended = await cancelOrder(parts, { userId, orderId: id });
          // One that was paid in this moment needs no closing.
          settled &&= ended.ok || ended.why !== 'payUnsure';
        }
        return settled;
      },
    },
    {
      name: '退款与发票申请',
      rows: (userId) => allOf(() => readRequestsOf(query, userId)),
      forget: async (trx, userId) => {
        await forgetRequestsOf(trx, userId);
        await removeKeeper(trx, userId);
      },
    },
    {
      name: '优惠券',
      rows: (userId) =>
        allOf(async () =>
          (await readOwnCoupons(query, userId, MOST_COUPONS)).map(({ name, state, valid_from, valid_until }) => ({
            ...{ name, state, validFrom: valid_from, validUntil: valid_until },
          })),
        ),
    },
  ];
}
