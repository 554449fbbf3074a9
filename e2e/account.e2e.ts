import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { lixue } from './operator.ts';
import { drag, findPack, freshPhone, newStudent, packs } from './student.ts';

test('one’s account: agreeing, devices, a copy of one’s data, closing and taking that back @one-width', async ({
  page,
  browser,
  baseURL,
}, info) => {
  const phone = freshPhone();
  const { code, said } = await lixue('user', 'add', phone, '--nickname', '砺石', '--password');
  const password = /密码[^：]*：\s*(\S+)/.exec(said)?.[1];
  if (code !== 0 || password === undefined) throw new Error(said);
  const signIn = async (on = page) => {
    await on.goto('/login?ref=/personCenter/devices');
    await on.getByRole('tab', { name: '密码登录' }).click();
    await on.getByLabel('手机号').fill(phone);
    await on.getByLabel('密码', { exact: true }).fill(password);
    await on.getByRole('button', { name: '登录', exact: true }).click();
  };

  // What the school announces at the same time waits for its turn. Made up: true ones would stand in the pages of all journeys.
  const answer = (data: unknown) => ({ json: { code: 200, msg: '', data } });
  const announced = { id: 987_654, name: '停机通知', content: '今晚停机', fromAt: Date.now() };
  await page.routeWebSocket('**/app/common/notice_watch', () => undefined);
  await page.route('**/app/common/notice_unread*', (route) => route.fulfill(answer({ count: 1, announced: 1 })));
  await page.route('**/app/common/announcement*', (route) => route.fulfill(answer({ list: [announced] })));
  await page.route('**/app/common/notice_seen*', (route) => route.fulfill(answer({ count: 0, announced: 0 })));
  // The texts are agreed to before anything else, and never ticked ahead.
  await signIn();
  const agreement = page.getByRole('dialog', { name: '请先阅读协议' });
  await agreement.getByRole('button', { name: '同意并继续' }).click();
  await expect(agreement.getByText('请勾选同意协议')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await look(page, info, 'agreement');
  await agreement.getByRole('checkbox', { name: /我已阅读并同意/ }).check();
  await agreement.getByRole('button', { name: '同意并继续' }).click();
  await expect(page.getByText('您已同意协议内容')).toBeVisible();
  await expect(agreement).toBeHidden();
  const notice = page.getByRole('dialog', { name: '停机通知' });
  await notice.getByRole('button', { name: '关闭', exact: true }).click();
  await expect(notice).toBeHidden();
  await page.unrouteAll();

  // Another device is ended from here.
  const other = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }) });
  await call(other.request, 'POST /api/user/login', { phone, password });
  await page.reload();
  const devices = page.getByRole('main').getByRole('listitem');
  await expect(devices).toHaveCount(2);
  await expect(devices.first()).toContainText('本机');
  await look(page, info, 'devices');
  await devices.last().getByRole('button', { name: /退出/ }).click();
  await page.getByRole('dialog', { name: '退出这台设备？' }).getByRole('button', { name: '退出登录' }).click();
  await expect(devices).toHaveCount(1);
  expect((await call(other.request, 'GET /api/user/info', {})).user).toBeNull();
  await other.close();

  // A copy of all that one has, as a file.
  await page.goto('/personCenter/data');
  await page.getByRole('button', { name: '下载我的数据' }).click();
  await page.getByLabel('登录密码').fill(password);
  await page.getByRole('button', { name: '开始生成' }).click();
  const link = page.getByRole('link', { name: '下载', exact: true });
  await expect(link).toBeVisible({ timeout: 30_000 });
  const file = await page.request.get((await link.getAttribute('href')) ?? '');
  expect((await file.body()).subarray(0, 2).toString()).toBe('PK');
  // Another window begins an exam: the copy waits, and the keyboard stays where its button was.
  const packId = await findPack(page.request, packs.accounting);
  const { list: mocks } = await call(page.request, 'GET /api/exam/exam_list', { packId, kind: 'mock' });
  const examId = mocks[0]?.examId ?? 0;
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  await link.press('Enter');
  const copy = page.getByRole('listitem').filter({ hasText: '您正在考试，这一份交卷后可以下载' });
  await expect(copy).toBeFocused();
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers: [] });

  // Closing signs out; who comes back within the time may stay.
  await page.getByRole('button', { name: '注销账号' }).click();
  await page.getByLabel('登录密码').fill(password);
  await page.getByRole('button', { name: '申请注销' }).click();
  await expect(page.getByText('请确认您了解注销的后果')).toBeVisible();
  await page.getByRole('checkbox', { name: '我了解注销的后果，仍要注销' }).check();
  await page.getByRole('button', { name: '申请注销' }).click();
  await expect(page.getByRole('link', { name: '登录开始学习' })).toBeVisible();
  await signIn();
  const closing = page.getByRole('dialog', { name: '账号正在注销' });
  await expect(closing).toBeVisible();
  await look(page, info, 'closing');
  await closing.getByRole('button', { name: '撤回注销' }).click();
  await expect(closing).toBeHidden();
  await expect(devices).toHaveCount(1);
});

