import { expect, type Page, test } from '@playwright/test';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { loadNasty, nasty } from './operator.ts';
import { findPack, findPaper, newStudent } from './student.ts';

test.beforeAll(loadNasty);

test('a timed paper: the countdown warns, and its end hands in or leads to 考题中心', async ({
  page,
  browser,
}, info) => {
  const idle = await (await browser.newContext()).newPage();
  try {
    const start = async (by: Page): Promise<ExamScreen> => {
      await newStudent(by.request);
      const packId = await findPack(by.request, nasty);
      const examId = await findPaper(by.request, packId, '一分钟限时测试');
      const exam = new ExamScreen(by);
      await exam.open(examId);
      return exam;
    };
    const exam = await start(page);
    await idle.setViewportSize({ width: 844, height: 390 });
    await start(idle);
    // On a phone on its side it fills the window: the clock is under it.
    await idle.getByRole('button', { name: '草稿纸', exact: true }).click();
    await expect(idle.getByRole('dialog', { name: '草稿纸' })).toBeVisible();
    const timer = page.getByRole('timer', { name: '剩余时间' });
    const colour = () => timer.evaluate((node) => getComputedStyle(node).color);
    await expect(timer).toHaveText(/^(01:00|00:\d\d)$/);
    await look(page, info, 'timed');
    const calm = await colour();
    await exam.choose('H');
    await expect(exam.saved()).toBeVisible();
    await expect(timer).toHaveText(/^00:1[12]$/, { timeout: 60_000 });
    await expect.poll(colour).not.toBe(calm);
    const amber = await colour();
    const warned = (by: Page) => by.getByRole('status').getByText(/^距离考试结束还有 1\d 秒$/);
    // Asked once: it would be gone after a while.
    expect(await warned(page).count(), 'who sees it, by its colour').toBe(0);
    const isTold = async () =>
      expect(warned(idle), 'who does not see the clock is told').toBeInViewport({ ratio: 1, timeout: 60_000 });
    const ends = async () => {
      await expect(timer).toHaveText(/^00:0[12]$/, { timeout: 20_000 });
      await expect.poll(colour).not.toBe(amber);
    };
    // That window began later, by as long as its student took to sign up.
    await Promise.all([isTold(), ends()]);
    await expect(page).toHaveURL(/\/exam\/result\/\d+$/, { timeout: 15_000 });
    await expect(page.getByText(/考试时间到，已自动交卷|已交卷/)).toBeVisible();
    await expect(page.getByText('0.5 / 0.5').first()).toBeVisible();
    await look(page, info, 'result-time-up', { whole: true });
    await expect(idle).toHaveURL(/\/examCenter\?packId=\d+/, { timeout: 15_000 });
    // The server closes it by itself once the 10 s of grace for late saves are over.
    const line = idle.getByRole('listitem').filter({ hasText: '一分钟限时测试' });
    await expect(async () => {
      await idle.goto('/myExams');
      await expect(line.getByText('未作答')).toBeVisible({ timeout: 1500 });
    }).toPass({ timeout: 25_000 });
  } finally {
    await idle.context().close();
  }
});
