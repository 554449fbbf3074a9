import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The template of the question spreadsheet is shipped as two files, which `tools/question-template.ts` makes from the
 * columns that the import reads, so that no writer of workbooks is needed at run time.
 */
const folder = join(import.meta.dirname, 'template');

/** The template with its examples as CSV: UTF-8 with a byte order mark, by which Excel knows it. */
export const templateCsv = (): string => readFileSync(join(folder, 'questions.csv'), 'utf8');

/** The template with its examples, a choice list for 题型, a sheet of papers and one that explains the columns. */
export const templateXlsx = (): Uint8Array => readFileSync(join(folder, 'questions.xlsx'));

/** Writes the template; the file's ending decides between xlsx and CSV. It never overwrites a file. */
export async function writeTemplate(path: string): Promise<void> {
  await writeFile(path, /\.csv$/i.test(path) ? templateCsv() : templateXlsx(), { flag: 'wx' });
}
