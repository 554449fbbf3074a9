import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { readPack } from '#content/pack/pack.ts';
import { formulasOfHtml } from '#content/rich-text/formulas-in-html.ts';
import { richFromCell, richFromMarkdown } from '#content/rich-text/rich-text.ts';
import { setFormula } from '#content/rich-text/set-formula.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import { openWith } from './in-browser.ts';
import type * as RichTextPage from './rich-text-page.tsx';

/**
 * Twins: what the server lets into a text, the browser shows. Neither list is copied here: every element of HTML with every
 * attribute that could change how it looks goes through the server's own functions, and what they leave through the browser's.
 */
const ELEMENTS =
  `a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas caption center
cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form
frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark
marquee math menu meta meter nav noframes noscript object ol optgroup option output p param picture plaintext pre progress q
rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub summary sup svg table
tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`.split(/\s+/);
const ATTRIBUTES = [
  ...[
    'align="left"',
    'align="center"',
    'align="right"',
    'align="justify"',
    'valign="top"',
    'style="text-align:center"',
  ],
  ...['style="text-align: right"', 'style="color:red"', 'type="1"', 'type="a"', 'type="A"', 'type="i"', 'type="I"'],
  ...[
    'type="disc"',
    'type="square"',
    'start="3"',
    'start="-1"',
    'value="5"',
    'reversed=""',
    'compact=""',
    'colspan="2"',
  ],
  ...[
    'rowspan="2"',
    'span="2"',
    'scope="col"',
    'headers="x"',
    'width="80"',
    'width="80px"',
    'width="50%"',
    'height="40"',
    'border="1"',
  ],
  ...['cellpadding="4"', 'bgcolor="#fff"', 'color="red"', 'size="3"', 'face="serif"', 'src="media/a.svg" alt="图"'],
  ...[
    'href="https://example.com/?a=1&amp;b=2"',
    'href="http://example.com"',
    'href="#x"',
    'href="/exam"',
    'target="_top"',
  ],
  ...[
    'rel="next"',
    'cite="https://example.com"',
    'datetime="2026-11-20"',
    'title="名"',
    'lang="en"',
    'dir="rtl"',
    'id="x"',
  ],
  ...[
    'class="x"',
    'hidden=""',
    'role="note"',
    'aria-label="x"',
    'data-x="1"',
    'tabindex="0"',
    'translate="no"',
    'name="x"',
  ],
];

/** Where an element may stand; a browser drops a cell without a table. */
function placed(tag: string, open: string, inner: string): string {
  const element = /^(br|hr|img|col|wbr|area|base|embed|input|link|meta|param|source|track)$/.test(tag)
    ? open
    : `${open}${inner}</${tag}>`;
  if (tag === 'td' || tag === 'th') return `<table><tbody><tr>${element}</tr></tbody></table>`;
  if (tag === 'tr') return `<table><tbody>${open}<td>${inner}</td></tr></tbody></table>`;
  if (/^(thead|tbody|tfoot)$/.test(tag)) return `<table>${open}<tr><td>${inner}</td></tr></${tag}></table>`;
  if (tag === 'table') return `${open}<tbody><tr><td>${inner}</td></tr></tbody></table>`;
  if (tag === 'col') return `<table><colgroup>${element}</colgroup><tbody><tr><td>x</td></tr></tbody></table>`;
  if (/^(caption|colgroup)$/.test(tag)) return `<table>${element}<tbody><tr><td>x</td></tr></tbody></table>`;
  if (tag === 'li') return `<ol>${element}</ol>`;
  if (tag === 'dt' || tag === 'dd') return `<dl>${element}</dl>`;
  if (/^(rt|rp|rb|rtc)$/.test(tag)) return `<ruby>字${element}</ruby>`;
  return element;
}

