import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import { rawWorkbook } from '#content/sheet/xlsx.test-kit.ts';
import { readSpreadsheet } from './spreadsheet.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-papers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function read(bytes: string | Uint8Array) {
  files += 1;
  const path = join(folder, `${files}.dat`);
  writeFileSync(path, bytes);
  const notes: string[] = [];
  const rows = await Array.fromAsync(readSpreadsheet(path, notes));
  return {
    notes,
    good: rows.flatMap((row) => ('standing' in row ? [row.standing] : [])),
    bad: rows.flatMap((row) => (row.ok !== false ? [] : [`${row.row} ${row.paper ?? '?'}: ${row.why.join('；')}`])),
    questions: rows.filter((row) => 'question' in row).length,
  };
}
const csv = (...lines: string[]) => read(`${lines.join('\r\n')}\r\n`);
const xlsx = async (rows: CellValue[][], more: object = {}) =>
  read(await writeXlsx({ sheets: [{ name: '试卷', rows, ...more }] }));
const NOTHING = { paperKey: null, kind: null, minutes: null, total: null, passScore: null, year: null, partial: null };

describe('the header of a sheet of papers', () => {
  test.each([
    '试卷,类型,时长,编号,分值',
    '试卷名称, 试卷类型 ,考试时长（分钟）*,题目编号,本卷分值',
    'Paper,Kind,Minutes,Question,Points',
    'paper name,paper type,DURATION,question key,score',
    '分值,编号,时长（分钟）,类型,试卷',
  ])('%s', async (header) => {
    const cells = { 分值: '2', 编号: 'A-1', 时长: '60', 类型: '模拟考试', 试卷: '期中卷' };
    const order = header.startsWith('分值')
      ? (['分值', '编号', '时长', '类型', '试卷'] as const)
      : (['试卷', '类型', '时长', '编号', '分值'] as const);
    const { good, bad, notes } = await csv(header, order.map((column) => cells[column]).join(','));
    expect(bad).toEqual([]);
    expect(notes).toEqual([]);
    expect(good).toEqual([
      {
        paper: '期中卷',
        head: { ...NOTHING, kind: 'mock', minutes: 60 },
        section: '',
        order: null,
        names: { schoolKey: 'A-1' },
        score: 2,
      },
    ]);
  });

  test('a bank that says where its questions came from is no sheet of papers', async () => {
    const { questions, good, notes } = await csv(
      '试卷,大题,题号,题型,题干,答案,编号,分值',
      '2023年真题,一,1,判断,甲,对,A-1,2',
    );
    expect({ questions, good }).toEqual({ questions: 1, good: [] });
    expect(notes).toEqual(['没有读取的列：试卷、大题、题号']);
  });

  test('a title above it, columns that nobody reads, and a header that comes again do no harm', async () => {
    const { good, bad, notes } = await csv(
      '2026 年组卷表',
      '试卷,编号,分值,备注',
      '甲,A,1,x',
      '试卷,编号,分值,备注',
      ',,,',
      '甲,B,1,x',
    );
    expect(good.map(({ names }) => names)).toEqual([{ schoolKey: 'A' }, { schoolKey: 'B' }]);
    expect(bad).toEqual([]);
    expect(notes).toEqual(['没有读取的列：备注']);
  });

  test.each([
    ['a list of papers', ['序号', '试卷名称', '年份', '满分']],
    ['a list of marks', ['序号', '姓名', '试卷', '分数']],
  ])('%s beside a bank is said not to be read, and does not keep the bank out', async (_, header) => {
    const bank = [
      ['题型', '题干', '答案'],
      ['判断', '今天有雨', '对'],
    ];
    const sheets = [
      { name: '题库', rows: bank },
      { name: '目录', rows: [header, ['1', '甲', '2024', '100']] },
    ];
    const { questions, bad, notes } = await read(await writeXlsx({ sheets }));
    expect({ questions, bad }).toEqual({ questions: 1, bad: [] });
    expect(notes).toEqual([expect.stringContaining('工作表“目录”没有读取：')]);
  });

  test('a bank below a title that has words of papers is a bank', async () => {
    for (const title of ['试卷,2024 真题,时长,90,总分,100', '试卷,2024 真题,编号,A-1,总分,100']) {
      const { questions, good, bad, notes } = await csv(title, '题型,题干,答案,编号', '判断,今天有雨,对,甲');
      expect({ questions, good, bad, notes }).toEqual({ questions: 1, good: [], bad: [], notes: [] });
    }
  });

  test.each([['试卷,类型,时长,分值', /还缺少列：编号 或 题目行号/]])('%s is refused', async (header, why) => {
    await expect(csv(header, '甲,乙,丙,丁')).rejects.toThrow(why);
  });
});

