import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { readCity, readProvince } from '#rules/university/region.ts';
import { checkMedia, LARGEST_MEDIA } from './media.ts';
import { type Read, squeezed } from './question.ts';
import { type Cell, FileRefused, type SheetRow } from './sheet.ts';
import { rowsOf } from './spreadsheet.ts';
import {
  columnWord,
  readUniversityHeader,
  type UniversityColumn,
  type UniversityHeader,
} from './university-columns.ts';

/** The list that comes with the product: all 147 universities of the second 双一流 round. */
export const BUNDLED_UNIVERSITIES = join(import.meta.dirname, 'universities', 'universities.csv');

/** A university as one row gives it. Columns that the file does not have are left out, so what is stored of them stays. */
export interface UniversityRow {
  name: string;
  /** Short name of the province. */
  prov: string;
  city: string;
  is985?: 0 | 1;
  is211?: 0 | 1;
  isDfc?: 0 | 1;
  affiliation?: string;
  relationship?: string;
  officialWeb?: string;
  tel?: string;
  schoolLocation?: string;
  tags?: string[];
  aliases?: string[];
  historicalContinuation?: string;
  education?: string;
  laboratorySituation?: string;
  subjectReview?: string;
  specialty?: string;
  keyInformationPoints?: string;
  /** A picture the school may use, checked; null: the drawn mark. */
  logo?: { bytes: Uint8Array; extension: string } | null;
}

/** What became of one row: a university, or every reason in Chinese why not. `row` counts as the spreadsheet does, from 1. */
export type UniversityOutcome = { row: number } & (
  | { ok: true; university: UniversityRow }
  | { ok: false; name: string; why: string[] }
);

/** Rows above the header that may hold a title or a remark. */
const ROWS_ABOVE = 20;
const LONGEST_NAME = 60;
const LONGEST_LINE = 200;
const LONGEST_TEXT = 20_000;
const MOST_WORDS = 30;

/** What spreadsheet programs write where a formula failed. */
const BROKEN = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!)$/i;

/**
 * A name as it is kept: brackets full-width (中国地质大学（武汉）), letters half-width, no blanks beside Chinese characters.
 * Two spellings of one name come out the same.
 */
export function normalName(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?(?<=[\p{Script=Han}()]) | (?=[\p{Script=Han}()])/gu, '')
    .replaceAll('(', '（')
    .replaceAll(')', '）');
}

const YES = new Set(['1', '是', '√', '✓', '✔', '☑', 'y', 'yes', 'true', '有', '对', '1.0', '985', '211', '双一流']);
const NO = new Set([
  '',
  '0',
  '否',
  '×',
  '✗',
  '✘',
  'x',
  'n',
  'no',
  'false',
  '无',
  '非',
  '不是',
  '-',
  '—',
  '--',
  '/',
  '0.0',
]);

/** Reads yes or no in the ways people fill in such a column; an empty cell is no. */
export function readYesNo(text: string): Read<0 | 1> {
  const word = squeezed(text).toLowerCase();
  if (YES.has(word)) return { ok: true, value: 1 };
  if (NO.has(word)) return { ok: true, value: 0 };
  return { ok: false, why: `“${text.trim().slice(0, 20)}”不是 是/否、1/0 或 √/×` };
}

/** Reads the address of a site: www.pku.edu.cn becomes https://www.pku.edu.cn; anything but http and https is refused. */
export function readWeb(text: string): Read<string> {
  const word = text.normalize('NFKC').trim();
  if (word === '') return { ok: true, value: '' };
  const wrong = { ok: false, why: `“${word.slice(0, 60)}”不是网址，应以 https:// 或 http:// 开头` } as const;
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(word) ? word : `https://${word}`;
  if (/\s/.test(address) || address.length > LONGEST_LINE) return wrong;
  try {
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol) || !url.hostname.includes('.') || url.username || url.password) return wrong;
    return { ok: true, value: url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href };
  } catch {
    return wrong;
  }
}

/**
 * Reads telephone numbers: digits with the usual marks between them; several are parted by blanks, commas or 、. Behind a
 * number may stand whose it is, as （研究生招生）.
 */
export function readTel(text: string): Read<string> {
  const word = text
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[‐‑‒–—−]/g, '-');
  if (word === '') return { ok: true, value: '' };
  const number = word.replace(/(?<=\d ?)\(\p{Script=Han}{1,12}\)/gu, '');
  if (word.length <= 100 && /^[\d\s()+,;、/转-]+$/u.test(number) && /\d{3}/.test(number)) {
    return { ok: true, value: word.replace(/ ?\((\p{Script=Han}+)\)/gu, '（$1）') };
  }
  return { ok: false, why: `“${word.slice(0, 40)}”不是电话号码` };
}

/** Words of one cell, parted by | 、 ， , ； ; / or a line break, each once. */
const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[|｜、，,；;/\n]/)
      .map((word) => word.trim().replace(/\s+/g, ' '))
      .filter((word) => word !== ''),
  ),
];

/** Plain text without control characters, with single line breaks. */
const plain = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff\u200b]/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Collects the reasons of one row while its cells are read. */
class RowReader {
  readonly why: string[] = [];
  private readonly header: UniversityHeader;
  private readonly cells: readonly (Cell | undefined)[];
  constructor(header: UniversityHeader, cells: readonly (Cell | undefined)[]) {
    this.header = header;
    this.cells = cells;
  }

  has(column: UniversityColumn): boolean {
    return this.header.at.has(column);
  }

