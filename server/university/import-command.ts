import { FileRefused } from '#content/sheet.ts';
import { type Command, Refused, readArgs } from '#server/command.ts';
import { importUniversities } from './import.ts';

const universities: Command = {
  name: 'import universities',
  usage: '<文件.csv|.xlsx> [--keep-good]',
  says: '导入学校自己的院校名单；有不合格的行时不导入，并逐行列出原因。--keep-good 只导入合格的行',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { 'keep-good': 'flag' });
    const report = await importUniversities(await context.openDb(), context.files, words[0] ?? '', {
      keepGood: options['keep-good'],
      rejected: ({ row, name, why }) => {
        context.progress.end();
        context.say(`第 ${row} 行${name ? `（${name}）` : ''}：${why.join('；')}`);
      },
      progress: (step, done, of) => context.progress.show(step === 'read' ? '检查' : '校徽', done, of),
    }).catch((error: unknown) => {
      context.progress.end();
      throw error instanceof FileRefused ? new Refused(error.message) : error;
    });
    context.progress.end();
    for (const note of report.notes) context.say(`注意：${note}`);
    const { good, bad, added, changed, unchanged } = report;
    if (bad > 0) context.say(`${bad} 行不合格，${good} 行合格`);
    if (report.imported) context.say(`导入完成：新增 ${added} 所，更新 ${changed} 所，未变 ${unchanged} 所`);
    else if (good === 0) context.say(bad > 0 ? '没有导入：没有一行合格' : '没有导入：表头下面没有院校');
    else context.say('没有导入。改正后重试，或加上 --keep-good 只导入合格的行');
    return report.imported ? 0 : 1;
  },
};

/** The commands for universities. */
export const universityCommands: readonly Command[] = [universities];
