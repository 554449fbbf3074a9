import { writeTemplate } from '#content/question/template.ts';
import { type Command, Refused, readArgs } from '#server/command.ts';

/** Writes the template of a question spreadsheet. */
export const templateCommand: Command = {
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
