import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandContext, Refused, WrongUsage } from '#server/command.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { enrolCommands } from './enrol-command.ts';

describe.each(databases)('enrolling by the operator on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const run = (name: string, ...args: string[]) => {
    const command = enrolCommands.find((known) => known.name === name);
    if (!command) throw new Error(`no such command: ${name}`);
    const context: CommandContext = {
      openDb: async () => t.db,
      files: t.parts.files,
      say: () => {},
      progress: { show: () => {}, end: () => {} },
      signal: new AbortController().signal,
    };
    return command.run(args, context);
  };

  it('lets a student into a closed pack, and out again', async () => {
    const student = await t.user();
    const pack = await makePack(t, { enrol: 'closed' });
    const { slug } = await t.db.query
      .selectFrom('packs')
      .select('slug')
      .where('id', '=', pack.packId)
      .executeTakeFirstOrThrow();
    const tree = () => t.call('GET /app/question/index', { packId: pack.packId }, { as: student });
    expect(await t.refused('POST /api/course/course_join', { packId: pack.packId }, { as: student })).toBe(
      'enrolClosed',
    );
    expect((await tree()).code).toBe(403);
    expect(await run('enrol add', `+86 ${student.phone}`, '--pack', slug)).toBe(0);
    expect(await run('enrol add', student.phone, '--pack', slug)).toBe(0);
    expect((await tree()).code).toBe(200);
    expect(await run('enrol remove', student.phone, '--pack', slug)).toBe(0);
    expect((await tree()).code).toBe(403);
    await expect(run('enrol remove', student.phone, '--pack', slug)).rejects.toThrow(Refused);
  });

  it('says what is missing', async () => {
    const student = await t.user();
    await expect(run('enrol add', '123', '--pack', 'x')).rejects.toThrow('请输入正确的手机号');
    await expect(run('enrol add', '13999999999', '--pack', 'x')).rejects.toThrow(
      '没有这个手机号的账号，可以先建立：npm run lixue -- user add',
    );
    await expect(run('enrol add', student.phone, '--pack', 'nothing')).rejects.toThrow('没有代号为“nothing”的课程包');
    await expect(run('enrol add', student.phone)).rejects.toThrow(WrongUsage);
  });
});
