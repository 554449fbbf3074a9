import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, newStudent, packs } from './student.ts';

const panel = (page: Page) => page.getByRole('complementary');
/** Scripts and data of the PDF library that a page has asked for. */
const OF_PDF = /\/assets\/(?:pdf[-.]|pdf\.|pdfjs-)/;

test('files and slides of a course are looked at and saved, by those who may', async ({ page, browser }, info) => {
  const asked: string[] = [];
  // As in WeChat and on phones of some years ago (Chrome before 119, Safari before 17.4), on the page and in the worker.
  const older = 'delete Promise.withResolvers;';
  await page.addInitScript(older);
  await page.route('**/assets/pdf-worker-*.js', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: older + (await reply.text()) });
  });
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto(`/course/play/${packId}`);
  const { current } = await call(page.request, 'GET /app/course/chapters', { packId });
  expect(current).not.toBeNull();

  let filePath = '';
  await test.step('资料 by folder', async () => {
    await panel(page).getByRole('tab', { name: '资料' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '我知道了' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const list = panel(page).getByRole('region', { name: '资料' });
    await expect(list.getByText('使用说明.txt')).toBeVisible();
    await look(page, info, 'files');
    await list.getByRole('button', { name: /^讲义/ }).click();
    await expect(list.getByRole('heading', { name: '讲义' })).toBeVisible();
    const name = '第一章 会计概述（要点）.pdf';
    const started = page.waitForEvent('download');
    await list.getByRole('button', { name: `下载${name}`, exact: true }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe(name);
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
    filePath = new URL(download.url()).pathname;
    await expect(list.getByRole('button', { name: `重新下载${name}`, exact: true })).toBeVisible();
    await page.goBack();
    await expect(list.getByText('使用说明.txt')).toBeVisible();
    await list.getByRole('button', { name: '图片' }).click();
    await expect(list.getByText('使用说明.txt')).toHaveCount(0);
    await list.getByRole('button', { name: /^借贷方向/ }).click();
    const picture = page.getByRole('dialog').getByRole('img', { name: '借贷方向.png' });
    await expect(picture).toBeVisible();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await look(page, info, 'files-picture');
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click();
    await expect(list.getByRole('button', { name: /^借贷方向/ })).toBeFocused();
  });

  await test.step('课件 are read in the page', async () => {
    expect(asked.filter((path) => OF_PDF.test(path))).toEqual([]);
    await panel(page).getByRole('tab', { name: '课件' }).click();
    const slides = page.getByRole('region', { name: '课件' });
    await expect(slides.getByText('导学：会计在回答什么问题.pdf')).toBeVisible();
    const started = page.waitForEvent('download');
    await slides.getByRole('button', { name: '下载课件' }).click();
    expect((await started).suggestedFilename()).toBe('导学：会计在回答什么问题.pdf');
    await slides.getByRole('button', { name: '在线预览' }).click();
    const viewer = page.getByRole('document', { name: '导学：会计在回答什么问题.pdf' });
    await expect(viewer.getByText('会计在回答什么问题')).toBeVisible();
    expect(asked.filter((path) => OF_PDF.test(path))).not.toEqual([]);
    await look(page, info, 'slides');
    const number = page.getByRole('textbox', { name: '页码' });
    await viewer.press('End');
    await expect(number).toHaveValue('6');
    await viewer.press('PageUp');
    await expect(number).toHaveValue('5');
    await expect(viewer.locator('canvas')).toHaveCount(5);
    await page.getByRole('button', { name: '放大' }).click();
    await expect(page.getByRole('button', { name: '125%' })).toBeVisible();
    await expect(number).toHaveValue('5');
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click();
    await expect(viewer).toHaveCount(0);
    await expect(slides.getByRole('button', { name: '在线预览' })).toBeFocused();
    await slides.getByRole('button', { name: '关闭课件' }).click();
    await expect(panel(page).getByRole('tab', { name: '章节' })).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('a PDF that is none gets a sentence and the download', async () => {
    await page.route('**/app/course_file/data/**', (route) =>
      route.fulfill({ body: 'no PDF', contentType: 'application/pdf' }),
    );
    await panel(page).getByRole('tab', { name: '课件' }).click();
    await page.getByRole('button', { name: '在线预览' }).click();
    await expect(page.getByText('这份文件已损坏或不是 PDF，不能在线预览')).toBeVisible();
    await look(page, info, 'slides-broken');
    await page.unroute('**/app/course_file/data/**');
  });

  const context = await browser.newContext({ ...info.project.use });
  try {
    const other = await context.newPage();
    await newStudent(other.request);
    const answer = await other.request.get(filePath);
    expect([answer.status(), ((await answer.json()) as { msg: string }).msg]).toEqual([403, '请先报名该课程']);
  } finally {
    await context.close();
  }
});
