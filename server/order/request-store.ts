import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { Invoices, RefundAsks } from '#server/db/schema.ts';

export type StoredRefundAsk = Selectable<RefundAsks>;
export type StoredInvoice = Selectable<Invoices>;

/** Adds that a student asks for money back. @throws a duplicate where one of the order waits */
export async function addRefundAsk(trx: Trx, ask: Insertable<RefundAsks>): Promise<StoredRefundAsk> {
  return trx.insertInto('refund_asks').values(ask).returningAll().executeTakeFirstOrThrow();
}

/** What was asked back of an order, newest first. */
export async function readRefundAsks(query: Query, orderId: number): Promise<StoredRefundAsk[]> {
  return query
    .selectFrom('refund_asks')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** One of them by its id. */
export async function findRefundAsk(query: Query, id: number): Promise<StoredRefundAsk | undefined> {
  return query.selectFrom('refund_asks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Answers the request of an order that waits, if one does. @returns whether one did */
export async function answerRefundAsk(
  trx: Trx,
  orderId: number,
  answer: Pick<StoredRefundAsk, 'state' | 'answer' | 'by_whom' | 'refund_id'> & { answered_at: number },
): Promise<boolean> {
  const answered = await trx
    .updateTable('refund_asks')
    .set(answer)
    .where('order_id', '=', orderId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return answered.numUpdatedRows > 0n;
}

/** Adds that an invoice is asked for. @throws a duplicate where one of the order waits or is issued */
export async function addInvoice(trx: Trx, invoice: Insertable<Invoices>): Promise<StoredInvoice> {
  return trx.insertInto('invoices').values(invoice).returningAll().executeTakeFirstOrThrow();
}

/** The invoices of these orders, newest first. */
export async function readInvoices(query: Query, orderIds: readonly number[]): Promise<StoredInvoice[]> {
  if (orderIds.length === 0) return [];
  return query
    .selectFrom('invoices')
    .selectAll()
    .where('order_id', 'in', padded(orderIds))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** One of them by its id. */
export async function findInvoice(query: Query, id: number): Promise<StoredInvoice | undefined> {
  return query.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes an invoice that is still in one of the states in which it may be. @returns whether it was */
export async function changeInvoice(
  trx: Trx,
  id: number,
  from: StoredInvoice['state'],
  change: Updateable<Invoices>,
): Promise<boolean> {
  const changed = await trx
    .updateTable('invoices')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** What somebody asked the school for: refunds and invoices, in their order. */
export async function readRequestsOf(query: Query, userId: number): Promise<object[]> {
  const asks = await query
    .selectFrom('refund_asks')
    .select(['order_id as orderId', 'reason', 'state', 'answer', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const invoices = await query
    .selectFrom('invoices')
    .select([
      ...(['order_id as orderId', 'kind', 'title', 'tax_no as taxNo', 'email', 'state', 'number'] as const),
      'created_at as createdAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return [...asks, ...invoices];
}

/** Takes out what somebody wrote when they asked. The title of an invoice that was issued stays: the school has to keep its books. */
export async function forgetRequestsOf(trx: Trx, userId: number): Promise<void> {
  await trx.updateTable('refund_asks').set({ reason: '' }).where('user_id', '=', userId).execute();
  await trx.updateTable('invoices').set({ email: '' }).where('user_id', '=', userId).execute();
  await trx
    .updateTable('invoices')
    .set({ title: '', tax_no: '', state: sql`case when state = 'waiting' then 'withdrawn' else state end` })
    .where('user_id', '=', userId)
    .where('state', 'not in', ['issued', 'reversed'])
    .execute();
}
