import type { CellValue } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { rawWorkbook } from '#content/sheet/xlsx.test-kit.ts';
import { HEADER } from './header.test-kit.ts';
import { asXlsx, bad, csv, good, read } from './spreadsheet.test-kit.ts';

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
    [
      'all options in one cell',
      '单选,甲,A.乙 B.丙 C.丁,,,,A,,,,,',
      /只有选项A.*像是写了不止一个选项，请每个选项写一格/,
    ],
    ['options in the topic', '单选,"甲\nA. 乙\nB. 丙",,,,,A,,,,,', /没有选项；题干里像是写着选项/],
    ['options of a short answer', '简答,甲,1,2,,,乙,,,,,', /不能有选项/],
    ['points', '判断,甲,,,,,对,,0.3,,,', /分值“0.3”不正确/],
    ['difficulty', '判断,甲,,,,,对,,,,9,', /难度“9”不正确/],
    ['points as programs write them', '判断,甲,,,,,对,,0x10,,,', /分值“0x10”不正确/],
    ['a chapter with tags', '判断,甲,,,,,对,,,<b>a</b>,,', /章节“<b>a<\/b>”里有标签 <b>/],
    [
      'material that points at the row above',
      '判断,甲,,,,,对,,,,,同上',
      /“材料”写的是“同上”，不会读成上一行的内容.*合并单元格/,
    ],
    ['a chapter that does', '判断,甲,,,,,对,,,〃,,', /“章节”写的是“〃”/],
    ['four levels', '判断,甲,,,,,对,,,a/b/c/d,,', /最多三级/],
    ['an empty level', '判断,甲,,,,,对,,,a//c,,', /有一级是空的/],
    ['a formula that defines', '判断,甲$\\def\\a{\\a\\a}\\a$,,,,,对,,,,,', /“题干”：公式里不能定义新命令/],
    [
      'a picture of another site',
      '判断,甲<img src="http://x/y.png">,,,,,对,,,,,',
      /题干”里有图片的网址.*不会从别的网站取/,
    ],
    [
      'a picture that is written as text, however long',
      `判断,"甲<img alt='' src='data:image/png;base64,${'A'.repeat(30_000)}'>",,,,,对,,,,,`,
      /^2: “题干”里有写成文字的图片（data:…），读不了，请把图片本身插入单元格（B 列）$/,
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
    ['得 60分，及格（1分）', [['得 60分，及格', 1, []]]],
    ['用时 10分钟，得出结论：1分', [['用时 10分钟，得出结论：', 1, []]]],
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
    ['what is taken off, in words', pointed('漏写扣 1分'), /没有写分值/],
    ['a ratio', pointed('比分为 2:1分'), /没有写分值/],
    ['two without brackets', pointed('(1)甲 1分；(2)乙 1分'), /不止一个分值，请每个采点写一行/],
    ['a sum', pointed('每点1分，共3分'), /不止一个分值/],
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
    expect(row).toMatchObject({ ok: false, row: 2, columns: ['B', 'D', 'I', 'J', 'K'] });
    expect(row?.ok === false && row.why).toHaveLength(5);
  });

  test('a question that comes again in the file, also with another answer', async () => {
    const line = (answer: string) => `单选,甲,1,2,,,${answer},,,,,`;
    const rows = await read(csv(line('A'), line('A'), line('B'), '单选,甲,1,3,,,A,,,,,'));
    expect(good(rows)).toHaveLength(2);
    expect(bad(rows)).toEqual(['3: 与第 2 行重复（B 列）', '4: 与第 2 行是同一道题，但答案不同（那里是 A）（G 列）']);
    // The words of a reference answer may differ.
    const text = (answer: string) => `简答,说明理由,,,,,${answer},,,,,`;
    expect(bad(await read(csv(text('公平'), text('公平原则'))))).toEqual(['3: 与第 2 行重复（B 列）']);
  });

  test('questions that differ in their material alone are two', async () => {
    const line = (material: string) => `判断,甲公司的处理正确,,,,,对,,,,,${material}`;
    expect(bad(await read(csv(line('材料一'), line('材料二'), line('材料一'))))).toEqual(['4: 与第 2 行重复（B 列）']);
  });

  test.each(['编号', '试题编号', 'ID', '题目ID（必填）'])(
    'the school’s own keys, in a column called %s',
    async (name) => {
      const file = `题型,题干,答案,${name}\n判断,甲,对, Ａ-0１ \n判断,乙,错,\n判断,丙,错,A-01\n判断,丁,对,${'长'.repeat(65)}\n`;
      const rows = await read(file);
      expect(good(rows).map(({ schoolKey }) => schoolKey)).toEqual(['A-01', null]);
      expect(bad(rows)).toEqual([
        '4: 编号“A-01”在第 2 行已经用过，第 4 行要写另一个（D 列）',
        `5: 编号“${'长'.repeat(20)}…”太长，最多 64 个字（D 列）`,
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
      ['章节“TCP/IP协议”按 2 级读：TCP、IP协议；如果“/”是名称的一部分，请写成“\\/”（J 列）'],
      [],
    ]);
  });

  test('formulas that cannot be set are named by their column, and the row is a question', async () => {
    const [row] = await read(csv('单选,甲 $\\foo$,1,$x^2^3$,,,A,,,,,'));
    expect(row?.ok && row.warnings).toEqual([
      '“题干”：公式排不出来，会照原样显示（不认识的命令 \\foo）：\\foo（B 列）',
      '“选项B”：公式排不出来，会照原样显示（一处有两个上标或两个下标）：x^2^3（D 列）',
    ]);
  });

  test('signs that nobody sees make no word of another and no row that is not empty', async () => {
    const rows = await read(
      '题\u200b型,题干\ufeff,选项A,选项B,选项C,答案,分值\n单选\u200b,甲,1,2,\u200b,A\u200e,\u20602\n\u200b,\u200e,,,,,\n',
    );
    expect(bad(rows)).toEqual([]);
    expect(good(rows)).toMatchObject([{ type: 2, options: { A: '1', B: '2' }, rightAnswer: 'A', score: 2 }]);
  });

  test('a ninth option', async () => {
    const letters = [...'ABCDEFGHI'];
    const rows = await read(
      `题型,题干,答案,${letters.map((letter) => `选项${letter}`).join()}\n单选,甲,A,1,2,3,4,5,6,7,8,9\n单选,乙,H,1,2,3,4,5,6,7,8,\n`,
    );
    expect(bad(rows)).toEqual([expect.stringMatching(/^2: 选项太多/)]);
    expect(Object.keys(good(rows)[0]?.options ?? {})).toHaveLength(8);
  });

  test('a question that speaks of a picture and has none is named', async () => {
    const rows = await read(
      csv('判断,如图所示，a>b,,,,,对,,,,,', '判断,意图明显,,,,,对,,,,,见下图', '判断,地图很大,,,,,对,,,,,'),
    );
    expect(rows.map((row) => row.ok && row.warnings)).toEqual([
      ['“题干”说到“如图”，但这一题没有图片（B 列）'],
      ['“材料”说到“见下图”，但这一题没有图片（L 列）'],
      [],
    ]);
  });

  test('a chapter keeps no sign that nobody sees', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const row = (...texts: string[]) => `<row>${texts.map(cell).join('')}</row>`;
    const rows = row('题型', '题干', '答案', '章节') + row('判断', '甲', '对', '第_x0000_一_x001B_章/\u202e第一节');
    expect(good(await read(rawWorkbook(rows)))).toMatchObject([{ chapter: ['第一章', '第一节'] }]);
    const nothing = row('题型', '题干', '答案', '章节') + row('判断', '甲', '对', '章/_x0000_/节');
    expect(bad(await read(rawWorkbook(nothing)))).toEqual([expect.stringContaining('有一级是空的')]);
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
    expect(bad(rows)).toEqual(['4: 没有写题干（B 列）']);
  });

  test('what is seen beside a row because its cell is merged with one above is told, or refused where it would be missing', async () => {
    const row = (topic: string, c: string | null, analysis: string | null): CellValue[] => [
      ...['单选', topic, '1', '2', c, null, 'A', analysis],
    ];
    const bytes = await asXlsx([HEADER, row('甲', '以上都对', '都因为'), row('乙', '3', null), row('丙', null, '丙')], {
      merges: [
        { startRow: 1, startCol: 7, endRow: 2, endCol: 7 },
        { startRow: 2, startCol: 4, endRow: 3, endCol: 4 },
      ],
    });
    const rows = await read(bytes);
    expect(rows.map((one) => one.ok && one.warnings)).toEqual([
      [],
      ['“解析”和上面的行合并了单元格，算上面那一行的，这一题没有；要共用请取消合并，每行写一遍（H 列）'],
      false,
    ]);
    expect(bad(rows)).toEqual(['4: “选项C”和上面的行合并了单元格，请取消合并，每行写一遍（E 列）']);
  });
});

test('thirty thousand signs of a cell that is no picture and no chapter take no time', async () => {
  const began = performance.now();
  for (const cells of [`<img src=${' '.repeat(30_000)}x,一,二,,,A,,,,,`, `甲,一,二,,,A,,,${'-'.repeat(30_000)}x,,`])
    await read(csv(`单选,${cells}`));
  expect(performance.now() - began).toBeLessThan(2000);
});
