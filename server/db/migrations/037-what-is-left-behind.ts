import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Told of follow-ups at a time. */
const AT_ONCE = 500;

/**
 * What a closed account left behind: its name in what teachers were told of its follow-ups (nobody is named there any more); and an index,
 * so that what it searched for is found without reading all of it while everybody waits.
 */
export const whatIsLeftBehind: Migration = {
  name: '037-what-is-left-behind',
  sql: ['create index qa_key_people_of on qa_key_people (user_id)'],
  fill: async (trx) => {
    let after = 0;
    for (;;) {
      const { rows } = await sql<{ id: number; words: string }>`
        select id, words from notices where kind = 'qaFollowedUp' and id > ${after} order by id limit ${AT_ONCE}`.execute(
        trx,
      );
      for (const { id, words } of rows) {
        const { student: _, ...kept } = JSON.parse(words) as Record<string, unknown>;
        await sql`update notices set words = ${JSON.stringify(kept)} where id = ${id}`.execute(trx);
        after = Number(id);
      }
      if (rows.length < AT_ONCE) return;
    }
  },
};
