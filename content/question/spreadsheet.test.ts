import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { FileRefused } from '#content/sheet/sheet.ts';
import { packed, rawWorkbook, workbookOf, zip } from '#content/sheet/xlsx.test-kit.ts';
import type { CheckedRow, FileQuestion } from './file-question.ts';
import { readSpreadsheet } from './spreadsheet.ts';
import { templateCsv, templateXlsx } from './template.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-sheet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function read(bytes: string | Uint8Array, notes: string[] = []): Promise<CheckedRow[]> {
  files += 1;
  const path = join(folder, `${files}.dat`);
  writeFileSync(path, bytes);
  // Sheets of papers have tests of their own (papers.test.ts).
  return (await Array.fromAsync(readSpreadsheet(path, notes))).flatMap((row) => ('standing' in row ? [] : [row]));
}
const refused = async (bytes: string | Uint8Array): Promise<string> => {
  try {
    await read(bytes);
  } catch (error) {
    if (error instanceof FileRefused) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
};
const good = (rows: readonly CheckedRow[]): FileQuestion[] => rows.flatMap((row) => (row.ok ? [row.question] : []));
const bad = (rows: readonly CheckedRow[]): string[] =>
  rows.flatMap((row) => (row.ok ? [] : [`${row.row}: ${row.why.join('；')}`]));
const asXlsx = (rows: CellValue[][], more: object = {}) => writeXlsx({ sheets: [{ name: '题库', rows, ...more }] });

const HEADER = ['题型', '题干', '选项A', '选项B', '选项C', '选项D', '答案', '解析', '分值', '章节', '难度', '材料'];
const csv = (...lines: string[]) => `${[HEADER.join(','), ...lines].join('\r\n')}\r\n`;

/** 题型 判断 单选… in GB18030, which Node reads but does not write. */
function gb18030(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else bytes.push(...(GB.get(char) ?? []));
  }
  return Uint8Array.from(bytes);
}
const GB = new Map<string, [number, number]>();
for (let high = 0x81; high <= 0xfe; high += 1) {
  for (let low = 0x40; low <= 0xfe; low += 1) {
    const char = new TextDecoder('gb18030').decode(Uint8Array.of(high, low));
    if (low !== 0x7f && [...char].length === 1) GB.set(char, [high, low]);
  }
}

