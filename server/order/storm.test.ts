import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { checkBooks } from './books.test-kit.ts';
import { addKeeper } from './desk-store.ts';
import { addProvider, buyer, makeCoupon, soldPack } from './order.test-kit.ts';
import { orderParts } from './parts.ts';
import { alipayServer, wechatServer } from './pay-server.test-kit.ts';
import { refundOrder } from './settle.ts';

/** A number below `below`, the same ones in the same order for a seed (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** `ORDER_STORMS=200 ORDER_SEED=…`: longer, or the same way again. */
const ROUNDS = Number(process.env.ORDER_STORMS ?? 3);
const SEED = Number(process.env.ORDER_SEED ?? Date.now() % 1e6);

describe.each(databases)('orders in a storm on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  const second = await kit.sibling();
  const wechat = await wechatServer();
  const alipay = await alipayServer();
  for (const app of [kit, second]) {
    addProvider(app, wechat.provider());
    addProvider(app, alipay.provider());
  }
  const parts = orderParts(kit.parts);
  const keeper = await kit.user('teacher');
  await addKeeper(kit.db.query, keeper.userId, kit.time.now);
  afterAll(async () => {
    await second.close();
    await kit.close();
    await wechat.close();
    await alipay.close();
  });

  it(`no order of what happens enrols without money, charges twice or uses a coupon twice (seed ${SEED})`, async () => {
    const pick = chance(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const packId = await soldPack(kit, { seats: 2 });
      const students = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const as = await kit.user();
          const own = buyer(kit, as);
          const coupons = [
            await own.coupon(await makeCoupon(kit)),
            await own.coupon(await makeCoupon(kit, { kind: 'percent', off: 100 })),
          ];
          return { as, coupons, joined: own.joined };
        }),
      );
      const known = new Set<number>();
      const step = async () => {
        const student = students[pick(3)];
        const app = pick(2) === 0 ? kit : second;
        if (!student) return;
        const { as } = student;
        const listed = await app.call('GET /api/order/list', {}, { as });
        if (listed.code !== 200) return;
        const open = listed.data.list;
        const orderId = open[pick(Math.max(1, open.length))]?.orderId ?? 0;
        const trades = [...wechat.trades.values(), ...alipay.trades.values()];
        const what = pick(15);
        const someCoupon = () => [null, ...student.coupons][pick(3)] ?? null;
        if (what <= 1) {
          const userCouponId = someCoupon();
          const requestId = `storm-${pick(1e9)}`;
          const made = await app.call('POST /api/order/create_order', { packId, userCouponId, requestId }, { as });
          if (made.code === 200) known.add(made.data.orderId);
        } else if (what === 2) {
          const begun = await app.call(
            'POST /api/order/pay',
            { orderId, channel: pick(2) ? 'wechat' : 'alipay' },
            { as },
          );
          if (begun.code === 200 && begun.data.channel === 'alipay') alipay.open(begun.data.payUrl ?? '');
        } else if (what === 3) await app.call('POST /api/order/cancel', { orderId }, { as });
        else if (what <= 5) {
          const trade = trades[pick(Math.max(1, trades.length))];
          // A provider takes no money for what it has closed.
          if (trade?.state === 'open') trade.state = 'paid';
        } else if (what === 6 && wechat.trades.size > 0) {
          const no = [...wechat.trades.keys()][pick(wechat.trades.size)] ?? '';
          const { payload, headers } = wechat.paid(no)(kit.time.now);
          const reply = await app.app.inject({ method: 'POST', url: '/notify/wechat', payload, headers });
          expect([200, 500]).toContain(reply.statusCode);
        } else if (what === 7) await app.call('POST /api/order/query_order_state', { orderId }, { as });
        else if (what === 8) await app.chore(['ask for payments', 'close orders', 'send refunds'][pick(3)] ?? '');
        else if (what === 9)
          await app.call('POST /api/order/use_coupon', { orderId, userCouponId: someCoupon() }, { as });
        else if (what === 10) await app.call('POST /api/order/zero_pay', { orderId }, { as });
        else if (what === 14) {
          // Providers that fail for a while, also for longer than they are waited for.
          const faults = [null, null, 'error', 'unsigned'] as const;
          wechat.fault = faults[pick(4)] ?? null;
          alipay.fault = faults[pick(4)] ?? null;
        } else if (what === 11) {
          // Another price, as an import brings it: no order that is there may follow it.
          const price = 100 + pick(30_000);
          await kit.db.query.updateTable('packs').set({ price }).where('id', '=', packId).execute();
        } else if (what === 12) {
          await app.call('POST /api/order/refund_ask', { orderId, reason: '不想学了' }, { as });
          const requestId = `desk-${pick(1e9)}`;
          const amount = pick(2) === 0 ? null : 1 + pick(20_000);
          await app.call('POST /api/order/desk_refund', { orderId, amount, reason: '同意', requestId }, { as: keeper });
        } else
          await refundOrder(parts, {
            orderId,
            amount: pick(2) === 0 ? null : 1 + pick(20_000),
            reason: '退款',
            byWhom: 'command',
            requestId: `storm-${pick(1e9)}`,
          });
      };
      for (let wave = 0; wave < 12; wave += 1) {
        await Promise.all(Array.from({ length: 8 }, step));
        kit.time.now += [1000, 6000, 31_000, 600_000, 3 * 3_600_000][pick(5)] ?? 0;
        second.time.now = kit.time.now;
      }
      for (const app of [kit, second]) await app.app.notices.idle();
      wechat.fault = null;
      alipay.fault = null;
      // Everything comes to its end: whatever was paid is found, closed or sent back.
      for (let end = 0; end < 3; end += 1) {
        kit.time.now += 31 * 60_000;
        for (const chore of ['ask for payments', 'close orders', 'send refunds']) await kit.chore(chore);
      }
      await checkBooks(kit, {
        packId,
        seats: 2,
        known,
        students,
        trades: { wechat: wechat.trades, alipay: alipay.trades },
      });
      wechat.trades.clear();
      alipay.trades.clear();
    }
  }, 600_000);
});
