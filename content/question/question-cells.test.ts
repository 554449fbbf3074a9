import { describe, expect, test } from 'vitest';
import { rawWorkbook, workbookOf } from '#content/sheet/xlsx.test-kit.ts';
import { HEADER } from './header.test-kit.ts';
import { asXlsx, bad, good, inline, read, relations, styledWorkbook } from './spreadsheet.test-kit.ts';

describe('what a cell shows', () => {
  test('numbers, percentages, dates, booleans and rich texts read as they show', async () => {
    const cells = new Map([
      ['1,2', { value: 0.25, style: { numFmt: '0%' } }],
      ['1,3', { value: 45292, style: { numFmt: 'yyyy"年"m"月"d"日"' } }],
      ['1,4', { value: 2 }],
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

  test('formatting goes around whole formulas; of a part of one it is said that nobody sees it', async () => {
    const pieces = (...runs: [text: string, look: string][]) =>
      `<c t="inlineStr"><is>${runs.map(([text, look]) => `<r><rPr>${look}</rPr><t xml:space="preserve">${text}</t></r>`).join('')}</is></c>`;
    const rows = await read(
      styledWorkbook(
        [
          [pieces(['选出', ''], ['甲 $x$ 乙', '<u/>'], ['部分', '']), inline('甲')],
          [pieces(['10', ''], ['$n$', '<vertAlign val="superscript"/>'], ['个', '']), inline('甲')],
          [pieces(['$x', ''], ['2', '<vertAlign val="superscript"/>'], ['$', '']), inline('甲')],
        ],
        [],
      ),
    );
    expect(good(rows).map(({ topic }) => topic)).toEqual([
      '选出<u>甲 \\(x\\) 乙</u>部分',
      '10<sup>\\(n\\)</sup>个',
      '\\(x2\\)',
    ]);
    expect(rows.map((row) => row.ok && row.warnings)).toEqual([
      [],
      [],
      [expect.stringMatching(/公式里有字设了格式.*B 列/)],
    ]);
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
      ['“题干”里有一部分字是别的颜色，学员看到的没有颜色；要区分它们请用加粗或下划线（B 列）'],
      [],
      [],
      [],
    ]);
  });

  /** Styles by number: 0 plain, 1 bold, 2 red, 3 yellow behind, 4 painted white, 5 white letters, 6 two lines below. */
  const looks = {
    'xl/styles.xml':
      '<styleSheet><fonts><font><sz val="12"/></font><font><b/></font><font><color rgb="FFFF0000"/></font><font><color theme="0"/></font><font><u val="double"/></font></fonts>' +
      '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill>' +
      '<fill><patternFill patternType="solid"><fgColor theme="0"/></patternFill></fill></fills>' +
      '<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/><xf fillId="1"/><xf fillId="2"/><xf fontId="3"/><xf fontId="4"/></cellXfs></styleSheet>',
  };
  const styled = (style: number, text: string) => `<c s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`;
  /** A sheet of 题型, 题干, 选项A, 选项B, 答案 and 解析, each row with the styles of the last five. */
  const lookingSheet = (rows: readonly string[]) =>
    workbookOf({
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${['题型', '题干', '选项A', '选项B', '答案', '解析'].map(inline).join('')}</row>${rows
        .map((styles, at) => {
          const [topic = 0, a = 0, b = 0, answer = 0, analysis = 0] = [...styles].map(Number);
          return `<row>${inline('单选')}${styled(topic, `题${at}`)}${styled(a, '甲')}${styled(b, '乙')}${styled(answer, 'A')}${styled(analysis, '因为')}</row>`;
        })
        .join('')}</sheetData></worksheet>`,
      ...looks,
    });
  const said = async (rows: readonly string[]) => {
    const [notes, later] = [[], []] as [string[], string[]];
    const read1 = await read(lookingSheet(rows), notes, later);
    expect(bad(read1)).toEqual([]);
    return { notes, later, own: read1.flatMap((row) => (row.ok ? row.warnings : [])) };
  };

  test('how an option looks as a whole is told where the others look otherwise', async () => {
    expect((await said(['00000', '01000', '02000', '00300'])).later).toEqual([
      '3: “选项A”整格是加粗，别的选项不是；学员看到的都一样，要区分它们请只给其中的字加格式（C 列）',
      expect.stringMatching(/^4: “选项A”整格是别的颜色，/),
      expect.stringMatching(/^5: “选项B”整格是带底色，.*（D 列）$/),
    ]);
  });

  test('the look of a whole column is said once, of cells beside others that look otherwise with their rows', async () => {
    const plain = Array(15).fill('11000') as string[];
    // Bold topics and options A throughout; of one the topic is red, of two the analysis is filled.
    const { notes, later, own } = await said([...plain, '21000', '11003', ...plain, '11003']);
    expect(notes).toEqual(['工作表“题库”整列的样子学员看不到：题干（加粗）、选项A（加粗）']);
    expect(later).toEqual([
      '17: “题干”整格是别的颜色，别的行不是；学员看到的都一样，要紧的请写进文字里，或只给其中的字加格式（B 列）',
      '18: “解析”整格是带底色，别的行不是；学员看到的都一样，要紧的请写进文字里，或只给其中的字加格式（第 34 行也是，共 2 行）（F 列）',
    ]);
    expect(own).toEqual([]);
  });

  test('a row that is marked as a whole is one warning, however many there are', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? '00000' : '33333'));
    const { notes, later } = await said(rows);
    expect(notes).toEqual([]);
    expect(later).toEqual([
      '3: 整行是带底色，别的行不是；学员看到的都一样，要紧的请写进文字里（第 5、7、9、11、13、15、17、19、21、23… 行也是，共 20 行）（B、C、D、E、F 列）',
    ]);
  });

  test('white letters and lines below that become one are told; what is painted white is paper', async () => {
    const { notes, later, own } = await said(['00000', '40000', '50000', '60000']);
    expect(notes).toEqual([]);
    expect(own).toEqual(['“题干”里有白色的字，表格里看不见，学员看得见；不要它们请删掉（B 列）']);
    expect(later).toEqual([expect.stringMatching(/^5: “题干”整格是下划线，/)]);
  });

  test('words made small to stand for sub- and superscript, and two lines below some words, are told', async () => {
    const run = (text: string, format: string) => `<r><rPr>${format}</rPr><t>${text}</t></r>`;
    const strings = [
      `<r><t>H</t></r>${run('2', '<sz val="7"/>')}<r><t>O</t></r>`,
      `${run('大一点', '<sz val="11"/>')}${run('的字', '<sz val="12"/>')}`,
      `<r><t>x</t></r>${run('2', '<vertAlign val="superscript"/><sz val="7"/>')}`,
      `<r><t>选出</t></r>${run('划线', '<u val="double"/>')}<r><t>部分</t></r>`,
    ];
    const bytes = styledWorkbook(
      strings.map((_, at) => [`<c t="s"><v>${at}</v></c>`, inline('甲')] as const),
      strings,
      undefined,
      looks,
    );
    expect((await read(bytes)).map((row) => row.ok && row.warnings)).toEqual([
      [expect.stringMatching(/^“题干”里有一部分字小得多/)],
      [],
      [],
      ['“题干”里有双下划线，学员看到的是单下划线（B 列）'],
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

  test('so are letters of fonts of phonetic signs, and of any font that the file says has signs', async () => {
    const words = (font: string, text: string) =>
      `<c t="inlineStr"><is><r><t>读作 </t></r><r><rPr><rFont val="${font}"/></rPr><t>${text}</t></r></is></c>`;
    const rows = await read(
      styledWorkbook(
        [
          [words('Kingsoft Phonetic Plain', '/pEn/'), inline('甲')],
          [words('Euclid Symbol"/><charset val="2', 'a'), inline('甲')],
          [inline('整格'), '<c s="1" t="inlineStr"><is><t>e</t></is></c>'],
          // What those fonts show as it is written, and a font of letters whose character set was left behind.
          [words('Kingsoft Phonetic Plain', '/pen/'), inline('甲')],
          [words('Euclid Symbol"/><charset val="2', '角'), inline('甲')],
          [words('Times New Roman"/><charset val="2', 'a'), inline('甲')],
          [words('Microsoft YaHei"/><charset val="2', 'c'), inline('甲')],
          [words('Euclid"/><charset val="134', 'b'), inline('甲')],
        ],
        [],
        inline('A'),
        {
          'xl/styles.xml':
            '<styleSheet><fonts><font/><font><charset val="2"/><name val="Fences"/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>',
        },
      ),
    );
    expect(bad(rows)).toEqual([
      expect.stringMatching(/^2: “题干”里有用 Kingsoft Phonetic Plain 字体显示的符号/),
      expect.stringMatching(/^3: “题干”里有用 Euclid Symbol 字体显示的符号/),
      expect.stringMatching(/^4: “选项A”里有用 Fences 字体显示的符号/),
    ]);
    expect(good(rows).map(({ topic }) => topic)).toEqual(['读作 /pen/', '读作 角', '读作 a', '读作 c', '读作 b']);
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
      '<worksheet><cols><col min="3" max="3" width="0"/></cols><sheetData>' +
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

  test('comments are not read, and their cells say so; long numbers are told', async () => {
    const bytes = workbookOf({
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${['题型', '题干', '选项A', '选项B', '答案'].map(inline).join('')}</row>
        <row r="2">${inline('单选')}<c r="B2" t="inlineStr"><is><t>甲</t></is></c><c><v>123456789012</v></c><c><v>1234567890123456789</v></c>${inline('A')}</row></sheetData></worksheet>`,
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['r1', 'comments', '../comments1.xml']),
      'xl/comments1.xml':
        '<comments><commentList><comment ref="B2"><text><t>因为</t></text></comment></commentList></comments>',
    });
    expect((await read(bytes)).map((row) => row.ok && row.warnings)).toEqual([
      [
        '“题干”有批注，没有读取，学员看不到；要紧的请写进单元格里（B 列）',
        '“选项A”是很长的数，表格里可能只显示成 1.23457E+11，学员看到的是 123456789012（C 列）',
        expect.stringMatching(/^“选项B”是很长的数.*超过 15 位的数字表格软件没有保存/),
      ],
    ]);
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

  test('a format of which nobody says what it shows is a fault', async () => {
    const bytes = styledWorkbook([['<c t="inlineStr"><is><t>甲</t></is></c>', '<c s="3"><v>3</v></c>']], []);
    expect(bad(await read(bytes))).toEqual([
      '2: “选项A”数字格式“[DBNum1]General”读不准，请把单元格改为文本，写上要显示的内容（C 列）',
    ]);
  });
});