test('the browser keeps every element and attribute that the server keeps', async ({ page }) => {
  const image = () => fileAddress(`3f/${'3f'.repeat(32)}.svg`);
  const texts = ELEMENTS.flatMap((tag) =>
    ['', ...ATTRIBUTES].flatMap((attribute) => {
      // A picture is only one with its address.
      const all = tag === 'img' ? `src="media/a.svg" alt="图" ${attribute}` : attribute;
      const html = placed(tag, `<${tag} ${all}>`, '文');
      return [richFromMarkdown(html, image).html, richFromCell(html, image).html];
    }),
  );
  texts.push(
    richFromMarkdown('| 甲 | 乙 | 丙 |\n|:--|:-:|--:|\n| 1 | 2 | 3 |\n\n3. 三\n4. 四\n\n~~删~~ `码`', image).html,
  );
  await openWith(page, 'e2e/rich-text-page.tsx');
  const both = await page.evaluate(
    (texts) => (globalThis as unknown as { built: typeof RichTextPage }).built.bothOf(texts),
    [...new Set(texts)],
  );
  const stored = new Set<string>();
  const dropped = new Set<string>();
  for (const [elements, shown] of both) {
    for (const [at, [tag, attributes]] of elements.entries()) {
      stored.add(tag);
      const [shownTag, shownAttributes = {}] = shown[at] ?? [];
      if (shownTag !== tag) dropped.add(tag);
      else {
        for (const [name, value] of Object.entries(attributes)) {
          stored.add(`${tag} ${name}`);
          if (shownAttributes[name] !== value) dropped.add(`${tag} ${name}="${value}"`);
        }
      }
    }
  }
  expect([...dropped]).toEqual([]);
  // The list above reached the server's: these are told from one another by what they look like.
  for (const kept of [
    'td align',
    'th align',
    'ol type',
    'ol start',
    'td colspan',
    'a href',
    'img width',
    'ruby',
    'q',
  ]) {
    expect(stored).toContain(kept);
  }
});

const SHOWN = `<h3>表与列表</h3>
<table><caption>表一</caption><thead><tr><th>左</th><th align="center">中</th><th align="right">右</th></tr></thead>
<tbody><tr><td>很长很长很长的左边</td><td align="center">居中</td><td align="right">1.5</td></tr>
<tr><td align="left">短</td><td align="center">甲</td><td align="right">120</td></tr></tbody></table>
<ol type="A"><li>大写</li></ol><ol type="a"><li>小写</li></ol><ol type="I" start="3"><li>罗马</li></ol>
<ol type="i"><li>小罗马</li></ol><ol type="1" start="7"><li>七</li><li>八</li></ol><ol><li>一</li></ol>
<ul><li>点<ul><li>圈</li></ul></li></ul>
<p>H<sub>2</sub>O 与 x<sup>2</sup>，<strong>粗</strong><em>斜</em><u>下划</u><s>删去</s><del>删除</del><ins>插入</ins>
<mark>标记</mark><small>小</small><q>引文</q><kbd>Ctrl</kbd><code>code</code><ruby>砺<rp>(</rp><rt>lì</rt><rp>)</rp></ruby></p>
<blockquote>引用</blockquote><pre>  预排
版</pre><dl><dt>词</dt><dd>义</dd></dl><hr />`;

test('alignment and kinds of lists look as they were written', async ({ page }, info) => {
  await openWith(page, 'e2e/rich-text-page.tsx');
  await page.evaluate(
    (html) => (globalThis as unknown as { built: typeof RichTextPage }).built.show(html),
    richFromMarkdown(SHOWN, () => null).html,
  );
  const styles = (selector: string, property: 'textAlign' | 'listStyleType') =>
    page
      .locator(selector)
      .evaluateAll((nodes, property) => nodes.map((node) => getComputedStyle(node)[property]), property);
  expect(await styles('th', 'textAlign')).toEqual(['left', 'center', 'right']);
  expect(await styles('td', 'textAlign')).toEqual(['left', 'center', 'right', 'left', 'center', 'right']);
  expect(await styles('ol > li', 'listStyleType')).toEqual([
    ...['upper-alpha', 'lower-alpha', 'upper-roman', 'lower-roman'],
    ...['decimal', 'decimal', 'decimal'],
  ]);
  expect(await styles('ul > li', 'listStyleType')).toEqual(['disc', 'circle']);
  await page.screenshot({ path: info.outputPath('rich-text.png'), fullPage: true });
});

