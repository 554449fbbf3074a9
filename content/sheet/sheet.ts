import type { Checked } from '#content/checked.ts';
import type { PictureWords } from './picture-words.ts';

/** How a piece of a text is formatted, as the element of HTML that says the same. */
export type Format = 'sup' | 'sub' | 'u' | 's' | 'strong' | 'em';

/** A piece of a cell's text, and how it is formatted. */
export interface Run {
  text: string;
  formats: readonly Format[];
}

/** A picture of a file where it stands in a cell or over it. */
export interface SheetPicture {
  /** Which picture of the file it is; the same one may stand in many cells. */
  part: string;
  /** As large as it is shown, in pixels; null: nothing says so. */
  width: number | null;
  height: number | null;
  /** The last row over which it hangs, where that is another than its cell's. */
  reaches?: number;
  /** It is shown in other colours, fainter, or cut to a shape. */
  altered?: true;
  /** Its alternative text. */
  words: PictureWords;
  /** Its bytes, as long as the file is being read. `most`: more of them are not read. */
  read: (most: number) => Promise<Checked<Uint8Array>>;
}

/** One cell: its text, or why it has none. */
export interface Cell {
  text: string;
  /** The same text in pieces, where some of it is formatted in a way that says something: 10³ is not 103. */
  runs?: readonly Run[];
  /** What nothing shows of it, or shows otherwise, each a sentence in Chinese that goes on behind the name of its column. */
  remarks?: readonly string[];
  /** How all of it looks (加粗, 带底色 …), in Chinese: nothing shows it, but it may say something beside others that look otherwise. */
  look?: string;
  /** Its column is hidden. */
  hidden?: true;
  /** A sentence in Chinese: the cell holds an error value, or a formula that was never computed. */
  fault?: string;
  /** The text comes from the first row of a vertically merged cell. */
  merged?: boolean;
  /** What is written in it and lies under a merged cell, which shows something else, or nothing. */
  covered?: string;
  /** Pictures in it, and those that hang over it by their upper left corner. */
  pictures?: readonly SheetPicture[];
}

/** One row as the spreadsheet program numbers it, from 1. Rows without any cell may be left out. */
export interface SheetRow {
  /** Name of the worksheet; '' for CSV. */
  sheet: string;
  row: number;
  /** By column from A; holes are empty cells. */
  cells: (Cell | undefined)[];
  /** Nobody sees it in the file: hidden, or filtered out. */
  hidden?: true;
  /** A drawing that is no picture hangs at this row, or a picture that cannot be read: why, in Chinese. */
  drawn?: string;
}

/** No spreadsheet program has more rows in a sheet (Excel: 1,048,576). */
export const MOST_ROWS = 1_048_576;

/** The file as a whole cannot be read; the message is a sentence in Chinese for the person. */
export class FileRefused extends Error {}
