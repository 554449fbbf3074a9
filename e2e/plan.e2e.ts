import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { DATA_DIR } from './operator.ts';
import { findPack, newStudent, packs } from './student.ts';

const task = (page: Page, name: RegExp) =>
  page.getByRole('region', { name: '今日' }).getByRole('listitem').filter({ hasText: name });

/** A day goes by: what was laid out for today was laid out for yesterday. */
function nextDay(userId: number): void {
  const db = new DatabaseSync(join(import.meta.dirname, '..', DATA_DIR, 'lixue.db'));
  db.exec('pragma busy_timeout = 10000');
  db.prepare('update plan_days set day = day - 1 where user_id = ?').run(userId);
  db.close();
}

test('a student sets minutes, sees the plan, begins its first task, comes back to a tick; what is missed moves on @one-width', async ({
  page,
}, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto('/');
  await expect(page.getByText('先按每天 1 小时安排')).toBeVisible();
  await page.getByRole('button', { name: '调整计划' }).click();
  await page.getByRole('button', { name: '每天 30 分钟' }).click();
  await expect(page.getByText('计划已重新排好')).toBeVisible();
  await expect(page.getByText('还有 3 项，约 30 分钟')).toBeVisible();
  await expect(page.getByText('先按每天 1 小时安排')).toHaveCount(0);
  await page.getByRole('button', { name: '收起' }).click();
  await look(page, info, 'plan', { whole: true });

  await page.getByRole('button', { name: '开始：看课 导学：会计在回答什么问题' }).click();
  await expect(page).toHaveURL(new RegExp(`/course/play/${packId}[?]lesson=`));
  await page.getByRole('button', { name: '学完了' }).click();
  await expect(page.getByRole('article').getByText('已学完')).toBeVisible();
  await page.goto('/');
  await expect(task(page, /导学/)).toContainText('（已完成）');
  await expect(page.getByText('还有 2 项，约 20 分钟')).toBeVisible();

  const { user } = await call(page.request, 'GET /api/user/info', {});
  nextDay(user?.studentId ?? 0);
  await page.reload();
  await expect(page.getByText('上次没做完的 2 项，已经重新排进来了。')).toBeVisible();
  await expect(task(page, /导学/)).toHaveCount(0);
  await expect(task(page, /四个基本假设/)).toBeVisible();
});

/** What the school does meanwhile: the page has not heard of it. */
function change(sql: string, ...values: (string | number)[]): void {
  const db = new DatabaseSync(join(import.meta.dirname, '..', DATA_DIR, 'lixue.db'));
  db.exec('pragma busy_timeout = 10000');
  db.prepare(sql).run(...values);
  db.close();
}

test('a task that is gone says so when it is pressed, and the next one is offered', async ({ page }) => {
  await newStudent(page.request);
  await findPack(page.request, packs.accounting);
  await page.clock.install();
  await page.goto('/');
  const begin = page.getByRole('button', { name: /^开始：/ });
  const first = await begin.first().getAttribute('aria-label');
  const second = await begin.nth(1).getAttribute('aria-label');
  const { tasks } = await call(page.request, 'GET /app/plan/today', {});
  const lessonId = tasks[0]?.firstVideoId ?? 0;
  await page.clock.fastForward(31_000);
  change('update lessons set archived = 1 where id = ?', lessonId);
  try {
    await begin.first().press('Enter');
    await expect(page.getByText(/已经没有了，请做下一项/)).toBeVisible();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('button', { name: first ?? '', exact: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: second ?? '', exact: true })).toBeFocused();
  } finally {
    change('update lessons set archived = 0 where id = ?', lessonId);
  }
});

test('the editor of an exam date takes the keyboard and gives it back', async ({ page }) => {
  await newStudent(page.request);
  await findPack(page.request, packs.accounting);
  await page.goto('/');
  const button = page.getByRole('button', { name: new RegExp(`^${packs.accounting}的考试日期`) });
  const date = page.getByRole('textbox', { name: '考试日期' });
  await button.press('Enter');
  await expect(date).toBeFocused();
  // The browser's own sign of a calendar, and no arrow of a list beside it.
  await expect(date).toHaveCSS('background-image', 'none');
  await date.press('Escape');
  await expect(date).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.press('Enter');
  await date.fill('2031-05-06');
  await date.press('Enter');
  await expect(page.getByText('计划已重新排好')).toBeVisible();
  await expect(date).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(button).toContainText('2031年5月6日');
});
