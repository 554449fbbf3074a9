import type { Area } from './cell-area.ts';
import { type Cell, FileRefused } from './sheet.ts';

/** Columns whose cells are merged downwards in the same row; each gives its text to every row it covers. */
const MOST_MERGED_COLUMNS = 200;
/** Merged cells in one row; no more can lie beside each other. */
const MOST_IN_ROW = 16_384;

/** What is said of a cell behind the name of its column where something is written under a merged cell. */
export const coveredText = (text: string): string =>
  `有被合并的单元格盖住的内容“${text.slice(0, 20)}”，表格里看不见，没有读取；要用它请取消合并`;

interface Merge {
  area: Area;
  /** Its first cell, once that was read. */
  cell: Cell | undefined;
}

/** What the rows of a sheet show where cells of it are merged, told row by row from above. */
export class MergedCells {
  readonly #areas: readonly Area[];
  #next = 0;
  #here: Merge[] = [];

  constructor(areas: readonly Area[]) {
    this.#areas = areas
      .filter(({ top, left, bottom, right }) => bottom > top || right > left)
      .sort((one, other) => one.top - other.top);
  }

  /**
   * Takes out what lies under merged cells, where it shows nowhere (a format that is painted over cells leaves it there), and lends the text of a cell that is
   * merged downwards to the rows that it covers. What says there what is shown anyway stays.
   */
  cover(row: number, cells: (Cell | undefined)[]): void {
    for (let area = this.#areas[this.#next]; area && area.top <= row; area = this.#areas[this.#next]) {
      this.#next += 1;
      this.#here.push({ area, cell: undefined });
    }
    if (this.#here.length === 0) return;
    this.#here = this.#here.filter(({ area }) => area.bottom >= row);
    if (this.#here.length > MOST_IN_ROW) throw new FileRefused(`第 ${row + 1} 行合并的单元格太多，请取消合并后再导入`);
    const lent = this.#here.filter(
      ({ area, cell }) => area.bottom > area.top && (cell ?? (area.top === row ? cells[area.left] : undefined)),
    );
    if (lent.length > MOST_MERGED_COLUMNS)
      throw new FileRefused(`第 ${row + 1} 行有超过 ${MOST_MERGED_COLUMNS} 列向下合并的单元格，请取消合并后再导入`);
    cells.forEach((own, column) => {
      for (const { area, cell } of this.#here) {
        const isOutside = row < area.top || column < area.left || column > area.right;
        if (isOutside || (row === area.top && column === area.left)) continue;
        const isBelow = column === area.left;
        if (own && isBelow && cell && cell.text.trim() === own.text.trim() && !own.fault) return;
        const text = own?.text.trim() ?? '';
        cells[column] = text === '' ? undefined : { text: '', covered: text };
      }
    });
    for (const { area, cell } of this.#here)
      if (cell && row > area.top) {
        const own = cells[area.left];
        if (own === undefined || own.covered !== undefined)
          cells[area.left] = { ...cell, merged: true, ...(own?.covered && { covered: own.covered }) };
      }
  }

  /** Keeps the first cells of what is merged from this row on, with all that is known of them. */
  begin(row: number, cells: readonly (Cell | undefined)[]): void {
    for (const merge of this.#here) if (merge.area.top === row) merge.cell = cells[merge.area.left];
  }
}
