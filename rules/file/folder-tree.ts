import type { FileGroup } from '#contract/values/file.ts';

/** A folder of files; `parentId` null: at the top. */
interface Folder {
  id: number;
  parentId: number | null;
  name: string;
}

/** What stands in one folder itself, of one kind; `folderId` null: in none. */
interface Count {
  folderId: number | null;
  fileGroup: FileGroup;
  files: number;
  newest: number;
}

/** A folder as it is listed (spec §3 File folder). */
interface ListedFolder {
  id: number;
  name: string;
  updateTime: number;
  fileCount: number;
}

/**
 * What one folder shows: the folders in it that hold files of the kind asked for, at whatever depth, with how many, and how many
 * files stand in it itself.
 * @param at the folder that is looked into; null: the top
 * @param fileGroup left out: every kind
 * @returns null: there is no such folder
 */
export function lookInto(
  folders: readonly Folder[],
  counts: readonly Count[],
  at: number | null,
  fileGroup?: FileGroup,
): { folders: ListedFolder[]; files: number; above: { id: number; name: string }[] } | null {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  if (at !== null && !byId.has(at)) return null;
  const held = new Map<number, { fileCount: number; updateTime: number }>();
  let files = 0;
  for (const { folderId, fileGroup: group, files: count, newest } of counts) {
    if (fileGroup !== undefined && group !== fileGroup) continue;
    if (folderId === at) files += count;
    for (const { id } of wayTo(byId, folderId)) {
      const sum = held.get(id) ?? { fileCount: 0, updateTime: 0 };
      held.set(id, { fileCount: sum.fileCount + count, updateTime: Math.max(sum.updateTime, newest) });
    }
  }
  const listed = folders.flatMap(({ id, name, parentId }): ListedFolder[] => {
    const sum = held.get(id);
    return parentId === at && sum ? [{ id, name, ...sum }] : [];
  });
  return { folders: listed, files, above: wayTo(byId, at).map(({ id, name }) => ({ id, name })) };
}

/** The folders from the top to this one, itself the last. */
function wayTo(byId: ReadonlyMap<number, Folder>, at: number | null): Folder[] {
  const way: Folder[] = [];
  let folder = at === null ? undefined : byId.get(at);
  // Bounded by the number of folders: a ring, which no import makes, ends too.
  while (folder && way.length < byId.size) {
    way.unshift(folder);
    folder = folder.parentId === null ? undefined : byId.get(folder.parentId);
  }
  return way;
}

/** The categories of a pack's files (courseFileCateArr): the folders at the top, and 0 for files that stand in none. */
export function categoriesOf(
  folders: readonly Folder[],
  counts: readonly Count[],
  words: { loose: string },
): { id: number; name: string }[] {
  const top = lookInto(folders, counts, null);
  if (!top) return [];
  const named = top.folders.map(({ id, name }) => ({ id, name }));
  return top.files > 0 ? [{ id: 0, name: words.loose }, ...named] : named;
}