  cell(column: UniversityColumn, longest: number): string {
    const at = this.header.at.get(column);
    const cell = at === undefined ? undefined : this.cells[at];
    const text = plain(cell?.text ?? '');
    if (cell?.fault) this.say(column, cell.fault);
    else if (BROKEN.test(text)) this.say(column, `是表格软件的错误值 ${text}`);
    else if (text.length > longest) this.say(column, `太长（${text.length} 个字符），最多 ${longest} 个`);
    else return text;
    return '';
  }

  say(column: UniversityColumn, why: string): void {
    this.why.push(`${columnWord(column)}：${why}`);
  }

  take<T>(column: UniversityColumn, read: Read<T>, otherwise: T): T {
    if (read.ok) return read.value;
    this.say(column, read.why);
    return otherwise;
  }
}

const LINES = ['affiliation', 'relationship'] as const;
const TEXTS = ['historicalContinuation', 'education', 'laboratorySituation', 'subjectReview', 'specialty'] as const;

/** Reads one row that is not empty into a university, or into every reason why it cannot be one. */
function readUniversityRow({ row, cells }: SheetRow, header: UniversityHeader): UniversityOutcome {
  const reader = new RowReader(header, cells);
  const { why } = reader;
  const name = normalName(reader.cell('name', LONGEST_NAME));
  if (name === '' && why.length === 0) why.push('没有写院校名称');
  else if (name !== '' && !/\p{L}{2}/u.test(name)) reader.say('name', `“${name}”不是校名`);

  const provText = reader.cell('prov', LONGEST_LINE);
  const prov = readProvince(provText);
  if (!prov)
    why.push(provText === '' ? '没有写省份' : `不认识的省份“${provText.slice(0, 20)}”，应为 34 个省级地区之一`);
  const city = prov ? readCity(prov, reader.cell('city', 30)) : '';
  if (city === null) why.push('没有写城市');

  const university: UniversityRow = { name, prov: prov ?? '', city: city ?? '' };
  for (const flag of ['is985', 'is211', 'isDfc'] as const) {
    if (reader.has(flag)) university[flag] = reader.take(flag, readYesNo(reader.cell(flag, LONGEST_LINE)), 0);
  }
  for (const line of LINES) {
    if (reader.has(line)) university[line] = reader.cell(line, LONGEST_LINE).replace(/\s+/g, ' ');
  }
  if (reader.has('officialWeb')) {
    university.officialWeb = reader.take('officialWeb', readWeb(reader.cell('officialWeb', LONGEST_LINE)), '');
  }
  if (reader.has('tel')) university.tel = reader.take('tel', readTel(reader.cell('tel', LONGEST_LINE)), '');
  if (reader.has('schoolLocation')) {
    university.schoolLocation = reader.cell('schoolLocation', 500).replace(/\s*\n\s*/g, '；');
  }
  for (const list of ['tags', 'aliases'] as const) {
    if (!reader.has(list)) continue;
    const words = wordsOf(reader.cell(list, 1000));
    if (words.length > MOST_WORDS) reader.say(list, `有 ${words.length} 个，最多 ${MOST_WORDS} 个`);
    const long = words.find((word) => word.length > LONGEST_NAME);
    if (long) reader.say(list, `“${long.slice(0, 20)}…”太长，每个最多 ${LONGEST_NAME} 个字`);
    university[list] = words;
  }
  for (const text of [...TEXTS, 'keyInformationPoints'] as const) {
    if (reader.has(text)) university[text] = reader.cell(text, LONGEST_TEXT);
  }
  return why.length > 0 ? { ok: false, row, name, why: [...new Set(why)] } : { ok: true, row, university };
}

/** Reads the picture that a row names: a file in the folder of the list or below it. */
async function readLogo(folder: string, file: string): Promise<Read<UniversityRow['logo']>> {
  if (file === '') return { ok: true, value: null };
  const path = resolve(folder, file);
  const no = (why: string) => ({ ok: false, why: `校徽：“${file.slice(0, 60)}”${why}` }) as const;
  if (relative(folder, path).startsWith('..')) return no('不在名单所在的文件夹里');
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return no('没有这个文件');
  if (found.size > LARGEST_MEDIA) return no('太大，最大 2 MB');
  const media = checkMedia(`logo${extname(path)}`, await readFile(path));
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
export async function* readUniversities(path: string, notes: string[] = []): AsyncGenerator<UniversityOutcome> {
  let header: UniversityHeader | null = null;
  const folder = resolve(dirname(path));
  let sheet = '';
  let above = 0;
  const earlier = new Map<string, number>();
  for await (const line of await rowsOf(path)) {
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
    const outcome = readUniversityRow(line, header);
    if (!outcome.ok) {
      yield outcome;
      continue;
    }
    const { name } = outcome.university;
    const first = earlier.get(name);
    if (first !== undefined) {
      yield { ok: false, row: line.row, name, why: [`与第 ${first} 行的院校重复`] };
      continue;
    }
    earlier.set(name, line.row);
    const at = header.at.get('logo');
    const logo = at === undefined ? null : await readLogo(folder, line.cells[at]?.text.trim() ?? '');
    if (logo?.ok) outcome.university.logo = logo.value;
    yield logo?.ok === false ? { ok: false, row: line.row, name, why: [logo.why] } : outcome;
  }
  if (!header)
    throw new FileRefused('没有找到表头：前 20 行里要有一行写着 name、prov、city（或 院校名称、省份、城市）等列名');
}
