import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readXlsx } from 'hucre/xlsx';
import { answerKey, rightLetters } from './answer-key.ts';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

const PAPER = '《初级会计实务》模拟卷（一）';

test('a lucky guess without a network is in the wrong questions after hand-in; another question is collected @one-width', async ({
  page,
  context,
  baseURL,
}, info) => {
  const key = await answerKey(baseURL, packs.accounting, PAPER);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const exam = new ExamScreen(page);
  await exam.open(await findPaper(page.request, packId, PAPER));
  const recordId = exam.recordId();
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const [first, second] = questions;
  if (!first || !second) throw new Error('a paper without questions');
  const guess = page.getByRole('button', { name: '蒙的', exact: true });
  const takeBack = page.getByRole('button', { name: '取消蒙的' });
  const guesses = '**/app/exam/guess';

  await test.step('right by luck, offline, and a reload before the server has it', async () => {
    await exam.autoAdvance(false);
    await expect(guess, 'nothing is answered yet').toBeDisabled();
    await context.setOffline(true);
    await exam.choose(rightLetters(key, first));
    await guess.click();
    await expect(takeBack).toBeVisible();
    const cell = (await exam.card()).getByRole('button', { name: '第 1 题，已答，蒙的' });
    await expect(cell).toBeVisible();
    await look(page, info, 'exam-guess');
    await page.route(guesses, (route) => route.abort());
    await context.setOffline(false);
    await expect(exam.saved()).toBeVisible({ timeout: 30_000 });
    await page.reload();
    await exam.isAt(1);
    await expect(takeBack).toBeVisible();
    expect((await call(page.request, 'GET /api/exam/cache', { recordId })).answers).toMatchObject([{ guess: 0 }]);
    await page.unroute(guesses);
    await expect
      .poll(async () => (await call(page.request, 'GET /api/exam/cache', { recordId })).answers[0]?.guess, {
        timeout: 30_000,
      })
      .toBe(1);
  });

  await test.step('the key L says the same', async () => {
    await exam.next();
    await exam.isAt(2);
    await exam.choose('A');
    await page.keyboard.press('l');
    await expect(takeBack).toBeVisible();
    await page.keyboard.press('L');
    await expect(guess).toBeEnabled();
  });

  await test.step('its review says so', async () => {
    await exam.handIn();
    await page.goto(`/exam/review/${recordId}`);
    await exam.isAt(1);
    const answer = page.getByRole('group', { name: '答案与解析' });
    await expect(answer.getByText('回答正确')).toBeVisible();
    await expect(answer.getByText('蒙的', { exact: true })).toBeVisible();
    await expect(answer.getByText('蒙对的题也收在错题本里。')).toBeVisible();
    await look(page, info, 'review-guess', { whole: true });
  });

  await test.step('another question is collected with a note', async () => {
    await exam.next();
    await exam.isAt(2);
    await page.getByRole('button', { name: '收藏', exact: true }).click();
    await page.getByRole('button', { name: '写笔记' }).click();
    await page.getByRole('textbox', { name: '笔记，只有自己能看到' }).fill('先看资产定义');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expect(page.getByText('先看资产定义')).toBeVisible();
    await look(page, info, 'review-collected', { whole: true });
    await exam.previous();
    await exam.isAt(1);
    await expect(page.getByRole('button', { name: '收藏', exact: true })).toBeEnabled();
    await page.goto(`/exam/review/${recordId}?view=list&q=2`);
    const card = page.getByRole('article', { name: '第 2 题', exact: true });
    await expect(card.getByText('先看资产定义')).toBeVisible();
    await expect(card.getByRole('button', { name: '已收藏' })).toBeVisible();
    await look(page, info, 'review-list-collected');
  });

  await test.step('both stand where they belong', async () => {
    await page.goto(`/wrongQuestions?packId=${packId}`);
    await expect(page.getByRole('article').filter({ hasText: '蒙对' })).toHaveCount(1);
    const { list } = await call(page.request, 'GET /api/exam/error', { packId, guessed: 1, pageNum: 1, pageSize: 20 });
    expect(list.map(({ question }) => question.questionId)).toEqual([first.questionId]);
    await page.getByRole('button', { name: '导出 Excel' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: '不含答案' }).click();
    const { sheets } = await readXlsx(readFileSync(await (await download).path()));
    const [head = [], ...rows] = sheets[0]?.rows ?? [];
    expect(rows.map((row) => String(row[head.indexOf('错误次数')])).filter((times) => !(Number(times) > 0))).toEqual([
      '蒙对',
    ]);
    await page.goto(`/wrongQuestions?packId=${packId}&tab=collected`);
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page.getByRole('article').getByText('先看资产定义')).toBeVisible();
  });
});

test('in a practice a question is collected once its key is shown @one-width', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { courses } = await call(page.request, 'GET /app/question/index', { packId, type: 1 });
  const leaf = courses[0]?.chapters[0]?.childes[0]?.childes[0];
  const exam = new ExamScreen(page);
  await exam.open(leaf?.examId ?? 0);
  await exam.autoAdvance(false);
  const collect = page.getByRole('button', { name: '收藏', exact: true });
  await exam.choose('A');
  await expect(collect).toHaveCount(0);
  await page.getByRole('button', { name: '查看答案' }).click();
  await collect.click();
  await expect(page.getByRole('button', { name: '已收藏' })).toBeVisible();
  await page.getByRole('button', { name: '蒙的', exact: true }).click();
  await look(page, info, 'exam-collected', { whole: true });
  await page.getByRole('button', { name: '背题模式' }).click();
  await expect(page.getByRole('button', { name: '已收藏' })).toBeVisible();
  await expect(page.getByRole('button', { name: '取消蒙的' }), 'nothing is answered while reciting').toHaveCount(0);
});
