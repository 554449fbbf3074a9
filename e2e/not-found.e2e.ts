import { expect, test } from '@playwright/test';
import { TAKEN_OVER } from '#contract/values/look.ts';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

test('an unknown page is a page, and a wrong address says so', async ({ page }, info) => {
  await newStudent(page.request);
  await findPack(page.request, packs.maths);
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 500) failures.push(`${response.status()} ${response.url()}`);
  });
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '没有这个页面' })).toBeVisible();
  const foot = page.getByRole('contentinfo');
  await expect(foot.getByRole('link', { name: '隐私政策' })).toHaveAttribute(
    'href',
    'https://school.example.cn/privacy',
  );
  // Not set: the one that is read here.
  await expect(foot.getByRole('link', { name: '用户协议' })).toHaveAttribute('href', '/agreeContentHtml?id=1');
  await expect(foot.getByText('联系我们：010-00000000')).toBeVisible();
  await expect(foot.getByRole('link', { name: /ICP备/ })).toHaveAttribute('href', 'https://beian.miit.gov.cn/');
  await look(page, info, 'not-found');
  const sentences: Readonly<Record<string, string | RegExp>> = {
    '/course/abc': '没有这个页面',
    '/course/999999999': '没有这个页面',
    '/course/-1': '没有这个页面',
    '/course/play/my-course': '没有这个页面',
    '/order/my-order': '没有这个页面',
    '/order/confirm?packId=x': '没有这个页面',
    '/livePage/index.html?liveId=x': '没有这个页面',
    '/exam/0': '没有找到您要的内容',
    '/exam/99999999999999999999': '没有找到您要的内容',
    '/exam/999999999': '没有找到您要的内容',
    '/exam/1?record=999999999&q=zzz': '没有找到您要的内容',
    '/exam/result/x': /没有/,
    '/exam/result/999999999': /没有/,
    '/exam/review/999999999': /没有/,
    '/startExam/chaptExam?packId=zzz&questionTypesId=0': /.+/,
    '/startExam/chaptExam?packId=999999999&courseId=-3&open=x.y': '没有找到您要的内容',
    '/examCenter?packId=999999999&kind=foo&year=abc': '没有找到您要的内容',
    '/examCenter?kind=foo&year=99999': /考题中心/,
    '/myExams?state=foo&packId=-1&page=0': '还没有做过考试或练习。',
    '/myExams?page=999999999': /.+/,
  };
  for (const [address, sentence] of Object.entries(sentences)) {
    await page.goto(address);
    await expect(page.getByRole('main').getByText(sentence).first(), address).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 }), `${address}: one heading`).toHaveCount(1);
    await expect(page, address).toHaveTitle(sentence === '没有这个页面' ? '没有这个页面 · 砺学' : /.+ · 砺学$/);
    await expect(page.getByRole('button', { name: '重试' }), `${address}: nothing to try again`).toHaveCount(0);
  }
  expect(failures).toEqual([]);
});

test('an address that nothing has is a page for a person, in both languages', async ({ page }, info) => {
  const addresses = [
    '/livePage/other.html?liveId=3&state=2',
    '/playBack/',
    '/index.html',
    '/app/no/such/call',
    '/api/user/login',
  ];
  for (const address of addresses) {
    const reply = await page.goto(address);
    expect(reply?.status(), address).toBe(404);
    await expect(page.getByRole('heading', { name: '没有这个页面' }), address).toBeVisible();
  }
  expect((await page.goto('/courses'))?.status()).toBe(200);
  await page.goto('/playBack/');
  const english = page.getByRole('button', { name: 'English' });
  await english.click();
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await look(page, info, 'not-found-english');
  await page.getByRole('link', { name: 'Back to home' }).click();
  await expect(page).toHaveURL('/');
});

