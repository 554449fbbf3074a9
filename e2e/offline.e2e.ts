import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, PASSWORD, packs, signIn, students } from './student.ts';

const saves = '**/api/exam/save_question';

/** A new student in the middle of an accounting paper whose options are not shuffled. */
async function sitting(page: Page): Promise<{ exam: ExamScreen; recordId: number; examId: number }> {
  await newStudent(page.request);
  const examId = await findPaper(
    page.request,
    await findPack(page.request, packs.accounting),
    '《初级会计实务》模拟卷（一）',
  );
  const exam = new ExamScreen(page);
  await exam.open(examId);
  return { exam, examId, recordId: exam.recordId() };
}

/** Answers the first question, and the second one without a network. */
async function oneSavedOneKept(exam: ExamScreen, context: BrowserContext): Promise<void> {
  await exam.choose('A');
  await exam.isAt(2);
  await expect(exam.saved()).toBeVisible();
  await context.setOffline(true);
  await exam.choose('B');
  await exam.isAt(3);
}

/** What the server has on its disk, as letters in the order of the paper. */
async function onServer(page: Page, recordId: number): Promise<string[]> {
  const [{ questions }, { answers }] = await Promise.all([
    call(page.request, 'GET /api/exam/details', { recordId }),
    call(page.request, 'GET /api/exam/cache', { recordId }),
  ]);
  const held = new Map(answers.map(({ questionId, answer }) => [questionId, answer]));
  return questions.map(({ questionId }) => held.get(questionId) ?? '').filter((answer) => answer !== '');
}

test('a killed tab: what it could not send is restored as unsent, and sent', async ({ page, context }, info) => {
  const { exam, recordId } = await sitting(page);
  await exam.choose('A');
  await exam.isAt(2);
  await expect(exam.saved()).toBeVisible();
  await page.route(saves, (route) => route.abort());
  await exam.choose('B');
  await exam.isAt(3);
  await exam.choose('C');
  await exam.isAt(4);
  await expect(exam.says('未保存，已保留 2 题')).toBeVisible();
  await look(page, info, 'exam-not-saved');
  const address = page.url();
  expect(await onServer(page, recordId)).toEqual(['A']);
  const second = await context.newPage();
  await second.route(saves, (route) => route.abort());
  await crash(context, page);

  const again = new ExamScreen(second);
  await second.goto(address);
  await again.isAt(4);
  await expect(again.says('未保存，已保留 2 题')).toBeVisible();
  await again.jump(2);
  expect(await again.chosen()).toBe('B');
  expect(await onServer(second, recordId)).toEqual(['A']);
  await second.unroute(saves);
  await expect(again.saved()).toBeVisible({ timeout: 40_000 });
  expect(await onServer(second, recordId)).toEqual(['A', 'B', 'C']);
});

/** Kills the tab without a farewell: no script of it runs any more. */
async function crash(context: BrowserContext, page: Page): Promise<void> {
  const client = await context.newCDPSession(page);
  const gone = new Promise((done) => page.once('crash', done));
  // It never answers.
  void client.send('Page.crash').catch(() => undefined);
  await gone;
}

test('three failures in a row say so, keep everything, and 重试 sends it', async ({ page }, info) => {
  const { exam, recordId } = await sitting(page);
  await exam.autoAdvance(false);
  await page.route(saves, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: '{"code":500,"msg":"服务器出错了，请稍后重试","data":{"why":"broken"}}',
    }),
  );
  await exam.choose('A');
  await expect(exam.toast('提交题目失败')).toBeVisible();
  await exam.next();
  await exam.choose('B');
  await exam.next();
  await expect(exam.toast('当前答题异常,请稍后重试')).toBeVisible({ timeout: 20_000 });
  await expect(exam.says('未保存，已保留 2 题')).toBeVisible();
  await look(page, info, 'exam-save-blocked');
  await exam.choose('D');
  await exam.next();
  await expect(exam.says('未保存，已保留 3 题')).toBeVisible();
  await page.unroute(saves);
  await page.getByRole('button', { name: '重试' }).click();
  await expect(exam.saved()).toBeVisible();
  expect(await onServer(page, recordId)).toEqual(['A', 'B', 'D']);
});

