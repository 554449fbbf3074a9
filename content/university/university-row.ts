import type { Checked } from '#content/checked.ts';
import { coveredText } from '#content/sheet/merged-cells.ts';
import type { Cell, SheetRow } from '#content/sheet/sheet.ts';
import { readCity, readProvince } from '#rules/university/region.ts';
import { columnWord, type UniversityColumn, type UniversityHeader } from './university-columns.ts';
import { normalName, plain, readTel, readWeb, readYesNo, wordsOf } from './university-fields.ts';

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

/** What one row was found to be: a university, or every reason in Chinese why not. `row` counts as the spreadsheet does, from 1. */
export type CheckedUniversityRow = { row: number } & (
  | { ok: true; university: UniversityRow }
  | { ok: false; name: string; why: string[] }
);

/** A row that is no university. */
export type RejectedUniversityRow = Extract<CheckedUniversityRow, { ok: false }>;

const LONGEST_NAME = 60;
const LONGEST_LINE = 200;
const LONGEST_TEXT = 20_000;
const MOST_WORDS = 30;

/** What spreadsheet programs write where a formula failed. */
const BROKEN = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!)$/i;

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
    if (cell?.covered) this.say(column, coveredText(cell.covered));
    if (cell?.fault) this.say(column, cell.fault);
    else if (BROKEN.test(text)) this.say(column, `是表格软件的错误值 ${text}`);
    else if (text.length > longest) this.say(column, `太长（${text.length} 个字符），最多 ${longest} 个`);
    else return text;
    return '';
  }

  say(column: UniversityColumn, why: string): void {
    this.why.push(`${columnWord(column)}：${why}`);
  }

  take<T>(column: UniversityColumn, read: Checked<T>, otherwise: T): T {
    if (read.ok) return read.value;
    this.say(column, read.why);
    return otherwise;
  }
}

const LINES = ['affiliation', 'relationship'] as const;
const TEXTS = ['historicalContinuation', 'education', 'laboratorySituation', 'subjectReview', 'specialty'] as const;

/** Reads one row that is not empty into a university, or into every reason why it cannot be one. */
export function readUniversityRow({ row, cells }: SheetRow, header: UniversityHeader): CheckedUniversityRow {
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
