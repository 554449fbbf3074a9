import type { FileGroup } from '#contract/values/file.ts';
import { batches } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** A file of a pack as it shall be. */
export interface WantedFile {
  /** Its stable key: where it lies in the pack. */
  path: string;
  /** Name of the stored file. */
  stored: string;
  bytes: number;
  fileGroup: FileGroup;
  /** The slides of lessons, which no list of files shows. */
  slides: boolean;
}

/** What an import did to files. */
export interface FileChanges {
  added: number;
  changed: number;
  unchanged: number;
  archived: number;
}

/** The stored files of a pack on offer, by where they lie in the pack. */
export async function readStoredNames(query: Query, packId: number): Promise<Map<string, string>> {
  const rows = await query
    .selectFrom('course_files')
    .select(['path', 'stored'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  return new Map(rows.map(({ path, stored }) => [path, stored]));
}

/**
 * Writes the files of a pack and their folders by where they lie, so that what students have downloaded stays attached to them;
 * those it no longer has are archived. Writes only what differs.
 * @param wanted in the order in which they are shown
 * @returns what changed, and the ids of slides by where they lie
 */
export async function syncCourseFiles(
  trx: Trx,
  packId: number,
  wanted: readonly WantedFile[],
  now: number,
): Promise<FileChanges & { slideIds: Map<string, number> }> {
  const folderIds = await syncFolders(trx, packId, foldersOf(wanted));
  const rows = await trx.selectFrom('course_files').selectAll().where('pack_id', '=', packId).execute();
  const stored = new Map(rows.map((row) => [row.path, row]));
  const changes: FileChanges = { added: 0, changed: 0, unchanged: 0, archived: 0 };
  const write: (ReturnType<typeof rowOf> & { created_at: number })[] = [];
  const rowOf = ({ path, stored: name, bytes, fileGroup, slides }: WantedFile, at: number) => ({
    ...{ pack_id: packId, path, file_name: nameOf(path), stored: name, bytes, file_group: fileGroup },
    ...{ folder_id: folderIds.get(folderOf(path)) ?? null, slides: slides ? 1 : 0, position: at + 1, archived: 0 },
  });
  for (const [at, file] of wanted.entries()) {
    const row = rowOf(file, at);
    const old = stored.get(file.path);
    const same = old?.stored === row.stored && old.archived === 0;
    if (!old) changes.added += 1;
    else changes[same ? 'unchanged' : 'changed'] += 1;
    // When its place alone differs, it is written all the same.
    if (!old || differs(row, old)) write.push({ ...row, created_at: same ? old.created_at : now });
  }
  for (const some of batches(write)) {
    await trx
      .insertInto('course_files')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['pack_id', 'path']).doUpdateSet(({ ref }) => ({
          folder_id: ref('excluded.folder_id'),
          stored: ref('excluded.stored'),
          bytes: ref('excluded.bytes'),
          file_group: ref('excluded.file_group'),
          slides: ref('excluded.slides'),
          position: ref('excluded.position'),
          created_at: ref('excluded.created_at'),
          archived: ref('excluded.archived'),
        })),
      )
      .execute();
  }
  const kept = new Set(wanted.map(({ path }) => path));
  const gone = rows.filter(({ path, archived }) => archived === 0 && !kept.has(path)).map(({ id }) => id);
  for (const ids of batches(gone))
    await trx.updateTable('course_files').set({ archived: 1 }).where('id', 'in', ids).execute();
  changes.archived = gone.length;
  const slides = await trx
    .selectFrom('course_files')
    .select(['id', 'path'])
    .where('pack_id', '=', packId)
    .where('slides', '=', 1)
    .where('archived', '=', 0)
    .execute();
  return { ...changes, slideIds: new Map(slides.map(({ id, path }) => [path, id])) };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** The folders below `files` in which files stand, each after the one it stands in. */
function foldersOf(files: readonly WantedFile[]): string[] {
  const folders = new Set<string>();
  for (const { path, slides } of files) {
    if (slides) continue;
    const parts = folderOf(path).split('/');
    for (let depth = 2; depth <= parts.length; depth += 1) folders.add(parts.slice(0, depth).join('/'));
  }
  return [...folders];
}

/** @returns the ids of folders by their paths */
async function syncFolders(trx: Trx, packId: number, paths: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx.selectFrom('course_file_folders').selectAll().where('pack_id', '=', packId).execute();
  const stored = new Map(rows.map((row) => [row.path, row]));
  const ids = new Map<string, number>();
  for (const [at, path] of paths.entries()) {
    const row = { parent_id: ids.get(folderOf(path)) ?? null, name: nameOf(path), position: at + 1, archived: 0 };
    const old = stored.get(path);
    if (old && differs(row, old))
      await trx.updateTable('course_file_folders').set(row).where('id', '=', old.id).execute();
    const id =
      old?.id ??
      (
        await trx
          .insertInto('course_file_folders')
          .values({ ...row, pack_id: packId, path })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    ids.set(path, id);
  }
  const gone = rows.filter(({ path, archived }) => archived === 0 && !ids.has(path)).map(({ id }) => id);
  for (const some of batches(gone))
    await trx.updateTable('course_file_folders').set({ archived: 1 }).where('id', 'in', some).execute();
  return ids;
}
