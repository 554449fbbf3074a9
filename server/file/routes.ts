import {
  CourseFileInfo,
  CourseFileNames,
  CourseFilePage,
  DownFile,
  DownloadedFiles,
  FILE_BYTES,
} from '#contract/file.ts';
import { sizeWords } from '#rules/file/size-words.ts';
import { readJoined } from '#server/course/enrolment-store.ts';
import { refuse } from '#server/http/answer.ts';
import { storedDownload } from '#server/http/send-file.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ServeBytes } from '#server/http/serve-bytes.ts';
import type { Parts } from '#server/parts.ts';
import { addressOf, type FileAccess, infoOfFiles, namesOfFiles, pageOfFiles, seeFile } from './course-file.ts';
import { noteDownload, readDownloads } from './file-store.ts';

/** Binds the calls of contract/file.ts, and the bytes of files. */
export function fileRoutes(
  serve: Serve,
  serveBytes: ServeBytes,
  { db, files }: Pick<Parts, 'db' | 'files'>,
  access: Omit<FileAccess, 'db'>,
): void {
  const parts = { db, ...access };
  serve(CourseFilePage, async ({ input, user }) => (await pageOfFiles(db, user.userId, input)) ?? refuse('notFound'));
  serve(CourseFileNames, async ({ input: { packId } }) => (await namesOfFiles(db, packId)) ?? refuse('notFound'));
  serve(CourseFileInfo, ({ input: { packId } }) => infoOfFiles(db, packId));
  serve(DownFile, async ({ input: { fileId }, user, arrivedAt }) => {
    const seen = await seeFile(parts, user, fileId);
    if (!seen.ok) return refuse(seen.why);
    // A browser that saves a file says nothing of an answer that is none. A store that is away fails here, as an error of ours.
    if (!(await files.find(seen.file.stored))) return refuse('fileLost');
    await noteDownload(db.query, { userId: user.userId, file: seen.file }, arrivedAt);
    return { fileId, fileName: seen.title, filePath: addressOf(fileId, seen.part), downState: 1 };
  });
  serve(DownloadedFiles, async ({ input: { pageNum, pageSize }, user: { userId } }) => {
    const names = new Map((await readJoined(db.query, userId)).map((pack) => [pack.packId, pack.packageName]));
    const all = await readDownloads(db.query, userId, [...names.keys()]);
    const list = all.slice((pageNum - 1) * pageSize, pageNum * pageSize).map(({ bytes, ...file }) => ({
      ...{ ...file, packageName: names.get(file.packId) ?? '', fileSizeStr: sizeWords(bytes) },
    }));
    return { list, total: all.length, pages: Math.ceil(all.length / pageSize), pageNum };
  });
  serveBytes(FILE_BYTES, async ({ id, part, caller }) => {
    const user = await caller();
    if (!user) return refuse('notSignedIn');
    const seen = await seeFile(parts, user, id);
    if (!seen.ok) return refuse(seen.why);
    if (part !== seen.part) return refuse('notFound');
    const file = await files.find(seen.file.stored);
    if (!file) return refuse('fileLost');
    return { ...storedDownload(seen.file.stored, file, seen.title), person: user.userId };
  });
}
