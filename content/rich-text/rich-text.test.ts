import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEmptyHtml, richFromCell, richFromMarkdown } from './rich-text.ts';

const images = (src: string) => (src === 'media/a.svg' ? '/files/a.svg' : null);
const md = (source: string) => richFromMarkdown(source, images).html;
const cell = (source: string) => richFromCell(source, images).html;

describe('Markdown', () => {
  test.each([
    ['plain', '两点之间线段最短。', '两点之间线段最短。'],
    ['emphasis', '选出**错误**的一项', '选出<strong>错误</strong>的一项'],
    ['emphasis that ends with a mark', '**重点：**内容', '<strong>重点：</strong>内容'],
    ['emphasis around quotes', '他说**“你好”**了', '他说<strong>“你好”</strong>了'],
    ['paragraphs', '甲\n\n乙', '<p>甲</p>\n<p>乙</p>'],
    ['a line break between Chinese words', '甲方\n乙方', '甲方乙方'],
    ['a line break between Latin words', 'left\nright', 'left\nright'],
    ['inline formula', '若 $a<b$ 且 $x_1*x_2*3$', '若 \\(a&lt;b\\) 且 \\(x_1*x_2*3\\)'],
    [
      'display formula',
      '$$\\begin{matrix} 1 & 2 \\\\ 3 & 4 \\end{matrix}$$',
      '\\[\\begin{matrix} 1 &amp; 2 \\\\ 3 &amp; 4 \\end{matrix}\\]',
    ],
    ['formula with line space', '$$a \\\\[2pt] b$$', '\\[a \\\\[2pt] b\\]'],
    ['round and square delimiters', '\\(x\\) 与 \\[y\\]', '\\(x\\) 与 \\[y\\]'],
    ['an escaped dollar', '价格 \\$5 与 \\$6', '价格 $5 与 $6'],
    ['prices are no formula', '价格为 $5，另一种 $6 一斤', '价格为 $5，另一种 $6 一斤'],
    ['blanks at both edges', '$ x $', '\\(x\\)'],
    ['a blank at one edge', '$ x$', '\\(x\\)'],
    ['a display formula in a sentence', '甲 $$x$$ 乙', '甲 \\(x\\) 乙'],
    ['a display formula in a list', '- $$x$$\n- 甲', '<ul>\n<li>\\[x\\]</li>\n<li>甲</li>\n</ul>'],
    ['an entity in a formula', '$a &lt; b$', '\\(a &lt; b\\)'],
    ['a dollar in code', '写作 `$x$`', '写作 <code>$x$</code>'],
    ['code keeps its tags as text', '`<b>`', '<code>&lt;b&gt;</code>'],
    ['an unclosed dollar', '共 $100', '共 $100'],
    ['picture', '![图](media/a.svg)', '<img src="/files/a.svg" alt="图" />'],
    [
      'link',
      '[官网](https://example.com/?a=1&b=2)',
      '<a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">官网</a>',
    ],
    ['HTML that is allowed', 'H<sub>2</sub>O', 'H<sub>2</sub>O'],
    ['headings step down', '# 标题', '<h3>标题</h3>'],
  ])('%s', (_, source, html) => {
    expect(md(source)).toBe(html);
  });

  test('a table keeps the alignment of its columns, without a style', () => {
    const html = md('| 甲 | 乙 |\n|---|--:|\n| $x|y$ | 2 |'.replace('$x|y$', '1'));
    expect(html).toContain('<td align="right">2</td>');
    expect(html).not.toContain('style');
  });

  test('names the pictures that are not there', () => {
    expect(richFromMarkdown('![甲](media/b.svg)![乙](http://example.com/c.png)', images).missing).toEqual([
      'media/b.svg',
      'http://example.com/c.png',
    ]);
  });
});

