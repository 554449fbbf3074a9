import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { packed, rawWorkbook, workbookOf, zip } from '#content/sheet/xlsx.test-kit.ts';
import { HEADER } from './header.test-kit.ts';
import { asXlsx, bad, csv, good, read, refused, relations } from './spreadsheet.test-kit.ts';
import { templateCsv, templateXlsx } from './template.ts';

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
    [
      'a column twice',
      '题型,题干,答案,正确答案\n判断,甲,对,错\n',
      /两列都是“答案”（C 列“答案”、D 列“正确答案”），请留一列/,
    ],
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

  test('a quotation mark that takes in rows below refuses its row; lines that look a little like rows do not', async () => {
    const rows = await read(
      csv(
        '判断,"对"的反义词是错,,,,,对,,,,,',
        '判断,"好的,,,,,对,,,,,',
        '判断,他说"坏,,,,,错,,,,,',
        '判断,下一题,,,,,对,,,,,',
        '简答,"按下表填写\n判断,甲,乙",,,,,丙,,,,,',
      ),
    );
    expect(bad(rows)).toEqual([
      expect.stringMatching(/^3: 这一格把下面的行（“判断,他说"坏”）也读了进来.*引号没有配对.*（B 列）$/),
    ]);
    expect(good(rows).map(({ topic }) => topic)).toEqual(['"对"的反义词是错', '下一题', '按下表填写<br />判断,甲,乙']);
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

  test('options whose letter stands in brackets, beside remarks in brackets', async () => {
    const rows = await read('题型,题干(A卷),选项（A）,【B】,答案(B)\n单选,甲,一,二,B\n');
    expect(good(rows)).toMatchObject([{ topic: '甲', options: { A: '一', B: '二' }, rightAnswer: 'B' }]);
  });

  test('says which columns it did not read, and skips a header that comes again', async () => {
    const notes: string[] = [];
    const rows = await read('题型,题干,答案,备注\n判断,甲,对,x\n题型,题干,答案,备注\n判断,乙,错,y\n', notes);
    expect(good(rows).map(({ topic }) => topic)).toEqual(['甲', '乙']);
    expect(notes).toEqual(['没有读取的列：备注']);
  });
});

describe('workbooks', () => {
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
    expect(notes).toEqual(['隐藏的工作表没有读取：草稿', '工作表“说明”没有表头，没有读取']);
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
