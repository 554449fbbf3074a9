import { expect, test } from 'vitest';
import { workbookOf } from '#content/sheet/xlsx.test-kit.ts';
import {
  anchor,
  bad,
  drawings,
  good,
  image,
  inCells,
  inline,
  pic,
  pixels,
  read,
  refused,
  relations,
  styledWorkbook,
} from './spreadsheet.test-kit.ts';

test('pictures over cells belong to them, as large as they are shown, and each is handed on once', async () => {
  const [one, two] = [await pixels(40, 20), await pixels(6, 3)];
  const bytes = styledWorkbook(
    [
      [inline('如图'), inline('甲')],
      [inline('下列图形'), '<c/>'],
      [inline('根据材料，同一张【图1】'), inline('甲')],
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
    [`根据材料，同一张【图1】<br />${image(one, 10, 5)}`, '甲'],
  ]);
  expect(rows.map((row) => row.ok && row.pictures.map(({ extension }) => extension))).toEqual([['png'], ['png'], []]);
  expect(rows.flatMap((row) => (row.ok ? row.warnings : []))).toEqual([]);
  expect(notes).toEqual(['工作表“题库”第 9 行有图片或图形，那里没有试题，没有读取']);
});

test('a picture that is shown in other colours, fainter or cut to a shape is told', async () => {
  const effects = [
    '<a:lum/>',
    '<a:alphaModFix amt="0"/>',
    '<a:lum bright="70000"/>',
    '<a:grayscl/>',
    '<a:clrChange/>',
    '',
  ];
  const shaped = (effect: string, shape: string) =>
    pic('r:embed="p1"')
      .replace('/></xdr:blipFill>', `>${effect}</a:blip></xdr:blipFill>`)
      .replace('</xdr:spPr>', `<a:prstGeom prst="${shape}"/></xdr:spPr>`);
  const bytes = styledWorkbook(
    effects.map((_, at) => [inline(`题${at}`), inline('甲')]),
    [],
    inline('A'),
    {
      ...drawings(
        ...effects.map((effect, at) => anchor(at + 1, 1, shaped(effect, effect === '' ? 'ellipse' : 'rect'))),
      ),
      'xl/media/image1.png': await pixels(40, 20),
    },
  );
  const told = '“题干”的图片在表格里改过颜色、透明度或形状，学员看到的是原图（B 列）';
  const [plain, ...others] = (await read(bytes)).map((row) => row.ok && row.warnings);
  expect({ plain, others }).toEqual({ plain: [], others: effects.slice(1).map(() => [told]) });
});

test('the formula of WPS as a text is a picture all the same, and CSV has none', async () => {
  const text = '=DISPIMG(&quot;ID_7&quot;,1)';
  const rows = await read(
    styledWorkbook(
      [
        [inline('看图'), inline(text)],
        [inline('写法'), inline(`写作 ${text}`)],
      ],
      [],
    ),
  );
  expect(bad(rows)).toEqual([expect.stringMatching(/^2: “选项A”单元格里的图片（DISPIMG）不在文件里/)]);
  expect(good(rows).map(({ options }) => options.A)).toEqual(['写作 =DISPIMG("ID_7",1)']);
  expect(bad(await read('题型,题干,答案\r\n判断,"=DISPIMG(""ID_7"",1)",对\r\n'))).toEqual([
    '2: “题干”里是一张图片（DISPIMG），CSV 存不了图片，请另存为 .xlsx（B 列）',
  ]);
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
    ['“题干”上的图片伸到了第 6 行，算作左上角所在的这一行的（B 列）'],
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
      ...inCells({ excel: 'image2.png' }),
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

test('a picture that hangs at the page and at no cell refuses the file: no row would say that it is missing', async () => {
  const bytes = styledWorkbook([[inline('题'), inline('甲')]], [], inline('A'), {
    ...drawings(`<xdr:absoluteAnchor><xdr:pos x="0" y="300000"/>${pic('r:embed="p1"')}</xdr:absoluteAnchor>`),
    'xl/media/image1.png': await pixels(4, 4),
  });
  expect(await refused(bytes)).toMatch(/^工作表“题库”里有固定在页面上的图片或图形.*锚定/);
});

test.each([
  ['is no picture', anchor(1, 1, pic('r:embed="p2"')), /“题干”：图片显示不了/],
  ['is of a kind that no page shows', anchor(1, 1, pic('r:embed="p3"')), /“题干”：EMF 图片显示不了，请转成 PNG/],
  ['is linked', anchor(1, 1, pic('r:link="far"')), /链接到文件外/],
  ['is cut', anchor(1, 1, pic('r:embed="p1"', '<a:srcRect l="10000"/>')), /被裁剪过/],
  ['is mirrored', anchor(1, 1, pic('r:embed="p1"').replace('<a:xfrm>', '<a:xfrm flipH="true">')), /被旋转/],
  ['is turned', anchor(1, 1, pic('r:embed="p1"').replace('<a:xfrm>', '<a:xfrm rot="90">')), /被旋转/],
  ['is a shape', anchor(1, 1, '<xdr:sp/>'), /有图形（文本框/],
  ['stands in no column of a question', anchor(1, 9, pic('r:embed="p1"')), /有图片，那一列不是试题的内容，.*（J 列）/],
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
