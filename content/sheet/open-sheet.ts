import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { readCsv } from './csv.ts';
import { FileRefused, type SheetRow } from './sheet.ts';
import { readXlsx } from './xlsx.ts';

/** What pictures begin with. */
const PICTURES = [
  ['\x89PNG', 'PNG'],
  ['\xff\xd8\xff', 'JPEG'],
  ['GIF8', 'GIF'],
  ['RIFF', 'WebP'],
  ['BM', 'BMP'],
  ['II*\0', 'TIFF'],
  ['MM\0*', 'TIFF'],
  ['\0\0\0\x18ftyphei', 'HEIC'],
  ['\0\0\0\x1cftyphei', 'HEIC'],
  ['\0\0\0\x24ftyphei', 'HEIC'],
] as const;

/** What archives begin with; those of zip are looked into. */
const ARCHIVES = ['Rar!', '7z\xbc\xaf', '\x1f\x8b'];

/**
 * Opens a spreadsheet by what it is, not by how it is called. @param notes receives sentences on what was not read
 * @returns its rows
 * @throws FileRefused with a Chinese sentence when the file cannot be opened, or is of another kind
 */
export async function openSheet(path: string, notes: string[] = []): Promise<AsyncGenerator<SheetRow>> {
  // Not waiting: a pipe may never have anything to say.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
    throw new FileRefused(`打不开文件：${path}`);
  });
  const start = await startOf(handle)
    .catch(() => null)
    .finally(() => handle.close());
  if (start === null) throw new FileRefused(`读不了文件：${path}`);
  if (start === '') throw new FileRefused('文件是空的');
  if (start.startsWith('PK')) return readXlsx(path, notes);
  if (start.startsWith('\xd0\xcf\x11\xe0')) {
    throw new FileRefused('这是旧版 .xls 文件，或是设了密码的文件，请用表格软件另存为不带密码的 .xlsx');
  }
  const picture = PICTURES.find(
    ([sign]) =>
      start.startsWith(sign) &&
      (sign !== 'BM' || start.includes('\0')) &&
      (sign !== 'RIFF' || start.slice(8, 12) === 'WEBP'),
  )?.[1];
  if (picture) throw new FileRefused(`这是 ${picture} 图片，图片里的文字读不出来，请把内容填入 .xlsx 或 CSV 表格`);
  if (ARCHIVES.some((sign) => start.startsWith(sign)))
    throw new FileRefused('这是压缩文件，请先解压，再导入里面的 .xlsx 或 CSV 表格');
  if (start.startsWith('{\\rtf')) throw new FileRefused('这是 RTF 文档，请把内容填入 .xlsx 或 CSV 表格');
  if (/^MIME-Version:/i.test(start))
    throw new FileRefused('这是网页存档（.mht，有的系统导出时把它叫做 .xls），请用表格软件打开后另存为 .xlsx');
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|table|\?xml|head|meta)/i.test(start))
    throw new FileRefused('这是网页或 XML 格式的文件（有的系统导出时把它叫做 .xls），请用表格软件打开后另存为 .xlsx');
  if (/\.(gift|aiken)$/i.test(path) || /^(?:\xef\xbb\xbf)?\s*(?:\$CATEGORY:|::)/.test(start))
    throw new FileRefused('这是 GIFT 格式的文件，现在还不能导入，请把内容填入 .xlsx 或 CSV 表格');
  if (start.startsWith('%PDF')) throw new FileRefused('这是 PDF 文件，请提供 .xlsx 或 CSV');
  return readCsv(path);
}

/** The first bytes; null: it is no file with content of its own, but a folder, a pipe or a device. */
async function startOf(handle: FileHandle): Promise<string | null> {
  if (!(await handle.stat()).isFile()) return null;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
