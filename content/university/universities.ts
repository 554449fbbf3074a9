import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import type { Checked } from '#content/checked.ts';
import { readPlainFile } from '#content/plain-file.ts';
import { checkMedia, LARGEST_MEDIA } from '#content/rich-text/media.ts';
import { openSheet } from '#content/sheet/open-sheet.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import { readUniversityHeader, type UniversityHeader } from './university-columns.ts';
import { type CheckedUniversityRow, readUniversityRow, type UniversityRow } from './university-row.ts';

/** All marks of a list together (bytes): they are held until the whole list is known to be good. */
const MOST_MARKS = 100 * 1024 * 1024;

/** Rows above the header that may hold a title or a remark. */
const ROWS_ABOVE = 20;

/** Reads the picture that a row names: a file in the folder of the list or below it. */
async function readLogo(folder: string, file: string): Promise<Checked<UniversityRow['logo']>> {
  if (file === '') return { ok: true, value: null };
  const path = resolve(folder, file);
  const no = (why: string) => ({ ok: false, why: `校徽：“${file.slice(0, 60)}”${why}` }) as const;
  if (relative(folder, path).startsWith('..')) return no('不在名单所在的文件夹里');
  // A folder on the way may be a link out of here.
  const real = await realpath(dirname(path)).catch(() => null);
  if (real === null) return no('没有这个文件');
  if (relative(await realpath(folder), real).startsWith('..')) return no('不在名单所在的文件夹里');
  const bytes = await readPlainFile(resolve(real, basename(path)), LARGEST_MEDIA);
  if (!bytes.ok) return no(bytes.why);
  const media = await checkMedia(`logo${extname(path)}`, bytes.value);
  return typeof media === 'string'
    ? no(media)
    : { ok: true, value: { bytes: media.bytes, extension: media.extension } };
}

/**
 * Reads a list of universities (CSV in UTF-8, UTF-16 or GB18030, or xlsx) row by row: each row becomes a university or a
 * list of reasons, and a name that stood in an earlier row is refused. Of a workbook the first sheet with a header is read.
 * @param notes receives sentences that are no mistakes but worth saying: columns that were not read
 * @throws FileRefused with a Chinese sentence when the file or its header cannot be read
 */
export async function* readUniversities(path: string, notes: string[] = []): AsyncGenerator<CheckedUniversityRow> {
  let header: UniversityHeader | null = null;
  const folder = resolve(dirname(path));
  let sheet = '';
  let above = 0;
  let marks = 0;
  const earlier = new Map<string, number>();
  for await (const line of await openSheet(path, notes)) {
    if (line.cells.every((cell) => !cell?.text.trim())) continue;
    if (!header) {
      above = line.sheet === sheet ? above + 1 : 1;
      sheet = line.sheet;
      if (above > ROWS_ABOVE) continue;
      header = readUniversityHeader(line.cells);
      if (header && header.mistakes.length > 0) throw new FileRefused(header.mistakes.join('；'));
      if (header && header.unused.length > 0) notes.push(`没有读取的列：${header.unused.join('、').slice(0, 200)}`);
      continue;
    }
    if (line.sheet !== sheet) continue;
    // Files pasted together repeat their header.
    if (readUniversityHeader(line.cells)?.at.size === header.at.size) continue;
    const checked = readUniversityRow(line, header);
    if (!checked.ok) {
      yield checked;
      continue;
    }
    const { name } = checked.university;
    const first = earlier.get(name);
    if (first !== undefined) {
      yield { ok: false, row: line.row, name, why: [`与第 ${first} 行的院校重复`] };
      continue;
    }
    earlier.set(name, line.row);
    const at = header.at.get('logo');
    const logo = at === undefined ? null : await readLogo(folder, line.cells[at]?.text.trim() ?? '');
    if (logo?.ok) {
      checked.university.logo = logo.value;
      marks += logo.value?.bytes.byteLength ?? 0;
      if (marks > MOST_MARKS)
        throw new FileRefused(`校徽图片合计超过 ${MOST_MARKS / 1_048_576} MB，请缩小图片或分几次导入`);
    }
    yield logo?.ok === false ? { ok: false, row: line.row, name, why: [logo.why] } : checked;
  }
  if (!header)
    throw new FileRefused('没有找到表头：前 20 行里要有一行写着 name、prov、city（或 院校名称、省份、城市）等列名');
}
