/** A rectangle of cells, from 0, both edges counted in. */
export interface Area {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Row and column from 0, of a reference such as `AB12`; null for anything else. */
export function position(reference: string): { row: number; column: number } | null {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference);
  if (!match?.[1]) return null;
  const column = [...match[1]].reduce((sum, char) => sum * 26 + char.charCodeAt(0) - 64, 0) - 1;
  return column < 16_384 ? { row: Number(match[2]) - 1, column } : null;
}

/** The cells that `B2:C9` or `B2` names; null for anything else. */
export function areaOf(reference: string): Area | null {
  const [first = '', last = first] = reference.split(':');
  const [from, to] = [position(first), position(last)];
  return from && to ? { top: from.row, left: from.column, bottom: to.row, right: to.column } : null;
}
