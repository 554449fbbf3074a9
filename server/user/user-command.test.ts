import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandContext, Refused, WrongUsage } from '#server/command.ts';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { newPhone } from './sign-in.test-kit.ts';
import { userCommands } from './user-command.ts';

describe.each(databases)('account commands on $name', ({ kind }) => {
  let t: TestApp;
  let said: string[] = [];
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const run = async (name: string, ...args: string[]) => {
    const command = userCommands.find((known) => known.name === name);
    if (!command) throw new Error(`no such command: ${name}`);
    said = [];
    const context: CommandContext = {
      openDb: async () => t.db,
      files: t.parts.files,
      say: (line) => said.push(line),
      progress: { show: () => undefined, end: () => undefined },
      signal: new AbortController().signal,
    };
    return command.run(args, context);
  };
  const login = (phone: string, password: string) => t.raw('POST /api/user/login', { phone, password });
  const passwordSaid = () => said.join('\n').match(/密码：(\S+)/)?.[1] ?? '';

  it('makes a teacher whose first password works', async () => {
    const phone = newPhone();
    expect(await run('teacher add', phone, '--name', '张三', '--nickname', '张老师', '--password')).toBe(0);
    expect(said[0]).toMatch(/^已新建教师 \d{3}\*{4}\d{4}，编号 \d+$/);
    expect(await login(phone, passwordSaid())).toMatchObject({
      data: { user: { role: 'teacher', nickname: '张老师', userName: '张三' } },
    });
  });

  it('makes a student without a password', async () => {
    const phone = newPhone();
    expect(await run('user add', phone)).toBe(0);
    expect(said).toHaveLength(1);
    await expect(run('user add', phone)).rejects.toThrow(new Refused('该手机号已被使用'));
  });

  it('draws a new password, ends sessions, switches off and on, changes the role', async () => {
    const user = await t.user();
    const signedIn = async () => (await t.ok('GET /api/user/info', {}, { as: user })).user;
    await run('user role', user.phone, 'teacher');
    expect(await signedIn()).toMatchObject({ role: 'teacher' });
    await run('user password', user.phone);
    const fresh = passwordSaid();
    expect(fresh).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect(await signedIn()).toBeNull();
    await run('user disable', user.phone);
    expect((await login(user.phone, fresh)).code).toBe(422);
    await run('user enable', user.phone);
    expect((await login(user.phone, fresh)).code).toBe(200);
  });

  it('says what is wrong', async () => {
    await expect(run('user password', newPhone())).rejects.toThrow(new Refused('没有这个手机号的账号'));
    await expect(run('user disable', '123')).rejects.toThrow(new Refused('请输入正确的手机号'));
    await expect(run('user role', newPhone(), 'admin')).rejects.toThrow(WrongUsage);
    await expect(run('user add')).rejects.toThrow(WrongUsage);
    await expect(run('user add', newPhone(), '--what')).rejects.toThrow(WrongUsage);
  });
});
