import type { Migration } from '../migration.ts';

/**
 * When the own number was last proven by a code, which decides whether it may be somebody else's by now; and of an identity the day of
 * turning 14, while it lies ahead, instead of the day of birth, which makes numbers easy to find by trying (decision 048).
 */
export const whatIsProven: Migration = {
  name: '036-what-is-proven',
  sql: [
    'alter table users add column phone_proven_at bigint',
    // Use counted as proof until now. It does once more: else whoever signed in by code yesterday would be asked for a forgotten password.
    'update users set phone_proven_at = last_used_at where last_used_at > 0',
    'alter table identities add column fourteen_on text',
    // Who was born before 2012 is 14 already; the days that have passed since are taken out by a chore.
    `update identities set fourteen_on = cast(cast(substr(birth, 1, 4) as integer) + 14 as text) || substr(birth, 5) where birth >= '2012'`,
    'alter table identities drop column birth',
    'create index identities_fourteen_on on identities (fourteen_on)',
  ],
};
