import { describeMistake } from '#content/pack/mistake.ts';
import { type Command, readArgs } from '#server/command.ts';
import { importStorefront } from './storefront.ts';

/** Brings in the front of the school: banners, ads, tips, the order of categories. */
export const storefrontCommand: Command = {
  name: 'import storefront',
  usage: '<文件夹>',
  says: '检查并导入学校的门面：首页横幅、课程页广告、小提示、课程分类的顺序；文件夹里不再有的不再展示。有任何错误都不导入，并列出全部错误',
  run: async (args, context) => {
    const [folder = ''] = readArgs(args, 1, {}).words;
    const done = await importStorefront(await context.openDb(), context.files, folder);
    if (!done.ok) {
      for (const mistake of done.mistakes) context.say(describeMistake(mistake));
      context.say(`共 ${done.mistakes.length} 处错误，没有导入`);
      return 1;
    }
    const { banners, ads, tips, categories, different } = done.report;
    context.say(
      `${different ? '已导入' : '没有变化'}：横幅 ${banners} 个，广告 ${ads} 个，提示 ${tips} 个，分类 ${categories} 个`,
    );
    return 0;
  },
};
