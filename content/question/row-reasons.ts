import { columnLetters } from '#content/sheet/column-letters.ts';
import type { Cell } from '#content/sheet/sheet.ts';
import { visibleText } from '#content/visible-text.ts';

/** What is said of a row that nobody sees in the file. */
export const HIDDEN_ROW = '这一行在表格里是隐藏的（或被筛选掉了），照样导入；不要它请删掉这一行';

/** Sentences on one row, each with the letters of the columns that it is about: what a person has to look for in the file. */
export class RowReasons<Column extends string> {
  readonly #at: ReadonlyMap<Column, number>;
  readonly #sentences = new Set<string>();
  readonly #columns = new Set<number>();
  readonly #named = new Set<Column>();

  constructor(at: ReadonlyMap<Column, number>) {
    this.#at = at;
  }

  /** @param about the columns that it is about; one that the file does not have has no letter */
  add(why: string, ...about: readonly (Column | number)[]): void {
    const indexes: number[] = [];
    for (const one of about) {
      if (typeof one !== 'number') this.#named.add(one);
      const index = typeof one === 'number' ? one : this.#at.get(one);
      if (index !== undefined) indexes.push(index);
    }
    for (const index of indexes) this.#columns.add(index);
    this.#sentences.add(indexes.length > 0 ? `${why}（${indexes.map(columnLetters).join('、')} 列）` : why);
  }

  get size(): number {
    return this.#sentences.size;
  }

  /** Whether a sentence is about a column. */
  names(column: Column): boolean {
    return this.#named.has(column);
  }

  get sentences(): string[] {
    return [...this.#sentences];
  }

  /** The letters of all columns that the sentences are about, from the left. */
  get columns(): string[] {
    return [...this.#columns].sort((a, b) => a - b).map(columnLetters);
  }
}

/** Refuses what a word, a number or letters cannot show: pictures, words struck out, raised and lowered letters (10³ would read 103). */
export function refuseLooks<Column extends string>(
  why: RowReasons<Column>,
  column: Column,
  cell: Cell | undefined,
): void {
  const has = (format: 's' | 'sup' | 'sub') => cell?.runs?.some(({ formats }) => formats.includes(format));
  if (cell?.pictures) why.add(`“${column}”里有图片，这一列只能写字`, column);
  if (has('s')) why.add(`“${column}”里有加了删除线的字，请删掉它们，或取消删除线`, column);
  if (has('sup') || has('sub'))
    why.add(`“${column}”里有上标或下标，这一列只能显示普通的字，请改写（如 ² 用符号，或写成文字）`, column);
}

/** Refuses a row of CSV that has more cells than its header: what stands behind a comma in a text without quotes would be lost. */
export function refuseSurplus<Column extends string>(
  why: RowReasons<Column>,
  { sheet, cells }: { sheet: string; cells: readonly (Cell | undefined)[] },
  width: number,
): void {
  const more = sheet === '' ? cells.slice(width).map((cell) => visibleText(cell?.text ?? '').trim()) : [];
  const first = more.find((text) => text !== '');
  if (first !== undefined)
    why.add(
      `这一行比表头多出 ${more.length} 格（“${first.slice(0, 20)}”）：文字里的英文逗号等分隔符要放在英文引号里，否则后面的内容会错开`,
    );
}
