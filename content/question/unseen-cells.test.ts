import { describe, expect, test } from 'vitest';
import { workbookOf } from '#content/sheet/xlsx.test-kit.ts';
import { asXlsx, bad, csv, good, inline, read, refused } from './spreadsheet.test-kit.ts';

const HEAD = ['题型', '题干', '选项A', '选项B', '答案', '解析'];
/** A row of raw cells. */
const line = (...cells: string[]) => `<row>${cells.join('')}</row>`;
/** A judged row with a raw cell as its explanation. */
const judged = (topic: string, analysis: string) =>
  line(inline('判断'), inline(topic), '<c/>', '<c/>', inline('对'), analysis);
/** A sheet of some rows below a header. */
const sheetOf = (rows: readonly string[], { before = '', behind = '' } = {}) =>
  `<worksheet>${before}<sheetData>${line(...HEAD.map(inline))}${rows.join('')}</sheetData>${behind}</worksheet>`;
const bookOf = (sheet: string | Uint8Array, more: Readonly<Record<string, string | Uint8Array>> = {}) =>
  workbookOf({ 'xl/worksheets/sheet1.xml': sheet, ...more });
const workbook = (more: string, sheets = '<sheet name="题库" sheetId="1" r:id="r1"/>') => ({
  'xl/workbook.xml': `<workbook xmlns:r="http://x/r"><sheets>${sheets}</sheets>${more}</workbook>`,
});
const said = async (file: Uint8Array, notes: string[] = []) =>
  (await read(file, notes)).flatMap((row) =>
    (row.ok ? row.warnings : row.why).map((why) => `${row.row} ${row.ok ? '' : '×'}${why}`),
  );

