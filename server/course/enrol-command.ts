import { maskPhone, readPhone } from '#rules/user/phone.ts';
import { type Command, Refused, readArgs, WrongUsage } from '#server/command.ts';
import type { Db } from '#server/db/open.ts';
import { findUserByPhone } from '#server/user/store.ts';
import { endEnrolment, enrolBySchool } from './enrolment-store.ts';
import { findPackBySlug } from './store.ts';

/** Finds account and pack of an enrolment; refuses with the sentence for what is missing. */
async function findBoth(
  db: Db,
  typed: string,
  slug: string,
): Promise<{ userId: number; packId: number; phone: string }> {
  const read = readPhone(typed);
  if (!read.ok) throw new Refused('请输入正确的手机号');
  const user = await findUserByPhone(db.query, read.phone);
  if (!user) throw new Refused('没有这个手机号的账号，可以先建立：npm run lixue -- user add <手机号>');
  const pack = await findPackBySlug(db.query, slug);
  if (!pack) throw new Refused(`没有代号为“${slug}”的课程包`);
  return { userId: user.id, packId: pack.id, phone: read.phone };
}

/** How a student gets into a pack that is closed to those who would join by themselves; twice is the same as once. */
const add: Command = {
  name: 'enrol add',
  usage: '<手机号> --pack <课程包代号>',
  says: '为学生报名一个课程包，包括不开放自主报名的',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { pack: 'text' });
    if (!options.pack) throw new WrongUsage('请用 --pack 写明课程包代号');
    const db = await context.openDb();
    const { userId, packId, phone } = await findBoth(db, words[0] ?? '', options.pack);
    await enrolBySchool(db.query, userId, packId, Date.now());
    context.say(`已为 ${maskPhone(phone)} 报名“${options.pack}”`);
    return 0;
  },
};

/** Ends an enrolment. Records that the student has stay and can be looked at. */
const remove: Command = {
  name: 'enrol remove',
  usage: '<手机号> --pack <课程包代号>',
  says: '取消学生在一个课程包的报名；已有的考试记录保留',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { pack: 'text' });
    if (!options.pack) throw new WrongUsage('请用 --pack 写明课程包代号');
    const db = await context.openDb();
    const { userId, packId, phone } = await findBoth(db, words[0] ?? '', options.pack);
    if (!(await endEnrolment(db.query, userId, packId))) {
      throw new Refused(`${maskPhone(phone)} 没有报名“${options.pack}”`);
    }
    context.say(`已取消 ${maskPhone(phone)} 在“${options.pack}”的报名`);
    return 0;
  },
};

/** The commands that put a student into a pack and take one out. */
export const enrolCommands: readonly Command[] = [add, remove];
