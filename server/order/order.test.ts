import { afterAll, describe, expect, it } from 'vitest';
import { enrol } from '#server/course/pack.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { buyer, makeCoupon, soldPack } from './order.test-kit.ts';
import { orderParts } from './parts.ts';
import { revokeFree } from './refund.ts';

const CREATE = 'POST /api/order/create_order';
const PAY = 'POST /api/order/pay';
const USE = 'POST /api/order/use_coupon';
const ZERO = 'POST /api/order/zero_pay';
const CANCEL = 'POST /api/order/cancel';
const SANDBOX = 'POST /api/order/sandbox_pay';
const EXCHANGE = 'GET /api/coupon/exchange';
const HALF_HOUR = 30 * 60_000;

describe.each(databases)('orders on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;
  const scene = async (more: Parameters<typeof soldPack>[1] = {}) => {
    const as = await kit.user();
    return { as, packId: await soldPack(kit, more), ...buyer(kit, as) };
  };
  const press = (packId: number, userCouponId: number | null = null) => ({
    packId,
    userCouponId,
    requestId: `${Math.random().toString(36).slice(2)}-request`,
  });

  it('go from the price to the course, by the cashier that moves no money', async () => {
    const { as, packId, order, pay, look, joined } = await scene();
    expect(await ok('GET /api/common/course_details', { packId })).toMatchObject({
      price: 19_900,
      saleState: 'onSale',
    });
    expect(await refused('POST /api/course/course_join', { packId }, { as })).toBe('mustBuy');
    const made = await order(packId);
    expect(made).toMatchObject({
      state: 'open',
      price: 19_900,
      discount: 0,
      total: 19_900,
      expiresAt: kit.time.now + HALF_HOUR,
    });
    expect((await look(made.orderId)).channels).toEqual(['sandbox']);
    expect(await joined(packId)).toBe(false);
    expect(await pay(made.orderId, 'sandbox')).toMatchObject({ amount: 19_900, payUrl: `/order/${made.orderId}` });
    expect(await ok(SANDBOX, { orderId: made.orderId }, { as })).toMatchObject({ state: 'paid', sandbox: 1 });
    expect(await joined(packId)).toBe(true);
    expect(await ok(SANDBOX, { orderId: made.orderId }, { as })).toMatchObject({ state: 'paid' });
    expect(await refused(CREATE, press(packId), { as })).toBe('alreadyJoined');
    expect(await refused(PAY, { orderId: made.orderId, channel: 'sandbox' }, { as })).toBe('orderPaid');
    expect(await refused(CANCEL, { orderId: made.orderId }, { as })).toBe('orderPaid');
    const { list } = await ok('GET /app/common/notice', {}, { as });
    expect(list.map(({ kind: what, content }) => [what, content])).toEqual([
      ['orderPaid', expect.stringContaining('199.00 元')],
    ]);
  });

  it('are one for each press and each pack, from however many windows', async () => {
    const { as, packId } = await scene();
    const same = press(packId);
    const made = await Promise.all([
      ...Array.from({ length: 8 }, () => ok(CREATE, same, { as })),
      ...Array.from({ length: 2 }, () => ok(CREATE, press(packId), { as })),
    ]);
    expect(new Set(made.map(({ orderId }) => orderId)).size).toBe(1);
    expect(await ok('GET /api/order/list', {}, { as })).toMatchObject({ total: 1 });
    // A request's name belongs to its pack.
    expect(await refused(CREATE, { ...same, packId: await soldPack(kit) }, { as })).toBe('badInput');
  });

  it('of the last seat and with a coupon are the same for each of several presses at once', async () => {
    const { as, packId, coupon } = await scene({ seats: 1 });
    const same = press(packId, await coupon(await makeCoupon(kit)));
    const made = await Promise.all(Array.from({ length: 6 }, () => ok(CREATE, same, { as })));
    expect(new Set(made.map(({ orderId }) => orderId)).size).toBe(1);
  });

  it("keep their price when the pack's changes or it leaves the offer", async () => {
    const { as, packId, order, look, pay, joined } = await scene();
    const { orderId } = await order(packId);
    await kit.db.query.updateTable('packs').set({ price: 99_900, name: '新名' }).where('id', '=', packId).execute();
    expect(await look(orderId)).toMatchObject({ price: 19_900, total: 19_900 });
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', packId).execute();
    await pay(orderId, 'sandbox');
    expect(await ok(SANDBOX, { orderId }, { as })).toMatchObject({ state: 'paid', total: 19_900 });
    await kit.db.query.updateTable('packs').set({ archived: 0 }).where('id', '=', packId).execute();
    expect(await joined(packId)).toBe(true);
  });

  it('are nobody else’s: every call with another’s ids gives 404', async () => {
    const { packId, order, coupon } = await scene();
    const { orderId } = await order(packId);
    const userCouponId = await coupon(await makeCoupon(kit));
    const other = await kit.user();
    const as = other;
    expect(await refused('GET /api/order/query_order', { orderId }, { as })).toBe('notFound');
    expect(await refused('POST /api/order/query_order_state', { orderId }, { as })).toBe('notFound');
    expect(await refused(PAY, { orderId, channel: 'sandbox' }, { as })).toBe('notFound');
    expect(await refused(SANDBOX, { orderId }, { as })).toBe('notFound');
    expect(await refused(ZERO, { orderId }, { as })).toBe('notFound');
    expect(await refused(CANCEL, { orderId }, { as })).toBe('notFound');
    expect(await refused(USE, { orderId, userCouponId: null }, { as })).toBe('notFound');
    expect((await ok('GET /api/order/list', {}, { as })).list).toEqual([]);
    expect((await ok('GET /api/coupon/list', {}, { as })).list).toEqual([]);
    expect(await refused(CREATE, press(packId, userCouponId), { as })).toBe('couponGone');
  });

  it.each([
    ['not yet sold', { sale_from: 1 }, 'notOnSale', 'early'],
    ['sold no more', { sale_until: 0 }, 'notOnSale', 'over'],
  ])('are refused of a pack that is %s', async (_, more, why, saleState) => {
    const from = 'sale_from' in more ? kit.time.now + 1 : null;
    const until = 'sale_until' in more ? kit.time.now : null;
    const { as, packId } = await scene();
    await kit.db.query
      .updateTable('packs')
      .set({ sale_from: from, sale_until: until })
      .where('id', '=', packId)
      .execute();
    expect(await refused(CREATE, press(packId), { as })).toBe(why);
    expect(await ok('GET /api/common/course_details', { packId })).toMatchObject({ saleState });
  });

  it('the last seat is sold once, and comes back with an order that closes (shopperlabs/shopper#581)', async () => {
    const { packId } = await scene({ seats: 1 });
    const many = await Promise.all(Array.from({ length: 30 }, () => kit.user()));
    const replies = await Promise.all(many.map((as) => kit.call(CREATE, press(packId), { as })));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200, 409]));
    expect(await ok('GET /api/common/course_details', { packId })).toMatchObject({
      saleState: 'soldOut',
      seatsLeft: 0,
    });
    const at = replies.findIndex(({ code }) => code === 200);
    const winner = many[at];
    const orderId = replies[at]?.data.orderId ?? 0;
    if (winner) await ok(CANCEL, { orderId }, { as: winner });
    expect(await ok('GET /api/common/course_details', { packId })).toMatchObject({ saleState: 'onSale', seatsLeft: 1 });
  });

  it('one coupon is held by one order of fifty, used once, and comes back once (vendurehq/vendure#4660)', async () => {
    const { as, coupon } = await scene();
    const userCouponId = await coupon(await makeCoupon(kit));
    const packs = await Promise.all(Array.from({ length: 8 }, () => soldPack(kit)));
    const replies = await Promise.all(packs.map((packId) => kit.call(CREATE, press(packId, userCouponId), { as })));
    const won = replies.filter(({ code }) => code === 200);
    expect(won).toHaveLength(1);
    expect(won[0]?.data).toMatchObject({ discount: 5000, total: 14_900 });
    const state = async () => (await ok('GET /api/coupon/list', {}, { as })).list[0]?.state;
    expect(await state()).toBe('held');
    const orderId = won[0]?.data.orderId ?? 0;
    await Promise.all(Array.from({ length: 4 }, () => ok(CANCEL, { orderId }, { as })));
    expect(await state()).toBe('free');
    const again = await ok(CREATE, press(packs[0] ?? 0, userCouponId), { as });
    await ok(PAY, { orderId: again.orderId, channel: 'sandbox' }, { as });
    await ok(SANDBOX, { orderId: again.orderId }, { as });
    expect(await state()).toBe('used');
    kit.time.now += 600_000;
    expect(await refused(CREATE, press(packs[1] ?? 0, userCouponId), { as })).toBe('couponGone');
  });

  it('take another coupon until their payment begins', async () => {
    const { as, packId, order, coupon, pay } = await scene();
    const userCouponId = await coupon(await makeCoupon(kit));
    const { orderId } = await order(packId);
    const { list } = await ok('GET /api/coupon/list', { packId }, { as });
    expect(list).toMatchObject([{ userCouponId, discount: 5000, over: 0 }]);
    expect(await ok(USE, { orderId, userCouponId }, { as })).toMatchObject({ total: 14_900, couponName: '立减 50 元' });
    expect(await ok(USE, { orderId, userCouponId: null }, { as })).toMatchObject({ total: 19_900, couponName: '' });
    await ok(USE, { orderId, userCouponId }, { as });
    const dear = await coupon(await makeCoupon(kit, { threshold: 100_000 }));
    expect(await refused(USE, { orderId, userCouponId: dear }, { as })).toBe('couponBelow');
    // What could not be used has changed nothing.
    expect(await ok(USE, { orderId, userCouponId }, { as })).toMatchObject({ total: 14_900 });
    expect((await ok('GET /api/coupon/list', {}, { as })).list.map(({ state }) => state).sort()).toEqual([
      'free',
      'held',
    ]);
    await pay(orderId, 'sandbox');
    expect(await refused(USE, { orderId, userCouponId: null }, { as })).toBe('payingAlready');
  });

  it('of nothing are taken by zero_pay, and only those (be-BOP-io-SA/be-BOP#2050)', async () => {
    const { as, packId, order, coupon, joined } = await scene();
    const all = await coupon(await makeCoupon(kit, { kind: 'percent', off: 100 }));
    const { orderId, total } = await order(packId, all);
    expect(total).toBe(0);
    expect(await refused(PAY, { orderId, channel: 'sandbox' }, { as })).toBe('nothingToPay');
    await Promise.all(Array.from({ length: 5 }, () => ok(ZERO, { orderId }, { as })));
    expect(await joined(packId)).toBe(true);
    expect((await ok('GET /api/coupon/list', {}, { as })).list[0]?.state).toBe('used');
    const dear = await scene();
    const costly = await dear.order(dear.packId);
    expect(await refused(ZERO, { orderId: costly.orderId }, { as: dear.as })).toBe('notFree');
    // What the school has ended is not taken again: the answer does not say that it was.
    await revokeFree(orderParts(kit.parts), {
      orderId,
      reason: '误领',
      byWhom: 'command',
      requestId: 'ended-by-school',
    });
    expect(await joined(packId)).toBe(false);
    expect(await refused(ZERO, { orderId }, { as })).toBe('orderOver');
    // A total that was tampered with is computed again.
    await kit.db.query.updateTable('orders').set({ total: 0 }).where('id', '=', costly.orderId).execute();
    expect(await refused(ZERO, { orderId: costly.orderId }, { as: dear.as })).toBe('notFree');
    expect(await dear.joined(dear.packId)).toBe(false);
  });

  it('run out after half an hour, and give seat and coupon back once', async () => {
    const { as, packId, order, coupon, pay, look } = await scene({ seats: 1 });
    const userCouponId = await coupon(await makeCoupon(kit));
    const { orderId } = await order(packId, userCouponId);
    await pay(orderId, 'sandbox');
    kit.time.now += HALF_HOUR - 30_000;
    expect(await refused(PAY, { orderId, channel: 'sandbox' }, { as })).toBe('orderOver');
    await kit.chore('close orders');
    expect(await look(orderId)).toMatchObject({ state: 'open' });
    kit.time.now += 30_000;
    await Promise.all([kit.chore('close orders'), kit.chore('close orders')]);
    expect(await look(orderId)).toMatchObject({ state: 'closed', channels: [] });
    expect((await ok('GET /api/coupon/list', {}, { as })).list[0]?.state).toBe('free');
    expect(await ok('GET /api/common/course_details', { packId })).toMatchObject({ seatsLeft: 1 });
    expect(await refused(ZERO, { orderId }, { as })).toBe('orderOver');
    const again = await order(packId, userCouponId);
    expect(again.orderId).not.toBe(orderId);
  });

  it('a clock in doubt closes nothing', async () => {
    const { packId, order, look } = await scene();
    const { orderId } = await order(packId);
    kit.time.now += 2 * HALF_HOUR;
    kit.time.inDoubt = true;
    await kit.chore('close orders');
    expect(await look(orderId)).toMatchObject({ state: 'open' });
    kit.time.inDoubt = false;
    await kit.chore('close orders');
    expect(await look(orderId)).toMatchObject({ state: 'closed' });
  });

  it('that ended because the clock stood an hour ahead is ordered anew, with its coupon and its seat, once it is right again', async () => {
    const { as, packId, order, look, pay, coupon, joined } = await scene({ seats: 1 });
    const userCouponId = await coupon(await makeCoupon(kit));
    const { orderId } = await order(packId, userCouponId);
    kit.time.now += 2 * HALF_HOUR;
    await kit.chore('close orders');
    expect(await look(orderId)).toMatchObject({ state: 'closed' });
    kit.time.now -= 2 * HALF_HOUR;
    const again = await order(packId, userCouponId);
    expect(again.orderId).not.toBe(orderId);
    await pay(again.orderId, 'sandbox');
    await ok('POST /api/order/sandbox_pay', { orderId: again.orderId }, { as });
    expect(await joined(packId)).toBe(true);
    // An order that was made while the clock stood ahead waits for its half hour by the right one, and no longer than it said.
    const other = await scene();
    kit.time.now += 2 * HALF_HOUR;
    const ahead = await other.order(other.packId);
    kit.time.now -= 2 * HALF_HOUR;
    await kit.chore('close orders');
    expect(await other.look(ahead.orderId)).toMatchObject({ state: 'open' });
    await ok('POST /api/order/cancel', { orderId: ahead.orderId }, { as: other.as });
    expect(await other.look(ahead.orderId)).toMatchObject({ state: 'closed' });
  });

  it('what the school gave is not sold, and not taken away', async () => {
    const { as, packId } = await scene();
    await enrol(kit, as, packId);
    expect(await refused(CREATE, press(packId), { as })).toBe('alreadyJoined');
    // Given while an order waits: nobody pays for what they have.
    const waits = await scene();
    const { orderId } = await waits.order(waits.packId);
    await enrol(kit, waits.as, waits.packId);
    expect(await refused(PAY, { orderId, channel: 'sandbox' }, { as: waits.as })).toBe('alreadyJoined');
  });

  it('codes are exchanged once a person, typed in any way, no more often than there are', async () => {
    const code = await makeCoupon(kit, { most: 3 });
    const as = await kit.user();
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `;
    expect(await ok(EXCHANGE, { code: typed }, { as })).toMatchObject({ name: '立减 50 元', state: 'free' });
    expect(await refused(EXCHANGE, { code }, { as })).toBe('couponTaken');
    const many = await Promise.all(Array.from({ length: 6 }, () => kit.user()));
    const codes = await Promise.all(many.map(async (one) => (await kit.call(EXCHANGE, { code }, { as: one })).code));
    expect(codes.filter((said) => said === 200)).toHaveLength(2);
    expect(await refused(EXCHANGE, { code: 'NONE' }, { as })).toBe('noSuchCode');
    const over = await makeCoupon(kit, { valid_until: kit.time.now });
    expect(await refused(EXCHANGE, { code: over }, { as })).toBe('couponOver');
    let last = '';
    for (let at = 0; at < 12; at += 1) last = await refused(EXCHANGE, { code: 'GUESS' }, { as });
    expect(last).toBe('tooMany');
  });
});

describe('a school that takes no payments', () => {
  it('sells nothing, and its cashier that moves no money is not there', async () => {
    const kit = await testApp('sqlite', false);
    const as = await kit.user();
    const packId = await soldPack(kit);
    expect(await kit.ok('GET /api/common/course_details', { packId })).toMatchObject({ saleState: 'closed' });
    const asked = { packId, requestId: 'press-none' };
    expect(await kit.refused(CREATE, asked, { as })).toBe('notOnSale');
    await kit.close();
  });
});