test('pictures are our own stored files only: no other address is asked for', async ({ page }) => {
  await openWith(page, 'e2e/rich-text-page.tsx');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const stored = fileAddress(`3f/${'3f'.repeat(32)}.png`);
  const seen = page.waitForRequest((request) => request.url().includes(stored));
  await page.evaluate(
    (html) => (globalThis as unknown as { built: typeof RichTextPage }).built.show(html),
    `<p><img src="/app/exam/test_start?examId=1" alt="甲"><img src="/files/../app/exam/test_start?examId=1" alt="乙">
<img src="https://example.invalid/x.png" alt="丙"><img src="data:image/png;base64,AAAA" alt="丁"><img src="${stored}" alt="戊"></p>`,
  );
  await seen;
  expect(asked).toEqual([stored]);
  await expect(page.getByRole('button')).toHaveCount(1);
  await expect(page.getByRole('img', { name: '甲' })).toBeVisible();
});

test('a formula that would take the page with it stays its source, and the others are set', async ({ page }) => {
  await openWith(page, 'e2e/rich-text-page.tsx');
  const nest = (open: string, close: string, times: number) => `${open.repeat(times)}x${close.repeat(times)}`;
  const bombs = [
    '\\def\\a{\\a\\a}\\a',
    '\\gdef\\frac#1#2{gone}',
    nest('\\sqrt{', '}', 20_000),
    '{'.repeat(100_000),
    '\\bf'.repeat(20_000),
    '\\frac{1}{',
    '\\nosuchcommand',
  ];
  const html = `<p>\\(a_1\\) ${bombs.map((tex) => `\\(${tex}\\)`).join(' 与 ')} \\(\\frac{b}{2}\\) <code>\\(c\\)</code></p>`;
  await page.evaluate((html) => (globalThis as unknown as { built: typeof RichTextPage }).built.show(html), html);
  await expect(page.locator('.katex')).toHaveCount(2);
  await expect(page.locator('.katex .mfrac')).toHaveCount(1);
  const text = (await page.locator('p').textContent()) ?? '';
  for (const tex of bombs) expect(text.includes(`\\(${tex}\\)`), tex.slice(0, 30)).toBe(true);
  expect(text).toContain('\\(c\\)');
});

test('a formula in the line that cannot break scrolls in its place, and the page stays as wide as the phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openWith(page, 'e2e/rich-text-page.tsx');
  const wide = `\\frac{${Array.from({ length: 30 }, (_, at) => `a_{${at}}x^{${at}}`).join('+')}}{1+x}`;
  const html = `<p>其中 \\(${wide}\\) 与 \\(x+y\\) 有关。</p>`;
  await page.evaluate((html) => (globalThis as unknown as { built: typeof RichTextPage }).built.show(html), html);
  await expect(page.locator('.katex')).toHaveCount(2);
  const [long, short] = [page.locator('.katex').first(), page.locator('.katex').last()];
  const room = async () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect(long).toHaveAttribute('data-wide', 'always');
  expect(await room()).toBeLessThanOrEqual(390);
  expect(await long.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(true);
  await expect(long).toHaveAttribute('tabindex', '0');
  await expect(short).not.toHaveAttribute('data-wide');
});

test('a line below or through words goes on below and through their formulas', async ({ page }) => {
  await openWith(page, 'e2e/rich-text-page.tsx');
  const source =
    '选出<span style="text-decoration: underline">甲 $x^2+\\frac12$ 乙</span>，<s>$y=50%$</s>，$z$，填<u>    </u>空';
  await page.evaluate(
    (html) => (globalThis as unknown as { built: typeof RichTextPage }).built.show(html),
    richFromCell(source, () => null).html,
  );
  await expect(page.locator('.katex')).toHaveCount(3);
  const drawn = await page.locator('.katex-base').evaluateAll((all) =>
    all.map((base) => {
      const [below, through] = [getComputedStyle(base), getComputedStyle(base, '::after')];
      return [below.borderBottomStyle === 'solid', through.content === '""' && through.borderTopStyle === 'solid'];
    }),
  );
  expect(new Set(drawn.map(String))).toEqual(new Set(['true,false', 'false,true', 'false,false']));
  await expect(page.locator('s .katex-html')).toContainText('50%');
});

