import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { findPack, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

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

test('the keyboard stays in the list of comments, whether one goes before the dialog that asked or after it @one-width', async ({
  page,
}) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const { current } = await call(page.request, 'GET /app/course/chapters', { packId });
  const name = randomUUID().slice(0, 8);
  for (const at of [1, 2, 3]) {
    const content = { packId, firstVideoId: current?.firstVideoId ?? 0, comment: `第 ${at} 条 ${name}` };
    await call(page.request, 'POST /app/comment/save', content);
  }
  let held: Promise<void> | null = null;
  await page.route('**/app/comment/delete', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/course/play/${packId}`);
  const below = await openComments(page);
  const row = (at: number) => below.getByRole('listitem').filter({ hasText: `第 ${at} 条 ${name}` });
  const dialog = page.getByRole('dialog');
  const remove = async (at: number) => {
    await row(at).getByRole('button', { name: '删除我的评论' }).press('Enter');
    await dialog.getByRole('button', { name: '删除' }).press('Enter');
  };
  await remove(3);
  await expect(page.getByRole('status').getByText('已删除')).toBeVisible();
  await expect(row(3)).toHaveCount(0);
  await expect(dialog).toHaveCount(0);
  await expect(below.locator(':focus')).toHaveCount(1);

  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  held = promise;
  await remove(2);
  await expect(dialog).toHaveCount(0);
  await expect(row(2).getByRole('button', { name: '删除我的评论' })).toBeFocused();
  letGo();
  await expect(row(2)).toHaveCount(0);
  await expect(below.locator('li:focus')).toHaveCount(1);
});

test('a comment that is answered leaves those that wait, and the keyboard stays among them @one-width', async ({
  page,
  browser,
}, info) => {
  const context = await browser.newContext({ ...info.project.use });
  await newStudent(context.request);
  const packId = await findPack(context.request, packs.maths);
  const { current } = await call(context.request, 'GET /app/course/chapters', { packId });
  const name = randomUUID().slice(0, 8);
  for (const at of [1, 2]) {
    const content = { packId, firstVideoId: current?.firstVideoId ?? 0, comment: `第 ${at} 问 ${name}` };
    await call(context.request, 'POST /app/comment/save', content);
  }
  await context.close();

  await call(page.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await page.goto('/teach/comments');
  const row = page.getByRole('listitem').filter({ hasText: `第 2 问 ${name}` });
  await row.getByRole('button', { name: '回复', exact: true }).press('Enter');
  await row.getByLabel('回复这条评论').fill('看第一章');
  await row.getByRole('button', { name: '发表回复' }).press('Enter');
  await expect(page.getByText('回复已发表')).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(page.locator('li:focus')).toHaveCount(1);
});
