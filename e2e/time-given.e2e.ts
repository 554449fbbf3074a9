import { type Browser, expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { loadNasty, nasty } from './operator.ts';
import { findPack, findPaper, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

async function asTeacher(browser: Browser, page: Page): Promise<Page> {
  const size = page.viewportSize();
  const baseURL = new URL(page.url()).origin;
  const context = await browser.newContext({ ...(size && { viewport: size }), baseURL });
  const teacher = await context.newPage();
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  return teacher;
}

const timer = (page: Page) => page.getByRole('timer', { name: '剩余时间' });
/** What the student's window says of it. */
const note = (page: Page, minutes: number) =>
  page.getByRole('alert').filter({ hasText: `考试时间延长了 ${minutes} 分钟` });

test('a teacher gives a student time back, whose window hears of it at once and loses nothing @one-width', async ({
  page,
  browser,
}, info) => {
  const phone = await newStudent(page.request);
  const paper = '高等数学模拟卷（二）';
  const packId = await findPack(page.request, packs.maths);
  const examId = await findPaper(page.request, packId, paper);
  const exam = new ExamScreen(page);
  await exam.open(examId);
  await exam.choose('B');
  await expect(exam.saved()).toBeVisible();
  const before = await timer(page).textContent();

  const teacher = await asTeacher(browser, page);
  await teacher.goto(`/teach/sitting?examId=${examId}`);
  const masked = `${phone.slice(0, 3)}****${phone.slice(7)}`;
  const row = teacher.getByRole('region', { name: '正在考试的学员' }).getByRole('listitem').filter({ hasText: masked });
  await expect(row.getByText(/最近保存/)).toBeVisible();
  const give = teacher.getByRole('button', { name: '补时' });
  await give.click();
  await expect(teacher.getByText('请先勾选学员，或选择全部')).toBeVisible();
  await expect(teacher.getByText('请写明原因，学员会看到')).toBeVisible();
  await look(teacher, info, 'teach-sitting-faults', { whole: true });
  await row.getByRole('checkbox').check();
  await teacher.getByLabel('补时（分钟）').fill('15');
  const reason = `教学楼停电（${phone.slice(7)}）`;
  await test.step('a full field takes a composed word', async () => {
    const input = await teacher.context().newCDPSession(teacher);
    await teacher.getByLabel('原因').fill('字'.repeat(199));
    await teacher.keyboard.press('Control+End');
    for (const letters of ['z', 'zh', 'zhong'])
      await input.send('Input.imeSetComposition', {
        text: letters,
        selectionStart: letters.length,
        selectionEnd: letters.length,
      });
    await input.send('Input.insertText', { text: '中' });
    await expect(teacher.getByLabel('原因')).toHaveValue(`${'字'.repeat(199)}中`);
  });
  await teacher.getByLabel('原因').fill(reason);
  await give.click();
  await expect(note(page, 15)).toBeVisible({ timeout: 2000 });
  await expect(note(page, 15)).toContainText(reason);
  await expect(teacher.getByText('已为 1 人补时 15 分钟。')).toBeVisible();
  await expect(row.getByText('已补时 15 分钟')).toBeVisible();
  await expect(teacher.getByRole('listitem').filter({ hasText: reason })).toContainText('1 人各 15 分钟');
  await look(teacher, info, 'teach-sitting', { whole: true });

  // The answer to a gift gets lost, and the teacher writes something else before pressing again: it was given, and is not given twice.
  await row.getByRole('checkbox').check();
  await teacher.getByLabel('补时（分钟）').fill('5');
  await teacher.getByLabel('原因').fill(`广播干扰（${phone.slice(7)}）`);
  await teacher.route('**/app/exam/give_time', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await give.click();
  await expect(note(page, 5)).toBeVisible();
  await teacher.unroute('**/app/exam/give_time');
  await expect(give).toBeEnabled();
  await teacher.getByLabel('补时（分钟）').fill('6');
  await give.click();
  await expect(teacher.getByText('上次提交的补时已经生效')).toBeVisible();
  await expect(row.getByText('已补时 20 分钟')).toBeVisible();
  await look(teacher, info, 'teach-sitting-given-otherwise', { whole: true });
  await give.click();
  await expect(teacher.getByText('请写明原因，学员会看到')).toBeVisible();
  await expect(row.getByText('已补时 20 分钟')).toBeVisible();

  await look(page, info, 'exam-time-given');
  expect((await timer(page).textContent()) ?? '', 'the countdown has the minutes').not.toBe(before);
  await page.getByRole('button', { name: '知道了' }).click();
  await expect(note(page, 5)).toBeHidden();
  await exam.jump(1);
  expect(await exam.chosen()).toBe('B');
  await exam.handIn();
  await expect(page.getByText('含补时 20 分钟')).toBeVisible();
  await page.goto('/notices');
  await expect(page.getByText(`《${paper}》的考试时间延长了 15 分钟。原因：${reason}`)).toBeVisible();

  // Their next paper begins with time of their own.
  const own = teacher.getByRole('region', { name: '延长考试时间' });
  const grant = own.getByRole('button', { name: '延长', exact: true });
  await grant.click();
  await expect(own.getByText('请写明依据')).toBeVisible();
  await own.getByLabel('学员手机号').fill(TEACHER);
  await own.getByLabel('依据').fill('视力障碍');
  await grant.click();
  await expect(own.getByText('没有找到使用这个手机号的学员')).toBeVisible();
  await own.getByLabel('学员手机号').fill(phone);
  await own.getByLabel('延长到').selectOption('150');
  await grant.click();
  const granted = own.getByRole('listitem').filter({ hasText: masked });
  await expect(granted).toContainText('1.5 倍');
  await look(teacher, info, 'teach-own-time', { whole: true });
  await page.goto(`/examCenter?packId=${packId}&kind=mock`);
  await page.getByRole('listitem').filter({ hasText: paper }).getByRole('button', { name: '重新开始' }).click();
  const sure = page.getByRole('dialog', { name: `开始“${paper}”？` });
  await expect(sure.getByText('您的考试时间已延长')).toBeVisible();
  await expect(sure.getByText('30 题 · 150 分')).toBeVisible();
  await look(page, info, 'exam-start-own-time');
  await expect(sure.getByRole('button', { name: '取消' }), 'Enter out of habit starts no clock').toBeFocused();
  await sure.getByRole('button', { name: '开始' }).click();
  await expect(page.getByText(/您的考试时间已延长 \d+ 分钟/)).toBeVisible();
  await look(page, info, 'exam-own-time');
  await page.getByRole('button', { name: '知道了' }).press('Enter');
  await expect(page.getByRole('heading', { name: '第 1 题', exact: true })).toBeFocused();
  await expect(row.getByText(/加时 \d+ 分钟/)).toBeVisible({ timeout: 15_000 });
  await exam.handIn();
  await expect(page.getByText(/考试时间已延长 \d+ 分钟/), 'the result tells of it').toBeVisible();
  await page.goto('/myExams');
  await expect(page.getByRole('listitem').filter({ hasText: paper }).first()).toContainText(/考试时间已延长 \d+ 分钟/);
  await granted.getByRole('button').click();
  await teacher.getByRole('dialog').getByRole('button', { name: '停止延长' }).click();
  await expect(granted.getByText(/停止于/)).toBeVisible();
  await teacher.context().close();
});

test.describe('a countdown that ran out without a network', () => {
  test.beforeAll(loadNasty);

  test(
    'goes on with everything that was kept, once the window hears of the time',
    { tag: '@one-width' },
    async ({ page, context, browser }, info) => {
      await newStudent(page.request);
      const examId = await findPaper(page.request, await findPack(page.request, nasty), '一分钟限时测试');
      const exam = new ExamScreen(page);
      await exam.open(examId);
      const { list } = await call(page.request, 'GET /api/user/exam_list', { state: 'open', pageNum: 1, pageSize: 1 });
      const recordId = list[0]?.recordId ?? 0;
      const teacher = await asTeacher(browser, page);
      await context.setOffline(true);
      await exam.choose('H');
      await expect(timer(page)).toHaveText(/^00:0\d$/, { timeout: 60_000 });
      await call(teacher.request, 'POST /app/exam/give_time', {
        giveKey: `journey-${recordId}`,
        examId,
        recordIds: [recordId],
        minutes: 10,
        reason: '断网',
      });
      await expect(page.getByRole('dialog').getByText(/考试时间已到/)).toBeVisible({ timeout: 15_000 });
      await look(page, info, 'time-up-offline');
      await context.setOffline(false);
      await expect(note(page, 10)).toBeVisible({ timeout: 15_000 });
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(timer(page)).toHaveText(/^(10:00|09:\d\d)$/);
      await expect(exam.saved()).toBeVisible();
      expect((await call(page.request, 'GET /api/exam/cache', { recordId })).answers).toMatchObject([{ answer: 'H' }]);
      await exam.handIn();
      await teacher.context().close();
    },
  );
});