test('a screen reader walks through the MathML of a formula, and does not meet its source', async ({ page }) => {
  await openWith(page, 'e2e/rich-text-page.tsx');
  await page.evaluate(
    (html) => (globalThis as unknown as { built: typeof RichTextPage }).built.show(html),
    '<p>\\(x=\\frac{\\sqrt{b}}{2}\\)</p>',
  );
  await expect(page.locator('.katex')).toHaveCount(1);
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  const told = nodes.filter(({ ignored, role }) => !ignored && /MathML/.test(String(role?.value)));
  expect(told.map(({ role }) => String(role?.value).replace('MathML', ''))).toEqual(
    'Math Row Row Identifier Operator Fraction SquareRoot Number Identifier'.split(' '),
  );
  expect(nodes.filter(({ ignored, name }) => !ignored && /\\frac/.test(String(name?.value)))).toEqual([]);
});

test('what an option holds is no stop of its own: a picture says which option it is of, what is too wide scrolls by Shift and an arrow', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openWith(page, 'e2e/rich-text-page.tsx');
  const wide = Array.from({ length: 30 }, (_, at) => `a_{${at}}x^{${at}}`).join('+');
  const options = {
    A: `\\(\\frac{${wide}}{1+x}\\)`,
    B: '<img src="/files/1/0.png" alt=""> <img src="/files/1/1.png" alt=""> <img src="/files/1/2.png" alt="圆">',
  };
  await page.evaluate(
    (options) => (globalThis as unknown as { built: typeof RichTextPage }).built.showOptions(options),
    options,
  );
  const option = page.getByRole('radio').first();
  const text = option.locator('[data-more]').first();
  await expect(text).toHaveAttribute('data-more', 'right');
  await expect(option.locator('[tabindex]')).toHaveCount(0);
  await option.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(text).toHaveAttribute('data-more', 'both');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(text).toHaveAttribute('data-more', 'right');
  await expect(page.getByRole('radio').last()).toHaveAccessibleName('B 选项 B 的图片 选项 B 的图片 2 圆');
});

/** Of all kinds that KaTeX draws in a way of its own: lines, brackets and arrows of SVG, tables, colours, boxes, fonts, sizes. */
const OTHER_FORMULAS = [
  '\\sqrt[3]{\\frac{x}{\\sqrt{y}}} \\overbrace{a+b}^{n} \\underbrace{c}_m \\overrightarrow{AB} \\widehat{ABC} \\xrightarrow[b]{a} \\xleftrightarrow{c}',
  '\\left\\{\\begin{aligned}x+y&=1\\\\[2pt]x-y&=0\\end{aligned}\\right. \\begin{array}{|c|r:l|}\\hline 1&2&3\\\\\\hdashline 4&5&6\\\\\\hline\\end{array}',
  '\\color{red}{x}\\colorbox{yellow}{甲}\\fcolorbox{blue}{#eee}{b}\\boxed{c}\\cancel{5}\\bcancel{6}\\xcancel{7}\\sout{8}\\phase{-78^\\circ}\\angl n',
  '\\mathbb{R}\\mathcal{L}\\mathfrak{g}\\mathscr{F}\\mathsf{T}\\mathtt{t}\\mathbf{v}\\boldsymbol{\\alpha}\\text{甲 Ab }\\textit{i}\\Huge x\\tiny y',
  '\\oint\\iint_D\\sum_{i=1}^n\\prod\\limits_a^b\\lim_{x\\to0}\\dfrac12\\tbinom nk\\genfrac[]{2pt}{0}{a}{b}\\substack{a\\\\b}\\not=\\stackrel{!}{=}\\rule{1em}{2pt}',
  'a\\tag{1}',
  'a<b>c\\&\\%\\#\\_"\'`\\sim{}\\textless\\degree\\vdots\\ddots\\mathring{A}\\vec{v}\\bar{x}\\tilde{n}\\dot{x}\\ddot{y}\\hat{k}',
  '\\nosuchcommand',
  '\\def\\a{x}\\a',
];

const otherFormulas = OTHER_FORMULAS.flatMap((tex) => [`\\(${tex}\\)`, `\\[${tex}\\]`]);

/** A browser without a cleaner of its own: the library cleans there. */
const withoutOwnCleaner = (page: Page) =>
  page.addInitScript(() => Reflect.deleteProperty(Element.prototype, 'setHTML'));

const setBoth = (page: Page, sources: readonly string[]) =>
  page.evaluate(
    (formulas) => (globalThis as unknown as { built: typeof RichTextPage }).built.setBoth(formulas),
    Object.fromEntries(sources.map((source) => [source, setFormula(source)])),
  );

