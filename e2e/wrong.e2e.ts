import { readFileSync } from 'node:fs';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { readXlsx } from 'hucre/xlsx';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { findPack, newStudent, packs } from './student.ts';

/** Hands in an after-class practice with the same letter everywhere. @returns how many questions the list then has */
async function answerBadly(request: APIRequestContext, packId: number): Promise<number> {
  const { list } = await call(request, 'GET /api/exam/exam_list', { packId, kind: 'afterclass' });
  const practice = list.find(({ totalQuestion }) => totalQuestion >= 5);
  if (!practice) throw new Error('no practice of five questions');
  const { examId } = practice;
  const { recordId } = await call(request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(request, 'GET /api/exam/details', { recordId });
  const answers = questions
    .filter(({ options }) => 'B' in options)
    .map(({ questionId }) => ({ questionId, answer: 'B', seq: 1 }));
  await call(request, 'POST /api/exam/submit', { examId, recordId, answers });
  return (await call(request, 'GET /app/exam/error_index', { packId })).count;
}

const cards = (page: Page) => page.getByRole('article');
const tab = (page: Page, name: RegExp) => page.getByRole('group', { name: '筛选' }).getByRole('button', { name });

test('wrong questions are found, understood, noted, removed, restored, exported and practised until they leave', async ({
  page,
}, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto(`/wrongQuestions?packId=${packId}`);
  await expect(page.getByText('这里还没有错题')).toBeVisible();
  const count = await answerBadly(page.request, packId);
  expect(count).toBeGreaterThan(2);
  await page.reload();
  await expect(tab(page, /^错题/)).toHaveText(`错题 ${count}`);
  const first = cards(page).first();
  await expect(first.getByText('正确答案')).toBeHidden();
  await first.getByRole('button', { name: '查看答案' }).click();
  await expect(first.getByRole('definition').first()).toBeVisible();
  // The mistake stands beside the key.
  await expect(first.getByText('我的答案')).toBeVisible();
  await expect(first.getByText('回答错误')).toBeVisible();
  await first.getByRole('button', { name: '作答记录' }).click();
  await expect(first.getByRole('region', { name: '作答记录' }).getByText('回答错误')).toBeVisible();
  await first.getByRole('button', { name: '收藏', exact: true }).click();
  await first.getByRole('button', { name: '写笔记' }).click();
  await page.keyboard.type('票据的时效，记清楚');
  await first.getByRole('button', { name: '保存' }).click();
  await expect(first.getByText('票据的时效，记清楚')).toBeVisible();
  await look(page, info, 'wrong-questions');

  await first.getByRole('button', { name: '移除' }).click();
  await expect(page.getByText('删除成功')).toBeVisible();
  await expect(tab(page, /^错题/)).toHaveText(`错题 ${count - 1}`);
  await tab(page, /^已移除/).click();
  await page.getByRole('button', { name: '放回错题本' }).click();
  await expect(tab(page, /^错题/)).toHaveText(`错题 ${count}`);
  await tab(page, /^收藏夹/).click();
  await expect(cards(page).getByText('票据的时效，记清楚')).toBeVisible();

  await tab(page, /^错题/).click();
  await page.getByRole('button', { name: '导出 Excel' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '含答案', exact: true }).click();
  const file = await (await download).path();
  const { sheets } = await readXlsx(readFileSync(file));
  const [head = [], ...rows] = sheets[0]?.rows ?? [];
  expect(head.slice(0, 2)).toEqual(['题型', '题干']);
  expect(rows).toHaveLength(count);
  expect(rows.every((row) => String(row[head.indexOf('答案')] ?? '') !== '')).toBe(true);
  // Without its points a question could not be read in again: scoring points have to fit into them.
  expect(rows.every((row) => Number(row[head.indexOf('分值')]) > 0)).toBe(true);
});

test('by keyboard, one goes on where one was: after a removal, a note, an export, and when a page is empty', {
  tag: '@one-width',
}, async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const count = await answerBadly(page.request, packId);
  await page.goto(`/wrongQuestions?packId=${packId}`);
  const daily = page.getByRole('region', { name: '今日复习' });
  await expect(daily).toContainText(`明天有 ${count} 题`);

  await cards(page).nth(1).getByRole('button', { name: '移除' }).press('Enter');
  await expect(tab(page, /^错题/)).toHaveText(`错题 ${count - 1}`);
  await expect(cards(page)).toHaveCount(count - 1);
  await expect(cards(page).nth(1)).toBeFocused();
  await expect(daily, 'what is removed is reviewed no more').toContainText(`明天有 ${count - 1} 题`);

  const first = cards(page).first();
  const star = first.getByRole('button', { name: /收藏/ });
  await star.press('Enter');
  await expect(star).toHaveText('已收藏');
  await expect(star).toBeFocused();
  await first.getByRole('button', { name: '写笔记' }).press('Enter');
  await page.keyboard.type('不能丢的笔记');
  await first.getByRole('button', { name: '保存' }).press('Enter');
  await expect(first.getByText('不能丢的笔记')).toBeVisible();
  await expect(first).toBeFocused();
  // A slip of the finger takes no note away.
  await star.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: '保留' }).press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(first.getByText('不能丢的笔记')).toBeVisible();
  await star.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: '取消收藏' }).press('Enter');
  await expect(star).toHaveText('收藏');
  await expect(first.getByText('不能丢的笔记')).toBeHidden();
  // The dialog gives the keyboard back when it has gone.
  await expect(star).toBeFocused();

  const sheet = page.getByRole('button', { name: '导出 Excel' });
  await sheet.press('Enter');
  await expect(page.getByRole('button', { name: '含答案', exact: true })).toBeFocused();
  await page.getByRole('button', { name: '取消', exact: true }).press('Enter');
  await expect(sheet).toBeFocused();

  // The only question of the last page is gone: the pages before it are not empty.
  await page.goto(`/wrongQuestions?packId=${packId}&page=2`);
  await expect(cards(page)).toHaveCount(count - 1);
  await expect(page).not.toHaveURL(/page=/);
  await expect(page.getByText('这里还没有错题')).toBeHidden();
});