test('exams of a pack that was not joined, and a record that is not one’s own', async ({ page }, info) => {
  await newStudent(page.request);
  await page.goto('/examCenter');
  await expect(page.getByText('还没有报名课程，报名后就能做题。')).toBeVisible();
  await look(page, info, 'exam-center-nothing-joined');
  const packId = await findPack(page.request, packs.maths, { join: false });
  for (const address of [`/examCenter?packId=${packId}`, `/startExam/chaptExam?packId=${packId}&questionTypesId=0`]) {
    await page.goto(address);
    await expect(page.getByText('请先报名该课程')).toBeVisible();
  }
  await look(page, info, 'exam-center-not-joined');
  await page.getByRole('link', { name: '查看课程' }).click();
  await expect(page.getByRole('heading', { level: 1, name: packs.maths })).toBeVisible();
  for (const address of ['/exam/result/999999999', '/exam/review/999999999']) {
    await page.goto(address);
    await expect(page.getByText('没有找到这份答卷。')).toBeVisible();
  }
  await look(page, info, 'no-such-record');
  await page.getByRole('main').getByRole('link', { name: '我的考试' }).click();
  await expect(page).toHaveURL('/myExams');

  const joined = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, joined, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  for (const address of [`/exam/result/${recordId}`, `/exam/review/${recordId}`]) {
    await page.goto(address);
    await expect(page.getByText('这份答卷还没有交卷，交卷后才能查看。')).toBeVisible();
  }
  await look(page, info, 'result-not-handed-in');
  await page.getByRole('main').getByRole('link', { name: '继续作答' }).click();
  await page.getByRole('main').getByRole('link', { name: '继续作答' }).click();
  await expect(page).toHaveURL(new RegExp(`/exam/${examId}\\?record=${recordId}`));
  await expect(page.getByRole('heading', { name: '第 1 题', exact: true })).toBeVisible();
});

test('a server that does not answer: the sentence, 重试, and the page', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const addresses = ['/', '/courses', `/course/${packId}`, `/examCenter?packId=${packId}`, '/myExams'];
  for (const [index, address] of addresses.entries()) {
    await page.route(/\/(api|app)\//, (route) => route.abort());
    await page.goto(address);
    const retry = page.getByRole('button', { name: '重试' });
    await expect(retry, address).toBeVisible();
    await expect(page.getByText('网络连接不上，请检查网络后重试')).toBeVisible();
    if (index === 0) await look(page, info, 'server-down');
    await page.unroute(/\/(api|app)\//);
    // What asks again by itself may be first.
    await retry.click({ timeout: 5000 }).catch(() => expect(retry, address).toBeHidden());
    await expect(retry, address).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.route(/\/(api|app)\//, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  );
  await page.goto('/courses');
  await expect(page.getByText('服务器正忙，请稍后重试')).toBeVisible();
});

test('a network that goes before the code of a question came: the exam stands, and the browser asks', async ({
  page,
}) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  await page.route(/ConfirmDialog|ExamOverlays|DisplaySettings/, (route) => route.abort());
  await page.goto(`/exam/${examId}`);
  const question = page.getByRole('heading', { name: '第 1 题', exact: true });
  await expect(question).toBeVisible();
  const asked = page.waitForEvent('dialog');
  await page.getByRole('button', { name: '离开' }).click();
  const dialog = await asked;
  expect(dialog.message()).toContain('离开考试？');
  await dialog.dismiss();
  await expect(question).toBeVisible();
  // The code comes as soon as it can.
  await page.unroute(/ConfirmDialog|ExamOverlays|DisplaySettings/);
  await page.waitForResponse(/ConfirmDialog/);
  await page.getByRole('button', { name: '离开' }).click();
  await page.getByRole('dialog', { name: '离开考试？' }).getByRole('button', { name: '离开' }).click();
  await expect(page).toHaveURL(/examCenter/);
});

test('a network that goes before a page was ever opened', async ({ page, context }, info) => {
  await page.addInitScript((over) => {
    addEventListener(over, () => {
      document.documentElement.dataset.taken = '';
    });
  }, TAKEN_OVER);
  await page.goto('/');
  // Until it is taken over, a page that the server drew has links that leave it.
  await expect(page.locator('html[data-taken], html:not(:has(script[data-drawn]))')).toBeAttached();
  await expect(page.getByRole('article').first()).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: '登录开始学习' }).click();
  await expect(page.getByRole('heading', { name: '页面没有载入完整' })).toBeVisible();
  await look(page, info, 'page-not-loaded');
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('heading', { name: '页面没有载入完整' })).toBeVisible();
  // Back again, the page comes by itself.
  await context.setOffline(false);
  await expect(page.getByLabel('手机号')).toBeVisible();
});
