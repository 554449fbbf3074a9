import { expect, it } from 'vitest';
import { onlyOurColours, themeSheet } from './theme-variables.ts';

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
