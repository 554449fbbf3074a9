import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { RejectedRow } from '#content/question/file-question.ts';
import { inertCsvLine } from '#content/sheet/csv-line.ts';
import { spelledOut } from '#content/visible-text.ts';
import type { CommandContext } from '#server/command.ts';

/** Rejected rows shown on the screen when they also go to a file. */
const SHOWN_WITH_FILE = 20;

/** How a line for the operator begins that speaks of a row. */
export const place = ({ sheet, row }: { sheet: string; row: number }) =>
  sheet ? `${sheet} 第 ${row} 行` : `第 ${row} 行`;

/**
 * Lists rejected rows: on the screen, and in a CSV file where one is asked for.
 * @param path where the file goes; undefined: none is asked for
 */
export function rejectedRows(
  context: CommandContext,
  path: string | undefined,
): { add(row: RejectedRow): void; end(): Promise<void> } {
  let count = 0;
  let file: WriteStream | null = null;
  let failed: Error | null = null;
  return {
    add(row) {
      count += 1;
      const why = row.why.join('；');
      if (path !== undefined) {
        if (!file) {
          file = createWriteStream(path);
          file.on('error', (error) => {
            failed = error;
          });
          file.write('\ufeff工作表,行号,原因,题干\r\n');
        }
        file.write(inertCsvLine([row.sheet, String(row.row), why, row.topic].map(spelledOut)));
      }
      if (path !== undefined && count > SHOWN_WITH_FILE) return;
      context.progress.end();
      context.say(`${place(row)}：${why}`);
    },
    async end() {
      if (!file || path === undefined) return;
      file.end();
      if (!failed) await Promise.race([once(file, 'close'), once(file, 'error')]).catch(() => undefined);
      context.say(failed ? `写不了文件 ${path}：${failed.message}` : `全部未通过的行已写入 ${path}`);
    },
  };
}
