import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { fitsWidth, look } from './look.ts';
import { DATA_DIR } from './operator.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

/** Two days go by: what went wrong was wrong the day before yesterday. */
function twoDaysLater(userId: number): void {
  const db = new DatabaseSync(join(import.meta.dirname, '..', DATA_DIR, 'lixue.db'));
  db.exec('pragma busy_timeout = 10000');
  const days = 2 * 86_400_000;
  db.prepare('update wrong_questions set first_at = first_at - ?, last_at = last_at - ? where user_id = ?').run(
    days,
    days,
    userId,
  );
  db.close();
}

test('today’s review by keyboard, from its card to its end, and what is said of it then', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const answers = questions.slice(0, 5).map(({ questionId }) => ({ questionId, answer: 'A', seq: 1 }));
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
  const { user } = await call(page.request, 'GET /api/user/info', {});
  twoDaysLater(user?.studentId ?? 0);
  const exam = new ExamScreen(page);
  const card = page.getByRole('region', { name: '今日复习' });
  await page.goto(`/wrongQuestions?packId=${packId}`);
  const said = (await card.getByText(/^还有 \d+ 题/).textContent()) ?? '';
  const count = Number(/\d+/.exec(said)?.[0]);
  expect(count).toBeGreaterThan(0);
  await card.getByRole('button', { name: '开始复习' }).press('Enter');
  await exam.isAt(1);
  for (let number = 1; number <= count; number += 1) {
    await exam.isAt(number);
    // Drawn before its record is open, and takes no key until then.
    await expect(exam.option('A')).toBeEnabled();
    await page.keyboard.press('a');
    await expect(exam.option('A')).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.press('ArrowRight');
  }
  const told = page.getByText('没有下一题了呦！');
  await expect(told).toBeVisible();
  if (!exam.wide) {
    const [clock, toast] = [await page.locator('[role=timer]').boundingBox(), await told.boundingBox()];
    expect(toast?.y, 'below the clock').toBeGreaterThanOrEqual((clock?.y ?? 0) + (clock?.height ?? 0));
  }
  const end = page.getByRole('dialog', { name: '已到最后一题' });
  await expect(end.getByText(`${count} 题已全部作答，可以交卷看结果。`)).toBeVisible();
  await expect(end.getByRole('button', { name: '交卷' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: '确认交卷' }).getByRole('button', { name: '确认交卷' }).press('Enter');
  // No paper that one sits again.
  await expect(page.getByText('基础还不牢，建议先看懂解析，再把没做对的题练一遍。')).toBeVisible();
  await look(page, info, 'daily-review-result', { whole: true });
  await page.getByRole('link', { name: '返回错题本' }).press('Enter');
  await expect(card.getByText(`今天的复习已完成，共 ${count} 题`)).toBeVisible();
  await expect(card.getByRole('button', { name: '开始复习' })).toHaveCount(0);
  await fitsWidth(page);
});
