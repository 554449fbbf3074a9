import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { FileRefused } from '#content/sheet.ts';
import { writeTemplate } from '#content/template.ts';
import { type Command, type CommandContext, Refused, readArgs } from '#server/command.ts';
import { describeMistake, importPack } from './import.ts';
import { importSpreadsheet, type RejectedRow, type SpreadsheetReport } from './import-spreadsheet.ts';

/** Rejected rows shown on the screen when they also go to a file. */
const SHOWN_WITH_FILE = 20;

const place = ({ sheet, row }: RejectedRow) => (sheet ? `${sheet} 第 ${row} 行` : `第 ${row} 行`);

/** A cell of the list of rejected rows. A spreadsheet program must not compute what a stranger wrote. */
function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}

/** Collects rejected rows: on the screen, and in a file where one is asked for. */
function rejectedRows(context: CommandContext, path: string | undefined) {
  let count = 0;
  let file: WriteStream | null = null;
  let failed: Error | null = null;
  return {
    add(row: RejectedRow): void {
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
        file.write(`${[row.sheet, String(row.row), why, row.topic].map(csvCell).join(',')}\r\n`);
      }
      if (path !== undefined && count > SHOWN_WITH_FILE) return;
      context.progress.end();
      context.say(`${place(row)}：${why}`);
    },
    async end(): Promise<void> {
      if (!file || path === undefined) return;
      file.end();
      if (!failed) await Promise.race([once(file, 'close'), once(file, 'error')]).catch(() => undefined);
      context.say(failed ? `写不了文件 ${path}：${failed.message}` : `全部未通过的行已写入 ${path}`);
    },
  };
}

function summary(report: SpreadsheetReport, dryRun: boolean): string {
  const { added, changed, unchanged } = report;
  const did = `新增 ${added} 题，更新 ${changed} 题，未变 ${unchanged} 题`;
  return dryRun ? `试运行，没有保存。将会：${did}` : `导入完成：${did}`;
}

const pack: Command = {
  name: 'import pack',
  usage: '<文件夹>',
  says: '检查并导入一个题库包；有任何错误都不导入，并列出全部错误',
  run: async (args, context) => {
    const [folder = ''] = readArgs(args, 1, {}).words;
    const done = await importPack(await context.openDb(), context.files, folder);
    if (!done.ok) {
      for (const mistake of done.mistakes) context.say(describeMistake(mistake));
      context.say(`共 ${done.mistakes.length} 处错误，没有导入`);
      return 1;
    }
    const { name, added, changed, unchanged, archived, different } = done.report;
    context.say(
      different
        ? `已导入“${name}”：新增 ${added} 题，更新 ${changed} 题，未变 ${unchanged} 题，停用 ${archived} 题`
        : `“${name}”没有变化（${unchanged} 题）`,
    );
    return 0;
  },
};

const questions: Command = {
  name: 'import questions',
  usage:
    '<文件.xlsx|.csv> --pack <题库包> [--course <课程>] [--name <新题库包的名称>] [--keep-good] [--dry-run] [--errors <文件.csv>]',
  says: '从表格导入试题；有不合格的行时不导入，并逐行列出原因。--keep-good 只导入合格的行',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, {
      pack: 'text',
      course: 'text',
      name: 'text',
      'keep-good': 'flag',
      'dry-run': 'flag',
      errors: 'text',
    });
    if (!options.pack) throw new Refused('请用 --pack 指明导入到哪个题库包');
    const rejected = rejectedRows(context, options.errors);
    const dryRun = options['dry-run'] ?? false;
    const keepGood = options['keep-good'] ?? false;
    const report = await importSpreadsheet(await context.openDb(), {
      file: words[0] ?? '',
      pack: options.pack,
      course: options.course,
      packName: options.name,
      keepGood,
      dryRun,
      rejected: rejected.add,
      progress: (step, done, of) => context.progress.show(step === 'read' ? '检查' : '写入', done, of),
      signal: context.signal,
    }).catch((error: unknown) => {
      context.progress.end();
      throw error instanceof FileRefused ? new Refused(error.message) : error;
    });
    context.progress.end();
    await rejected.end();
    for (const note of report.notes) context.say(`注意：${note}`);
    const wasWritten = report.imported || (dryRun && report.good > 0 && (report.bad === 0 || keepGood));
    if (report.bad > 0) context.say(`${report.bad} 行不合格，${report.good} 行合格`);
    if (wasWritten) context.say(summary(report, dryRun));
    else
      context.say(
        report.good > 0 ? '没有导入。改正后重试，或加上 --keep-good 只导入合格的行' : '没有导入：没有一行合格',
      );
    return wasWritten ? 0 : 1;
  },
};

const template: Command = {
  name: 'import template',
  usage: '<文件.xlsx|.csv>',
  says: '写出试题表格的模板',
  run: async (args, context) => {
    const [path = ''] = readArgs(args, 1, {}).words;
    if (!/\.(xlsx|csv)$/i.test(path)) throw new Refused('模板的文件名须以 .xlsx 或 .csv 结尾');
    await writeTemplate(path).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'EEXIST') throw new Refused(`文件已存在，没有覆盖：${path}`);
      if (code === 'ENOENT') throw new Refused(`没有这个文件夹：${path}`);
      throw error;
    });
    context.say(`模板已写入 ${path}`);
    return 0;
  },
};

/** The import commands. */
export const importCommands: readonly Command[] = [pack, questions, template];
