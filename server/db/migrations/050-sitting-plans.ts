import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };

/** The plan of a student who sits a scored exam, laid out without what is sat: `plan_days` was made with it. */
export const sittingPlans: Migration = {
  name: '050-sitting-plans',
  tables: {
    sitting_plans: {
      columns: { user_id: int, day: int, basis: text, sat: text, plan: text },
      key: ['user_id'],
      refers: { user_id: 'users' },
    },
  },
};
