import { type Command, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { type EnteredYear, readWorkingDays, saveWorkingDays } from './working-days.ts';

const DAY = 24 * 60 * 60_000;

function yearOf(typed: string | undefined): number {
  if (!/^20\d\d$/.test(typed ?? '')) throw new WrongUsage('年份写四位数字，例如 2027');
  return Number(typed);
}

/** A day of this year as it is typed; epoch milliseconds. */
function dayOf(typed: string, year: number): number {
  const day = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(typed) : Number.NaN;
  if (Number.isNaN(day) || dateOf(day) !== typed) throw new WrongUsage(`“${typed}”不是日期，日期写成 ${year}-10-01`);
  if (!typed.startsWith(String(year))) throw new WrongUsage(`“${typed}”不在 ${year} 年`);
  return day;
}

const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);
const isWeekend = (day: number) => [0, 6].includes(new Date(day).getUTCDay());
const partsOf = (typed: string) =>
  typed
    .split(/[,，;；]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `2027-10-01..2027-10-07=国庆节,2027-01-01=元旦`, and `2027-09-26,2027-10-09`. */
function enteredYear(year: number, off: string, worked: string): EnteredYear {
  const days: EnteredYear = { off: {}, worked: [] };
  for (const part of partsOf(off)) {
    const [, from = '', to = from, name = ''] = /^([\d-]+)(?:\.\.([\d-]+))?=(.{1,20})$/.exec(part) ?? [];
    if (name === '') throw new WrongUsage(`“${part}”要写成 ${year}-10-01..${year}-10-07=国庆节`);
    const [first, last] = [dayOf(from, year), dayOf(to, year)];
    if (last < first) throw new WrongUsage(`“${part}”的结束早于开始`);
    for (let day = first; day <= last; day += DAY) days.off[dateOf(day)] = name.trim();
  }
  for (const part of partsOf(worked)) {
    if (!isWeekend(dayOf(part, year))) throw new WrongUsage(`${part} 不是周六或周日，不需要写成上班`);
    if (part in days.off) throw new WrongUsage(`${part} 既写成放假又写成上班`);
    days.worked.push(part);
  }
  if (!(`${year}-01-01` in days.off) || !(`${year}-10-01` in days.off))
    throw new WrongUsage('要写全年的放假安排，元旦和国庆节都要有');
  return days;
}

const set: Command = {
  name: 'workdays set',
  usage: '<年> --off <起..止=节日,…> [--work <调休上班的周末,…>]',
  says: '按国务院通知填写一年的放假安排，答疑按它承诺回复时间；程序自带的年份不必填写',
  run: async (args, { openDb, say }) => {
    const { words, options } = readArgs(args, 1, { off: 'text', work: 'text' });
    const year = yearOf(words[0]);
    if (!options.off) throw new WrongUsage('请用 --off 写明放假的日子');
    const days = enteredYear(year, options.off, options.work ?? '');
    await saveWorkingDays((await openDb()).query, year, days);
    say(`已保存 ${year} 年的安排：放假 ${Object.keys(days.off).length} 天，调休上班 ${days.worked.length} 天`);
    return 0;
  },
};

const show: Command = {
  name: 'workdays show',
  usage: '<年>',
  says: '列出一年的放假和调休上班的日子',
  run: async (args, { openDb, say }) => {
    const year = yearOf(readArgs(args, 1, {}).words[0]);
    const { years, off, worked } = await readWorkingDays((await openDb()).query);
    if (!years.has(year)) throw new Refused(`还没有 ${year} 年的安排，用 workdays set ${year} 填写`);
    const ofYear = (day: string) => day.startsWith(String(year));
    for (const [day, name] of [...off].filter(([day]) => ofYear(day)).sort()) say(`${day} 放假 ${name}`);
    for (const day of [...worked].filter(ofYear).sort()) say(`${day} 上班`);
    return 0;
  },
};

const forget: Command = {
  name: 'workdays forget',
  usage: '<年>',
  says: '去掉自己填写的一年的安排，回到程序自带的',
  run: async (args, { openDb, say }) => {
    const year = yearOf(readArgs(args, 1, {}).words[0]);
    await saveWorkingDays((await openDb()).query, year, null);
    say(`已去掉自己填写的 ${year} 年的安排`);
    return 0;
  },
};

/** The days on which the school answers, for the operator. */
export const workdaysCommands: readonly Command[] = [set, show, forget];
