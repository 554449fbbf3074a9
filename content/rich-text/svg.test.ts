import { expect, test } from 'vitest';
import { safeSvg } from './svg.ts';

const drawn = (source: string) => {
  const safe = safeSvg(source);
  return safe.ok ? safe.value : safe.why;
};

const svg = (inside: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inside}</svg>`;

test('a drawing stays as it is', () => {
  const drawing = svg(
    '<style>.a{fill:#fff}</style><g id="g"><path d="M0 0L1 1" class="a"></path><text x="1">甲 &lt; 乙</text></g><use href="#g"></use>',
  );
  expect(drawn(`<?xml version="1.0"?>\n<!-- drawn by hand -->${drawing}`).trim()).toBe(drawing);
});

test('a drawing without its namespace gets it, or no browser shows it', () => {
  expect(drawn('<svg viewBox="0 0 1 1"></svg>')).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
  );
});

test.each([
  svg('<script>alert(1)</script>'),
  svg('<SCRIPT>alert(1)</SCRIPT>'),
  svg('', ' onload="alert(1)"'),
  svg('<foreignObject><body onload="alert(1)"></body></foreignObject>'),
  svg('<a href="javascript:alert(1)"><text>x</text></a>'),
  svg('<use href="https://evil.example/x.svg#a"/>'),
  svg('<use xlink:href="data:image/svg+xml,x"/>', ' xmlns:xlink="http://www.w3.org/1999/xlink"'),
  svg('<image href="https://evil.example/x.png"/>'),
  svg('<style>@import "https://evil.example/x.css"; *{background:url(https://evil.example)}</style>'),
  svg('<rect style="fill:url(https://evil.example/#a)" fill="url(//evil.example)"/>'),
  svg('<animate attributeName="href" values="javascript:alert(1)"/><set attributeName="onclick" to="alert(1)"/>'),
  svg('<text><![CDATA[<script>alert(1)</script>]]></text>'),
  `<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${svg('<text>&x;</text>')}`,
])('nothing runs, loads or leads elsewhere: %s', (source) => {
  const safe = drawn(source);
  expect(safe).toMatch(/^\s*<svg /);
  expect(safe).not.toMatch(/<script|<SCRIPT|onload|foreignObject|evil\.example|javascript:|data:|<animate|<set|<a /);
});

test.each(['', 'PNG', '<html><svg></svg></html>', '{"a":1}'])('%s is no drawing', (source) => {
  expect(safeSvg(source)).toEqual({ ok: false, why: '不是 SVG 图片' });
});

test('a reference into the drawing stays, in quotes too', () => {
  const drawing = svg('<path fill="url(#a)"></path><path style="fill:url( &quot;#a&quot; )"></path>');
  expect(drawn(drawing)).toBe(drawing);
});

/** Each of these levels draws the one below it ten times. */
const levels = (count: number, use: (id: string) => string) =>
  svg(
    `<defs><path id="l0"/>${Array.from({ length: count }, (_, at) => `<g id="l${at + 1}">${use(`l${at}`).repeat(10)}</g>`).join('')}</defs>${use(`l${count}`)}`,
  );

test.each<[what: string, source: string, why: string]>([
  ['a drawing in a drawing, ten times each', levels(9, (id) => `<use href="#${id}"/>`), '太复杂'],
  ['the same by its older name', levels(9, (id) => `<use xlink:href="#${id}"/>`), '太复杂'],
  ['patterns in patterns', levels(9, (id) => `<rect fill="url(#${id})"/>`), '太复杂'],
  ['a drawing that draws itself', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), '循环'],
  ['elements in elements', svg('<g>'.repeat(101)), '嵌套超过 100 层'],
  ['very many references', svg('<use href="#a"/>'.repeat(10_001)), '最多 10000 处'],
  ['very many elements', svg('<path/>'.repeat(100_001)), '太复杂'],
])('%s: refused', (_what, source, why) => {
  expect(safeSvg(source)).toEqual({ ok: false, why: expect.stringContaining(why) });
});

test('a formula as a drawing, with every letter by reference, is none too many', () => {
  expect(safeSvg(svg(`<defs><path id="x"/></defs>${'<use href="#x"/>'.repeat(5000)}`)).ok).toBe(true);
});

test.each([
  ['an address of blanks', `<rect style="fill:url(${' '.repeat(2_000_000)}"/>`],
  ['many addresses', `<rect style="${'url( '.repeat(400_000)}"/>`],
  ['an address of blanks that ends inside', `<rect style="fill:url(${' '.repeat(2_000_000)}#a)"/>`],
  ['many attributes', `<rect ${Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`],
  ['a style of blanks', `<style>${'url( '.repeat(400_000)}</style>`],
])('%s takes no time', (_what, inside) => {
  const began = process.cpuUsage().user;
  safeSvg(svg(inside));
  expect((process.cpuUsage().user - began) / 1000).toBeLessThan(3000);
});
