import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Pager } from './Pager.tsx';

it.each([
  { pageNum: 1, pages: 1, buttons: [] },
  { pageNum: 1, pages: 3, buttons: ['上一页 off', '1 here', '2', '3', '下一页'] },
  { pageNum: 2, pages: 3, buttons: ['上一页', '1', '2 here', '3', '下一页'] },
  { pageNum: 3, pages: 3, buttons: ['上一页', '1', '2', '3 here', '下一页 off'] },
  { pageNum: 6, pages: 12, buttons: ['上一页', '1', '6 here', '12', '下一页'] },
])('page $pageNum of $pages', ({ pageNum, pages, buttons }) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <Pager pageNum={pageNum} pages={pages} onPage={() => {}} />
    </MantineProvider>,
  );
  const found = [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(
    ([, how = '', inside = '']) =>
      inside.replace(/<[^>]*>/g, '') +
      (/\sdisabled=/.test(how) ? ' off' : /aria-current="page"/.test(how) ? ' here' : ''),
  );
  expect(found).toEqual(buttons);
  expect(html.match(/…/g)?.length ?? 0).toBe(pages > 5 ? 2 : 0);
});
