import { batches } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** Who may see a file of a pack: 1 everybody who is signed in, 0 those who may see the pack. */
export type FileOpen = 0 | 1;

/**
 * Notes which stored files the texts of a pack show. A file stays with a pack that no longer shows it, because records of
 * its archived questions still do; writes only what differs.
 * @param shown the files by their names
 */
export async function syncFiles(trx: Trx, packId: number, shown: ReadonlyMap<string, FileOpen>): Promise<void> {
  const write = new Map(shown);
  const stored = await trx.selectFrom('pack_files').select(['name', 'open']).where('pack_id', '=', packId).execute();
  for (const { name, open } of stored) {
    if (write.get(name) === open) write.delete(name);
    else if (open === 1 && !write.has(name)) write.set(name, 0);
  }
  for (const batch of batches([...write])) {
    await trx
      .insertInto('pack_files')
      .values(batch.map(([name, open]) => ({ name, pack_id: packId, open })))
      .onConflict((conflict) =>
        conflict.columns(['name', 'pack_id']).doUpdateSet(({ ref }) => ({ open: ref('excluded.open') })),
      )
      .execute();
  }
}

/** The packs that show a stored file or once did, and whether this student is enrolled in them. */
export async function readPacksOfFile(
  query: Query,
  userId: number,
  name: string,
): Promise<{ packId: number; open: boolean; enrolled: boolean }[]> {
  const rows = await query
    .selectFrom('pack_files')
    .leftJoin('enrolments', (join) =>
      join.onRef('enrolments.pack_id', '=', 'pack_files.pack_id').on('enrolments.user_id', '=', userId),
    )
    .select(['pack_files.pack_id', 'pack_files.open', 'enrolments.user_id'])
    .where('pack_files.name', '=', name)
    .execute();
  return rows.map((row) => ({ packId: row.pack_id, open: row.open === 1, enrolled: row.user_id !== null }));
}
