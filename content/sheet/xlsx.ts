import type { Checked } from '#content/checked.ts';
import { position } from './cell-area.ts';
import { isoSerial, numberText, type TextFormat, textFormat } from './cell-format.ts';
import { LONGEST_CELL, unescaped } from './cell-text.ts';
import { columnLetters } from './column-letters.ts';
import { MergedCells } from './merged-cells.ts';
import { cellText, type FileText, PLAIN_LOOK, TextReader } from './runs.ts';
import { type Cell, FileRefused, MOST_ROWS, type SheetPicture, type SheetRow } from './sheet.ts';
import { readCommented } from './xlsx-comments.ts';
import { type Attributes, readStrings, readWorkbook, type Workbook, XlsxParts, xmlEvents } from './xlsx-package.ts';
import { CellPictures, type Hung, hungAt, readDrawings } from './xlsx-pictures.ts';
import { readStyles, type Styles } from './xlsx-styles.ts';
import { readTail } from './xlsx-tail.ts';

const isTrue = (value: string | undefined) => value === '1' || value === 'true';
const isFalse = (value: string | undefined) => value === '0' || value === 'false';

interface OpenCell {
  column: number;
  type: string;
  style: number;
  /** What the formula begins with, where there is one. */
  formula: string | null;
  /** Of a value of a kind that plain readers do not know, a picture, say: its number in the file, from 1. */
  special: number | null;
  phonetic: boolean;
  value: string;
}

