import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };

/** The plan of a student: minutes a day, what is left out of it, and what was laid out for the newest day. */
export const plan: Migration = {
  name: '032-plan',
  tables: {
    plan_settings: {
      columns: { user_id: int, minutes: text },
      key: ['user_id'],
      refers: { user_id: 'users' },
    },
    plan_left_out: {
      columns: { user_id: int, pack_id: int, kind: text, ref_id: int },
      key: ['user_id', 'pack_id', 'kind', 'ref_id'],
      refers: { user_id: 'users', pack_id: 'packs' },
    },
    plan_days: {
      columns: { user_id: int, day: int, basis: text, plan: text },
      key: ['user_id'],
      refers: { user_id: 'users' },
    },
  },
};