describe('text files', () => {
  const lines = ['单选,下列正确的是（　）,甲,乙,丙,丁,B,因为乙,2,第一章/第一节,易,', '判断,对不对？,,,,,√,,,,,'];
  const expected = [
    {
      type: 2,
      topic: '下列正确的是（　）',
      options: { A: '甲', B: '乙', C: '丙', D: '丁' },
      rightAnswer: 'B',
      analysis: '因为乙',
      score: 2,
      chapter: ['第一章', '第一节'],
      difficulty: 1,
    },
    {
      type: 1,
      topic: '对不对？',
      options: { A: '对', B: '错' },
      rightAnswer: 'A',
      analysis: '',
      score: 1,
      chapter: [],
      difficulty: null,
    },
  ];
  test.each([
    ['UTF-8', Buffer.from(csv(...lines))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${csv(...lines)}`)],
    ['GB18030', gb18030(csv(...lines))],
    ['UTF-16', Buffer.from(`\ufeff${csv(...lines)}`, 'utf16le')],
    ['line feeds alone', Buffer.from(csv(...lines).replaceAll('\r\n', '\n'))],
    ['tabs', Buffer.from(csv(...lines).replaceAll(',', '\t'))],
    ['semicolons', Buffer.from(csv(...lines).replaceAll(',', ';'))],
  ])('%s', async (_, bytes) => {
    const rows = await read(bytes);
    expect(bad(rows)).toEqual([]);
    expect(good(rows)).toMatchObject(expected);
  });

  test('a line break in a cell makes no new row: numbers are those of the spreadsheet program', async () => {
    const rows = await read(csv('判断,"第一行\n第二行",,,,,对,,,,,', '', '判断,坏的,,,,,也许,,,,,'));
    expect(good(rows)[0]?.topic).toBe('第一行<br />第二行');
    expect(bad(rows)).toEqual([expect.stringMatching(/^4: .*看不懂/)]);
  });

  test('cells that begin with = or - are text', async () => {
    const rows = await read(csv('单选,=1+1 的值,=HYPERLINK("x"),-2,@SUM(A1),+3,B,-解析,,,,', '判断,-5<0,,,,,对,,,,,'));
    expect(bad(rows)).toEqual([]);
    expect(good(rows)[0]).toMatchObject({
      topic: '=1+1 的值',
      options: { A: '=HYPERLINK("x")', B: '-2', C: '@SUM(A1)', D: '+3' },
      analysis: '-解析',
    });
    expect(good(rows)[1]?.topic).toBe('-5&lt;0');
  });

  test.each([
    ['an unclosed quote', csv('判断,"没有结束,,,,,对,,,,,', '判断,下一题,,,,,对,,,,,'), /第 2 行起有一个英文引号/],
    ['an empty file', '', /空的/],
    ['no header', '一,二,三\n四,五\n', /没有找到表头.*（读到的是：一、二、三）/],
    ['a picture, whatever it is called', Buffer.from('RIFF\x10\0\0\0WEBPVP8 '), /这是 WebP 图片/],
    ['a picture of a telephone', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0'), /这是 HEIC 图片/],
    ['an archive', Buffer.from('Rar!\x1a\x07\x01\0'), /这是压缩文件，请先解压/],
    ['an archive of tables', zip({ '题库.xlsx': 'PK' }), /这是压缩文件（.zip），请先解压/],
    [
      'a binary workbook',
      zip({ '[Content_Types].xml': '', 'xl/workbook.bin': '' }),
      /（.xlsb），请用表格软件打开后另存为/,
    ],
    ['a saved page', 'MIME-Version: 1.0\r\n', /这是网页存档（.mht/],
    [
      'a header without the answer',
      '题型,题干,选项A,选项B\n单选,甲,乙,丙\n',
      /缺少列：答案（这一行写的是：题型、题干、选项A、选项B）/,
    ],
    ['a column twice', '题型,题干,答案,正确答案\n判断,甲,对,错\n', /两列都是“答案”/],
    ['an old .xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), /旧版 .xls/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), /PNG 图片/],
    ['a page that is called .xls', '<html><table><tr><td>题型</td></tr></table></html>', /网页或 XML.*另存为 .xlsx/],
    ['GIFT', '::题一::太阳从东方升起{T}', /GIFT/],
    ['a document', zip({ 'word/document.xml': '<w/>' }), /Word 文档.*表格/],
    ['an OpenDocument sheet', zip({ mimetype: 'x', 'content.xml': '<o/>' }), /\.ods.*另存为 .xlsx/],
    ['a PDF', '%PDF-1.7\n', /PDF/],
    ['bytes that are no text', Buffer.from([0xff, 0x80, 0xff, 0xff, 0x00, 0x01, 0xff]), /编码|文本/],
    ['a damaged workbook', Buffer.from('PK\x03\x04 broken'), /损坏/],
    ['elements in elements without an end', rawWorkbook('<a>'.repeat(5000)), /损坏/],
    ['a row of more cells than any program has', rawWorkbook(`<row>${'<c/>'.repeat(16_385)}</row>`), /单元格太多/],
    ['a zip that is no workbook', zip({ 'a.txt': 'x' }), /没有可以读取的工作表/],
  ])('%s is refused', async (_, bytes, why) => {
    expect(await refused(bytes)).toMatch(why);
  });
});

describe('the header', () => {
  test('other spellings, another order, blanks, marks of duty, missing columns, a title above', async () => {
    const rows = await read(
      ['2026 年题库,,,,', ',,,,', '正确答案*,Ａ 选项,题目（必填）,选 项 B,试题类型', 'A,甲,问题一,乙,单项选择题'].join(
        '\n',
      ),
    );
    expect(good(rows)).toMatchObject([{ type: 2, topic: '问题一', options: { A: '甲', B: '乙' }, rightAnswer: 'A' }]);
  });

  test('options by number', async () => {
    const rows = await read('题型,题干,选项1,选项二,答案\n单选,甲,一,二,B\n');
    expect(good(rows)).toMatchObject([{ options: { A: '一', B: '二' }, rightAnswer: 'B' }]);
  });

  test('says which columns it did not read, and skips a header that comes again', async () => {
    const notes: string[] = [];
    const rows = await read('题型,题干,答案,备注\n判断,甲,对,x\n题型,题干,答案,备注\n判断,乙,错,y\n', notes);
    expect(good(rows).map(({ topic }) => topic)).toEqual(['甲', '乙']);
    expect(notes).toEqual(['没有读取的列：备注']);
  });
});

describe('dirty rows', () => {
  test.each<[string, string, object]>([
    ['letters apart', '多选,甲,1,2,3,4,"A,B",,,,,', { rightAnswer: 'AB' }],
    ['Chinese comma', '多选,甲,1,2,3,4,A、D,,,,,', { rightAnswer: 'AD' }],
    ['blanks', '多选,甲,1,2,3,4, a b d ,,,,,', { rightAnswer: 'ABD' }],
    ['full width', '多选,甲,1,2,3,4,ＡＢ,,,,,', { rightAnswer: 'AB' }],
    ['each in brackets', '多选,甲,1,2,3,4,[A][B],,,,,', { rightAnswer: 'AB' }],
    ['with a word behind', '多选,甲,1,2,3,4,AB项,,,,,', { rightAnswer: 'AB' }],
    ['with the text of the option', '单选,甲,一,乙,,,B.乙,,,,,', { rightAnswer: 'B' }],
    ['options that differ in their case', '单选,甲,Na,NA,,,A,,,,,', { options: { A: 'Na', B: 'NA' } }],
    ['cross', '判断,甲,,,,,×,,,,,', { rightAnswer: 'B' }],
    [
      'judge with options the other way round',
      '判断,甲,错误,正确,,,A,,,,,',
      { rightAnswer: 'B', options: { A: '对', B: '错' } },
    ],
    [
      'options that repeat their letter',
      '单选,甲,A. 一,B．二,C、三,（D）四,A,,,,,',
      { options: { A: '一', B: '二', C: '三', D: '四' } },
    ],
    [
      'HTML',
      '单选,<p>选出<b>错</b>的</p>,<i>甲</i>,乙<style>p{}</style>,,,A,,,,,',
      { topic: '选出<strong>错</strong>的', options: { A: '<em>甲</em>', B: '乙&lt;style&gt;p{}&lt;/style&gt;' } },
    ],
    [
      'formula',
      '单选,若 $a<b$ 则,$a-b<0$,$a=b$,,,A,,,,,',
      { topic: '若 \\(a&lt;b\\) 则', options: { A: '\\(a-b&lt;0\\)', B: '\\(a=b\\)' } },
    ],
    ['points with their unit', '判断,甲,,,,,对,,２分,,,', { score: 2 }],
    [
      'chapter with full-width slashes',
      '判断,甲,,,,,对,,,第一章／第一节／极限,,',
      { chapter: ['第一章', '第一节', '极限'] },
    ],
    ['options that a blank tells apart', '单选,输出什么,1 2,12,,,B,,,,,', { options: { A: '1 2', B: '12' } }],
    [
      'a separator in the name of a chapter',
      '判断,甲,,,,,对,,,第一章/TCP\\/IP协议,,',
      { chapter: ['第一章', 'TCP/IP协议'] },
    ],
    ['difficulty in words', '判断,甲,,,,,对,,,,较难,', { difficulty: 4 }],
    ['short answer', '问答题,甲,,,,,"要点：\n1. 一",,,,,', { type: 4, options: {}, rightAnswer: '要点：<br />1. 一' }],
    [
      'material',
      '不定项,甲,1,2,,,B,,,,,资料一：<b>甲</b>公司',
      { type: 5, material: '资料一：<strong>甲</strong>公司' },
    ],
  ])('%s', async (_, line, expected) => {
    const rows = await read(csv(line));
    expect(bad(rows)).toEqual([]);
    expect(good(rows)[0]).toMatchObject(expected);
  });

  test.each([
    ['no type', ',甲,1,2,,,A,,,,,', /没有写题型/],
    ['unknown type', '填空,甲,,,,,一,,,,,', /没有填空题/],
    ['a gap to be filled: which types there are instead', '填空题,甲,,,,,一,,,,,', /请改为 简答 或 自评简答/],
    ['equal options', '单选,甲,1,2, 1 ,3,B,,,,,', /选项A和选项C相同/],
    ['equal options but for the number of blanks', '单选,甲,1 2,3,1  2,4,B,,,,,', /选项A和选项C相同/],
    ['a share for a difficulty', '判断,甲,,,,,对,,,,0.6,', /难度“0.6”不正确，小数的难度系数含义不一/],
    ['a letter with the text of another option', '单选,甲,1,2,,,B.1,,,,,', /答案“B.1”看不懂/],
    ['no topic', '判断,,,,,,对,,,,,', /没有写题干/],
    ['a topic of blanks alone', '判断,&nbsp; ,,,,,对,,,,,', /没有写题干/],
    ['no answer', '单选,甲,1,2,,,,,,,,', /没有写答案/],
    ['an answer without an option', '单选,甲,1,2,,,C,,,,,', /C 没有对应的选项/],
    ['a gap in the options', '单选,甲,1,,3,,A,,,,,', /选项B是空的/],
    ['one option', '单选,甲,1,,,,A,,,,,', /至少要有两个选项/],
    ['no options', '单选,甲,,,,,A,,,,,', /没有选项/],
    ['options of a short answer', '简答,甲,1,2,,,乙,,,,,', /不能有选项/],
    ['points', '判断,甲,,,,,对,,0.3,,,', /分值“0.3”不正确/],
    ['difficulty', '判断,甲,,,,,对,,,,9,', /难度“9”不正确/],
    ['four levels', '判断,甲,,,,,对,,,a/b/c/d,,', /最多三级/],
    ['an empty level', '判断,甲,,,,,对,,,a//c,,', /有一级是空的/],
    ['a formula that defines', '判断,甲$\\def\\a{\\a\\a}\\a$,,,,,对,,,,,', /“题干”：公式里不能定义新命令/],
    [
      'a picture of another site',
      '判断,甲<img src="http://x/y.png">,,,,,对,,,,,',
      /题干”里有图片的网址.*不会从别的网站取/,
    ],
    ['judge with three options', '判断,甲,对,错,不知,,A,,,,,', /判断题的选项只能是/],
  ])('refuses a row: %s', async (_, line, why) => {
    expect(bad(await read(csv(line)))).toEqual([expect.stringMatching(why)]);
  });

  const pointed = (points: string, type = '简答', score = '5') =>
    `题型,题干,答案,分值,采点\r\n${type},甲,乙,${score},"${points}"\r\n`;

  test.each([
    ['指出【坏账准备】转销（2分）', [['指出坏账准备转销', 2, ['坏账准备']]]],
    [
      '甲 2分\n乙(1.5 分)\n\n 丙【1分】。',
      [
        ['甲', 2, []],
        ['乙', 1.5, []],
        ['丙', 1, []],
      ],
    ],
    ['【甲|乙｜丙】与【丁】［２分］', [['甲与丁', 2, ['甲', '乙', '丙', '丁']]]],
    ['甲<b>重</b> $x_1<2$（1分）', [['甲<strong>重</strong> \\(x_1&lt;2\\)', 1, []]]],
    ['\u200b【坏\u200b账】（2分）\u200b', [['坏账', 2, ['坏账']]]],
    ['计提 40000 元得 2 分', [['计提 40000 元得', 2, []]]],
    ['', []],
  ])('reads scoring points: %s', async (cell, wanted) => {
    const rows = await read(pointed(cell));
    expect(bad(rows)).toEqual([]);
    expect(good(rows)[0]?.points.map(({ text, weight, words }) => [text, weight, words])).toEqual(wanted);
  });

  test.each([
    ['no weight', pointed('甲\n乙（2分）'), /第 1 个采点“甲”没有写分值/],
    ['a weight of no steps', pointed('甲（0.3分）'), /第 1 个采点：分值“0.3”不正确/],
    ['more than the question gives', pointed('甲（3分）\n乙（2.5分）'), /加起来是 5.5 分，超过了本题的 5 分/],
    ['more than the one point that nothing said', pointed('甲（2分）', '简答', ''), /超过了本题的 1 分/],
    ['a weight alone', pointed('（2分）'), /第 1 个：采点没有写内容/],
    ['too long', pointed(`${'长'.repeat(501)}（2分）`), /太长（501 个字符），最多 500 个/],
    ['too many', pointed(Array(31).fill('甲（0.5分）').join('\n'), '简答', '100'), /采点太多（31 个），最多 30 个/],
    ['an open bracket', pointed('指出【坏账（2分）'), /【】没有成对/],
    ['an empty key word', pointed('指出【坏账|】（2分）'), /【】里没有写关键词/],
    ['a long key word', pointed(`【${'词'.repeat(41)}】（2分）`), /关键词“.*太长，最多 40 个字/],
    ['many key words', pointed(`${'【词】'.repeat(13)}（2分）`), /关键词太多（13 个），最多 12 个/],
    [
      'two on a line',
      pointed('①甲（1分）；②乙（1分）'),
      /第 1 个采点“①甲（1分）；②乙（1分）”里不止一个分值，请每个采点写一行/,
    ],
    ['a half', pointed('甲1/2分'), /没有写分值/],
    ['a range', pointed('甲 1～2分'), /没有写分值/],
    ['a range in words', pointed('甲1至2分'), /没有写分值/],
    ['a comma for a dot', pointed('甲1,5分'), /没有写分值/],
    ['what is taken off', pointed('漏写 -1分'), /没有写分值/],
    ['a weight that is open', pointed('甲（2分'), /没有写分值/],
    ['very many blanks', pointed(`甲${' '.repeat(300_000)}乙`), /第 1 个：采点“.*太长（300002 个字符）/],
    ['of a choice', pointed('甲（2分）', '判断').replace('乙', '对'), /判断题不能有采点/],
    ['a picture', pointed('甲<img src=x.png>（2分）'), /“采点”里有图片/],
    ['a formula that defines', pointed('甲$\\def\\a{\\a\\a}\\a$（2分）'), /“采点”：公式里不能定义新命令/],
  ])('refuses scoring points: %s', async (_, file, why) => {
    expect(bad(await read(file))).toEqual([expect.stringMatching(why)]);
  });

  test('formatted words of a scoring point stay formatted, without weight and brackets', async () => {
    const run = (text: string, format = '') => `<r><rPr>${format}</rPr><t xml:space="preserve">${text}</t></r>`;
    const rich = `${run('体积【10')}${run('3', '<vertAlign val="superscript"/>')}${run(' m】（2')}${run('分）&#10;甲', '<b/>')}${run('（1分）')}`;
    const cells = (...texts: string[]) => texts.map((_, at) => `<c t="s"><v>${at}</v></c>`).join('');
    const header = ['题型', '题干', '答案', '分值', '采点'];
    const row = ['简答', '甲', '乙', '5'];
    const strings = [...header, ...row].map((text) => `<t>${text}</t>`);
    const line = [...row, ''].map((_, at) => `<c t="s"><v>${header.length + at}</v></c>`).join('');
    const rows = await read(
      rawWorkbook(`<row r="1">${cells(...header)}</row><row r="2">${line}</row>`, '', [...strings, rich]),
    );
    expect(bad(rows)).toEqual([]);
    expect(good(rows)[0]?.points).toEqual([
      { text: '体积10<sup>3</sup> m', weight: 2, words: ['103 m'] },
      { text: '<strong>甲</strong>', weight: 1, words: [] },
    ]);
  });

  test('gives every reason of a row at once', async () => {
    const [row] = await read(csv('单选,,1,,3,,E,,-1,a/b/c/d,难死了,'));
    expect(row).toMatchObject({ ok: false, row: 2 });
    expect(row?.ok === false && row.why).toHaveLength(5);
  });

  test('a question that comes again in the file, also with another answer', async () => {
    const line = (answer: string) => `单选,甲,1,2,,,${answer},,,,,`;
    const rows = await read(csv(line('A'), line('A'), line('B'), '单选,甲,1,3,,,A,,,,,'));
    expect(good(rows)).toHaveLength(2);
    expect(bad(rows)).toEqual(['3: 与第 2 行重复', '4: 与第 2 行是同一道题，但答案不同（那里是 A）']);
    // The words of a reference answer may differ.
    const text = (answer: string) => `简答,说明理由,,,,,${answer},,,,,`;
    expect(bad(await read(csv(text('公平'), text('公平原则'))))).toEqual(['3: 与第 2 行重复']);
  });

  test('questions that differ in their material alone are two', async () => {
    const line = (material: string) => `判断,甲公司的处理正确,,,,,对,,,,,${material}`;
    expect(bad(await read(csv(line('材料一'), line('材料二'), line('材料一'))))).toEqual(['4: 与第 2 行重复']);
  });

  test.each(['编号', '试题编号', 'ID', '题目ID（必填）'])(
    'the school’s own keys, in a column called %s',
    async (name) => {
      const file = `题型,题干,答案,${name}\n判断,甲,对, Ａ-0１ \n判断,乙,错,\n判断,丙,错,A-01\n判断,丁,对,${'长'.repeat(65)}\n`;
      const rows = await read(file);
      expect(good(rows).map(({ schoolKey }) => schoolKey)).toEqual(['A-01', null]);
      expect(bad(rows)).toEqual([
        '4: 编号“A-01”在第 2 行已经用过，第 4 行要写另一个',
        `5: 编号“${'长'.repeat(20)}…”太长，最多 64 个字`,
      ]);
    },
  );

  test.each(['题号', '序号'])('%s counts the rows of a file and is no key', async (name) => {
    const notes: string[] = [];
    const rows = await read(`${name},题型,题干,答案\n1,判断,甲,对\n1,判断,乙,对\n`, notes);
    expect(good(rows).map(({ schoolKey }) => schoolKey)).toEqual([null, null]);
    expect(notes).toEqual([`没有读取的列：${name}`]);
  });

  test('an option of tags alone is about them, one of blanks is none', async () => {
    expect(good(await read(csv('单选,换行的标签是,<br>,<b>,<p></p>,,A,,,,,')))[0]?.options).toEqual({
      A: '&lt;br&gt;',
      B: '&lt;b&gt;',
      C: '&lt;p&gt;&lt;/p&gt;',
    });
    expect(good(await read(csv('单选,甲,1,2,&nbsp;,,A,,,,,')))[0]?.options).toEqual({ A: '1', B: '2' });
  });

  test('a chapter that is rather one name than two levels is named', async () => {
    const rows = await read(csv('判断,甲,,,,,对,,,TCP/IP协议,,', '判断,乙,,,,,对,,,第一章/IP,,'));
    expect(rows.map((row) => row.ok && row.warnings)).toEqual([
      ['章节“TCP/IP协议”按 2 级读：TCP、IP协议；如果“/”是名称的一部分，请写成“\\/”'],
      [],
    ]);
  });

  test('formulas that cannot be set are named by their column, and the row is a question', async () => {
    const [row] = await read(csv('单选,甲 $\\foo$,1,$x^2^3$,,,A,,,,,'));
    expect(row?.ok && row.warnings).toEqual([
      '“题干”：公式排不出来，会照原样显示（不认识的命令 \\foo）：\\foo',
      '“选项B”：公式排不出来，会照原样显示（一处有两个上标或两个下标）：x^2^3',
    ]);
  });

  test('separators inside of questions do not decide how a file is separated', async () => {
    const code = '单选,结果是,int i; for(i=0;;) {;;;;;;},int j;;;;;;;;;,,,A,,,,,';
    expect(good(await read(csv(code)))[0]?.options.B).toBe('int j;;;;;;;;;');
    const english = ['题型\t题干\t选项A\t选项B\t答案', '单选\ta, b, c, d, e, f, g, h, i\tone, two, three\tb\tA'].join(
      '\n',
    );
    expect(good(await read(english))[0]?.topic).toBe('a, b, c, d, e, f, g, h, i');
    expect(good(await read(`"某校,高三;期末"\n${english}`))).toHaveLength(1);
  });

  test('a ninth option', async () => {
    const letters = [...'ABCDEFGHI'];
    const rows = await read(
      `题型,题干,答案,${letters.map((letter) => `选项${letter}`).join()}\n单选,甲,A,1,2,3,4,5,6,7,8,9\n单选,乙,H,1,2,3,4,5,6,7,8,\n`,
    );
    expect(bad(rows)).toEqual([expect.stringMatching(/^2: 选项太多/)]);
    expect(Object.keys(good(rows)[0]?.options ?? {})).toHaveLength(8);
  });
});

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

/** Questions of topic, option A and answer from raw cells; styles 1 bold, 2 struck out, 3 Chinese numerals. */
function styledWorkbook(
  questions: readonly (readonly [topic: string, optionA: string])[],
  strings: readonly string[],
  answer = '<c t="inlineStr"><is><t>A</t></is></c>',
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const rows = questions.map(([topic, option]) => inline('单选') + topic + option + inline('乙') + answer);
  const header = ['题型', '题干', '选项A', '选项B', '答案'].map(inline).join('');
  return workbookOf({
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[DBNum1]General"/></numFmts>' +
      '<fonts><font/><font><b/></font><font><strike/></font></fonts>' +
      '<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${[header, ...rows].map((cells) => `<row>${cells}</row>`).join('')}</sheetData></worksheet>`,
    ...more,
  });
}

describe('workbooks', () => {
  test('numbers, percentages, dates, booleans, rich texts and formulas read as they show', async () => {
    const cells = new Map([
      ['1,2', { value: 0.25, style: { numFmt: '0%' } }],
      ['1,3', { value: 45292, style: { numFmt: 'yyyy"年"m"月"d"日"' } }],
      ['1,4', { formula: '1+1', formulaResult: 2 }],
      ['1,5', { value: null, richText: [{ text: '红', font: { bold: true } }, { text: '色' }] }],
      ['2,6', { value: true }],
    ]);
    const bytes = await asXlsx(
      [
        HEADER,
        ['单选', '甲', null, null, null, null, 'C', null, 2.5, null, 3, null],
        ['判断', 12, null, null, null, null, null, null, null, null, null, null],
      ],
      { cells },
    );
    const rows = await read(bytes);
    expect(bad(rows)).toEqual([]);
    expect(good(rows)[0]).toMatchObject({
      options: { A: '25%', B: '2024年1月1日', C: '2', D: '<strong>红</strong>色' },
      score: 2.5,
      difficulty: 3,
    });
    expect(good(rows)[1]).toMatchObject({ topic: '12', rightAnswer: 'A' });
  });

  test('merged chapter and material belong to every row, a merged topic to its first', async () => {
    const row = (type: string, topic: string | null, chapter: string | null, material: string | null): CellValue[] => [
      type,
      topic,
      '1',
      '2',
      null,
      null,
      'A',
      null,
      null,
      chapter,
      null,
      material,
    ];
    const bytes = await asXlsx(
      [
        HEADER,
        row('不定项', '甲', '第一章', '材料一'),
        row('不定项', '乙', null, null),
        row('不定项', null, null, null),
        row('不定项', '丁', null, null),
      ],
      {
        merges: [
          { startRow: 1, startCol: 9, endRow: 3, endCol: 9 },
          { startRow: 1, startCol: 11, endRow: 2, endCol: 11 },
          { startRow: 2, startCol: 1, endRow: 3, endCol: 1 },
        ],
      },
    );
    const rows = await read(bytes);
    expect(good(rows).map(({ topic, chapter, material }) => [topic, chapter.join(), material])).toEqual([
      ['甲', '第一章', '材料一'],
      ['乙', '第一章', '材料一'],
      ['丁', '', ''],
    ]);
    expect(bad(rows)).toEqual(['4: 没有写题干']);
  });

  test('a title merged across, empty rows and every visible sheet with a header', async () => {
    const rows = (topic: string): CellValue[][] => [
      ['题库'],
      [],
      HEADER,
      [],
      ['判断', topic, null, null, null, null, '对'],
      [],
      ['判断', topic, null, null, null, null, '错'],
    ];
    const notes: string[] = [];
    const bytes = await writeXlsx({
      sheets: [
        { name: '判断题', rows: rows('甲'), merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 11 }] },
        { name: '说明', rows: [['怎么填']] },
        { name: '草稿', rows: rows('不要'), hidden: true },
        { name: '第二页', rows: rows('乙') },
      ],
    });
    const checked = await read(bytes, notes);
    expect(checked.map(({ sheet, row, ok }) => [sheet, row, ok])).toEqual([
      ['判断题', 5, true],
      ['判断题', 7, false],
      ['第二页', 5, true],
      ['第二页', 7, false],
    ]);
    expect(notes).toEqual(['工作表“说明”没有表头，没有读取']);
  });

  test('a formula without a result, an error value and a missing text are faults; phonetic signs are no text', async () => {
    const text = (reference: string, at: number) => `<c r="${reference}" t="s"><v>${at}</v></c>`;
    const strings = ['题型', '题干', '答案', '判断', '甲', '对', '乙', '丙'].map((text) => `<t>${text}</t>`);
    strings.push(
      '<r><t>中</t></r><r><t xml:space="preserve"> 国</t></r><rPh sb="0" eb="1"><t>zhong</t></rPh>',
      '<t>一_x000D_\n二</t>',
    );
    const bytes = rawWorkbook(
      `<row r="1">${text('A1', 0)}${text('B1', 1)}${text('C1', 2)}</row>` +
        `<row r="2">${text('A2', 3)}${text('B2', 4)}<c r="C2"><f>IF(1,2)</f></c></row>` +
        `<row r="3">${text('A3', 3)}${text('B3', 6)}<c r="C3" t="e"><f>NA()</f><v>#N/A</v></c></row>` +
        `<row r="4">${text('A4', 3)}${text('B4', 99)}${text('C4', 5)}</row>` +
        `<row r="5">${text('A5', 3)}${text('B5', 8)}<c r="C5" t="str"><f>"对"</f><v>对</v></c></row>` +
        `<row><c t="s"><v>3</v></c><c t="s"><v>9</v></c><c t="inlineStr"><is><r><t>错</t></r><r><t>误</t></r></is></c></row>` +
        `<row r="9">${text('A9', 3)}<c r="B9"><v>0.30000000000000004</v></c><c r="C9" t="b"><v>0</v></c></row>`,
      '',
      strings,
    );
    const rows = await read(bytes);
    expect(bad(rows)).toEqual([
      expect.stringMatching(/^2: “答案”单元格里的公式没有计算结果/),
      expect.stringMatching(/^3: “答案”单元格里是错误值 #N\/A/),
      expect.stringMatching(/^4: “题干”.*不存在/),
    ]);
    expect(rows.flatMap((row) => (row.ok ? [[row.row, row.question.topic, row.question.rightAnswer]] : []))).toEqual([
      [5, '中 国', 'A'],
      [6, '一<br />二', 'B'],
      [9, '0.3', 'B'],
    ]);
  });

  test('formatting that says something stays, how a whole cell looks does not', async () => {
    const run = (text: string, format = '') =>
      `<r><rPr>${format}<sz val="11"/></rPr><t xml:space="preserve">${text}</t></r>`;
    const strings = [
      `${run('10')}${run('3', '<vertAlign val="superscript"/>')}${run(' m 与 H')}${run('2', '<b val="0"/><vertAlign val="subscript"/>')}${run('O')}`,
      `${run('划线的 ')}${run('apple', '<u/>')}${run(' 和空')}${run('   ', '<u val="single"/>')}`,
      `<r><t>全部</t></r>${run('加粗', '<b/>')}`,
      `${run('设 $x', '<b/>')}${run('^2$ 为 ', '<i/>')}${run('正', '<b/>')}`,
      '<t>整格</t>',
    ];
    const bytes = styledWorkbook(
      [
        [
          '<c t="inlineStr"><is><r><t>x</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>1</t></r></is></c>',
          '<c s="2" t="s"><v>4</v></c>',
        ],
        ['<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>'],
        ['<c s="1" t="s"><v>2</v></c>', '<c t="s"><v>3</v></c>'],
      ],
      strings,
    );
    expect(good(await read(bytes)).map(({ topic, options }) => [topic, options.A])).toEqual([
      ['x<sub>1</sub>', '<s>整格</s>'],
      ['10<sup>3</sup> m 与 H<sub>2</sub>O', '划线的 <u>apple</u> 和空<u>\u00a0\u00a0 </u>'],
      ['全部加粗', '<strong>设 </strong>\\(x^2\\)<em> 为 </em><strong>正</strong>'],
    ]);
  });

  test('that some words have a colour of their own is told, the colour of a whole cell is its looks', async () => {
    const red = '<color rgb="FFFF0000"/>';
    const run = (text: string, format: string) => `<r><rPr>${format}</rPr><t xml:space="preserve">${text}</t></r>`;
    const strings = [
      `<r><t>选出</t></r>${run('红字', red)}<r><t>部分</t></r>`,
      `${run('全红', red)}${run('加粗', `<b/>${red}`)}`,
      `${run('黑', '<color theme="1"/>')}${run('也黑', '<color indexed="8"/>')}${run('还是黑', '<color rgb="FF000000"/>')}${run(' ', red)}<r><t>同格</t></r>`,
      // The first piece takes the colour of its cell, which is red as well.
      `<r><t>随单元格</t></r>${run('同色', red)}`,
    ];
    const topics = ['s="0"', 's="0"', 's="0"', 's="1"'].map((style, at) => `<c ${style} t="s"><v>${at}</v></c>`);
    const bytes = styledWorkbook(
      topics.map((topic) => [topic, '<c t="inlineStr"><is><t>甲</t></is></c>']),
      strings,
      undefined,
      {
        'xl/styles.xml':
          '<styleSheet><fonts><font><color theme="1"/></font><font><color rgb="FFFF0000"/></font></fonts>' +
          '<cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>',
      },
    );
    const rows = await read(bytes);
    expect(good(rows).map(({ topic }) => topic)).toEqual([
      '选出红字部分',
      '全红<strong>加粗</strong>',
      '黑也黑还是黑 同格',
      '随单元格同色',
    ]);
    expect(rows.map((row) => row.ok && row.warnings)).toEqual([
      ['“题干”里有一部分字是别的颜色，学员看到的没有颜色；要区分它们请用加粗或下划线'],
      [],
      [],
      [],
    ]);
  });

  test('how an option looks as a whole is told where the others look otherwise', async () => {
    const styles = {
      'xl/styles.xml':
        '<styleSheet><fonts><font/><font><b/></font><font><color rgb="FFFF0000"/></font></fonts>' +
        '<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs></styleSheet>',
    };
    const option = (style: number) => `<c s="${style}" t="inlineStr"><is><t>甲</t></is></c>`;
    const rows = [0, 1, 2].map((style) => [inline(`题 ${style}`), option(style)] as const);
    const bytes = styledWorkbook(rows, [], inline('A'), styles);
    expect((await read(bytes)).map((row) => row.ok && row.warnings)).toEqual([
      [],
      [expect.stringMatching(/^“选项A”整格是加粗，别的选项不是/)],
      [expect.stringMatching(/^“选项A”整格是别的颜色，/)],
    ]);
  });

  test('letters of a font of signs are refused: no page shows them as the file does', async () => {
    const styles = {
      'xl/styles.xml':
        '<styleSheet><fonts><font/><font><name val="Wingdings"/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>',
    };
    const symbol = (text: string) => `<r><rPr><rFont val="Symbol"/></rPr><t>${text}</t></r>`;
    const bytes = styledWorkbook(
      [
        [inline('打勾的'), '<c s="1" t="inlineStr"><is><t>ü</t></is></c>'],
        [`<c t="inlineStr"><is><r><t>角 </t></r>${symbol('a')}</is></c>`, inline('甲')],
        // What that font shows as it is written.
        [`<c t="inlineStr"><is><r><t>角 </t></r>${symbol('1 + 2 中')}</is></c>`, inline('甲')],
      ],
      [],
      inline('A'),
      styles,
    );
    const rows = await read(bytes);
    expect(bad(rows)).toEqual([
      expect.stringMatching(/^2: “选项A”里有用 Wingdings 字体显示的符号/),
      expect.stringMatching(/^3: “题干”里有用 Symbol 字体显示的符号/),
    ]);
    expect(good(rows).map(({ topic }) => topic)).toEqual(['角 1 + 2 中']);
  });

  test('words that a format puts around a text stand there, and one that hides it is a fault', async () => {
    const codes = [
      '&quot;第&quot;@&quot;章&quot;',
      '0;0;0;@&quot;。&quot;',
      ';;;',
      'yyyy&quot;年&quot;;@',
      '_(@_)',
      'General',
    ];
    const styles = {
      'xl/styles.xml':
        `<styleSheet><numFmts>${codes.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`).join('')}</numFmts>` +
        `<cellXfs><xf/>${codes.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    };
    const rows = codes.map(
      (_, at) => [`<c s="${at + 1}" t="inlineStr"><is><t>三${at}</t></is></c>`, inline('甲')] as const,
    );
    const read1 = await read(styledWorkbook(rows, [], inline('A'), styles));
    expect(good(read1).map(({ topic }) => topic)).toEqual(['第三0章', '三1。', '三3', '三4', '三5']);
    expect(bad(read1)).toEqual([expect.stringMatching(/^4: “题干”数字格式“;;;”读不准/)]);
  });

  test('what nobody sees in the file is read and said: hidden rows, hidden columns; and signs above the words', async () => {
    const row = (more: string, ...texts: string[]) => `<row ${more}>${texts.map(inline).join('')}</row>`;
    const sheet =
      '<worksheet><cols><col min="3" max="3" hidden="1"/></cols><sheetData>' +
      row('', '题型', '题干', '解析', '答案') +
      row('hidden="1"', '判断', '看不见', '一', '对') +
      row('', '判断', '看得见', '二', '对').replace(/<c (?=t="inlineStr"><is><t>看得见)/, '<c ph="1" ') +
      '</sheetData></worksheet>';
    const notes: string[] = [];
    const rows = await read(workbookOf({ 'xl/worksheets/sheet1.xml': sheet }), notes);
    expect(rows.map((one) => one.ok && one.warnings)).toEqual([
      ['这一行在表格里是隐藏的（或被筛选掉了），照样导入；不要它请删掉这一行'],
      [expect.stringMatching(/^“题干”的字上方有拼音/)],
    ]);
    expect(notes).toEqual(['工作表“题库”隐藏的列也读取了：解析']);
  });

  test('a tag in formatted words is text, and the words stay formatted', async () => {
    const strings = [
      '<r><t>用 &lt;b&gt; 把 </t></r><r><rPr><b/></rPr><t>A. &lt;i&gt; 重点</t></r><r><t> 加粗</t></r>',
      '<r><rPr><u/></rPr><t>A. &lt;u&gt;</t></r><r><t>甲</t></r>',
    ];
    const bytes = styledWorkbook([['<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>']], strings);
    expect(good(await read(bytes)).map(({ topic, options }) => [topic, options.A])).toEqual([
      ['用 &lt;b&gt; 把 <strong>A. &lt;i&gt; 重点</strong> 加粗', '<u>A. &lt;u&gt;</u>甲'],
    ]);
  });

  test('words struck out of an answer are no letters', async () => {
    const bytes = styledWorkbook(
      [['<c t="inlineStr"><is><t>甲</t></is></c>', '<c t="inlineStr"><is><t>乙</t></is></c>']],
      [],
      '<c t="inlineStr"><is><r><rPr><strike/></rPr><t>A</t></r><r><t>B</t></r></is></c>',
    );
    expect(bad(await read(bytes))).toEqual([expect.stringMatching(/“答案”里有加了删除线的字/)]);
  });

  const relations = (...to: [id: string, type: string, target: string, mode?: string][]) =>
    `<Relationships>${to.map(([id, type, target, mode = '']) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}" ${mode && `TargetMode="${mode}"`}/>`).join('')}</Relationships>`;
  const pic = (blip: string, more = '') =>
    `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="ID_1"/></xdr:nvPicPr><xdr:blipFill><a:blip ${blip}/>${more}</xdr:blipFill><xdr:spPr><a:xfrm><a:ext cx="95250" cy="47625"/></a:xfrm></xdr:spPr></xdr:pic>`;
  const anchor = (row: number, column: number, inside: string) =>
    `<xdr:twoCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:row>${row}</xdr:row></xdr:from><xdr:to><xdr:col>${column}</xdr:col><xdr:row>${row + 1}</xdr:row></xdr:to>${inside}</xdr:twoCellAnchor>`;
  const drawings = (...anchors: string[]) => ({
    'xl/worksheets/_rels/sheet1.xml.rels': relations(['r1', 'drawing', '../drawings/drawing1.xml']),
    'xl/drawings/drawing1.xml': `<xdr:wsDr>${anchors.join('')}</xdr:wsDr>`,
    'xl/drawings/_rels/drawing1.xml.rels': relations(
      ['p1', 'image', '../media/image1.png'],
      ['p2', 'image', '../media/image2.png'],
      ['p3', 'image', '../media/image3.emf'],
      ['far', 'image', 'http://example.com/x.png', 'External'],
    ),
  });
  const pixels = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#c33' } })
      .png()
      .toBuffer();
  const image = (bytes: Uint8Array, width: number, height: number) =>
    `<img src="media/${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.png" alt="" width="${width}" height="${height}" />`;

  test('pictures over cells belong to them, as large as they are shown, and each is handed on once', async () => {
    const [one, two] = [await pixels(40, 20), await pixels(6, 3)];
    const bytes = styledWorkbook(
      [
        [inline('如图'), inline('甲')],
        [inline('下列图形'), '<c/>'],
        [inline('同一张图'), inline('甲')],
      ],
      [],
      inline('A'),
      {
        ...drawings(
          anchor(1, 1, pic('r:embed="p1"')),
          anchor(2, 2, pic('r:embed="p2"')),
          anchor(3, 1, pic('r:embed="p1"')),
          anchor(8, 1, pic('r:embed="p1"')),
        ),
        'xl/media/image1.png': one,
        'xl/media/image2.png': two,
      },
    );
    const notes: string[] = [];
    const rows = await read(bytes, notes);
    expect(bad(rows)).toEqual([]);
    expect(good(rows).map(({ topic, options }) => [topic, options.A])).toEqual([
      [`如图<br />${image(one, 10, 5)}`, '甲'],
      ['下列图形', image(two, 6, 3)],
      [`同一张图<br />${image(one, 10, 5)}`, '甲'],
    ]);
    expect(rows.map((row) => row.ok && row.pictures.map(({ extension }) => extension))).toEqual([['png'], ['png'], []]);
    expect(rows.flatMap((row) => (row.ok ? row.warnings : []))).toEqual([]);
    expect(notes).toEqual(['工作表“题库”第 9 行有图片或图形，那里没有试题，没有读取']);
  });

  test('a picture over merged cells belongs to the rows that share them', async () => {
    const one = await pixels(10, 5);
    const rows = ['题型,题干,答案,材料', '判断,甲,对,公司', '判断,乙,错,'].map(
      (line) => `<row>${line.split(',').map(inline).join('')}</row>`,
    );
    const bytes = workbookOf({
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('').replace(inline(''), '')}</sheetData><mergeCells><mergeCell ref="D2:E3"/></mergeCells></worksheet>`,
      ...drawings(anchor(2, 4, pic('r:embed="p1"'))),
      'xl/media/image1.png': one,
    });
    expect(good(await read(bytes)).map(({ material }) => material)).toEqual(
      Array(2).fill(`公司<br />${image(one, 10, 5)}`),
    );
  });

  /** A picture of 10 by 5 pixels between two corners: column, row, and how far from the edges of that cell in pixels. */
  const between = (from: [number, number, number, number], to: [number, number, number, number], blip: string) => {
    const corner = (name: string, [column, row, right, down]: typeof from) =>
      `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>${right * 9525}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${down * 9525}</xdr:rowOff></xdr:${name}>`;
    return `<xdr:twoCellAnchor>${corner('from', from)}${corner('to', to)}${pic(blip)}</xdr:twoCellAnchor>`;
  };

  test('pictures of one cell stand as somebody reads them, whichever was put there first', async () => {
    const [one, two] = [await pixels(40, 20), await pixels(30, 15)];
    const bytes = styledWorkbook(
      [
        [inline('上下'), inline('甲')],
        [inline('左右'), inline('甲')],
      ],
      [],
      inline('A'),
      {
        ...drawings(
          between([1, 1, 0, 50], [1, 1, 10, 55], 'r:embed="p2"'),
          between([1, 1, 0, 10], [1, 1, 10, 15], 'r:embed="p1"'),
          // A little lower, and still beside it.
          between([1, 2, 60, 10], [1, 2, 70, 15], 'r:embed="p2"'),
          between([1, 2, 0, 11], [1, 2, 10, 16], 'r:embed="p1"'),
        ),
        'xl/media/image1.png': one,
        'xl/media/image2.png': two,
      },
    );
    const [above, beside] = good(await read(bytes)).map(({ topic }) => topic);
    expect(above).toBe(`上下<br />${image(one, 10, 5)}<br />${image(two, 10, 5)}`);
    expect(beside).toBe(`左右<br />${image(one, 10, 5)}<br />${image(two, 10, 5)}`);
  });

  test('a picture that juts out of its cell belongs to it, one that reaches over further rows is named', async () => {
    const one = await pixels(10, 5);
    const bytes = styledWorkbook(
      ['一', '二', '三', '四'].map((topic) => [inline(topic), inline('甲')]),
      [],
      inline('A'),
      {
        ...drawings(
          // One pixel above row 3, and left of column C in row 4.
          between([1, 1, 0, 19], [1, 2, 10, 4], 'r:embed="p1"'),
          between([1, 3, 59, 2], [2, 3, 9, 7], 'r:embed="p1"'),
          between([1, 4, 0, 18], [1, 5, 10, 3], 'r:embed="p1"'),
        ),
        'xl/media/image1.png': one,
      },
    );
    const rows = await read(bytes);
    expect(good(rows).map(({ topic, options }) => [topic, options.A])).toEqual([
      ['一', '甲'],
      [`二<br />${image(one, 10, 5)}`, '甲'],
      ['三', `甲<br />${image(one, 10, 5)}`],
      [`四<br />${image(one, 10, 5)}`, '甲'],
    ]);
    expect(rows.map((row) => row.ok && row.warnings)).toEqual([
      [],
      [],
      [],
      ['“题干”上的图片伸到了第 6 行，算作左上角所在的这一行的'],
    ]);
  });

  test('equations and objects of other programs refuse their row, in the drawing where Excel hides them and in the old one', async () => {
    const shape =
      '<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1025" name="Object 1" hidden="1"><a:extLst><a:ext><a14:compatExt spid="_x0000_s1025"/></a:ext></a:extLst></xdr:cNvPr></xdr:nvSpPr></xdr:sp>';
    const hidden = '<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="3" name="x" hidden="1"/></xdr:nvSpPr></xdr:sp>';
    const rows = [
      [inline('公式'), inline('甲')],
      [inline('隐藏的图形'), inline('甲')],
    ] as const;
    const excel = styledWorkbook(rows, [], inline('A'), drawings(anchor(1, 1, shape), anchor(2, 1, hidden)));
    expect(bad(await read(excel))).toEqual([expect.stringMatching(/^2: 这一行上有图形/)]);
    const old = styledWorkbook(rows, [], inline('A'), {
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['r1', 'vmlDrawing', '../drawings/vmlDrawing1.vml']),
      'xl/drawings/vmlDrawing1.vml':
        '<xml><v:shape id="_x0000_s1025"><x:ClientData ObjectType="Pict"><x:Anchor>1, 15, 1, 2, 3, 31, 5, 1</x:Anchor></x:ClientData></v:shape>' +
        '<v:shape id="_x0000_s1026"><x:ClientData ObjectType="Note"><x:Anchor>1, 15, 2, 2, 3, 31, 5, 1</x:Anchor></x:ClientData></v:shape></xml>',
    });
    expect(bad(await read(old))).toEqual([expect.stringMatching(/^2: 这一行上有图形/)]);
  });

  test('pictures in cells, of WPS and of Excel, belong to them', async () => {
    const [one, two] = [await pixels(10, 5), await pixels(30, 12)];
    const bytes = styledWorkbook(
      [
        [inline('WPS'), '<c t="str"><f>_xlfn.DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v></c>'],
        [inline('Excel'), '<c t="e" vm="1"><v>#VALUE!</v></c>'],
        [inline('没有这张'), '<c t="str"><f>_xlfn.DISPIMG("ID_9",1)</f><v>=DISPIMG("ID_9",1)</v></c>'],
        [inline('网上的'), '<c t="e" vm="2"><f>_xlfn.IMAGE("http://x/y.png")</f><v>#VALUE!</v></c>'],
        [inline('股票'), '<c t="e" vm="9"><v>#VALUE!</v></c>'],
      ],
      [],
      inline('A'),
      {
        'xl/_rels/workbook.xml.rels': relations(
          ['r1', 'worksheet', 'worksheets/sheet1.xml'],
          ['r2', 'cellImage', 'cellimages.xml'],
          ['r3', 'sheetMetadata', 'metadata.xml'],
          ['r4', 'rdRichValue', 'richData/rdrichvalue.xml'],
          ['r5', 'rdRichValueStructure', 'richData/rdrichvaluestructure.xml'],
          ['r6', 'richValueRel', 'richData/richValueRel.xml'],
        ),
        'xl/cellimages.xml': `<etc:cellImages><etc:cellImage>${pic('r:embed="i1"')}</etc:cellImage></etc:cellImages>`,
        'xl/_rels/cellimages.xml.rels': relations(['i1', 'image', 'media/image1.png']),
        'xl/metadata.xml':
          '<metadata><metadataTypes><metadataType name="XLRICHVALUE"/></metadataTypes><futureMetadata name="XLRICHVALUE"><bk><extLst><ext><xlrd:rvb i="0"/></ext></extLst></bk></futureMetadata><valueMetadata><bk><rc t="1" v="0"/></bk></valueMetadata></metadata>',
        'xl/richData/rdrichvalue.xml': '<rvData><rv s="0"><v>0</v><v>5</v></rv></rvData>',
        'xl/richData/rdrichvaluestructure.xml':
          '<rvStructures><s t="_localImage"><k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/></s></rvStructures>',
        'xl/richData/richValueRel.xml': '<richValueRels><rel r:id="rId1"/></richValueRels>',
        'xl/richData/_rels/richValueRel.xml.rels': relations(['rId1', 'image', '../media/image2.png']),
        'xl/media/image1.png': one,
        'xl/media/image2.png': two,
      },
    );
    const rows = await read(bytes);
    expect(good(rows).map(({ topic, options }) => [topic, options.A])).toEqual([
      ['WPS', image(one, 10, 5)],
      ['Excel', image(two, 30, 12)],
    ]);
    expect(bad(rows)).toEqual([
      expect.stringMatching(/^4: “选项A”单元格里的图片（DISPIMG）不在文件里/),
      expect.stringMatching(/^5: “选项A”单元格里是取自网址的图片/),
      expect.stringMatching(/^6: “选项A”单元格里是表格导入读不了的特殊内容/),
    ]);
  });

  test.each([
    ['is no picture', anchor(1, 1, pic('r:embed="p2"')), /“题干”：图片显示不了/],
    ['is of a kind that no page shows', anchor(1, 1, pic('r:embed="p3"')), /“题干”：EMF 图片显示不了，请转成 PNG/],
    ['is linked', anchor(1, 1, pic('r:link="far"')), /链接到文件外/],
    ['is cut', anchor(1, 1, pic('r:embed="p1"', '<a:srcRect l="10000"/>')), /被裁剪过/],
    ['is turned', anchor(1, 1, pic('r:embed="p1"').replace('<a:xfrm>', '<a:xfrm rot="90">')), /被旋转/],
    ['is a shape', anchor(1, 1, '<xdr:sp/>'), /有图形（文本框/],
    ['stands in no column of a question', anchor(1, 9, pic('r:embed="p1"')), /第 10 列上有图片/],
    ['stands where words have to', anchor(1, 4, pic('r:embed="p1"')), /“答案”里有图片，这一列只能写字/],
    ['is not in the file', anchor(1, 1, pic('r:embed="p9"')), /链接到文件外/],
  ])('a row whose picture %s is refused with the reason', async (_, drawing, why) => {
    const bytes = styledWorkbook([[inline('题'), inline('甲')]], [], inline('A'), {
      ...drawings(drawing),
      'xl/media/image1.png': await pixels(4, 4),
      'xl/media/image2.png': 'no picture',
      'xl/media/image3.emf': 'EMF',
    });
    expect(bad(await read(bytes))).toEqual([expect.stringMatching(why)]);
  });

  test('a question that speaks of a picture and has none is named', async () => {
    const rows = await read(
      csv('判断,如图所示，a>b,,,,,对,,,,,', '判断,意图明显,,,,,对,,,,,见下图', '判断,地图很大,,,,,对,,,,,'),
    );
    expect(rows.map((row) => row.ok && row.warnings)).toEqual([
      ['“题干”说到“如图”，但这一题没有图片'],
      ['“材料”说到“见下图”，但这一题没有图片'],
      [],
    ]);
  });

  test('a worksheet that is named many times is read once', async () => {
    const header = ['题型', '题干', '答案'].map((text) => `<c t="str"><v>${text}</v></c>`).join('');
    const row = ['判断', '甲', '对'].map((text) => `<c t="str"><v>${text}</v></c>`).join('');
    const bytes = workbookOf({
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${'<sheet name="题库" sheetId="1" r:id="r1"/>'.repeat(3)}</sheets></workbook>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${header}</row><row>${row}</row></sheetData></worksheet>`,
    });
    const rows = await read(bytes);
    expect(rows.map(({ ok }) => ok)).toEqual([true]);
  });

  test('a worksheet that several relations name is read once', async () => {
    const row = (...texts: string[]) => `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`;
    const bytes = workbookOf({
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${[1, 2, 3].map((at) => `<sheet name="题库${at}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations(
        ...[1, 2, 3].map((at) => [`s${at}`, 'worksheet', 'worksheets/sheet1.xml'] as [string, string, string]),
      ),
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row('题型', '题干', '答案')}${row('判断', '甲', '对')}</sheetData></worksheet>`,
    });
    expect((await read(bytes)).map(({ ok }) => ok)).toEqual([true]);
  });

  test('what is read in all is bounded, before it is read', async () => {
    const bytes = workbookOf({
      'xl/worksheets/sheet1.xml': packed(
        '<worksheet><sheetData>',
        '<row r="5"/>',
        90_000_000,
        '</sheetData></worksheet>',
      ),
    });
    const began = performance.now();
    expect(await refused(bytes)).toBe('文件内容太多：要读的合计超过 1000 MB，请拆成几个文件');
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('a format of which nobody says what it shows is a fault', async () => {
    const bytes = styledWorkbook([['<c t="inlineStr"><is><t>甲</t></is></c>', '<c s="3"><v>3</v></c>']], []);
    expect(bad(await read(bytes))).toEqual([
      '2: “选项A”数字格式“[DBNum1]General”读不准，请把单元格改为文本，写上要显示的内容',
    ]);
  });

  test('a part that ends in the middle is a damaged file', async () => {
    const whole = await asXlsx([
      HEADER,
      // Digits that hardly repeat, so that the part stays long when it is compressed.
      ...Array.from({ length: 300 }, (_, at) => ['判断', `甲${at}${Math.sin(at + 1)}`, null, null, null, null, '对']),
    ]);
    const bytes = Buffer.from(whole);
    const at = bytes.indexOf('xl/worksheets/sheet1.xml') + 200;
    bytes.fill(0xaa, at, at + 400);
    expect(await refused(bytes)).toMatch(/损坏/);
  });

  const judgeRow =
    '<row><c t="inlineStr"><is><t>题型</t></is></c><c t="inlineStr"><is><t>题干</t></is></c><c t="inlineStr"><is><t>答案</t></is></c></row>' +
    '<row><c t="inlineStr"><is><t>单选</t></is></c><c t="inlineStr"><is><t>选项A</t></is></c><c t="inlineStr"><is><t>KEY=B</t></is></c></row>';

  test('a byte that is not the one its author saved is a damaged file, be the XML still whole', async () => {
    const bytes = rawWorkbook(judgeRow);
    bytes[bytes.indexOf('KEY=B') + 4] = 'C'.charCodeAt(0);
    expect(await refused(bytes)).toBe('文件已损坏，读到一半无法继续');
  });

  test('a chapter keeps no sign that nobody sees', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const row = (...texts: string[]) => `<row>${texts.map(cell).join('')}</row>`;
    const rows = row('题型', '题干', '答案', '章节') + row('判断', '甲', '对', '第_x0000_一_x001B_章/\u202e第一节');
    expect(good(await read(rawWorkbook(rows)))).toMatchObject([{ chapter: ['第一章', '第一节'] }]);
    const nothing = row('题型', '题干', '答案', '章节') + row('判断', '甲', '对', '章/_x0000_/节');
    expect(bad(await read(rawWorkbook(nothing)))).toEqual([expect.stringContaining('有一级是空的')]);
  });

  test.each([
    ['a part that says it is longer than the file', 20],
    ['a part that says it begins elsewhere', 42],
  ])('%s is a damaged file', async (_, field) => {
    const bytes = rawWorkbook(judgeRow);
    const entry = bytes.lastIndexOf('PK\x01\x02', bytes.lastIndexOf('xl/worksheets/sheet1.xml'), 'latin1');
    for (const at of field === 20 ? [20, 24] : [field]) bytes.writeUInt32LE(bytes.length * 2, entry + at);
    expect(await refused(bytes)).toBe('文件已损坏，读到一半无法继续');
  });
});

test('the template imports as it is, from both of its forms', async () => {
  const notes: string[] = [];
  const fromXlsx = await read(await templateXlsx(), notes);
  const fromCsv = await read(templateCsv(), notes);
  expect(bad(fromXlsx)).toEqual([]);
  expect(notes, 'its own sheet of explanations is nothing to warn of').toEqual([]);
  expect(good(fromXlsx).map(({ type }) => type)).toEqual([1, 2, 3, 5, 4, 8]);
  expect(good(fromCsv)).toEqual(good(fromXlsx));
});
