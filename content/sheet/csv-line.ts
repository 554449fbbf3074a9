/** Text as a CSV cell that no spreadsheet program computes, whatever a stranger wrote into it. */
function inertCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}

/** A line of a CSV file that lists what others wrote: every cell quoted, none of them a formula. */
export const inertCsvLine = (cells: readonly string[]): string => `${cells.map(inertCell).join(',')}\r\n`;