/** The longest beginning of a formula that is looked at. */
const FORMULA_START = 200;
/** Formulas whose value is a picture: of WPS, and of Excel. */
const SHOWS_PICTURE = /^=?\s*(?:_xlfn\.|_xlws\.)*(DISPIMG|IMAGE)\s*\(\s*"?([^",)]*)/i;
/** The formula of WPS, where it is all that a text has. */
const WPS_PICTURE = /^\s*=\s*(?:_xlfn\.|_xlws\.)*DISPIMG\(\s*"([^"]*)"[^()]*\)\s*$/i;
const LINKS = /^=?\s*HYPERLINK\s*\(/i;
const FOREIGN_PICTURE = '单元格里是取自网址的图片（IMAGE），不会从别的网站取图片，请把图片本身放进单元格';

const pictureCell = (picture: Checked<SheetPicture>): Cell =>
  picture.ok ? { text: '', pictures: [picture.value] } : { text: '', fault: picture.why };

/** No spreadsheet program has more columns (Excel: XFD). */
const MOST_COLUMNS = 16_384;
/** Ranges of hidden columns that are looked at. */
const MOST_COLUMN_RANGES = 1000;

const NO_STYLE = '单元格的样式不在文件里，看不出它显示成什么，请用表格软件打开文件并保存一次';

const PLAIN_TEXT: TextFormat = { before: '', after: '' };

const unknownFormat = (code = ''): Cell => ({
  text: '',
  fault: `数字格式“${code.slice(0, 40)}”读不准，请把单元格改为文本，写上要显示的内容`,
});

/** A cell of which one thing more is said. */
const remarked = (cell: Cell, remark: string): Cell => ({ ...cell, remarks: [...(cell.remarks ?? []), remark] });

/** An address that a text says itself; programs make a link of it unasked. */
const SAYS_ADDRESS = /:\/\/|www\.|@/;
/** A cell that leads somewhere. */
const linked = (cell: Cell): Cell =>
  cell.text.trim() === '' || SAYS_ADDRESS.test(cell.text)
    ? cell
    : remarked(cell, '有超链接，学员看到的只有文字，点不开；要紧的网址请写进文字里');

/** Of numbers without a format that need more room spreadsheet programs show less of them (1.2E+11, 0.333333333, 6.62607E-34), and of longer whole ones than the third they keep no more. */
const LONGEST_SHOWN = 11;
const MOST_BEFORE_POWER = 6;
const LONGEST_KEPT = 1e15;
const isLong = (text: string, formatId: number, code: string | undefined) =>
  (text.includes('E')
    ? text.replace(/E.*$/, '').replace(/[-.]/g, '').length > MOST_BEFORE_POWER
    : text.replace('-', '').length > LONGEST_SHOWN) && (code === undefined ? formatId === 0 : /^general$/i.test(code));
function longNumber(value: number, text: string): string {
  const exponential = value
    .toExponential(5)
    .replace(/\.?0*e([+-])(\d+)$/, (_, sign, power) => `E${sign}${power.padStart(2, '0')}`);
  const rounded = String(Number(value.toPrecision(10 - (Math.abs(value) < 1 ? 1 : 0))));
  const isShown = text.includes('.') && rounded.replace('-', '').length <= LONGEST_SHOWN && !rounded.includes('e');
  const lost = Math.abs(value) >= LONGEST_KEPT && !text.includes('E');
  return `是很长的数，表格里可能只显示成 ${isShown ? rounded : exponential}，学员看到的是 ${text}${lost ? '；超过 15 位的数字表格软件没有保存，请把单元格改为文本再写一遍' : ''}`;
}

/** A text with the words that the format of its cell puts around it. */
function withWords(text: FileText, { before, after }: TextFormat): FileText {
  if (before === '' && after === '') return text;
  if (typeof text === 'string') return before + text + after;
  const piece = (words: string) => (words === '' ? [] : [{ text: words, formats: null, font: null }]);
  return { ...text, pieces: [...piece(before), ...text.pieces, ...piece(after)] };
}

/** Turns the events of a worksheet into rows. */
class RowBuilder {
  readonly done: { row: number; cells: (Cell | undefined)[]; hidden: boolean }[] = [];
  private readonly strings: readonly FileText[];
  private readonly styles: Styles['cells'];
  private readonly from1904: boolean;
  /** Formulas are computed anew when the file is opened: what is stored of them shows nowhere. */
  private readonly recalculated: boolean;
  /** The sheet shows a zero as nothing, or formulas instead of their values. */
  private zeros = true;
  private formulas = false;
  private rowsHidden = false;
  private readonly pictures: CellPictures;
  private row = -1;
  private hidden = false;
  private readonly hiddenColumns = new Set<number>();
  private columnRanges = 0;
  private nextColumn = 0;
  private cells: (Cell | undefined)[] = [];
  private cell: OpenCell | null = null;
  private into: 'value' | 'formula' | null = null;
  private inline: TextReader | null = null;

  constructor(
    strings: readonly FileText[],
    styles: Styles['cells'],
    { from1904, recalculated }: Workbook,
    pictures: CellPictures,
  ) {
    this.strings = strings;
    this.styles = styles;
    this.from1904 = from1904;
    this.recalculated = recalculated;
    this.pictures = pictures;
  }

  readonly open = (name: string, attributes: Attributes): void => {
    if (this.inline) {
      this.inline.open(name, attributes);
      return;
    }
    switch (name) {
      case 'sheetView':
        this.zeros &&= !isFalse(attributes.showZeros);
        this.formulas ||= isTrue(attributes.showFormulas);
        break;
      case 'sheetFormatPr':
        this.rowsHidden = isTrue(attributes.zeroHeight);
        break;
      case 'col':
        if (!isTrue(attributes.hidden) && Number(attributes.width ?? 1) > 0) break;
        this.columnRanges += 1;
        if (this.columnRanges > MOST_COLUMN_RANGES) throw new FileRefused('隐藏的列太多，请取消隐藏后再导入');
        this.hide(Number(attributes.min), Number(attributes.max));
        break;
      case 'row':
        this.hidden =
          isTrue(attributes.hidden) ||
          Number(attributes.ht ?? 1) === 0 ||
          (this.rowsHidden && attributes.hidden === undefined && attributes.ht === undefined);
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
          formula: null,
          special: attributes.vm === undefined ? null : Number(attributes.vm),
          phonetic: isTrue(attributes.ph),
          value: '',
        };
        break;
      }
      case 'f':
        if (this.cell) this.cell.formula = '';
        this.into = 'formula';
        break;
      case 'v':
        this.into = 'value';
        break;
      case 'is':
        if (this.cell) this.inline = new TextReader();
        break;
    }
  };

  readonly text = (piece: string): void => {
    this.inline?.text(piece);
    if (!this.cell || !this.into) return;
    if (this.into === 'formula') this.cell.formula = `${this.cell.formula ?? ''}${piece}`.slice(0, FORMULA_START);
    else if (this.cell.value.length < LONGEST_CELL) this.cell.value += piece;
  };

  readonly close = (name: string): void => {
    this.inline?.close(name);
    switch (name) {
      case 'v':
      case 'f':
        this.into = null;
        break;
      case 'is':
        if (this.cell && this.inline) this.keep(this.cell, this.shown(this.inline.take(), this.cell.style));
        this.inline = null;
        break;
      case 'c':
        if (this.cell && this.cell.type !== 'inlineStr') this.keep(this.cell, this.read(this.cell));
        this.cell = null;
        this.inline = null;
        break;
      case 'row':
        this.done.push({ row: this.row, cells: this.cells, hidden: this.hidden });
        break;
    }
  };

  /** @param from counted from 1, as the file does */
  private hide(from: number, to: number): void {
    for (let at = Math.max(1, from); at <= Math.min(to, MOST_COLUMNS); at += 1) this.hiddenColumns.add(at - 1);
  }

  private keep({ column, phonetic }: OpenCell, cell: Cell | undefined): void {
    if (!cell) return;
    const hidden = this.hiddenColumns.has(column);
    const known = phonetic ? remarked(cell, '的字上方有拼音（注音），学员看不到；要紧的请写进文字里') : cell;
    this.cells[column] = hidden ? { ...known, hidden } : known;
  }

  /** Its style, without which a day is read as a number, is not in the file. */
  private hasNoStyle(style: number): boolean {
    return style !== 0 && this.styles[style] === undefined;
  }

  /** A text as its cell shows it. */
  private shown(text: FileText, style: number): Cell | undefined {
    if (text === '') return undefined;
    if (this.hasNoStyle(style)) return { text: '', fault: NO_STYLE };
    // Of a program that made a text of WPS's formula.
    const id = typeof text === 'string' ? WPS_PICTURE.exec(text)?.[1] : undefined;
    if (id !== undefined) return pictureCell(this.pictures.ofId(id));
    const { code, look = PLAIN_LOOK, repeated } = this.styles[style] ?? {};
    const format = code === undefined ? PLAIN_TEXT : textFormat(code);
    if (format === null) return unknownFormat(code);
    const cell = cellText(withWords(text, format), look);
    return repeated ? remarked(cell, '用了“填充”对齐，表格里可能把字重复着显示，学员看到的只有一遍') : cell;
  }

  private read({ type, value, formula, special, style }: OpenCell): Cell | undefined {
    const shows = SHOWS_PICTURE.exec(formula ?? '') ?? (type === 'str' ? SHOWS_PICTURE.exec(value) : null);
    // Excel keeps a picture that it fetched as a value of its own, behind the same formula.
    if (shows?.[1]?.toUpperCase() === 'IMAGE') return { text: '', fault: FOREIGN_PICTURE };
    if (shows) return pictureCell(this.pictures.ofId(shows[2] ?? ''));
    if (special !== null) {
      const picture = this.pictures.ofValue(special);
      if (picture) return pictureCell(picture);
      if (type === 'e')
        return { text: '', fault: '单元格里是表格导入读不了的特殊内容（如股票、地理数据），请改为文字或图片' };
    }
    if (formula !== null && this.formulas)
      return {
        text: '',
        fault: '单元格里的公式显示为公式本身（工作表设了“显示公式”），请取消后保存，或改为要显示的内容',
      };
    if (formula !== null && this.recalculated)
      return {
        text: '',
        fault:
          '单元格里的公式没有算过：里面的结果是写文件的程序填的，表格软件打开时会重新计算；请用表格软件打开文件并保存一次',
      };
    if (value !== '' && this.hasNoStyle(style)) return { text: '', fault: NO_STYLE };
    if (type === 'e') return { text: '', fault: `单元格里是错误值 ${value || '#VALUE!'}` };
    if (value === '') {
      return formula !== null && type !== 'str'
        ? { text: '', fault: '单元格里的公式没有计算结果，请用表格软件打开文件并保存一次' }
        : undefined;
    }
    const { formatId = 0, code, look = PLAIN_LOOK } = this.styles[style] ?? {};
    switch (type) {
      case 's': {
        const text = this.strings[Number(value)];
        return text === undefined
          ? { text: '', fault: '单元格引用的文字不存在，文件可能已损坏' }
          : this.shown(text, style);
      }
      case 'str': {
        const cell = this.shown(unescaped(value), style);
        return cell && LINKS.test(formula ?? '') ? linked(cell) : cell;
      }
      case 'b':
        return cellText(isTrue(value) ? 'TRUE' : 'FALSE', look);
      case 'd': {
        const serial = isoSerial(value, this.from1904);
        return serial === null || (formatId === 0 && code === undefined)
          ? cellText(value.replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' '), look)
          : this.number(serial, style);
      }
      default: {
        const number = Number(value);
        return Number.isFinite(number) ? this.number(number, style) : { text: value };
      }
    }
  }

  /** A number as its cell shows it. */
  private number(number: number, style: number): Cell | undefined {
    const { formatId = 0, code, look = PLAIN_LOOK } = this.styles[style] ?? {};
    if (number === 0 && !this.zeros) return undefined;
    const text = numberText(number, formatId, code, this.from1904);
    if (text === null) return unknownFormat(code ?? `第 ${formatId} 号`);
    if (text === '') return undefined;
    const cell = cellText(text, look);
    return isLong(text, formatId, code) ? remarked(cell, longNumber(number, text)) : cell;
  }
}

