import { expect, it } from 'vitest';
import { PAGES } from '#contract/values/pages.ts';
import { modulesOf, needed } from './page-code.ts';

it('knows the modules of every page, the outermost first', () => {
  const modules = modulesOf();
  expect([...modules.keys()].sort()).toEqual(Object.keys(PAGES).sort());
  expect(modules.get('home')).toEqual(['/web/app/Shell.tsx', '/web/pages/HomePage.tsx']);
  expect(modules.get('exam')).toEqual(['/web/pages/ExamPage.tsx']);
  expect(modules.get('teachQa')).toEqual([
    '/web/app/Shell.tsx',
    '/web/teach/TeachFrame.tsx',
    '/web/pages/TeachQaPage.tsx',
  ]);
});

it('stops a build of which it cannot tell that', () => {
  expect(() => modulesOf('const inShell: readonly Place[] = [\n];')).toThrow('does not show the page home');
});

it('names each file once and behind what it imports, in a circle too', () => {
  const files = [
    { fileName: 'page', imports: ['parts', 'base'] },
    { fileName: 'parts', imports: ['base', 'page'] },
    { fileName: 'base', imports: [] },
    { fileName: 'other', imports: [] },
  ];
  expect(needed(['page', 'parts'], files)).toEqual(['base', 'parts', 'page']);
});
