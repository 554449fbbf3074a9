import type { Insertable, Selectable, Updateable } from 'kysely';
import type { OrderState, PayChannel } from '#contract/values/order.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { Orders, Payments, Refunds } from '#server/db/schema.ts';

export type StoredOrder = Selectable<Orders>;
export type StoredPayment = Selectable<Payments>;
export type StoredRefund = Selectable<Refunds>;

/** Adds an order. @throws a duplicate (`isDuplicate`) where its student has an open one of the pack, or used its request before */
export async function addOrder(trx: Trx, order: Insertable<Orders>): Promise<StoredOrder> {
  return trx.insertInto('orders').values(order).returningAll().executeTakeFirstOrThrow();
}

/** An order by its id; undefined: there is none. */
export async function findOrder(query: Query, id: number): Promise<StoredOrder | undefined> {
  return query.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** An order by the number that people read. */
export async function findOrderByNo(query: Query, orderNo: string): Promise<StoredOrder | undefined> {
  return query.selectFrom('orders').selectAll().where('order_no', '=', orderNo).executeTakeFirst();
}

/**
 * Whether a number, as it was typed, names an order of this person that was paid with money: its own, or those under which its provider lists the
 * payment.
 */
export async function ownsPaidOrder(query: Query, userId: number, typed: string): Promise<boolean> {
  const number = typed.normalize('NFKC').replaceAll(/\s/g, '');
  if (number === '') return false;
  const found = await query
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select('orders.id')
    .where('orders.user_id', '=', userId)
    .where('payments.state', '=', 'paid')
    .where((is) =>
      is.or([
        is('orders.order_no', '=', number),
        is('payments.out_trade_no', '=', number),
        is('payments.provider_no', '=', number),
      ]),
    )
    .executeTakeFirst();
  return found !== undefined;
}

/** The order that this press of the button made, or else the one of the pack that waits for payment. */
export async function findSameOrder(
  query: Query,
  { userId, packId, requestId }: { userId: number; packId: number; requestId: string },
): Promise<StoredOrder | undefined> {
  const own = query.selectFrom('orders').selectAll().where('user_id', '=', userId);
  return (
    (await own.where('request_id', '=', requestId).executeTakeFirst()) ??
    (await own.where('pack_id', '=', packId).where('state', '=', 'open').executeTakeFirst())
  );
}

/** Locks an order until the transaction ends: all that changes it follow each other. */
export async function lockOrder(trx: Trx, id: number): Promise<StoredOrder | undefined> {
  return trx
    .updateTable('orders')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Changes an order that the transaction has locked. */
export async function changeOrder(trx: Trx, id: number, change: Updateable<Orders>): Promise<void> {
  await trx.updateTable('orders').set(change).where('id', '=', id).execute();
}

/** How many seats of a pack are taken, by paid orders and by those that wait. */
export async function countSeats(query: Query, packId: number): Promise<number> {
  const { count } = await query
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('pack_id', '=', packId)
    .where('seat', '=', 1)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether another order gives this student the pack. */
export async function hasOtherLine(
  query: Query,
  order: Pick<StoredOrder, 'id' | 'user_id' | 'pack_id'>,
): Promise<boolean> {
  const row = await query
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', order.user_id)
    .where('pack_id', '=', order.pack_id)
    .where('access', '=', 1)
    .where('id', '<>', order.id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A page of orders, newest first: of one student, or (teachers, commands) of all. */
export async function listOrders(
  query: Query,
  {
    userId,
    packId,
    state,
    limit,
    offset,
  }: {
    userId?: number | undefined;
    packId?: number | undefined;
    state?: OrderState | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ orders: StoredOrder[]; total: number }> {
  let asked = query.selectFrom('orders');
  if (userId !== undefined) asked = asked.where('user_id', '=', userId);
  if (packId !== undefined) asked = asked.where('pack_id', '=', packId);
  if (state !== undefined) asked = asked.where('state', '=', state);
  const { total } = await asked.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const orders = await asked
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { orders, total: Number(total) };
}

/** The orders that wait although their time is over, the oldest first. */
export async function readExpired(
  query: Query,
  now: number,
  { after, limit }: { after: { expiresAt: number; id: number }; limit: number },
): Promise<{ id: number; expiresAt: number }[]> {
  return query
    .selectFrom('orders')
    .select(['id', 'expires_at as expiresAt'])
    .where('state', '=', 'open')
    .where('expires_at', '<=', now)
    .where((is) =>
      is.or([
        is('expires_at', '>', after.expiresAt),
        is.and([is('expires_at', '=', after.expiresAt), is('id', '>', after.id)]),
      ]),
    )
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Whether the providers may be asked about an order for its page now, which counts as asked. */
export async function claimAsk(query: Query, id: number, now: number, every: number): Promise<boolean> {
  const claimed = await query
    .updateTable('orders')
    .set({ asked_at: now })
    .where('id', '=', id)
    .where((is) => is.or([is('asked_at', '<=', now - every), is('asked_at', '>', now)]))
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

// ---- payments ----

/** Adds an attempt to pay; it is committed before its provider hears of it. */
export async function addPayment(trx: Trx, payment: Insertable<Payments>): Promise<StoredPayment> {
  return trx.insertInto('payments').values(payment).returningAll().executeTakeFirstOrThrow();
}

/** An attempt by its number at the provider. */
export async function findPayment(query: Query, outTradeNo: string): Promise<StoredPayment | undefined> {
  return query.selectFrom('payments').selectAll().where('out_trade_no', '=', outTradeNo).executeTakeFirst();
}

/** The attempts to pay these orders, in their order. */
export async function readPayments(query: Query, orderIds: readonly number[]): Promise<StoredPayment[]> {
  if (orderIds.length === 0) return [];
  return query
    .selectFrom('payments')
    .selectAll()
    .where('order_id', 'in', padded(orderIds))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Changes an attempt. */
export async function changePayment(query: Query, id: number, change: Updateable<Payments>): Promise<void> {
  await query.updateTable('payments').set(change).where('id', '=', id).execute();
}

/** Notes that a provider's message named an attempt, and asks for it to be looked at. @returns whether it is known */
export async function notePaymentHint(query: Query, outTradeNo: string): Promise<boolean> {
  const noted = await query
    .updateTable('payments')
    .set({ hinted: 1 })
    .where('out_trade_no', '=', outTradeNo)
    .executeTakeFirst();
  return noted.numUpdatedRows > 0n;
}

/** A closed attempt that was asked about for the last time so long ago is left to the bill of its day. */
const CLOSED_FOR = 7 * 24 * 60 * 60_000;

/**
 * The attempts that one provider is to be asked about: hinted ones at once, open ones after `every`, and closed ones until they were asked about once
 * `after` their end, since an address that was handed out may still have been paid: also where no process ran at that time.
 */
export async function readDuePayments(
  query: Query,
  {
    now,
    every,
    after,
    channel,
    limit,
  }: { now: number; every: number; after: number; channel: PayChannel; limit: number },
): Promise<StoredPayment[]> {
  return query
    .selectFrom('payments')
    .selectAll()
    .where('channel', '=', channel)
    .where((is) =>
      is.or([
        // One that was given up waits like the others: its provider may stay silent for good.
        is.and([is('hinted', '=', 1), is.or([is('state', '<>', 'closed'), is('asked_at', '<=', now - every)])]),
        is.and([is('state', '=', 'open'), is('asked_at', '<=', now - every)]),
        is.and([
          is('state', '=', 'closed'),
          is('asked_at', '<=', now - 8 * every),
          is('asked_at', '>', now - CLOSED_FOR),
          is('asked_at', '<', is('expires_at', '+', after)),
        ]),
      ]),
    )
    .orderBy('asked_at')
    .limit(limit)
    .execute();
}

/** The paid attempts of a time, for the daily comparison. */
export async function readPaidBetween(
  query: Query,
  channel: PayChannel,
  from: number,
  until: number,
): Promise<StoredPayment[]> {
  return query
    .selectFrom('payments')
    .selectAll()
    .where('channel', '=', channel)
    .where('state', '=', 'paid')
    .where('paid_at', '>=', from)
    .where('paid_at', '<', until)
    .execute();
}

// ---- refunds ----

/** Adds money that is to go back. @throws a duplicate where the same request has asked for it */
export async function addRefund(trx: Trx, refund: Insertable<Refunds>): Promise<StoredRefund> {
  return trx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow();
}

/** Money on its way back by its number at the provider. */
export async function findRefund(query: Query, outRefundNo: string): Promise<StoredRefund | undefined> {
  return query.selectFrom('refunds').selectAll().where('out_refund_no', '=', outRefundNo).executeTakeFirst();
}

/** The refunds of these orders, in their order. */
export async function readRefunds(query: Query, orderIds: readonly number[]): Promise<StoredRefund[]> {
  if (orderIds.length === 0) return [];
  return query
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', 'in', padded(orderIds))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * The refunds that wait for a provider's word and may be tried again now, those that were tried longest ago first.
 * @param waits by how many tries they had, milliseconds; the last is of those with more
 */
export async function readDueRefunds(
  query: Query,
  { now, waits, limit }: { now: number; waits: readonly number[]; limit: number },
): Promise<StoredRefund[]> {
  return query
    .selectFrom('refunds')
    .selectAll()
    .where('state', '=', 'waiting')
    .where((is) =>
      is.or(
        waits.map((wait, tries) =>
          is.and([is('tries', tries < waits.length - 1 ? '=' : '>=', tries), is('tried_at', '<=', now - wait)]),
        ),
      ),
    )
    .orderBy('tried_at')
    .limit(limit)
    .execute();
}

/** Claims a waiting refund for one try, so that two processes do not ask at one moment. */
export async function claimRefund(query: Query, { id, tries }: StoredRefund, now: number): Promise<boolean> {
  const claimed = await query
    .updateTable('refunds')
    .set({ tries: tries + 1, tried_at: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('tries', '=', tries)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

/** Changes a refund. */
export async function changeRefund(trx: Query, id: number, change: Updateable<Refunds>): Promise<void> {
  await trx.updateTable('refunds').set(change).where('id', '=', id).execute();
}

/** The refunds of a channel that were done in a time, with the numbers of what they refund. */
export async function readRefundsBetween(
  query: Query,
  channel: PayChannel,
  from: number,
  until: number,
): Promise<{ outTradeNo: string; outRefundNo: string; amount: number }[]> {
  return query
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['payments.out_trade_no as outTradeNo', 'refunds.out_refund_no as outRefundNo', 'refunds.amount as amount'])
    .where('payments.channel', '=', channel)
    .where('refunds.state', '=', 'done')
    .where('refunds.done_at', '>=', from)
    .where('refunds.done_at', '<', until)
    .execute();
}

// ---- what happened ----

/** Writes that something happened to an order, once. @returns whether it had not been written before */
export async function addOrderEvent(
  trx: Trx,
  { orderId, event, now, words = {} }: { orderId: number; event: string; now: number; words?: object },
): Promise<boolean> {
  const added = await trx
    .insertInto('order_events')
    .values({ order_id: orderId, event, at: now, words: JSON.stringify(words) })
    .onConflict((conflict) => conflict.columns(['order_id', 'event']).doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** What happened to an order, in its order. */
export async function readOrderEvents(
  query: Query,
  orderId: number,
): Promise<{ event: string; at: number; words: string }[]> {
  return query
    .selectFrom('order_events')
    .select(['event', 'at', 'words'])
    .where('order_id', '=', orderId)
    .orderBy('at')
    .orderBy('event')
    .execute();
}

/** Keeps a number that a provider's signed message named and that nobody knows here. */
export async function noteUnknownNumber(
  query: Query,
  channel: PayChannel,
  outTradeNo: string,
  now: number,
): Promise<void> {
  await query
    .insertInto('payment_inbox')
    .values({ channel, out_trade_no: outTradeNo, times: 1, first_at: now, last_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['channel', 'out_trade_no'])
        .doUpdateSet(({ eb, ref }) => ({ times: eb(ref('payment_inbox.times'), '+', 1), last_at: now })),
    )
    .execute();
}

/** The numbers of a provider that nobody knows here, the newest first. */
export async function readUnknownNumbers(
  query: Query,
  limit: number,
): Promise<{ channel: PayChannel; outTradeNo: string; times: number; lastAt: number }[]> {
  return query
    .selectFrom('payment_inbox')
    .select(['channel', 'out_trade_no as outTradeNo', 'times', 'last_at as lastAt'])
    .orderBy('last_at', 'desc')
    .limit(limit)
    .execute();
}

/** All orders of a student, the oldest first. */
export async function readOrdersOf(query: Query, userId: number): Promise<StoredOrder[]> {
  return query
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Whose payments these numbers are: the ids of their orders by number. */
export async function readOrdersOfPayments(query: Query, numbers: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of inLists([...new Set(numbers)])) {
    const rows = await query
      .selectFrom('payments')
      .select(['out_trade_no', 'order_id'])
      .where('out_trade_no', 'in', some)
      .execute();
    for (const { out_trade_no, order_id } of rows) found.set(out_trade_no, order_id);
  }
  return found;
}

/** As `readOrdersOfPayments`, for refunds. */
export async function readOrdersOfRefunds(query: Query, numbers: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of inLists([...new Set(numbers)])) {
    const rows = await query
      .selectFrom('refunds')
      .select(['out_refund_no', 'order_id'])
      .where('out_refund_no', 'in', some)
      .execute();
    for (const { out_refund_no, order_id } of rows) found.set(out_refund_no, order_id);
  }
  return found;
}
