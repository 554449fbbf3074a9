import { randomInt } from 'node:crypto';
import { refusals } from '#contract/envelope.ts';
import type { Role } from '#contract/values/user.ts';
import { maskPhone, readPhone } from '#rules/user/phone.ts';
import { type Command, Refused, readArgs, WrongUsage } from '#server/command.ts';
import {
  type AdminAnswer,
  createAccount,
  forgetIdentities,
  forgetIdentity,
  setDisabled,
  setPassword,
  setPhone,
  setRole,
} from './admin.ts';

/** Letters and digits that nobody confuses when reading them out. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * A password to hand to a person: 4 groups of 4, some 79 bits. It is drawn here rather than typed, since what is typed
 * after a command stays in the shell's history and is often weak.
 */
function drawPassword(): string {
  const group = () => Array.from({ length: 4 }, () => READABLE[randomInt(READABLE.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** The account a command was about, or its refusal as a sentence. */
function idOf(answer: AdminAnswer): number {
  if (answer.ok) return answer.userId;
  throw new Refused(answer.why === 'notFound' ? '没有这个手机号的账号' : refusals[answer.why].msg);
}

const shown = (typed: string) => {
  const read = readPhone(typed);
  return read.ok ? maskPhone(read.phone) : typed;
};

function adder(name: string, role: Role, title: string): Command {
  return {
    name,
    usage: '<手机号> [--name <姓名>] [--nickname <昵称>] [--password]',
    says: `新建${title}账号。不加 --password 时用短信验证码登录；加上则生成一个初始密码`,
    run: async (args, context) => {
      const { words, options } = readArgs(args, 1, { name: 'text', nickname: 'text', password: 'flag' });
      const [phone = ''] = words;
      const password = options.password ? drawPassword() : undefined;
      const account = { phone, role, nickname: options.nickname, userName: options.name, password };
      const id = idOf(await createAccount(await context.openDb(), account, Date.now()));
      context.say(`已新建${title} ${shown(phone)}，编号 ${id}`);
      if (password) context.say(`初始密码：${password}`);
      return 0;
    },
  };
}

const password: Command = {
  name: 'user password',
  usage: '<手机号>',
  says: '给账号生成一个新密码并显示；它在所有设备上的登录都会结束',
  run: async (args, context) => {
    const [phone = ''] = readArgs(args, 1, {}).words;
    const fresh = drawPassword();
    idOf(await setPassword(await context.openDb(), phone, fresh));
    context.say(`${shown(phone)} 的新密码：${fresh}`);
    return 0;
  },
};

function switcher(name: string, disabled: boolean, says: string, done: string): Command {
  return {
    name,
    usage: '<手机号>',
    says,
    run: async (args, context) => {
      const [phone = ''] = readArgs(args, 1, {}).words;
      idOf(await setDisabled(await context.openDb(), phone, disabled));
      context.say(`${shown(phone)} ${done}`);
      return 0;
    },
  };
}

const role: Command = {
  name: 'user role',
  usage: '<手机号> <student|teacher>',
  says: '把账号设为学员（student）或教师（teacher）',
  run: async (args, context) => {
    const [phone = '', next = ''] = readArgs(args, 2, {}).words;
    if (next !== 'student' && next !== 'teacher') throw new WrongUsage('身份只能是 student 或 teacher');
    idOf(await setRole(await context.openDb(), phone, next));
    context.say(`${shown(phone)} 现在是${next === 'teacher' ? '教师' : '学员'}`);
    return 0;
  },
};

const phone: Command = {
  name: 'user phone',
  usage: '<账号编号> <新手机号>',
  says: '给账号换手机号，它在所有设备上的登录都会结束。用于手机号已停用的学员，或号码被新主人注册后把旧账号交还本人；请先核对身份',
  run: async (args, context) => {
    const [typed = '', next = ''] = readArgs(args, 2, {}).words;
    if (!/^[1-9]\d{0,14}$/.test(typed)) throw new WrongUsage('账号编号是一个数字');
    const answer = await setPhone(await context.openDb(), Number(typed), next, Date.now());
    if (!answer.ok && answer.why === 'notFound') throw new Refused('没有这个编号的账号，或它已注销');
    idOf(answer);
    context.say(`账号 ${typed} 的手机号现在是 ${shown(next)}`);
    return 0;
  },
};

const identity: Command = {
  name: 'user forget-identity',
  usage: '<手机号>',
  says: '清除账号的实名信息，让本人重新填写；用于填错，或身份证号被他人冒用',
  run: async (args, context) => {
    const [typed = ''] = readArgs(args, 1, {}).words;
    const answer = await forgetIdentity(await context.openDb(), typed);
    if (!answer.ok && answer.why === 'notFound') throw new Refused('没有这个手机号的账号，或它没有填写实名信息');
    idOf(answer);
    context.say(`${shown(typed)} 的实名信息已清除`);
    return 0;
  },
};

const identities: Command = {
  name: 'user forget-identities',
  usage: '--secret-is-lost',
  says: '身份证号的密钥（IDENTITY_SECRET 或 identity.key）丢失后使用：清除全部实名信息，学员需重新填写。密钥还在时不要用',
  run: async (args, context) => {
    if (readArgs(args, 0, { 'secret-is-lost': 'flag' }).options['secret-is-lost'] !== true)
      throw new WrongUsage('这会清除所有人的实名信息。确定密钥已丢失，请加 --secret-is-lost');
    const count = await forgetIdentities(await context.openDb());
    context.say(
      `已清除 ${count} 个账号的实名信息。未满 14 周岁的账号仍按未成年人对待，重新填写前请先 user forget-identity <手机号>`,
    );
    return 0;
  },
};

/** The commands about accounts. */
export const userCommands: readonly Command[] = [
  adder('user add', 'student', '学员'),
  adder('teacher add', 'teacher', '教师'),
  password,
  switcher('user disable', true, '停用账号：不能再登录，已有的登录立即结束，学习记录保留', '已停用'),
  switcher('user enable', false, '重新启用账号', '已启用'),
  role,
  phone,
  identity,
  identities,
];
