import { expect, type Locator, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';
import { swipe } from './swipe.ts';

const heading = (page: Page, number: number): Locator =>
  page.getByRole('heading', { name: `第 ${number} 题`, exact: true });

/** Whether the browser shows where the focus is: it does for a keyboard, and not for a mouse or a finger. */
const showsFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((node) => node.matches(':focus-visible') && getComputedStyle(node).outlineStyle !== 'none');

/** Waits until a question is on the screen and has the focus. */
async function landsAt(page: Page, number: number, way: string, shown: boolean): Promise<void> {
  await expect(heading(page, number), way).toBeFocused();
  expect(await showsFocus(heading(page, number)), `${way}: ring`).toBe(shown);
}

/** A paper, opened from 我的考试 by a click or by the keyboard. */
async function openPaper(page: Page, by: 'click' | 'Enter' = 'click'): Promise<ExamScreen> {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const exam = new ExamScreen(page);
  await exam.open(await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）'));
  expect(
    await page.evaluate(() => document.activeElement === document.body),
    'a page that was loaded is read from its top',
  ).toBe(true);
  await page.goto('/myExams');
  const goOn = page.getByRole('link', { name: '继续作答' });
  if (by === 'click') await goOn.click();
  else await goOn.press('Enter');
  await landsAt(page, 1, 'opening', by === 'Enter');
  return exam;
}

/** A chapter practice of at least three questions: its keys may be seen. */
async function openPractice(page: Page): Promise<ExamScreen> {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { courses } = await call(page.request, 'GET /app/question/index', { packId, type: 1 });
  const chapter = courses.flatMap(({ chapters }) => chapters).find(({ totalQuestion }) => totalQuestion >= 3);
  const exam = new ExamScreen(page);
  await exam.open(chapter?.examId ?? 0);
  return exam;
}

test('by keyboard, every way of changing the question lands on it', async ({ page }, info) => {
  test.skip(info.project.name === 'phone', 'a phone has no keyboard');
  const exam = await openPaper(page, 'Enter');
  await page.keyboard.press('ArrowRight');
  await landsAt(page, 2, 'arrow', true);
  await page.keyboard.press('Enter');
  await landsAt(page, 3, 'Enter', true);
  await page.keyboard.press('ArrowLeft');
  await landsAt(page, 2, 'arrow back', true);
  await page.keyboard.press('b');
  await landsAt(page, 3, 'a letter, and the advance by itself', true);
  await page.keyboard.press('Tab');
  await expect(exam.option('A'), 'Tab goes on inside the question').toBeFocused();
  await page.keyboard.press('Space');
  await landsAt(page, 4, 'Space on an option, and the advance by itself', true);
  await page.getByRole('button', { name: '上一题' }).focus();
  await page.keyboard.press('Enter');
  await landsAt(page, 3, '上一题', true);
  await page.getByRole('button', { name: '下一题' }).focus();
  await page.keyboard.press('Space');
  await landsAt(page, 4, '下一题', true);
  const card = await exam.card();
  await card.getByRole('button', { name: /^第 9 题/ }).focus();
  await page.keyboard.press('Enter');
  await landsAt(page, 9, 'the answer card', true);

  await exam.option('C').focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: '显示与快捷键' });
  await expect(keys).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(exam.option('C'), 'a dialog gives the focus back to what had it').toBeFocused();
  await page.getByRole('button', { name: '交卷', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: '确认交卷' })).toBeVisible();
  await page.keyboard.press('Escape');
  await landsAt(page, 9, 'a dialog from outside of the question', true);
  const dialog = await exam.askToHandIn();
  await dialog.getByRole('button', { name: '去看未作答的题' }).focus();
  await page.keyboard.press('Enter');
  await landsAt(page, 1, '去看未作答的题', true);
  await expect(dialog).toBeHidden();
  await page.keyboard.press('ArrowLeft');
  await expect(exam.toast('当前是第一题，没有上一题了哟！')).toBeVisible();
  await landsAt(page, 1, 'at the edge it stays', true);

  await page.keyboard.press('a');
  await landsAt(page, 2, 'a letter', true);
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: '清除作答' }).focus();
  await page.keyboard.press('Enter');
  await landsAt(page, 1, '清除作答 can be pressed no more', true);
});

test('by mouse or finger it lands there too, and shows no ring', async ({ page }, info) => {
  const exam = await openPaper(page);
  await exam.next();
  await landsAt(page, 2, '下一题', false);
  await exam.previous();
  await landsAt(page, 1, '上一题', false);
  await exam.choose('A');
  await landsAt(page, 2, 'the advance by itself', false);
  await exam.jump(9);
  await landsAt(page, 9, 'the answer card', false);
  if (info.project.name === 'phone') {
    await swipe(page, -1);
    await landsAt(page, 10, 'a swipe', false);
    await swipe(page, 1);
    await landsAt(page, 9, 'a swipe back', false);
  }
  await exam.autoAdvance(false);
  await landsAt(page, 9, 'a closed dialog', false);
  await page.getByRole('button', { name: '反馈' }).click();
  const feedback = page.getByRole('dialog', { name: '试题反馈' });
  await exam.closeDialog(feedback);
  await expect(page.getByRole('button', { name: '反馈' })).toBeFocused();
  const dialog = await exam.askToHandIn();
  await dialog.getByRole('button', { name: '继续作答' }).click();
  await landsAt(page, 9, '继续作答', false);
});

test('查看答案 goes on at the answer, a switch of mode at the question', async ({ page }) => {
  const exam = await openPractice(page);
  const show = page.getByRole('button', { name: '查看答案' });
  const answer = page.getByRole('group', { name: '答案与解析' });
  await show.focus();
  await page.keyboard.press('Enter');
  await expect(answer).toBeFocused();
  await expect(answer, 'what became of it is heard').toHaveAccessibleDescription(
    /结果 ?(未作答|回答).*正确答案 ?[A-Z对错]/,
  );
  expect(await showsFocus(answer)).toBe(true);
  await exam.next();
  await landsAt(page, 2, '下一题', false);
  await show.click();
  await expect(answer).toBeFocused();
  expect(await showsFocus(answer)).toBe(false);
  await page.getByRole('button', { name: '背题模式' }).click();
  await landsAt(page, 2, '背题模式', false);
  await exam.next();
  await landsAt(page, 3, '下一题 while reciting', false);
  await page.getByRole('button', { name: '答题模式' }).click();
  await landsAt(page, 3, '答题模式', false);
  await page.reload();
  await exam.isAt(3);
  await exam.jump(1);
  await expect(exam.answer()).toBeVisible();
  await landsAt(page, 1, 'a question whose answer was shown before', false);
});

test('choosing the chosen option again goes on as the first choice did', async ({ page }, info) => {
  const exam = await openPaper(page);
  await exam.choose('A');
  await exam.isAt(2);
  await expect(exam.saved()).toBeVisible();
  let saves = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/exam/save_question')) saves += 1;
  });
  await exam.previous();
  await exam.isAt(1);
  await exam.choose('A');
  await exam.isAt(2);
  await exam.previous();
  await exam.isAt(1);
  if (info.project.name === 'phone') await exam.option('A').tap();
  else await page.keyboard.press('a');
  await exam.isAt(2);
  await exam.previous();
  expect(await exam.chosen()).toBe('A');
  expect(saves, 'nothing was changed').toBe(0);
});
