import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { FILE_PAGE_SIZE, fileGroup } from '#contract/values/file.ts';
import { enrol } from '#server/course/enrolment-store.ts';
import { openDb } from '#server/db/open.ts';
import { slidesAddress } from '#server/file/course-file.ts';
import { fileNameOf, localFiles } from '#server/files.ts';
import { call } from './call.ts';
import { look } from './look.ts';
import { DATA_DIR } from './operator.ts';
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

/** A name as long as one may be; what tells it from others stands at its end. */
const LONG = `${'会计实务章节讲义与习题汇编'.repeat(15)}第12讲.txt`.slice(-200);

/**
 * A pack of one lesson, made beside the running server: its slides, and one of its files, are not in the store; it has more files than
 * stand on one page.
 */
async function makeFileSchool(request: APIRequestContext) {
  const folder = join(import.meta.dirname, '..', DATA_DIR);
  const db = await openDb({ kind: 'sqlite', path: join(folder, 'lixue.db') }, Date.now());
  try {
    const picture = await readFile(join(import.meta.dirname, '../content/demo/kuaiji/files/借贷方向.png'));
    const pdf = await readFile(
      join(import.meta.dirname, '../content/demo/kuaiji/files/讲义/第一章 会计概述（要点）.pdf'),
    );
    const slug = `files-${randomBytes(6).toString('hex')}`;
    const { id: packId } = await db.query
      .insertInto('packs')
      .values({
        ...{ slug, name: `资料课程 ${slug.slice(6)}`, summary: '', description: '', exam_date: null },
        ...{ enrol: 'closed', unlock: 'free', position: 901, score_state: 0 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: courseId } = await db.query
      .insertInto('courses')
      .values({ pack_id: packId, slug: 'course', name: '课程', position: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const file = (name: string, stored: string, more: { slides?: 1; file_group?: 1 } = {}) => ({
      ...{ pack_id: packId, folder_id: null, path: `files/${name}`, file_name: name, stored, bytes: 1000 },
      ...{ file_group: fileGroup.document, position: 1, created_at: Date.now(), ...more },
    });
    const gone = (extension: string) => fileNameOf(Buffer.from(slug), extension);
    const { id: slidesId } = await db.query
      .insertInto('course_files')
      .values(file('slides.pdf', gone('pdf'), { slides: 1 }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const stored = await localFiles(join(folder, 'files')).put(picture, 'png');
    await db.query
      .insertInto('course_files')
      .values([
        file('丢失的.txt', gone('txt')),
        file('借贷方向.png', stored, { file_group: fileGroup.image }),
        file('要点.pdf', await localFiles(join(folder, 'files')).put(pdf, 'pdf')),
        file(LONG, gone('txt')),
        ...Array.from({ length: FILE_PAGE_SIZE }, (_, at) => file(`第 ${at + 1} 份.txt`, gone('txt'))),
      ])
      .execute();
    await db.query
      .insertInto('lessons')
      .values({
        ...{
          pack_id: packId,
          course_id: courseId,
          chapter_id: null,
          slug: 'one',
          name: '第一节',
          level: 1,
          position: 1,
        },
        ...{ kind: 'text', elective: 0, trial: 0, credits: 0, profile: '', body: '<p>正文</p>', media_source: '' },
        ...{ media_id: null, duration: 0, after_id: null, ppt_url: slidesAddress(slidesId) },
      })
      .execute();
    await newStudent(request);
    const { user } = await call(request, 'GET /api/user/info', {});
    await enrol(db.query, user?.studentId ?? 0, packId, Date.now());
    return { packId };
  } finally {
    await db.close();
  }
}

test('资料 say what is not there, stay where one was, and are named and offered in one way', async ({ page }, info) => {
  const { packId } = await makeFileSchool(page.request);
  await page.goto(`/course/play/${packId}`);
  await panel(page).getByRole('tab', { name: '资料' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '我知道了' }).click();
  const list = panel(page).getByRole('region', { name: '资料' });
  const lost = page.getByText('文件暂时无法下载，请联系老师');

  await test.step('a file whose bytes are gone is no download', async () => {
    await list.getByRole('button', { name: '下载丢失的.txt', exact: true }).click();
    await expect(lost).toBeVisible();
    await expect(list.getByRole('button', { name: '下载丢失的.txt', exact: true })).toHaveText('下载');
    await look(page, info, 'files-lost');
  });

  await test.step('a long name is there as a whole, and who taps has room to', async () => {
    const name = list.getByText(LONG, { exact: true });
    expect(await name.evaluate((words) => words.scrollHeight - words.clientHeight)).toBeLessThanOrEqual(1);
    if (info.project.name !== 'phone') return;
    const button = await list.getByRole('button', { name: `下载${LONG}`, exact: true }).boundingBox();
    expect(button?.height).toBeGreaterThanOrEqual(44);
  });

  await test.step('what was downloaded is offered again, beside its picture too', async () => {
    await list.getByRole('button', { name: /^借贷方向/ }).click();
    const zoom = page.getByRole('dialog');
    const started = page.waitForEvent('download');
    await zoom.getByRole('button', { name: '下载', exact: true }).click();
    await started;
    await expect(zoom.getByRole('button', { name: '重新下载', exact: true })).toBeVisible();
    await zoom.getByRole('button', { name: '关闭' }).click();
    await expect(list.getByRole('button', { name: '重新下载借贷方向.png', exact: true })).toBeVisible();
    await list.getByRole('button', { name: /^要点/ }).click();
    const tools = page.getByRole('toolbar');
    const saved = page.waitForEvent('download');
    await tools.getByRole('button', { name: '下载', exact: true }).click();
    await saved;
    await expect(tools.getByRole('button', { name: '重新下载', exact: true })).toBeVisible();
    await zoom.getByRole('button', { name: '关闭' }).click();
    await expect(list.getByRole('button', { name: '重新下载要点.pdf', exact: true })).toBeVisible();
  });

  await test.step('page and kind are in the address', async () => {
    await list.getByRole('button', { name: '下一页' }).click();
    await expect(list.getByText(`第 ${FILE_PAGE_SIZE} 份.txt`)).toBeVisible();
    await page.reload();
    await expect(list.getByText(`第 ${FILE_PAGE_SIZE} 份.txt`)).toBeVisible();
    await expect(list.getByText('丢失的.txt')).toHaveCount(0);
    await list.getByRole('button', { name: '图片', exact: true }).click();
    await expect(list.getByText('借贷方向.png')).toBeVisible();
    await page.reload();
    await expect(list.getByText('借贷方向.png')).toBeVisible();
    await expect(list.getByRole('button', { name: '图片', exact: true })).toHaveAttribute('aria-pressed', 'true');
    await expect(list.getByText('丢失的.txt')).toHaveCount(0);
    await page.goBack();
    await expect(list.getByText(`第 ${FILE_PAGE_SIZE} 份.txt`)).toBeVisible();
    // A page behind the last one leads to the last.
    await page.goto(`${new URL(page.url()).pathname}?tab=${new URL(page.url()).searchParams.get('tab')}&page=9`);
    await expect(list.getByText(`第 ${FILE_PAGE_SIZE} 份.txt`)).toBeVisible();
  });

  await test.step('slides that are gone are not the fault of the page', async () => {
    await panel(page).getByRole('tab', { name: '课件' }).click();
    const slides = page.getByRole('region', { name: '课件' });
    await slides.getByRole('button', { name: '下载课件' }).click();
    await expect(lost).toBeVisible();
    await slides.getByRole('button', { name: '在线预览' }).click();
    const viewer = page.getByRole('dialog');
    await expect(viewer.getByRole('button', { name: '重试' })).toBeVisible();
    await expect(viewer.getByText('文件暂时打不开，请稍后再试或联系老师')).toBeVisible();
    await look(page, info, 'slides-lost');
  });
});
