import { CHARSET_OF_SIGNS, type Font, symbolFont } from '#content/symbol-font.ts';
import { LONGEST_CELL, unescaped } from './cell-text.ts';
import type { Cell, Format } from './sheet.ts';

/** How an element of a font is written as a format; `val="0"` takes it back, as LibreOffice writes it. */
export function formatOf(name: string, val: string | undefined): Format | null {
  if (val === '0' || val === 'false' || val === 'none' || val === 'baseline') return null;
  switch (name) {
    case 'vertAlign':
      return val === 'superscript' ? 'sup' : val === 'subscript' ? 'sub' : null;
    case 'u':
      return 'u';
    case 'strike':
      return 's';
    case 'b':
      return 'strong';
    case 'i':
      return 'em';
    default:
      return null;
  }
}

/** A piece of a text as the file has it; null: it looks as its cell does. */
interface Piece {
  text: string;
  formats: readonly Format[] | null;
  /** Its font; null: that of its cell. */
  font: Font | null;
}

/**
 * A text of the file: plain, or in pieces where some of it is formatted or coloured; `colours` and `sizes` (points) are those of what can be seen,
 * null: that of its cell. `doubled`: some of it has two lines below.
 */
export type FileText =
  | string
  | {
      pieces: readonly Piece[];
      colours: readonly (string | null)[];
      sizes: readonly (number | null)[];
      doubled: boolean;
    };

/** How a cell is formatted as a whole: formats, colour ('': that of text), its font with its size (points, 0: not said), and whether it has a colour of its own behind its text. */
export interface CellLook extends Font {
  formats: readonly Format[];
  colour: string;
  size: number;
  doubled: boolean;
  filled: boolean;
}

/** A cell that says nothing of how it looks. */
export const PLAIN_LOOK: CellLook = {
  ...{ formats: [], colour: '', name: '', ofSigns: false },
  ...{ size: 0, doubled: false, filled: false },
};

/** Whether an element of a font draws two lines below its text. */
export const isDouble = (name: string, val: string | undefined): boolean =>
  name === 'u' && (val === 'double' || val === 'doubleAccounting');

/** Attributes of an element of a font. */
type FontAttributes = Readonly<Record<string, string>>;

/** Which colour an element of a font says; '': that of text, however it is written. */
export function colourOf({ rgb, theme, indexed, tint = '' }: FontAttributes): string {
  if (rgb !== undefined) return /^(?:FF|00)?000000$/i.test(rgb) ? '' : rgb.toUpperCase();
  if (theme !== undefined) return theme === '1' && Number(tint) === 0 ? '' : `theme ${theme} ${tint}`;
  // 8 is black, 64 the system's colour of text.
  return indexed === undefined || indexed === '8' || indexed === '64' ? '' : `indexed ${indexed}`;
}

/** The colour of paper: theme 0 is the background, 9 and 65 are white. */
export const isWhite = (colour: string): boolean => /^(?:FF|00)?FFFFFF$|^theme 0 $|^indexed (?:1|9|65)$/i.test(colour);

/** Words of less than this share of the size of others were made small to mean something: a 2 below H2O, say. */
const SMALL = 0.75;

/** More pieces make no text that people wrote. */
const MOST_PIECES = 2000;

const isSame = (one: Piece['formats'], other: Piece['formats']) => one?.join() === other?.join();

const isSameFont = (one: Font | null, other: Font | null) =>
  one?.name === other?.name && one?.ofSigns === other?.ofSigns;

/** Reads the content of `si` and `is`: its text and the formats of its pieces; phonetic signs above it are left out. */
export class TextReader {
  private pieces: Piece[] = [];
  private formats: Format[] | null = null;
  private colour: string | null = null;
  private font: Font | null = null;
  private size: number | null = null;
  private double = false;
  private readonly colours = new Set<string | null>();
  private readonly sizes = new Set<number | null>();
  private doubled = false;
  private length = 0;
  private inText = false;
  private inPhonetic = false;

  readonly open = (name: string, attributes: FontAttributes): void => {
    if (name === 'r') this.unformatted();
    else if (name === 'rPr') {
      this.formats = [];
      this.colour = '';
    } else if (name === 'rPh') this.inPhonetic = true;
    else if (name === 't') this.inText = !this.inPhonetic;
    else if (name === 'color' && this.formats && !this.inText) this.colour = colourOf(attributes);
    else if (name === 'sz' && this.formats && !this.inText) this.size = Number(attributes.val) || null;
    else if (name === 'rFont' && this.formats && !this.inText)
      this.font = { name: attributes.val ?? '', ofSigns: this.font?.ofSigns ?? false };
    else if (name === 'charset' && this.formats && !this.inText)
      this.font = { name: this.font?.name ?? '', ofSigns: attributes.val === CHARSET_OF_SIGNS };
    else {
      const format = this.inText ? null : formatOf(name, attributes.val);
      if (format && this.formats && !this.formats.includes(format)) this.formats.push(format);
      if (this.formats && !this.inText) this.double ||= isDouble(name, attributes.val);
    }
  };

