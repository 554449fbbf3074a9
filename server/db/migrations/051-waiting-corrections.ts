import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const flag: Column = { type: 'integer', default: 0 };

/**
 * Which records of papers that students put together a correction comes to yet, open ones too, so that it is known how many it waits for and when
 * it is done (decision 063). What was on its way is looked for anew, and till then is not done.
 */
export const waitingCorrections: Migration = {
  name: '051-waiting-corrections',
  tables: {
    own_records_on_way: {
      columns: { record_id: int, correction_id: int, due: { ...flag, default: 1 } },
      key: ['record_id', 'correction_id'],
      index: [['correction_id']],
      refers: { record_id: 'exam_records', correction_id: 'corrections' },
    },
  },
  sql: [
    `update own_rescores set after_exam = 0, done = 0 where correction_id in (
      select corrections.id from corrections where corrections.pack_id in (
        select exam_records.pack_id from own_papers
        inner join exam_records on exam_records.exam_id = own_papers.exam_id
        where exam_records.submitted_at is null
        or exam_records.id in (select record_id from own_records_to_rescore)))`,
    `update question_corrections set done_at = null
      where correction_id in (select correction_id from own_rescores where done = 0)`,
    'drop table own_records_to_rescore',
    'create index own_records_on_way_due on own_records_on_way (record_id) where due = 1',
    'create index question_corrections_undone on question_corrections (correction_id) where done_at is null',
  ],
};