test('formulas come set from the server as the browser would set them: the same elements, the same picture', async ({
  page,
}, info) => {
  test.skip(info.project.name === 'phone', 'no width is in it');
  test.setTimeout(240_000);
  const sources = new Set(otherFormulas);
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
        ? Object.values(value).flatMap(texts)
        : [];
  for (const name of ['gaoshu', 'kuaiji', 'luoji']) {
    const read = await readPack(join(import.meta.dirname, '../content/demo', name));
    if (!read.ok) throw new Error(`${name} was not read`);
    for (const text of texts({ ...read.pack, media: [], files: [] }))
      for (const source of formulasOfHtml(text)) sources.add(source);
  }
  expect(sources.size).toBeGreaterThan(1000);
  await openWith(page, 'e2e/rich-text-page.tsx');
  const all = [...sources];
  const others: string[] = [];
  for (let at = 0; at < all.length; at += 100) {
    others.push(...(await setBoth(page, all.slice(at, at + 100))));
    const pictures: Buffer[] = [];
    for (const id of ['came', 'made']) {
      await page.evaluate((id) => {
        for (const place of document.querySelectorAll<HTMLElement>('#came, #made')) place.hidden = place.id !== id;
        return document.fonts.ready;
      }, id);
      pictures.push(await page.screenshot({ fullPage: true }));
    }
    if (!pictures[0]?.equals(pictures[1] ?? Buffer.alloc(0))) others.push(`pictures from ${all[at]}`);
    if (at === 0) await info.attach('formulas', { body: pictures[0] ?? '', contentType: 'image/png' });
  }
  expect(others).toEqual([]);
});

test('what is no formula is taken out where formulas stand, and formulas stay whole, by the browser and by the library', async ({
  page,
}, info) => {
  test.skip(info.project.name === 'phone', 'no width is in it');
  const hostile = [
    '<span class="katex" onclick="ran()" onmouseover="ran()" id="x" data-x="1">a</span><script>ran()</script><img src=x onerror="ran()">',
    '<svg onload="ran()"><script>ran()</script><use href="#a"/><image href="/x.png"/><foreignObject><img src=x onerror="ran()"/></foreignObject><path d="M0 0" onbegin="ran()"/></svg>',
    '<math href="javascript:ran()"><mi><img src=x onerror="ran()"></mi><mtext><script>ran()</script></mtext><annotation-xml encoding="text/html"><svg onload="ran()"></svg></annotation-xml><maction actiontype="statusline#javascript:ran()">x</maction></math>',
    '<a href="javascript:ran()">b</a><iframe srcdoc="<script>ran()</script>"></iframe><style>@import "/x.css"</style><template><img src=x onerror="ran()"></template><form><input name="attributes"></form>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=ran()&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=ran()>">',
  ];
  for (const byLibrary of [false, true]) {
    if (byLibrary) await withoutOwnCleaner(page);
    await openWith(page, 'e2e/rich-text-page.tsx');
    expect(await page.evaluate(() => 'setHTML' in Element.prototype)).toBe(!byLibrary);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const left = await page.evaluate((texts) => {
      Object.assign(globalThis, { ran: () => Object.assign(globalThis, { hasRun: true }) });
      const { built } = globalThis as unknown as { built: typeof RichTextPage };
      return texts.flatMap((html) => built.cleanedFormula(html));
    }, hostile);
    expect(new Set(left)).toEqual(
      new Set(left.filter((name) => /^(span|svg|path|math|mi|mtext|mglyph|@class|@d)$/.test(name))),
    );
    await page.mouse.move(200, 40);
    await page.mouse.click(20, 20);
    expect(await page.evaluate(() => 'hasRun' in globalThis)).toBe(false);
    expect(asked).toEqual([]);
    expect(await setBoth(page, otherFormulas)).toEqual([]);
  }
});

test('HTML deeper or more than any text needs is shown as its source', async ({ page }) => {
  await openWith(page, 'e2e/rich-text-page.tsx');
  for (const html of [`${'<div>'.repeat(20_000)}甲`, '<span>甲</span>'.repeat(20_000)]) {
    await page.evaluate((html) => (globalThis as unknown as { built: typeof RichTextPage }).built.show(html), html);
    await expect(page.locator('#root')).toContainText(html.slice(0, 20));
    expect(await page.locator('#root *').count()).toBeLessThan(5);
  }
});
