import { afterAll, describe, expect, it } from 'vitest';
import { chinaTime, DAY } from '#rules/clock/china-day.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { checkYesterday } from './check.ts';
import { addKeeper } from './desk-store.ts';
import { buyer, makeCoupon, soldPack } from './order.test-kit.ts';
import { orderParts } from './parts.ts';
import { sandboxCashier } from './sandbox.ts';

const TAX_NO = '91350100M000100Y43';

describe.each(databases)('orders of the school on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  const keeper = async () => {
    const as = await kit.user('teacher');
    await addKeeper(kit.db.query, as.userId, kit.time.now);
    return as;
  };
  /** A student whose order is paid at the cashier that moves no money. */
  const paid = async (more: { coupon?: boolean } = {}) => {
    // Orders of one moment have no order among themselves.
    kit.time.now += 1000;
    const as = await kit.user();
    const does = buyer(kit, as);
    const packId = await soldPack(kit);
    const coupon = more.coupon ? await does.coupon(await makeCoupon(kit)) : null;
    const { orderId, orderNo } = await does.order(packId, coupon);
    const { outTradeNo } = await does.pay(orderId, 'sandbox');
    await ok('POST /api/order/sandbox_pay', { orderId }, { as });
    return { as, does, packId, orderId, orderNo, outTradeNo, coupon };
  };

  it('are nobody’s but the keepers’: no student, and no other teacher', async () => {
    const { as, orderId } = await paid();
    expect(await refused('GET /api/order/desk_list', {}, { as })).toBe('notAllowed');
    const teacher = await kit.user('teacher');
    for (const call of [
      refused('GET /api/order/desk_list', {}, { as: teacher }),
      refused('GET /api/order/desk_details', { orderId }, { as: teacher }),
      refused('GET /api/order/desk_export', {}, { as: teacher }),
      refused('GET /api/order/desk_checks', {}, { as: teacher }),
      refused('GET /api/order/desk_codes', { slug: 'any' }, { as: teacher }),
      refused(
        'POST /api/order/desk_refund',
        { orderId, amount: null, reason: '退', requestId: 'press-0001' },
        { as: teacher },
      ),
    ])
      expect(await call).toBe('noOrderRight');
    expect((await ok('GET /api/order/query_order', { orderId }, { as })).state).toBe('paid');
  });

  it('are found by number, phone and the numbers of payments, and by nothing else', async () => {
    const as = await keeper();
    const { orderId, orderNo, outTradeNo, as: student } = await paid();
    const find = async (keyword: string) =>
      (await ok('GET /api/order/desk_list', { keyword }, { as })).list.map((order) => order.orderId);
    for (const keyword of [orderNo, ` ${orderNo.toUpperCase()} `, outTradeNo, student.phone])
      expect(await find(keyword), keyword).toEqual([orderId]);
    for (const keyword of ['19900000000', 'nothing', '张三', '%', "' or 1=1"])
      expect(await find(keyword), keyword).toEqual([]);
    const [row] = (await ok('GET /api/order/desk_list', { keyword: orderNo }, { as })).list;
    expect(row).toMatchObject({ userId: student.userId, channel: 'sandbox', sandbox: 1, state: 'paid' });
    expect(row?.phone).toBe(`${student.phone.slice(0, 3)}****${student.phone.slice(7)}`);
  });

  it('go by state and by China’s days', async () => {
    const as = await keeper();
    const { orderId } = await paid();
    const day = chinaTime(kit.time.now).slice(0, 10);
    const before = chinaTime(kit.time.now - DAY).slice(0, 10);
    const ids = async (input: object) =>
      (await ok('GET /api/order/desk_list', { pageSize: 100, ...input }, { as })).list.map((order) => order.orderId);
    expect(await ids({ from: day, until: day, state: 'paid' })).toContain(orderId);
    expect(await ids({ until: before })).not.toContain(orderId);
    expect(await ids({ state: 'closed' })).not.toContain(orderId);
    expect(await refused('GET /api/order/desk_list', { from: '2026-02-30' }, { as })).toBe('dayWrong');
  });

  it('a preview says what a refund does, a whole one ends access and gives the coupon back, and a press is one refund', async () => {
    const as = await keeper();
    const { orderId, does, packId, coupon, as: student } = await paid({ coupon: true });
    const total = 14_900;
    expect(await ok('GET /api/order/desk_refund_preview', { orderId, amount: 5000 }, { as })).toMatchObject({
      amount: 5000,
      left: total - 5000,
      whole: 0,
      endsAccess: 0,
      couponBack: 0,
    });
    expect(await ok('GET /api/order/desk_refund_preview', { orderId }, { as })).toMatchObject({
      amount: total,
      left: 0,
      whole: 1,
      endsAccess: 1,
      couponBack: 1,
      sandbox: 1,
    });
    expect(await refused('GET /api/order/desk_refund_preview', { orderId, amount: total + 1 }, { as })).toBe(
      'tooMuchBack',
    );
    const part = { orderId, amount: 5000, reason: '少上两次课', requestId: `part-${orderId}` };
    const both = await Promise.all([1, 2, 3].map(() => ok('POST /api/order/desk_refund', part, { as })));
    expect(both.map(({ amount }) => amount)).toEqual([5000, 5000, 5000]);
    expect(await does.joined(packId)).toBe(true);
    expect((await ok('GET /api/order/desk_details', { orderId }, { as })).left).toBe(total - 5000);
    kit.time.now += 1000;
    const rest = { orderId, amount: null, reason: '退课', requestId: `rest-${orderId}` };
    expect(await ok('POST /api/order/desk_refund', rest, { as })).toEqual({ amount: total - 5000, state: 'done' });
    expect(await does.joined(packId)).toBe(false);
    const again = { ...rest, requestId: `more-${orderId}` };
    expect(await refused('POST /api/order/desk_refund', again, { as })).toBe('notPaid');
    const details = await ok('GET /api/order/desk_details', { orderId }, { as });
    expect(details).toMatchObject({ state: 'refunded', refunded: total, left: 0 });
    expect(details.refunds.map(({ amount, reason }) => [amount, reason])).toEqual([
      [5000, '少上两次课'],
      [total - 5000, '退课'],
    ]);
    expect(details.events.map(({ event }) => event.split(':')[0])).toEqual(
      expect.arrayContaining(['made', 'paid', 'refund', 'refunded']),
    );
    const own = await ok('GET /api/coupon/list', {}, { as: student });
    expect(own.list.find(({ userCouponId }) => userCouponId === coupon)?.state).toBe('free');
  });

  it('an order that cost nothing only ends', async () => {
    const as = await keeper();
    const student = await kit.user();
    const does = buyer(kit, student);
    const packId = await soldPack(kit, { price: 5000 });
    const { orderId, total } = await does.order(packId, await does.coupon(await makeCoupon(kit)));
    expect(total).toBe(0);
    await ok('POST /api/order/zero_pay', { orderId }, { as: student });
    expect(await refused('POST /api/order/refund_ask', { orderId, reason: '不想学了' }, { as: student })).toBe(
      'nothingToRefund',
    );
    expect(await ok('GET /api/order/desk_refund_preview', { orderId }, { as })).toMatchObject({
      amount: 0,
      endsAccess: 1,
      couponBack: 1,
    });
    const end = { orderId, amount: null, reason: '赠课取消', requestId: `end-${orderId}` };
    const presses = await Promise.all([1, 2, 3].map(() => ok('POST /api/order/desk_refund', end, { as })));
    for (const said of presses) expect(said).toEqual({ amount: 0, state: 'done' });
    expect(await does.joined(packId)).toBe(false);
    expect(await refused('POST /api/order/desk_refund', { ...end, requestId: `more-${orderId}` }, { as })).toBe(
      'notPaid',
    );
    // Why stands with the order, and its student is told, once.
    const { events } = await ok('GET /api/order/desk_details', { orderId }, { as });
    expect(events.filter(({ event }) => event.startsWith('ended:'))).toMatchObject([{ reason: '赠课取消' }]);
    const { list } = await ok('GET /app/common/notice', { pageSize: 50 }, { as: student });
    expect(list.filter((notice) => notice.kind === 'orderEnded')).toMatchObject([{ words: { reason: '赠课取消' } }]);
  });

  describe('what a student asks back', () => {
    it('is asked once, however often it is pressed, and agreed to by whoever refunds', async () => {
      const as = await keeper();
      const { orderId, as: student } = await paid();
      const asks = await Promise.all(
        Array.from({ length: 5 }, () =>
          ok('POST /api/order/refund_ask', { orderId, reason: '买错了' }, { as: student }),
        ),
      );
      expect(new Set(asks.map(({ refundAskId }) => refundAskId)).size).toBe(1);
      expect(await ok('GET /api/order/query_order', { orderId }, { as: student })).toMatchObject({
        refundAsk: { state: 'waiting', reason: '买错了' },
        mayAskRefund: 0,
      });
      const waits = await ok('GET /api/order/desk_list', { waits: 'refund', pageSize: 100 }, { as });
      expect(waits.list.find((order) => order.orderId === orderId)).toMatchObject({ refundWaits: 1 });
      expect(waits.waiting.refund).toBe(waits.total);
      const press = { orderId, amount: 9900, reason: '同意退一半', requestId: `agree-${orderId}` };
      await ok('POST /api/order/desk_refund', press, { as });
      expect(await ok('GET /api/order/query_order', { orderId }, { as: student })).toMatchObject({
        refundAsk: { state: 'agreed' },
        mayAskRefund: 1,
        refunds: [{ amount: 9900, state: 'done' }],
      });
    });

    it('is declined with a reason that its student is told, once', async () => {
      const as = await keeper();
      const { orderId, as: student } = await paid();
      const { refundAskId } = await ok('POST /api/order/refund_ask', { orderId, reason: '不想学' }, { as: student });
      const decline = { refundAskId, answer: '已学完全部课程' };
      expect(await refused('POST /api/order/desk_refund_decline', { refundAskId, answer: ' ' }, { as })).toBe(
        'reasonWrong',
      );
      await ok('POST /api/order/desk_refund_decline', decline, { as });
      expect(await refused('POST /api/order/desk_refund_decline', decline, { as })).toBe('answeredAlready');
      const { list } = await ok('GET /app/common/notice', {}, { as: student });
      const told = list.filter((notice) => notice.kind === 'refundDeclined');
      expect(told).toHaveLength(1);
      expect(JSON.stringify(told)).toContain('已学完全部课程');
      // They may ask once more, and take it back.
      kit.time.now += 60_000;
      kit.time.now += 60_000;
      await ok('POST /api/order/refund_ask', { orderId, reason: '请再看一看' }, { as: student });
      await ok('POST /api/order/refund_withdraw', { orderId }, { as: student });
      await ok('POST /api/order/refund_withdraw', { orderId }, { as: student });
      expect((await ok('GET /api/order/query_order', { orderId }, { as: student })).refundAsk?.state).toBe('withdrawn');
    });

    it('is nobody else’s, and nothing before it is paid', async () => {
      const { orderId } = await paid();
      const other = await kit.user();
      for (const call of [
        refused('POST /api/order/refund_ask', { orderId, reason: '退' }, { as: other }),
        refused('POST /api/order/refund_withdraw', { orderId }, { as: other }),
        refused(
          'POST /api/order/invoice_ask',
          { orderId, kind: 'personal', title: '李', email: 'a@b.cn' },
          { as: other },
        ),
        refused('POST /api/order/invoice_withdraw', { orderId }, { as: other }),
      ])
        expect(await call).toBe('notFound');
      const does = buyer(kit, other);
      const waiting = await does.order(await soldPack(kit));
      const ask = { orderId: waiting.orderId, reason: '退' };
      expect(await refused('POST /api/order/refund_ask', ask, { as: other })).toBe('nothingToRefund');
    });
  });

  describe('an invoice', () => {
    const form = { kind: 'company' as const, title: '福州某某公司', taxNo: TAX_NO, email: 'a@b.cn' };

    it('is asked for with a right tax number, changed while it waits, issued for what is kept, and taken back by a red one', async () => {
      const as = await keeper();
      const { orderId, as: student } = await paid();
      const ask = (more: object) =>
        refused('POST /api/order/invoice_ask', { orderId, ...form, ...more }, { as: student });
      expect(await ask({ taxNo: '91350100M000100Y44' })).toBe('taxNoWrong');
      expect(await ask({ email: 'nobody' })).toBe('emailWrong');
      expect(await ask({ title: ' ' })).toBe('titleWrong');
      const asks = await Promise.all(
        [1, 2, 3].map(() => ok('POST /api/order/invoice_ask', { orderId, ...form }, { as: student })),
      );
      expect(new Set(asks.map((one) => one.invoiceId)).size).toBe(1);
      const { invoiceId } = await ok(
        'POST /api/order/invoice_ask',
        { orderId, ...form, title: '改过的抬头' },
        { as: student },
      );
      await ok(
        'POST /api/order/desk_refund',
        { orderId, amount: 900, reason: '优惠', requestId: `off-${orderId}` },
        { as },
      );
      const says = { title: '改过的抬头', taxNo: TAX_NO };
      expect(await refused('POST /api/order/desk_invoice_issue', { invoiceId, number: 'abc', ...says }, { as })).toBe(
        'invoiceNumberWrong',
      );
      // Its student has changed it since the school read it: that one was not issued.
      const issue = { invoiceId, number: '24312000000012345678' };
      for (const before of [
        { ...says, title: form.title },
        { ...says, taxNo: '' },
      ])
        expect(await refused('POST /api/order/desk_invoice_issue', { ...issue, ...before }, { as })).toBe(
          'invoiceChanged',
        );
      const issued = await ok('POST /api/order/desk_invoice_issue', { ...issue, ...says }, { as });
      expect(issued).toMatchObject({ state: 'issued', amount: 19_000, title: '改过的抬头', taxNo: TAX_NO });
      expect(await refused('POST /api/order/desk_invoice_decline', { invoiceId, answer: '不' }, { as })).toBe(
        'answeredAlready',
      );
      expect(await ask({})).toBe('noInvoice');
      expect((await ok('GET /api/order/desk_details', { orderId }, { as })).needsReversal).toBe(0);
      await ok(
        'POST /api/order/desk_refund',
        { orderId, amount: null, reason: '退课', requestId: `all-${orderId}` },
        { as },
      );
      expect((await ok('GET /api/order/desk_details', { orderId }, { as })).needsReversal).toBe(1);
      await ok('POST /api/order/desk_invoice_reverse', { invoiceId, number: '24312000000087654321' }, { as });
      const details = await ok('GET /api/order/desk_details', { orderId }, { as });
      expect(details).toMatchObject({
        needsReversal: 0,
        invoices: [{ state: 'reversed', redNumber: '24312000000087654321' }],
      });
    });

    it('is not issued once the money is back', async () => {
      const as = await keeper();
      const { orderId, as: student } = await paid();
      const { invoiceId } = await ok('POST /api/order/invoice_ask', { orderId, ...form }, { as: student });
      await ok(
        'POST /api/order/desk_refund',
        { orderId, amount: null, reason: '退课', requestId: `gone-${orderId}` },
        { as },
      );
      const issue = { invoiceId, number: '12345678', title: form.title, taxNo: TAX_NO };
      expect(await refused('POST /api/order/desk_invoice_issue', issue, { as })).toBe('notPaid');
      await ok('POST /api/order/desk_invoice_decline', { invoiceId, answer: '已退款' }, { as });
    });
  });

  it('an export goes through all orders once, whatever is made meanwhile', async () => {
    const as = await keeper();
    const made = [await paid(), await paid(), await paid()];
    const all = await ok('GET /api/order/desk_export', {}, { as });
    const ids = all.list.map(({ orderId }) => orderId);
    expect(ids).toEqual(expect.arrayContaining(made.map(({ orderId }) => orderId)));
    expect(all.next).toBe(null);
    const row = all.list.find(({ orderId }) => orderId === made[0]?.orderId);
    expect(row).toMatchObject({ outTradeNo: made[0]?.outTradeNo, total: 19_900 });
    const at = all.list[1];
    await paid();
    const next = `${at?.createdAt}-${at?.orderId}`;
    expect((await ok('GET /api/order/desk_export', { next }, { as })).list.map(({ orderId }) => orderId)).toEqual(
      ids.slice(2),
    );
  });

  it('coupons are made once for each press, listed with their use, and ended', async () => {
    const as = await keeper();
    const until = chinaTime(kit.time.now + DAY).slice(0, 10);
    const terms = { name: '双十二', kind: 'percent' as const, off: 20, until, code: ` d12-${kind} ` };
    const press = { ...terms, requestId: `make-${kind}-0001` };
    const made = await Promise.all([1, 2, 3].map(() => ok('POST /api/order/desk_coupon_add', press, { as })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(1);
    const slug = made[0]?.slug ?? '';
    expect(await refused('POST /api/order/desk_coupon_add', { ...terms, requestId: 'another-press' }, { as })).toBe(
      'codeThere',
    );
    for (const [more, why] of [
      [{ off: 101 }, 'couponOffWrong'],
      [{ until: '2020-01-01' }, 'couponDaysWrong'],
      [{ code: '!!!' }, 'couponCodeWrong'],
      [{ count: 3 }, 'couponCodeWrong'],
      [{ name: '长'.repeat(41) }, 'couponNameWrong'],
      [{ packIds: [999_999_999] }, 'notFound'],
    ] satisfies [object, string][])
      expect(
        await refused('POST /api/order/desk_coupon_add', { ...terms, requestId: 'wrong-press', ...more }, { as }),
      ).toBe(why);
    const student = await kit.user();
    const does = buyer(kit, student);
    await does.coupon(`D12${kind}`);
    const many = { ...press, code: undefined, count: 25, requestId: `many-${kind}-0001` };
    const codes = await ok('POST /api/order/desk_coupon_add', many, { as });
    expect((await ok('GET /api/order/desk_codes', { slug: codes.slug }, { as })).list).toHaveLength(25);
    const find = async () =>
      (await ok('GET /api/order/desk_coupons', { pageSize: 100 }, { as })).list.find((one) => one.slug === slug);
    expect(await find()).toMatchObject({ name: '双十二', given: 1, used: 0, codes: 1, endedAt: null });
    await ok('POST /api/order/desk_coupon_end', { slug }, { as });
    await ok('POST /api/order/desk_coupon_end', { slug }, { as });
    expect((await find())?.endedAt).toBe(kit.time.now);
    expect(await refused('GET /api/coupon/exchange', { code: `D12${kind}` }, { as: await kit.user() })).toBe(
      'noSuchCode',
    );
    expect(await refused('POST /api/order/desk_coupon_end', { slug: 'none' }, { as })).toBe('notFound');
  });

  it('a day is compared with the bill: once by itself, again when asked, and what differs leads to its order', async () => {
    const as = await keeper();
    const { orderId, outTradeNo } = await paid();
    const day = chinaTime(kit.time.now).slice(0, 10);
    const own = orderParts(kit.parts);
    const mine = async () =>
      (await ok('GET /api/order/desk_checks', {}, { as })).list.find(
        (check) => check.day === day && check.channel === 'sandbox',
      );
    expect(await mine()).toBeUndefined();
    const lost = { outTradeNo: 'not-known-here', outRefundNo: '', amount: 100, kind: 'payment' as const };
    const cashier = sandboxCashier(kit.db, () => kit.time.now);
    const differing = {
      ...own,
      channels: () => ['sandbox' as const],
      providerOf: () => ({
        ...cashier,
        bill: async (asked: string) => [
          ...(await cashier.bill(asked)).map((line) =>
            line.outTradeNo === outTradeNo ? { ...line, amount: 1 } : line,
          ),
          lost,
        ],
      }),
    };
    // Ten in the morning of the next day, and half an hour later.
    const next = Date.parse(`${day}T00:00:00+08:00`) + DAY;
    await checkYesterday(differing, next + 10 * 3_600_000);
    expect(await mine()).toBeUndefined();
    await checkYesterday(differing, next + 11 * 3_600_000);
    const found = await mine();
    expect(found).toMatchObject({ outcome: 'differs' });
    expect(found?.differences).toEqual(
      expect.arrayContaining([
        { what: 'sum', kind: 'payment', no: outTradeNo, amount: 1, ourAmount: 19_900, orderId },
        { what: 'theirs', kind: 'payment', no: 'not-known-here', amount: 100, ourAmount: null, orderId: null },
      ]),
    );
    // It is not made again by itself, only when somebody asks.
    await checkYesterday(own, next + 12 * 3_600_000);
    expect(await mine()).toMatchObject({ outcome: 'differs' });
    await ok('POST /api/order/desk_check', { day }, { as });
    expect(await mine()).toMatchObject({ outcome: 'same', differences: [] });
    expect(await refused('POST /api/order/desk_check', { day: '2099-01-01' }, { as })).toBe('dayWrong');
  });

  it('presses whose names differ in case alone make two kinds of coupon, the same one makes one', async () => {
    const as = await keeper();
    const terms = { name: '两张', kind: 'amount' as const, off: 100, until: '2099-12-31', count: 1 };
    const press = (requestId: string) => ok('POST /api/order/desk_coupon_add', { ...terms, requestId }, { as });
    const [one, same, other, third] = [
      await press('Press_One_1'),
      await press('Press_One_1'),
      await press('press-one-1'),
      await press('press_one_1'),
    ];
    expect(same.slug).toBe(one.slug);
    expect(new Set([one.slug, other.slug, third.slug]).size).toBe(3);
  });
});
