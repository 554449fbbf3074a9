import { columnLetters } from '#content/sheet/column-letters.ts';
import { openSheet } from '#content/sheet/open-sheet.ts';
import { FileRefused, type SheetRow } from '#content/sheet/sheet.ts';
import { visibleText } from '#content/visible-text.ts';
import { CellEntities } from './cell-entities.ts';
import { CellLooks } from './cell-looks.ts';
import { CellPictures } from './cell-pictures.ts';
import { duplicateFinder, plainStart } from './duplicates.ts';
import type { CheckedPaperRow } from './file-paper.ts';
import type { CheckedRow, LaterWarning, RejectedRow } from './file-question.ts';
import {
  isPaperHeaderAgain,
  LISTS_PAPERS,
  mayBeList,
  NAMES_NONE,
  type PaperHeader,
  readPaperHeader,
} from './paper-columns.ts';
import { readPaperRow } from './paper-row.ts';
import { readType } from './question.ts';
import {
  type Column,
  EXPLAINING_SHEET,
  type Header,
  isHeaderAgain,
  otherHeader,
  readHeader,
} from './question-columns.ts';
import { isEmptyRow, readRow } from './question-row.ts';

/** Rows above the header that may hold a title, a date or instructions. */
const ROWS_ABOVE = 20;

/** Rows of papers as long as each names another paper, as a list of papers does. */
class PaperList {
  readonly rows: (CheckedPaperRow | RejectedRow)[] = [];
  readonly #names = new Set<string>();

  /** @returns whether it still may be one */
  add(row: CheckedPaperRow | RejectedRow): boolean {
    this.rows.push(row);
    const name = row.ok ? row.standing.paper : (row.paper ?? '');
    const isNew = name !== '' && !this.#names.has(name);
    this.#names.add(name);
    return isNew;
  }
}

/** How far a sheet has been read. */
interface SheetState {
  header: Header | null;
  /** Where it is a sheet of papers. */
  papers: PaperHeader | null;
  /** Rows of papers below their header. */
  paperRows: number;
  /** Its rows of papers, as long as it may be a list of papers; null: it is none. */
  listed: PaperList | null;
  /** It has a row that would be the header of papers, if it said which question a row is. */
  namesNone: boolean;
  /** Rows with content above the header. */
  above: number;
  /** Those, until it is found. */
  linesAbove: SheetRow[];
  headerRow: number;
  /** Rows that have a picture and no question. */
  drawnApart: number[];
  /** Columns without a word above that have content all the same: from which row, in how many. */
  nameless: Map<number, { from: number; count: number }>;
  looks: CellLooks;
  entities: CellEntities;
}

const newSheet = (): SheetState => ({
  header: null,
  papers: null,
  paperRows: 0,
  listed: null,
  namesNone: false,
  above: 0,
  linesAbove: [],
  headerRow: 0,
  drawnApart: [],
  nameless: new Map(),
  looks: new CellLooks(),
  entities: new CellEntities(),
});

/** Whether a row is the header of a bank, without a mistake. */
const isBankHeader = (cells: SheetRow['cells']) => readHeader(cells)?.mistakes.length === 0;

/** Whether a row above the header is a question all the same, as where a sheet was sorted with its header. */
const isQuestion = ({ cells }: SheetRow, { at }: Header): boolean => {
  const text = (column: Column) => visibleText(cells[at.get(column) ?? -1]?.text ?? '').trim();
  return readType(text('题型')).ok && text('题干') !== '' && text('答案') !== '';
};

function strayed({ sheet, row, cells }: SheetRow, { header, headerRow }: SheetState): RejectedRow {
  const at = header?.at.get('题干') ?? -1;
  return {
    ...{ ok: false, sheet, row, columns: [] },
    why: [`这一行在表头（第 ${headerRow} 行）上面，没有读取：请把表头移到最上面`],
    topic: (cells[at]?.text ?? '').trim().slice(0, 60),
  };
}

