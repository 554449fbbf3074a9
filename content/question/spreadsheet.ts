import { openSheet } from '#content/sheet/open-sheet.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import { CellPictures } from './cell-pictures.ts';
import { duplicateFinder } from './duplicates.ts';
import type { CheckedRow } from './file-question.ts';
import { EXPLAINING_SHEET, type Header, isHeaderAgain, readHeader } from './question-columns.ts';
import { isEmptyRow, readRow } from './question-row.ts';

/** Rows above the header that may hold a title, a date or instructions. */
const ROWS_ABOVE = 20;

/** How far a sheet has been read. */
interface SheetState {
  header: Header | null;
  /** Rows with content above the header. */
  above: number;
  /** Rows that have a picture and no question. */
  drawnApart: number[];
}

/**
 * Reads a question spreadsheet (xlsx or CSV) row by row, without holding it: each row becomes a question or a list of
 * reasons, and a question that stood in an earlier row is refused. Every visible sheet that has a header is read.
 * @param notes receives sentences that are no mistakes but worth saying: sheets and columns that were not read
 * @throws FileRefused with a Chinese sentence when the file, or the header of a sheet, cannot be read
 */
export async function* readSpreadsheet(path: string, notes: string[] = []): AsyncGenerator<CheckedRow> {
  const sheets = new Map<string, SheetState>();
  const withoutDuplicates = duplicateFinder();
  const pictures = new CellPictures();
  let headers = 0;
  for await (const line of await openSheet(path)) {
    const sheet = sheets.get(line.sheet) ?? { header: null, above: 0, drawnApart: [] };
    sheets.set(line.sheet, sheet);
    const hangs = line.drawn !== undefined || line.cells.some((cell) => cell?.pictures && !cell.merged);
    if (hangs && (!sheet.header || isEmptyRow(line.cells))) sheet.drawnApart.push(line.row);
    if (!sheet.header) {
      if (sheet.above >= ROWS_ABOVE || isEmptyRow(line.cells)) continue;
      sheet.above += 1;
      sheet.header = readHeader(line.cells);
      if (!sheet.header) continue;
      headers += 1;
      const where = line.sheet ? `工作表“${line.sheet}”` : '';
      if (sheet.header.mistakes.length > 0) throw new FileRefused(where + sheet.header.mistakes.join('；'));
      if (sheet.header.unused.length > 0)
        notes.push(`${where}没有读取的列：${sheet.header.unused.join('、').slice(0, 200)}`);
      continue;
    }
    if (isEmptyRow(line.cells) || isHeaderAgain(line.cells, sheet.header)) continue;
    await pictures.prepare(line.cells);
    const checked = withoutDuplicates(readRow(line, sheet.header, pictures));
    yield checked.ok ? { ...checked, pictures: pictures.take() } : checked;
  }
  if (headers === 0) throw new FileRefused('没有找到表头：前 20 行里要有一行写着 题型、题干、选项A、答案 等列名');
  for (const [name, { header, above, drawnApart }] of sheets) {
    if (header && drawnApart.length > 0)
      notes.push(
        `工作表“${name}”第 ${drawnApart.slice(0, 10).join('、')}${drawnApart.length > 10 ? '…' : ''} 行有图片或图形，那里没有试题，没有读取`,
      );
    if (!header && above > 0 && name !== EXPLAINING_SHEET) notes.push(`工作表“${name}”没有表头，没有读取`);
  }
}
