import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Pager } from './Pager.tsx';

it.each([
  { pageNum: 1, pages: 1, buttons: [] },
  { pageNum: 1, pages: 3, buttons: ['上一页 off', '下一页'] },
  { pageNum: 2, pages: 3, buttons: ['上一页', '下一页'] },
  { pageNum: 3, pages: 3, buttons: ['上一页', '下一页 off'] },
])('page $pageNum of $pages', ({ pageNum, pages, buttons }) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <Pager pageNum={pageNum} pages={pages} onPage={() => {}} />
    </MantineProvider>,
  );
  const found = [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(
    ([, how = '', inside = '']) => inside.replace(/<[^>]*>/g, '') + (/\sdisabled=/.test(how) ? ' off' : ''),
  );
  expect(found).toEqual(buttons);
});
