import type { Media } from '#content/rich-text/media.ts';
import type { CheckedQuestion } from './question.ts';

/** A question as a file of questions gives it: checked, with the place it asks for. A pack names its places by keys instead. */
export interface FileQuestion extends CheckedQuestion {
  /** Names from the course down; [] when the row names no chapter. */
  chapter: string[];
  /** Sanitized HTML of the case material; '' when there is none. */
  material: string;
  /** The school's own key of it (编号), which survives corrected texts; null: the row has none. */
  schoolKey: string | null;
}

/** A question with the row that it stands in. */
export type SpooledQuestion = FileQuestion & { sheet: string; row: number };

/**
 * What one row of a file was found to be: a question, with sentences in Chinese of what shows otherwise than its author may have meant, or
 * every reason in Chinese why it is none; `columns` are the letters of the columns that they are about. `pictures` are those that its texts show as `media/…` and no earlier row gave. Every format has a reader
 * beside this file that gives these (`spreadsheet.ts`); `server/import/questions.ts` takes them to the stores. `sheet` is ''
 * where the format has none; `row` counts as the author's own program does, from 1. `paper` of a bad row names the paper that it stands in; left out: it is a row of questions.
 */
export type CheckedRow = { sheet: string; row: number } & (
  | { ok: true; question: FileQuestion; warnings: string[]; columns: string[]; pictures: Media[] }
  | { ok: false; why: string[]; columns?: string[]; topic: string; paper?: string }
);

/** A row that is no question. */
export type RejectedRow = Extract<CheckedRow, { ok: false }>;

/** A row of which something is said that shows only beside the others of its sheet: it comes behind them, and has come itself. */
export interface LaterWarning extends WarnedRow {
  ok: 'later';
}

/** A row that is a question, with what is worth looking at. `topic` begins the question, without formatting. */
export interface WarnedRow {
  sheet: string;
  row: number;
  why: string[];
  /** The letters of the columns that are meant, where they are known. */
  columns?: string[];
  topic: string;
}
