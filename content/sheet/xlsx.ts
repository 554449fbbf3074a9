import type { Readable } from 'node:stream';
import { numberText } from './cell-format.ts';
import { type Cell, FileRefused, MOST_ROWS, type SheetRow } from './sheet.ts';
import {
  type Attributes,
  LONGEST_CELL,
  readStrings,
  readStyles,
  readWorkbook,
  type Style,
  unescaped,
  XlsxParts,
  xmlEvents,
} from './xlsx-package.ts';

const MOST_MERGES = 200_000;
/** Columns whose cells are merged downwards in the same row; each gives its text to every row it covers. */
const MOST_MERGED_COLUMNS = 200;

/** Row and column from 0, of a reference such as `AB12`; null for anything else. */
function position(reference: string): { row: number; column: number } | null {
  const match = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference);
  if (!match?.[1]) return null;
  const column = [...match[1]].reduce((sum, char) => sum * 26 + char.charCodeAt(0) - 64, 0) - 1;
  return column < 16_384 ? { row: Number(match[2]) - 1, column } : null;
}

interface Merge {
  column: number;
  bottom: number;
}

/**
 * Cells merged over several rows, by their top row. They stand behind the rows in the file, so the part is searched once
 * before it is read. A cell merged only sideways needs nothing: its text is in its first column.
 */
async function readMerges(stream: Readable): Promise<Map<number, Merge[]>> {
  const merges = new Map<number, Merge[]>();
  let count = 0;
  let rest = '';
  for await (const bytes of stream) {
    rest += (bytes as Buffer).toString('latin1');
    let end = 0;
    for (const match of rest.matchAll(/mergeCell\s[^>]{0,200}?ref="([A-Z]+\d+):([A-Z]+\d+)"/g)) {
      end = match.index + match[0].length;
      const from = position(match[1] ?? '');
      const to = position(match[2] ?? '');
      if (!from || !to || to.row <= from.row || count >= MOST_MERGES) continue;
      count += 1;
      const known = merges.get(from.row);
      if (known) known.push({ column: from.column, bottom: to.row });
      else merges.set(from.row, [{ column: from.column, bottom: to.row }]);
    }
    rest = rest.slice(Math.max(end, rest.length - 300));
  }
  return merges;
}

interface OpenCell {
  column: number;
  type: string;
  style: number;
  formula: boolean;
  value: string;
  inline: string;
}

/** No spreadsheet program has more columns (Excel: XFD). */
const MOST_COLUMNS = 16_384;

/** Turns the events of a worksheet into rows. */
class RowBuilder {
  readonly done: { row: number; cells: (Cell | undefined)[] }[] = [];
  private readonly strings: readonly string[];
  private readonly styles: readonly Style[];
  private readonly from1904: boolean;
  private row = -1;
  private nextColumn = 0;
  private cells: (Cell | undefined)[] = [];
  private cell: OpenCell | null = null;
  private into: 'value' | 'inline' | null = null;
  private inPhonetic = false;

  constructor(strings: readonly string[], styles: readonly Style[], from1904: boolean) {
    this.strings = strings;
    this.styles = styles;
    this.from1904 = from1904;
  }

  readonly open = (name: string, attributes: Attributes): void => {
    switch (name) {
      case 'row':
        this.row = attributes.r ? Number(attributes.r) - 1 : this.row + 1;
        if (this.row >= MOST_ROWS) throw new FileRefused(`工作表超过 ${MOST_ROWS} 行，请拆成几个文件`);
        this.cells = [];
        this.nextColumn = 0;
        break;
      case 'c': {
        const column = position(attributes.r ?? '')?.column ?? this.nextColumn;
        if (column >= MOST_COLUMNS) throw new FileRefused(`一行的单元格太多，最多 ${MOST_COLUMNS} 列`);
        this.nextColumn = column + 1;
        this.cell = {
          column,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          formula: false,
          value: '',
          inline: '',
        };
        break;
      }
      case 'f':
        if (this.cell) this.cell.formula = true;
        break;
      case 'v':
        this.into = 'value';
        break;
      case 'rPh':
        this.inPhonetic = true;
        break;
      case 't':
        this.into = this.inPhonetic ? null : 'inline';
        break;
    }
  };

