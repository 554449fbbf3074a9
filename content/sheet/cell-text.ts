/** No text of a cell is longer (Excel: 32,767 characters); what follows is cut off. */
export const LONGEST_CELL = 100_000;

/** Excel writes characters that XML has no place for as `_x000D_`. @returns the text as it was meant */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