/**
 * Rows of every visible worksheet of an .xlsx file, read as streams: only the table of shared texts is held. Formulas
 * are never computed: a formula cell gives the value that the spreadsheet program stored, or a fault. A cell merged over
 * several rows gives its text to each of them, marked as `merged`.
 * @param notes receives which sheets were not read because nobody sees them
 * @throws FileRefused with a Chinese sentence when the file cannot be read
 */
export async function* readXlsx(path: string, notes: string[] = []): AsyncGenerator<SheetRow> {
  const parts = await XlsxParts.open(path);
  try {
    const book = await readWorkbook(parts);
    if (book.hidden.length > 0) notes.push(`隐藏的工作表没有读取：${listed(book.hidden)}`);
    if (book.same.length > 0) notes.push(`和前面的工作表是同一份内容，没有再读：${listed(book.same)}`);
    const strings = await readStrings(parts, book.strings);
    const styles = await readStyles(parts, book.styles);
    const pictures = await CellPictures.read(parts, book.main);
    let rows = 0;
    for (const { name, part } of book.sheets)
      for await (const row of readSheet(
        { parts, part, sheet: name, conditional: styles.conditional, notes },
        new RowBuilder(strings, styles.cells, book, pictures),
      )) {
        rows += 1;
        if (rows > MOST_ROWS) throw new FileRefused(`所有工作表合计超过 ${MOST_ROWS} 行，请拆成几个文件`);
        yield row;
      }
  } finally {
    parts.zip.close();
  }
}

