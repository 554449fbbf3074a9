import type { Role } from '#contract/values/user.ts';
import { batches } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { isEnrolledInAny } from './enrolment-store.ts';
import type { HasRecord } from './exam-counts.ts';

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

/**
 * Whether someone may see a stored file: teachers all, students those of packs they are enrolled in or have a record of
 * (records stay readable after an enrolment has ended). A file in a pack's description, and one that belongs to no pack,
 * is for everybody who is signed in.
 */
export async function maySeeFile(
  query: Query,
  hasRecord: HasRecord,
  { userId, role }: { userId: number; role: Role },
  name: string,
): Promise<boolean> {
  if (role === 'teacher') return true;
  const packs = await query.selectFrom('pack_files').select(['pack_id', 'open']).where('name', '=', name).execute();
  if (packs.length === 0 || packs.some((row) => row.open === 1)) return true;
  const packIds = packs.map((row) => row.pack_id);
  return (await isEnrolledInAny(query, userId, packIds)) || hasRecord(userId, packIds);
}
