import { expect, test } from 'vitest';
import { pictureWords } from '#content/sheet/picture-words.ts';
import { questionKey } from './content-key.ts';
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
  styledWorkbook,
} from './spreadsheet.test-kit.ts';

/** A workbook whose three questions show one picture each, over a cell, in a cell of WPS and in one of Excel, and what is said of them. */
const described = async (
  over: { said?: string; about?: string },
  value: { keys?: string; fields?: string } = {},
): Promise<Uint8Array> =>
  styledWorkbook(
    [
      [inline('上面'), inline('甲')],
      [inline('WPS'), '<c t="str"><f>_xlfn.DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v></c>'],
      [inline('Excel'), '<c t="e" vm="1"><v>#VALUE!</v></c>'],
    ],
    [],
    inline('A'),
    {
      ...drawings(anchor(1, 1, pic('r:embed="p1"', '', over.said, over.about))),
      ...inCells({ ...over, ...value }),
      'xl/media/image1.png': await pixels(10, 5),
    },
  );
const TEXT = '<k n="Text" t="s"/>';
const alts = (rows: Awaited<ReturnType<typeof read>>) =>
  good(rows).map(({ topic, options }) => / alt="([^"]*)"/.exec(topic + options.A)?.[1]);
const shortened = `${'长'.repeat(499)}…`;

test.each<[string, written: string, alt: string]>([
  ['as it is', '红色矩形，宽 4 高 3', '红色矩形，宽 4 高 3'],
  ['on one line', '  红色矩形&#10;&#10;\t宽 4\u3000高 3 ', '红色矩形 宽 4 高 3'],
  [
    'as no HTML',
    '&quot;&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp;amp;',
    '&quot;&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp;amp;',
  ],
  ['without signs that nobody sees', '红\u202e\u200b色', '红色'],
  ['as long as 500 characters', '长'.repeat(500), '长'.repeat(500)],
  ['cut where it is longer', '长'.repeat(501), shortened],
  ['cut where it is much longer', '长'.repeat(100_000), shortened],
  ['without what Office says of its own', '带坐标的抛物线&#10;&#10;描述已自动生成', '带坐标的抛物线'],
  ['nor where that is older', '图示 中度可信度描述已自动生成', '图示'],
  ['nor where that is newer', '黑板上的三角形&#xA;&#xA;AI 生成的内容可能不正确。', '黑板上的三角形'],
  ['nor in English', 'A red box&#10;&#10;Description automatically generated with medium confidence', 'A red box'],
  ['nor in newer English', 'A red box&#10;&#10;AI-generated content may be incorrect.', 'A red box'],
  ['none of Office alone', 'AI 生成的内容可能不正确。', ''],
  ['none of blanks', ' &#10; ', ''],
  ['none of the name of a file', '图片1.png', ''],
  ['none of the name of a photo', 'IMG_2034.JPG', ''],
  ['none of the way to a file', 'C:\\Users\\老师\\Desktop\\红色 矩形(1).png', ''],
  ['none of the name of a picture', 'Picture 1', ''],
  ['none of one without a blank', 'image1', ''],
  ['none of one in Chinese', '微信图片_20240102030405', ''],
  ['none of a number', '0f8fad5b-d9cb-469f-a165-70867728950e', ''],
  ['none of a name that Office made a description of', '图片 3 描述已自动生成', ''],
  ['none of one with its number', '图片 1.png', ''],
  ['none of one in English', 'Red box (1).png', ''],
  ['words before a name', '函数 y=x 的图像 chart.png', '函数 y=x 的图像 chart.png'],
  ['a sentence about a file', '窗口里选中的文件是，a.png', '窗口里选中的文件是，a.png'],
  ['a sentence about a picture', '图片 1 的左半部分', '图片 1 的左半部分'],
])('what is said of a picture is its alternative text, %s', async (_, written, alt) => {
  const rows = await read(
    await described({ said: `descr="${written}"` }, { keys: TEXT, fields: `<v>5</v><v>${written}</v>` }),
  );
  expect(bad(rows)).toEqual([]);
  expect(alts(rows)).toEqual([alt, alt, alt]);
  const [first] = rows.map((row) => row.ok && row.warnings);
  expect(first).toEqual(alt.endsWith('…') ? ['“题干”的图片的替代文字超过 500 个字符，只取了开头（B 列）'] : []);
});

