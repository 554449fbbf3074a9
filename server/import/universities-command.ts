import { type Command, readArgs } from '#server/command.ts';
import { NONE_GOOD, SOME_BAD, sayRows, untilImported } from './row-report.ts';
import { importUniversities } from './universities.ts';

/** Brings in a school's own list of universities. */
export const universitiesCommand: Command = {
  name: 'import universities',
  usage: '<文件.csv|.xlsx> [--keep-good]',
  says: '导入学校自己的院校名单；有不合格的行时不导入，并逐行列出原因。--keep-good 只导入合格的行',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { 'keep-good': 'flag' });
    const report = await untilImported(
      context,
      importUniversities(await context.openDb(), context.files, words[0] ?? '', {
        keepGood: options['keep-good'],
        rejected: ({ row, name, why }) => {
          context.progress.end();
          context.say(`第 ${row} 行${name ? `（${name}）` : ''}：${why.join('；')}`);
        },
        progress: (step, done, of) => context.progress.show(step === 'read' ? '检查' : '校徽', done, of),
      }),
    );
    sayRows(context, report);
    const { good, bad, added, changed, unchanged } = report;
    if (report.imported) context.say(`导入完成：新增 ${added} 所，更新 ${changed} 所，未变 ${unchanged} 所`);
    else if (good > 0) context.say(SOME_BAD);
    else context.say(bad > 0 ? NONE_GOOD : '没有导入：表头下面没有院校');
    return report.imported ? 0 : 1;
  },
};