/** Keeps what stands below no word of the header: nobody reads it. In CSV what goes beyond the header is a refused row. */
function addNameless(
  nameless: SheetState['nameless'],
  { sheet, row, cells }: SheetRow,
  { named, width }: Pick<Header, 'named' | 'width'>,
): void {
  for (const [column, cell] of cells.entries()) {
    if (named.has(column) || !cell || cell.merged || visibleText(cell.text).trim() === '') continue;
    if (sheet === '' && column >= width) continue;
    const known = nameless.get(column);
    if (known) known.count += 1;
    else if (nameless.size < NAMELESS_TOLD) nameless.set(column, { from: row, count: 1 });
  }
}
/** Columns without a word that are told. */
const NAMELESS_TOLD = 20;

/** Rows of papers in one file: they are held until its questions are known. */
const MOST_PAPER_ROWS = 50_000;

/**
 * Reads a question spreadsheet (xlsx or CSV) row by row, without holding it: each row becomes a question, a place of one in a paper, or a list of
 * reasons, and a question that stood in an earlier row is refused. Every visible sheet that has a header is read.
 * @param notes receives sentences that are no mistakes but worth saying: sheets and columns that were not read
 * @throws FileRefused with a Chinese sentence when the file, or the header of a sheet, cannot be read
 */
