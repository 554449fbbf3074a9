import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { openWithLateScript } from './late-script.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

/** Where topic and options of the first question stand, and the letters before its options. */
const places = (page: Page, within: string) =>
  page.locator(`${within} article`).evaluate((card) => {
    const badges = [...card.querySelectorAll('span')].filter(({ textContent: text }) => /^[A-F]$/.test(text));
    const head = card.firstElementChild;
    const rows = badges.map((badge) => badge.parentElement);
    return [head, head?.nextElementSibling, ...rows].map((part) => {
      const { x = 0, y = 0, width = 0, height = 0 } = part?.getBoundingClientRect() ?? {};
      return [x, y, width, height].map(Math.round);
    });
  });

test('a long first question can be read to its end before its code has come, and stays where it was read @one-width', async ({
  page,
}) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  await page.setViewportSize({ width: 390, height: 500 });
  const topic = `<p>${'企业在对会计要素进行计量时，一般应当采用历史成本。'.repeat(30)}</p>`;
  await page.route('**/api/exam/details?*', async (route) => {
    const answer = await route.fetch();
    const { data, ...rest } = (await answer.json()) as { data: { questions: object[] } };
    const [first, ...others] = data.questions;
    const questions = [{ ...first, topic }, ...others];
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, questions } } });
  });
  const { arrive, taken, said } = await openWithLateScript(page, `/exam/${examId}?record=${recordId}`);
  const drawn = page.locator('[data-first-question]');
  const last = drawn.getByText('D', { exact: true });
  await expect(last).not.toBeInViewport();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
  const scrolled = () => page.locator('article').evaluate((card) => card.parentElement?.scrollTop ?? 0);
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  arrive();
  await taken();
  await new ExamScreen(page).isAt(1);
  await expect(drawn).toHaveCount(0);
  await expect.poll(() => page.locator('[data-top]').evaluate((top) => top.scrollTop)).toBe(before);
  expect(said).toEqual([]);
});

test('the first question is read also where its sheets come after it @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const stored = page.waitForResponse((answer) => answer.url().includes('/api/exam/cache?'));
  await page.route(/\/assets\/.*\.css$/, async (route) => {
    await (await stored).finished();
    // The page has read it by then, too.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  const { arrive, taken, said } = await openWithLateScript(page, `/exam/${examId}?record=${recordId}`);
  const drawn = page.locator('[data-first-question]');
  await expect(drawn.getByText('A', { exact: true })).toBeVisible();
  arrive();
  await taken();
  await new ExamScreen(page).isAt(1);
  expect(said).toEqual([]);
});

test('the first question is read before its code has come, and what is pressed meanwhile is answered', async ({
  page,
}, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const stored = async () => (await call(page.request, 'GET /api/exam/cache', { recordId })).answers;
  const { arrive, taken, said } = await openWithLateScript(page, `/exam/${examId}?record=${recordId}`);
  const drawn = page.locator('[data-first-question]');
  await expect(drawn.getByText('A', { exact: true })).toBeVisible();
  await look(page, info, 'first-question-drawn');
  const before = await places(page, '[data-first-question]');
  expect(before.length).toBeGreaterThanOrEqual(5);
  await drawn.getByText('C', { exact: true }).click();
  await drawn.getByText('B', { exact: true }).click();
  await look(page, info, 'first-question-pressed');
  expect(await stored()).toEqual([]);
  // It does not move on by itself, so that the question can be compared.
  await page.evaluate(() => localStorage.setItem('lixue.exam.autoAdvance', 'off'));
  arrive();
  await taken();
  const exam = new ExamScreen(page);
  await exam.isAt(1);
  await expect(drawn).toHaveCount(0);
  await expect.poll(() => exam.chosen()).toBe('B');
  expect(await places(page, 'main')).toEqual(before);
  await look(page, info, 'first-question-taken');
  await expect.poll(async () => (await stored()).map(({ answer }) => answer)).toEqual(['B']);
  expect(said).toEqual([]);

  // What was answered is not known yet when the paper comes, so nothing is drawn that could be wrong.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const cached = page.waitForResponse(/exam\/cache/);
  const again = await openWithLateScript(page, `/exam/${examId}?record=${recordId}`);
  await (await cached).finished();
  // Two frames later it would stand there.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect(page.getByRole('progressbar', { name: '正在打开试卷' })).toBeVisible();
  await expect(drawn).toHaveCount(0);
  again.arrive();
  await again.taken();
  await exam.isAt(1);
  expect(await exam.chosen()).toBe('B');
});
