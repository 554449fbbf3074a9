import { columnLetters } from '#content/sheet/column-letters.ts';
import type { SheetRow } from '#content/sheet/sheet.ts';
import type { WarnedRow } from './file-question.ts';
import { LETTERS } from './question.ts';
import type { Column, Header } from './question-columns.ts';

const OPTIONS = LETTERS.map((letter) => `选项${letter}` as const);
const TEXTS: readonly Column[] = ['题干', '答案', '解析', '材料', '采点'];
const COLUMNS: readonly Column[] = ['题干', ...OPTIONS, '答案', '解析', '材料', '采点'];

/** Of a longer column that look is its own which all but a few of its cells have. */
const OWN_SHARE = 0.9;
const LONG_COLUMN = 10;
/** Rows that one warning names. */
const NAMED = 10;
/** Ways in which rows of one sheet look; no people's sheet has more. */
const MOST_WAYS = 2000;

/** Rows of a sheet whose cells look the same. */
interface Way {
  looks: ReadonlyMap<Column, string>;
  first: WarnedRow;
  /** Numbers of the rows after the first, as far as they are named. */
  others: number[];
  count: number;
}

/**
 * How whole cells of one sheet look (bold, coloured, filled …). Nothing of it is shown to students. What a column has throughout is how
 * the sheet looks, and said once; a row or an option that looks otherwise may say something by it (重点, the right answer), and is a warning, one
 * for all rows of which the same is to be said. It can be told only at the end of the sheet, when is known how its columns look.
 */
export class CellLooks {
  readonly #ways = new Map<string, Way>();
  #header: Header | null = null;
  /** The first row that is not compared, since there are too many ways. */
  #from: number | null = null;

  /** @param topic begins the question of the row */
  add({ sheet, row, cells }: SheetRow, header: Header, topic: string): void {
    this.#header = header;
    const looks = new Map<Column, string>();
    for (const column of COLUMNS) {
      const cell = cells[header.at.get(column) ?? -1];
      if (cell && !cell.merged && cell.text.trim() !== '') looks.set(column, cell.look ?? '');
    }
    const key = JSON.stringify([...looks]);
    const way = this.#ways.get(key);
    if (way) {
      way.count += 1;
      if (way.others.length < NAMED) way.others.push(row);
    } else if (this.#ways.size >= MOST_WAYS) this.#from ??= row;
    else this.#ways.set(key, { looks, first: { sheet, row, why: [], topic }, others: [], count: 1 });
  }

  /** What is to be said of rows, each sentence once, at the first of them. */
  warnings(): WarnedRow[] {
    const own = this.#own();
    const said = new Map<string, { columns: readonly Column[]; first: WarnedRow; rows: number[]; count: number }>();
    for (const { looks, first, others, count } of this.#ways.values())
      for (const { why, columns } of sentences(looks, own)) {
        const known = said.get(why);
        if (!known) said.set(why, { columns, first, rows: [...others], count });
        else {
          known.count += count;
          known.rows.push(first.row, ...others);
        }
      }
    return [...said]
      .map(([why, { columns, first, rows, count }]) => ({
        ...first,
        columns: columns.flatMap((column) => {
          const at = this.#header?.at.get(column);
          return at === undefined ? [] : [columnLetters(at)];
        }),
        why: [`${why}${alsoIn(rows, count)}`],
      }))
      .map((row) => ({ ...row, why: row.why.map((why) => `${why}（${row.columns.join('、')} 列）`) }))
      .sort((a, b) => a.row - b.row);
  }

  /** What is to be said of whole columns, and from which row on they are not compared. */
  notes(): string[] {
    const own = [...this.#own()].map(([column, look]) => `${column}（${look}）`);
    return [
      ...(own.length === 0 ? [] : [`整列的样子学员看不到：${own.join('、')}`]),
      ...(this.#from === null
        ? []
        : [`各行的样子（加粗、颜色等）超过 ${MOST_WAYS} 种，第 ${this.#from} 行起新出现的样子没有比较，学员也看不到`]),
    ];
  }

  /** The look that each column has throughout, where it is one. */
  #own(): Map<Column, string> {
    const own = new Map<Column, string>();
    for (const column of COLUMNS) {
      const counts = new Map<string, number>();
      let all = 0;
      for (const { looks, count } of this.#ways.values()) {
        const look = looks.get(column);
        if (look === undefined) continue;
        all += count;
        counts.set(look, (counts.get(look) ?? 0) + count);
      }
      for (const [look, count] of counts)
        if (look !== '' && count >= (all < LONG_COLUMN ? all : OWN_SHARE * all)) own.set(column, look);
    }
    return own;
  }
}

/** Which further rows something is said of. @param rows the others that have it, not all of them and in no order; count: of all */
export function alsoIn(rows: readonly number[], count: number): string {
  if (count === 1) return '';
  const named = [...rows].sort((a, b) => a - b).slice(0, NAMED);
  return `（第 ${named.join('、')}${count - 1 > named.length ? '…' : ''} 行也是，共 ${count} 行）`;
}

/** What is to be said of one row. @param own the looks of whole columns */
function sentences(
  looks: ReadonlyMap<Column, string>,
  own: ReadonlyMap<Column, string>,
): { why: string; columns: readonly Column[] }[] {
  const seen = new Map([...looks].map(([column, look]) => [column, look === own.get(column) ? '' : look]));
  const [whole] = seen.values();
  if (whole && seen.size > 1 && [...seen.values()].every((look) => look === whole))
    return [{ why: `整行是${whole}，别的行不是；学员看到的都一样，要紧的请写进文字里`, columns: [...seen.keys()] }];
  const found: { why: string; columns: readonly Column[] }[] = [];
  const options = OPTIONS.filter((column) => seen.has(column));
  if (new Set(options.map((column) => seen.get(column))).size > 1)
    for (const column of options)
      if (seen.get(column))
        found.push({
          why: `“${column}”整格是${seen.get(column)}，别的选项不是；学员看到的都一样，要区分它们请只给其中的字加格式`,
          columns: [column],
        });
  for (const column of TEXTS)
    if (seen.get(column))
      found.push({
        why: `“${column}”整格是${seen.get(column)}，别的行不是；学员看到的都一样，要紧的请写进文字里，或只给其中的字加格式`,
        columns: [column],
      });
  return found;
}
