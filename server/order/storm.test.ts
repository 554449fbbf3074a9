import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { checkBooks } from './books.test-kit.ts';
import { addKeeper } from './desk-store.ts';
import { addProvider, buyer, makeCoupon, soldPack } from './order.test-kit.ts';
import { orderParts } from './parts.ts';
import { alipayServer, type Trade, wechatServer } from './pay-server.test-kit.ts';
import { refundOrder, repeatRefund } from './refund.ts';

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

const CHORES = ['ask for payments', 'close orders', 'send refunds'];
const FAULTS = [null, null, null, null, null, null, 'error', 'unsigned', 'lost'] as const;
/** By how much time goes on at once, milliseconds. */
const JUMPS = [0, 0, 1000, 1000, 6000, 6000, 31_000, 31_000, 31_000, 240_000, 1_000_000, 1_000_000, 3 * 3_600_000];
const SEATS = 2;
const AGAIN = { reason: '重试', byWhom: 'command' };
const TAKEN = [200, 500];
const TAKEN_OR_NOT = [200, 400, 401, 500];
const STRANGE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** What an act is done with. */
interface Act {
  app: Pick<TestApp, 'call' | 'chore'>;
  as: TestUser;
  orderId: number;
  coupon: number | null;
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

  const pick = chance(SEED);
  const one = <T>(of: readonly T[]): T | undefined => of[pick(Math.max(1, of.length))];
  const randomName = (what: string) => `${what}-${pick(1e9)}`;
  const someAmount = () => (pick(2) === 0 ? null : 1 + pick(20_000));
  const eitherServer = () => (pick(2) === 0 ? kit : second);

  /** A provider takes no money for what it has closed, nor after its time. */
  function payIn(trade: Trade | undefined): void {
    if (trade?.state === 'open' && kit.time.now < trade.endsAt) trade.state = 'paid';
  }

