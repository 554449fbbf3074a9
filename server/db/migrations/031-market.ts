import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const empty: Column = { type: 'text', default: '' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** What a visitor chooses courses by: categories, teachers, and what the school promotes. */
export const market: Migration = {
  name: '031-market',
  tables: {
    pack_categories: {
      columns: { id: 'id', parent_id: { type: 'bigint', default: 0 }, name: text, position: int },
      unique: [['parent_id', 'name']],
    },
    pack_teachers: {
      columns: { pack_id: int, position: int, name: text, title: empty, words: empty, picture: empty },
      key: ['pack_id', 'position'],
      refers: { pack_id: 'packs' },
    },
    promotions: {
      columns: {
        id: 'id',
        kind: text,
        slug: text,
        title: text,
        words: empty,
        link: empty,
        picture: empty,
        phone_picture: empty,
        alt: empty,
        from_at: orNull(int),
        until_at: orNull(int),
        position: int,
      },
      unique: [['kind', 'slug']],
    },
  },
  sql: [
    'alter table packs add column category_id bigint',
    'alter table packs add column listed_at bigint not null default 0',
    // The whole shelf is read along this: without it every list would go through the long introductions.
    'create index packs_shelf on packs (archived, position, id, category_id, price, listed_at, exam_date, name)',
  ],
};
