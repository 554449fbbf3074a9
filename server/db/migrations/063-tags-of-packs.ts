import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };

/** How many questions that others see have a tag, by pack: who may open some packs is told of their tags alone. */
export const tagsOfPacks: Migration = {
  name: '063-tags-of-packs',
  tables: {
    qa_pack_tags: {
      columns: { pack_id: int, tag_id: int, count: { type: 'bigint', default: 0 } },
      key: ['pack_id', 'tag_id'],
      index: [['pack_id', 'count', 'tag_id']],
      refers: { pack_id: 'packs', tag_id: 'qa_tags' },
    },
  },
  sql: [
    `insert into qa_pack_tags (pack_id, tag_id, count)
      select qa_threads.pack_id, qa_thread_tags.tag_id, count(*)
      from qa_thread_tags inner join qa_threads on qa_threads.id = qa_thread_tags.thread_id
      where qa_threads.listed = 1 group by qa_threads.pack_id, qa_thread_tags.tag_id`,
    // Over all packs it is the same from now on: what others see.
    `update qa_tags set count =
      coalesce((select sum(qa_pack_tags.count) from qa_pack_tags where qa_pack_tags.tag_id = qa_tags.id), 0)`,
  ],
};
