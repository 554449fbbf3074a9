import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { MOST_LISTED_ORDERS, type OrderState, type OrderWait, type PayChannel } from '#contract/values/order.ts';
import { REFUND_SLOW } from '#rules/order/order.ts';
import type { Query } from '#server/db/open.ts';
import type { OrderChecks, Tables } from '#server/db/schema.ts';
import type { StoredOrder } from './order-store.ts';

// ---- who sees the money of the school ----

/** Whether a teacher keeps the orders of the school. */
export async function isKeeper(query: Query, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('order_keepers')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets somebody keep the orders; twice is the same as once. */
export async function addKeeper(query: Query, userId: number, now: number): Promise<void> {
  await query
    .insertInto('order_keepers')
    .values({ user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** @returns whether they kept the orders until now */
export async function removeKeeper(query: Query, userId: number): Promise<boolean> {
  const gone = await query.deleteFrom('order_keepers').where('user_id', '=', userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Who keeps the orders. */
export async function listKeepers(query: Query): Promise<number[]> {
  const rows = await query.selectFrom('order_keepers').select('user_id').orderBy('created_at').execute();
  return rows.map(({ user_id }) => user_id);
}

// ---- the school's list ----

/** What the school's list is narrowed to. Times are epoch milliseconds, `until` is where they end. */
export interface DeskFilter {
  /** Only these; an empty list gives nothing. */
  orderIds?: readonly number[] | undefined;
  userId?: number | undefined;
  state?: OrderState | undefined;
  waits?: OrderWait | undefined;
  from?: number | undefined;
  until?: number | undefined;
  now: number;
}

type OrderQuery = SelectQueryBuilder<Tables, 'orders', object>;

/** Refunds that failed and that nobody has asked for again. */
const failed = (query: Query) =>
  query
    .selectFrom('refunds')
    .select('refunds.order_id')
    .where('refunds.state', '=', 'failed')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refunds as later')
            .select('later.id')
            .whereRef('later.order_id', '=', 'refunds.order_id')
            .where('later.request_id', '=', sql<string>`'again-' || refunds.id`),
        ),
      ),
    );

/** Money that its provider was told to give back more than a day ago, and that is not there. */
const slow = (query: Query, now: number) =>
  query
    .selectFrom('refunds')
    .select('refunds.order_id')
    .where('refunds.state', '=', 'waiting')
    .where('refunds.created_at', '<', now - REFUND_SLOW);

const waitingRefunds = (query: Query) =>
  query.selectFrom('refund_asks').select('refund_asks.order_id').where('refund_asks.state', '=', 'waiting');
const waitingInvoices = (query: Query) =>
  query.selectFrom('invoices').select('invoices.order_id').where('invoices.state', '=', 'waiting');

function narrowed(query: Query, { orderIds, userId, state, waits, from, until, now }: DeskFilter): OrderQuery {
  let asked: OrderQuery = query.selectFrom('orders');
  if (orderIds !== undefined) asked = asked.where('orders.id', 'in', orderIds.length > 0 ? [...orderIds] : [0]);
  if (userId !== undefined) asked = asked.where('orders.user_id', '=', userId);
  if (state !== undefined) asked = asked.where('orders.state', '=', state);
  if (from !== undefined) asked = asked.where('orders.created_at', '>=', from);
  if (until !== undefined) asked = asked.where('orders.created_at', '<', until);
  if (waits === 'refund') asked = asked.where('orders.id', 'in', waitingRefunds(query));
  if (waits === 'invoice') asked = asked.where('orders.id', 'in', waitingInvoices(query));
  if (waits === 'failed') asked = asked.where('orders.id', 'in', failed(query));
  if (waits === 'slow') asked = asked.where('orders.id', 'in', slow(query, now));
  return asked;
}

/** A page of the orders of the school, newest first. Its count goes to `MOST_LISTED_ORDERS`: counting a million takes too long. */
export async function listDeskOrders(
  query: Query,
  { limit, offset, ...filter }: DeskFilter & { limit: number; offset: number },
): Promise<{ orders: StoredOrder[]; total: number }> {
  const { total } = await query
    .selectFrom(narrowed(query, filter).select('orders.id').limit(MOST_LISTED_ORDERS).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (offset >= MOST_LISTED_ORDERS) return { orders: [], total: Number(total) };
  const orders = await narrowed(query, filter)
    .selectAll('orders')
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { orders, total: Number(total) };
}

/** Orders from newest to oldest, going on behind one of them. */
export async function readOrdersAfter(
  query: Query,
  { after, limit, ...filter }: DeskFilter & { after: { createdAt: number; id: number } | null; limit: number },
): Promise<StoredOrder[]> {
  let asked = narrowed(query, filter);
  if (after)
    // The first comparison is the one that the index can begin with.
    asked = asked
      .where('orders.created_at', '<=', after.createdAt)
      .where((is) =>
        is.or([
          is('orders.created_at', '<', after.createdAt),
          is.and([is('orders.created_at', '=', after.createdAt), is('orders.id', '<', after.id)]),
        ]),
      );
  return asked
    .selectAll('orders')
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .execute();
}

/** How many orders wait for the school, by what they wait for. */
export async function countWaiting(query: Query, now: number): Promise<Record<OrderWait, number>> {
  const counted = async (waits: OrderWait) => {
    const { count } = await narrowed(query, { waits, now })
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  return {
    refund: await counted('refund'),
    invoice: await counted('invoice'),
    failed: await counted('failed'),
    slow: await counted('slow'),
  };
}

/** Which of these orders wait for the school, by what for. */
export async function readWaiting(
  query: Query,
  orderIds: readonly number[],
  now: number,
): Promise<Record<OrderWait, ReadonlySet<number>>> {
  const among = async (waits: OrderWait) => {
    const rows = await narrowed(query, { orderIds, waits, now }).select('orders.id').execute();
    return new Set(rows.map(({ id }) => id));
  };
  return {
    refund: await among('refund'),
    invoice: await among('invoice'),
    failed: await among('failed'),
    slow: await among('slow'),
  };
}

/** The orders that a number of a provider belongs to: ours or theirs of a payment, or ours of a refund. */
export async function findOrdersByTrade(query: Query, no: string): Promise<number[]> {
  const payments = await query
    .selectFrom('payments')
    .select('order_id')
    .where((is) => is.or([is('out_trade_no', '=', no), is('provider_no', '=', no)]))
    .limit(20)
    .execute();
  const refunds = await query.selectFrom('refunds').select('order_id').where('out_refund_no', '=', no).execute();
  return [...new Set([...payments, ...refunds].map(({ order_id }) => order_id))];
}

// ---- comparisons with the bills ----

export type StoredCheck = Selectable<OrderChecks>;

/** Keeps what the comparison of a day found; a later one takes its place. */
export async function saveCheck(query: Query, check: StoredCheck): Promise<void> {
  const { outcome, found, at } = check;
  await query
    .insertInto('order_checks')
    .values(check)
    .onConflict((conflict) => conflict.columns(['day', 'channel']).doUpdateSet({ outcome, found, at }))
    .execute();
}

/** What the comparison of a day found last; undefined: it was not made. */
export async function findCheck(query: Query, day: string, channel: PayChannel): Promise<StoredCheck | undefined> {
  return query
    .selectFrom('order_checks')
    .selectAll()
    .where('day', '=', day)
    .where('channel', '=', channel)
    .executeTakeFirst();
}

/** What the last comparisons found, newest first. */
export async function listChecks(query: Query, limit: number): Promise<StoredCheck[]> {
  return query.selectFrom('order_checks').selectAll().orderBy('day', 'desc').orderBy('channel').limit(limit).execute();
}
