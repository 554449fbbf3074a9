import { type Kysely, sql } from 'kysely';
import { fingerprintOf } from '../fingerprint.ts';
import type { Migration } from '../migration.ts';

interface Row {
  id: number;
  topic: string;
  options: string;
  material: string | null;
}

const AT_ONCE = 500;

/** Questions are recognised by their content, so that a twin in another pack keeps its key too while an exam is open. */
export const fingerprint: Migration = {
  name: '003-fingerprint',
  sql: [
    "alter table questions add column fingerprint text not null default ''",
    'create index questions_fingerprint on questions (fingerprint)',
  ],
  fill: async (trx: Kysely<never>) => {
    for (let after = 0; ; ) {
      const { rows } = await sql<Row>`
        select questions.id, questions.topic, questions.options, cases.text as material
        from questions left join cases on cases.id = questions.case_id
        where questions.id > ${after} order by questions.id limit ${AT_ONCE}`.execute(trx);
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
      const values = rows.map(({ id, topic, options, material }) => {
        const found = fingerprintOf({ topic, options: JSON.parse(options) as Record<string, string>, material });
        return sql`(cast(${id} as bigint), cast(${found} as text))`;
      });
      await sql`update questions set fingerprint = found.column2 from (values ${sql.join(values)}) as found
        where questions.id = found.column1`.execute(trx);
    }
  },
};
