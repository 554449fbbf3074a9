import type { SchoolScoredKind } from '#contract/values/exam.ts';
import type { PaperColumn } from './paper-columns.ts';

/** What a row of papers says of its paper as a whole; null: nothing. */
export interface FilePaperHead {
  /** The school's own key of it (试卷编号), which survives another name. */
  paperKey: string | null;
  kind: SchoolScoredKind | null;
  minutes: number | null;
  /** The points that it shall have in all. */
  total: number | null;
  passScore: number | null;
  year: number | null;
  /** Share of the points for a proper subset of the right letters. */
  partial: number | null;
}

/** A row of a file that puts a question into a paper: its cells, checked one by one (docs/guide/question-spreadsheet.md). */
export interface FilePaperRow {
  /** Name of the paper. */
  paper: string;
  head: FilePaperHead;
  /** Name of the section; '': none is said. */
  section: string;
  order: number | null;
  /** Which question: by its 编号, or by the row of the same file that it stands in; `sheet` null: the row names none. */
  names: { schoolKey: string } | { sheet: string | null; row: number };
  /** What it gives in the paper; null: its own points. */
  score: number | null;
}

/** A good row of papers. Bad ones are rejected rows like others. */
export interface CheckedPaperRow {
  sheet: string;
  row: number;
  ok: true;
  standing: FilePaperRow;
  /** Where the columns of its sheet are, one map for many rows: what is found out later names them, too. */
  at: ReadonlyMap<PaperColumn, number>;
  /** Sentences in Chinese of what the sheet shows otherwise than it is read, and the letters of their columns. */
  warnings: string[];
  columns: string[];
}
