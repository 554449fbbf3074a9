import type { FileGroup } from '#contract/values/file.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';

/** A folder of a pack's files. */
interface StoredFolder {
  id: number;
  /** null: at the top. */
  parentId: number | null;
  name: string;
}

/** How many files stand in one folder itself, of one kind. */
interface FolderCount {
  /** null: in no folder. */
  folderId: number | null;
  fileGroup: FileGroup;
  files: number;
  bytes: number;
  /** When the newest of them came. */
  newest: number;
}

/** A file as its page shows it. */
interface ListedFile {
  id: number;
  fileName: string;
  fileGroup: FileGroup;
  bytes: number;
  createdAt: number;
  downloaded: boolean;
}

/** A file on offer, whoever may see it. */
export interface FoundFile {
  id: number;
  packId: number;
  fileName: string;
  stored: string;
  slides: boolean;
}

/** The folders on offer of a pack, in order. */
export async function listFolders(query: Query, packId: number): Promise<StoredFolder[]> {
  const rows = await query
    .selectFrom('course_file_folders')
    .select(['id', 'parent_id', 'name'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ id, parent_id, name }) => ({ id, parentId: parent_id, name }));
}

const onOffer = (query: Query, packId: number) =>
  query
    .selectFrom('course_files')
    .where('course_files.pack_id', '=', packId)
    .where('course_files.archived', '=', 0)
    .where('course_files.slides', '=', 0);

/** What stands in each folder of a pack, without what stands below it. */
export async function countFiles(query: Query, packId: number): Promise<FolderCount[]> {
  const rows = await onOffer(query, packId)
    .select(({ fn }) => [
      'folder_id',
      'file_group',
      fn.countAll<number>().as('files'),
      fn.sum<number>('bytes').as('bytes'),
      fn.max('created_at').as('newest'),
    ])
    .groupBy(['folder_id', 'file_group'])
    .execute();
  return rows.map(({ folder_id, file_group, files, bytes, newest }) => ({
    ...{
      folderId: folder_id,
      fileGroup: file_group,
      files: Number(files),
      bytes: Number(bytes),
      newest: Number(newest),
    },
  }));
}

/** Some of the files that stand in a folder itself, in order, and whether this person has downloaded them. */
export async function readFiles(
  query: Query,
  {
    packId,
    folderId,
    fileGroup,
    userId,
  }: { packId: number; folderId: number | null; fileGroup?: FileGroup | undefined; userId: number },
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedFile[]> {
  let rows = onOffer(query, packId)
    .leftJoin('course_file_downloads', (join) =>
      join
        .onRef('course_file_downloads.file_id', '=', 'course_files.id')
        .on('course_file_downloads.user_id', '=', userId),
    )
    .where('course_files.folder_id', folderId === null ? 'is' : '=', folderId);
  if (fileGroup !== undefined) rows = rows.where('course_files.file_group', '=', fileGroup);
  const found = await rows
    .select([
      'course_files.id',
      'course_files.file_name',
      'course_files.file_group',
      'course_files.bytes',
      'course_files.created_at',
      'course_files.stored',
      'course_file_downloads.stored as downloaded',
    ])
    .orderBy('course_files.position')
    .orderBy('course_files.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return found.map((row) => ({
    id: row.id,
    fileName: row.file_name,
    fileGroup: row.file_group,
    bytes: row.bytes,
    createdAt: row.created_at,
    // Bytes that came since are other ones.
    downloaded: row.downloaded === row.stored,
  }));
}

/** What the files on offer of a pack are called, in order, wherever they stand, and how many there are. */
export async function readFileNames(
  query: Query,
  packId: number,
  most: number,
): Promise<{
  total: number;
  files: { id: number; folderId: number | null; fileName: string; fileGroup: FileGroup; bytes: number }[];
}> {
  const { total } = await onOffer(query, packId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const files = await onOffer(query, packId)
    .select(['id', 'folder_id as folderId', 'file_name as fileName', 'file_group as fileGroup', 'bytes'])
    .orderBy('position')
    .orderBy('id')
    .limit(most)
    .execute();
  return { total: Number(total), files };
}

/** A file on offer by its id; null: there is none. */
export async function findFile(query: Query, fileId: number): Promise<FoundFile | null> {
  const row = await query
    .selectFrom('course_files')
    .select(['id', 'pack_id', 'file_name', 'stored', 'slides'])
    .where('id', '=', fileId)
    .where('archived', '=', 0)
    .executeTakeFirst();
  if (!row) return null;
  return { id: row.id, packId: row.pack_id, fileName: row.file_name, stored: row.stored, slides: row.slides === 1 };
}

/** Notes that a person downloads a file. */
export async function noteDownload(
  query: Query,
  { userId, file: { id, stored } }: { userId: number; file: Pick<FoundFile, 'id' | 'stored'> },
  now: number,
): Promise<void> {
  await query
    .insertInto('course_file_downloads')
    .values({ user_id: userId, file_id: id, stored, downloaded_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'file_id']).doUpdateSet({ stored, downloaded_at: now }))
    .execute();
}

/** Which of these stored files packs have on offer. */
export async function readCourseFileNames(query: Query, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of inLists(names)) {
    const rows = await query
      .selectFrom('course_files')
      .select('stored')
      .distinct()
      .where('stored', 'in', some)
      .where('archived', '=', 0)
      .execute();
    found.push(...rows.map(({ stored }) => stored));
  }
  return found;
}

/** What somebody downloaded, of the packs they may open now, newest first; a file that was taken out of its pack is not there. */
export async function readDownloads(
  query: Query,
  userId: number,
  packIds: readonly number[],
): Promise<
  {
    id: number;
    packId: number;
    fileName: string;
    bytes: number;
    fileGroup: FileGroup;
    downloadedAt: number;
    newer: boolean;
  }[]
> {
  const found: Awaited<ReturnType<typeof readDownloads>> = [];
  for (const some of inLists(packIds)) {
    const rows = await query
      .selectFrom('course_file_downloads')
      .innerJoin('course_files', 'course_files.id', 'course_file_downloads.file_id')
      .select([
        'course_files.id',
        'course_files.pack_id',
        'course_files.file_name',
        'course_files.bytes',
        'course_files.file_group',
        'course_files.stored',
        'course_file_downloads.stored as had',
        'course_file_downloads.downloaded_at',
      ])
      .where('course_file_downloads.user_id', '=', userId)
      .where('course_files.pack_id', 'in', some)
      .where('course_files.archived', '=', 0)
      .where('course_files.slides', '=', 0)
      .execute();
    for (const row of rows)
      found.push({
        ...{ id: row.id, packId: row.pack_id, fileName: row.file_name, bytes: row.bytes, fileGroup: row.file_group },
        ...{ downloadedAt: row.downloaded_at, newer: row.had !== row.stored },
      });
  }
  return found.sort((a, b) => b.downloadedAt - a.downloadedAt || b.id - a.id);
}

/** Forgets what somebody downloaded. */
export async function deleteDownloadsOf(trx: Query, userId: number): Promise<void> {
  await trx.deleteFrom('course_file_downloads').where('user_id', '=', userId).execute();
}
