import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const empty: Column = { type: 'text', default: '' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** Who of the school sees money, what students ask it for (refunds, invoices), and what each day's comparison found. */
export const orderDesk: Migration = {
  name: '033-order-desk',
  tables: {
    order_keepers: {
      columns: { user_id: int, created_at: int },
      key: ['user_id'],
      refers: { user_id: 'users' },
    },
    refund_asks: {
      columns: {
        id: int,
        order_id: int,
        user_id: int,
        reason: text,
        state: text,
        answer: empty,
        by_whom: empty,
        refund_id: orNull(int),
        created_at: int,
        answered_at: orNull(int),
      },
      key: ['id'],
      index: [['order_id'], ['state', 'created_at']],
      refers: { order_id: 'orders', user_id: 'users' },
    },
    invoices: {
      columns: {
        id: int,
        order_id: int,
        user_id: int,
        kind: text,
        title: text,
        tax_no: empty,
        email: text,
        state: text,
        amount: { type: 'bigint', default: 0 },
        number: empty,
        red_number: empty,
        answer: empty,
        by_whom: empty,
        created_at: int,
        answered_at: orNull(int),
      },
      key: ['id'],
      index: [['order_id'], ['state', 'created_at']],
      refers: { order_id: 'orders', user_id: 'users' },
    },
    order_checks: {
      columns: { day: text, channel: text, outcome: text, found: text, at: int },
      key: ['day', 'channel'],
    },
  },
  sql: [
    "create unique index refund_asks_one_waiting on refund_asks (order_id) where state = 'waiting'",
    "create unique index invoices_one on invoices (order_id) where state in ('waiting', 'issued')",
    'create index orders_newest on orders (created_at, id)',
    'create index orders_newest_of_state on orders (state, created_at, id)',
    'create index payments_provider_no on payments (provider_no)',
    // What a day of the provider's bill is compared with.
    "create index payments_paid_at on payments (paid_at) where state = 'paid'",
    "create index refunds_done_at on refunds (done_at) where state = 'done'",
    // The closing of an account looks for them while everybody waits.
    'create index refund_asks_of on refund_asks (user_id)',
    'create index invoices_of on invoices (user_id)',
  ],
};
