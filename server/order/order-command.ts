import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { refusals } from '#contract/envelope.ts';
import {
  type InvoiceState,
  MOST_CODES,
  type OrderState,
  orderStates,
  type PayChannel,
} from '#contract/values/order.ts';
import { chinaDay, chinaTime, DAY } from '#rules/clock/china-day.ts';
import { fenFrom, yuanOf } from '#rules/order/money.ts';
import { maskPhone } from '#rules/user/phone.ts';
import { type Command, type CommandContext, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { findPackId } from '#server/course/pack-store.ts';
import { timeNow } from '#server/db/clock.ts';
import type { Db } from '#server/db/open.ts';
import { readEnvironment } from '#server/environment.ts';
import { findUser, findUserByPhone, readPeople } from '#server/user/store.ts';
import { checkDay } from './check.ts';
import { makeCouponKind } from './coupon-kind.ts';
import { endCoupon, listCoupons } from './coupon-store.ts';
import { addKeeper, listKeepers, removeKeeper } from './desk-store.ts';
import { openPayments, WrongPaymentKey } from './open-payments.ts';
import {
  findOrderByNo,
  listOrders,
  readOrderEvents,
  readPayments,
  readRefunds,
  readUnknownNumbers,
  type StoredOrder,
} from './order-store.ts';
import { type OrderParts, orderParts } from './parts.ts';
import { refundOrder, repeatRefund, revokeFree } from './refund.ts';
import { readInvoices, readRefundAsks } from './request-store.ts';
import { answerInvoice, declineRefund } from './requests.ts';

const STATES: Readonly<Record<OrderState, string>> = {
  open: '待支付',
  paid: '已支付',
  closed: '已关闭',
  refunded: '已退款',
};
const CHANNELS: Readonly<Record<PayChannel, string>> = { wechat: '微信支付', alipay: '支付宝', sandbox: '模拟支付' };
const INVOICE_STATES: Readonly<Record<InvoiceState, string>> = {
  waiting: '等待开具',
  issued: '已开具',
  declined: '没有开具',
  withdrawn: '已撤回',
  reversed: '已红冲',
};
const REFUND_STATES = { waiting: '处理中', done: '已退', failed: '失败' } as const;

const MOST_LISTED = 500;

/** The commands of orders and coupons. They reach the providers with the server's own settings. */
export function orderCommands(env: NodeJS.ProcessEnv): readonly Command[] {
  async function parts(context: CommandContext): Promise<OrderParts> {
    const db = await context.openDb();
    const now = await timeNow(db);
    try {
      const environment = readEnvironment(env);
      return orderParts({
        db,
        random: randomBytes,
        log: pino({ level: 'silent' }),
        clock: () => now,
        payments: openPayments(environment),
        sandboxPay: environment.sandboxPay,
      });
    } catch (error) {
      if (error instanceof WrongPaymentKey) throw new Refused(`支付设置不正确：${error.message}`);
      throw error;
    }
  }
  const found = async (db: Db, orderNo: string) => {
    const order = await findOrderByNo(db.query, orderNo);
    if (!order) throw new Refused(`没有订单号为“${orderNo}”的订单`);
    return order;
  };

  const list: Command = {
    name: 'order list',
    usage: '[--state open|paid|closed|refunded] [--most <条数>]',
    says: '列出订单，新的在前',
    run: async (args, context) => {
      const { options } = readArgs(args, 0, { state: 'text', most: 'text' });
      const state = orderStates.find((known) => known === options.state);
      if (options.state !== undefined && !state) throw new WrongUsage(`状态可用：${orderStates.join('、')}`);
      const most = wholeOf(options.most ?? '50', 1, MOST_LISTED, '--most');
      const db = await context.openDb();
      const { orders, total } = await listOrders(db.query, { limit: most, offset: 0, ...(state ? { state } : {}) });
      for (const order of orders) context.say(await lineOf(db, order));
      context.say(`共 ${total} 个订单${total > orders.length ? `，只列出 ${orders.length} 个` : ''}`);
      for (const { channel, outTradeNo, times, lastAt } of await readUnknownNumbers(db.query, 20))
        context.say(
          `注意：${CHANNELS[channel]}通知过本站没有的支付单 ${outTradeNo}（${times} 次，最近 ${chinaTime(lastAt)}），请核对`,
        );
      return 0;
    },
  };

  const show: Command = {
    name: 'order show',
    usage: '<订单号>',
    says: '显示一个订单的支付、退款和经过',
    run: async (args, context) => {
      const { words } = readArgs(args, 1, {});
      const db = await context.openDb();
      const order = await found(db, words[0] ?? '');
      context.say(await lineOf(db, order));
      context.say(`  原价 ${yuanOf(order.price)} 元，优惠 ${yuanOf(order.discount)} 元 ${order.coupon_name}`.trimEnd());
      for (const payment of await readPayments(db.query, [order.id]))
        context.say(
          `  ${CHANNELS[payment.channel]} ${payment.out_trade_no} ${payment.state} ${yuanOf(payment.paid || payment.amount)} 元 ${payment.provider_no}`.trimEnd(),
        );
      for (const refund of await readRefunds(db.query, [order.id]))
        context.say(
          `  退款 ${refund.out_refund_no} ${REFUND_STATES[refund.state]} ${yuanOf(refund.amount)} 元（${refund.by_whom}：${refund.reason}）${refund.said}`,
        );
      for (const { event, at } of await readOrderEvents(db.query, order.id)) context.say(`  ${chinaTime(at)} ${event}`);
      return 0;
    },
  };

  const refund: Command = {
    name: 'order refund',
    usage: '<订单号> --reason <原因> [--amount <元> | --again]',
    says: '退款：不写金额退全部余额，课程随之收回；--again 重试失败的退款',
    run: async (args, context) => {
      const { words, options } = readArgs(args, 1, { reason: 'text', amount: 'text', again: 'flag' });
      const reason = options.reason?.trim() ?? '';
      if (reason === '' || [...reason].length > 80) throw new WrongUsage('请用 --reason 写明原因，最多 80 个字');
      const amount = options.amount === undefined ? null : fenFrom(options.amount);
      if (options.amount !== undefined && amount === null) throw new WrongUsage('金额的写法如 19.90');
      const own = await parts(context);
      const order = await found(own.db, words[0] ?? '');
      const requestId = `command-${randomBytes(8).toString('hex')}`;
      if (options.again) {
        const repeated = await repeatRefund(own, order.id, { reason, byWhom: 'command' });
        if (repeated === 0) throw new Refused('这个订单没有失败的退款');
        context.say(`已重新申请 ${repeated} 笔退款，用 order show 查看结果`);
        return 0;
      }
      if (order.payment_id === null && order.state === 'paid') {
        if (amount !== null) throw new Refused('这个订单没有收款，不能退部分金额');
        await revokeFree(own, { orderId: order.id, reason, byWhom: 'command', requestId });
        context.say('订单没有收款，已收回课程');
        return 0;
      }
      const said = await refundOrder(own, { orderId: order.id, amount, reason, byWhom: 'command', requestId });
      if (!said.ok) {
        throw new Refused(refusals[said.why].msg);
      }
      const now = (await readRefunds(own.db.query, [order.id])).find(({ id }) => id === said.refund.id);
      context.say(`退款 ${yuanOf(said.refund.amount)} 元：${REFUND_STATES[now?.state ?? 'waiting']}`);
      return now?.state === 'failed' ? 1 : 0;
    },
  };

  const check: Command = {
    name: 'order check',
    usage: '[--day 2026-11-20]',
    says: '与支付机构的账单核对一天（默认昨天）的收款和退款；有出入时退出码为 1',
    run: async (args, context) => {
      const { options } = readArgs(args, 0, { day: 'text' });
      const own = await parts(context);
      const day = options.day ?? chinaTime(own.clock() - DAY).slice(0, 10);
      if (chinaDay(day) === null) throw new WrongUsage('日期的写法如 2026-11-20');
      let wrong = false;
      if (own.channels().length === 0) throw new Refused('没有设置支付方式');
      for (const checked of await checkDay(own, day)) {
        const name = CHANNELS[checked.channel];
        if (!checked.ok) {
          context.say(`${day} ${name}：没有取到账单（${checked.said}）`);
          wrong = true;
          continue;
        }
        const { payments, refunds, differences } = checked.report;
        context.say(
          `${day} ${name}：收款 ${payments.count} 笔 ${yuanOf(payments.sum)} 元，退款 ${refunds.count} 笔 ${yuanOf(refunds.sum)} 元`,
        );
        for (const { what, line, ourAmount } of differences) {
          const of = `${line.kind === 'refund' ? '退款' : '收款'} ${line.outRefundNo || line.outTradeNo}`;
          const sum = `${yuanOf(line.amount)} 元`;
          if (what === 'theirs') context.say(`  只有账单里有：${of} ${sum}`);
          else if (what === 'ours') context.say(`  只有本站有：${of} ${sum}`);
          else context.say(`  金额不同：${of} 账单 ${sum}，本站 ${yuanOf(ourAmount ?? 0)} 元`);
        }
        if (differences.length === 0) context.say('  没有出入');
        wrong ||= differences.length > 0;
      }
      return wrong ? 1 : 0;
    },
  };

  const couponAdd: Command = {
    name: 'coupon add',
    usage:
      '<代号> --name <名称> (--off <元> | --percent <减免百分比>) [--most-off <元>] [--threshold <元>] [--packs a,b] [--from 2026-11-01] --until 2026-11-30 [--total <张数>] [--per-person <张数>] (--code <兑换码> | --codes <个数>)',
    says: '建立一种优惠券和它的兑换码；--code 人人可用的一个码，--codes 每个只能用一次的码',
    run: async (args, context) => {
      const { words, options } = readArgs(args, 1, {
        name: 'text',
        off: 'text',
        percent: 'text',
        'most-off': 'text',
        threshold: 'text',
        packs: 'text',
        from: 'text',
        until: 'text',
        total: 'text',
        'per-person': 'text',
        code: 'text',
        codes: 'text',
      });
      const slug = words[0] ?? '';
      if (!/^[a-z0-9-]{1,64}$/.test(slug)) throw new WrongUsage('代号只能用小写字母、数字和连字符');
      const name = options.name?.trim() ?? '';
      if (name === '' || [...name].length > 40) throw new WrongUsage('请用 --name 写明名称，最多 40 个字');
      if ((options.off === undefined) === (options.percent === undefined))
        throw new WrongUsage('--off 和 --percent 要写且只写一个');
      if ((options.code === undefined) === (options.codes === undefined))
        throw new WrongUsage('--code 和 --codes 要写且只写一个');
      const sum = (text: string | undefined, of: string) => {
        const fen = text === undefined ? null : fenFrom(text);
        if (text !== undefined && !fen) throw new WrongUsage(`${of} 的金额写法如 50 或 19.90`);
        return fen;
      };
      const day = (text: string | undefined, of: string) => {
        const at = text === undefined ? null : chinaDay(text);
        if (text !== undefined && at === null) throw new WrongUsage(`${of} 的日期写法如 2026-11-30`);
        return at;
      };
      if (day(options.until, '--until') === null) throw new WrongUsage('请用 --until 写明最后一天');
      const db = await context.openDb();
      const now = await timeNow(db);
      day(options.from, '--from');
      const packIds: number[] = [];
      for (const pack of options.packs?.split(',') ?? []) {
        const id = await findPackId(db.query, pack.trim());
        if (id === null) throw new Refused(`没有代号为“${pack.trim()}”的课程包`);
        packIds.push(id);
      }
      const threshold = sum(options.threshold, '--threshold') ?? 0;
      const mostOff = sum(options['most-off'], '--most-off');
      const off = sum(options.off, '--off') ?? wholeOf(options.percent ?? '', 1, 100, '--percent');
      const coupon = {
        slug,
        name,
        kind: options.off === undefined ? ('percent' as const) : ('amount' as const),
        off,
        mostOff,
        threshold,
        packIds: packIds.length > 0 ? packIds : null,
        until: options.until ?? '',
        ...(options.from === undefined ? {} : { from: options.from }),
        most: options.total === undefined ? null : wholeOf(options.total, 1, 1_000_000, '--total'),
        perPerson: wholeOf(options['per-person'] ?? '1', 1, 100, '--per-person'),
        ...(options.code === undefined ? {} : { code: options.code }),
        ...(options.codes === undefined ? {} : { count: wholeOf(options.codes, 1, MOST_CODES, '--codes') }),
      };
      const made = await makeCouponKind({ db, random: randomBytes }, coupon, now);
      if (!made.ok) throw new Refused(refusals[made.why].msg);
      for (const code of made.codes) context.say(code);
      return 0;
    },
  };

  const couponList: Command = {
    name: 'coupon list',
    usage: '',
    says: '列出优惠券和领取、使用的张数',
    run: async (args, context) => {
      readArgs(args, 0, {});
      const db = await context.openDb();
      for (const coupon of await listCoupons(db.query)) {
        const off = coupon.kind === 'amount' ? `减 ${yuanOf(coupon.off)} 元` : `减 ${coupon.off}%`;
        const over = coupon.ended_at === null ? '' : '，已停用';
        context.say(
          `${coupon.slug}  ${coupon.name}  ${off}  到 ${chinaTime(coupon.valid_until - 1)}  领 ${coupon.given}${coupon.most === null ? '' : `/${coupon.most}`}  用 ${coupon.used}${over}`,
        );
      }
      return 0;
    },
  };

  const couponEnd: Command = {
    name: 'coupon end',
    usage: '<代号>',
    says: '停用一种优惠券：不再发放，已领的也不能再用；已下的订单不变',
    run: async (args, context) => {
      const { words } = readArgs(args, 1, {});
      const db = await context.openDb();
      if (!(await endCoupon(db.query, words[0] ?? '', await timeNow(db))))
        throw new Refused(`没有代号为“${words[0]}”的优惠券，或已停用`);
      context.say(`已停用“${words[0]}”`);
      return 0;
    },
  };

  const keeper: Command = {
    name: 'order keeper',
    usage: '[<手机号> [--remove]]',
    says: '让一位老师管理订单、退款、发票和优惠券，或收回；不写手机号时列出现在有谁',
    run: async (args, context) => {
      const { words, options } = readArgs(args, args[0]?.startsWith('-') === false ? 1 : 0, { remove: 'flag' });
      const db = await context.openDb();
      const phone = words[0];
      if (phone === undefined) {
        const ids = await listKeepers(db.query);
        const people = await readPeople(db.query, ids);
        for (const id of ids) context.say(`${people.get(id)?.validPhoneExt ?? ''}  ${people.get(id)?.nickname ?? ''}`);
        if (ids.length === 0) context.say('还没有人管理订单');
        return 0;
      }
      const user = await findUserByPhone(db.query, phone);
      if (!user) throw new Refused('没有这个手机号的账号');
      if (options.remove) {
        if (!(await removeKeeper(db.query, user.id))) throw new Refused('这个账号没有管理订单');
        context.say('已收回');
        return 0;
      }
      if (user.role !== 'teacher') throw new Refused('只有老师的账号可以管理订单，先用 user role 改为老师');
      await addKeeper(db.query, user.id, await timeNow(db));
      context.say(`${user.nickname} 现在可以在“教师工作台 · 订单”里管理订单`);
      return 0;
    },
  };

  const decline: Command = {
    name: 'order decline',
    usage: '<订单号> --reason <原因>',
    says: '不同意学员的退款申请，原因会告诉学员；同意就用 order refund',
    run: async (args, context) => {
      const { words, options } = readArgs(args, 1, { reason: 'text' });
      const own = await parts(context);
      const order = await found(own.db, words[0] ?? '');
      const ask = (await readRefundAsks(own.db.query, order.id)).find(({ state }) => state === 'waiting');
      if (!ask) throw new Refused('这个订单没有等待处理的退款申请');
      const answer = options.reason ?? '';
      const said = await declineRefund(own, { refundAskId: ask.id, answer, byWhom: 'command', now: own.clock() });
      if (!said.ok) throw new Refused(refusals[said.why].msg);
      context.say('已答复学员');
      return 0;
    },
  };

  const invoice: Command = {
    name: 'order invoice',
    usage: '<订单号> [--number <发票号码> | --decline <原因> | --red <红字发票号码>]',
    says: '显示或答复一个订单的发票申请：已开具、不开具、已红冲',
    run: async (args, context) => {
      const { words, options } = readArgs(args, 1, { number: 'text', decline: 'text', red: 'text' });
      const own = await parts(context);
      const order = await found(own.db, words[0] ?? '');
      const invoices = await readInvoices(own.db.query, [order.id]);
      const given = [options.number, options.decline, options.red].filter((text) => text !== undefined);
      if (given.length > 1) throw new WrongUsage('--number、--decline、--red 只能写一个');
      if (given.length === 0) {
        for (const one of invoices)
          context.say(
            `${INVOICE_STATES[one.state]}  ${one.title} ${one.tax_no}  ${one.email}  ${yuanOf(one.amount)} 元  ${one.number} ${one.red_number}`.trimEnd(),
          );
        if (invoices.length === 0) context.say('这个订单没有申请发票');
        return 0;
      }
      const wanted = options.red === undefined ? 'waiting' : 'issued';
      const one = invoices.find(({ state }) => state === wanted);
      if (!one) throw new Refused(wanted === 'waiting' ? '这个订单没有等待开具的发票' : '这个订单没有已开具的发票');
      const answer =
        options.number !== undefined
          ? { do: 'issue' as const, number: options.number, title: one.title, taxNo: one.tax_no }
          : options.decline !== undefined
            ? { do: 'decline' as const, answer: options.decline }
            : { do: 'reverse' as const, number: options.red ?? '' };
      const said = await answerInvoice(own, { invoiceId: one.id, answer, byWhom: 'command', now: own.clock() });
      if (!said.ok) throw new Refused(refusals[said.why].msg);
      context.say(`${INVOICE_STATES[said.invoice.state]}：${yuanOf(said.invoice.amount)} 元`);
      return 0;
    },
  };

  return [list, show, refund, decline, invoice, check, keeper, couponAdd, couponList, couponEnd];
}

async function lineOf(db: Db, order: StoredOrder): Promise<string> {
  const user = await findUser(db.query, order.user_id);
  const marks = [
    order.sandbox === 1 ? '模拟支付，没有收款' : '',
    order.returned === '' ? '' : `款项自动退回：${order.returned}`,
  ];
  const mark = marks.filter(Boolean).map((text) => `（${text}）`);
  const who = user && !user.phone.startsWith('gone:') ? maskPhone(user.phone) : '已注销用户';
  return `${order.order_no}  ${chinaTime(order.created_at)}  ${who}  ${order.title}  ${yuanOf(order.total)} 元  ${STATES[order.state]}${mark.join('')}`;
}

function wholeOf(text: string, min: number, max: number, of: string): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value < min || value > max) throw new WrongUsage(`${of} 须为 ${min} 到 ${max} 的整数`);
  return value;
}
