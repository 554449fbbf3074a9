import type { PayChannel } from '#contract/values/order.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import type { TestApp, TestUser } from '#server/test-kit.ts';
import { addCoupon } from './coupon-store.ts';
import type { PaymentProvider } from './provider.ts';

let made = 0;

/** A pack that is sold for so many fen. */
export async function soldPack(
  kit: Pick<TestApp, 'db' | 'time'>,
  more: { price?: number; seats?: number | null; sale_from?: number; sale_until?: number } = {},
): Promise<number> {
  const { packId } = await makePack(kit);
  await kit.db.query
    .updateTable('packs')
    .set({ price: 19_900, ...more })
    .where('id', '=', packId)
    .execute();
  return packId;
}

/** A code of a coupon that takes 50 yuan off, or what else is said. */
export async function makeCoupon(
  { db, time }: Pick<TestApp, 'db' | 'time'>,
  more: Partial<Parameters<typeof addCoupon>[1]> & { codeMost?: number | null } = {},
): Promise<string> {
  made += 1;
  const { codeMost = null, ...terms } = more;
  const code = `CODE${made}`;
  const coupon = {
    slug: `coupon-${made}`,
    name: '立减 50 元',
    kind: 'amount' as const,
    off: 5000,
    most_off: null,
    pack_ids: null,
    valid_from: 0,
    valid_until: time.now + 10 * 86_400_000,
    most: null,
    per_person: 1,
    created_at: time.now,
    ended_at: null,
    ...terms,
  };
  await db.transaction((trx) => addCoupon(trx, coupon, [{ code, most: codeMost }]));
  return code;
}

/** Adds a provider to a test app. */
export function addProvider(kit: TestApp, provider: PaymentProvider): void {
  (kit.parts.payments as PaymentProvider[]).push(provider);
}

/** Orders like one that waits, with a payment that has begun, of as many other students. @returns the students */
export async function ordersLike(
  kit: Pick<TestApp, 'db' | 'time'>,
  orderId: number,
  count: number,
  more: { expires_at?: number } = {},
): Promise<number[]> {
  const { query } = kit.db;
  const order = await query.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();
  const payment = await query
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  const people = Array.from({ length: count }, (_, nth) => ({
    phone: `like:${orderId}-${nth}`,
    nickname: '学员',
    password_hash: null,
    created_at: kit.time.now,
  }));
  const users = (await query.insertInto('users').values(people).returning('id').execute()).map(({ id }) => id);
  const copies = users.map((user_id, nth) => ({ user_id, id: orderId + nth + 1, suffix: `-${nth}` }));
  await query
    .insertInto('orders')
    .values(
      copies.map(({ user_id, id, suffix }) => ({
        ...{ ...order, ...more, id, user_id },
        ...{ order_no: order.order_no + suffix, request_id: order.request_id + suffix },
      })),
    )
    .execute();
  await query
    .insertInto('payments')
    .values(
      copies.map(({ id, suffix }, nth) => ({
        ...{ ...payment, ...more, id: payment.id + nth + 1, order_id: id },
        ...{ out_trade_no: payment.out_trade_no + suffix, asked_at: 0 },
      })),
    )
    .execute();
  return users;
}

let presses = 0;

/** What a student does with orders. */
export function buyer(kit: TestApp, as: TestUser) {
  const { ok } = kit;
  return {
    order: (packId: number, userCouponId: number | null = null) => {
      presses += 1;
      return ok('POST /api/order/create_order', { packId, userCouponId, requestId: `a-press-${presses}` }, { as });
    },
    pay: async (orderId: number, channel: PayChannel) => {
      const begun = await ok('POST /api/order/pay', { orderId, channel }, { as });
      const row = await kit.db.query
        .selectFrom('payments')
        .select('out_trade_no')
        .where('order_id', '=', orderId)
        .where('channel', '=', channel)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      return { ...begun, outTradeNo: row.out_trade_no };
    },
    look: (orderId: number) => ok('GET /api/order/query_order', { orderId }, { as }),
    ask: (orderId: number) => ok('POST /api/order/query_order_state', { orderId }, { as }),
    coupon: async (code: string) => (await ok('GET /api/coupon/exchange', { code }, { as })).userCouponId,
    joined: async (packId: number) => (await ok('GET /api/common/course_details', { packId }, { as })).buyState === 1,
  };
}
