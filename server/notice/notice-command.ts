import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { refusals } from '#contract/envelope.ts';
import { ANNOUNCEMENT_LONGEST, type AnnouncementState } from '#contract/values/notice.ts';
import { chinaMoment, chinaTime, DAY } from '#rules/clock/china-day.ts';
import { type Command, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { findPackId } from '#server/course/pack-store.ts';
import { timeNow } from '#server/db/clock.ts';
import { announce, listAnnouncements, withdraw } from './announce.ts';

/** How long an announcement is shown where nothing is said. */
const USUAL = 14 * DAY;
const MOST_LISTED = 100;
/** Four bytes for each character that it may have, and some. */
const MOST_BYTES = 4 * ANNOUNCEMENT_LONGEST + 1024;

const STATES: Readonly<Record<AnnouncementState, string>> = {
  planned: '未开始',
  shown: '显示中',
  over: '已结束',
  withdrawn: '已撤回',
};

function momentOf(typed: string | undefined, option: string): number | undefined {
  if (typed === undefined) return undefined;
  const moment = chinaMoment(typed);
  if (moment === null) throw new WrongUsage(`--${option} 写北京时间，例如 "2026-11-20 18:00"`);
  return moment;
}

async function textOf({ text, file }: { text?: string; file?: string }): Promise<string> {
  if ((text === undefined) === (file === undefined)) throw new WrongUsage('请用 --text 或 --file 写明内容');
  if (file === undefined) return (text ?? '').replaceAll('\\n', '\n');
  const bytes = await readFile(file).catch(() => {
    throw new Refused(`读不到文件：${file}`);
  });
  if (bytes.length > MOST_BYTES) throw new Refused(`内容太长：最多 ${ANNOUNCEMENT_LONGEST} 个字`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refused('文件不是 UTF-8 编码，请另存为 UTF-8');
  }
}

const send: Command = {
  name: 'notice announce',
  usage: '<标题> (--text <内容> | --file <文件>) [--pack <课程包代号>] [--from <时间>] [--until <时间>]',
  says: '发布通知：每人登录后弹出一次，之后在“通知”里；不写 --pack 发给所有人，不写 --until 显示 14 天（北京时间）',
  run: async (args, { openDb, say }) => {
    const { words, options } = readArgs(args, 1, {
      text: 'text',
      file: 'text',
      pack: 'text',
      from: 'text',
      until: 'text',
    });
    const [fromAt, until] = [momentOf(options.from, 'from'), momentOf(options.until, 'until')];
    const content = await textOf(options);
    const db = await openDb();
    const now = await timeNow(db);
    const packId = options.pack === undefined ? undefined : await findPackId(db.query, options.pack);
    if (packId === null) throw new Refused(`没有代号为“${options.pack}”的课程包`);
    const untilAt = until ?? Math.max(now, fromAt ?? now) + USUAL;
    const announced = await announce(
      { db, random: randomBytes },
      { name: words[0] ?? '', content, packId, fromAt, untilAt },
      { by: null, now },
    );
    if (!announced.ok) throw new Refused(refusals[announced.why].msg);
    const { id, from_at: from } = announced.announcement;
    say(`已发布通知 ${id}，${from > now ? `从 ${chinaTime(from)} 起` : ''}显示到 ${chinaTime(untilAt)}（北京时间）`);
    return 0;
  },
};

const list: Command = {
  name: 'notice list',
  usage: '',
  says: '列出发布过的通知，新的在前',
  run: async (args, { openDb, say }) => {
    readArgs(args, 0, {});
    const db = await openDb();
    const { list: rows, total } = await listAnnouncements(db.query, {
      ...{ pageNum: 1, pageSize: MOST_LISTED },
      now: await timeNow(db),
    });
    for (const row of rows)
      say(
        `${row.id}  ${STATES[row.state]}  ${row.packName || '所有人'}  ${chinaTime(row.fromAt)} 到 ${chinaTime(row.untilAt)}  已读 ${row.readers} 人  ${row.userName || '命令'}  ${row.name}`,
      );
    say(`共 ${total} 条通知${total > rows.length ? `，只列出 ${rows.length} 条` : ''}`);
    return 0;
  },
};

const takeBack: Command = {
  name: 'notice withdraw',
  usage: '<通知编号>',
  says: '撤回一条通知：从此没有人再看到',
  run: async (args, { openDb, say }) => {
    const { words } = readArgs(args, 1, {});
    const id = Number(words[0]);
    if (!Number.isSafeInteger(id) || id < 1) throw new WrongUsage('通知编号是一个正整数，notice list 列出');
    const db = await openDb();
    const withdrawn = await withdraw(db.query, id, { by: null, now: await timeNow(db) });
    if (withdrawn === null) throw new Refused(`没有编号为 ${id} 的通知`);
    say(`已撤回通知 ${id}：${withdrawn.name}`);
    return 0;
  },
};

/** The operator's commands of notices. */
export const noticeCommands: readonly Command[] = [send, list, takeBack];
