import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { fitsWidth, look } from './look.ts';
import { loadNasty, nasty } from './operator.ts';
import { findPack, findPaper, newStudent } from './student.ts';

test.beforeAll(loadNasty);

/** Collects what must never happen with a hostile text: a dialog, a running script, a request to somewhere else. */
async function watchForHarm(page: Page): Promise<() => Promise<string[]>> {
  const harm: string[] = [];
  page.on('dialog', (dialog) => {
    harm.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => harm.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== 'localhost') harm.push(`request: ${request.url()}`);
  });
  return async () => {
    if (await page.evaluate(() => '__nasty' in window)) harm.push('a script ran');
    return harm;
  };
}

test('hostile and oversized texts are shown as text, and nothing of them runs', async ({ page }, info) => {
  const harm = await watchForHarm(page);
  await newStudent(page.request);
  const packId = await findPack(page.request, nasty);
  await page.goto(`/course/${packId}`);
  await expect(page.getByRole('heading', { level: 1, name: nasty })).toBeVisible();
  await look(page, info, 'nasty-course', { whole: true });
  await page.goto(`/startExam/chaptExam?packId=${packId}&questionTypesId=0`);
  await expect(
    page.getByRole('button', { name: "第一章 <script>alert('chapter')</script>", exact: true }),
  ).toBeVisible();
  await look(page, info, 'nasty-tree');

  const examId = await findPaper(page.request, packId, '全部题型模拟卷 <i>纯文本</i> 😀');
  const exam = new ExamScreen(page);
  await exam.open(examId);
  await exam.autoAdvance(false);
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId: exam.recordId() });
  const pictures: Record<string, string> = {
    八个选项全部正确: 'nasty-eight-options',
    '600 个不断开': 'nasty-long-option',
    '第1句：': 'nasty-long-topic',
    脚本标签之后的文字: 'nasty-script',
    盖住页面: 'nasty-style',
    公式里的攻击: 'nasty-formulas',
  };
  for (const [index, { topic, options }] of questions.entries()) {
    await exam.isAt(index + 1);
    const count = Object.keys(options).length;
    if (count > 0) {
      await expect(exam.options()).toHaveCount(count);
      await exam.options().last().click();
      await expect(exam.options().last()).toBeChecked();
    }
    await fitsWidth(page);
    const picture = Object.entries(pictures).find(([text]) => topic.includes(text))?.[1];
    if (picture) await look(page, info, picture);
    await expect(page.getByRole('button', { name: '下一题' }), 'nothing lies over the controls').toBeInViewport();
    if (index < questions.length - 1) await exam.next();
  }
  await expect(exam.saved()).toBeVisible();
  const recordId = await exam.handIn();
  await page.goto(`/exam/review/${recordId}?view=list`);
  await expect(page.getByRole('article').first()).toBeVisible();
  for (let step = 0; step < 12; step++) await page.mouse.wheel(0, 1500);
  await expect(page.getByRole('article')).toHaveCount(questions.length);
  await look(page, info, 'nasty-review');
  expect(await harm()).toEqual([]);
});
