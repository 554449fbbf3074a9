import { expect, it } from 'vitest';
import { onlyOurColours, themeSheet, withTheme } from './theme-variables.ts';

it('has the variables of our theme, of light and dark apart, and none of colours that are not ours', () => {
  const sheet = onlyOurColours(themeSheet());
  expect(sheet).toContain('--mantine-color-jade-6: #0B7A5B;');
  expect(sheet).toMatch(/:root\[data-mantine-color-scheme="dark"\][^{]*\{[^}]*--mantine-color-body: var\(--card\);/);
  expect(sheet).toMatch(
    /:root\[data-mantine-color-scheme="light"\][^{]*\{[^}]*--mantine-color-jade-light: var\(--jade-soft\);/,
  );
  expect(sheet).not.toMatch(/--mantine-color-(?:pink|blue|teal)/);
});

it('takes out nothing but what such a colour is', () => {
  expect(
    onlyOurColours(':root{--mantine-color-red-1:#fff;--mantine-color-blue-1:#00f;--x:var(--mantine-color-blue-1)}'),
  ).toBe(':root{--mantine-color-red-1:#fff;--x:var(--mantine-color-blue-1)}');
});

it('puts the theme behind the sheet, without what the library says of the same for both looks', () => {
  const library =
    '@layer m{:root,:host{--a:1;--b:2}:root[data-x=dark],:host([data-x=dark]){--c:3;--d:4}}:root{--a:5}.b{--b:6}';
  const theme = ':root, :host{--a: 7;}\n:root[data-x="dark"]{--c: 8;--d: 9;}\n:root[data-x="light"]{--c: 10;}';
  expect(withTheme(library, theme)).toBe(
    `@layer m{:root,:host{--b:2}:root[data-x=dark],:host([data-x=dark]){--d:4}}:root{--a:5}.b{--b:6}\n${theme}`,
  );
});
