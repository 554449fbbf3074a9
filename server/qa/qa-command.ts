import { readFile } from 'node:fs/promises';
import { readWordList } from '#rules/qa/words.ts';
import { type Command, Refused, readArgs } from '#server/command.ts';
import { writeSetting } from '#server/db/settings-store.ts';
import { WORDS_SETTING } from './parts.ts';

/** The largest file: 20,000 words of some signs. */
const MOST_BYTES = 1024 * 1024;

const words: Command = {
  name: 'qa words',
  usage: '<文件>',
  says: '读入敏感词表（UTF-8，每行一个词；以 ! 开头的是放行的说法，以 # 开头的是备注），整体替换原来的；空文件表示不再检查',
  run: async (args, { openDb, say }) => {
    const [path = ''] = readArgs(args, 1, {}).words;
    const bytes = await readFile(path).catch(() => {
      throw new Refused(`读不到文件：${path}`);
    });
    if (bytes.length > MOST_BYTES) throw new Refused('词表太大：最多 1 MB');
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new Refused('词表不是 UTF-8 编码');
    }
    const read = readWordList(text.replaceAll('\u0000', ''));
    if (!read.ok)
      throw new Refused(
        `词表没有读入，这些行不能用（每个词 2 到 50 个字，最多两万行）：${read.lines.slice(0, 20).join('、')}`,
      );
    const db = await openDb();
    await writeSetting(db.query, WORDS_SETTING, text.replaceAll('\u0000', ''));
    say(`已读入 ${read.list.words.length} 个词，${read.list.allowed.length} 个放行的说法；之后发布的内容按此检查`);
    return 0;
  },
};

/** The operator's commands of Q&A. */
export const qaCommands: readonly Command[] = [words];
