import type { Readable } from 'node:stream';
import { type Area, areaOf } from './cell-area.ts';
import { columnLetters } from './column-letters.ts';
import { Conditional } from './conditional-look.ts';
import { FileRefused } from './sheet.ts';
import { xmlEvents } from './xlsx-package.ts';

const MOST_MERGES = 200_000;
/** Areas of conditional formats that are held apart; of more of them any cell may be one. */
const MOST_AREAS = 100;
/** Cells with a link that are told of; a sheet of Excel has 65,530. */
const MOST_LINKED = 200_000;
/** All cells of a sheet. */
const ALL: Area = { top: 0, left: 0, bottom: 1_048_575, right: 16_383 };

/** What stands behind the rows of a sheet and says something of its cells. */
interface SheetTail {
  /** Cells that are merged. */
  merges: Area[];
  /** Cells that a conditional format may show otherwise or not at all, with what it does to them. */
  unsure: { area: Area; does: string }[];
  /** Cells that lead somewhere, as they are called: `B5`. */
  linked: Set<string>;
  /** What conditional formats colour or stress without changing what is read, and where; '': nothing. */
  coloured: string;
}

/** The bytes behind the rows: no text of a cell can end them, since `<` is not written there as it is. */
async function* behindRows(stream: Readable): AsyncGenerator<Buffer> {
  let rest: string | null = '';
  for await (const bytes of stream) {
    if (rest === null) {
      yield bytes as Buffer;
      continue;
    }
    rest += (bytes as Buffer).toString('latin1');
    const end = /<\/(?:\w+:)?sheetData\s*>|<(?:\w+:)?sheetData\s*\/>/.exec(rest);
    if (end === null) rest = rest.slice(-100);
    else {
      yield Buffer.from(rest.slice(end.index + end[0].length), 'latin1');
      rest = null;
    }
  }
}

/** Adds the cells of an area by their names. @param most how many may be looked at @returns how many still may */
function addCells(names: Set<string>, area: Area | null, most: number): number {
  let left = most;
  if (!area) return left;
  for (let row = area.top; row <= area.bottom; row += 1)
    for (let column = area.left; column <= area.right; column += 1) {
      if (left === 0) return 0;
      left -= 1;
      names.add(`${columnLetters(column)}${row + 1}`);
    }
  return left;
}

/**
 * Reads what stands behind the rows in the file. The part is searched once before it is read. A cell merged only sideways has its text
 * in its first column, but a picture may hang over another one. Conditions are not computed: whatever a conditional format may do to a cell is told of it.
 * @param conditional by number, what conditional formats do (`dxfs` of the styles)
 */
export async function readTail(stream: Readable, conditional: readonly Conditional[]): Promise<SheetTail> {
  const tail: SheetTail = { merges: [], unsure: [], linked: new Set(), coloured: '' };
  const coloured = new Set<string>();
  let links = MOST_LINKED;
  let areas = '';
  let into: 'areas' | 'dxf' | null = null;
  let does = new Conditional();
  const told = () => {
    const named = areas.trim().split(/\s+/).filter(Boolean);
    if (does.changes !== '')
      for (const area of named.map((name) => areaOf(name) ?? ALL)) tail.unsure.push({ area, does: does.changes });
    else if (does.colours) for (const name of named) if (coloured.size < 10) coloured.add(name);
    const first = tail.unsure[0];
    if (tail.unsure.length > MOST_AREAS && first) tail.unsure = [{ area: ALL, does: first.does }];
  };
  for await (const _ of xmlEvents(behindRows(stream), {
    open: (name, attributes) => {
      if (name === 'mergeCell') {
        const area = areaOf(attributes.ref ?? '');
        if (tail.merges.length >= MOST_MERGES)
          throw new FileRefused(`工作表里合并的单元格太多，最多 ${MOST_MERGES} 处，请取消合并后再导入`);
        if (area) tail.merges.push(area);
      } else if (name === 'hyperlink') links = addCells(tail.linked, areaOf(attributes.ref ?? ''), links);
      else if (name === 'conditionalFormatting') {
        areas = attributes.sqref ?? '';
        does = new Conditional();
      } else if (name === 'sqref') into = 'areas';
      else if (name === 'cfRule' && attributes.dxfId !== undefined) does.add(conditional[Number(attributes.dxfId)]);
      else if (name === 'dxf') into = 'dxf';
      else if (name === 'dataBar' || name === 'iconSet' || name === 'colorScale') does.drawn(attributes);
      else if (into === 'dxf') does.read(name, attributes);
    },
    text: (piece) => {
      if (into === 'areas' && areas.length < 10_000) areas += piece;
    },
    close: (name) => {
      if (name === 'sqref' || name === 'dxf') into = null;
      else if (name === 'conditionalFormatting') told();
    },
  }));
  tail.coloured = [...coloured].join('、');
  return tail;
}
