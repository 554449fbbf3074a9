import { entitiesOf } from '#content/rich-text/html-tags.ts';
import { columnLetters } from '#content/sheet/column-letters.ts';
import type { SheetRow } from '#content/sheet/sheet.ts';
import { alsoIn } from './cell-looks.ts';
import type { WarnedRow } from './file-question.ts';
import { LETTERS } from './question.ts';
import type { Column, Header } from './question-columns.ts';

const COLUMNS: readonly Column[] = [
  '题干',
  ...LETTERS.map((letter) => `选项${letter}` as const),
  '答案',
  '解析',
  '材料',
  '采点',
];

/** Entities that the warning names. */
const NAMED = 5;
/** Rows that it names. */
const ROWS_NAMED = 10;

/**
 * Entities of HTML in the cells of one sheet (`&lt;`). Web editors write signs so and mean the sign, which is what students see; a question about HTML
 * means the entity. Which it is nobody can tell, so it is said: once, at the first row, since whole banks are written so.
 */
export class CellEntities {
  readonly #signs = new Map<string, string>();
  readonly #columns = new Set<number>();
  readonly #others: number[] = [];
  #first: WarnedRow | null = null;
  #count = 0;

  /** @param topic begins the question of the row */
  add({ sheet, row, cells }: SheetRow, header: Header, topic: string): void {
    let has = false;
    for (const column of COLUMNS) {
      const at = header.at.get(column);
      const cell = at === undefined ? undefined : cells[at];
      if (at === undefined || !cell || cell.merged) continue;
      for (const [entity, sign] of entitiesOf(cell.text)) {
        has = true;
        this.#columns.add(at);
        if (this.#signs.size < NAMED) this.#signs.set(entity, sign);
      }
    }
    if (!has) return;
    this.#count += 1;
    if (this.#first === null) this.#first = { sheet, row, why: [], topic };
    else if (this.#others.length < ROWS_NAMED) this.#others.push(row);
  }

  /** What is to be said of all of them, at the first row. */
  warnings(): WarnedRow[] {
    if (this.#first === null) return [];
    const columns = [...this.#columns].sort((a, b) => a - b).map(columnLetters);
    const signs = [...this.#signs].map(([entity, sign]) => `${entity} 是 ${sign}`).join('、');
    return [
      {
        ...this.#first,
        columns,
        why: [
          `有 HTML 的转义，学员看到的是它表示的字符（${signs}）；要显示转义本身，请把它的 & 写成 &amp;${alsoIn(this.#others, this.#count)}（${columns.join('、')} 列）`,
        ],
      },
    ];
  }
}
