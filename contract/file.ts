import { Type } from 'typebox';
import type { Bytes } from './bytes.ts';
import { call, HEAVY, Id, Millis, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { FILE_PAGE_SIZE, fileGroups } from './values/file.ts';
import { LARGEST_PAGE_SIZE } from './values/paging.ts';

const FileGroupId = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'the folder that is looked into; 0, or left out: what stands in no folder',
});
const FileGroupOf = OneOf(fileGroups, { description: '0 document · 1 image' });
const FilePath = Type.String({ description: 'address of its bytes, for people who may see it' });

/** A file that a course brings (spec §3). */
const CourseFile = Type.Object({
  id: Id,
  fileName: Type.String(),
  filePath: FilePath,
  fileGroup: FileGroupOf,
  fileSizeStr: Type.String({ description: 'e.g. 1.2 MB' }),
  createTime: Type.Integer({ description: 'epoch milliseconds: when its bytes came' }),
  downState: YesNo,
});

/** A folder of them (spec §3). */
const FileFolder = Type.Object({
  id: Id,
  name: Type.String(),
  updateTime: Type.Integer({ description: 'epoch milliseconds: when the newest file in it came' }),
  fileCount: Type.Integer({ description: 'files in it, and in the folders of it, that are asked for' }),
});

export const CourseFilePage = call('GET /app/course_file/page', {
  says: 'Files and folders of a pack that stand in one folder: folders first, each by name. With fileGroup only such files, and folders that hold some.',
  source: 'spec §7 Files, §3 Course file, §9',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    fileGroup: Type.Optional(FileGroupOf),
    fileGroupId: Type.Optional(FileGroupId),
    pageNum: PageNum,
    pageSize: Type.Integer({ minimum: 1, maximum: LARGEST_PAGE_SIZE, default: FILE_PAGE_SIZE }),
  }),
  data: Type.Object({
    ...Page(Type.Union([CourseFile, FileFolder])).properties,
    above: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
      description: 'the way to this folder from the top, itself the last',
    }),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const CourseFileNames = call('GET /api/common/course_file_names', {
  says: 'What the files of a pack are called, for people who consider it: folders at the top with their files, and no address.',
  source: 'decisions §2; docs/decisions/045-market.md',
  who: 'visitor',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    total: Type.Integer({ description: 'of all files, also of those beyond the end of the list' }),
    list: Type.Array(
      Type.Object({
        id: Id,
        fileName: Type.String(),
        folderName: Type.String({ description: 'the folder at the top in which it stands; empty: none' }),
        fileGroup: FileGroupOf,
        fileSizeStr: Type.String({ description: 'e.g. 1.2 MB' }),
      }),
    ),
  }),
  refuses: ['notFound'],
});

export const CourseFileInfo = call('GET /app/course_file/info', {
  says: 'What files a pack has: how many of each kind, and its categories.',
  source: 'spec §7 Files; docs/decisions/037-course-files.md',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    packId: Id,
    fileCount: Type.Integer(),
    documentCount: Type.Integer(),
    imageCount: Type.Integer(),
    fileSizeStr: Type.String({ description: 'of all of them together' }),
    updateTime: Nullable(Millis),
    courseFileCateArr: Type.Array(Type.Object({ id: FileGroupId, name: Type.String() }), {
      description: 'the folders at the top; id 0: files that stand in none',
    }),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

export const DownFile = call('POST /app/course_file/down_file', {
  says: 'Notes that the caller downloads a file, before they do, if its bytes are there; twice is the same as once.',
  source: 'spec §7 Files, §4 File download',
  who: 'user',
  input: Type.Object({ fileId: Type.Integer({ ...Id, description: 'a course file' }) }),
  data: Type.Object({ fileId: Id, fileName: Type.String(), filePath: FilePath, downState: YesNo }),
  refuses: ['notFound', 'notEnrolled', 'lessonLocked', 'fileLost'],
});

export const DownloadedFiles = call('GET /app/course_file/downloaded', {
  says: 'The files that the caller has downloaded and may still open, newest first.',
  source: 'spec §1, §3 Course file; docs/decisions/048-account.md',
  who: 'user',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Page(
    Type.Object({
      id: Id,
      packId: Id,
      packageName: Type.String(),
      fileName: Type.String(),
      fileGroup: FileGroupOf,
      fileSizeStr: Type.String(),
      downloadedAt: Millis,
      newer: Type.Boolean({ description: 'its bytes are others since' }),
    }),
  ),
});

/** Bytes of course files and of slides. */
export const FILE_BYTES: Bytes = {
  path: '/app/course_file/data/',
  says: 'The bytes of a course file or of slides, whole or in parts (Range), for who may see them now: asked for each answer. 500 (fileLost) where the store has them no more. 429 to who has too many answers with bytes under way.',
  source: 'spec §7 Upload; decisions §4; docs/decisions/037-course-files.md',
};
