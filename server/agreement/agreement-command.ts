import { readFile } from 'node:fs/promises';
import { agreementDocuments, agreementNames } from '#contract/values/agreement.ts';
import { chinaTime } from '#rules/clock/china-day.ts';
import { type Command, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { publishAgreement } from './publish.ts';
import { countConsents, readVersions } from './store.ts';

const publish: Command = {
  name: 'agreement publish',
  usage: '<1|2|3> <文件.md>',
  says: '发布协议的新版本：1 用户服务协议，2 隐私政策，3 儿童个人信息保护规则。已同意旧版的学员下次访问时会再次被询问；旧版保留',
  run: async (args, context) => {
    const [typed = '', path = ''] = readArgs(args, 2, {}).words;
    const document = agreementDocuments.find((id) => String(id) === typed);
    if (document === undefined) throw new WrongUsage('协议编号只能是 1、2 或 3');
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR'))
        throw new Refused(`没有这个文件：${path}`);
      throw error;
    });
    const published = await publishAgreement(await context.openDb(), { document, text }, Date.now());
    if (!published.ok) throw new Refused(`没有发布：${published.faults.join('；')}`);
    const name = agreementNames[document];
    context.say(
      published.same
        ? `《${name}》第 ${published.version} 版就是这份文本，没有重复发布`
        : `《${name}》第 ${published.version} 版已生效。查看：/agreeContentHtml?id=${document}`,
    );
    return 0;
  },
};

const list: Command = {
  name: 'agreement list',
  usage: '',
  says: '列出协议的全部版本、生效时间、文本指纹和同意的人数',
  run: async (args, context) => {
    readArgs(args, 0, {});
    const db = await context.openDb();
    const people = await countConsents(db.query);
    const versions = await readVersions(db.query);
    if (versions.length === 0) context.say('还没有发布协议。agreement publish 1 协议.md 发布第一版');
    for (const { document, version, hash, is_sample, published_at } of versions) {
      const agreed = people.find((of) => of.document === document && of.version === version)?.people ?? 0;
      const sample = is_sample === 1 ? '（自带的示例，请替换）' : '';
      context.say(
        `${document} 《${agreementNames[document]}》第 ${version} 版${sample}  ${chinaTime(published_at)}  ${hash.slice(0, 12)}  ${agreed} 人同意`,
      );
    }
    return 0;
  },
};

/** The commands about what people agree to. */
export const agreementCommands: readonly Command[] = [publish, list];