test(
  'a wrong question is practised, and leaves the list by the rule that its student set',
  { tag: '@one-width' },
  async ({ page }, info) => {
    await newStudent(page.request);
    const packId = await findPack(page.request, packs.accounting);
    const count = await answerBadly(page.request, packId);
    await page.goto(`/wrongQuestions?packId=${packId}`);
    await page.getByLabel('移出错题本的条件').selectOption('1');
    await expect(page.getByText('已保存')).toBeVisible();
    const { list } = await call(page.request, 'GET /api/exam/error', { packId, pageNum: 1, pageSize: 10 });
    const right = list[0]?.question.rightAnswer ?? '';
    await page.getByLabel('选择第 1 题').check();
    await page.getByRole('button', { name: '练习所选 1 题' }).click();
    const exam = new ExamScreen(page);
    await exam.isAt(1);
    await exam.choose(right);
    await exam.handIn();
    await page.getByRole('link', { name: '返回错题本' }).click();
    await expect(tab(page, /^已掌握/)).toHaveText('已掌握 1');
    await expect(tab(page, /^错题/)).toHaveText(`错题 ${count - 1}`);

    await page.getByRole('link', { name: '打印' }).click();
    await expect(page.getByRole('listitem').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: '答案与解析' })).toBeVisible();
    await page.getByLabel('在末尾附答案与解析').uncheck();
    await expect(page.getByRole('heading', { name: '答案与解析' })).toBeHidden();
    await look(page, info, 'wrong-print');
  },
);

test('a list that was open before an exam began goes on: what is sat is left out, what was put together before waits and leads to the exam', {
  tag: '@one-width',
}, async ({ page, context }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await answerBadly(page.request, packId);
  const { list } = await call(page.request, 'GET /api/exam/exam_list', { packId, kind: 'mock' });
  const { examId: mock = 0, examName = '' } = list[0] ?? {};
  const first = await call(page.request, 'GET /app/exam/test_start', { examId: mock });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId: first.recordId });
  const answers = questions.map(({ questionId }) => ({ questionId, answer: 'B', seq: 1 }));
  await call(page.request, 'POST /api/exam/submit', { examId: mock, recordId: first.recordId, answers });
  const { count } = await call(page.request, 'GET /app/exam/error_index', { packId });
  await page.goto(`/wrongQuestions?packId=${packId}`);
  const all = page.getByRole('button', { name: `练习全部 ${count} 题` });
  let lost = 0;
  await page.route('**/app/exam/own_paper', async (route) => {
    lost = (await (await route.fetch()).json()).data.examId;
    await route.abort();
  });
  await all.click();
  await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: '网络' })).toBeVisible();
  await page.unroute('**/app/exam/own_paper');

  const stale = await context.newPage();
  await stale.goto(`/wrongQuestions?packId=${packId}&exam=${mock}`);
  const ofMock = stale.getByRole('button', { name: /^练习全部 \d+ 题$/ });
  await expect(ofMock).toBeVisible();

  // Another window begins the paper again.
  await call(page.request, 'GET /app/exam/test_start', { examId: mock });
  await ofMock.click();
  await expect(stale.getByText('暂无考试题目')).toBeVisible();
  const left = (await call(page.request, 'GET /app/exam/error_index', { packId })).count;
  expect(left).toBeLessThan(count);
  await expect(tab(stale, /^错题/)).toHaveText(`错题 ${left}`);
  await expect(cards(stale)).toHaveCount(0);
  await stale.close();

  await all.click();
  const exam = new ExamScreen(page);
  await exam.isAt(1);
  await expect(page.getByText(`1 / ${left}`)).toBeVisible();

  await page.goto(`/exam/${lost}`);
  await expect(page.getByText('这份练习是考试开始前组的')).toBeVisible();
  await page.getByRole('link', { name: '继续作答' }).click();
  await expect(page.getByRole('heading', { name: examName })).toBeVisible();
  await page.goto(`/paper/print?exam=${lost}`);
  await page.getByRole('link', { name: '继续作答' }).click();
  await expect(page.getByRole('heading', { name: examName })).toBeVisible();
});