describe('what looks like papers', () => {
  test('two columns of one meaning have to agree', async () => {
    const { good, bad } = await csv(
      '试卷,编号,分值,满分,总分',
      '甲,A-1,2,100,100',
      '甲,A-2,2,,100',
      '甲,A-3,2,100,120',
    );
    expect(good.map(({ head }) => head.total)).toEqual([100, 100]);
    expect(bad).toEqual(['4 甲: 有两列都是“总分”，写的不一样，请只留一列（D、E 列）']);
  });

  test('a list of papers, each with a number of its own, is not read, and said so', async () => {
    const list = ['编号,试卷,类型,时长,总分', 'P1,期中,模拟考试,90,100', 'P2,期末,模拟考试,120,100'];
    await expect(csv(...list)).rejects.toThrow(/每份试卷只有一行，像是试卷的清单/);
    const bank = ['题型,题干,答案', '判断,甲,对'].map((line) => line.split(','));
    const bytes = await writeXlsx({
      sheets: [
        { name: '清单', rows: list.map((line) => line.split(',')) },
        { name: '题库', rows: bank },
      ],
    });
    expect(await read(bytes)).toMatchObject({
      ...{ good: [], bad: [], questions: 1 },
      notes: [expect.stringMatching(/^工作表“清单”没有读取：这张表每份试卷只有一行/)],
    });
    // One that comes again is a paper of several questions, and then all are.
    const { good } = await csv(...list, 'P3,期末,模拟考试,120,100');
    expect(good.map(({ paper }) => paper)).toEqual(['期中', '期末', '期末']);
  });
});

