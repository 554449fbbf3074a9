import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderState, PaymentState, RefundState } from '#contract/values/order.ts';
import {
  expiryOf,
  isWholeRefund,
  mayClose,
  mayGiveUp,
  mayPay,
  mayRefund,
  mayTakeFree,
  type OrderFacts,
  refundable,
  refundWaits,
  type Settlement,
  type Surroundings,
  settle,
} from './order.ts';

const order = (state: OrderState, more: Partial<OrderFacts> = {}): OrderFacts => ({
  state,
  total: 100,
  expiresAt: 1_800_000,
  hasCoupon: false,
  ...more,
});
const well: Surroundings = { gone: false, hasCourse: false, onOffer: true, seat: true, coupon: true };
const back = (reason: string, close = false) => ({ do: 'return', reason, close });

describe('money that has come', () => {
  it.each<[string, OrderFacts, PaymentState, number, Partial<Surroundings>, object]>([
    ['pays the order', order('open'), 'open', 100, {}, { do: 'enrol', retake: false }],
    ['is known already', order('paid'), 'paid', 100, {}, { do: 'nothing' }],
    ['is known of a refunded order', order('refunded'), 'paid', 100, {}, { do: 'nothing' }],
    ['comes a second time by another attempt', order('paid'), 'open', 100, {}, back('paidTwice')],
    ['comes after the refund', order('refunded'), 'open', 100, {}, back('paidTwice')],
    ['of an attempt that was closed', order('open'), 'closed', 100, {}, { do: 'enrol', retake: false }],
    ['is too little', order('open'), 'open', 99, {}, back('wrongAmount')],
    ['is too much', order('open'), 'open', 101, {}, back('wrongAmount')],
    ['for an account that was closed', order('open'), 'open', 100, { gone: true }, back('accountGone', true)],
    ['comes late, the account was closed', order('closed'), 'open', 100, { gone: true }, back('accountGone')],
    ['while another order gives the pack', order('open'), 'open', 100, { hasCourse: true }, back('hasCourse', true)],
    [
      'is not kept off by what was reserved in time',
      order('open'),
      'open',
      100,
      { seat: false, onOffer: false },
      { do: 'enrol', retake: false },
    ],
    ['comes late and enrols', order('closed'), 'open', 100, {}, { do: 'enrol', retake: true }],
    ['comes late, the pack is gone', order('closed'), 'open', 100, { onOffer: false }, back('notOnOffer')],
    ['comes late, no seat', order('closed'), 'open', 100, { seat: false }, back('soldOut')],
    [
      'comes late, the coupon is used elsewhere',
      order('closed', { hasCoupon: true }),
      'open',
      100,
      { coupon: false },
      back('couponGone'),
    ],
    ['comes late, there was no coupon', order('closed'), 'open', 100, { coupon: false }, { do: 'enrol', retake: true }],
    ['comes late, another order gives the pack', order('closed'), 'open', 100, { hasCourse: true }, back('hasCourse')],
  ])('%s', (_, facts, state, paid, around, wanted) => {
    expect(settle(facts, { state, amount: 100 }, paid, { ...well, ...around })).toEqual(wanted);
  });
});

describe('an order', () => {
  it.each<[string, OrderFacts, number, string]>([
    ['open', order('open'), 0, 'ok'],
    ['a minute before its end', order('open'), 1_740_000, 'ok'],
    ['in its last minute', order('open'), 1_740_001, 'orderOver'],
    ['closed', order('closed'), 0, 'orderOver'],
    ['paid', order('paid'), 0, 'orderPaid'],
    ['refunded', order('refunded'), 0, 'orderPaid'],
    ['of nothing', order('open', { total: 0 }), 0, 'nothingToPay'],
  ])('%s: may it be paid', (_, facts, now, wanted) => {
    const said = mayPay(facts, now);
    expect(said.ok ? 'ok' : said.why).toBe(wanted);
  });

  it.each<[string, OrderFacts, number, string]>([
    ['of nothing', order('open', { total: 0 }), 0, 'ok'],
    ['of nothing, over', order('open', { total: 0 }), 1_800_000, 'orderOver'],
    ['of a fen', order('open', { total: 1 }), 0, 'notFree'],
    ['closed', order('closed', { total: 0 }), 0, 'orderOver'],
    ['paid', order('paid', { total: 0 }), 0, 'orderPaid'],
    ['ended by the school', order('refunded', { total: 0 }), 0, 'orderOver'],
  ])('%s: may it be taken free', (_, facts, now, wanted) => {
    const said = mayTakeFree(facts, now);
    expect(said.ok ? 'ok' : said.why).toBe(wanted);
  });

  it('closes when no attempt can bring money any more', () => {
    const attempt = (state: PaymentState) => ({ state, amount: 100 });
    expect(mayClose(order('open'), [])).toBe(true);
    expect(mayClose(order('open'), [attempt('closed'), attempt('paid')])).toBe(true);
    expect(mayClose(order('open'), [attempt('closed'), attempt('open')])).toBe(false);
    for (const state of ['paid', 'closed', 'refunded'] as const) expect(mayClose(order(state), [])).toBe(false);
  });

  it('waits half an hour', () => {
    expect(expiryOf(5)).toBe(1_800_005);
  });
});