test('leaving without a network says what is unsent, and sends it from the next page', async ({
  page,
  context,
}, info) => {
  const { exam, recordId } = await sitting(page);
  // Before its code came, the browser's own dialog would ask.
  const codeOf = (name: string) =>
    performance.getEntriesByType('resource').some((resource) => resource.name.includes(name));
  await expect.poll(() => page.evaluate(codeOf, 'ConfirmDialog')).toBe(true);
  await oneSavedOneKept(exam, context);
  await page.getByRole('button', { name: '离开' }).click();
  const asked = page.getByRole('dialog', { name: /^离开/ });
  await expect(
    asked.getByText('还有 1 题没有送达服务器：请不要关闭网页，网络恢复后会自动发送。', { exact: false }),
  ).toBeVisible();
  await look(page, info, 'exam-leave-unsent');
  await asked.getByRole('button', { name: '离开' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).not.toHaveURL(/exam\/\d/);
  await context.setOffline(false);
  await expect.poll(() => onServer(page, recordId)).toEqual(['A', 'B']);
});

test('what a closed page could not send goes out from whatever page comes next', async ({ page, context }) => {
  const { exam, recordId } = await sitting(page);
  await oneSavedOneKept(exam, context);
  await expect(exam.says('离线，已保留 1 题')).toBeVisible();
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto('/');
  await expect.poll(() => onServer(next, recordId), { timeout: 20_000 }).toEqual(['A', 'B']);
});

test('handing in without a network waits and goes by itself when it is back', async ({ page, context }, info) => {
  const { exam, recordId } = await sitting(page);
  await oneSavedOneKept(exam, context);
  const dialog = await exam.askToHandIn();
  await expect(dialog.getByText('当前没有网络。确认后，答案保留在本机，恢复网络时自动交卷。')).toBeVisible();
  await dialog.getByRole('button', { name: '确认交卷' }).press('Enter');
  const handing = page.getByRole('dialog', { name: '正在交卷' });
  await expect(handing, 'the button is gone, the keyboard stays in the dialog').toBeFocused();
  await expect(handing.getByText('1 题的答案保留在本机，恢复后会随试卷一起提交。', { exact: false })).toBeVisible();
  await look(page, info, 'exam-handing-in-offline');
  const again = handing.getByRole('button', { name: '立即重试' });
  await again.press('Enter');
  await expect(handing.getByText(/正在自动重试（第 [2-9] 次）/)).toBeVisible();
  await expect(again, 'a button that waits keeps the keyboard').toBeFocused();
  await context.setOffline(false);
  await expect(page).toHaveURL(`/exam/result/${recordId}`);
  expect(await onServer(page, recordId)).toEqual(['A', 'B']);
});

test('a hand-in confirmed without a network goes through although one went back', async ({ page, context }) => {
  const { exam, recordId } = await sitting(page);
  await page.goto('/myExams');
  await page.getByRole('link', { name: '继续作答' }).click();
  await exam.isAt(1);
  await oneSavedOneKept(exam, context);
  const dialog = await exam.askToHandIn();
  await dialog.getByRole('button', { name: '确认交卷' }).click();
  await expect(page.getByRole('dialog', { name: '正在交卷' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/myExams');
  await context.setOffline(false);
  await expect
    .poll(async () => (await call(page.request, 'GET /api/exam/cache', { recordId })).submittedAt)
    .not.toBeNull();
  expect(await onServer(page, recordId)).toEqual(['A', 'B']);
});

test('a session that ends in the middle is renewed in place, and the answer is saved', async ({ page }, info) => {
  const phone = info.project.name === 'phone' ? students.second : students.first;
  await signIn(page, phone);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  await closeOpenRecord(page, packId, examId);
  const exam = new ExamScreen(page);
  await exam.open(examId);
  const recordId = exam.recordId();
  await exam.jump(3);
  await endSession(page);
  await exam.choose('D');
  const dialog = page.getByRole('dialog', { name: '登录已过期' });
  await expect(dialog.getByText(`138****${phone.slice(7)}`, { exact: false })).toBeVisible();
  await look(page, info, 'exam-signed-out');
  await dialog.getByLabel('手机号').fill(phone);
  await dialog.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(exam.saved()).toBeVisible();
  expect(await onServer(page, recordId)).toEqual(['D']);
  await expect(page).toHaveURL(new RegExp(`/exam/${examId}\\?record=${recordId}&q=`));
  await exam.handIn();
});

/** The demo students have records of earlier runs: an open one of this paper would be resumed. */
async function closeOpenRecord(page: Page, packId: number, examId: number): Promise<void> {
  const { list } = await call(page.request, 'GET /api/exam/exam_list', { packId });
  const recordId = list.find((paper) => paper.examId === examId)?.openRecordId;
  if (recordId != null) await call(page.request, 'POST /api/exam/submit', { examId, recordId });
}

/** Ends the session elsewhere, as a changed password does: the page keeps a cookie that is worth nothing. */
async function endSession(page: Page): Promise<void> {
  const before = await page.context().cookies();
  await call(page.request, 'POST /api/user/logout', {});
  await page.context().addCookies(before);
}

test('back online: what the server said before it heard the answers takes none of them from the screen', async ({
  page,
  context,
}) => {
  const { exam } = await sitting(page);
  await exam.autoAdvance(false);
  await context.setOffline(true);
  for (const letter of 'AB') {
    await exam.choose(letter);
    await exam.next();
  }
  await expect(exam.says('离线，已保留 2 题')).toBeVisible();
  // The question is answered by the server at once and reaches the window only after the saves.
  let heard = 0;
  await page.route('**/api/exam/cache*', async (route) => {
    const response = await route.fetch();
    heard += 1;
    if (heard === 1) await expect(exam.saved()).toBeVisible();
    await route.fulfill({ response });
  });
  const held = page.waitForEvent('requestfinished', (request) => request.url().includes('/api/exam/cache'));
  await page.route(saves, async (route) => {
    // Not before that question is on its way.
    await expect.poll(() => heard).toBeGreaterThan(0);
    await route.continue();
  });
  await context.setOffline(false);
  await held;
  await expect(exam.saved()).toBeVisible();
  await exam.jump(1);
  expect(await exam.chosen()).toBe('A');
  await exam.jump(2);
  expect(await exam.chosen()).toBe('B');
  await expect.poll(() => heard, 'and it asks again').toBeGreaterThan(1);
});

test('a disk that takes nothing: the page says so, holds on, and what a hand-in elsewhere left unsent is named', async ({
  page,
  context,
}, info) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The disk is full', 'QuotaExceededError');
    };
  });
  const { exam, recordId, examId } = await sitting(page);
  await oneSavedOneKept(exam, context);
  await expect(exam.says('离线，1 题未能保留')).toBeVisible();
  await expect(page.getByRole('alert').getByText('有 1 题的答案没能保留在本机', { exact: false })).toBeVisible();
  await look(page, info, 'exam-not-kept');
  const dialog = await exam.askToHandIn();
  await expect(dialog.getByText('当前没有网络，1 题的答案只在本页里。', { exact: false })).toBeVisible();
  await dialog.getByRole('button', { name: '继续作答' }).click();
  await page.route(saves, (route) => route.abort());
  const elsewhere = { recordId, windowId: 'window-elsewhere' };
  await call(page.request, 'POST /app/exam/take_over', elsewhere);
  await call(page.request, 'POST /api/exam/submit', { examId, ...elsewhere });
  await context.setOffline(false);
  await expect(page).toHaveURL(`/exam/result/${recordId}`);
  await expect(page.getByText('本机还有 1 题的作答，交卷前没有送达服务器，没有计入成绩：')).toBeVisible();
});

test('the result comes when the server is back, with nobody pressing anything; its code was there before', async ({
  page,
}) => {
  const { exam } = await sitting(page);
  await exam.choose('A');
  await expect(exam.saved()).toBeVisible();
  const came = () =>
    page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('ExamResultPage')));
  await expect.poll(came, { timeout: 30_000 }).toBe(true);
  await page.route('**/assets/**', (route) => route.abort());
  await page.route('**/app/exam/result_tip*', (route) => route.abort());
  await exam.handIn();
  await expect(page.getByRole('button', { name: '重试' })).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/app/exam/result_tip*');
  await expect(page.getByRole('link', { name: '查看解析' })).toBeVisible({ timeout: 30_000 });
});