  readonly text = (piece: string): void => {
    if (!this.inText || this.length >= LONGEST_CELL) return;
    this.length += piece.length;
    this.doubled ||= this.double;
    if (piece.trim() !== '') {
      this.colours.add(this.colour);
      // Raised and lowered letters are small by themselves.
      if (!this.formats?.some((format) => OF_CELL.includes(format))) this.sizes.add(this.size);
    }
    const last = this.pieces.at(-1);
    const isLast = last && isSameFont(last.font, this.font) && isSame(last.formats, this.formats);
    if (last && (isLast || this.pieces.length >= MOST_PIECES)) last.text += piece;
    else this.pieces.push({ text: piece, formats: this.formats, font: this.font });
  };

  readonly close = (name: string): void => {
    if (name === 't') this.inText = false;
    else if (name === 'rPh') this.inPhonetic = false;
    else if (name === 'r') this.unformatted();
  };

  private unformatted(): void {
    this.formats = null;
    this.colour = null;
    this.font = null;
    this.size = null;
    this.double = false;
  }

  /** The text that was read; begins the next. */
  take(): FileText {
    const { pieces } = this;
    const colours = [...this.colours];
    const sizes = [...this.sizes];
    const { doubled } = this;
    this.pieces = [];
    this.unformatted();
    this.colours.clear();
    this.sizes.clear();
    this.doubled = false;
    this.length = 0;
    const plain = pieces.every(
      ({ text, formats, font }) =>
        (!formats || formats.length === 0) && (font === null || symbolFont(font, text) === null),
    );
    if (plain && colours.every((colour) => colour === null)) return unescaped(pieces.map(({ text }) => text).join(''));
    return { pieces: pieces.map((piece) => ({ ...piece, text: unescaped(piece.text) })), colours, sizes, doubled };
  }
}

/** Of the format of a whole cell, what says something of its text; bold is how a column looks. */
const OF_CELL: readonly Format[] = ['sup', 'sub', 's'];
/** Formats that say something only where other words beside them are without. */
const OF_WORDS: readonly Format[] = ['strong', 'em', 'u'];

const LOOKS: Partial<Record<Format, string>> = { strong: '加粗', em: '斜体', u: '下划线' };

/**
 * Text and runs of a cell. Bold, italic and underline that a whole cell has are its looks and left out; blanks keep their
 * underline, with which people draw the gaps to be filled. Of colours only is told that some words, or the whole cell, have another one, and of words that are much smaller that they are. Words in a
 * font of signs (√ of Wingdings is ü) are a fault: no page has that font.
 */
export function cellText(text: FileText, ofCell: CellLook): Cell {
  const { pieces, colours, sizes, doubled } =
    typeof text === 'string'
      ? { pieces: [{ text, formats: null, font: null }], colours: [], sizes: [], doubled: false }
      : text;
  const whole = pieces.map(({ text }) => text).join('');
  for (const { text, font } of pieces) {
    const signs = symbolFont(font ?? ofCell, text);
    if (signs !== null)
      return {
        text: whole,
        fault: `里有用 ${signs} 字体显示的符号，学员看到的会是别的字，请换成通常的字符（如 √、×、α）`,
      };
  }
  const known = pieces.map(({ text, formats }) => ({ text, formats: formats ?? ofCell.formats }));
  const visible = known.filter(({ text }) => text.trim() !== '');
  const looks = OF_WORDS.filter((format) => visible.every(({ formats }) => formats.includes(format)));
  const runs = known.map(({ text, formats }) => ({
    text,
    formats: formats.filter((format) =>
      text.trim() === '' ? format === 'u' && !looks.includes('u') : OF_CELL.includes(format) || !looks.includes(format),
    ),
  }));
  const seen = new Set(colours.length === 0 ? [ofCell.colour] : colours.map((colour) => colour ?? ofCell.colour));
  const isUnseen = !ofCell.filled && visible.length > 0 && [...seen].some(isWhite);
  const look = [
    ...looks.map((format) => LOOKS[format] ?? ''),
    ...(seen.size === 1 && !seen.has('') && !isUnseen ? ['别的颜色'] : []),
    ...(ofCell.filled ? ['带底色'] : []),
  ];
  const points = sizes.map((size) => size ?? ofCell.size).filter((size) => size > 0);
  const isSmall = points.length > 1 && Math.min(...points) < SMALL * Math.max(...points);
  const isDoubled = doubled || (typeof text === 'string' && ofCell.doubled);
  const remarks = [
    ...(seen.size > 1 ? ['里有一部分字是别的颜色，学员看到的没有颜色；要区分它们请用加粗或下划线'] : []),
    ...(isUnseen ? ['里有白色的字，表格里看不见，学员看得见；不要它们请删掉'] : []),
    ...(isSmall ? ['里有一部分字小得多，学员看到的一样大；上标、下标请用单元格格式里的上标、下标'] : []),
    ...(isDoubled && !looks.includes('u') ? ['里有双下划线，学员看到的是单下划线'] : []),
  ];
  return {
    text: whole,
    ...(runs.some(({ formats }) => formats.length > 0) && { runs }),
    ...(remarks.length > 0 && { remarks }),
    ...(look.length > 0 && visible.length > 0 && { look: look.join('、') }),
  };
}
