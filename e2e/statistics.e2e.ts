import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

/** Hands in a paper of 25 questions: the same letter everywhere, two in writing, with the time that it took. @returns the record's id */
async function handIn(page: Page, packId: number, letter: string): Promise<number> {
  const examId = await findPaper(page.request, packId, '高等数学模拟卷（一）');
  const { recordId, startedAt } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const answers = questions.slice(0, 23).map(({ questionId, questionTypesId }, at) => ({
    questionId,
    answer: [4, 8].includes(questionTypesId) ? '由积分中值定理' : letter,
    seq: at + 1,
  }));
  const spent = async () => Math.floor(((await call(page.request, 'GET /api/user/info', {})).now - startedAt) / 1000);
  // The first answer takes as long as this, the others what their calls take: all together no more than the record is open.
  await expect.poll(spent, { intervals: [200] }).toBeGreaterThanOrEqual(2);
  for (const answer of answers)
    await call(page.request, 'POST /api/exam/save_question', { examId, recordId, ...answer, totalTime: await spent() });
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, totalTime: await spent() });
  return recordId;
}

test('a result leads to what comes next, and the figures of a pack show what was done', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);

  await test.step('nothing was done yet', async () => {
    await page.goto('/myExams');
    await page.goto(`/statistics?packId=${packId}`);
    await expect(page.getByText('这门课程还没有做过题。')).toBeVisible();
    await look(page, info, 'statistics-empty');
  });
  await handIn(page, packId, 'A');
  const recordId = await handIn(page, packId, 'B');
  const steps = page.getByRole('region', { name: '接下来' }).getByRole('link');

  await test.step('three steps, the times and the points by difficulty', async () => {
    await page.goto(`/exam/result/${recordId}`);
    await expect(steps).toHaveCount(3);
    await expect(steps.first()).toContainText('给简答题评分');
    await expect(page.getByRole('figure', { name: /^每题用时/ })).toBeVisible();
    await expect(page.getByRole('heading', { name: '各题型得分' })).toBeVisible();
    await look(page, info, 'result-next', { whole: true });
  });

  await test.step('each leads to where it is done', async () => {
    await steps.nth(0).click();
    await expect(page).toHaveURL(/\/exam\/review\/\d+\?.*only=pending/);
    await page.goBack();
    const wrong = steps.filter({ hasText: '的错题' }).first();
    const count = /(\d+) 题还在错题本里/.exec((await wrong.textContent()) ?? '')?.[1];
    await wrong.click();
    await expect(page).toHaveURL(/\/wrongQuestions\?.*(chapter|type)=\d+/);
    await expect(page.getByRole('button', { name: `练习全部 ${count} 题` })).toBeVisible();
    await page.goBack();
    await steps.filter({ hasText: '章节练习' }).click();
    await expect(page).toHaveURL(/\/exam\/\d+/);
    await expect(page.getByRole('heading', { name: '第 1 题', exact: true })).toBeVisible();
  });

  await test.step('the figures of the pack', async () => {
    await page.goto(`/examCenter?packId=${packId}`);
    await page.getByRole('link', { name: '学习统计' }).first().click();
    await expect(page.getByRole('heading', { name: '学习日历' })).toBeVisible();
    const calendar = page.getByRole('table', { name: '近 26 周每天答的题' });
    await expect(calendar.getByRole('row')).toHaveCount(2);
    await expect(calendar.getByRole('cell')).toContainText(/^46 题/);
    await expect(page.getByRole('table', { name: '最近每次交卷的正确率' }).getByRole('row')).toHaveCount(3);
    await look(page, info, 'statistics', { whole: true });
  });

  await test.step('a chapter leads to its wrong questions', async () => {
    const chapters = page.locator('section').filter({ has: page.getByRole('heading', { name: '各章得分率' }) });
    await chapters.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/wrongQuestions\?packId=\d+&chapter=\d+/);
  });
});