const DECORATIVE = '<a:extLst><a:ext uri="{C183D7F6}"><adec:decorative val="1"/></a:ext></a:extLst>';
const PLAIN = DECORATIVE.replace('"1"', '"0"');
test.each<[string, Parameters<typeof described>, alts: [string, string, string]]>([
  ['the description before the title', [{ said: 'title="名" descr="述"' }], ['述', '述', '']],
  ['else the title', [{ said: 'descr="" title="名"' }], ['名', '名', '']],
  ['the title where the description is a name', [{ said: 'descr="a.png" title="名"' }], ['名', '名', '']],
  ['a name that is no description', [{}, { keys: TEXT, fields: '<v>5</v><v></v>' }], ['', '', '']],
  [
    'none of what is there to please',
    [
      { said: 'descr="花边"', about: DECORATIVE },
      { keys: TEXT, fields: '<v>6</v><v>花边</v>' },
    ],
    ['', '', ''],
  ],
  ['none of that whatever is said behind it', [{ said: 'descr="花边"', about: DECORATIVE + PLAIN }], ['', '', '']],
  [
    'the first where older programs are told another one',
    [{ said: 'descr="花边"', about: '</xdr:cNvPr><xdr:cNvPr id="3" name="b" descr="旧的">' }],
    ['花边', '花边', ''],
  ],
  ['nor where that is said not to be', [{ said: 'descr="花边"', about: PLAIN }], ['花边', '花边', '']],
  [
    'a text of a value where its kind says that it is',
    [{}, { keys: `<k n="Other"/>${TEXT}`, fields: '<v>5</v><v>别的</v><v>一行_x000a_二行</v>' }],
    ['', '', '一行 二行'],
  ],
])('of a picture is taken: %s', async (_, [over, value], expected) => {
  expect(alts(await read(await described(over, value)))).toEqual(expected);
});

test('of what is said without end the beginning counts, as whole signs, and that is told', () => {
  expect(pictureWords(`${' '.repeat(2500)}红色矩形`)).toEqual({ alt: '红色矩形', cut: false });
  expect(pictureWords(`看 ${' '.repeat(1997)}😀x`)).toEqual({ alt: '看…', cut: true });
  expect(pictureWords(`${'看 '.repeat(600)}`).alt).toHaveLength(500);
});

test('one picture is said otherwise where it stands otherwise, and is one option all the same', async () => {
  const one = await pixels(10, 5);
  const said = (alt: string) => pic('r:embed="p1"', '', `descr="${alt}"`);
  const bytes = (...anchors: string[]) =>
    styledWorkbook(
      [
        [inline('甲'), inline('一')],
        [inline('乙'), inline('一')],
      ],
      [],
      inline('A'),
      { ...drawings(...anchors), 'xl/media/image1.png': one },
    );
  const rows = await read(bytes(anchor(1, 1, said('左')), anchor(2, 1, said('右'))));
  expect(good(rows).map(({ topic }) => topic)).toEqual([
    `甲<br />${image(one, 10, 5, '左')}`,
    `乙<br />${image(one, 10, 5, '右')}`,
  ]);
  expect(rows.map((row) => row.ok && row.pictures.length)).toEqual([1, 0]);
  const options = styledWorkbook([[inline('甲'), inline('乙')]], [], inline('A'), {
    ...drawings(anchor(1, 2, said('左')), anchor(1, 3, said('右'))),
    'xl/media/image1.png': one,
  });
  expect(bad(await read(options))).toEqual([expect.stringMatching(/^2: 选项A和选项B相同/)]);
});

test('keys are those of before, when nothing was said of a picture', () => {
  const shown = (alt: string) => `<img src="/files/a.png" alt="${alt}" width="10" height="5" />`;
  const keyOf = (alt: string) => questionKey(2, `甲<br />${shown(alt)}`, { A: shown(alt), B: '乙' }, shown(alt));
  expect([keyOf(''), keyOf('红色 src=&quot;矩形&quot;')]).toEqual(
    Array(2).fill('sheet:d43baa08a1349d440435da9810b844de'),
  );
  expect(questionKey(1, '甲', { A: '对', B: '错' }, '')).toBe('sheet:dbb0ad4588951e094ac4ef22e2ac9ea3');
});