test('whatever is pressed on a list that was open before an exam began, the page says that there is one', {
  tag: '@one-width',
}, async ({ page, context }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await answerBadly(page.request, packId);
  const { list } = await call(page.request, 'GET /api/exam/exam_list', { packId, kind: 'mock' });
  const { examId: mock = 0 } = list[0] ?? {};
  /** Sits the mock paper in another window. */
  const begin = async () => (await call(page.request, 'GET /app/exam/test_start', { examId: mock })).recordId;
  const handIn = async (recordId: number) => {
    const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
    const answers = questions.map(({ questionId }) => ({ questionId, answer: 'B', seq: 1 }));
    await call(page.request, 'POST /api/exam/submit', { examId: mock, recordId, answers });
  };
  await handIn(await begin());
  const wrong = await call(page.request, 'GET /api/exam/error', { packId, examId: mock, pageNum: 1, pageSize: 10 });
  for (const { question } of wrong.list)
    await call(page.request, 'POST /app/exam/collect', { questionId: question.questionId, collect: 1 });
  const address = `/wrongQuestions?packId=${packId}`;
  const said = (of: Page) => of.getByText('您有正在进行的考试');
  /** A page that was open before the exam began, and what is pressed there during it. */
  const pressed = async (path: string, press: (stale: Page) => Promise<void>) => {
    const stale = await context.newPage();
    await stale.goto(path);
    await expect(cards(stale).first()).toBeVisible();
    const recordId = await begin();
    await press(stale);
    await expect(said(stale)).toBeVisible();
    await stale.close();
    await handIn(recordId);
  };

  await pressed(address, async (stale) => {
    await stale.getByLabel('试卷').selectOption(String(mock));
  });
  await pressed(`${address}&exam=${mock}`, async (stale) => {
    await stale.getByRole('button', { name: '导出 Excel' }).click();
    await stale.getByRole('button', { name: '含答案', exact: true }).click();
    await expect(stale.getByRole('status').filter({ hasText: '没有这样的题。' })).toBeVisible();
    await expect(cards(stale)).toHaveCount(0);
  });
  await pressed(`${address}&exam=${mock}`, async (stale) => {
    await cards(stale).first().getByRole('button', { name: '作答记录' }).click();
    await expect(cards(stale)).toHaveCount(0);
  });
  await pressed(`${address}&tab=collected`, async (stale) => {
    await cards(stale).first().getByRole('button', { name: '查看答案' }).click();
    await expect(cards(stale).first()).toContainText('这道题所在的试卷交卷后，才能查看答案');
    await expect(cards(stale).first().getByText('正确答案')).toBeHidden();
  });

  // Some of what is chosen is sat, some is not: what could not be removed is not called removed.
  const again = await call(page.request, 'GET /api/exam/error', { packId, examId: mock, pageNum: 1, pageSize: 100 });
  const [kept, ...rest] = again.list.map(({ question }) => question.questionId);
  await call(page.request, 'POST /api/exam/error_rm', { ids: rest });
  const { list: left } = await call(page.request, 'GET /api/exam/error', { packId, pageNum: 1, pageSize: 10 });
  const ofMock = left.findIndex(({ question }) => question.questionId === kept) + 1;
  const other = left.findIndex(({ question }) => question.questionId !== kept) + 1;
  await page.goto(address);
  for (const number of [ofMock, other]) await page.getByLabel(`选择第 ${number} 题`, { exact: true }).check();
  await begin();
  await page.getByRole('button', { name: '移除所选' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '移除' }).click();
  await expect(page.getByText('移除了 1 题，有 1 题现在不能移除')).toBeVisible();
  await expect(said(page)).toBeVisible();
});

test('a question that went wrong is exported with its case material', { tag: '@one-width' }, async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { list: papers } = await call(page.request, 'GET /api/exam/exam_list', { packId });
  let withCase = 0;
  for (const { examId } of papers) {
    const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
    const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
    const answers = questions
      .filter((one) => one.parentCaseStudyId !== null && (one.questionTypesId === 3 || one.questionTypesId === 5))
      .map(({ questionId }) => ({ questionId, answer: 'ABCD', seq: 1 }));
    await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
    const { list, cases } = await call(page.request, 'GET /api/exam/error', { packId, pageNum: 1, pageSize: 100 });
    withCase = list.filter(({ question }) => cases.some(({ id }) => id === question.parentCaseStudyId)).length;
    if (withCase > 0) break;
  }
  expect(withCase).toBeGreaterThan(0);
  await page.goto(`/wrongQuestions?packId=${packId}`);
  await page.getByRole('button', { name: '导出 Excel' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '不含答案' }).click();
  const { sheets } = await readXlsx(readFileSync(await (await download).path()));
  const [head = [], ...rows] = sheets[0]?.rows ?? [];
  expect(rows.filter((row) => String(row[head.indexOf('材料')] ?? '') !== '')).toHaveLength(withCase);
});