describe('the cells of a row', () => {
  const HEADER = '试卷,类型,时长,总分,及格分,年份,大题,顺序,编号,题目行号,分值,部分得分,试卷编号';
  const COLUMNS = HEADER.split(',');
  const row = (cells: Record<string, string>) =>
    csv(
      HEADER,
      COLUMNS.map((column) => {
        const cell = { 试卷: '甲卷', 编号: 'A-1', ...cells }[column] ?? '';
        return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
      }).join(','),
    );

  test('all of them', async () => {
    const { good, bad } = await row({
      试卷: ' 期末　模拟  卷 ',
      类型: '真题',
      时长: '90 分钟',
      总分: '100分',
      及格分: '60',
      年份: '2024年',
      大题: '一、单选题',
      顺序: '3',
      编号: 'ＤＬ－001',
      分值: '2.5分',
      部分得分: '50%',
      试卷编号: 'P-1',
    });
    expect(bad).toEqual([]);
    expect(good).toEqual([
      {
        paper: '期末 模拟 卷',
        head: { paperKey: 'P-1', kind: 'past', minutes: 90, total: 100, passScore: 60, year: 2024, partial: 0.5 },
        section: '一、单选题',
        order: 3,
        names: { schoolKey: 'DL-001' },
        score: 2.5,
      },
    ]);
  });

  test.each([
    ['5', { sheet: null, row: 5 }],
    ['第 5 行', { sheet: null, row: 5 }],
    ['题库!5', { sheet: '题库', row: 5 }],
    ['题 库！12', { sheet: '题 库', row: 12 }],
    ["'题库 一'!12", { sheet: '题库 一', row: 12 }],
  ])('the row %s', async (written, names) => {
    expect((await row({ 编号: '', 题目行号: written })).good).toMatchObject([{ names }]);
  });

  test.each([
    ['分值', '-1', /分值“-1”不正确/],
    ['分值', '0', /分值“0”不正确/],
    ['分值', '1e9', /分值“1e9”不正确/],
    ['分值', '两分', /分值“两分”不正确/],
    ['分值', '0.3', /以 0\.5 为单位/],
    ['分值', '=1+1', /分值“=1\+1”不正确/],
    ['时长', '0', /“时长”写的“0”不正确，须为 1 到 1440 之间的整数/],
    ['时长', '1e2', /“时长”写的“1e2”不正确/],
    ['时长', '0x10', /“时长”写的“0x10”不正确/],
    ['时长', '两小时', /“时长”写的“两小时”不正确/],
    ['总分', '-100', /“总分”写的“-100”不正确/],
    ['总分', '99.9', /“总分”.*以 0\.5 为单位/],
    ['及格分', '六十', /“及格分”写的“六十”不正确/],
    ['年份', '24', /“年份”写的“24”不正确/],
    ['顺序', '0', /“顺序”写的“0”不正确/],
    ['顺序', '1.5', /“顺序”写的“1\.5”不正确/],
    ['顺序', '3a', /“顺序”写的“3a”不正确/],
    ['部分得分', '2', /“部分得分”写的“2”不正确/],
    ['部分得分', '150%', /“部分得分”写的“150%”不正确/],
    ['类型', '考试', /不认识的类型“考试”，可用：模拟考试、历年真题、限时测试/],
    ['类型', '课后练习', /课后练习请写在课程包的 papers 文件夹里/],
    ['题目行号', '5', /编号和题目行号都写了/],
    ['编号', '', /没有写这是哪道题/],
    ['编号', 'x'.repeat(65), /编号“x+…”太长/],
    ['试卷', '', /没有写试卷名称/],
    ['试卷', '卷'.repeat(101), /“试卷”太长（101 个字），最多 100 个/],
    ['大题', '题'.repeat(201), /“大题”太长/],
  ])('%s: %s', async (column, cell, why) => {
    const { good, bad } = await row({ [column]: cell });
    expect(good).toEqual([]);
    expect(bad).toEqual([expect.stringMatching(why)]);
  });

  test('every reason of a row is given, once', async () => {
    const { bad } = await row({ 分值: '0', 时长: 'x', 编号: '' });
    expect(bad).toHaveLength(1);
    expect(bad[0]?.split('；')).toHaveLength(3);
  });

  test('merged cells belong to each of their rows, 编号 to its first alone', async () => {
    const { good, bad } = await xlsx(
      [
        ['试卷', '类型', '大题', '编号'],
        ['甲卷', '模拟考试', '一', 'A'],
        [null, null, null, 'B'],
        [null, null, '二', null],
      ],
      {
        merges: [
          { startRow: 1, startCol: 0, endRow: 3, endCol: 0 },
          { startRow: 1, startCol: 2, endRow: 2, endCol: 2 },
          { startRow: 2, startCol: 3, endRow: 3, endCol: 3 },
        ],
      },
    );
    expect(good.map(({ paper, section, names }) => [paper, section, names])).toEqual([
      ['甲卷', '一', { schoolKey: 'A' }],
      ['甲卷', '一', { schoolKey: 'B' }],
    ]);
    expect(bad).toEqual(['4 甲卷: 没有写这是哪道题：请写编号，或写题目行号（D 列）']);
  });

  test('what lies under merged cells names no paper and no question', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const line = (...cells: string[]) => `<row>${cells.join('')}</row>`;
    const { good, bad } = await read(
      rawWorkbook(
        line(...['试卷', '编号', '分值'].map(cell)) +
          line(cell('甲卷'), cell('A'), '<c/>') +
          line(cell('乙卷'), cell('B'), '<c/>'),
        '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="B2:B3"/></mergeCells>',
      ),
    );
    expect(good.map(({ paper }) => paper)).toEqual(['甲卷']);
    expect(bad).toEqual([expect.stringMatching(/^3 甲卷: .*“试卷”有被合并的单元格盖住的内容“乙卷”.*“编号”.*“B”/)]);
  });

  test('a formula without a value and an error are named', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const line = (...cells: string[]) => `<row>${cells.join('')}</row>`;
    const { bad } = await read(
      rawWorkbook(
        line(...['试卷', '编号', '分值'].map(cell)) +
          line(cell('甲'), cell('A'), '<c><f>1+1</f></c>') +
          line(cell('甲'), '<c t="e"><v>#N/A</v></c>', cell('1')),
      ),
    );
    expect(bad).toEqual([expect.stringMatching(/^2 甲: “分值”/), expect.stringMatching(/^3 甲: “编号”/)]);
  });

  test('words that would look otherwise on the screen are refused', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is>${text}</is></c>`;
    const line = (...cells: string[]) => `<row>${cells.join('')}</row>`;
    const run = (format: string, text: string) => `<r><rPr>${format}</rPr><t>${text}</t></r>`;
    const { bad } = await read(
      rawWorkbook(
        line(...['试卷', '大题', '编号'].map((word) => cell(`<t>${word}</t>`))) +
          line(
            cell(run('', 'x') + run('<vertAlign val="superscript"/>', '2')),
            cell(run('<strike/>', '一')),
            cell('<t>A</t>'),
          ),
      ),
    );
    expect(bad).toEqual([expect.stringMatching(/^2 x2: “试卷”里有上标或下标.*；“大题”里有加了删除线的字/)]);
  });

  test('more rows of papers than are held are refused', async () => {
    const lines = Array.from({ length: 50_001 }, (_, at) => `甲,A${at},1`);
    await expect(csv('试卷,编号,分值', ...lines)).rejects.toThrow('最多 50000 行');
  });
});