test('a device that is signed in tells a code, which another one asks for where a number may have changed hands @one-width', async ({
  page,
  browser,
}, info) => {
  const phone = await newStudent(page.request);
  await page.goto('/personCenter/devices');
  await page.getByRole('button', { name: '显示确认码' }).click();
  const shown = page.getByRole('region', { name: '登录确认码' }).getByRole('status');
  await expect(shown).toHaveText(/^\d{4} \d{4}$/);
  await look(page, info, 'device-code', { whole: true });
  const code = (await shown.textContent()) ?? '';

  const size = page.viewportSize();
  const context = await browser.newContext({ ...(size && { viewport: size }), baseURL: new URL(page.url()).origin });
  const other = await context.newPage();
  const sent: Record<string, unknown>[] = [];
  // What the server says of a number that nobody proved for 90 days.
  await other.route('**/api/user/login', async (route) => {
    sent.push(route.request().postDataJSON() as Record<string, unknown>);
    const why = sent.length === 1 ? 'secondFactNeeded' : 'secondFactWrong';
    const msg = '验证没有通过，请核对后重试';
    await route.fulfill({ status: 403, json: { code: 403, msg, data: { why } } });
  });
  await other.goto('/login');
  await other.getByLabel('手机号').fill(phone);
  await other.getByLabel('验证码', { exact: true }).fill('123456');
  await other.getByRole('checkbox', { name: /^我已阅读并同意/ }).check();
  const signIn = other.getByRole('button', { name: '登录', exact: true });
  await signIn.click();
  await expect(other.getByLabel('登录密码')).toBeVisible();
  await look(other, info, 'second-fact');
  await other.getByRole('button', { name: '用订单号验证' }).click();
  await look(other, info, 'second-fact-order');
  await other.getByRole('button', { name: '用已登录的设备验证' }).click();
  await signIn.click();
  await expect(other.getByText('请输入登录确认码')).toBeVisible();
  await other.getByLabel('登录确认码').fill(code);
  await signIn.click();
  await expect(other.getByText('验证没有通过，请核对后重试')).toBeVisible();
  expect(sent.at(-1)).toMatchObject({ phone, deviceCode: code });
  await look(other, info, 'second-fact-device');
  await context.close();
});

/** Says that texts of the school are in force, made up: true ones would be asked of all journeys. @returns what to change of them */
async function agreementIs(page: Page, minor: 0 | 1 = 0) {
  const of = (id: number, agreed: 0 | 1) => ({
    id,
    version: 2,
    hash: `${id}`.repeat(64),
    publishedAt: 1,
    asked: 1,
    agreed,
  });
  const said = { agreed: 0 as 0 | 1, guardianNeeded: minor };
  await page.route(/\/app\/user\/agreement(\?|$)/, (route) => {
    const list = [{ ...of(1, said.agreed), agreedBefore: 1 }];
    const data = { list, minor, guardianNeeded: said.guardianNeeded };
    return route.fulfill({ json: { code: 200, msg: '', data } });
  });
  return said;
}
const refusal = (code: number, why: string, msg: string) => ({ status: code, json: { code, msg, data: { why } } });

test('an agreement that the school changed is asked with the keyboard on its tick, and again of whoever joins after putting it off @one-width', async ({
  page,
}) => {
  const packId = await findPack(page.request, packs.accounting, { join: false });
  await newStudent(page.request);
  const said = await agreementIs(page);
  let joins = 0;
  await page.route('**/api/course/course_join', (route) => {
    joins += 1;
    return joins === 1 ? route.fulfill(refusal(403, 'agreementNeeded', '请勾选同意协议')) : route.continue();
  });
  await page.goto(`/course/${packId}`);
  const agreement = page.getByRole('dialog', { name: '协议已更新' });
  const tick = agreement.getByRole('checkbox', { name: /我已阅读并同意/ });
  await expect(tick).toBeFocused();
  await agreement.getByRole('button', { name: '以后再说' }).click();
  await expect(agreement).toBeHidden();
  const join = page.getByRole('button', { name: '报名学习' });
  await join.press('Enter');
  await expect(tick).toBeFocused();
  await tick.check();
  await page.route('**/app/user/agreement_agree', (route) => {
    said.agreed = 1;
    return route.fulfill({ json: { code: 200, msg: '', data: {} } });
  });
  await agreement.getByRole('button', { name: '同意并继续' }).click();
  await expect(agreement).toBeHidden();
  await expect(join).toBeFocused();
  await join.press('Enter');
  await expect(page.getByText('报名成功')).toBeVisible();
});

