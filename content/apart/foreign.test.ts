import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { FileRefused } from '#content/sheet/sheet.ts';
import { packed, rawWorkbook, workbookOf } from '#content/sheet/xlsx.test-kit.ts';
import { readForeignPack, readForeignSpreadsheet, readForeignUniversities } from './foreign.ts';
import { LIMITS } from './limits.ts';
import { readApart } from './read-apart.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-foreign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
function fileOf(name: string, content: string | Uint8Array): string {
  made += 1;
  const path = join(folder, String(made), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
const HEAD = `format: 1
slug: probe
name: 试验
summary: 只供测试。
description: 介绍
enrol: open
unlock: free
courses: [{ slug: one, name: 课程, chapters: [{ slug: a, name: 第一章 }] }]
`;
function packOf(files: Record<string, string | Uint8Array>): string {
  made += 1;
  for (const [name, content] of Object.entries({ 'pack.yaml': HEAD, ...files })) {
    const path = join(folder, String(made), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return join(folder, String(made));
}
const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;

/** Processes that this one has started and that are still there. */
const children = () =>
  readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );

/**
 * Reads to the end. @returns the sentence of its refusal, and of its process the seconds of work and the most memory (MB).
 * Work, because a machine that runs other tests beside this one says nothing by its seconds.
 */
async function measured(read: () => Promise<unknown>): Promise<{ why: string; seconds: number; peak: number }> {
  let peak = 0;
  let seconds = 0;
  let reading = true;
  const watch = async () => {
    while (reading) {
      for (const child of children()) {
        try {
          const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8')) ?? [];
          peak = Math.max(peak, Number(kilobytes) / 1024);
          // utime and stime, in hundredths.
          const times = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
          seconds = Math.max(seconds, (Number(times[11]) + Number(times[12])) / 100);
        } catch {
          // It has just ended.
        }
      }
      await setTimeout(5);
    }
  };
  const watching = watch();
  const why = await read().then(
    (value) => JSON.stringify(value),
    (error: unknown) => {
      if (error instanceof FileRefused) return error.message;
      throw error;
    },
  );
  reading = false;
  await watching;
  return { why, seconds, peak };
}
const questionsIn = (path: string) => async () => {
  let last: unknown;
  for await (const row of readForeignSpreadsheet(path)) last = row;
  return last;
};

const CELLS = 'xl/worksheets/sheet1.xml';
const STYLES = 'xl/styles.xml';
const STRINGS = 'xl/sharedStrings.xml';
const NO_ROWS = { [CELLS]: '<worksheet><sheetData/></worksheet>' };
const column = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : column(Math.floor(at / 26) - 1) + column(at % 26);

describe('a file that is made to keep its reader busy ends with a sentence, in 20 s and 500 MB', () => {
  test.each<[what: string, read: () => () => Promise<unknown>, why: RegExp]>([
    [
      '50 MB of CSV in one line',
      () => questionsIn(fileOf('a.csv', 'a,'.repeat(25_000_000))),
      /第 1 行超过 40 万个字符/,
    ],
    [
      '50 MB of CSV in one cell',
      () => questionsIn(fileOf('a.csv', `题干,"${'甲'.repeat(17_000_000)}`)),
      /第 1 行超过 40 万个字符/,
    ],
    ['50 MB of blank CSV lines', () => questionsIn(fileOf('a.csv', '\n'.repeat(50_000_000))), /超过 1048576 行/],
    [
      '1.4 MB of xlsx with 30 million styles',
      () => {
        const styles = packed('<styleSheet><cellXfs>', '<xf numFmtId="1"/>', 30_000_000, '</cellXfs></styleSheet>');
        expect(styles.bytes.length).toBeLessThan(2_000_000);
        return questionsIn(fileOf('a.xlsx', workbookOf({ ...NO_ROWS, [STYLES]: styles })));
      },
      /单元格样式太多/,
    ],
    [
      'xlsx with an attribute of 300 MB',
      () =>
        questionsIn(
          fileOf(
            'a.xlsx',
            workbookOf({ [CELLS]: packed('<worksheet><sheetData><row r="', '0'.repeat(1000), 300_000, '"/>') }),
          ),
        ),
      /“a\.xlsx”解开后太大，读取时用的内存超过了 400 MB 的上限/,
    ],
    [
      'xlsx with one shared text of 290 MB',
      () =>
        questionsIn(
          fileOf(
            'a.xlsx',
            workbookOf({ ...NO_ROWS, [STRINGS]: packed('<sst><si><t>', 'x'.repeat(1000), 290_000, '</t></si></sst>') }),
          ),
        ),
      /没有找到表头/,
    ],
    [
      'xlsx with 5 million shared texts',
      () =>
        questionsIn(
          fileOf(
            'a.xlsx',
            workbookOf({ ...NO_ROWS, [STRINGS]: packed('<sst>', '<si><t>x</t></si>', 5_000_000, '</sst>') }),
          ),
        ),
      /文字太多/,
    ],
    [
      'xlsx with 16,384 columns merged over all rows',
      () => {
        const merges = Array.from(
          { length: 16_384 },
          (_, at) => `<mergeCell ref="${column(at)}1:${column(at)}1000000"/>`,
        );
        const cells = Array.from({ length: 16_384 }, (_, at) => `<c r="${column(at)}1" t="str"><v>甲</v></c>`);
        const sheet = packed(
          `<worksheet><sheetData><row r="1">${cells.join('')}</row>`,
          '<row/>',
          1_000_000,
          `</sheetData><mergeCells>${merges.join('')}</mergeCells></worksheet>`,
        );
        return questionsIn(fileOf('a.xlsx', workbookOf({ [CELLS]: sheet })));
      },
      /超过 200 列向下合并/,
    ],
    [
      'xlsx with 20 million empty rows',
      () =>
        questionsIn(
          fileOf(
            'a.xlsx',
            workbookOf({ [CELLS]: packed('<worksheet><sheetData>', '<row/>', 20_000_000, '</sheetData></worksheet>') }),
          ),
        ),
      /工作表超过 1048576 行/,
    ],
    [
      '0.9 MB of YAML aliases',
      () => () =>
        readForeignPack(
          packOf({ 'questions/1.yaml': `questions:\n  - &a { key: q-1 }\n${'  - *a\n'.repeat(130_000)}` }),
        ),
      /"file":"questions\/1.yaml".*引用（\*）太多/,
    ],
    [
      'YAML aliases of aliases of chapters',
      () => () => {
        const list = (id: string) => Array.from({ length: 300 }, () => `*${id}`).join(',');
        const chapter = (name: string, id: string, inside: string) =>
          `${name}: &${id} { slug: ${id}, name: 章, chapters: [${inside}] }\n`;
        return readForeignPack(
          packOf({
            'pack.yaml': `${chapter('x', 'c3', '')}${chapter('y', 'c2', list('c3'))}${chapter('z', 'c1', list('c2'))}${HEAD.replace(/courses:.*/, `courses: [{ slug: one, name: 课, chapters: [${list('c1')}] }]`)}`,
          }),
        );
      },
      /"file":"pack.yaml".*(超过了 400 MB|超过了 15 秒)/,
    ],
    [
      '2 MB of SVG in an address (harmless, once it is read in one go)',
      () => () => readForeignPack(packOf({ 'media/a.svg': svg(`<rect style="fill:url(${' '.repeat(2_000_000)}"/>`) })),
      /^\{"ok":true/,
    ],
    [
      '2 MB of nested SVG',
      () => () => readForeignPack(packOf({ 'media/a.svg': svg('<g>'.repeat(690_000)) })),
      /"file":"media\/a\.svg".*嵌套超过 100 层/,
    ],
    [
      '2 MB of SVG elements',
      () => () => readForeignPack(packOf({ 'media/a.svg': svg('<g/>'.repeat(500_000)) })),
      /"file":"media\/a\.svg".*太复杂/,
    ],
  ])('%s', { timeout: 60_000 }, async (_what, make, why) => {
    const read = make();
    const done = await measured(read);
    expect(done.why).toMatch(why);
    expect(done.seconds).toBeGreaterThan(0);
    expect(done.seconds).toBeLessThan(20);
    expect(done.peak).toBeGreaterThan(30);
    expect(done.peak).toBeLessThan(500);
    expect(children()).toEqual([]);
  });
});

describe('read apart', () => {
  test('rows, reasons and notes come as they do from the reader itself', async () => {
    const path = fileOf('a.csv', '题型,题干,选项A,选项B,答案,别的\n单选,甲,1,2,A,x\n单选,乙,1,2,Z,x\n');
    const notes: string[] = [];
    const rows = await Array.fromAsync(readForeignSpreadsheet(path, notes));
    expect(rows).toMatchObject([
      { ok: true, row: 2, question: { topic: '甲', rightAnswer: 'A' } },
      { ok: false, row: 3, topic: '乙' },
    ]);
    expect(notes).toEqual(['没有读取的列：别的']);
    await expect(Array.fromAsync(readForeignSpreadsheet(fileOf('a.csv', '甲,乙\n')))).rejects.toThrow(FileRefused);
    await expect(Array.fromAsync(readForeignSpreadsheet(join(folder, 'none')))).rejects.toThrow('打不开文件');
    expect(children()).toEqual([]);
  });

  test('a university comes with its picture', async () => {
    const dot = readFileSync(join(import.meta.dirname, '..', 'test', 'nasty', 'media', 'dot.png'));
    const path = fileOf('a.csv', 'name,prov,city,logo\n甲大学,北京,北京,dot.png\n');
    writeFileSync(join(dirname(path), 'dot.png'), dot);
    const [row] = await Array.fromAsync(readForeignUniversities(path));
    expect(row?.ok && row.university.logo?.bytes.length).toBeGreaterThan(20);
    expect(row).toMatchObject({ ok: true, university: { name: '甲大学', logo: { extension: 'png' } } });
  });

  test('a pack comes whole, with the bytes of its pictures', async () => {
    const nasty = join(import.meta.dirname, '..', 'test', 'nasty');
    const { readPack } = await import('#content/pack/pack.ts');
    const [here, apart] = [await readPack(nasty), await readForeignPack(nasty)];
    const plain = (read: typeof here) =>
      read.ok
        ? { ...read.pack, media: read.pack.media.map((media) => ({ ...media, bytes: [...media.bytes] })) }
        : read.mistakes;
    expect(here.ok).toBe(true);
    expect(plain(apart)).toEqual(plain(here));
  });

  test('who stops reading leaves no process behind', async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `单选,题 ${at},1,2,A`).join('\n');
    for await (const row of readForeignSpreadsheet(fileOf('a.csv', `题型,题干,选项A,选项B,答案\n${lines}\n`))) {
      expect(row.ok).toBe(true);
      expect(children()).toHaveLength(1);
      break;
    }
    await expect.poll(children).toEqual([]);
  });

  test('what takes too long ends with the file and the bound', async () => {
    const path = fileOf('a.xlsx', workbookOf({ [CELLS]: packed('<worksheet>', '<x/>', 20_000_000, '</worksheet>') }));
    const { why } = await measured(async () => {
      for await (const _ of readApart('questions', path, [], { ...LIMITS, workS: 1 }));
    });
    expect(why).toBe('内容过于复杂，读取超过了 1 秒的上限，请拆成几个文件');
  });

  test('what never comes is not waited for', async () => {
    const path = fileOf('a.csv', '题型,题干\n');
    const { why } = await measured(async () => {
      for await (const _ of readApart('questions', path, [], { ...LIMITS, waitS: 0.01 }));
    });
    expect(why).toBe('等了 0.01 秒读不到内容');
  });

  test('the reading process is told no setting', async () => {
    process.env.LIXUE_PROBE_SECRET = 'x';
    for await (const _ of readForeignSpreadsheet(fileOf('a.xlsx', rawWorkbook(QUESTIONS)))) {
      const [child = ''] = children();
      const environment = readFileSync(`/proc/${child}/environ`, 'utf8');
      expect(environment).toContain('MALLOC_ARENA_MAX');
      expect(environment).not.toMatch(/SECRET|DATABASE/);
      break;
    }
    delete process.env.LIXUE_PROBE_SECRET;
  });
});

const cells = (texts: readonly string[]) =>
  `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`;
const QUESTIONS = [
  ['题型', '题干', '选项A', '选项B', '答案'],
  ['单选', '甲', '1', '2', 'A'],
]
  .map(cells)
  .join('');
