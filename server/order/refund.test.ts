import { afterAll, describe, expect, it } from 'vitest';
import { REFUND_SLOW } from '#rules/order/order.ts';
import { enrolBySchool } from '#server/course/enrolment-store.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { addKeeper } from './desk-store.ts';
import { addProvider, buyer, makeCoupon, soldPack } from './order.test-kit.ts';
import { orderParts } from './parts.ts';
import { alipayServer, wechatServer } from './pay-server.test-kit.ts';
import { compareDay } from './reconcile.ts';
import { refundOrder, repeatRefund, revokeFree } from './refund.ts';

describe.each(databases)('money that goes back on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  const wechat = await wechatServer();
  const alipay = await alipayServer();
  addProvider(kit, wechat.provider());
  addProvider(kit, alipay.provider());
  const parts = orderParts(kit.parts);
  afterAll(async () => {
    await kit.close();
    await wechat.close();
    await alipay.close();
  });
  const { ok } = kit;
  let asked = 0;
  const back = (orderId: number, amount: number | null, named?: string) => {
    asked += 1;
    const requestId = named ?? `back-${asked}`;
    return refundOrder(parts, { orderId, amount, reason: '学员申请', byWhom: 'command', requestId });
  };

  /** An order that is paid. */
  async function paid(channel: 'wechat' | 'alipay', { withCoupon = false } = {}) {
    const as = await kit.user();
    const packId = await soldPack(kit, { seats: 5 });
    const own = buyer(kit, as);
    const coupon = withCoupon ? await own.coupon(await makeCoupon(kit)) : null;
    const { orderId, total } = await own.order(packId, coupon);
    const { outTradeNo, payUrl } = await own.pay(orderId, channel);
    if (channel === 'alipay') alipay.open(payUrl ?? '');
    const trade = (channel === 'wechat' ? wechat : alipay).trades.get(outTradeNo);
    if (!trade) throw new Error('no trade');
    trade.state = 'paid';
    kit.time.now += 6000;
    await own.ask(orderId);
    expect(await own.look(orderId)).toMatchObject({ state: 'paid' });
    return { as, packId, orderId, total, trade, outTradeNo, ...own };
  }

  it.each(['wechat', 'alipay'] as const)('in parts and as a whole, by %s', async (channel) => {
    const at = await paid(channel, { withCoupon: true });
    expect(await back(at.orderId, 4000)).toMatchObject({ ok: true });
    expect(await at.look(at.orderId)).toMatchObject({ state: 'paid', refunded: 4000 });
    expect(await at.joined(at.packId)).toBe(true);
    expect(await back(at.orderId, at.total - 3999)).toEqual({ ok: false, why: 'tooMuchBack' });
    expect(await back(at.orderId, null)).toMatchObject({ ok: true });
    expect(await at.look(at.orderId)).toMatchObject({ state: 'refunded', refunded: at.total });
    expect(await at.joined(at.packId)).toBe(false);
    // Each part has a number of its own.
    expect([...at.trade.refunds.values()].map(({ amount }) => amount)).toEqual([4000, at.total - 4000]);
    expect((await ok('GET /api/coupon/list', {}, { as: at.as })).list[0]?.state).toBe('free');
    expect(await ok('GET /api/common/course_details', { packId: at.packId })).toMatchObject({ seatsLeft: 5 });
    expect(await back(at.orderId, 1)).toEqual({ ok: false, why: 'notPaid' });
    const { list } = await ok('GET /app/common/notice', {}, { as: at.as });
    expect(list.map(({ kind: what }) => what).sort()).toEqual(['orderPaid', 'orderRefunded', 'orderRefunded']);
  });

  it('never comes to more than was paid, from twenty at once (juspay/hyperswitch#13182)', async () => {
    const at = await paid('wechat');
    const share = Math.floor((at.total * 6) / 10);
    const said = await Promise.all(Array.from({ length: 20 }, () => back(at.orderId, share)));
    expect(said.filter((one) => one.ok)).toHaveLength(1);
    const sums = [...at.trade.refunds.values()].reduce((sum, { amount }) => sum + amount, 0);
    expect(sums).toBe(share);
    // One press of the button twice is one refund.
    const twice = await Promise.all(Array.from({ length: 4 }, () => back(at.orderId, 100, 'the-same')));
    expect(new Set(twice.map((one) => one.ok && one.refund.id)).size).toBe(1);
    expect(at.trade.refunds.size).toBe(2);
  });

  it('keeps its number until the provider has answered, and asks before it asks again', async () => {
    const at = await paid('wechat');
    wechat.fault = 'error';
    await back(at.orderId, 500);
    expect(await at.look(at.orderId)).toMatchObject({ refunded: 0, refunding: 500 });
    wechat.fault = null;
    // The provider had taken it although its answer was lost.
    const [row] = await kit.db.query.selectFrom('refunds').selectAll().where('order_id', '=', at.orderId).execute();
    at.trade.refunds.set(row?.out_refund_no ?? '', { amount: 500, status: 'PROCESSING' });
    kit.time.now += 31_000;
    await kit.chore('send refunds');
    expect(await at.look(at.orderId)).toMatchObject({ refunded: 0, refunding: 500 });
    at.trade.refunds.set(row?.out_refund_no ?? '', { amount: 500, status: 'SUCCESS' });
    kit.time.now += 61_000;
    await kit.chore('send refunds');
    expect(await at.look(at.orderId)).toMatchObject({ refunded: 500, refunding: 0 });
    expect(at.trade.refunds.size).toBe(1);
  });

  it('that failed has not gone back: the course stays, and it is asked for again with a new number', async () => {
    const at = await paid('wechat');
    wechat.refundStatus = 'ABNORMAL';
    await back(at.orderId, null);
    wechat.refundStatus = 'SUCCESS';
    expect(await at.look(at.orderId)).toMatchObject({ state: 'paid', refunded: 0, refunding: 0 });
    at.trade.refunds.clear();
    expect(await repeatRefund(parts, at.orderId, { reason: '重试', byWhom: 'command' })).toBe(1);
    expect(await repeatRefund(parts, at.orderId, { reason: '重试', byWhom: 'command' })).toBe(0);
    expect(await at.look(at.orderId)).toMatchObject({ state: 'refunded', refunded: at.total });
  });

  it('that Alipay accepted and never made is asked for again with the same number, and its keeper hears of it', async () => {
    const at = await paid('alipay');
    alipay.refundStatus = 'PROCESSING';
    await back(at.orderId, null);
    const [no] = [...at.trade.refunds.keys()];
    const keeper = await kit.user('teacher');
    await addKeeper(kit.db.query, keeper.userId, kit.time.now);
    const slow = async () => {
      const said = await ok('GET /api/order/desk_list', { waits: 'slow', pageNum: 1, pageSize: 10 }, { as: keeper });
      expect(said.waiting.slow).toBe(said.list.length);
      return said.list.map(({ orderId, refundSlow }) => [orderId, refundSlow]);
    };
    expect(await slow()).toEqual([]);
    const before = alipay.asked.get('alipay.trade.refund') ?? 0;
    kit.time.now += 31_000;
    await kit.chore('send refunds');
    expect((alipay.asked.get('alipay.trade.refund') ?? 0) - before).toBe(1);
    expect([...at.trade.refunds.keys()]).toEqual([no]);
    kit.time.now += REFUND_SLOW;
    expect(await slow()).toEqual([[at.orderId, 1]]);
    alipay.refundStatus = 'SUCCESS';
    at.trade.refunds.clear();
    await kit.chore('send refunds');
    expect([...at.trade.refunds.keys()]).toEqual([no]);
    expect(await slow()).toEqual([]);
    expect(await at.look(at.orderId)).toMatchObject({ state: 'refunded', refunded: at.total });
  });

  it('leaves what the school gave, and another paid order (themeum/tutor#2346)', async () => {
    const at = await paid('alipay');
    await enrolBySchool(kit.db.query, at.as.userId, at.packId, kit.time.now);
    await back(at.orderId, null);
    expect(await at.look(at.orderId)).toMatchObject({ state: 'refunded' });
    expect(await at.joined(at.packId)).toBe(true);
    const other = await paid('wechat');
    // A second line that is paid: only a change by hand makes one.
    const row = await kit.db.query
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', other.orderId)
      .executeTakeFirstOrThrow();
    const line = { ...row, id: row.id + 1, order_no: `${row.order_no}x`, request_id: 'another-one', payment_id: null };
    await kit.db.query.insertInto('orders').values(line).execute();
    await back(other.orderId, null);
    expect(await other.look(other.orderId)).toMatchObject({ state: 'refunded' });
    expect(await other.joined(other.packId)).toBe(true);
    const ends = { orderId: line.id, reason: '重复开通', byWhom: 'command', requestId: 'end-once' };
    expect(await revokeFree(parts, ends)).toBe(true);
    expect(await other.joined(other.packId)).toBe(false);
  });

  it('and all that came is compared with the bill of the day', async () => {
    // A day that no other test has touched.
    kit.time.now = Date.UTC(2026, 11, 24, 2);
    const [one, two] = [await paid('wechat'), await paid('wechat')];
    await back(one.orderId, 4000);
    const [refund] = [...one.trade.refunds.keys()];
    const head = '交易时间,公众账号ID,商户号,商户订单号,交易状态,商户退款单号,退款金额,订单金额,申请退款金额';
    const line = (no: string, state: string, refundNo: string, total: string, asked: string) =>
      `\`2026-12-24 10:00:00,\`wx,\`19,\`${no},\`${state},\`${refundNo},\`${asked},\`${total},\`${asked}`;
    const bill = (lines: string[]) =>
      Buffer.from(`\uFEFF${[head, ...lines, '总交易单数,应结订单总金额', '`2,`398.00'].join('\r\n')}\r\n`);
    const right = [
      line(one.outTradeNo, 'SUCCESS', '', '199.00', '0.00'),
      line(one.outTradeNo, 'REFUND', refund ?? '', '199.00', '40.00'),
      line(two.outTradeNo, 'SUCCESS', '', '199.00', '0.00'),
    ];
    wechat.bill = bill(right);
    const report = await compareDay(parts, 'wechat', '2026-12-24');
    expect(report).toMatchObject({
      payments: { count: 2, sum: 39_800 },
      refunds: { count: 1, sum: 4000 },
      differences: [],
    });
    wechat.bill = bill([
      line(one.outTradeNo, 'SUCCESS', '', '198.99', '0.00'),
      line('e'.repeat(32), 'SUCCESS', '', '1.00', '0.00'),
      right[1] ?? '',
    ]);
    const wrong = await compareDay(parts, 'wechat', '2026-12-24');
    expect(
      wrong?.differences.map(({ what, ourAmount, line: { outTradeNo } }) => [what, ourAmount, outTradeNo]),
    ).toEqual([
      ['sum', 19_900, one.outTradeNo],
      ['theirs', null, 'e'.repeat(32)],
      ['ours', 19_900, two.outTradeNo],
    ]);
  });
});
