import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { RejectedRow, WarnedRow } from '#content/question/file-question.ts';
import { inertCsvLine } from '#content/sheet/csv-line.ts';
import { spelledOut } from '#content/visible-text.ts';
import type { CommandContext } from '#server/command.ts';

/** Rejected rows shown on the screen when they also go to a file, and as many with warnings. */
const SHOWN_WITH_FILE = 20;
/** Rows with warnings shown on the screen when they go nowhere else. */
const WARNED_SHOWN = 200;

const place = ({ sheet, row }: WarnedRow) => (sheet ? `${sheet} 第 ${row} 行` : `第 ${row} 行`);

/**
 * Lists rejected rows, and good ones with warnings: on the screen, and in a CSV file where one is asked for.
 * @param path where the file goes; undefined: none is asked for
 */
export function rejectedRows(
  context: CommandContext,
  path: string | undefined,
): { add(row: RejectedRow): void; warn(row: WarnedRow): void; end(): Promise<void> } {
  const counts = { 不合格: 0, 提醒: 0 };
  let file: WriteStream | null = null;
  let failed: Error | null = null;
  const list = (row: WarnedRow, kind: keyof typeof counts) => {
    counts[kind] += 1;
    const why = row.why.join('；');
    if (path !== undefined) {
      if (!file) {
        file = createWriteStream(path);
        file.on('error', (error) => {
          failed = error;
        });
        file.write('\ufeff工作表,行号,列,原因,题干,类别\r\n');
      }
      const columns = (row.columns ?? []).join('、');
      file.write(inertCsvLine([row.sheet, String(row.row), columns, why, row.topic, kind].map(spelledOut)));
    }
    const most = path !== undefined ? SHOWN_WITH_FILE : kind === '提醒' ? WARNED_SHOWN : Number.POSITIVE_INFINITY;
    if (counts[kind] > most) return;
    context.progress.end();
    context.say(`${place(row)}：${kind === '提醒' ? '提醒：' : ''}${why}`);
    if (counts[kind] === WARNED_SHOWN && path === undefined && kind === '提醒')
      context.say('其余的提醒没有列出，要看全部请加上 --errors 文件.csv');
  };
  return {
    add: (row) => list(row, '不合格'),
    warn: (row) => list(row, '提醒'),
    async end() {
      if (!file || path === undefined) return;
      file.end();
      if (!failed) await Promise.race([once(file, 'close'), once(file, 'error')]).catch(() => undefined);
      context.say(failed ? `写不了文件 ${path}：${failed.message}` : `全部未通过和有提醒的行已写入 ${path}`);
    },
  };
}