describe('refunds', () => {
  const refund = (state: RefundState, amount: number) => ({ state, amount });
  it.each<[string, ReturnType<typeof refund>[], number, string]>([
    ['the whole', [], 100, 'ok'],
    ['more than was paid', [], 101, 'tooMuchBack'],
    ['two of 60 %', [refund('waiting', 60)], 60, 'tooMuchBack'],
    ['the rest', [refund('done', 60)], 40, 'ok'],
    ['again what failed', [refund('failed', 100)], 100, 'ok'],
    ['nothing', [], 0, 'tooMuchBack'],
    ['less than nothing', [], -1, 'tooMuchBack'],
    ['half a fen', [], 0.5, 'tooMuchBack'],
    ['no number', [], Number.NaN, 'tooMuchBack'],
    ['a 51st part', Array.from({ length: 50 }, () => refund('done', 1)), 1, 'tooManyRefunds'],
  ])('%s', (_, before, amount, wanted) => {
    const said = mayRefund(100, before, amount);
    expect(said.ok ? 'ok' : said.why).toBe(wanted);
  });

  it('are whole when what is done comes to what was paid', () => {
    expect(isWholeRefund(100, [refund('done', 60), refund('waiting', 40)])).toBe(false);
    expect(isWholeRefund(100, [refund('done', 60), refund('done', 40), refund('failed', 9)])).toBe(true);
  });
});

/** A school in memory that does what the rules say: two orders of one student for one pack, one coupon, one seat beside others. */
type Event =
  | { is: 'attempt' | 'expire'; order: 0 | 1 }
  | { is: 'money'; attempt: number; amount: number }
  | { is: 'refund'; attempt: number; amount: number }
  | { is: 'provider'; refund: number; says: 'done' | 'failed' }
  | { is: 'offer'; on: boolean }
  | { is: 'stranger' };

const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    is: fc.constantFrom('attempt' as const, 'expire' as const),
    order: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({ is: fc.constant('money' as const), attempt: fc.nat(5), amount: fc.constantFrom(100, 100, 100, 99) }),
  fc.record({ is: fc.constant('refund' as const), attempt: fc.nat(5), amount: fc.integer({ min: 1, max: 100 }) }),
  fc.record({
    is: fc.constant('provider' as const),
    refund: fc.nat(8),
    says: fc.constantFrom('done' as const, 'failed' as const),
  }),
  fc.record({ is: fc.constant('offer' as const), on: fc.boolean() }),
  fc.record({ is: fc.constant('stranger' as const) }),
);

