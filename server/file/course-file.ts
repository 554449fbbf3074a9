import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import { type CourseFileInfo, type CourseFileNames, type CourseFilePage, FILE_BYTES } from '#contract/file.ts';
import { fileGroup, MOST_FILE_NAMES } from '#contract/values/file.ts';
import type { Role } from '#contract/values/user.ts';
import { slidesName } from '#rules/file/file-name.ts';
import { categoriesOf, lookInto } from '#rules/file/folder-tree.ts';
import { sizeWords } from '#rules/file/size-words.ts';
import type { PackAccess } from '#server/course/access.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import type { Db, Query } from '#server/db/open.ts';
import { countFiles, type FoundFile, findFile, listFolders, readFileNames, readFiles } from './file-store.ts';

/**
 * Whether a student may see slides now, as the lessons say that have them, and what the lesson is called; passed in by `app.ts`,
 * since lessons use files.
 */
type MaySeeSlides = (
  userId: number,
  packId: number,
  fileId: number,
) => Promise<{ ok: true; lessonName: string } | { ok: false; why: Why }>;

/** What decides who may see a file. */
export interface FileAccess {
  db: Db;
  access: PackAccess;
  maySeeSlides: MaySeeSlides;
}

/** How the address of slides ends. */
const SLIDES_PART = 'slides.pdf';
/** What files are called that stand in no folder. */
const LOOSE = { loose: '其他资料' };

/** The address of the bytes of a file. */
export const addressOf = (fileId: number, part: string): string =>
  `${FILE_BYTES.path}${fileId}/${encodeURIComponent(part)}`;

/** The address of slides, whatever the lesson is called that has them. */
export const slidesAddress = (fileId: number): string => addressOf(fileId, SLIDES_PART);

/** The categories of the files of a pack; none where it has no files. */
export async function fileCategories(query: Query, packId: number): Promise<{ id: number; name: string }[]> {
  return categoriesOf(await listFolders(query, packId), await countFiles(query, packId), LOOSE);
}

/** A page of what stands in a folder: its folders come before its files, as one list. null: there is no such folder. */
export async function pageOfFiles(
  { query }: Db,
  userId: number,
  { packId, fileGroup, fileGroupId, pageNum = 1, pageSize }: InputOf<typeof CourseFilePage>,
): Promise<DataOf<typeof CourseFilePage> | null> {
  const folderId = fileGroupId || null;
  const found = lookInto(await listFolders(query, packId), await countFiles(query, packId), folderId, fileGroup);
  if (!found) return null;
  const first = (pageNum - 1) * pageSize;
  const folders = found.folders.slice(first, first + pageSize);
  const limit = pageSize - folders.length;
  const files =
    limit === 0
      ? []
      : await readFiles(
          query,
          { packId, folderId, fileGroup, userId },
          { limit, offset: Math.max(0, first - found.folders.length) },
        );
  const total = found.folders.length + found.files;
  return {
    list: [
      ...folders,
      ...files.map((file) => ({
        id: file.id,
        fileName: file.fileName,
        filePath: addressOf(file.id, file.fileName),
        fileGroup: file.fileGroup,
        fileSizeStr: sizeWords(file.bytes),
        createTime: file.createdAt,
        downState: file.downloaded ? 1 : 0,
      })),
    ],
    ...{ total, pages: Math.ceil(total / pageSize), pageNum, above: found.above },
  };
}

/** What files a pack has. */
export async function infoOfFiles({ query }: Db, packId: number): Promise<DataOf<typeof CourseFileInfo>> {
  const folders = await listFolders(query, packId);
  const counts = await countFiles(query, packId);
  const sum = (of: (count: (typeof counts)[number]) => number) => counts.reduce((total, count) => total + of(count), 0);
  const ofGroup = (group: number) => sum((count) => (count.fileGroup === group ? count.files : 0));
  return {
    packId,
    fileCount: sum(({ files }) => files),
    documentCount: ofGroup(fileGroup.document),
    imageCount: ofGroup(fileGroup.image),
    fileSizeStr: sizeWords(sum(({ bytes }) => bytes)),
    updateTime: counts.length === 0 ? null : Math.max(...counts.map(({ newest }) => newest)),
    courseFileCateArr: categoriesOf(folders, counts, LOOSE),
  };
}

/** What the files of a pack are called, for people who consider it; null: it is not on offer. */
export async function namesOfFiles(
  { query }: Pick<Db, 'query'>,
  packId: number,
): Promise<DataOf<typeof CourseFileNames> | null> {
  if (!(await findStudiedPack(query, packId))) return null;
  const folders = new Map((await listFolders(query, packId)).map((folder) => [folder.id, folder]));
  const topOf = (folderId: number | null): string => {
    const folder = folderId === null ? undefined : folders.get(folderId);
    return folder === undefined ? '' : folder.parentId === null ? folder.name : topOf(folder.parentId);
  };
  const { total, files } = await readFileNames(query, packId, MOST_FILE_NAMES);
  return {
    total,
    list: files.map(({ id, folderId, fileName, fileGroup: group, bytes }) => ({
      ...{ id, fileName, folderName: topOf(folderId), fileGroup: group },
      fileSizeStr: sizeWords(bytes),
    })),
  };
}

type Seen = { ok: true; file: FoundFile; title: string; part: string } | { ok: false; why: Why };

/** Whether somebody may see a file now, and under which name they save it. Asked for every answer that carries bytes of it. */
export async function seeFile(
  { db, access, maySeeSlides }: FileAccess,
  { userId, role }: { userId: number; role: Role },
  fileId: number,
): Promise<Seen> {
  const file = await findFile(db.query, fileId);
  if (!file) return { ok: false, why: 'notFound' };
  const own = { ok: true, file, title: file.fileName, part: file.slides ? SLIDES_PART : file.fileName } as const;
  if (role === 'teacher') return own;
  const pack = await access.mayOpen(userId, file.packId);
  if (!pack.ok) return pack;
  if (!file.slides) return own;
  const slides = await maySeeSlides(userId, file.packId, fileId);
  return slides.ok ? { ...own, title: slidesName(slides.lessonName) } : slides;
}
