import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases } from '#server/test-kit.ts';
import { type Db, type DbTarget, openDb } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(databases)('a database of an earlier version on $name', ({ kind }) => {
  const target: DbTarget =
    kind === 'sqlite'
      ? { kind, path: join(folder, 'old.db') }
      : { kind, url: process.env.TEST_DATABASE_URL ?? '', schema: `test_${randomBytes(6).toString('hex')}` };
  const pictures = ['1', '2', '3', '4'].map((digit) => `${digit.repeat(2)}/${digit.repeat(64)}.png`);

  it('gets fingerprints of its questions and the packs of its pictures, as an import writes them', async () => {
    const first: Db = await openDb(target, 1);
    const kit = { db: first, time: { now: 1 } };
    const [one, two] = [await makePack(kit), await makePack(kit)];
    const [image = '', inCase = '', inText = '', both = ''] = pictures.map((name) => `<img src="/files/${name}" />`);
    // More than are read at once, the last of them twins of each other.
    const many = Array.from({ length: 600 }, (_, at) => ({ type: 2 as const, right: 'A', topic: `<p>题 ${at}</p>` }));
    await makeQuestions(kit, one, many);
    const [plain = 0] = await makeQuestions(kit, one, [{ type: 4, right: inText, topic: '<p>同一道题</p>' }]);
    const [twin = 0] = await makeQuestions(kit, two, [{ type: 4, right: 'x', topic: `同一道 题` }]);
    const [pictured = 0] = await makeQuestions(kit, two, [{ type: 4, right: 'x', topic: `同一道 题${image}${both}` }]);
    const { id: caseId } = await first.query
      .insertInto('cases')
      .values({ pack_id: two.packId, slug: 'case', title: '材料', text: `材料${inCase}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    const [withCase = 0] = await makeQuestions(kit, two, [{ type: 4, right: 'x', topic: '同一道题', caseId }]);
    await first.query.updateTable('packs').set({ description: both }).where('id', '=', two.packId).execute();
    const fingerprints = async (db: Db) =>
      new Map(
        (await db.query.selectFrom('questions').select(['id', 'fingerprint']).execute()).map((row) => [
          row.id,
          row.fingerprint,
        ]),
      );
    const before = await fingerprints(first);

    // Back to what stood here before.
    await sql`drop table record_reopenings`.execute(first.query);
    await sql`drop table pack_files`.execute(first.query);
    await sql`drop index questions_fingerprint`.execute(first.query);
    await sql`alter table questions drop column fingerprint`.execute(first.query);
    await sql`delete from migrations where name >= '003'`.execute(first.query);
    await first.close();

    const db = await openDb(target, 2);
    const after = await fingerprints(db);
    for (const [id, fingerprint] of before) if (id !== withCase) expect(after.get(id)).toBe(fingerprint);
    expect(new Set(after.values())).toHaveLength(after.size - 1);
    expect(after.get(twin)).toBe(after.get(plain));
    expect([after.get(pictured), after.get(withCase)]).not.toContain(after.get(plain));
    const files = await db.query
      .selectFrom('pack_files')
      .select(['name', 'pack_id', 'open'])
      .orderBy('name')
      .orderBy('pack_id')
      .execute();
    expect(files).toEqual([
      { name: pictures[0], pack_id: two.packId, open: 0 },
      { name: pictures[1], pack_id: two.packId, open: 0 },
      { name: pictures[2], pack_id: one.packId, open: 0 },
      { name: pictures[3], pack_id: two.packId, open: 1 },
    ]);
    if (target.kind === 'postgres') await sql`drop schema ${sql.id(target.schema ?? '')} cascade`.execute(db.query);
    await db.close();
  });
});
