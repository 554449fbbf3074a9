import type { SchoolScoredKind } from '#contract/values/exam.ts';
import { addPoints } from './scoring.ts';

/** A row of a spreadsheet that puts a question into a paper, its cells checked one by one. */
export interface SheetPaperRow {
  /** Which question, by whatever tells two of them apart. */
  question: string;
  /** Its section (大题); '': the row says none. */
  section: string;
  /** Its place (顺序), from 1; null: the row says none. */
  order: number | null;
  /** What it gives in this paper. */
  score: number;
}

/** What keeps a paper from being what its rows show; `row` and `other` are places in the list of its rows, from 0. */
export type ArrangeFault =
  | { why: 'questionTwice'; row: number; other: number }
  /** Others of the paper name a section. */
  | { why: 'sectionMissing'; row: number; other: number }
  /** Others of the paper have an order. */
  | { why: 'orderMissing'; row: number; other: number }
  | { why: 'orderTwice'; row: number; other: number }
  /** A section goes on after another one has begun; `other` is the row in between. */
  | { why: 'sectionAgain'; row: number; other: number };

/** The sections of a paper, each with its rows in order. */
interface ArrangedPaper {
  sections: { title: string; rows: number[] }[];
  faults: ArrangeFault[];
  /** Numbers that the order leaves out between the first and the last: often a row that was forgotten. */
  skipped: number[];
}

/** Numbers that are named as left out. */
const MOST_SKIPPED = 5;

/**
 * Puts the rows of one paper in order (docs/decisions/075). Without 顺序 they stand as in the file. With it, numbers that come once in the
 * whole paper order the whole paper; numbers that begin anew in each section order its questions, and sections stand as in the file. What a section
 * holds stands together, or is a fault: nobody would see on the screen the order that the file shows.
 */
export function arrangePaper(rows: readonly SheetPaperRow[]): ArrangedPaper {
  const faults: ArrangeFault[] = [...repeated(rows), ...missing(rows)];
  const hasOrder = rows.some(({ order }) => order !== null);
  const numbers = rows.map(({ order }) => order);
  const throughout = hasOrder && new Set(numbers).size === rows.length;
  const inSection = new Map<string, number[]>();
  const listed = [...rows.keys()];
  if (throughout) listed.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
  let before: number | null = null;
  for (const row of listed) {
    const title = rows[row]?.section ?? '';
    const known = inSection.get(title);
    const isOther = before !== null && rows[before]?.section !== title;
    // Numbers of its own bring a section together wherever its rows stand.
    if (known && isOther && before !== null && (!hasOrder || throughout))
      faults.push({ why: 'sectionAgain', row, other: before });
    if (known) known.push(row);
    else inSection.set(title, [row]);
    before = row;
  }
  const sections = [...inSection].map(([title, own]) => ({ title, rows: own }));
  const skipped: number[] = [];
  if (throughout) skipped.push(...skippedOf(numbers));
  else if (hasOrder)
    for (const { rows: own } of sections) {
      own.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
      skipped.push(...skippedOf(own.map((row) => numbers[row] ?? null)));
      for (const [at, row] of own.entries()) {
        const last = own[at - 1];
        if (last !== undefined && numbers[row] !== null && numbers[row] === numbers[last])
          faults.push({ why: 'orderTwice', row: Math.max(row, last), other: Math.min(row, last) });
      }
    }
  return { sections, faults: faults.sort((a, b) => a.row - b.row), skipped: skipped.slice(0, MOST_SKIPPED) };
}

function repeated(rows: readonly SheetPaperRow[]): ArrangeFault[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ question }, row): ArrangeFault[] => {
    const other = first.get(question);
    if (other !== undefined) return [{ why: 'questionTwice', row, other }];
    first.set(question, row);
    return [];
  });
}

/** Rows that leave out what other rows of the paper say. */
function missing(rows: readonly SheetPaperRow[]): ArrangeFault[] {
  const titled = rows.findIndex(({ section }) => section !== '');
  const numbered = rows.findIndex(({ order }) => order !== null);
  return rows.flatMap(({ section, order }, row): ArrangeFault[] => [
    ...(titled >= 0 && section === '' ? [{ why: 'sectionMissing' as const, row, other: titled }] : []),
    ...(numbered >= 0 && order === null ? [{ why: 'orderMissing' as const, row, other: numbered }] : []),
  ]);
}

function skippedOf(numbers: readonly (number | null)[]): number[] {
  const there = new Set(numbers.filter((number) => number !== null));
  const last = Math.max(0, ...there);
  const skipped: number[] = [];
  for (let number = 1; number < last && skipped.length < MOST_SKIPPED; number += 1)
    if (!there.has(number)) skipped.push(number);
  return skipped;
}

/** What a paper says of itself; null: no row says it. */
export interface SheetPaperHead {
  kind: SchoolScoredKind | null;
  minutes: number | null;
  year: number | null;
  /** The points that it shall have in all. */
  total: number | null;
  passScore: number | null;
}

/** What is wrong with it. */
export type HeadFault =
  | { why: 'kindMissing' | 'minutesMissing' | 'yearMissing' | 'yearUnneeded' }
  /** The points of its questions make another sum; `difference` above 0: they make more. */
  | { why: 'total'; difference: number }
  | { why: 'passAbove' };

/** The points of the questions of a paper, in all. */
export const sumOf = (rows: readonly Pick<SheetPaperRow, 'score'>[]): number =>
  addPoints(rows.map(({ score }) => score));

/** Which fields a paper of a spreadsheet must or may not have, and whether its points add up. @param sum the points of its questions */
export function headFaults({ kind, minutes, year, total, passScore }: SheetPaperHead, sum: number): HeadFault[] {
  const faults: HeadFault[] = [];
  if (kind === null) faults.push({ why: 'kindMissing' });
  if (minutes === null) faults.push({ why: 'minutesMissing' });
  if (kind === 'past' && year === null) faults.push({ why: 'yearMissing' });
  if (kind !== null && kind !== 'past' && year !== null) faults.push({ why: 'yearUnneeded' });
  if (total !== null && total !== sum) faults.push({ why: 'total', difference: addPoints([sum, -total]) });
  if (passScore !== null && passScore > sum) faults.push({ why: 'passAbove' });
  return faults;
}

/** The first row that says something and the rows that say something else. @param said by row; null: nothing */
export function agreed<T extends string | number>(
  said: readonly (T | null)[],
): { value: T | null; row: number; others: number[] } {
  const row = said.findIndex((value) => value !== null);
  const value = said[row] ?? null;
  const others = [...said.keys()].filter((at) => said[at] !== null && said[at] !== value);
  return { value, row: Math.max(row, 0), others };
}