test('a guardian is shown the text that came while they read the one before, and asked for that one @one-width', async ({
  page,
}, info) => {
  await newStudent(page.request);
  const said = await agreementIs(page, 1);
  said.agreed = 1;
  const hashes: unknown[] = [];
  await page.route('**/app/user/guardian_consent', (route) => {
    hashes.push((route.request().postDataJSON() as { hash: unknown }).hash);
    if (hashes.length === 1) return route.fulfill(refusal(409, 'agreementChanged', '协议刚刚更新，请重新阅读后再同意'));
    // Consented to in another window, meanwhile.
    said.guardianNeeded = 0;
    return route.fulfill(refusal(409, 'guardianNotNeeded', '您不需要监护人同意'));
  });
  let asked = 0;
  page.on('request', (request) => {
    if (/\/app\/user\/agreement(\?|$)/.test(request.url())) asked += 1;
  });
  await page.goto('/personCenter/devices');
  const guardian = page.getByRole('dialog', { name: '需要监护人同意' });
  await guardian.getByLabel('监护人姓名').fill('王父');
  await guardian.getByLabel('监护人手机号').fill(freshPhone());
  await guardian.getByLabel('监护人收到的验证码').fill('123456');
  await look(page, info, 'guardian');
  const before = asked;
  await guardian.getByRole('button', { name: '我是监护人，我同意' }).click();
  await expect(guardian.getByText('协议刚刚更新，请重新阅读后再同意')).toBeVisible();
  expect(asked).toBeGreaterThan(before);
  await guardian.getByRole('button', { name: '我是监护人，我同意' }).click();
  await expect(guardian).toBeHidden();
});

test('a new account for a number that changed hands stays one when the server asks for the slider @one-width', async ({
  page,
}) => {
  const sent: Record<string, unknown>[] = [];
  await page.route('**/api/user/login', (route) => {
    sent.push(route.request().postDataJSON() as Record<string, unknown>);
    const why = sent.length === 1 ? 'secondFactNeeded' : sent.length === 2 ? 'ticketNeeded' : 'smsCodeWrong';
    return route.fulfill(refusal(403, why, '验证码不正确或已过期'));
  });
  await page.goto('/login');
  await page.getByLabel('手机号').fill(freshPhone());
  await page.getByLabel('验证码', { exact: true }).fill('123456');
  await page.getByRole('checkbox', { name: /^我已阅读并同意/ }).check();
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('button', { name: '这不是我的账号' }).click();
  const anew = page.getByRole('dialog', { name: '注册新账号？' });
  await expect(anew.getByRole('button', { name: '取消' })).toBeFocused();
  await anew.getByRole('button', { name: '注册新账号' }).click();
  await expect(page.getByRole('dialog', { name: '安全验证' })).toBeVisible();
  await drag(page, 1);
  await expect(page.getByText('验证码不正确或已过期')).toBeVisible();
  expect(sent.at(-1)).toMatchObject({ startAnew: 1, ticket: expect.any(String) });
});

test('an account whose number went to somebody else offers no code to it, and leads to binding another one @one-width', async ({
  page,
}, info) => {
  await newStudent(page.request);
  await page.route('**/api/user/info*', async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as { data: { user: object } };
    await route.fulfill({
      json: { ...json, data: { ...json.data, user: { ...json.data.user, validPhoneExt: '****' } } },
    });
  });
  await page.goto('/personCenter/data');
  const gone = page.getByRole('dialog', { name: '手机号已不属于这个账号' });
  await look(page, info, 'number-gone');
  await gone.getByRole('button', { name: '以后再说' }).click();
  await page.getByRole('button', { name: '注销账号' }).click();
  await expect(page.getByText('您的手机号已不属于这个账号，收不到验证码。')).toBeVisible();
  await expect(page.getByRole('button', { name: '获取验证码' })).toHaveCount(0);
  await look(page, info, 'number-gone-proof', { whole: true });
  await page.getByRole('link', { name: '先绑定手机号' }).click();
  await page.getByRole('button', { name: '绑定手机号' }).click();
  await expect(page.getByLabel('身份证号')).toBeFocused();
});