describe('what the file shows otherwise than its cells are written', () => {
  test('a zero that the sheet does not show is nothing; formulas that it shows are refused', async () => {
    const rows = [judged('零', '<c><v>0</v></c>'), judged('一', '<c><f>A1</f><v>1</v></c>')];
    const view = (more: string) => `<sheetViews><sheetView ${more}/></sheetViews>`;
    const hidden = await read(bookOf(sheetOf(rows, { before: view('showZeros="0"') })));
    expect(good(hidden).map(({ analysis }) => analysis)).toEqual(['', '1']);
    const shown = await read(bookOf(sheetOf(rows, { before: view('showFormulas="1"') })));
    expect(bad(shown)).toEqual([expect.stringMatching(/^3: “解析”单元格里的公式显示为公式本身.*F 列/)]);
  });

  test('what a program wrote beside a formula that it cannot compute is no value', async () => {
    const file = bookOf(
      sheetOf([judged('一', '<c><f>"乙"</f><v>0</v></c>')]),
      workbook('<calcPr fullCalcOnLoad="1"/>'),
    );
    expect(bad(await read(file))).toEqual([expect.stringMatching(/^2: “解析”单元格里的公式没有算过.*F 列/)]);
  });

  test('a link is told, unless the text says where it leads', async () => {
    const rows = [
      judged('看视频', inline('甲')),
      judged('看 https://a.b/c', inline('乙')),
      judged('看图', '<c t="str"><f>HYPERLINK("http://a.b","图")</f><v>图</v></c>'),
    ];
    const links = '<hyperlinks><hyperlink ref="B2:B3" r:id="r1"/><hyperlink ref="D2" location="x"/></hyperlinks>';
    expect(await said(bookOf(sheetOf(rows, { behind: links })))).toEqual([
      '2 “题干”有超链接，学员看到的只有文字，点不开；要紧的网址请写进文字里（B 列）',
      '4 “解析”有超链接，学员看到的只有文字，点不开；要紧的网址请写进文字里（F 列）',
    ]);
  });

  test('links over one another, each to very many cells, take no time', async () => {
    const began = performance.now();
    const links = `<hyperlinks>${'<hyperlink ref="B2:B199999" r:id="r1"/>'.repeat(100)}</hyperlinks>`;
    expect(await said(bookOf(sheetOf([judged('看视频', inline('甲'))], { behind: links })))).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('signs that nobody sees are told, such as what an export makes of \\frac', async () => {
    expect(await said(bookOf(sheetOf([judged('$_x000C_rac{1}{2}$', inline('甲_x000B_乙'))])))).toEqual([
      expect.stringMatching(/^2 “题干”里有看不见的控制字符（\\u000c），.*（B 列）$/),
    ]);
  });

  test('a conditional format that may hide or strike out is told of its rows, one that colours once', async () => {
    const styles =
      '<styleSheet><cellXfs><xf/></cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode=";;;"/></dxf>' +
      '<dxf><font><b/><color rgb="FFFF0000"/></font></dxf><dxf><font><strike/></font></dxf><dxf><font><color theme="0"/></font></dxf></dxfs></styleSheet>';
    const rule = (area: string, dxf: number) =>
      `<conditionalFormatting sqref="${area}"><cfRule type="expression" dxfId="${dxf}"><formula>1</formula></cfRule></conditionalFormatting>`;
    const behind =
      rule('F2', 0) +
      rule('B2:B9 C3', 1) +
      rule('B3', 2) +
      rule('F4', 3) +
      '<extLst><ext><x14:conditionalFormatting><x14:cfRule type="iconSet"><x14:iconSet showValue="0"/></x14:cfRule><xm:sqref>B5</xm:sqref></x14:conditionalFormatting></ext></extLst>';
    const rows = ['一', '二', '三', '四'].map((topic) => judged(topic, inline('因为')));
    const notes: string[] = [];
    expect(await said(bookOf(sheetOf(rows, { behind }), { 'xl/styles.xml': styles }), notes)).toEqual([
      expect.stringMatching(/^2 “解析”上有条件格式（数字格式），.*（F 列）$/),
      expect.stringMatching(/^3 “题干”上有条件格式（删除线），.*（B 列）$/),
      expect.stringMatching(/^4 “解析”上有条件格式（白色的字），.*（F 列）$/),
      expect.stringMatching(/^5 “题干”上有条件格式（不显示数值），.*（B 列）$/),
    ]);
    expect(notes).toEqual(['工作表“题库”的条件格式（颜色、加粗等）学员看不到：B2:B9、C3']);
  });

  test('cells merged in a file that quotes otherwise are merged, and a text that looks like it is none', async () => {
    const rows = [judged('mergeCell ref="F2:F3"', inline('甲')), judged('二', '<c/>'), judged('三', '<c/>')];
    const behind = "<mergeCells><mergeCell ref='F3:F4'/></mergeCells>";
    expect(await said(bookOf(sheetOf(rows, { behind })))).toEqual([]);
    rows[1] = judged('二', inline('乙'));
    expect(await said(bookOf(sheetOf(rows, { behind })))).toEqual([expect.stringMatching(/^4 .*解析.*合并/)]);
  });

  test('letters that fill their cell again and again, long fractions, rows that a sheet hides by itself', async () => {
    const styles = '<styleSheet><cellXfs><xf/><xf><alignment horizontal="fill"/></xf></cellXfs></styleSheet>';
    const rows = [
      judged('一', '<c s="1" t="inlineStr"><is><t>ab</t></is></c>'),
      judged('二', '<c><v>0.33333333333333331</v></c>'),
      judged('三', '<c><v>0.25</v></c>'),
    ];
    expect(await said(bookOf(sheetOf(rows), { 'xl/styles.xml': styles }))).toEqual([
      expect.stringMatching(/^2 “解析”用了“填充”对齐/),
      '3 “解析”是很长的数，表格里可能只显示成 0.333333333，学员看到的是 0.333333333333333（F 列）',
    ]);
    const hidden = await said(bookOf(sheetOf([judged('一', '<c/>')], { before: '<sheetFormatPr zeroHeight="1"/>' })));
    expect(hidden).toEqual([expect.stringMatching(/^2 这一行在表格里是隐藏的/)]);
  });

  test('a day that is kept as ISO 8601 shows as its format says', async () => {
    const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="31"/><xf numFmtId="20"/></cellXfs></styleSheet>';
    const day = (style: number, text: string) => `<c s="${style}" t="d"><v>${text}</v></c>`;
    const rows = [day(1, '2024-03-01T00:00:00Z'), day(0, '2024-03-01'), day(2, 'T08:05:00'), day(1, '1899')];
    const file = (more = '') =>
      bookOf(sheetOf(rows.map((cell, at) => judged(`${at}`, cell))), { 'xl/styles.xml': styles, ...workbook(more) });
    const days = async (more = '') => good(await read(file(more))).map(({ analysis }) => analysis);
    expect(await days()).toEqual(['2024年3月1日', '2024-03-01', '8:05', '1899']);
    expect((await days('<workbookPr date1904="1"/>'))[0]).toBe('2024年3月1日');
  });
});

describe('what lies under merged cells', () => {
  const merged = (...areas: string[]) =>
    `<mergeCells>${areas.map((area) => `<mergeCell ref="${area}"/>`).join('')}</mergeCells>`;
  const chosen = (topic: string, answer: string, analysis = '<c/>') =>
    line(inline('单选'), inline(topic), inline('甲'), inline('乙'), answer, analysis);

  test('is not read, and said: nobody sees it in the file', async () => {
    const rows = [chosen('一', inline('A'), inline('因为')), chosen('二', inline('B'), inline('藏着'))];
    const file = bookOf(sheetOf(rows, { behind: merged('F2:F3') }));
    expect(good(await read(file)).map(({ analysis }) => analysis)).toEqual(['因为', '']);
    expect(await said(file)).toEqual([
      expect.stringMatching(/^3 “解析”和上面的行合并了单元格/),
      '3 “解析”有被合并的单元格盖住的内容“藏着”，表格里看不见，没有读取；要用它请取消合并（F 列）',
    ]);
  });

  test('is no answer and no option', async () => {
    const below = bookOf(sheetOf([chosen('一', inline('A')), chosen('二', inline('B'))], { behind: merged('E2:E3') }));
    expect(bad(await read(below))).toEqual([
      expect.stringMatching(/^3: 没有写答案（E 列）；“答案”有被合并的单元格盖住的内容“B”/),
    ]);
    const beside = bookOf(sheetOf([chosen('一', inline('A'))], { behind: merged('C2:D2') }));
    expect(bad(await read(beside))).toEqual([
      expect.stringMatching(/^2: 只有选项A，至少要有两个选项（D 列）；“选项B”有被合并的单元格盖住的内容“乙”/),
    ]);
  });

  test('is nothing under an empty cell too, also where its first row is not in the file', async () => {
    const rows = [
      `<row r="3">${['判断', '一', '', '', '对', '藏着'].map((text) => (text ? inline(text) : '<c/>')).join('')}</row>`,
    ];
    const file = bookOf(sheetOf(rows, { behind: merged('F2:F3') }));
    expect(await said(file)).toEqual([expect.stringMatching(/^3 “解析”有被合并的单元格盖住的内容“藏着”/)]);
  });

  test('is told from rows that a program wrote in another order', async () => {
    const at = (row: number, topic: string, analysis: string) =>
      judged(topic, inline(analysis)).replace('<row>', `<row r="${row}">`);
    const rows = [at(5, '五', '戊'), at(6, '六', '己'), at(2, '二', '乙'), at(3, '三', '丙')];
    const file = bookOf(sheetOf(rows, { behind: merged('F5:F6') }));
    expect(good(await read(file)).map(({ analysis }) => analysis)).toEqual(['戊', '', '乙', '丙']);
  });

  test('is read where it says what is seen there anyway', async () => {
    const rows = [chosen('一', inline('A')), chosen('二', inline('A'))];
    const file = bookOf(sheetOf(rows, { behind: merged('E2:E3', 'A2:A3') }));
    expect(await said(file)).toEqual([]);
    expect(good(await read(file)).map(({ rightAnswer }) => rightAnswer)).toEqual(['A', 'A']);
  });
});

describe('what of a workbook cannot be read is said', () => {
  test('a header of two rows is told to be made one', async () => {
    const rows =
      line(...['题型', '题干', '选项', '', '答案', '解析'].map((word) => (word ? inline(word) : '<c/>'))) +
      line('<c/>', '<c/>', inline('A'), inline('B'), '<c/>', '<c/>') +
      line(...['单选', '一', '甲', '乙', 'A', ''].map(inline));
    const behind = `<mergeCells>${['A1:A2', 'B1:B2', 'C1:D1', 'E1:E2', 'F1:F2'].map((area) => `<mergeCell ref="${area}"/>`).join('')}</mergeCells>`;
    expect(await refused(bookOf(`<worksheet><sheetData>${rows}</sheetData>${behind}</worksheet>`))).toBe(
      '工作表“题库”的表头占了两行（第 1、2 行，选项A、选项B 在第二行）：请合成一行，把第二行的列名写到第一行，再删去第二行',
    );
  });

  test('capitals in the names of its parts say nothing: its styles are found by another spelling', async () => {
    const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="31"/></cellXfs></styleSheet>';
    const day = '<c s="1"><v>45352</v></c>';
    const file = (more: Readonly<Record<string, string>>) => bookOf(sheetOf([judged('一', day)]), more);
    const days = async (more: Readonly<Record<string, string>>) =>
      good(await read(file(more))).map(({ analysis }) => analysis);
    expect(await days({ 'xl/styles.xml': styles })).toEqual(['2024年3月1日']);
    expect(await days({ 'xl/Styles.xml': styles })).toEqual(['2024年3月1日']);
    expect(await days({ 'xl\\styles.xml': styles })).toEqual(['2024年3月1日']);
  });

  test('a cell whose style is not in the file is refused: a day would be a number', async () => {
    const rows = [judged('一', '<c s="7"><v>45352</v></c>'), judged('二', '<c s="7" t="str"><v>乙</v></c>')];
    expect(bad(await read(bookOf(sheetOf([...rows, judged('三', '<c s="7"/>')]))))).toEqual([
      expect.stringMatching(/^2: “解析”单元格的样式不在文件里.*F 列/),
      expect.stringMatching(/^3: “解析”单元格的样式不在文件里/),
    ]);
  });

  test('parts in UTF-16 are read, other bytes than UTF-8 are damage', async () => {
    const sheet = sheetOf([judged('宽', inline('因为'))]);
    expect(good(await read(bookOf(Buffer.from(`\ufeff${sheet}`, 'utf16le')))).map(({ topic }) => topic)).toEqual([
      '宽',
    ]);
    expect(await refused(bookOf(Buffer.from(sheet.replace('宽', '\xcc\xe2'), 'latin1')))).toContain('不是 UTF-8');
  });

  test('a sheet that is named and is not there, and one that is another one', async () => {
    const sheet = (name: string, id: string) => `<sheet name="${name}" sheetId="1" r:id="${id}"/>`;
    const rows = sheetOf([judged('一', '<c/>')]);
    expect(await refused(bookOf(rows, workbook('', sheet('题库', 'r1') + sheet('第二张', 'r9'))))).toBe(
      '工作表“第二张”的内容不在文件里，文件已损坏',
    );
    const notes: string[] = [];
    expect(await said(bookOf(rows, workbook('', sheet('题库', 'r1') + sheet('同一张', 'r1'))), notes)).toEqual([]);
    expect(notes).toEqual(['和前面的工作表是同一份内容，没有再读：同一张']);
  });

  test('a sheet that was sorted with its header names the questions above it', async () => {
    const rows = ['判断,一,,,,,对', '单选,二,甲,乙,,,A', '题库标题'].map((text) => `${text}\r\n`);
    const notes = await read(`${rows.join('')}${csv('判断,三,,,,,对')}`);
    expect(bad(notes)).toEqual([
      '1: 这一行在表头（第 4 行）上面，没有读取：请把表头移到最上面',
      '2: 这一行在表头（第 4 行）上面，没有读取：请把表头移到最上面',
    ]);
    expect(good(notes)).toHaveLength(1);
  });

  test('a second header with other columns is refused, the same one is passed over', async () => {
    const table = (...head: string[]) => [head, ['单选', '一', '甲', '乙', 'A']];
    const file = (...second: string[]) =>
      asXlsx([
        ...table('题型', '题干', '选项A', '选项B', '答案'),
        ...table(...second).map((row) => row.map((cell) => cell.replace('一', '二'))),
      ]);
    expect(await said(await file('题型', '题干', '选项A', '选项B', '答案'))).toEqual([]);
    expect(await refused(await file('题型', '题干', '选项B', '选项A', '答案'))).toBe(
      '工作表“题库”第 3 行又是表头，但列和第 1 行的表头不一样（选项A、选项B），下面的行不知道按哪一个读：请拆成两张工作表，或把列调成一样',
    );
  });

  test('more ways in which rows look than are compared are said', async () => {
    const rows = Array.from({ length: 2100 }, (_, at) => {
      const style = (place: number) => (Math.floor(at / 7 ** place) % 7) + 1;
      const cell = (place: number, text: string) => `<c s="${style(place)}" t="inlineStr"><is><t>${text}</t></is></c>`;
      return line(inline('单选'), cell(0, `题${at}`), cell(1, '甲'), cell(2, '乙'), inline('A'), cell(3, '因为'));
    });
    const colours = Array.from(
      { length: 7 },
      (_, at) => `<font>${at % 2 ? '<b/>' : ''}${at % 4 > 1 ? '<i/>' : ''}${at > 3 ? '<u/>' : ''}</font>`,
    );
    const styles = `<styleSheet><fonts><font/>${colours.join('')}</fonts><cellXfs>${Array.from({ length: 8 }, (_, at) => `<xf fontId="${at}"/>`).join('')}</cellXfs></styleSheet>`;
    const notes: string[] = [];
    await read(bookOf(sheetOf(rows), { 'xl/styles.xml': styles }), notes);
    expect(notes).toEqual([expect.stringMatching(/^工作表“题库”各行的样子（加粗、颜色等）超过 2000 种，第 2002 行起/)]);
  });
});

test('a CSV file that names its separator, and cells that a spreadsheet program would compute', async () => {
  const rows = await read('sep=|\r\n题型|题干|答案|解析\r\n判断|一, 二; 三|对|="001"\r\n判断|二|也许|=\r\n');
  expect(good(rows).map(({ topic, analysis }) => [topic, analysis])).toEqual([['一, 二; 三', '="001"']]);
  expect(rows.map((row) => (row.ok ? row.warnings : row.row))).toEqual([
    ['“解析”以“=”开头，表格软件打开时会把它当作公式，学员看到的是写着的字（D 列）'],
    3,
  ]);
});

describe('what stands where nobody would look is told', () => {
  const plain = (...cells: string[]) => line(...cells.map(inline));
  const raised =
    '<c t="inlineStr"><is><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>3</t></r></is></c>';

  test('raised letters in names are refused: they would read as others', async () => {
    const rows =
      plain('题型', '题干', '答案', '知识点', '章节', '编号') +
      line(...['判断', '一', '对'].map(inline), raised, inline('CO2'), inline('K1'));
    expect(await said(bookOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`))).toEqual([
      expect.stringMatching(/^2 ×“知识点”里有上标或下标.*（D 列）$/),
    ]);
  });

  test('comments and colours of scoring points', async () => {
    const coloured =
      '<c t="inlineStr"><is><r><t>甲（1分）\n</t></r><r><rPr><color rgb="FFFF0000"/></rPr><t>乙（1分）</t></r></is></c>';
    const rows =
      plain('题型', '题干', '答案', '分值', '采点') + line(...['简答', '一', '答', '2'].map(inline), coloured);
    expect(await said(bookOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`))).toEqual([
      expect.stringMatching(/^2 “采点”里有一部分字是别的颜色.*（E 列）$/),
    ]);
  });

  test('columns without a word above them are not read, which is said', async () => {
    const rows = [
      plain('判断', '一', '', '', '对', '因为', '所以'),
      plain('判断', '二', '', '', '对', '因为', '', ' '),
    ];
    const notes: string[] = [];
    expect(await said(bookOf(sheetOf(rows)), notes)).toEqual([]);
    expect(notes).toEqual(['工作表“题库”没有列名的列没有读取：G 列（第 2 行起，1 行有内容）']);
  });

  test('a row of CSV that is longer than its header is refused, empty cells aside', async () => {
    const notes: string[] = [];
    const rows = await read(
      '题型,题干,答案,解析,\r\n判断,一,对,因为甲,,所以乙\r\n判断,二,对,因为,,,\r\n判断,三,对,,注\r\n',
      notes,
    );
    expect(bad(rows)).toEqual([
      '2: 这一行比表头多出 1 格（“所以乙”）：文字里的英文逗号等分隔符要放在英文引号里，否则后面的内容会错开',
    ]);
    expect(good(rows).map(({ topic }) => topic)).toEqual(['二', '三']);
    expect(notes).toEqual(['没有列名的列没有读取：E 列（第 4 行起，1 行有内容）']);
  });
});

describe('entities of HTML', () => {
  const text = (words: string) => inline(words.replaceAll('&', '&amp;'));

  test('show their sign, which is told once for all rows of a sheet', async () => {
    const rows = [
      judged('零', inline('R&amp;D')),
      line(inline('单选'), text('小于号怎么写'), text('&lt;'), text('&gt;'), inline('A'), '<c/>'),
      judged('二', text('a &nbsp; b')),
      judged('三', text('“&amp;”')),
    ];
    const file = bookOf(sheetOf(rows));
    const later: string[] = [];
    const [, asked] = good(await read(file, [], later));
    expect(asked?.options).toEqual({ A: '&lt;', B: '&gt;' });
    expect(later).toEqual([
      '3: 有 HTML 的转义，学员看到的是它表示的字符（&lt; 是 <、&gt; 是 >、&amp; 是 &）；要显示转义本身，请把它的 & 写成 &amp;（第 5 行也是，共 2 行）（C、D、F 列）',
    ]);
  });

  test('that stand for a blank are told where the text speaks of them, and not where editors leave gaps', async () => {
    const rows = [
      'HTML 中&nbsp;表示空格',
      '“&ensp;”的宽度',
      '正确的是（&nbsp;&nbsp;）',
      '甲&nbsp;是&nbsp;乙',
      'v&nbsp;表示速度，输入字符&nbsp;A',
    ].map((words, at) => judged(`${at}`, text(words)));
    const later: string[] = [];
    await read(bookOf(sheetOf(rows)), [], later);
    expect(later).toEqual([
      expect.stringMatching(/^2: 有 HTML 的转义.*（&nbsp; 是 空格、&ensp; 是 空格）.*（第 3 行也是，共 2 行）/),
    ]);
  });

  test('are the addresses of variables in a program, and stay', async () => {
    const rows = [
      'int num=1, *p=&num;',
      '*p=&sum; y=*p',
      'int a; if (a&lt;1) b=&top;',
      'S=&sum;',
      'How long time, &ldquo;int a;&rdquo;',
    ].map((code, at) => judged(`${at}`, text(code)));
    const later: string[] = [];
    const shown = good(await read(bookOf(sheetOf(rows)), [], later)).map(({ analysis }) => analysis);
    expect(shown).toEqual([
      'int num=1, *p=&amp;num;',
      '*p=&amp;sum; y=*p',
      'int a; if (a&lt;1) b=&amp;top;',
      'S=∑',
      'How long time, “int a;”',
    ]);
    expect(later).toEqual([expect.stringMatching(/^4: .*&lt; 是 <、&sum; 是 ∑.*（第 5、6 行也是，共 3 行）/)]);
  });
});

test('a number with a power is told where the sheet shows less of it', async () => {
  const rows = ['6.62607015E-34', '1.6E-19', '1E+20'].map((value) => judged(value, `<c><v>${value}</v></c>`));
  expect(await said(bookOf(sheetOf(rows)))).toEqual([
    '2 “解析”是很长的数，表格里可能只显示成 6.62607E-34，学员看到的是 6.62607015E-34（F 列）',
    expect.stringMatching(/^4 “解析”是很长的数，表格里可能只显示成 1E\+20，/),
  ]);
});
