import type { Cell, SheetRow } from '#content/sheet/sheet.ts';
import { readType } from './question.ts';
import type { Column, Header } from './question-columns.ts';
import type { RowReasons } from './row-reasons.ts';

const REQUIRED_OF_ROW = ['题型', '题干', '答案'] as const;
/** How much of a line is looked at for its type and topic (characters). */
const LONGEST_START = 2000;

/**
 * The row that a cell of CSV has taken in: the quotation mark that it begins with was meant as a sign (`"好的`), and its end is one of a row below. So each
 * line but the first that has a type where a row has one is a row; the first one has what was left of its own.
 */
function swallowedRow({ text }: Cell, column: number, { at }: Header): string | undefined {
  const [first = '', ...lines] = text.split(/\r\n?|\n/);
  const [type = 0, topic = 0, answer = 0] = REQUIRED_OF_ROW.map((name) => at.get(name));
  const marks = [',', '\t', ';'].filter((mark) => first.split(mark).length > answer - column);
  return lines.find((line) =>
    marks.some((mark) => {
      const cells = line.slice(0, LONGEST_START).split(mark);
      const word = cells[type]?.replaceAll('"', '') ?? '';
      return cells.length > Math.max(type, topic) && readType(word).ok;
    }),
  );
}

/** Refuses a row of CSV of which a cell took in rows below. */
export function refuseSwallowed(why: RowReasons<Column>, { sheet, cells }: SheetRow, header: Header): void {
  if (sheet !== '') return;
  for (const [column, cell] of cells.entries()) {
    const line =
      cell?.text.includes('\n') || cell?.text.includes('\r') ? swallowedRow(cell, column, header) : undefined;
    if (line !== undefined)
      why.add(
        `这一格把下面的行（“${line.slice(0, 20)}”）也读了进来：它开头的英文引号没有配对；请把整格放进英文引号，里面的引号写成两个`,
        column,
      );
  }
}
