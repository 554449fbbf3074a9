import { expect, test } from 'vitest';
import { safeSvg } from './svg.ts';

const svg = (inside: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inside}</svg>`;

test('a drawing stays as it is', () => {
  const drawing = svg(
    '<style>.a{fill:#fff}</style><g id="g"><path d="M0 0L1 1" class="a"></path><text x="1">甲 &lt; 乙</text></g><use href="#g"></use>',
  );
  expect(safeSvg(`<?xml version="1.0"?>\n<!-- drawn by hand -->${drawing}`)?.trim()).toBe(drawing);
});

test('a drawing without its namespace gets it, or no browser shows it', () => {
  expect(safeSvg('<svg viewBox="0 0 1 1"></svg>')).toBe(
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
  const safe = safeSvg(source) ?? '';
  expect(safe).toMatch(/^\s*<svg /);
  expect(safe).not.toMatch(/<script|<SCRIPT|onload|foreignObject|evil\.example|javascript:|data:|<animate|<set|<a /);
});

test.each(['', 'PNG', '<html><svg></svg></html>', '{"a":1}'])('%s is no drawing', (source) => {
  expect(safeSvg(source)).toBeNull();
});
