import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { addProvider, buyer, makeCoupon, ordersLike, soldPack } from './order.test-kit.ts';
import { orderParts } from './parts.ts';
import { alipayServer, wechatServer } from './pay-server.test-kit.ts';
import { type PaymentProvider, ProviderAway } from './provider.ts';
import { refundOrder } from './refund.ts';

const SANDBOX = 'POST /api/order/sandbox_pay';
const CANCEL = 'POST /api/order/cancel';
const PAY = 'POST /api/order/pay';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Of a hundred thousand signs, GBK as far as these tests need it. */
const gbk: Readonly<Record<string, number[]>> = { 支: [0xd6, 0xa7], 付: [0xb8, 0xb6], 课: [0xbf, 0xce] };
const away = () => Promise.reject(new ProviderAway('it is not there'));
const inGbk = (text: string) => Buffer.from([...text].flatMap((sign) => gbk[sign] ?? [sign.charCodeAt(0)]));

describe.each(databases)('money of providers on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  const wechat = await wechatServer();
  const alipay = await alipayServer();
  // The keys of the next turn stand ready; what was asked stands in these.
  const now = { wechat: { ...wechat.signsWith }, alipay: alipay.signing.key };
  addProvider(kit, wechat.provider());
  addProvider(kit, alipay.provider());
  afterAll(async () => {
    await kit.close();
    await wechat.close();
    await alipay.close();
  });
  afterEach(() => {
    wechat.fault = null;
    alipay.fault = null;
    wechat.refundStatus = 'SUCCESS';
    wechat.signsWith = { ...now.wechat };
    alipay.signing.key = now.alipay;
  });
  const { ok, refused } = kit;

  const send = (url: string, { payload, headers }: { payload: string; headers: Record<string, string> }) =>
    kit.app.inject({ method: 'POST', url, payload, headers });
  /** The answer comes after 0.8 s at the latest; what it began goes on. */
  const post: typeof send = async (url, message) => {
    const reply = await send(url, message);
    await kit.app.notices.idle();
    return reply;
  };
  const toWechat = (message: ReturnType<typeof wechat.message>, at = kit.time.now, by = wechat.signsWith) =>
    post('/notify/wechat', message(at, by));
  async function scene(more: Parameters<typeof soldPack>[1] = {}) {
    const as = await kit.user();
    const packId = await soldPack(kit, more);
    return { as, packId, ...buyer(kit, as) };
  }
  type Scene = Awaited<ReturnType<typeof scene>>;
  const began = async (at: Scene, channel: 'wechat' | 'alipay' = 'wechat', userCouponId: number | null = null) => {
    const { orderId } = await at.order(at.packId, userCouponId);
    const paying = await at.pay(orderId, channel);
    if (channel === 'alipay') alipay.open(paying.payUrl ?? '');
    const trades = channel === 'wechat' ? wechat.trades : alipay.trades;
    const trade = trades.get(paying.outTradeNo);
    if (!trade) throw new Error('the provider does not know the attempt');
    return { ...paying, orderId, trade };
  };
  const notices = async ({ as }: Pick<Scene, 'as'>) =>
    (await ok('GET /app/common/notice', { pageSize: 50 }, { as })).list.map(({ kind: what }) => what).sort();
  const rows = async (orderId: number) => ({
    payments: await kit.db.query.selectFrom('payments').selectAll().where('order_id', '=', orderId).execute(),
    refunds: await kit.db.query.selectFrom('refunds').selectAll().where('order_id', '=', orderId).execute(),
    events: (
      await kit.db.query.selectFrom('order_events').select('event').where('order_id', '=', orderId).execute()
    ).map(({ event }) => event.split(':')[0]),
  });

  it('is taken once from a message that comes fifty times at once (callbacks, page and chore together)', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade, codeUrl, amount } = await began(at);
    expect([codeUrl?.startsWith('weixin://'), amount, trade.amount]).toEqual([true, 19_900, 19_900]);
    expect(await at.pay(orderId, 'wechat')).toMatchObject({ codeUrl, outTradeNo });
    trade.state = 'paid';
    const replies = await Promise.all([
      ...Array.from({ length: 50 }, () => toWechat(wechat.paid(outTradeNo))),
      at.ask(orderId),
      kit.chore('ask for payments'),
    ]);
    for (const reply of replies.slice(0, 50)) {
      const { statusCode, body } = reply as { statusCode: number; body: string };
      expect([statusCode, body]).toEqual([200, '']);
    }
    expect(await at.look(orderId)).toMatchObject({ state: 'paid', sandbox: 0, refunded: 0, refunding: 0 });
    expect(await at.joined(at.packId)).toBe(true);
    expect(await notices(at)).toEqual(['orderPaid']);
    const { payments, refunds, events } = await rows(orderId);
    expect([payments.length, refunds.length, events.sort()]).toEqual([1, 0, ['made', 'paid']]);
  });

  it('is not taken from a message that is forged, altered, old, a probe, or for another merchant', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await began(at);
    // It was paid: only a right message may make the server look.
    trade.state = 'paid';
    const right = wechat.paid(outTradeNo)(kit.time.now);
    const without = (name: string) => {
      const { [name as 'content-type']: _, ...headers } = right.headers;
      return { ...right, headers };
    };
    const wrong = [
      { ...right, payload: right.payload.replace('EV-1', 'EV-2') },
      { ...right, payload: `${right.payload} ` },
      { ...right, payload: JSON.stringify(JSON.parse(right.payload)) },
      ...['wechatpay-signature', 'wechatpay-serial', 'wechatpay-nonce', 'wechatpay-timestamp'].map(without),
      {
        ...right,
        headers: {
          ...right.headers,
          'wechatpay-signature': `WECHATPAY/SIGNTEST/${right.headers['wechatpay-signature']}`,
        },
      },
      { ...right, headers: { ...right.headers, 'wechatpay-signature': 'AAAA' } },
      wechat.paid(outTradeNo)(kit.time.now, { ...wechat.strangeKey, id: now.wechat.id }),
      wechat.paid(outTradeNo)(kit.time.now - 6 * MINUTE),
      wechat.paid(outTradeNo)(kit.time.now + 6 * MINUTE),
      wechat.paid(outTradeNo, { mchid: '1900000002' })(kit.time.now),
      wechat.paid(outTradeNo, { appid: 'wx1' })(kit.time.now),
      wechat.paid(outTradeNo, { trade_state: 'USERPAYING' })(kit.time.now),
      { payload: '', headers: {} },
      { payload: '{"a":', headers: right.headers },
    ];
    for (const message of wrong) {
      const reply = await post('/notify/wechat', message as typeof right);
      expect(reply.statusCode).toBe(401);
      expect(reply.json()).toMatchObject({ code: 'FAIL' });
    }
    // It may be right, by a key that is not here: it has to come again.
    expect((await toWechat(wechat.paid(outTradeNo), kit.time.now, wechat.strangeKey)).statusCode).toBe(500);
    expect((await rows(orderId)).payments).toMatchObject([{ state: 'open', hinted: 0 }]);
    expect((await post('/notify/wechat', right)).statusCode).toBe(200);
    expect(await at.look(orderId)).toMatchObject({ state: 'paid' });
  });

  it('is taken while the platform signs with its old and its new key side by side', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await began(at);
    wechat.signsWith = wechat.nextKey;
    trade.state = 'paid';
    expect((await toWechat(wechat.paid(outTradeNo), kit.time.now, now.wechat)).statusCode).toBe(200);
    expect(await at.look(orderId)).toMatchObject({ state: 'paid' });
    const other = await scene();
    const second = await began(other, 'alipay');
    alipay.signing.key = alipay.nextKey;
    second.trade.state = 'paid';
    expect((await post('/notify/alipay', alipay.message({ out_trade_no: second.outTradeNo }))).body).toBe('success');
    expect(await other.look(second.orderId)).toMatchObject({ state: 'paid' });
  });

  it('of a number that nobody knows is to be told again, and kept to be looked at (statamic-cargo#190)', async () => {
    const strange = wechat.paid('f'.repeat(32));
    for (let turn = 0; turn < 3; turn += 1) expect((await toWechat(strange)).statusCode).toBe(500);
    const kept = await kit.db.query.selectFrom('payment_inbox').selectAll().execute();
    expect(kept).toMatchObject([{ channel: 'wechat', out_trade_no: 'f'.repeat(32), times: 3 }]);
  });

  it('is answered within a second by a slow provider, and healed by the chore', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await began(at);
    trade.state = 'paid';
    wechat.fault = 'hangs';
    const before = performance.now();
    expect((await send('/notify/wechat', wechat.paid(outTradeNo)(kit.time.now))).statusCode).toBe(200);
    expect(performance.now() - before).toBeLessThan(3000);
    expect(await at.look(orderId)).toMatchObject({ state: 'open' });
    await kit.app.notices.idle();
    wechat.fault = null;
    await kit.chore('ask for payments');
    expect(await at.look(orderId)).toMatchObject({ state: 'paid' });
  });

  it('is found without any message: by the page once in 5 s, and by the chore within a minute (Wei-Shaw/sub2api#2569)', async () => {
    const [one, two] = [await scene(), await scene()];
    const [first, second] = [await began(one), await began(two, 'alipay')];
    const asked = () => wechat.asked.get('pay') ?? 0;
    await one.ask(first.orderId);
    const before = asked();
    for (let turn = 0; turn < 5; turn += 1) await one.ask(first.orderId);
    expect(asked()).toBe(before);
    first.trade.state = 'paid';
    second.trade.state = 'paid';
    kit.time.now += 5000;
    expect(await one.ask(first.orderId)).toMatchObject({ state: 'paid', asked: true });
    kit.time.now += 31_000;
    await kit.chore('ask for payments');
    expect(await two.look(second.orderId)).toMatchObject({ state: 'paid' });
  });

  it('that an answer says without a signature is not believed, nor is an error an answer', async () => {
    const at = await scene();
    const { orderId, trade } = await began(at);
    trade.state = 'paid';
    for (const fault of ['unsigned', 'error'] as const) {
      wechat.fault = fault;
      kit.time.now += 6000;
      expect(await at.ask(orderId)).toMatchObject({ state: 'open', asked: false });
    }
    wechat.fault = null;
    kit.time.now += 6000;
    expect(await at.ask(orderId)).toMatchObject({ state: 'paid' });
  });

  it('that came in the last moment is found before its order closes; no answer leaves it open', async () => {
    const at = await scene();
    const { orderId, trade } = await began(at);
    trade.state = 'paid';
    wechat.fault = 'error';
    kit.time.now += 30 * MINUTE;
    await kit.chore('close orders');
    expect(await at.look(orderId)).toMatchObject({ state: 'open' });
    wechat.fault = null;
    await kit.chore('close orders');
    expect(await at.look(orderId)).toMatchObject({ state: 'paid' });
    expect(await at.joined(at.packId)).toBe(true);
  });

  it('is not taken after a cancel: the attempt is closed at the provider first', async () => {
    const at = await scene();
    const { orderId, trade } = await began(at);
    await ok(CANCEL, { orderId }, { as: at.as });
    expect(trade.state).toBe('closed');
    const other = await scene();
    const paid = await began(other);
    paid.trade.state = 'paid';
    expect(await refused(CANCEL, { orderId: paid.orderId }, { as: other.as })).toBe('orderPaid');
    expect(await other.joined(other.packId)).toBe(true);
    const third = await scene();
    const open = await began(third);
    wechat.fault = 'error';
    expect(await refused(CANCEL, { orderId: open.orderId }, { as: third.as })).toBe('payUnsure');
    expect(await third.look(open.orderId)).toMatchObject({ state: 'open' });
  });

  /** An order that is closed, whose attempt is paid all the same. */
  async function late(at: Scene, userCouponId: number | null = null) {
    const attempt = await began(at, 'alipay', userCouponId);
    alipay.trades.delete(attempt.outTradeNo);
    kit.time.now += 30 * MINUTE;
    await kit.chore('close orders');
    expect(await at.look(attempt.orderId)).toMatchObject({ state: 'closed' });
    alipay.trades.set(attempt.outTradeNo, { ...attempt.trade, state: 'paid' });
    const say = () => post('/notify/alipay', alipay.message({ out_trade_no: attempt.outTradeNo }));
    return { ...attempt, say };
  }

  it('after expiry enrols where it can (coreshop/CoreShop#2529)', async () => {
    const at = await scene({ seats: 1 });
    const coupon = await at.coupon(await makeCoupon(kit));
    const { orderId, say } = await late(at, coupon);
    expect((await say()).body).toBe('success');
    expect(await at.look(orderId)).toMatchObject({ state: 'paid', total: 14_900, returned: null });
    expect(await at.joined(at.packId)).toBe(true);
    expect((await ok('GET /api/coupon/list', {}, { as: at.as })).list[0]?.state).toBe('used');
    expect(await ok('GET /api/common/course_details', { packId: at.packId })).toMatchObject({ seatsLeft: 0 });
  });

  it('after a cancel, by a page that was opened only then, is found by the chore alone, also by a process that was away', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await late(at);
    alipay.trades.delete(outTradeNo);
    // Alipay knows an order that nobody has opened as little as one that never was.
    kit.time.now += 3 * HOUR;
    alipay.trades.set(outTradeNo, { ...trade, state: 'paid' });
    await kit.chore('ask for payments');
    expect(await at.look(orderId)).toMatchObject({ state: 'paid' });
    expect(await at.joined(at.packId)).toBe(true);

    const other = await scene();
    const unpaid = await late(other);
    alipay.trades.delete(unpaid.outTradeNo);
    const askedAt = async () =>
      (
        await kit.db.query
          .selectFrom('payments')
          .select('asked_at')
          .where('out_trade_no', '=', unpaid.outTradeNo)
          .executeTakeFirstOrThrow()
      ).asked_at;
    kit.time.now += 3 * HOUR;
    alipay.fault = 'error';
    await kit.chore('ask for payments');
    alipay.fault = null;
    kit.time.now += MINUTE;
    await kit.chore('ask for payments');
    const once = await askedAt();
    expect(once).toBe(kit.time.now);
    kit.time.now += HOUR;
    await kit.chore('ask for payments');
    expect(await askedAt(), 'and is left alone then').toBe(once);
  });

  it.each(['soldOut', 'notOnOffer', 'couponGone'] as const)(
    'after expiry goes back by itself where it cannot: %s',
    async (reason) => {
      const at = await scene({ seats: 1 });
      const coupon = await at.coupon(await makeCoupon(kit));
      const { orderId, outTradeNo, say } = await late(at, coupon);
      if (reason === 'soldOut') {
        const other = await kit.user();
        await buyer(kit, other).order(at.packId);
      }
      if (reason === 'notOnOffer')
        await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', at.packId).execute();
      if (reason === 'couponGone') await at.order(await soldPack(kit), coupon);
      await Promise.all(Array.from({ length: 5 }, say));
      expect(await at.look(orderId)).toMatchObject({ state: 'closed', returned: reason, refunding: 0 });
      const { refunds } = await rows(orderId);
      expect(refunds).toMatchObject([{ amount: 14_900, state: 'done', by_whom: 'system' }]);
      expect([...(alipay.trades.get(outTradeNo)?.refunds.values() ?? [])]).toMatchObject([{ amount: 14_900 }]);
      expect(await notices(at)).toEqual(['orderRefunded', 'orderReturned']);
    },
  );

  it('after the account was closed goes back by itself', async () => {
    const at = await scene();
    const { orderId, say } = await late(at);
    const gone = { phone: `gone:${at.as.userId}`, gone_at: kit.time.now };
    await kit.db.changePeople((trx) => trx.updateTable('users').set(gone).where('id', '=', at.as.userId).execute());
    expect((await say()).body).toBe('success');
    const { refunds, events } = await rows(orderId);
    expect(refunds).toMatchObject([{ amount: 19_900, state: 'done', reason: 'accountGone' }]);
    expect(events).not.toContain('paid');
  });

  it('of a provider that the school has taken out ends its order with its time, and is taken when it is there again', async () => {
    const at = await scene({ seats: 1 });
    const { orderId, outTradeNo, trade } = await began(at);
    const providers = kit.parts.payments as unknown[];
    const [first] = providers;
    const taken = providers.splice(0, 1);
    try {
      // Nobody can be asked, and it may still be paid: it waits.
      expect(await refused(CANCEL, { orderId }, { as: at.as })).toBe('payUnsure');
      trade.state = 'paid';
      kit.time.now += 30 * MINUTE;
      await kit.chore('close orders');
      expect(await at.look(orderId)).toMatchObject({ state: 'closed' });
      expect(await ok('GET /api/common/course_details', { packId: at.packId })).toMatchObject({ seatsLeft: 1 });
      await kit.chore('ask for payments');
    } finally {
      providers.unshift(...taken);
    }
    expect(providers[0]).toBe(first);
    kit.time.now += 60 * MINUTE;
    await kit.chore('ask for payments');
    expect(await at.look(orderId)).toMatchObject({ state: 'paid' });
    expect((await rows(orderId)).payments).toMatchObject([{ out_trade_no: outTradeNo, state: 'paid', hinted: 0 }]);
  });

  it.each(['paid', 'open'] as const)(
    'of a provider that stays silent ends its order two hours after its time, and when it speaks again what was %s is settled',
    async (really) => {
      const at = await scene({ seats: 1 });
      const { orderId, trade } = await began(at);
      trade.state = really;
      const providers = kit.parts.payments as unknown[];
      const [taken] = providers.splice(0, 1, { ...wechat.provider(), channel: 'wechat', query: away, close: away });
      try {
        kit.time.now += 149 * MINUTE;
        await kit.chore('close orders');
        // An outage passes: whether it was paid is asked again.
        expect(await at.look(orderId)).toMatchObject({ state: 'open' });
        expect(await refused(CANCEL, { orderId }, { as: at.as })).toBe('payUnsure');
        kit.time.now += 2 * MINUTE;
        await kit.chore('close orders');
        expect(await at.look(orderId)).toMatchObject({ state: 'closed' });
        expect(await ok('GET /api/common/course_details', { packId: at.packId })).toMatchObject({ seatsLeft: 1 });
        kit.time.now += 7 * 24 * 60 * MINUTE;
        await kit.chore('ask for payments');
      } finally {
        providers.splice(0, 1, taken);
      }
      kit.time.now += MINUTE;
      await kit.chore('ask for payments');
      expect(await at.look(orderId)).toMatchObject({ state: really === 'paid' ? 'paid' : 'closed' });
      const { payments } = await rows(orderId);
      expect(payments).toMatchObject([{ state: really === 'paid' ? 'paid' : 'closed', hinted: 0 }]);
      // Nobody pays it any more.
      expect(trade.state).toBe(really === 'paid' ? 'paid' : 'closed');
    },
  );

  it('of an attempt that was given up is closed at the provider once it speaks again, also while its order waits to be ended', async () => {
    const at = await scene();
    const { trade, outTradeNo } = await began(at);
    const providers = kit.parts.payments as unknown[];
    const [taken] = providers.splice(0, 1, { ...wechat.provider(), channel: 'wechat', query: away, close: away });
    kit.time.now += 151 * MINUTE;
    await kit.chore('ask for payments');
    providers.splice(0, 1, taken);
    kit.time.now += MINUTE;
    await kit.chore('ask for payments');
    const { state } = await kit.db.query
      .selectFrom('payments')
      .select('state')
      .where('out_trade_no', '=', outTradeNo)
      .executeTakeFirstOrThrow();
    expect([state, trade.state]).toEqual(['closed', 'closed']);
  });

  it('is asked about, and orders end, past any number of those whose provider does not answer or is not there', async () => {
    const at = await scene();
    const stuck = await began(at);
    const other = await scene();
    const fresh = await began(other, 'alipay');
    // Sixty of WeChat before one of Alipay.
    const users = await ordersLike(kit, stuck.orderId, 60, { expires_at: stuck.expiresAt - 1000 });
    const providers = kit.parts.payments as unknown[];
    const [taken] = providers.splice(0, 1, { ...wechat.provider(), channel: 'wechat', query: away, close: away });
    try {
      kit.time.now += 31 * MINUTE;
      for (let run = 0; run < 2; run += 1) await kit.chore('close orders');
      expect(await other.look(fresh.orderId)).toMatchObject({ state: 'closed' });
      expect(await at.look(stuck.orderId)).toMatchObject({ state: 'open' });
    } finally {
      providers.splice(0, 1, taken);
    }
    // They would be asked about in the tests that follow.
    const theirs = kit.db.query.selectFrom('orders').select('id').where('user_id', 'in', users);
    await kit.db.query.deleteFrom('payments').where('order_id', 'in', theirs).execute();
    await kit.db.query.deleteFrom('orders').where('user_id', 'in', users).execute();
  });

  it.each([
    ['ask for payments', 'paid'],
    ['close orders', 'closed'],
    ['send refunds', 'refunded'],
  ])('keeps nobody else waiting in a run whose first call is not answered: %s', async (chore, ended) => {
    const slow = await scene();
    const stuck = await began(slow);
    kit.time.now += 1000;
    const quick = await scene();
    const well = await began(quick);
    if (chore !== 'close orders') for (const { trade } of [stuck, well]) trade.state = 'paid';
    if (chore === 'send refunds') {
      await slow.ask(stuck.orderId);
      await quick.ask(well.orderId);
      wechat.fault = 'error';
      for (const { orderId } of [stuck, well]) {
        const asked = { orderId, amount: null, reason: '退款', byWhom: 'command', requestId: `slow-${orderId}` };
        await refundOrder(orderParts(kit.parts), asked);
        kit.time.now += 1000;
      }
      wechat.fault = null;
    }
    kit.time.now += 31 * MINUTE;
    const never = Promise.withResolvers<never>();
    const real = wechat.provider();
    const held: PaymentProvider = {
      ...real,
      query: (no) => (no === stuck.outTradeNo ? never.promise : real.query(no)),
      queryRefund: (asked) => (asked.outTradeNo === stuck.outTradeNo ? never.promise : real.queryRefund(asked)),
    };
    const providers = kit.parts.payments as PaymentProvider[];
    const [taken] = providers.splice(0, 1, held);
    const run = kit.chore(chore);
    try {
      await expect.poll(async () => (await quick.look(well.orderId)).state, { timeout: 15_000 }).toBe(ended);
    } finally {
      if (taken) providers.splice(0, 1, taken);
      never.reject(new ProviderAway('silent'));
      await run;
    }
    // What could not be asked goes on by itself.
    for (let again = 0; again < 2; again += 1) {
      kit.time.now += 31 * MINUTE;
      await kit.chore(chore);
    }
    expect((await slow.look(stuck.orderId)).state).toBe(ended);
  });

  it('that comes twice, by WeChat and by Alipay, enrols once and goes back once (YunaiV/ruoyi-vue-pro#1152)', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await began(at);
    const second = await at.pay(orderId, 'alipay');
    alipay.open(second.payUrl ?? '');
    const other = alipay.trades.get(second.outTradeNo);
    if (!other) throw new Error('no trade');
    trade.state = 'paid';
    other.state = 'paid';
    const replies = await Promise.all([
      toWechat(wechat.paid(outTradeNo)),
      post('/notify/alipay', alipay.message({ out_trade_no: second.outTradeNo })),
    ]);
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await at.look(orderId)).toMatchObject({ state: 'paid', refunded: 0, returned: null });
    const { payments, refunds } = await rows(orderId);
    expect(payments.map(({ state }) => state)).toEqual(['paid', 'paid']);
    expect(refunds).toMatchObject([{ amount: 19_900, reason: 'paidTwice', state: 'done' }]);
    expect(trade.refunds.size + other.refunds.size).toBe(1);
    expect(await at.joined(at.packId)).toBe(true);
    expect(await notices(at)).toEqual(['orderPaid', 'orderRefunded', 'orderReturned']);
  });

  it('the other way of a paid order is closed at its provider', async () => {
    const at = await scene();
    const { orderId, trade } = await began(at);
    const second = await at.pay(orderId, 'alipay');
    alipay.open(second.payUrl ?? '');
    trade.state = 'paid';
    kit.time.now += 6000;
    await at.ask(orderId);
    kit.time.now += 31_000;
    await kit.chore('ask for payments');
    expect(alipay.trades.get(second.outTradeNo)?.state).toBe('closed');
  });

  it('of two orders of one pack gives it once; the second goes back', async () => {
    const at = await scene();
    const { orderId, say } = await late(at);
    const second = await began(at);
    second.trade.state = 'paid';
    await toWechat(wechat.paid(second.outTradeNo));
    expect(await at.look(second.orderId)).toMatchObject({ state: 'paid' });
    await say();
    expect(await at.look(orderId)).toMatchObject({ state: 'closed', returned: 'hasCourse' });
    expect(await at.joined(at.packId)).toBe(true);
    expect((await rows(orderId)).refunds).toMatchObject([{ state: 'done' }]);
  });

  it('of one order gives its pack: another that waits for the same pack is neither paid nor taken for nothing', async () => {
    const at = await scene();
    const all = await at.coupon(await makeCoupon(kit, { kind: 'percent', off: 100 }));
    for (const coupon of [null, all]) {
      const other = coupon === null ? await scene() : at;
      const { orderId, say } = await late(other);
      const waits = await other.order(other.packId, coupon);
      await say();
      expect(await other.look(orderId)).toMatchObject({ state: 'paid' });
      if (coupon === null)
        expect(await refused(PAY, { orderId: waits.orderId, channel: 'wechat' }, { as: other.as })).toBe(
          'alreadyJoined',
        );
      else {
        expect(await refused('POST /api/order/zero_pay', { orderId: waits.orderId }, { as: other.as })).toBe(
          'alreadyJoined',
        );
        await ok(CANCEL, { orderId: waits.orderId }, { as: other.as });
        expect((await ok('GET /api/coupon/list', {}, { as: other.as })).list[0]?.state).toBe('free');
      }
    }
  });

  it('is asked about in the same run whatever waits at the other provider', async () => {
    const at = await scene();
    const stuck = await began(at);
    const users = await ordersLike(kit, stuck.orderId, 60);
    const other = await scene();
    const paid = await began(other, 'alipay');
    paid.trade.state = 'paid';
    kit.time.now += 31_000;
    wechat.fault = 'error';
    await kit.chore('ask for payments');
    expect(await other.look(paid.orderId)).toMatchObject({ state: 'paid' });
    const theirs = kit.db.query.selectFrom('orders').select('id').where('user_id', 'in', users);
    await kit.db.query.deleteFrom('payments').where('order_id', 'in', theirs).execute();
    await kit.db.query.deleteFrom('orders').where('user_id', 'in', users).execute();
  });

  it('of another sum than was asked for is no payment, and goes back', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await began(at);
    trade.amount = 1;
    trade.state = 'paid';
    await toWechat(wechat.paid(outTradeNo));
    expect(await at.look(orderId)).toMatchObject({ state: 'open', returned: 'wrongAmount' });
    expect(await at.joined(at.packId)).toBe(false);
    expect((await rows(orderId)).refunds).toMatchObject([{ amount: 1, state: 'done' }]);
  });

  it('is not paid again by the messages of Alipay about a refund or an end (alipay-sdk-php-all#5)', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await began(at, 'alipay');
    trade.state = 'paid';
    await post('/notify/alipay', alipay.message({ out_trade_no: outTradeNo }));
    for (const more of [
      { refund_fee: '10.00', out_biz_no: 'x' },
      { trade_status: 'TRADE_CLOSED' },
      { trade_status: 'TRADE_FINISHED' },
    ] as Record<string, string>[])
      expect((await post('/notify/alipay', alipay.message({ out_trade_no: outTradeNo, ...more }))).body).toBe(
        'success',
      );
    expect(await at.look(orderId)).toMatchObject({ state: 'paid', refunded: 0 });
    expect((await rows(orderId)).payments).toHaveLength(1);
    expect(await notices(at)).toEqual(['orderPaid']);
  });

  it('of Alipay is read in both charsets, with every sign, over the bytes as they came (dedemao/alipay#7)', async () => {
    for (const [charset, encode] of [
      ['utf-8', (text: string) => Buffer.from(text, 'utf8')],
      ['gbk', inGbk],
    ] as const) {
      const at = await scene();
      const { orderId, outTradeNo, trade } = await began(at, 'alipay');
      trade.state = 'paid';
      const fields = { out_trade_no: outTradeNo, subject: '支付课 100% a+b&c=d', body: '', passback_params: 'a%20b' };
      const right = alipay.message(fields, { charset, encode });
      const altered = { ...right, payload: right.payload.replace('a%252', 'a%253') };
      expect(altered.payload).not.toBe(right.payload);
      const reply = await post('/notify/alipay', altered);
      expect([reply.statusCode, reply.body]).toEqual([401, 'fail']);
      expect((await post('/notify/alipay', right)).body).toBe('success');
      expect(await at.look(orderId)).toMatchObject({ state: 'paid' });
      // Empty fields may be left out of what is signed.
      const without = alipay.message(fields, {
        charset,
        encode,
        signed: (names) => names.filter((name) => name !== 'body'),
      });
      expect((await post('/notify/alipay', without)).body).toBe('success');
    }
  });

  it('of Alipay is refused for another application or seller, without a signature, or with two of a field', async () => {
    const at = await scene();
    const { orderId, outTradeNo, trade } = await began(at, 'alipay');
    trade.state = 'paid';
    const right = alipay.message({ out_trade_no: outTradeNo });
    for (const wrong of [
      alipay.message({ out_trade_no: outTradeNo, app_id: '2021' }),
      alipay.message({ out_trade_no: outTradeNo, seller_id: '2088' }),
      { ...right, payload: right.payload.replace(/&sign=.*$/, '') },
      { ...right, payload: right.payload.replace(/&sign_type=RSA2/, '') },
      { ...right, payload: `${right.payload}&out_trade_no=x` },
      { ...right, payload: '' },
      { ...right, payload: '%ff%=&=' },
    ])
      expect((await post('/notify/alipay', wrong)).statusCode).toBe(401);
    expect(await at.look(orderId)).toMatchObject({ state: 'open' });
  });

  it('a payment that could not be begun is begun again with its own number', async () => {
    const at = await scene();
    const { orderId } = await at.order(at.packId);
    wechat.fault = 'error';
    expect(await refused(PAY, { orderId, channel: 'wechat' }, { as: at.as })).toBe('payAway');
    wechat.fault = null;
    const first = await at.pay(orderId, 'wechat');
    const again = await at.pay(orderId, 'wechat');
    expect(again).toEqual(first);
    expect((await rows(orderId)).payments).toHaveLength(1);
    expect(first.outTradeNo).toMatch(/^[0-9A-Za-z_-]{6,32}$/);
  });

  it('the address of Alipay is a link, signed, with the end of the order in China’s time', async () => {
    const at = await scene({ price: 1990 });
    const { orderId } = await at.order(at.packId);
    const { payUrl, outTradeNo } = await at.pay(orderId, 'alipay');
    const { parameters } = alipay.open(payUrl ?? '');
    expect(parameters).toMatchObject({
      method: 'alipay.trade.page.pay',
      notify_url: 'https://lixue.example.cn/notify/alipay',
    });
    const content = JSON.parse(parameters.biz_content ?? '') as object;
    expect(content).toMatchObject({ out_trade_no: outTradeNo, total_amount: '19.90' });
    expect(content).toMatchObject({ time_expire: expect.stringMatching(/^2026-\d\d-\d\d \d\d:\d\d:\d\d$/) });
  });

  it('no payment moves through the cashier of tests once it was begun elsewhere', async () => {
    const at = await scene();
    const { orderId } = await began(at);
    expect(await refused(SANDBOX, { orderId }, { as: at.as })).toBe('notFound');
    expect(await at.look(orderId)).toMatchObject({ state: 'open', channels: ['wechat', 'alipay', 'sandbox'] });
  });
});
