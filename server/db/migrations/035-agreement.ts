import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };

/** The texts that people agree to, and who agreed to which: rows are added and never changed. */
export const agreement: Migration = {
  name: '035-agreement',
  tables: {
    agreement_versions: {
      columns: {
        document: { type: 'integer' },
        version: { type: 'integer' },
        text: text,
        html: text,
        hash: text,
        is_sample: { type: 'integer', default: 0 },
        published_at: int,
      },
      key: ['document', 'version'],
    },
    agreement_consents: {
      columns: {
        user_id: int,
        document: { type: 'integer' },
        version: { type: 'integer' },
        hash: text,
        agreed_at: int,
      },
      key: ['user_id', 'document', 'version'],
      refers: { user_id: 'users' },
    },
    declared_minors: {
      columns: { user_id: int, declared_at: int },
      key: ['user_id'],
      refers: { user_id: 'users' },
    },
    guardian_consents: {
      columns: {
        id: 'id',
        user_id: int,
        name: text,
        phone: text,
        document: { type: 'integer' },
        version: { type: 'integer' },
        hash: text,
        agreed_at: int,
      },
      index: [['user_id']],
      refers: { user_id: 'users' },
    },
  },
};
