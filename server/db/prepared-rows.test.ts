import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { allGiven, PreparedForRows } from './prepared.ts';

const columns = { id: 'bigint', share: 'double precision', words: 'text' } as const;

describe.each(databases)('rows that a statement is given, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { db } = kit;
  await sql`create table given_rows (id bigint primary key, share double precision, words text)`.execute(db.query);
  const insert = new PreparedForRows<typeof columns, never>(
    db,
    columns,
    (given) =>
      given
        .insertInto('given_rows' as never)
        .columns(['id', 'share', 'words'] as never)
        .expression(allGiven(['id', 'share', 'words'])) as never,
  );
  const byId = { id: 'bigint' } as const;
  const find = new PreparedForRows<typeof byId, { id: number; share: number | null; words: string | null }>(
    db,
    byId,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('given_rows as r' as 'given', (join) => join.on(sql`r.id = given.id` as never))
        .select(sql`r.*` as never) as never,
  );

  it.each(['', "中文，“引号” and 'single'", 'a\\b"c{d}e,f', 'NULL', '{NULL,"x"}', '😀\n\t', 'x'.repeat(100_000), null])(
    'text %# arrives as it was given',
    async (words) => {
      const id = Math.floor(Math.random() * 2 ** 50);
      await db.transaction((trx) => insert.run(trx, [{ id, share: 0.1, words }]));
      expect(await find.run(db.query, [{ id }])).toEqual([{ id, share: 0.1, words }]);
    },
  );

  it.each([0, 1, 2, 31, 32, 33, 64, 97, 1025])('%i rows', async (count) => {
    await sql`delete from given_rows`.execute(db.query);
    const rows = Array.from({ length: count }, (_, at) => ({
      id: at,
      share: at % 3 === 0 ? null : at / 7,
      words: `${at}`,
    }));
    await db.transaction((trx) => insert.run(trx, rows));
    const found = await find.run(db.query, rows.toReversed());
    expect(found.sort((a, b) => a.id - b.id)).toEqual(rows);
  });
});