test.each([
  ['页面里 <script> 标签的作用是什么？', 'script'],
  ['甲\n\n<TEXTAREA rows=2>乙\n\n丙', 'textarea'],
])('a text that an element would take along says so: %s', (source, tag) => {
  const { html, faults } = richFromMarkdown(source, images);
  expect({ html, faults }).toEqual({
    html: '',
    faults: [`<${tag}> 没有闭合，后面的文字都会丢失；要显示标签本身，请写在反引号里：\`<${tag}>\``],
  });
  expect(richFromMarkdown(`写作 \`<${tag}>\`。<${tag}>1</${tag}>好`, images).html).toBe(
    `写作 <code>&lt;${tag}&gt;</code>。好`,
  );
});

const nbsp = (times: number) => '\u00a0'.repeat(times);

describe('cells of a spreadsheet', () => {
  test.each([
    ['plain', '  两点之间线段最短。 ', '两点之间线段最短。'],
    ['Markdown signs mean themselves', '1. *a* _b_ # 2*3*4', '1. *a* _b_ # 2*3*4'],
    ['line breaks', '第一行\r\n第二行\n\n\n\n第三行', '第一行<br />第二行<br /><br /><br /><br />第三行'],
    ['less than', '若a<b且b<c，则a<c', '若a&lt;b且b&lt;c，则a&lt;c'],
    ['a comparison that looks like a tag', 'x<b and c>d', 'x&lt;b and c&gt;d'],
    ['a comparison with a name of a tag', '若a<b>c成立', '若a&lt;b&gt;c成立'],
    ['an include is no tag', '#include <stdio.h>', '#include &lt;stdio.h&gt;'],
    ['ampersand', 'R&D 与 AT&T', 'R&amp;D 与 AT&amp;T'],
    ['entities', '5&nbsp;&lt;&nbsp;6', '5\u00a0&lt;\u00a06'],
    ['tags', '选出<b>错误</b>的<u>一项</u>', '选出<strong>错误</strong>的<u>一项</u>'],
    ['paragraphs of a web editor', '<p>甲</p>\n<p>乙</p>', '<p>甲</p>\n<p>乙</p>'],
    ['a paragraph alone', '<p style="color:red">甲</p>', '甲'],
    ['break tags with line breaks', '甲<br>\n乙', '甲<br />乙'],
    ['formula', '设 $x<1$，\n求 \\(y\\)', '设 \\(x&lt;1\\)，<br />求 \\(y\\)'],
    ['formula between tags', '<b>$a<b$</b>', '<strong>\\(a&lt;b\\)</strong>'],
    ['begins with an equals sign', '=1+1', '=1+1'],
    ['begins with a minus', '-5', '-5'],
    ['invisible signs', '\ufeff甲\u200b乙\u0007', '甲乙'],
    ['quotes', '他说"好"', '他说"好"'],
    ['an indent of the first line, where others follow', '  if x:\n    y', `${nbsp(2)}if x:<br />${nbsp(4)}y`],
    ['paragraphs that begin with two wide blanks', '　　甲\n　　乙', '　　甲<br />　　乙'],
    ['lines and blanks in blocks', '<p>甲  乙\n丙</p>\n<p>丁</p>', `<p>甲${nbsp(1)} 乙<br />丙</p>\n<p>丁</p>`],
    [
      'lines around a table',
      '甲\n乙\n<table><tr><td>1</td></tr></table>\n丙',
      '甲<br />乙\n<table><tr><td>1</td></tr></table>\n丙',
    ],
    ['blanks on both sides of a tag', '甲 <u> 乙</u>', `甲 <u>${nbsp(1)}乙</u>`],
    ['code in its element', '<pre>a\n  b</pre>', '<pre>a\n  b</pre>'],
    ['entities with digits', '&frac12; &sup2; &there4; &nosuch; &amp;lt;', '½ ² ∴ &amp;nosuch; &amp;lt;'],
    ['entities in a formula, read once', '$a &lt; b &amp;lt; c$', '\\(a &lt; b &amp;lt; c\\)'],
    ['a formula in a sentence is in its line', '甲 $$x^2$$ 乙，$$y$$', '甲 \\(x^2\\) 乙，\\(y\\)'],
    [
      'a formula alone on its line is displayed',
      '甲\n$$x^2$$。\n乙<br>$$y$$<br>丙',
      '甲<br />\\[x^2\\]。<br />乙<br />\\[y\\]<br />丙',
    ],
    ['a blank at one edge', '设 $ x$ 与 $\\frac12 $，$y $', '设 \\(x\\) 与 \\(\\frac12\\)，\\(y\\)'],
    ['a blank at one edge of money', 'it costs $3 and $ 4 more', 'it costs $3 and $ 4 more'],
    ['words between two formulas are none', '$ 与 $', '$ 与 $'],
    ['indents of code', 'if x:\n    a  =  1\n\tb', `if x:<br />${nbsp(4)}a${nbsp(1)} =${nbsp(1)} 1<br />${nbsp(4)}b`],
    ['a gap drawn with blanks', '甲<u>    </u>乙', `甲<u>${nbsp(3)} </u>乙`],
    ['characters of private use', '\ue000\ue001\uf0b7', '\ue000\ue001\uf0b7'],
    ['a price before a formula', '价格 $10，设 $x$ 元', '价格 $10，设 \\(x\\) 元'],
    ['addresses of a spreadsheet', '=SUM($A$1:$B$4)', '=SUM($A$1:$B$4)'],
    [
      'addresses that are half fixed',
      '$A1、A$1、$A$1，=$B2*$C2，=INDEX($A:$A,$D1)',
      '$A1、A$1、$A$1，=$B2*$C2，=INDEX($A:$A,$D1)',
    ],
    ['names of a program', '$name = $_POST[n]; 变量$x和$y', '$name = $_POST[n]; 变量$x和$y'],
    ['a formula behind an address', '=$A$1+$B$1 与 $x_1$', '=$A$1+$B$1 与 \\(x_1\\)'],
    [
      'a unit, an ion, a space of LaTeX behind a formula',
      '长$10$cm，$5\\,$kg，含$Na^+$eq，第$n$th 项',
      '长\\(10\\)cm，\\(5\\,\\)kg，含\\(Na^+\\)eq，第\\(n\\)th 项',
    ],
    ['a price in words before a formula', '花了$5和$x$', '花了$5和\\(x\\)'],
    ['money behind its amount', '甲 100$，乙 200$。', '甲 100$，乙 200$。'],
    ['money behind its amount in English', 'It costs 5$ or 6$.', 'It costs 5$ or 6$.'],
    ['a range of money', '80$～120$，100万$,200万$', '80$～120$，100万$,200万$'],
    ['moneys of two countries', '收入 HK$100，US$ 200', '收入 HK$100，US$ 200'],
    [
      'money with a blank',
      '$ 5 and $ 6，$ 100 ~ $ 200，甲 $ 100，乙 $ 200',
      '$ 5 and $ 6，$ 100 ~ $ 200，甲 $ 100，乙 $ 200',
    ],
    ['formulas with blanks', '$ 2 + 3 $ 与 $ 5 mod 3 $', '\\(2 + 3\\) 与 \\(5 mod 3\\)'],
    ['products and units with blanks', '$ 2ab $ 与 $ 10 cm $', '\\(2ab\\) 与 \\(10 cm\\)'],
    [
      'signs of programs',
      'f("$%d", a); f("$%s"); $("#a").b();$("#c").d()',
      'f("$%d", a); f("$%s"); $("#a").b();$("#c").d()',
    ],
    [
      'names of programs that begin as no formula does',
      '$("#a").val($("#b").val()) 与 $_GET["a"].$_POST["b"]，$? 是返回值，$# 是个数，$n 是参数，$* 是全部',
      '$("#a").val($("#b").val()) 与 $_GET["a"].$_POST["b"]，$? 是返回值，$# 是个数，$n 是参数，$* 是全部',
    ],
    [
      'sequences of a language, and a subscript of capitals',
      '$("a","b")$ 与 $_ABC$',
      '\\((&quot;a&quot;,&quot;b&quot;)\\) 与 \\(_ABC\\)',
    ],
    [
      'what begins or ends like a name of a program and is a formula',
      '$_{92}^{235}U$、$_2^4He$、运算 $*$、$(1,2)$($x$)、若 $x=$?',
      '\\(_{92}^{235}U\\)、\\(_2^4He\\)、运算 \\(*\\)、\\((1,2)\\)(\\(x\\))、若 \\(x=\\)?',
    ],
    ['the signs of two countries', '(US$)和(HK$)', '(US$)和(HK$)'],
    ['the sign by itself', '售价(单位:$)与成本(单位:$)，“$”和“$”', '售价(单位:$)与成本(单位:$)，“$”和“$”'],
    ['formulas behind a digit', '第1$x+2$，3$x$的2$y$，10$^{-3}$', '第1\\(x+2\\)，3\\(x\\)的2\\(y\\)，10\\(^{-3}\\)'],
    [
      'formulas in brackets and quotes',
      '(单位:$m$)与($y$)，“$x$”与“$y$”',
      '(单位:\\(m\\))与(\\(y\\))，“\\(x\\)”与“\\(y\\)”',
    ],
    [
      'a percent sign, which would begin a comment',
      '$50%$ 与 $a\\%$ 与 $\\text{5%}$',
      '\\(50\\%\\) 与 \\(a\\%\\) 与 \\(\\text{5\\%}\\)',
    ],
    ['a percent sign that joins lines', '$$a%\nb$$', '\\[a%\nb\\]'],
    ['a line end of Word', '甲\v乙', '甲<br />乙'],
    [
      'a formula that begins with a number',
      '$2x$ 与 $3,4$ 与 $5\\text{元}$',
      '\\(2x\\) 与 \\(3,4\\) 与 \\(5\\text{元}\\)',
    ],
  ])('%s', (_, source, html) => {
    expect(cell(source)).toBe(html);
  });
});

