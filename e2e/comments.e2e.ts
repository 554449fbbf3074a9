import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { findPack, newStudent, packs } from './student.ts';

/** The comments below a lesson. */
const openComments = async (page: Page) => {
  await page.getByRole('tab', { name: '评论' }).last().click();
  return page.getByRole('tabpanel', { name: '评论' }).last();
};

test('pages of comments pass over none when others delete theirs, and one that is gone leaves when it is liked @one-width', async ({
  page,
  browser,
}, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const context = await browser.newContext({ ...info.project.use });
  const other = context.request;
  await newStudent(other);
  await findPack(other, packs.maths);
  const { current } = await call(page.request, 'GET /app/course/chapters', { packId });
  const lesson = { packId, firstVideoId: current?.firstVideoId ?? 0 };
  const name = randomUUID().slice(0, 8);
  const ids: number[] = [];
  // As many as two write in a minute: more than stand on one page.
  for (let at = 1; at <= 12; at += 1) {
    const comment = `第 ${at} 条 ${name}`;
    ids.push((await call(at % 2 === 1 ? other : page.request, 'POST /app/comment/save', { ...lesson, comment })).id);
  }

  await page.goto(`/course/play/${packId}`);
  const below = await openComments(page);
  const row = (at: number) => below.getByRole('listitem').filter({ hasText: `第 ${at} 条 ${name}` });
  await expect(row(12)).toBeVisible();
  await expect(row(3)).toBeVisible();
  for (const at of [11, 9]) await call(other, 'POST /app/comment/delete', { id: ids[at - 1] ?? 0 });
  await below.getByRole('button', { name: '下一页' }).click();
  await expect(row(2)).toBeVisible();
  await expect(row(3)).toHaveCount(0);

  await call(other, 'POST /app/comment/delete', { id: ids[0] ?? 0 });
  await row(1).getByRole('button', { name: '赞（0）' }).click();
  await expect(page.getByText('这条评论不在了')).toBeVisible();
  await expect(row(1)).toHaveCount(0);
  await expect(row(2)).toBeVisible();
  // Back on the first page what is gone is gone, and the next ones have moved up.
  await below.getByRole('button', { name: '上一页' }).click();
  await expect(row(2)).toBeVisible();
  await expect(row(11)).toHaveCount(0);
  await context.close();
});

test('a page of comments whose last one is deleted leads to the page before @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  let pages = 2;
  const comment = { avatarUrl: '', nickname: '同学', createTime: 1_790_000_000, praiseState: 0, praiseCount: 0 };
  const fixed = {
    pinned: false,
    mine: true,
    hidden: false,
    held: false,
    heldWords: [],
    firstVideoId: null,
    childes: [],
  };
  await page.route('**/app/comment/list?*', async (route) => {
    const pageNum = Number(new URL(route.request().url()).searchParams.get('page'));
    const list = pageNum > pages ? [] : [{ id: 9 - pageNum, comment: `第 ${pageNum} 页的一条`, ...comment, ...fixed }];
    await route.fulfill({ json: { code: 200, msg: '', data: { list, total: pages, pages, pageNum, beforeId: 9 } } });
  });
  await page.route('**/app/comment/delete', async (route) => {
    pages = 1;
    await route.fulfill({ json: { code: 200, msg: '', data: {} } });
  });
  await page.goto(`/course/play/${packId}`);
  const below = await openComments(page);
  await expect(below.getByText('第 1 页的一条')).toBeVisible();
  await below.getByRole('button', { name: '下一页' }).click();
  await expect(below.getByText('第 2 页的一条')).toBeVisible();
  await below.getByRole('button', { name: '删除我的评论' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(below.getByText('第 1 页的一条')).toBeVisible();
});
