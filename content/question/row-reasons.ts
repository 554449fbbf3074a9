import { columnLetters } from '#content/sheet/column-letters.ts';

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
