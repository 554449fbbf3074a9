import { LONGEST_CELL, unescaped } from './cell-text.ts';
import type { Format, Run } from './sheet.ts';

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
}

/** A text of the file: plain, or in pieces where some of it is formatted. */
export type FileText = string | readonly Piece[];

/** More pieces make no text that people wrote. */
const MOST_PIECES = 2000;

const isSame = (one: Piece['formats'], other: Piece['formats']) => one?.join() === other?.join();

/** Reads the content of `si` and `is`: its text and the formats of its pieces; phonetic signs above it are left out. */
export class TextReader {
  private pieces: Piece[] = [];
  private formats: Format[] | null = null;
  private length = 0;
  private inText = false;
  private inPhonetic = false;

  readonly open = (name: string, val: string | undefined): void => {
    if (name === 'r') this.formats = null;
    else if (name === 'rPr') this.formats = [];
    else if (name === 'rPh') this.inPhonetic = true;
    else if (name === 't') this.inText = !this.inPhonetic;
    else {
      const format = this.inText ? null : formatOf(name, val);
      if (format && this.formats && !this.formats.includes(format)) this.formats.push(format);
    }
  };

  readonly text = (piece: string): void => {
    if (!this.inText || this.length >= LONGEST_CELL) return;
    this.length += piece.length;
    const last = this.pieces.at(-1);
    if (last && (isSame(last.formats, this.formats) || this.pieces.length >= MOST_PIECES)) last.text += piece;
    else this.pieces.push({ text: piece, formats: this.formats });
  };

  readonly close = (name: string): void => {
    if (name === 't') this.inText = false;
    else if (name === 'rPh') this.inPhonetic = false;
    else if (name === 'r') this.formats = null;
  };

  /** The text that was read; begins the next. */
  take(): FileText {
    const { pieces } = this;
    this.pieces = [];
    this.formats = null;
    this.length = 0;
    if (pieces.every(({ formats }) => !formats || formats.length === 0))
      return unescaped(pieces.map(({ text }) => text).join(''));
    return pieces.map(({ text, formats }) => ({ text: unescaped(text), formats }));
  }
}

/** Of the format of a whole cell, what says something of its text; bold is how a column looks. */
const OF_CELL: readonly Format[] = ['sup', 'sub', 's'];
/** Formats that say something only where other words beside them are without. */
const OF_WORDS: readonly Format[] = ['strong', 'em', 'u'];

/**
 * Text and runs of a cell. Bold, italic and underline that a whole cell has are its looks and left out; blanks keep their
 * underline, with which people draw the gaps to be filled.
 */
export function cellText(text: FileText, ofCell: readonly Format[]): { text: string; runs?: Run[] } {
  const pieces = typeof text === 'string' ? [{ text, formats: null }] : text;
  const whole = pieces.map(({ text }) => text).join('');
  const known = pieces.map(({ text, formats }) => ({ text, formats: formats ?? ofCell }));
  const visible = known.filter(({ text }) => text.trim() !== '');
  const looks = OF_WORDS.filter((format) => visible.every(({ formats }) => formats.includes(format)));
  const runs = known.map(({ text, formats }) => ({
    text,
    formats: formats.filter((format) =>
      text.trim() === '' ? format === 'u' && !looks.includes('u') : OF_CELL.includes(format) || !looks.includes(format),
    ),
  }));
  return runs.some(({ formats }) => formats.length > 0) ? { text: whole, runs } : { text: whole };
}
