import { randomBytes, randomUUID } from 'node:crypto';
import { refusals } from '#contract/envelope.ts';
import { GIVE_MOST, GIVE_REASON_LONGEST } from '#contract/values/exam.ts';
import { MOST_MINUTES } from '#rules/exam/reopen.ts';
import { type Command, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { findPackBySlug } from '#server/course/store.ts';
import { timeNow } from '#server/db/clock.ts';
import type { Db } from '#server/db/open.ts';
import { recordReopener } from './grading/reopen.ts';
import { findPaperNameByKey, listClosedByTime } from './grading/reopen-store.ts';
import { giveTime } from './invigilating/give-time.ts';
import { findExamOfRecord, findPaperId } from './invigilating/store.ts';
import type { TimeGift } from './record/given-time-store.ts';
import { recordStore } from './record/store.ts';
import { whoIAm } from './who-i-am.ts';

/** The time zone in which a school in China writes its times. */
const CHINA = '+08:00';

/** Why a record is not opened again, as a sentence about it. */
const WHY_NOT = {
  notFound: '没有这份试卷',
  notClosed: '这份试卷还没有交，不需要重新打开',
  openBeside: '这名学生已经又开始了同一份试卷，请等那一份交卷后再打开这一份',
  noEnd: `这份试卷限时，请用 --minutes 写明从现在起还有多少分钟（1 到 ${MOST_MINUTES}）`,
  noReason: '请用 --reason 写明原因',
} as const;

function minutesOf(typed: string | undefined): number | null {
  if (typed === undefined) return null;
  if (!/^\d{1,6}$/.test(typed.trim())) throw new WrongUsage('--minutes 要写整数分钟');
  return Number(typed);
}

/** A moment as `2026-11-20 18:00`, China time; epoch milliseconds. */
function momentOf(typed: string | undefined, option: string): number {
  const read = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/.exec(typed?.trim() ?? '');
  const moment = read ? Date.parse(`${read[1]}T${read[2]}${read[3] ?? ':00'}${CHINA}`) : Number.NaN;
  if (Number.isNaN(moment)) throw new WrongUsage(`请用 --${option} 写明时间（北京时间），例如 "2026-11-20 18:00"`);
  return moment;
}

const shownMoment = (moment: number) =>
  new Date(moment).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false });

const untilWhen = (endsAt: number | null) => (endsAt === null ? '不限时' : `${shownMoment(endsAt)}（北京时间）截止`);
const kept = ({ answers, late }: { answers: number; late: number }) =>
  `${answers} 个答案都在${late > 0 ? `，其中 ${late} 个是收卷后才送到的` : ''}`;

const reopen: Command = {
  name: 'exam reopen',
  usage: '<试卷记录编号> --reason <原因> [--minutes <分钟>]',
  says: '重新打开误收的试卷：答案保留，成绩和统计撤回，从现在起再给若干分钟。学生可能已看过这份试卷的解析，请学校斟酌',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { reason: 'text', minutes: 'text' });
    const recordId = Number(words[0]);
    if (!Number.isSafeInteger(recordId) || recordId < 1)
      throw new WrongUsage('试卷记录编号是一个正整数（在成绩页的地址里）');
    const minutes = minutesOf(options.minutes);
    const { reason = '' } = options;
    const db = await context.openDb();
    const reopenRecord = recordReopener(db);
    const now = await timeNow(db);
    const done = await db.transaction((trx) => reopenRecord(trx, { recordId, minutes, reason, doneBy: whoIAm(), now }));
    if (!done.ok) throw new Refused(`${WHY_NOT[done.why]}（编号 ${recordId}）`);
    context.say(`已重新打开试卷 ${recordId}：${untilWhen(done.endsAt)}，${kept(done)}`);
    return 0;
  },
};

