import { afterAll, describe, expect, it } from 'vitest';
import type { CommandContext } from '#server/command.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { promiseChores } from './promise.ts';
import { workdaysCommands } from './workdays-command.ts';
import { readWorkingDays } from './working-days.ts';

const PROMISE = 'GET /app/qa/promise';
const china = (moment: string) => Date.parse(`${moment}+08:00`);

describe.each(databases)('the promise of an answer on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const at = (moment: string) => {
    kit.time.now = china(moment);
    return kit.ok(PROMISE, {});
  };
  /** Runs a command as the operator types it. @returns what it says, or the complaint */
  const type = async (name: string, ...args: string[]): Promise<string> => {
    const said: string[] = [];
    const command = workdaysCommands.find((known) => known.name === name);
    const context = { openDb: async () => kit.db, say: (line: string) => void said.push(line) };
    return command === undefined
      ? 'no such command'
      : command.run(args, context as unknown as CommandContext).then(
          () => said.join('\n'),
          (error: Error) => error.message,
        );
  };

  it('follows the days that the library has: a Sunday that is worked, a holiday, a plain weekend', async () => {
    expect(await at('2026-09-20T17:59:00')).toEqual({
      ...{ kind: 'today', promisedAt: china('2026-09-20T18:30:00'), date: '2026-09-20', holiday: '' },
      text: '预计今天 18:30 前回复',
    });
    expect(await at('2026-02-16T12:00:00')).toEqual({
      ...{ kind: 'holiday', promisedAt: china('2026-02-24T18:30:00'), date: '2026-02-24', holiday: '春节' },
      text: '春节放假期间答疑暂停，2026-02-24 起恢复正常',
    });
    expect((await at('2026-11-20T18:00:00')).text).toBe('预计下一个工作日（2026-11-23）18:30 前回复');
    expect((await at('2026-10-10T09:00:00')).kind).toBe('today');
  });

  it('is none in a year that nobody has announced, until the operator enters it', async () => {
    expect(await at('2027-10-01T10:00:00')).toEqual({
      ...{ kind: 'unknown', promisedAt: null, date: '', holiday: '', text: '老师会尽快回复，请留意通知' },
    });
    expect(await type('workdays show', '2027')).toMatch('还没有 2027 年的安排');
    const off = '2027-01-01..2027-01-03=元旦, 2027-10-01..2027-10-07=国庆节';
    expect(await type('workdays set', '2027', '--off', off, '--work', '2027-10-09')).toBe(
      '已保存 2027 年的安排：放假 10 天，调休上班 1 天',
    );
    expect(await at('2027-10-01T10:00:00')).toMatchObject({ kind: 'holiday', date: '2027-10-08', holiday: '国庆节' });
    expect(await at('2027-10-09T10:00:00')).toMatchObject({ kind: 'today' });
    // The other years stay as they were.
    expect((await at('2026-09-20T10:00:00')).kind).toBe('today');
    expect(await type('workdays show', '2027')).toContain('2027-10-07 放假 国庆节\n2027-10-09 上班');
    await type('workdays forget', '2027');
    expect((await at('2027-10-09T10:00:00')).kind).toBe('unknown');
  });

  it.each([
    [['27', '--off', 'x'], '年份写四位数字'],
    [['2027'], '--off'],
    [['2027', '--off', '2027-02-30=某'], '不是日期'],
    [['2027', '--off', '2026-10-01=国庆节'], '不在 2027 年'],
    [['2027', '--off', '2027-10-07..2027-10-01=国庆节'], '结束早于开始'],
    [['2027', '--off', '2027-10-01'], '要写成'],
    [['2027', '--off', '2027-10-01=国庆节'], '元旦和国庆节都要有'],
    [['2027', '--off', '2027-01-01=元旦,2027-10-01=国庆节', '--work', '2027-10-11'], '不是周六或周日'],
    [
      ['2027', '--off', '2027-01-01=元旦,2027-10-01..2027-10-03=国庆节', '--work', '2027-10-02'],
      '既写成放假又写成上班',
    ],
  ])('takes no days that cannot be: %j', async (args, complaint) => {
    expect(await type('workdays set', ...args)).toContain(complaint);
    expect((await readWorkingDays(kit.db.query)).years.has(2027)).toBe(false);
  });

  it('alarms the operator in time, and not before', async () => {
    const alarms: unknown[] = [];
    const log = { error: (line: unknown) => alarms.push(line) } as never;
    const [chore] = promiseChores({ db: kit.db, log });
    await chore?.run(china('2026-11-20T10:00:00'));
    expect(alarms).toEqual([]);
    await chore?.run(china('2026-12-15T10:00:00'));
    expect(alarms).toEqual([{ year: 2027 }]);
  });
});
