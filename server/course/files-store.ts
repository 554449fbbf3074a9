import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** A file as the texts of a pack show it. */
export interface ShownFile {
  /** 1: in the description, which visitors read; 0: for those who may see the pack. */
  open: 0 | 1;
  /** The name its author gave it. */
  title: string;
}

/**
 * Notes which stored files the texts of a pack show. A file stays with a pack that no longer shows it, because records of
 * its archived questions still do; writes only what differs.
 * @param shown the files by their names
 */
export async function syncFiles(trx: Trx, packId: number, shown: ReadonlyMap<string, ShownFile>): Promise<void> {
  const write = new Map(shown);
  const stored = await trx
    .selectFrom('pack_files')
    .select(['name', 'open', 'title'])
    .where('pack_id', '=', packId)
    .execute();
  for (const { name, open, title } of stored) {
    const wanted = write.get(name) ?? { open: 0, title };
    if (wanted.open === open && wanted.title === title) write.delete(name);
    else write.set(name, wanted);
  }
  for (const batch of batches([...write])) {
    await trx
      .insertInto('pack_files')
      .values(batch.map(([name, { open, title }]) => ({ name, pack_id: packId, open, title })))
      .onConflict((conflict) =>
        conflict
          .columns(['name', 'pack_id'])
          .doUpdateSet(({ ref }) => ({ open: ref('excluded.open'), title: ref('excluded.title') })),
      )
      .execute();
  }
}

/**
 * The packs that show a stored file or once did, and whether this student is enrolled in them.
 * @param userId null: a visitor, enrolled in none
 */
export async function readPacksOfFile(
  query: Query,
  userId: number | null,
  name: string,
): Promise<{ packId: number; open: boolean; archived: boolean; enrolled: boolean; title: string }[]> {
  const rows = await query
    .selectFrom('pack_files')
    .innerJoin('packs', 'packs.id', 'pack_files.pack_id')
    .leftJoin('enrolments', (join) =>
      // No person has the id 0.
      join.onRef('enrolments.pack_id', '=', 'pack_files.pack_id').on('enrolments.user_id', '=', userId ?? 0),
    )
    .select(['pack_files.pack_id', 'pack_files.open', 'pack_files.title', 'packs.archived', 'enrolments.user_id'])
    .where('pack_files.name', '=', name)
    .orderBy('pack_files.pack_id')
    .execute();
  return rows.map(({ pack_id, open, archived, title, user_id }) => ({
    packId: pack_id,
    open: open === 1,
    archived: archived === 1,
    enrolled: user_id !== null,
    title,
  }));
}

/** Which of these stored files texts of a pack show or once did. */
export async function readPackFiles(query: Query, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of inLists(names)) {
    const rows = await query.selectFrom('pack_files').select('name').distinct().where('name', 'in', some).execute();
    found.push(...rows.map(({ name }) => name));
  }
  return found;
}
