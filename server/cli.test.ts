import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { START } from '#server/test-kit.ts';
import { clean, count, csv, fresh, root } from './import/import.test-kit.ts';

afterAll(clean);

describe('the command line', () => {
  const start = (args: string[], dataDir: string): ChildProcess =>
    spawn(process.execPath, [join(root, 'server', 'cli.ts'), ...args], {
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  async function run(args: string[], dataDir: string) {
    const child = start(args, dataDir);
    let out = '';
    let err = '';
    child.stdout?.on('data', (text) => (out += text));
    child.stderr?.on('data', (text) => (err += text));
    const [code] = await once(child, 'close');
    return { code, out, err };
  }
  const countIn = async (dataDir: string) => {
    const db = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, START);
    const n = await count(db, 'questions');
    await db.close();
    return n;
  };

  test('every command stands in both operating guides', async () => {
    const { out } = await run(['help'], fresh('data'));
    const names = [...out.matchAll(/^ {2}npm run lixue -- ([a-z-]+(?: [a-z-]+)?)/gm)].map(([, name = '']) => name);
    expect(names).toContain('enrol add');
    for (const guide of ['operating.md', 'operating.zh.md']) {
      const text = readFileSync(join(root, 'docs', 'guide', guide), 'utf8');
      expect(
        names.filter((name) => name !== 'help' && !new RegExp(`\\b${name}\\b`).test(text)),
        guide,
      ).toEqual([]);
    }
  });

  test('writes a template, imports it, and answers 0', async () => {
    const data = fresh('data');
    const template = fresh('template.xlsx');
    expect(await run(['import', 'template', template], data)).toMatchObject({ code: 0 });
    expect(await run(['import', 'template', template], data)).toMatchObject({
      code: 1,
      err: expect.stringContaining('没有覆盖'),
    });
    const done = await run(['import', 'questions', template, '--pack', 'school', '--name', '学校'], data);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/新增 6 题.*；试卷新增 1 份/) });
    expect(done.err).toContain('9/9 行');
    expect(await countIn(data)).toBe(6);
  });

  test('shows the signs that a terminal would obey, and sends it none', async () => {
    const data = fresh('data');
    const errors = fresh('errors.csv');
    const file = csv('\u001b]0;pwned\u0007,题\u001b[2J\u202e干,,,,,对,,,,,');
    const done = await run(['import', 'questions', file, '--pack', 'p', '--name', '学校', '--errors', errors], data);
    expect(done).toMatchObject({ code: 1, out: expect.stringContaining('\\u001b]0;pwned\\u0007') });
    expect(await run(['no\u001b[31m'], data)).toMatchObject({ code: 2, err: expect.stringContaining('no\\u001b[31m') });
    for (const text of [done.out, done.err, readFileSync(errors, 'utf8').slice(1)])
      expect(text).not.toMatch(/(?![\r\n])[\p{Cc}\u202e]/u);
  });

  test('lists the rejected rows on the screen and in a file that computes nothing, and answers 1', async () => {
    const data = fresh('data');
    const errors = fresh('errors.csv');
    const file = csv('判断,=cmd|x,,,,,也许,,,,,', '判断,好题,,,,,对,,,,,');
    const done = await run(
      ['import', 'questions', file, '--pack', 'school', '--name', '学校', '--errors', errors],
      data,
    );
    expect(done).toMatchObject({ code: 1, out: expect.stringMatching(/第 2 行：.*看不懂[\s\S]*1 行不合格，1 行合格/) });
    expect(readFileSync(errors, 'utf8')).toMatch(
      /^\ufeff工作表,行号,列,原因,题干,类别\r\n"","2","G","[^"]*看不懂[^"]*（G 列）","'=cmd\|x","不合格"\r\n$/,
    );
    expect(await countIn(data)).toBe(0);
    const kept = await run(['import', 'questions', file, '--pack', 'school', '--name', '学校', '--keep-good'], data);
    expect(kept).toMatchObject({ code: 0, out: expect.stringContaining('新增 1 题') });
  });

  test('lists what cannot be shown as its author meant, on the screen and in the file, and imports it', async () => {
    const data = fresh('data');
    const errors = fresh('errors.csv');
    const file = csv('判断,求 $\\foo$ 的值,,,,,对,,,,,', '判断,好题,,,,,对,,,,,');
    const done = await run(['import', 'questions', file, '--pack', 'p', '--name', '学校', '--errors', errors], data);
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringMatching(/第 2 行：提醒：“题干”：公式排不出来.*\\foo[\s\S]*1 行有提醒[\s\S]*新增 2 题/),
    });
    expect(readFileSync(errors, 'utf8')).toMatch(
      /\r\n"","2","B","“题干”：公式[^"]*","求 \\\(\\foo\\\) 的值","提醒"\r\n$/,
    );
  });

  test('lists the mistakes of a pack and answers 1', async () => {
    const done = await run(['import', 'pack', join(root, 'content', 'test', 'broken')], fresh('data'));
    expect(done).toMatchObject({ code: 1, err: '', out: expect.stringContaining('papers/mock-1.yaml:9') });
  });

  test.each([
    [[], 2, /import pack/],
    [['help'], 0, /^$/],
    [['nonsense'], 2, /没有命令/],
    [['import', 'pack'], 2, /用法/],
    [['import', 'pack', 'a', 'b'], 2, /多写了“b”/],
    [['import', 'questions', 'x.csv', '--what'], 2, /不认识的选项/],
    [['import', 'questions', 'x.csv'], 1, /--pack/],
    [['import', 'questions', '/nowhere.csv', '--pack', 'x', '--name', 'x'], 1, /打不开文件/],
    [['import', 'template', 'x.doc'], 1, /\.xlsx 或 \.csv/],
  ])('%j answers %d with a sentence', async (args, code, err) => {
    const done = await run(args, fresh('data'));
    expect(done.code).toBe(code);
    expect(done.err).toMatch(err);
    expect(done.err).not.toMatch(/\s+at .*\.ts|Error:/);
  });

  test('Ctrl-Z does not stop it in the middle of a transaction, which would hold the database', async () => {
    const data = fresh('data');
    const file = csv(...Array.from({ length: 3000 }, (_, at) => `单选,第 ${at} 题,甲 ${at},乙,丙,丁,B,,,,,`));
    const child = start(['import', 'questions', file, '--pack', 'school', '--name', '学校'], data);
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    let asked = false;
    child.stderr?.on('data', (text) => {
      out += text;
      if (!asked && out.includes('写入')) asked = child.kill('SIGTSTP');
    });
    const [code] = await once(child, 'close');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('不能暂停') });
    expect(await countIn(data)).toBe(3000);
  });

  test.each(['SIGKILL', 'SIGINT'] as const)('%s while it writes leaves nothing', async (signal) => {
    const data = fresh('data');
    const lines = Array.from({ length: 60_000 }, (_, at) => `单选,第 ${at} 题,甲 ${at},乙,丙,丁,B,,,第${at % 20}章,,`);
    const file = csv(...lines);
    const child = start(['import', 'questions', file, '--pack', 'school', '--name', '学校'], data);
    let out = '';
    let killed = false;
    child.stderr?.on('data', (text) => {
      out += text;
      // The write-ahead log grows while the transaction is open.
      if (killed || !out.includes('写入')) return;
      killed = true;
      child.kill(signal);
    });
    const poll = setInterval(() => {
      const log = join(data, 'lixue.db-wal');
      if (killed || !existsSync(log) || readFileSync(log).byteLength < 1_000_000) return;
      killed = true;
      child.kill(signal);
    }, 5);
    const [code, ended] = await once(child, 'close');
    clearInterval(poll);
    expect(killed).toBe(true);
    if (signal === 'SIGKILL') expect(ended).toBe('SIGKILL');
    else expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('已中断') });
    expect(await countIn(data)).toBe(0);
  });
});
