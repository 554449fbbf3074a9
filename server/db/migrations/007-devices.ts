import type { Migration } from '../migration.ts';

const text = { type: 'text' } as const;
const int = { type: 'bigint' } as const;
const whole = { type: 'integer' } as const;

/**
 * Devices that a person signed in on, tickets bound to a number and to who earned them, and SMS codes of which each asker
 * has their own. Tickets and codes live minutes, so those of before are given up: who holds one asks for another.
 */
export const devices: Migration = {
  name: '007-devices',
  tables: {
    known_devices: {
      columns: { device_hash: text, user_id: int, seen_at: int, expires_at: int },
      key: ['device_hash', 'user_id'],
      refers: { user_id: 'users' },
      index: [['user_id'], ['expires_at']],
    },
    asked_codes: {
      columns: {
        id: 'id',
        phone: text,
        purpose: text,
        asker: text,
        code_hash: text,
        own_tries: whole,
        other_tries: whole,
        created_at: int,
        expires_at: int,
      },
      unique: [['phone', 'purpose', 'asker']],
      index: [['expires_at']],
    },
  },
  sql: [
    'drop table sms_codes',
    'delete from captcha_tickets',
    "alter table captcha_tickets add column phone_key text not null default ''",
    "alter table captcha_tickets add column asker text not null default ''",
  ],
};
