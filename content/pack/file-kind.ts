import { openPromise } from 'yauzl';
import type { Checked } from '#content/checked.ts';
import { withPlainFile } from '#content/plain-file.ts';
import { type FileGroup, fileGroup } from '#contract/values/file.ts';

/** What a file of a pack is, known by its bytes. */
interface FileKind {
  /** Under which it is stored. */
  extension: string;
  fileGroup: FileGroup;
  bytes: number;
}

/** Bytes at the beginning that are looked at. */
const LOOKED_AT = 64 * 1024;
const MEGABYTE = 1024 * 1024;
/** The largest file (docs/guide/content-pack.md). */
const LARGEST_DOCUMENT = 500 * MEGABYTE;
const LARGEST_IMAGE = 50 * MEGABYTE;
/** What a browser has to hold of a picture to show it, four bytes each: all frames are not shown at once. */
const MOST_PIXELS = 100_000_000;
/** Parts of an Office file that are looked through. */
const MOST_PARTS = 20_000;

const begins = (head: Buffer, ...starts: readonly (string | readonly number[])[]) =>
  starts.some((start) => head.subarray(0, start.length).equals(Buffer.from(start as string)));

const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ZIP = ['PK\u0003\u0004', 'PK\u0005\u0006'];
const RIFF_WEBP = (head: Buffer) => begins(head, 'RIFF') && head.toString('latin1', 8, 12) === 'WEBP';

/** Says in Chinese what is wrong with the content; null: it is what its name says. */
type Look = (head: Buffer, path: string) => Promise<string | null> | string | null;

const is =
  (fits: (head: Buffer) => boolean): Look =>
  (head) =>
    fits(head) ? null : '';
/** A document of the old binary formats. */
const compound = is((head) => begins(head, COMPOUND));
const picture: Look = async (_head, path) => {
  const { default: sharp } = await import('sharp');
  try {
    const { width, height } = await sharp(path, { limitInputPixels: false }).metadata();
    return width * height > MOST_PIXELS
      ? `图片尺寸太大（${width}×${height}），最多 ${MOST_PIXELS / 10_000} 万像素`
      : null;
  } catch {
    return '图片已损坏，无法读取';
  }
};
const both =
  (first: Look, second: Look): Look =>
  async (head, path) =>
    (await first(head, path)) ?? second(head, path);

/** What each ending may stand for, and how its content is known. */
const KINDS: Readonly<Record<string, { group?: FileGroup; as?: string; look: Look }>> = {
  pdf: { look: looksLikePdf },
  ...{ doc: { look: compound }, xls: { look: compound }, ppt: { look: compound } },
  ...{ wps: { look: compound }, et: { look: compound }, dps: { look: compound } },
  ...{ docx: { look: office('word/') }, xlsx: { look: office('xl/') }, pptx: { look: office('ppt/') } },
  ...{ txt: { look: plainText }, md: { look: plainText }, csv: { look: plainText } },
  rtf: { look: is((head) => begins(head, '{\\rtf')) },
  zip: { look: archive },
  epub: {
    look: is((head) => begins(head, ...ZIP) && head.toString('latin1', 30, 58) === 'mimetypeapplication/epub+zip'),
  },
  rar: { look: is((head) => begins(head, 'Rar!\u001a\u0007')) },
  '7z': { look: is((head) => begins(head, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])) },
  jpg: {
    group: fileGroup.image,
    look: both(
      is((head) => begins(head, [0xff, 0xd8, 0xff])),
      picture,
    ),
  },
  jpeg: {
    group: fileGroup.image,
    as: 'jpg',
    look: both(
      is((head) => begins(head, [0xff, 0xd8, 0xff])),
      picture,
    ),
  },
  png: {
    group: fileGroup.image,
    look: both(
      is((head) => begins(head, [0x89, 0x50, 0x4e, 0x47])),
      picture,
    ),
  },
  gif: {
    group: fileGroup.image,
    look: both(
      is((head) => begins(head, 'GIF8')),
      picture,
    ),
  },
  webp: { group: fileGroup.image, look: both(is(RIFF_WEBP), picture) },
};

