import { type Kysely, sql } from 'kysely';
import { fileNamesIn } from '#server/files.ts';
import type { Migration } from '../migration.ts';

const AT_ONCE = 500;

/** Which pack a stored picture belongs to, so that only those who may see the pack may see it. */
export const packFiles: Migration = {
  name: '004-pack-files',
  tables: {
    pack_files: {
      columns: { name: { type: 'text' }, pack_id: { type: 'bigint' }, open: { type: 'integer', default: 0 } },
      key: ['name', 'pack_id'],
      refers: { pack_id: 'packs' },
    },
  },
  fill: async (trx: Kysely<never>) => {
    const put = async (packId: number, text: string, open: 0 | 1) => {
      for (const name of fileNamesIn(text)) {
        await sql`insert into pack_files (name, pack_id, open) values (${name}, ${packId}, ${open})
          on conflict (name, pack_id) do nothing`.execute(trx);
      }
    };
    // What stands in a description first: everybody who is signed in sees it there.
    const packs = await sql<{ id: number; description: string }>`select id, description from packs`.execute(trx);
    for (const { id, description } of packs.rows) await put(id, description, 1);
    const cases = await sql<{ packId: number; text: string }>`select pack_id as "packId", text from cases`.execute(trx);
    for (const { packId, text } of cases.rows) await put(packId, text, 0);
    for (let after = 0; ; ) {
      const { rows } = await sql<{ id: number; packId: number; text: string }>`
        select id, pack_id as "packId", topic || options || right_answer || answer_analysis as text
        from questions where id > ${after} order by id limit ${AT_ONCE}`.execute(trx);
      for (const { id, packId, text } of rows) {
        after = id;
        await put(packId, text, 0);
      }
      if (rows.length === 0) return;
    }
  },
};
