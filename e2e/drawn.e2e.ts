import { expect, test } from '@playwright/test';
import { ExamScreen } from './exam-screen.ts';
import { openWithLateScript } from './late-script.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

const PAPER = '高等数学模拟卷（二）';

test('a visitor reads home before its script has come, and nothing moves when it does', async ({ page }) => {
  const { said, arrive, taken } = await openWithLateScript(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('磨砺以须学以致用');
  await expect(page.getByRole('link', { name: packs.maths }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: '登录', exact: true })).toBeVisible();
  await page.locator('h1:not([data-spare])').evaluate((heading) => heading.setAttribute('data-drawn-by', 'server'));
  arrive();
  await taken();
  await page.waitForLoadState('networkidle');
  // The very element that the server drew.
  await expect(page.locator('h1:not([data-spare])')).toHaveAttribute('data-drawn-by', 'server');
  expect(await page.evaluate(() => window.moved)).toBeLessThanOrEqual(0.02);
  expect(said).toEqual([]);
});

test('the main picture of home comes inside the page, and is the whole one for who shows more of it', async ({
  browser,
}) => {
  for (const [width, finest, inside] of [
    [390, 3, true],
    [1440, 1, true],
    [1440, 2, false],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, deviceScaleFactor: finest });
    const page = await context.newPage();
    // It is made when the first visitor has come.
    await expect.poll(async () => (await page.request.get('/')).text()).toContain('data:image/webp');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/');
    const picture = page.getByRole('region', { name: '学校推荐' }).first().getByRole('img');
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0))
      .toBe(true);
    const shown = await picture.evaluate((img: HTMLImageElement) => img.currentSrc);
    expect([shown.startsWith('data:'), asked.some((path) => path.startsWith('/files/'))]).toEqual([inside, !inside]);
    await page.getByRole('button', { name: '下一个' }).click();
    await expect(picture).toHaveAttribute('src', /^\/files\//);
    await context.close();
  }
});

test('a button pressed before its script has come does what it says once it has @one-width', async ({ page }) => {
  const { said, arrive } = await openWithLateScript(page);
  await page.getByRole('button', { name: /English/ }).click();
  arrive();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Learn it well.Use it.');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  // And the next page comes in English at once.
  const again = await openWithLateScript(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Learn it well.Use it.');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  again.arrive();
  await again.taken();
  expect([...said, ...again.said]).toEqual([]);
});

test('the theme that was chosen is there before the script @one-width', async ({ page }) => {
  await page.addInitScript(() => window.localStorage.setItem('lixue.theme', 'dark'));
  const { arrive, said } = await openWithLateScript(page);
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.locator('h1:not([data-spare])')).toHaveCSS('color', 'rgb(232, 230, 225)');
  arrive();
  await expect(page.getByRole('button', { name: '外观' })).toBeVisible();
  expect(said).toEqual([]);
});

test('a student never sees the home of visitors, nor a page its frame twice @one-width', async ({ page }) => {
  await newStudent(page.request);
  for (const [path, name] of [
    ['/', /接着学吧|开始学吧|欢迎/],
    ['/myExams', '我的考试'],
  ] as const) {
    const { said, arrive, taken } = await openWithLateScript(page, path);
    await expect(page.getByRole('banner')).toBeAttached();
    await expect(page.getByText('磨砺以须，学以致用')).toBeAttached();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
    arrive();
    await taken();
    await expect(page.getByRole('heading', { name }).first()).toBeVisible();
    await expect(page.getByText('登录开始学习')).toHaveCount(0);
    await expect(page.locator('header')).toHaveCount(1);
    expect(said).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
});

test('the screen of an exam stands before its script, in the look that was chosen, and the question takes its place', async ({
  page,
}, info) => {
  await newStudent(page.request);
  const examId = await findPaper(page.request, await findPack(page.request, packs.maths), PAPER);
  const exam = new ExamScreen(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const first = await openWithLateScript(page, `/exam/${examId}`);
  await expect(page.getByRole('progressbar', { name: '正在打开试卷' })).toBeVisible();
  await look(page, info, 'exam-frame');
  await expect.poll(() => asked).toContain('/api/user/info');
  // The time of a test does not run before its code is there.
  expect(asked).not.toContain('/app/exam/test_start');
  const bar = await page.locator('[aria-busy] > div').first().boundingBox();
  first.arrive();
  await first.taken();
  await exam.isAt(1);
  await look(page, info, 'exam-frame-after');
  expect(await page.evaluate(() => window.moved)).toBeLessThanOrEqual(0.02);
  expect((await page.getByRole('region', { name: '考试', exact: true }).boundingBox())?.height).toBe(bar?.height);
  for (const path of ['/api/user/info', '/app/exam/test_start', '/api/exam/details', '/api/exam/cache'])
    expect(
      asked.filter((one) => one === path),
      path,
    ).toHaveLength(1);
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  // The second time the address names the record: all that its first view shows is asked for beside the code.
  await exam.autoAdvance(false);
  await exam.choose('B');
  await expect(page.getByText(/^已保存/)).toBeVisible();
  asked.length = 0;
  await page.evaluate(() => window.localStorage.setItem('lixue.theme', 'dark'));
  const again = await openWithLateScript(page, page.url());
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await look(page, info, 'exam-frame-in-the-dark');
  for (const path of ['/api/exam/details', '/app/exam/take_over', '/api/exam/cache'])
    await expect.poll(() => asked.filter((one) => one === path)).toHaveLength(1);
  again.arrive();
  await again.taken();
  await exam.isAt(1);
  expect(await exam.chosen()).toBe('B');
  for (const path of ['/api/exam/details', '/app/exam/take_over', '/api/exam/cache', '/api/user/info'])
    expect(
      asked.filter((one) => one === path),
      path,
    ).toHaveLength(1);
  expect(asked).not.toContain('/app/exam/test_start');
  expect([...first.said, ...again.said]).toEqual([]);
});
