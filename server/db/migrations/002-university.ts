import type { Column, Migration } from '../migration.ts';

const text: Column = { type: 'text', default: '' };
const flag: Column = { type: 'integer', default: 0 };
const int: Column = { type: 'bigint' };

/** Key universities, and what students aim at. */
export const university: Migration = {
  name: '002-university',
  tables: {
    universities: {
      columns: {
        id: 'id',
        name: { type: 'text' },
        prov: { type: 'text' },
        city: text,
        is985: flag,
        is211: flag,
        is_dfc: flag,
        affiliation: text,
        relationship: text,
        official_web: text,
        tel: text,
        school_location: text,
        tags: { type: 'text', default: '[]' },
        aliases: { type: 'text', default: '[]' },
        logo_url: text,
        historical_continuation: text,
        education: text,
        laboratory_situation: text,
        subject_review: text,
        specialty: text,
        key_information_points: text,
        origin: { type: 'text' },
        position: int,
      },
      unique: [['name']],
    },
    university_goals: {
      columns: {
        user_id: int,
        target_id: { type: 'bigint', nullable: true },
        compare_ids: { type: 'text', default: '[]' },
        updated_at: int,
      },
      key: ['user_id'],
      refers: { user_id: 'users', target_id: 'universities' },
    },
  },
};
