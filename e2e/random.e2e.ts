import { expect, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { findPack, newStudent, packs } from './student.ts';

test('a random paper is written down, sat, printed without answers, handed in, and its parts are practised', async ({
  page,
}, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto(`/examCenter/random?packId=${packId}`);
  await page.getByRole('group', { name: '按题库比例分配' }).getByRole('button', { name: '10 题' }).click();
  const total = page.getByRole('status').filter({ hasText: '分钟' });
  await expect(total).toContainText('共 10 题');
  const start = page.getByRole('button', { name: '组卷并开始' });
  // What the chosen chapters do not have is said before anything is made.
  await page.getByLabel('判断题的题数').fill('999');
  await expect(page.getByText(/^所选章节仅有 \d+ 道判断题$/)).toBeVisible();
  await expect(start).toBeDisabled();
  await look(page, info, 'random-fault');
  await page.getByLabel('判断题的题数').fill('2');
  for (const type of ['多选题', '不定项选择题', '简答题', '自评简答题'])
    await page.getByLabel(`${type}的题数`, { exact: true }).fill('0');
  await page.getByLabel('单选题的题数').fill('3');
  await page.getByLabel('单选题每题的分值').fill('2.5');
  await page.getByRole('textbox', { name: '考试时长' }).fill('25');
  await expect(total).toContainText('共 5 题 · 9.5 分 · 25 分钟');
  await page.getByRole('button', { name: '全部不选' }).click();
  await expect(page.getByText('请至少选择一个章节')).toBeVisible();
  await page.getByRole('button', { name: '全选' }).click();
  await start.click();
  await expect(page.getByRole('dialog').getByRole('button', { name: '取消' })).toBeFocused();
  await page.getByRole('dialog').getByRole('button', { name: '开始' }).click();
  await page.waitForURL(/\/exam\/\d+/);
  await expect(page.getByText(/24:\d\d/).first()).toBeVisible();

  const { list } = await call(page.request, 'GET /api/user/exam_list', {
    packId,
    kind: 'random',
    pageNum: 1,
    pageSize: 10,
  });
  const { examId = 0, recordId = 0 } = list[0] ?? {};
  await page.goto(`/paper/print?exam=${examId}`);
  await expect(page.getByText('交卷后才能打印答案与解析')).toBeVisible();
  await expect(page.getByRole('heading', { name: '答案与解析' })).toBeHidden();
  await expect(page.getByRole('heading', { name: '判断题（2 题，共 2 分）' })).toBeVisible();

  // The page's window has been left.
  await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const [first, second] = questions;
  await call(page.request, 'POST /api/exam/flag', { examId, recordId, questionId: second?.questionId ?? 0, flag: 1 });
  const answers = [{ questionId: first?.questionId ?? 0, answer: 'A', seq: 1 }];
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
  await page.goto(`/exam/result/${recordId}`);
  await expect(page.getByRole('button', { name: '练未作答的 4 题' })).toBeVisible();
  await expect(page.getByRole('button', { name: '再考一次' })).toBeEnabled();
  await page.getByRole('link', { name: '打印' }).click();
  await expect(page.getByRole('heading', { name: '答案与解析' })).toBeVisible();
  await look(page, info, 'printed-paper');
  await page.getByLabel('在末尾附答案与解析').uncheck();
  await expect(page.getByRole('heading', { name: '答案与解析' })).toBeHidden();
  await page.getByRole('link', { name: '返回' }).click();
  await page.getByRole('button', { name: '练标记的 1 题' }).click();
  await new ExamScreen(page).isAt(1);
  const practised = await call(page.request, 'GET /api/user/exam_list', {
    packId,
    kind: 'own',
    pageNum: 1,
    pageSize: 10,
  });
  expect(practised.list).toMatchObject([{ totalQuestion: 1, examMode: -1 }]);
});

test('of a chapter only what was never answered is practised', { tag: '@one-width' }, async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto(`/startExam/chaptExam?packId=${packId}&questionTypesId=0`);
  const more = page.getByRole('button', { name: /更多练习$/ }).first();
  await more.click();
  await page.getByRole('menuitem', { name: '只练标记的' }).click();
  await expect(page.getByText('暂无考试题目')).toBeVisible();
  await more.click();
  await page.getByRole('menuitem', { name: '只练没做过的' }).click();
  await new ExamScreen(page).isAt(1);
  const { list } = await call(page.request, 'GET /api/user/exam_list', {
    packId,
    kind: 'own',
    pageNum: 1,
    pageSize: 10,
  });
  expect(list[0]?.examName).toMatch(/ · 未做$/);
});
