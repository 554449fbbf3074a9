import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { another } from './another-window.ts';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, PASSWORD, packs, signIn, TEACHER } from './student.ts';

/** A window of a teacher, beside the student's. */
async function asTeacher(browser: Browser, page: Page): Promise<Page> {
  const teacher = await another(browser, page);
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  return teacher;
}

test('a teacher answers what a student reported, and the student sees it where they look', async ({
  page,
  browser,
}, info) => {
  const phone = await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const examId = await findPaper(page.request, packId, '高等数学模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });

  await page.goto('/myFeedback');
  await expect(page.getByText('还没有反馈过试题。')).toBeVisible();
  await look(page, info, 'feedback-mine-none');
  await page.goto(`/exam/${examId}?q=2`);
  await page.getByRole('button', { name: '反馈' }).click();
  const dialog = page.getByRole('dialog', { name: '试题反馈' });
  await dialog.getByRole('radio', { name: '答案有误' }).check();
  const words = `第二题的答案不对（${randomUUID().slice(0, 8)}）`;
  await dialog.getByRole('textbox', { name: /问题描述/ }).fill(words);
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog).toBeHidden();

  const teacher = await asTeacher(browser, page);
  await teacher.goto('/teach');
  await expect(teacher.getByRole('heading', { level: 1, name: /您好$/ })).toBeVisible();
  await look(teacher, info, 'teach-home');
  await teacher.getByRole('link', { name: '去处理' }).click();
  await expect(teacher).toHaveURL('/teach/feedback?state=0');
  const row = teacher.getByRole('link').filter({ hasText: words });
  await expect(row).toContainText('****');
  await expect(row).not.toContainText(phone);
  await look(teacher, info, 'teach-feedback');
  await row.click();
  await expect(teacher.getByText('第 2 题', { exact: true })).toBeVisible();
  await expect(teacher.getByText('正确答案').first()).toBeVisible();
  await look(teacher, info, 'teach-report');

  await test.step('what is missing is said', async () => {
    const save = teacher.getByRole('button', { name: '保存处理结果' });
    await save.click();
    await expect(teacher.getByRole('alert')).toHaveText('请选择处理结果');
    await teacher.getByRole('radio', { name: '不采纳' }).check();
    await save.click();
    await expect(teacher.getByRole('textbox', { name: /不采纳的原因/ })).toBeFocused();
    await expect(teacher.getByRole('alert')).toHaveText('不采纳时请写明原因，学员会看到');
    await look(teacher, info, 'teach-report-missing');
  });

  await test.step('a second teacher, who looked at the same, is told and sees what the first one said', async () => {
    const quicker = await asTeacher(browser, page);
    await quicker.goto(new URL(teacher.url()).pathname + new URL(teacher.url()).search);
    await quicker.getByRole('radio', { name: '收到' }).check();
    await quicker.getByRole('button', { name: '保存处理结果' }).click();
    await expect(quicker.getByText('已保存，学员可以看到')).toBeVisible();
    await quicker.context().close();
    await teacher.getByRole('textbox', { name: /不采纳的原因/ }).fill('答案无误，请看解析第二段。');
    await teacher.getByRole('button', { name: '保存处理结果' }).click();
    await expect(teacher.getByText('刚刚有了新的内容或处理结果，没有保存')).toBeVisible();
    await expect(teacher.getByRole('heading', { name: '处理记录' })).toBeVisible();
    await look(teacher, info, 'teach-report-second');
    await teacher.getByRole('button', { name: '保存处理结果' }).click();
    await expect(teacher.getByText('已保存，学员可以看到')).toBeVisible();
    await expect(teacher.getByRole('listitem').filter({ hasText: '答案无误，请看解析第二段。' })).toBeVisible();
    await expect(teacher.getByRole('radio', { name: '收到' })).toBeDisabled();
    await teacher.context().close();
  });

  await test.step('in the exam nothing of it is told', async () => {
    await page.goto('/myFeedback');
    await expect(page.getByText('考试中暂不显示处理结果，交卷后可以查看。')).toBeVisible();
    await expect(page.getByText('答案无误')).toBeHidden();
    await look(page, info, 'feedback-mine-withheld');
    await page.goto('/personCenter');
    await expect(page.getByRole('link', { name: '我的反馈', exact: true })).toBeVisible();
  });

  await test.step('after it, the student sees the answer, beside the question too', async () => {
    // From the window that began, not the one that was on the screen since.
    await call(page.request, 'GET /app/exam/test_start', { examId });
    await call(page.request, 'POST /api/exam/submit', { examId, recordId });
    await page.goto('/personCenter');
    const entry = page.getByRole('link', { name: '我的反馈 1 条新回复' });
    await expect(entry).toBeVisible();
    await look(page, info, 'me-unread');
    await entry.click();
    const report = page.getByRole('listitem').filter({ hasText: words });
    await expect(report).toContainText('不采纳');
    await expect(report).toContainText('新回复');
    await expect(report).toContainText('答案无误，请看解析第二段。');
    await look(page, info, 'feedback-mine');
    await page.goto('/personCenter');
    await expect(page.getByRole('link', { name: '我的反馈', exact: true })).toBeVisible();
    await page.goto(`/exam/review/${recordId}?q=2`);
    await expect(page.getByText('您反馈过这道题')).toBeVisible();
    await expect(page.getByText('答案无误，请看解析第二段。')).toBeVisible();
    await look(page, info, 'review-reported');
  });
});

test('a teacher who signs in lands at work, unless on the way elsewhere; a student sees whose place it is @one-width', async ({
  page,
}, info) => {
  await page.goto('/login');
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(TEACHER);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL('/teach');
  const header = page.getByRole('navigation', { name: '主导航' });
  await expect(header.getByRole('link', { name: '教师工作台' })).toHaveAttribute('aria-current', 'page');
  const places = page.getByRole('navigation', { name: '教师工作台' });
  await places.getByRole('link', { name: '试题反馈' }).click();
  await expect(page).toHaveURL('/teach/feedback');
  await page.getByRole('group', { name: '处理结果' }).getByRole('button', { name: '已修正' }).click();
  await expect(page).toHaveURL('/teach/feedback?state=2');
  await page.getByRole('combobox', { name: '问题类型' }).selectOption('错别字');
  await expect(page).toHaveURL('/teach/feedback?state=2&type=16');
  await page.goto('/teach/feedback?id=999999999');
  await expect(page.getByText('没有这条反馈。')).toBeVisible();
  await page.getByRole('link', { name: '返回列表' }).click();
  await expect(page).toHaveURL('/teach/feedback');

  await page.context().clearCookies();
  await signIn(page, TEACHER, '/universities');
  await expect(page).toHaveURL('/universities');

  await page.context().clearCookies();
  await newStudent(page.request);
  await page.goto('/teach/feedback');
  await expect(page.getByRole('heading', { level: 1, name: '这里是教师工作台' })).toBeVisible();
  await expect(header.getByRole('link', { name: '教师工作台' })).toBeHidden();
  await look(page, info, 'teach-student');
  await page.context().clearCookies();
  await page.goto('/teach');
  await expect(page).toHaveURL('/login?ref=%2Fteach');
});