const reopenAll: Command = {
  name: 'exam reopen-all',
  usage: '--pack <课程包代号> --paper <试卷代号> --from <时间> --to <时间> --reason <原因> --minutes <分钟>',
  says: '重新打开一份试卷在一段时间内到时自动收上来的全部记录（按成绩页上的交卷时间），例如时钟出错之后；学生自己交的不动',
  run: async (args, context) => {
    const { options } = readArgs(args, 0, {
      pack: 'text',
      paper: 'text',
      from: 'text',
      to: 'text',
      reason: 'text',
      minutes: 'text',
    });
    const { pack = '', paper = '', reason = '' } = options;
    if (!pack || !paper) throw new WrongUsage('请用 --pack 和 --paper 写明课程包和试卷的代号');
    const [from, to] = [momentOf(options.from, 'from'), momentOf(options.to, 'to')];
    const minutes = minutesOf(options.minutes);
    const db = await context.openDb();
    const reopenRecord = recordReopener(db);
    const doneBy = whoIAm();
    const packId = (await findPackBySlug(db.query, pack))?.id;
    if (packId === undefined) throw new Refused(`没有代号为“${pack}”的课程包`);
    const now = await timeNow(db);
    // All or none: a sentence about one record must not leave the others half done.
    const done = await db.transaction(async (trx) => {
      const name = await findPaperNameByKey(trx, packId, paper);
      if (name === null) throw new Refused(`课程包“${pack}”里没有代号为“${paper}”的试卷`);
      const opened: { endsAt: number | null; answers: number; late: number }[] = [];
      const beside: number[] = [];
      for (const recordId of await listClosedByTime(trx, { packId, paper, from, to })) {
        const one = await reopenRecord(trx, { recordId, minutes, reason, doneBy, now });
        if (one.ok) opened.push(one);
        else if (one.why === 'openBeside') beside.push(recordId);
        else throw new Refused(`${WHY_NOT[one.why]}（编号 ${recordId}），没有打开任何一份`);
      }
      return { name, opened, beside };
    });
    const [first] = done.opened;
    if (!first && done.beside.length === 0) throw new Refused('这段时间里没有到时自动收上来的这份试卷');
    if (first) {
      const sum = (count: 'answers' | 'late') => done.opened.reduce((all, one) => all + one[count], 0);
      const all = kept({ answers: sum('answers'), late: sum('late') });
      context.say(`已重新打开“${done.name}”的 ${done.opened.length} 份试卷：${untilWhen(first.endsAt)}，${all}`);
    }
    for (const recordId of done.beside) context.say(`没有打开 ${recordId}：${WHY_NOT.openBeside}`);
    return done.beside.length > 0 ? 1 : 0;
  },
};

/** What both commands that give time ask for. */
function giftOf({ minutes: typed, reason: written }: { minutes?: string | undefined; reason?: string | undefined }) {
  const minutes = minutesOf(typed) ?? 0;
  if (minutes < 1 || minutes > GIVE_MOST) throw new WrongUsage(`请用 --minutes 写明补多少分钟（1 到 ${GIVE_MOST}）`);
  const reason = written?.trim() ?? '';
  if (reason === '' || [...reason].length > GIVE_REASON_LONGEST)
    throw new WrongUsage(`请用 --reason 写明原因（最多 ${GIVE_REASON_LONGEST} 字），学员会看到`);
  return { minutes, reason };
}

/** Gives time to those of an exam who are meant, and says to how many. */
async function give(db: Db, gift: Pick<TimeGift, 'examId' | 'recordIds' | 'minutes' | 'reason'>): Promise<string> {
  const given = await giveTime(
    { db, records: recordStore(db), random: randomBytes },
    { ...gift, giveKey: `command-${randomUUID()}`, givenBy: null, doneBy: whoIAm(), now: await timeNow(db) },
  );
  if (!given.ok) throw new Refused(refusals[given.why].msg);
  return `已为 ${given.count} 份试卷补时 ${gift.minutes} 分钟`;
}

const giveTimeToOne: Command = {
  name: 'exam give-time',
  usage: '<试卷记录编号> --minutes <分钟> --reason <原因>',
  says: '给一份正在考的试卷补时；学员的页面在半分钟内看到新的结束时间。已经交卷的用 exam reopen',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { minutes: 'text', reason: 'text' });
    const recordId = Number(words[0]);
    if (!Number.isSafeInteger(recordId) || recordId < 1) throw new WrongUsage('试卷记录编号是一个正整数');
    const gift = giftOf(options);
    const db = await context.openDb();
    const examId = await findExamOfRecord(db.query, recordId);
    if (examId === undefined) throw new Refused(`没有这份试卷（编号 ${recordId}）`);
    context.say(await give(db, { ...gift, examId, recordIds: [recordId] }));
    return 0;
  },
};

const giveTimeToAll: Command = {
  name: 'exam give-time-all',
  usage: '--pack <课程包代号> --paper <试卷代号> --minutes <分钟> --reason <原因>',
  says: '给正在考一份试卷的全部学员补时，例如停电之后',
  run: async (args, context) => {
    const { options } = readArgs(args, 0, { pack: 'text', paper: 'text', minutes: 'text', reason: 'text' });
    const { pack = '', paper = '' } = options;
    if (!pack || !paper) throw new WrongUsage('请用 --pack 和 --paper 写明课程包和试卷的代号');
    const gift = giftOf(options);
    const db = await context.openDb();
    const packId = (await findPackBySlug(db.query, pack))?.id;
    if (packId === undefined) throw new Refused(`没有代号为“${pack}”的课程包`);
    const examId = await findPaperId(db.query, packId, paper);
    if (examId === undefined) throw new Refused(`课程包“${pack}”里没有代号为“${paper}”的试卷`);
    context.say(await give(db, { ...gift, examId }));
    return 0;
  },
};

/** The operator's commands about exams that students sit, or sat. */
export const examCommands: readonly Command[] = [giveTimeToOne, giveTimeToAll, reopen, reopenAll];