describe('signs that are seen otherwise on another machine', () => {
  test.each([
    ['甲\uf0b7乙\ufffd', /有 2 种字符（U\+F0B7、U\+FFFD）是造字、符号字体的残留/],
    ['\u202e321\u202c 元', /有改变文字方向的看不见的字符（U\+202E）/],
  ])('%j is told', (source, why) => {
    expect(richFromCell(source, images).warnings).toEqual([expect.stringMatching(why)]);
  });

  test('those that turn nothing around are not', () => {
    expect(richFromCell('\u202a\u202d13800000001\u202c &amp; \u200e甲', images).warnings).toEqual([]);
  });
});

describe('what stands for a picture', () => {
  test.each([
    '如下 [图片] 所示',
    '【图1】',
    '[img]/upload/1.png[/img]',
    '![](a.png)',
    '/upload/2024/1.png',
    'image001.png',
    ' http://a.b/c-1.JPG ',
  ])('is told: %s', (source) => {
    expect(richFromCell(source, images).warnings).toEqual([expect.stringMatching(/像是代替图片的字.*插入单元格/)]);
  });

  test.each([
    '把 logo.png 存成 logo.jpg',
    '图 1 与（图）',
    '[图书馆]',
    '[imgs]',
    'a ![x] (y.png)',
    'logo.png',
    'a[img]',
    '[image](b)',
    '点击【图片】按钮',
    '选择【插入】→【图片】',
    '执行【图像】—【调整】',
    'Markdown 插图写作 ![](a.png)，UBB 写作 [img]a.png[/img]',
    '<code>![](a.png)</code>',
  ])('is none: %s', (source) => {
    expect(richFromCell(source, images).warnings).toEqual([]);
  });

  test('is none beside a picture', () => {
    expect(richFromCell('如下【图1】', images, false, true).warnings).toEqual([]);
  });

  test('is looked for in no time', () => {
    const began = performance.now();
    for (const piece of ['[图 ', '![](', '![x', '/', '[', '[图1 ', 'a.'])
      for (const filler of [piece, ' ', '1']) richFromCell(`${piece}${filler.repeat(50_000 / filler.length)}x`, images);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe('what a browser would not show is named, and nothing of it is stored', () => {
  test.each([
    ['a definition', '$\\def\\a{\\a\\a}\\a$', '公式里不能定义新命令（\\def、\\newcommand 等）：\\def\\a{\\a\\a}\\a'],
    ['a long formula', `$${'x'.repeat(2001)}$`, `公式太长，最多 2000 个字符：${'x'.repeat(40)}…`],
    [
      'a deep formula',
      `$${'{'.repeat(30)}${'}'.repeat(30)}$`,
      `公式嵌套太深，最多 24 层：${'{'.repeat(30)}${'}'.repeat(10)}…`,
    ],
    ['many formulas', '$x$ '.repeat(401), '公式太多（401 个），一段文字最多 400 个'],
    ['deep elements', `${'<div>'.repeat(41)}x${'</div>'.repeat(41)}`, 'HTML 标签嵌套太深，最多 40 层'],
    ['many elements', '<sub>x</sub>'.repeat(3001), 'HTML 标签太多，最多 3000 个'],
  ])('%s', (_, source, fault) => {
    for (const read of [richFromMarkdown(source, images), richFromCell(source, images)])
      expect(read).toEqual({ html: '', missing: [], faults: [fault], warnings: [] });
  });
});

test.each([
  ['$\\unknowncmd{x}$', '公式排不出来，会照原样显示（不认识的命令 \\unknowncmd）：\\unknowncmd{x}'],
  ['$\\frac{1}{2$', '公式排不出来，会照原样显示（括号或 \\left、\\begin 没有成对）：\\frac{1}{2'],
  ['$x^2^3$', '公式排不出来，会照原样显示（一处有两个上标或两个下标）：x^2^3'],
  ['$\\begin{foo}x\\end{foo}$', '公式排不出来，会照原样显示（不认识的环境 foo）：\\begin{foo}x\\end{foo}'],
])('a formula that cannot be set is named: %s', (source, warning) => {
  for (const read of [richFromMarkdown(source, images), richFromCell(source, images)])
    expect(read.warnings).toEqual([warning]);
});

test('a formula that can be set is not, signs in text among them', () => {
  const source =
    '$a \\textless b \\textbar c$ $\\text{\\textasciitilde\\textquotesingle}$ $\\begin{cases} x & y \\\\ z \\end{cases}$';
  expect(richFromCell(source, images).warnings).toEqual([]);
});

test('a formula survives letter by letter', () => {
  const tex = fc
    .string({
      unit: fc.constantFrom(
        'a',
        '<',
        '>',
        '&',
        '_',
        '*',
        '"',
        "'",
        '{',
        '}',
        '^',
        '\\\\',
        '\\frac',
        ' ',
        '甲',
        '#',
        '|',
        '~',
      ),
      minLength: 1,
    })
    .map((text) => `x${text}y`);
  fc.assert(
    fc.property(tex, (source) => {
      const written = source.replace(
        /[&<>"]/g,
        (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? '',
      );
      expect(md(`设 $${source}$ 时`)).toBe(`设 \\(${written}\\) 时`);
      expect(cell(`设 $${source}$ 时`)).toBe(`设 \\(${written}\\) 时`);
    }),
  );
});

test.each([
  ['', true],
  ['<p> &nbsp;<br /></p>', true],
  ['　', true],
  ['<img src="/files/a.svg" alt="" />', false],
  ['\\(x\\)', false],
])('isEmptyHtml(%s)', (html, empty) => {
  expect(isEmptyHtml(html)).toBe(empty);
});