  /** One message of a provider about one of its trades, as often as it likes and to any server: true, early, forged or altered. */
  async function sendMessages(channel: 'wechat' | 'alipay'): Promise<void> {
    const no = one([...(channel === 'wechat' ? wechat : alipay).trades.keys()]);
    if (no === undefined) return;
    const forged = pick(4) === 0;
    const { payload, headers } =
      channel === 'wechat'
        ? wechat.paid(no)(kit.time.now, forged ? wechat.strangeKey : wechat.signsWith)
        : alipay.message({ out_trade_no: no, total_amount: '1.00' }, forged ? { key: STRANGE_KEY } : {});
    const altered = pick(6) === 0;
    const sent = altered ? payload.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (sign) => (sign === '0' ? '1' : '0')) : payload;
    await Promise.all(
      Array.from({ length: 1 + pick(4) }, async () => {
        const message = { method: 'POST' as const, url: `/notify/${channel}`, payload: sent, headers };
        const reply = await eitherServer().app.inject(message);
        expect(forged || altered ? TAKEN_OR_NOT : TAKEN).toContain(reply.statusCode);
      }),
    );
  }

  /** Students of a pack with few seats, and all that may happen to their orders, each as often as its weight says. */
  async function makeRound() {
    const packId = await soldPack(kit, { seats: SEATS });
    const students = await Promise.all(
      Array.from({ length: 4 }, async () => {
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
    /** Addresses of Alipay that students have and may still open. */
    const addresses: string[] = [];
    const openAddress = () => {
      const address = one(addresses);
      return address && alipay.trades.get(alipay.open(address, kit.time.now).outTradeNo);
    };
    const trades = () => [...wechat.trades.values(), ...alipay.trades.values()];

    const acts: [weight: number, act: (at: Act) => unknown][] = [
      [
        3,
        async ({ app, as, coupon }) => {
          const requestId = randomName('press');
          const input = { packId, userCouponId: coupon, requestId };
          // The same press may reach both servers.
          for (const made of await Promise.all(
            (pick(4) === 0 ? [kit, second] : [app]).map((each) =>
              each.call('POST /api/order/create_order', input, { as }),
            ),
          ))
            if (made.code === 200) known.add(made.data.orderId);
        },
      ],
      [
        5,
        async ({ app, as, orderId }) => {
          const channel = one(['wechat', 'alipay'] as const) ?? 'wechat';
          const begun = await app.call('POST /api/order/pay', { orderId, channel }, { as });
          if (begun.code === 200 && begun.data.payUrl) addresses.push(begun.data.payUrl);
        },
      ],
      // Also long after its order was given up.
      [1, openAddress],
      [3, () => payIn(openAddress() || undefined)],
      // Cancelled in one window, and paid in the other.
      [
        2,
        async ({ app, as, orderId }) => {
          const begun = await app.call('POST /api/order/pay', { orderId, channel: 'alipay' }, { as });
          await app.call('POST /api/order/cancel', { orderId }, { as });
          if (begun.code !== 200) return;
          const { outTradeNo } = alipay.open(begun.data.payUrl ?? '', kit.time.now);
          if (pick(2) === 0) payIn(alipay.trades.get(outTradeNo));
        },
      ],
      [3, () => payIn(one(trades()))],
      [
        3,
        async ({ app, as, orderId }) => {
          if (trades().length === 0) openAddress();
          payIn(one(trades()));
          await app.call('POST /api/order/query_order_state', { orderId }, { as });
        },
      ],
      [1, ({ app, as, orderId }) => app.call('POST /api/order/query_order_state', { orderId }, { as })],
      [2, () => sendMessages(one(['wechat', 'alipay'] as const) ?? 'wechat')],
      [2, ({ app, as, orderId }) => app.call('POST /api/order/cancel', { orderId }, { as })],
      [1, ({ app }) => app.chore(one(CHORES) ?? '')],
      [
        1,
        ({ app, as, orderId, coupon }) =>
          app.call('POST /api/order/use_coupon', { orderId, userCouponId: coupon }, { as }),
      ],
      [1, ({ app, as, orderId }) => app.call('POST /api/order/zero_pay', { orderId }, { as })],
      [
        1,
        () => {
          // Providers that fail for a while, also for longer than they are waited for, or whose answers are lost.
          for (const provider of [wechat, alipay]) provider.fault = one(FAULTS) ?? null;
          wechat.refundStatus = one(['SUCCESS', 'SUCCESS', 'PROCESSING', 'ABNORMAL'] as const) ?? 'SUCCESS';
          alipay.refundStatus = one(['SUCCESS', 'SUCCESS', 'PROCESSING'] as const) ?? 'SUCCESS';
        },
      ],
      // Another price, as an import brings it: no order that is there may follow it.
      [
        1,
        () =>
          kit.db.query
            .updateTable('packs')
            .set({ price: 100 + pick(30_000) })
            .where('id', '=', packId)
            .execute(),
      ],
      [
        1,
        async ({ app, as, orderId }) => {
          await app.call('POST /api/order/refund_ask', { orderId, reason: '不想学了' }, { as });
          const said = { orderId, amount: someAmount(), reason: '同意', requestId: randomName('desk') };
          await app.call('POST /api/order/desk_refund', said, { as: keeper });
        },
      ],
      [
        1,
        ({ orderId }) => {
          const said = { orderId, amount: someAmount(), reason: '退款', byWhom: 'command' };
          return refundOrder(parts, { ...said, requestId: randomName('storm') });
        },
      ],
      [1, ({ orderId }) => repeatRefund(parts, orderId, AGAIN)],
    ];
    const drawn = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

    const step = async () => {
      const app = eitherServer();
      const student = one(students);
      if (!student) return;
      const { as, coupons } = student;
      const listed = await app.call('GET /api/order/list', {}, { as });
      if (listed.code !== 200) return;
      const open = listed.data.list.filter(({ state }) => state === 'open');
      const orderId = one(pick(3) === 0 || open.length === 0 ? listed.data.list : open)?.orderId ?? 0;
      await one(drawn)?.({ app, as, orderId, coupon: one([null, null, ...coupons.slice(0, 1), ...coupons]) ?? null });
    };
    return { packId, students, known, step };
  }

  /** What a run has shown: that a rare thing never happens in it would make it worth nothing. */
  async function happened(packId: number): Promise<string[]> {
    const events = await kit.db.query
      .selectFrom('order_events')
      .innerJoin('orders', 'orders.id', 'order_events.order_id')
      .select(['event', 'words'])
      .where('pack_id', '=', packId)
      .execute();
    return events.flatMap(({ event, words }) => {
      const { why, late } = JSON.parse(words) as { why?: string; late?: boolean };
      const what = event.split(':')[0] ?? '';
      return [what === 'returned' ? `returned, ${why}` : what === 'paid' && late ? 'paid late' : what];
    });
  }

  /** Everything comes to its end: whatever was paid is found, closed or sent back, and what failed is asked for once more. */
  async function settleAll(): Promise<void> {
    for (const app of [kit, second]) await app.app.notices.idle();
    for (const provider of [wechat, alipay]) {
      provider.fault = null;
      provider.refundStatus = 'SUCCESS';
      for (const { refunds } of provider.trades.values())
        for (const refund of refunds.values()) if (refund.status === 'PROCESSING') refund.status = 'SUCCESS';
    }
    const { query } = kit.db;
    for (let end = 0; end < 4; end += 1) {
      kit.time.now += 31 * 60_000;
      for (const chore of CHORES) await kit.chore(chore);
      const failed = await query.selectFrom('refunds').select('order_id').where('state', '=', 'failed').execute();
      for (const { order_id } of failed) await repeatRefund(parts, order_id, AGAIN);
    }
    second.time.now = kit.time.now;
  }

  it(
    `no order of what happens enrols without money, charges twice or uses a coupon twice (seed ${SEED})`,
    async () => {
      const ends = { rounds: 0, paid: 0, refunded: 0, closed: 0, happened: {} as Record<string, number> };
      for (let round = 0; round < ROUNDS; round += 1) {
        const { packId, students, known, step } = await makeRound();
        for (let wave = 0; wave < 16; wave += 1) {
          await Promise.all(Array.from({ length: 9 }, step));
          kit.time.now += one(JUMPS) ?? 0;
          second.time.now = kit.time.now;
        }
        await settleAll();
        const trades = { wechat: wechat.trades, alipay: alipay.trades };
        const found = await checkBooks(kit, { packId, seats: SEATS, known, students, trades }).catch((error) => {
          throw new Error(`round ${round} of seed ${SEED}`, { cause: error });
        });
        ends.rounds += 1;
        for (const state of ['paid', 'refunded', 'closed'] as const) ends[state] += found[state];
        for (const what of await happened(packId)) ends.happened[what] = (ends.happened[what] ?? 0) + 1;
        wechat.trades.clear();
        alipay.trades.clear();
      }
      if (process.env.ORDER_STORMS !== undefined) process.stdout.write(`${kind}: ${JSON.stringify(ends)}\n`);
    },
    Math.max(600_000, ROUNDS * 10_000),
  );
});