export async function* readSpreadsheet(
  path: string,
  notes: string[] = [],
): AsyncGenerator<CheckedRow | CheckedPaperRow | LaterWarning> {
  const sheets = new Map<string, SheetState>();
  const withoutDuplicates = duplicateFinder();
  const pictures = new CellPictures();
  let headers = 0;
  let paperRows = 0;
  const whereOf = (sheet: string) => (sheet ? `工作表“${sheet}”` : '');
  const noteHidden = (sheet: string, { hidden }: Header) => {
    if (hidden.length > 0) notes.push(`${whereOf(sheet)}隐藏的列也读取了：${hidden.join('、')}`);
  };
  let fullest: string[] = [];
  const noteUnused = (sheet: string, { unused }: { unused: readonly string[] }) => {
    if (unused.length > 0) notes.push(`${whereOf(sheet)}没有读取的列：${unused.join('、').slice(0, 200)}`);
  };
  for await (const line of await openSheet(path, notes)) {
    const sheet = sheets.get(line.sheet) ?? newSheet();
    sheets.set(line.sheet, sheet);
    const hangs = line.drawn !== undefined || line.cells.some((cell) => cell?.pictures && !cell.merged);
    if (hangs && ((!sheet.header && !sheet.papers) || isEmptyRow(line.cells))) sheet.drawnApart.push(line.row);
    if (sheet.papers && sheet.paperRows === 0 && isBankHeader(line.cells)) {
      // What looked like papers was the title of a bank: 试卷, its name, 编号, its number, and so on.
      sheet.papers = null;
      headers -= 1;
    }
    if (sheet.papers) {
      if (isEmptyRow(line.cells) || isPaperHeaderAgain(line.cells, sheet.papers)) continue;
      if (sheet.paperRows === 0) noteUnused(line.sheet, sheet.papers);
      sheet.paperRows += 1;
      paperRows += 1;
      if (paperRows > MOST_PAPER_ROWS)
        throw new FileRefused(`试卷的行太多，一个文件最多 ${MOST_PAPER_ROWS} 行，请分成几个文件`);
      addNameless(sheet.nameless, line, sheet.papers);
      const read = readPaperRow(line, sheet.papers);
      if (sheet.listed === null) yield read;
      else {
        if (sheet.listed.add(read)) continue;
        yield* sheet.listed.rows;
        sheet.listed = null;
      }
      continue;
    }
    if (!sheet.header) {
      if (sheet.above >= ROWS_ABOVE || isEmptyRow(line.cells)) continue;
      sheet.above += 1;
      const papers = readPaperHeader(line.cells);
      sheet.papers = papers?.namesNone ? null : papers;
      sheet.listed = sheet.papers && mayBeList(sheet.papers) ? new PaperList() : null;
      sheet.namesNone ||= papers?.namesNone === true;
      sheet.header = sheet.papers ? null : readHeader(line.cells);
      if (!sheet.papers && !sheet.header) {
        const words = line.cells.flatMap((cell) => cell?.text.trim().replace(/\s+/g, ' ').slice(0, 20) || []);
        if (words.length > fullest.length) fullest = words.slice(0, 20);
        sheet.linesAbove.push(line);
        continue;
      }
      headers += 1;
      if (sheet.header) {
        if (sheet.header.mistakes.length > 0)
          throw new FileRefused(whereOf(line.sheet) + sheet.header.mistakes.join('；'));
        noteUnused(line.sheet, sheet.header);
        noteHidden(line.sheet, sheet.header);
        sheet.headerRow = line.row;
        for (const above of sheet.linesAbove) if (isQuestion(above, sheet.header)) yield strayed(above, sheet);
        sheet.linesAbove = [];
      }
      continue;
    }
    if (isEmptyRow(line.cells)) continue;
    const again = otherHeader(line.cells, sheet.header);
    if (again !== null && line.row === sheet.headerRow + 1)
      throw new FileRefused(
        `${whereOf(line.sheet)}的表头占了两行（第 ${sheet.headerRow}、${line.row} 行，${again} 在第二行）：请合成一行，把第二行的列名写到第一行，再删去第二行`,
      );
    if (again !== null)
      throw new FileRefused(
        `${whereOf(line.sheet)}第 ${line.row} 行又是表头，但列和第 ${sheet.headerRow} 行的表头不一样（${again}），下面的行不知道按哪一个读：请拆成两张工作表，或把列调成一样`,
      );
    if (isHeaderAgain(line.cells, sheet.header)) continue;
    addNameless(sheet.nameless, line, sheet.header);
    await pictures.prepare(line.cells);
    const checked = withoutDuplicates(readRow(line, sheet.header, pictures), sheet.header.at);
    const topic = checked.ok ? plainStart(checked.question.topic) : checked.topic;
    sheet.looks.add(line, sheet.header, topic);
    if (checked.ok) sheet.entities.add(line, sheet.header, topic);
    yield checked.ok ? { ...checked, pictures: pictures.take() } : checked;
  }
  const lists: string[] = [];
  for (const [name, { listed }] of sheets)
    if (listed !== null && listed.rows.length > 1) {
      lists.push(name);
      headers -= 1;
    } else if (listed !== null) yield* listed.rows;
  if (headers === 0 && lists[0] !== undefined) throw new FileRefused(whereOf(lists[0]) + LISTS_PAPERS);
  for (const name of lists) notes.push(`${whereOf(name)}没有读取：${LISTS_PAPERS}`);
  for (const [name, { namesNone }] of sheets)
    if (headers === 0 && namesNone) throw new FileRefused(whereOf(name) + NAMES_NONE);
  if (headers === 0) {
    const found = fullest.length > 0 ? `（读到的是：${fullest.join('、')}）` : '';
    throw new FileRefused(`没有找到表头：前 20 行里要有一行写着 题型、题干、选项A、答案 等列名${found}`);
  }
  for (const [name, { looks, entities }] of sheets) {
    notes.push(...looks.notes().map((note) => whereOf(name) + note));
    for (const warning of [...looks.warnings(), ...entities.warnings()]) yield { ...warning, ok: 'later' };
  }
  for (const [name, { header, papers, namesNone, above, drawnApart, nameless }] of sheets) {
    if (nameless.size > 0)
      notes.push(
        `${whereOf(name)}没有列名的列没有读取：${[...nameless].map(([column, { from, count }]) => `${columnLetters(column)} 列（第 ${from} 行起，${count} 行有内容）`).join('、')}`,
      );
    if ((header || papers) && drawnApart.length > 0)
      notes.push(
        `工作表“${name}”第 ${drawnApart.slice(0, 10).join('、')}${drawnApart.length > 10 ? '…' : ''} 行有图片或图形，那里没有试题，没有读取`,
      );
    if (header || papers || above === 0 || name === EXPLAINING_SHEET) continue;
    notes.push(namesNone ? `工作表“${name}”没有读取：${NAMES_NONE}` : `工作表“${name}”没有表头，没有读取`);
  }
}
