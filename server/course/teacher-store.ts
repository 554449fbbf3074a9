import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** Who teaches in a pack. `picture`: the address of a stored file; '' none. */
interface PackTeacher {
  name: string;
  title: string;
  words: string;
  picture: string;
}

/** Writes who teaches in a pack, in order; only what differs. @returns whether anything did */
export async function syncTeachers(trx: Trx, packId: number, teachers: readonly PackTeacher[]): Promise<boolean> {
  const stored = new Map(
    (await trx.selectFrom('pack_teachers').selectAll().where('pack_id', '=', packId).execute()).map((row) => [
      row.position,
      row,
    ]),
  );
  let changed = stored.size > teachers.length;
  for (const [at, { name, title, words, picture }] of teachers.entries()) {
    const row = { name, title, words, picture };
    const old = stored.get(at);
    if (old && !differs(row, old)) continue;
    changed = true;
    await trx
      .insertInto('pack_teachers')
      .values({ pack_id: packId, position: at, ...row })
      .onConflict((conflict) => conflict.columns(['pack_id', 'position']).doUpdateSet(row))
      .execute();
  }
  await trx
    .deleteFrom('pack_teachers')
    .where('pack_id', '=', packId)
    .where('position', '>=', teachers.length)
    .execute();
  return changed;
}

/** Who teaches in a pack, in order. */
export async function readTeachers(query: Query, packId: number): Promise<PackTeacher[]> {
  return query
    .selectFrom('pack_teachers')
    .select(['name', 'title', 'words', 'picture'])
    .where('pack_id', '=', packId)
    .orderBy('position')
    .execute();
}

/** The names of who teaches, by pack: packs are found by them. */
export async function readTeacherNames(query: Query): Promise<Map<number, string[]>> {
  const rows = await query.selectFrom('pack_teachers').select(['pack_id', 'name']).execute();
  const names = new Map<number, string[]>();
  for (const { pack_id, name } of rows) {
    const known = names.get(pack_id);
    if (known) known.push(name);
    else names.set(pack_id, [name]);
  }
  return names;
}
