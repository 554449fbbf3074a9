/** What a part of a recording is called: its number in the stream, and when it began (epoch milliseconds). Nothing else on a disk is one. */
export const PART = /^\d{4,6}-\d{10,16}\.flv$/;

const numberOf = (name: string) => Number.parseInt(name, 10) || 0;

/** The order of parts by their names, also beyond four digits; an empty name is before all. */
export const byPartName = (one: string, other: string): number =>
  numberOf(one) - numberOf(other) || (one < other ? -1 : one > other ? 1 : 0);
