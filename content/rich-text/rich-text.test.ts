import fc from 'fast-check';
import { Parser } from 'htmlparser2';
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

/** What a browser shows of a fragment: its text, with a line end for each break. */
function shownOf(html: string): string {
  let shown = '';
  const parser = new Parser({
    ontext: (text) => {
      shown += text;
    },
    onopentag: (name) => {
      if (name === 'br') shown += '\n';
    },
  });
  parser.end(html);
  return shown;
}

describe('what styles say of words is said by elements', () => {
  test.each([
    ['选出<span style="text-decoration: underline;">划线</span>部分', '选出<span><u>划线</u></span>部分'],
    ["x<SPAN STYLE='vertical-align:super'>2</SPAN>", 'x<span><sup>2</sup></span>'],
    ['H<sub style="vertical-align:sub">2</sub>O', 'H<sub>2</sub>O'],
    ['<p style="font-weight:700;font-style: italic">甲<br>乙</p>', '<strong><em>甲<br />乙</em></strong>'],
    ['<font style="text-decoration:line-through">甲</font>乙', '<s>甲</s>乙'],
    ['填<span style="border-bottom:1px solid #000">&nbsp;&nbsp;&nbsp;</span>空', `填<span><u>${nbsp(3)}</u></span>空`],
    ['<div style="border-bottom:1px solid">甲</div>', '<div>甲</div>'],
    ['<span style="border-bottom:0px solid #e5e7eb">甲</span>乙', '<span>甲</span>乙'],
    ['<span style="border-bottom:#000 0.0pt solid">甲</span>乙', '<span>甲</span>乙'],
    ['<b style="font-weight:normal">甲</b>', '<span>甲</span>'],
    ['x<sup style="position:relative;vertical-align:baseline;top:-0.5em">2</sup>', 'x<sup>2</sup>'],
    ['<u style="text-decoration:none;border-bottom:1px solid">甲</u>', '<u>甲</u>'],
    [
      '<u style="text-decoration:underline">甲<span style="text-decoration:underline">乙</span></u>',
      '<u>甲<span><u>乙</u></span></u>',
    ],
    ['<table style="font-weight:bold"><tr><td>甲</td></tr></table>', '<table><tr><td>甲</td></tr></table>'],
  ])('%s', (source, html) => {
    expect(richFromCell(source, images)).toMatchObject({ html, warnings: [] });
  });

  test('in a pack too; an element without its end says nothing', () => {
    expect(md('选出<span style="text-decoration:underline">**划线**</span>部分')).toBe(
      '选出<span><u><strong>划线</strong></u></span>部分',
    );
    expect(md('<p style="font-weight:bold">甲')).toBe('甲');
  });

  test.each([
    ['找出<span style="color:red">红字</span>', /颜色或底色/],
    ['找出<font color="#FF0000">红字</font>', /颜色或底色/],
    ['<span style="background-color: rgb(255, 255, 0)">黄</span>底', /颜色或底色/],
    ['<span style="-webkit-text-emphasis: dot">点</span>字', /着重号/],
    ['<span style="display: none">答案 B</span>题', /藏起来的字/],
    ['<span style="opacity:0">答案 B</span>题', /藏起来的字/],
    ['角<span style="font-family: &quot;Symbol&quot;, serif">a</span>', /用 symbol 字体显示的符号/],
    ['<span style="font-family:Symbol">a<font face="Arial">b</font></span>', /用 symbol 字体显示的符号/],
    ['<font face="Wingdings">ü</font>对', /用 Wingdings 字体显示的符号/],
    ['x<span style="position:relative;top:-6.0pt">2</span>', /升高或降低的字/],
    ['x<span style="mso-text-raise:6.0pt">2</span>', /升高或降低的字/],
    ['<span style="text-decoration:overline">AB</span>+C', /有上划线或边框/],
    ['<span style="border-top:1px solid">AB</span>+C', /有上划线或边框/],
    ['文中<span style="text-decoration: underline wavy">波浪线</span>部分', /有波浪线、虚线或双线/],
    ['文中<u style="text-underline:wave">波浪线</u>部分', /有波浪线、虚线或双线/],
    ['文中<span style="border-bottom:1px dashed #000">虚线</span>部分', /有波浪线、虚线或双线/],
    ['<span style="text-transform: uppercase">abc</span>d', /变成大写或小写/],
  ])('what no element says is a warning: %s', (source, why) => {
    expect(richFromCell(source, images).warnings).toEqual([expect.stringMatching(why)]);
  });

  test.each([
    ['<p style="color:red">全红</p>'],
    ['<span style="color:rgb(51, 51, 51);font-size:14px">甲</span>乙'],
    ['<span style="color:black;background:white">甲</span>乙'],
    ['<span style="color:#212529;background:#f8f9fa">甲</span>乙'],
    ['<span style="font-family:Symbol">，1</span><font face="宋体, Symbol">a</font>'],
    ['<span style="position:relative;top:0;opacity:0.9;border-bottom:0;border:none">甲</span>乙'],
    ['<span style="mso-text-raise:-10pt"><sub>2</sub></span>x<sup style="position:relative;top:-3px">2</sup>'],
    ['<div style="border:1px solid">甲</div>'],
    ['<span style="border:rgb(0, 0, 0) 0px solid;border-top:0.0pt solid">甲</span>乙'],
    ['<span style="font-family:Symbol">·</span>甲 30<font face="Symbol">°±</font>'],
    ['<span style="font-family:Symbol"><span style="font-family:Arial">abc</span></span>'],
    ['<span style="border:0px solid #e5e7eb;border-top:0 solid;border-style:solid">甲</span>乙'],
    ['<p style="text-transform:none;font-family:Times New Roman">甲 a</p>'],
  ])('how all of a text looks, and black or grey, is none: %s', (source) => {
    expect(richFromCell(source, images).warnings).toEqual([]);
  });

  test('twenty thousand signs of styles and breaks take no time', () => {
    const began = performance.now();
    for (const piece of ['<span style="color:red">', 'x<br>', '<p style="', '<b a=b '])
      richFromCell(piece.repeat(20_000 / piece.length), images);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe('what of a formula is not shown is said', () => {
  test.each([
    ['$A={1,2,3}$', /\{ \} 学员看不到/],
    ['$x\\in {x|x>1}$', /\{ \} 学员看不到/],
    ['$\\href{http://a.b}{c}$', /\\href 不能用/],
    ['\\frac{1}{2} 与 $x$', /像是公式（\\frac\{…），但没有写在 \$…\$ 之间/],
    ['共3个$4元，5$', /\$ 不显示/],
    ['echo $a$b;', /“\$a\$”按公式显示.*请写在 <code>/],
    ["sed 's/\\(a*\\)b/\\1c/' file", /“\\\(a\*\\\)”按公式显示/],
    ['正则表达式 ^a$|^b$ 匹配', /“\$\|\^b\$”按公式显示/],
    ['甲\uf0b7乙\ufffd', /有 2 种字符（U\+F0B7、U\+FFFD）是造字、符号字体的残留/],
    ['\u202e321\u202c 元', /有改变文字方向的看不见的字符（U\+202E）/],
  ])('%s', (source, why) => {
    expect(richFromCell(source, images).warnings).toEqual([expect.stringMatching(why)]);
  });

  test.each([
    ['$A=\\{1,2\\}$，$x_{i,j}$，$1{,}000$，$\\frac{a,b}{c}$，$\\left\\{1,2\\right\\}$，$\\text{a,b}$'],
    ['$A\\left( {1,2} \\right)$，$P\\left( {A|B} \\right)$'],
    ['$速度=\\frac{路程}{时间}$，$5元$'],
    ['C:\\timer\\fraction'],
    ['<code>\\frac{1}{2}</code>'],
    ['\u202a\u202d13800000001\u202c &amp; \u200e甲'],
    ["<code>sed 's/\\(a*\\)b/\\1c/'</code>"],
    ['正则语言 $L$、正则化 $w^2$、正则方程中 $p$、$q$；正则表达式 $(a|b)^*$ 与字符集 $S$'],
    ['回声 (echo) 经 $t$ 秒传回；sed 与 awk 的 $\\frac{1}{2}$'],
  ])('nothing is lost: %s', (source) => {
    expect(richFromCell(source, images).warnings).toEqual([]);
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

describe('tags that a cell is about are text', () => {
  test.each([
    ['<b>'],
    ['<br>'],
    ['</p>'],
    ['<b></b>'],
    ['<script>'],
    ['<script>alert(1)</script> 会怎样'],
    ['网页里 <input type="text"> 是什么'],
    ['<select><option>甲</option></select>'],
    ['换行用<br>，水平线用<hr>'],
    ['在 HTML 中，<br> 标签用于'],
    ['“<br>”的作用'],
    ['下列 <br> 的作用'],
    ['<b>和<strong>有什么不同'],
    ['<b>加粗</b>用的是“<b>”'],
    ['乙<style>p{}</style>'],
    ['<!-- 注释 --> 是什么'],
    ['<b onclick=x>点</b>'],
    ['<a href="javascript:alert(1)">链</a>'],
    ['<foo>甲</foo>'],
    ['<p>甲<p>乙'],
    ['vector<int> 与 map<string>'],
  ])('%s', (source) => {
    expect(shownOf(cell(source))).toBe(source);
    expect(elementsOf(cell(source))).toEqual([]);
  });

  test.each([
    ['甲<br>乙<br/>丙</br>丁', '甲<br />乙<br />丙<br />丁'],
    ['<p>甲</p><p><br></p><p><span style="x">乙</span></p>', '<p>甲</p><p><br /></p><p><span>乙</span></p>'],
    ['<center>甲</center>', '甲'],
    ['<table><tr><td nowrap>甲</td></tr></table>', '<table><tr><td>甲</td></tr></table>'],
    ['<i>vector</i><int>', '<em>vector</em>&lt;int&gt;'],
    ['若a<b>c，则<u>甲</u>', '若a&lt;b&gt;c，则<u>甲</u>'],
    ['甲<b>（<i>乙</b>）</i>', '甲&lt;b&gt;（&lt;i&gt;乙&lt;/b&gt;）&lt;/i&gt;'],
  ])('formatting stays formatting: %s', (source, html) => {
    expect(cell(source)).toBe(html);
  });

  test('that tags are text because of others is said', () => {
    expect(richFromCell('<u>甲</u>用 <input> 填', images).warnings).toEqual([
      '有的标签没有成对或不是排版用的，整格的标签都按文字显示',
    ]);
    expect(richFromCell('<u>甲</u>', images).warnings).toEqual([]);
  });

  test('in HTML of ours every tag that can be formatting is', () => {
    const typed = (source: string) => richFromCell(source, images, true).html;
    expect(typed('甲<br />和乙，用 &lt;br&gt;')).toBe('甲<br />和乙，用 &lt;br&gt;');
    expect(typed('<p>left\nright</p>')).toBe('left\nright');
    expect(typed('<script>甲</script><b>乙</b>')).toBe('&lt;script&gt;甲&lt;/script&gt;<strong>乙</strong>');
  });

  test('no visible character is lost, whatever pieces are put together', () => {
    const piece = fc.constantFrom(
      ...ATTACKS.filter((attack) => !/[$\uFDD0]|<img|&/.test(attack)),
      '<b>',
      '</b>',
      '<p>',
      '</p>',
      '<br>',
      '<u>',
      '</u>',
      '<table>',
      '<td>',
      '</',
      '<!--',
      '-->',
      '<',
      '>',
      '"',
      '`',
      '甲',
      'a',
      '，',
      '标签',
    );
    // What is left when everything that looks like formatting is taken out has to be there in any case.
    const bare = (text: string) => text.replace(/<\/?(?:b|u|p|br|a|div|table|td|math|mtext|style)\b[^<>]*>|\s/gi, '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const source = pieces.join('');
        const shown = shownOf(cell(source));
        expect(bare(shown)).toBe(bare(source));
        expectHarmless(cell(source));
      }),
      { numRuns: 500 },
    );
  });
});

const ATTACKS = [
  '<script>alert(1)</script>甲',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>甲',
  '<img src="media/a.svg" onerror="alert(1)">',
  '<img src=x onerror=alert(1)>',
  '<svg onload="alert(1)"><script>1</script></svg>',
  '<a href="JaVaScRiPt:alert(1)" onclick="alert(1)">链</a>',
  '<a href="java&#10;script:alert(1)">链</a>',
  '[链](javascript:alert(1)) [链](data:text/html,x)',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input></form>',
  '<div style="position:fixed" class="modal" id="app">甲</div>',
  '<style>*{display:none}</style><base href="//evil.example">',
  '<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '![<script>](media/b.svg "x")',
  '<img alt="<script>alert(1)</script>" src="media/b.svg">',
  '$<script>alert(1)</script>$ `$<img src=x onerror=alert(1)>$`',
  '<b title="$" onclick="alert(1)">$</b>',
  '<p $ onclick=alert(1) $>甲</p>',
  '\uFDD00\uFDD1 $x$ \uFDD09\uFDD1',
];

/** What a browser would see: elements and attributes only. */
function elementsOf(html: string) {
  const seen: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new Parser({ onopentag: (name, attributes) => void seen.push({ name, attributes }) });
  parser.end(html);
  return seen;
}

function expectHarmless(html: string) {
  for (const { name, attributes } of elementsOf(html)) {
    expect([
      'script',
      'style',
      'iframe',
      'svg',
      'math',
      'form',
      'input',
      'base',
      'object',
      'embed',
      'meta',
      'link',
    ]).not.toContain(name);
    for (const [key, value] of Object.entries(attributes)) {
      expect(key).toMatch(/^(href|rel|target|src|alt|width|height|colspan|rowspan|align|start|type)$/);
      if (key === 'src') expect(value).toBe('/files/a.svg');
      if (key === 'href') expect(value).toMatch(/^https?:\/\//i);
    }
  }
  expect(html).not.toMatch(/[\uFDD0\uFDD1]/);
}

test.each(ATTACKS)('nothing runs or loads: %s', (source) => {
  expectHarmless(md(source));
  expectHarmless(cell(source));
});

test('nothing runs or loads, whatever pieces are put together', () => {
  const piece = fc.constantFrom(
    ...ATTACKS,
    '$',
    '\\(',
    '\\)',
    '`',
    '"',
    '>',
    '<',
    '\n\n',
    '</b>',
    '<!--',
    '-->',
    '甲',
    '|',
    '&lt;',
    '\uFDD0',
    '\uFDD1',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      expectHarmless(md(pieces.join('')));
      expectHarmless(cell(pieces.join('')));
    }),
    { numRuns: 300 },
  );
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