/** Names that one note has. */
const NAMED = 20;
const listed = (names: readonly string[]) =>
  names.slice(0, NAMED).join('、') + (names.length > NAMED ? ` 等 ${names.length} 张` : '');

interface SheetSource {
  parts: XlsxParts;
  part: string;
  sheet: string;
  /** By number, what conditional formats do. */
  conditional: Styles['conditional'];
  notes: string[];
}

async function* readSheet(
  { parts, part, sheet, conditional, notes }: SheetSource,
  rows: RowBuilder,
): AsyncGenerator<SheetRow> {
  const first = await parts.stream(part);
  if (!first) return;
  const tail = await readTail(first, conditional);
  if (tail.coloured !== '') notes.push(`工作表“${sheet}”的条件格式（颜色、加粗等）学员看不到：${tail.coloured}`);
  const merged = new MergedCells(tail.merges);
  const hung = hungAt(await readDrawings(parts, part, sheet), tail.merges);
  const commented = await readCommented(parts, part);
  const second = await parts.stream(part);
  if (!second) return;
  for await (const _ of xmlEvents(second, rows)) {
    for (const { row, cells, hidden } of rows.done.splice(0)) {
      merged.cover(row, cells);
      const drawn = takeHung(hung, row, cells);
      if (commented.size > 0)
        for (const [column, cell] of cells.entries())
          if (cell && commented.has(`${columnLetters(column)}${row + 1}`))
            cells[column] = remarked(cell, '有批注，没有读取，学员看不到；要紧的请写进单元格里');
      if (tail.linked.size > 0)
        for (const [column, cell] of cells.entries())
          if (cell && tail.linked.has(`${columnLetters(column)}${row + 1}`)) cells[column] = linked(cell);
      for (const { area, does } of tail.unsure)
        if (row >= area.top && row <= area.bottom)
          for (const [column, cell] of cells.entries())
            if (cell && column >= area.left && column <= area.right)
              cells[column] = remarked(
                cell,
                `上有条件格式（${does}），表格里可能显示得不一样，或看不见；学员看到的是单元格里的内容`,
              );
      merged.begin(row, cells);
      yield { sheet, row: row + 1, cells, ...(hidden && { hidden }), ...(drawn !== null && { drawn }) };
    }
  }
  // Rows that hold nothing else are not in the file.
  for (const row of hung.keys()) {
    const cells: (Cell | undefined)[] = [];
    const drawn = takeHung(hung, row, cells);
    yield { sheet, row: row + 1, cells, drawn: drawn ?? '' };
  }
}

/** Puts the pictures that hang at a row into its cells. @returns why something there cannot be read; null: nothing */
function takeHung(hung: Map<number, Hung[]>, row: number, cells: (Cell | undefined)[]): string | null {
  let why: string | null = null;
  for (const { column, picture } of hung.get(row) ?? []) {
    if (!picture.ok) {
      why ??= picture.why;
      continue;
    }
    const cell = cells[column] ?? { text: '' };
    cells[column] = { ...cell, pictures: [...(cell.pictures ?? []), picture.value] };
  }
  hung.delete(row);
  return why;
}