  readonly text = (piece: string): void => {
    if (this.cell && this.into && this.cell[this.into].length < LONGEST_CELL) this.cell[this.into] += piece;
  };

  readonly close = (name: string): void => {
    switch (name) {
      case 'v':
      case 't':
        this.into = null;
        break;
      case 'rPh':
        this.inPhonetic = false;
        break;
      case 'c':
        if (this.cell) {
          const read = this.read(this.cell);
          if (read) this.cells[this.cell.column] = read;
        }
        this.cell = null;
        break;
      case 'row':
        this.done.push({ row: this.row, cells: this.cells });
        break;
    }
  };

  private read({ type, value, inline, formula, style }: OpenCell): Cell | undefined {
    if (type === 'e') return { text: '', fault: `单元格里是错误值 ${value || '#VALUE!'}` };
    if (type === 'inlineStr') return inline === '' ? undefined : { text: unescaped(inline) };
    if (value === '') {
      return formula && type !== 'str'
        ? { text: '', fault: '单元格里的公式没有计算结果，请用表格软件打开文件并保存一次' }
        : undefined;
    }
    switch (type) {
      case 's': {
        const text = this.strings[Number(value)];
        return text === undefined
          ? { text: '', fault: '单元格引用的文字不存在，文件可能已损坏' }
          : text === ''
            ? undefined
            : { text };
      }
      case 'str':
        return { text: unescaped(value) };
      case 'b':
        return { text: value === '1' ? 'TRUE' : 'FALSE' };
      case 'd':
        return { text: value.replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' ') };
      default: {
        const number = Number(value);
        if (!Number.isFinite(number)) return { text: value };
        const { formatId, code } = this.styles[style] ?? { formatId: 0, code: undefined };
        return { text: numberText(number, formatId, code, this.from1904) };
      }
    }
  }
}

/**
 * Rows of every visible worksheet of an .xlsx file, read as streams: only the table of shared texts is held. Formulas
 * are never computed: a formula cell gives the value that the spreadsheet program stored, or a fault. A cell merged over
 * several rows gives its text to each of them, marked as `merged`.
 * @throws FileRefused with a Chinese sentence when the file cannot be read
 */
export async function* readXlsx(path: string): AsyncGenerator<SheetRow> {
  const parts = await XlsxParts.open(path);
  try {
    const book = await readWorkbook(parts);
    const strings = await readStrings(parts, book.strings);
    const styles = await readStyles(parts, book.styles);
    for (const { name, part } of book.sheets)
      yield* readSheet(parts, part, name, new RowBuilder(strings, styles, book.from1904));
  } finally {
    parts.zip.close();
  }
}

async function* readSheet(parts: XlsxParts, part: string, sheet: string, rows: RowBuilder): AsyncGenerator<SheetRow> {
  const first = await parts.stream(part);
  if (!first) return;
  const merges = await readMerges(first);
  const second = await parts.stream(part);
  if (!second) return;
  const filling = new Map<number, { bottom: number; cell: Cell }>();
  for await (const _ of xmlEvents(second, rows)) {
    for (const { row, cells } of rows.done.splice(0)) {
      for (const [column, { bottom, cell }] of filling) {
        if (row > bottom) filling.delete(column);
        else cells[column] ??= cell;
      }
      for (const { column, bottom } of merges.get(row) ?? []) {
        const cell = cells[column];
        if (cell) filling.set(column, { bottom, cell: { ...cell, merged: true } });
        if (filling.size > MOST_MERGED_COLUMNS)
          throw new FileRefused(`第 ${row + 1} 行有超过 ${MOST_MERGED_COLUMNS} 列向下合并的单元格，请取消合并后再导入`);
      }
      yield { sheet, row: row + 1, cells };
    }
  }
}