/** Files that run where they are opened: what is wrong with them is said in other words. */
const RUNS =
  /^(?:exe|msi|bat|cmd|com|scr|ps1|vbs|js|mjs|jse|wsf|hta|jar|apk|app|dmg|sh|py|dll|lnk|reg|html?|xhtml|svg|swf|docm|xlsm|pptm)$/;

/** Whether the bytes at the beginning of a file are those of a PDF. @returns '' if not, else null */
function looksLikePdf(head: Buffer): '' | null {
  return head.subarray(0, 1024).includes('%PDF-') ? null : '';
}

/** Text in UTF-8, UTF-16 with its mark, or GB18030: nothing in it that no text has. */
function plainText(head: Buffer): string | null {
  if (begins(head, [0xff, 0xfe], [0xfe, 0xff])) return null;
  for (const byte of head) if (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1a, 0x1b].includes(byte)) return '';
  return null;
}

/** An Office file of the new formats: a package with the part it is named for, without macros. */
function office(part: string): Look {
  return async (head, path) => {
    if (begins(head, COMPOUND)) return '文件有打开密码，请去掉密码后再放入';
    if (!begins(head, ...ZIP)) return '';
    let found = false;
    let parts = 0;
    try {
      const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
      try {
        for await (const { fileName } of zip.eachEntry()) {
          parts += 1;
          if (parts > MOST_PARTS) return '文件里的部分太多';
          if (/(?:^|\/)vbaProject\.bin$/i.test(fileName)) return '文件里有宏，请另存为不含宏的文件';
          if (fileName.startsWith(part)) found = true;
        }
      } finally {
        zip.close();
      }
    } catch {
      return '文件已损坏，无法读取';
    }
    return found ? null : '';
  };
}

async function archive(head: Buffer, path: string): Promise<string | null> {
  if (!begins(head, ...ZIP)) return '';
  try {
    (await openPromise(path, { lazyEntries: true, autoClose: false })).close();
    return null;
  } catch {
    return '压缩包已损坏，无法读取';
  }
}

const extensionOf = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/**
 * What a file of a pack is, by its content as well as by its name. Only its beginning is read (of Office files their table of
 * contents), whatever its length; a link is not followed.
 * @returns what it is, or a sentence in Chinese
 */
export async function fileKindOf(path: string, name: string): Promise<Checked<FileKind>> {
  const no = (why: string) => ({ ok: false, why }) as const;
  const extension = extensionOf(name);
  const kind = Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
  if (!kind) {
    const why = RUNS.test(extension) ? '能运行的文件不能作为资料' : '不支持的文件类型';
    return no(`${why}，可用 ${Object.keys(KINDS).join('、')}`);
  }
  const group = kind.group ?? fileGroup.document;
  const most = group === fileGroup.image ? LARGEST_IMAGE : LARGEST_DOCUMENT;
  const read = await beginningOf(path);
  if (!read.ok) return read;
  const { head, bytes } = read.value;
  if (bytes === 0) return no('文件是空的');
  if (bytes > most) return no(`文件太大，最大 ${most / MEGABYTE} MB`);
  const wrong = await kind.look(head, path);
  if (wrong !== null) return no(wrong || `内容不是 ${extension} 文件`);
  return { ok: true, value: { extension: kind.as ?? extension, fileGroup: group, bytes } };
}

/** The beginning of a plain file, and its length. */
const beginningOf = (path: string) =>
  withPlainFile<{ head: Buffer; bytes: number }>(path, async (file, bytes) => {
    const head = Buffer.alloc(Math.min(LOOKED_AT, bytes));
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return { ok: true, value: { head: head.subarray(0, bytesRead), bytes } };
  });