describe('any sequence of what can happen', () => {
  it('enrols only by money, charges once, uses a coupon once, and leaves no money without its course or its way back', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (sequence) => {
        const orders = [0, 1].map((at) => ({
          ...order('open', { hasCoupon: true }),
          at,
          access: false,
          seat: at === 0,
          by: -1,
        }));
        // The coupon is one: the first order holds it, the second got it when it came back.
        let coupon: { by: number | null; used: boolean } = { by: 0, used: false };
        let onOffer = true;
        let seats = 1;
        const attempts: { order: number; state: PaymentState; amount: number; paid: number; ever: number }[] = [];
        const refunds: { attempt: number; state: RefundState; amount: number }[] = [];
        const of = (attempt: number) => refunds.filter((refund) => refund.attempt === attempt);
        const giveBack = (at: number) => {
          const one = orders[at];
          if (one?.seat) {
            one.seat = false;
            seats += 1;
          }
          if (coupon.by === at) coupon = { by: null, used: false };
        };
        seats -= 1;
        for (const event of sequence) {
          const highest = orders.map(({ state }) => state);
          if (event.is === 'offer') onOffer = event.on;
          else if (event.is === 'stranger') seats = Math.max(0, seats - 1);
          else if (event.is === 'attempt') {
            const one = orders[event.order];
            if (one && attempts.length < 6 && mayPay(one, 0).ok)
              attempts.push({ order: event.order, state: 'open', amount: one.total, paid: 0, ever: 0 });
          } else if (event.is === 'expire') {
            const one = orders[event.order];
            // Sometimes the provider could not be asked: then its attempts are still open.
            if (
              one &&
              mayClose(
                one,
                attempts.filter((attempt) => attempt.order === event.order),
              )
            ) {
              one.state = 'closed';
              giveBack(event.order);
            } else
              for (const attempt of attempts)
                if (attempt.order === event.order && attempt.state === 'open') attempt.state = 'closed';
          } else if (event.is === 'money') {
            const attempt = attempts[event.attempt];
            const one = attempt && orders[attempt.order];
            if (!attempt || !one) continue;
            attempt.ever += 1;
            const said: Settlement = settle(one, attempt, event.amount, {
              gone: false,
              hasCourse: orders.some((other) => other !== one && other.access),
              onOffer,
              seat: one.seat || seats > 0,
              coupon: coupon.by === one.at || coupon.by === null,
            });
            if (said.do === 'nothing') continue;
            attempt.state = 'paid';
            attempt.paid = event.amount;
            if (said.do === 'enrol') {
              if (!one.seat && said.retake) {
                seats -= 1;
                one.seat = true;
              }
              if (said.retake) expect(coupon.by === null || coupon.by === one.at).toBe(true);
              if (coupon.by === null || coupon.by === one.at) coupon = { by: one.at, used: true };
              one.state = 'paid';
              one.access = true;
              one.by = event.attempt;
            } else {
              refunds.push({ attempt: event.attempt, state: 'waiting', amount: event.amount });
              if (said.close) {
                one.state = 'closed';
                giveBack(one.at);
              }
            }
          } else if (event.is === 'refund') {
            const attempt = attempts[event.attempt];
            if (attempt?.state === 'paid' && mayRefund(attempt.paid, of(event.attempt), event.amount).ok)
              refunds.push({ attempt: event.attempt, state: 'waiting', amount: event.amount });
          } else if (event.is === 'provider') {
            const refund = refunds[event.refund];
            const attempt = refund && attempts[refund.attempt];
            const one = attempt && orders[attempt.order];
            if (!refund || !attempt || !one || refund.state !== 'waiting') continue;
            refund.state = event.says;
            if (one.state === 'paid' && one.by === refund.attempt && isWholeRefund(attempt.paid, of(refund.attempt))) {
              one.state = 'refunded';
              one.access = false;
              giveBack(one.at);
            }
          }
          // State moves forward only: what was paid is paid or refunded.
          for (const [at, before] of highest.entries()) {
            const now = orders[at]?.state;
            if (before === 'paid') expect(['paid', 'refunded']).toContain(now);
            if (before === 'refunded') expect(now).toBe('refunded');
            if (before === 'closed') expect(now).not.toBe('open');
          }
          expect(orders.filter(({ access }) => access).length).toBeLessThanOrEqual(1);
          expect(seats).toBeGreaterThanOrEqual(0);
          for (const [at, attempt] of attempts.entries()) {
            expect(refundable(attempt.paid, of(at))).toBeGreaterThanOrEqual(0);
            if (attempt.state !== 'paid') continue;
            // Money that came either gives its course or is on its way back, or somebody has to look at a refund that failed.
            const one = orders[attempt.order];
            const gives = one?.access && one.by === at;
            expect(gives || of(at).length > 0).toBe(true);
          }
          for (const one of orders) {
            if (one.access) expect(attempts[one.by]).toMatchObject({ state: 'paid', paid: one.total });
          }
          if (coupon.used) expect(orders[coupon.by ?? 9]?.access).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('mayGiveUp', () => {
  it.each([
    ['open', 'not there', 1000, 999, false],
    ['open', 'not there', 1000, 1000, true],
    ['closed', 'not there', 1000, 2000, false],
    ['paid', 'not there', 1000, 2000, false],
    ['open', 'silent', 1000, 1000 + 2 * 3_600_000 - 1, false],
    ['open', 'silent', 1000, 1000 + 2 * 3_600_000, true],
    ['paid', 'silent', 1000, 9e12, false],
  ] as const)('%s, its provider %s, until %i at %i: %s', (state, provider, expiresAt, now, may) =>
    expect(mayGiveUp({ state, expiresAt }, { now, silent: provider === 'silent' })).toBe(may),
  );
});

it('refundWaits: at once, then 30 s, twice as long each time, half an hour at most', () => {
  expect(refundWaits.map((wait) => wait / 1000)).toEqual([0, 30, 60, 120, 240, 480, 960, 1800, 1800]);
});
