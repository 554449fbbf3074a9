import type { Migration } from '../migration.ts';

/** Closings that the operator undid: why, by whom, and with what result the record had been closed. */
export const recordReopenings: Migration = {
  name: '005-record-reopenings',
  tables: {
    record_reopenings: {
      columns: {
        id: 'id',
        record_id: { type: 'bigint' },
        reopened_at: { type: 'bigint' },
        done_by: { type: 'text' },
        reason: { type: 'text' },
        closed: { type: 'text' },
        submitted_at: { type: 'bigint' },
        ended_at: { type: 'bigint', nullable: true },
        ends_at: { type: 'bigint', nullable: true },
        score: { type: 'double', nullable: true },
        graded: { type: 'text' },
      },
      refers: { record_id: 'exam_records' },
      index: [['record_id']],
    },
  },
};
