import { FileRefused } from '#content/sheet/sheet.ts';
import { type CommandContext, Refused } from '#server/command.ts';

/** What every import of rows reports: of questions and of universities, from a spreadsheet or another format. */
export interface RowReport {
  good: number;
  bad: number;
  /** Sentences in Chinese worth saying: sheets and columns that were not read. */
  notes: string[];
  /** False when bad rows kept everything out. */
  imported: boolean;
}

/** What is said when bad rows kept the good ones out. */
export const SOME_BAD = '没有导入。改正后重试，或加上 --keep-good 只导入合格的行';
/** What is said where a note says why. */
export const NOT_IMPORTED = '没有导入';
/** What is said when no row was good. */
export const NONE_GOOD = '没有导入：没有一行合格';

/**
 * Waits for an import that shows its progress, and ends that line.
 * @throws Refused with the sentence of a file that cannot be read
 */
export async function untilImported<Report>(context: CommandContext, running: Promise<Report>): Promise<Report> {
  try {
    return await running;
  } catch (error) {
    throw error instanceof FileRefused ? new Refused(error.message) : error;
  } finally {
    context.progress.end();
  }
}

/** Says what is worth saying of the rows, before what was done with them. */
export function sayRows(context: CommandContext, { notes, good, bad }: RowReport): void {
  for (const note of notes) context.say(`注意：${note}`);
  if (bad > 0) context.say(`${bad} 行不合格，${good} 行合格`);
}
