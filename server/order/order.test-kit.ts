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
