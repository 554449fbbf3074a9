import { type APIRequestContext, type Browser, expect, type Page, type TestInfo, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { lixue } from './operator.ts';
import { agreeToAll, drag, freshPhone, newStudent } from './student.ts';

/** A new student who signs in by password, so that the only SMS codes are those a journey asks for itself. */
async function studentWithPassword(request: APIRequestContext): Promise<{ phone: string; password: string }> {
  const phone = freshPhone();
  const { code, said } = await lixue('user', 'add', phone, '--nickname', '砺石', '--password');
  const password = /密码[^：]*：\s*(\S+)/.exec(said)?.[1];
  if (code !== 0 || password === undefined) throw new Error(said);
  await call(request, 'POST /api/user/login', { phone, password });
  await agreeToAll(request);
  await call(request, 'POST /api/user/logout', {});
  return { phone, password };
}

async function tryToSignIn(page: Page, phone: string, password: string): Promise<void> {
  await page.goto('/login?ref=/settings');
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(phone);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

const settings = (page: Page) => expect(page.getByRole('heading', { name: '设置', exact: true })).toBeVisible();

/** The whole page from its top: the header stands where the page is scrolled to. */
async function lookFromTop(page: Page, info: TestInfo, name: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await look(page, info, name, { whole: true });
}

/** A window of another device. */
async function otherDevice(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), locale: 'zh-CN' })).newPage();
}

/** Asks for the code of a field of the phone form, drags the slider, and takes the code that a demonstration site shows. */
async function fillCode(page: Page, label: string | RegExp): Promise<void> {
  const part = page.locator('form > div', { has: page.getByLabel(label) });
  await part.getByRole('button', { name: '获取验证码' }).click();
  await drag(page, 1);
  await part.getByRole('button', { name: '填入' }).click();
  await expect(part.getByLabel(label)).toHaveValue(/^\d{6}$/);
}

test('a new password: the old one proves it, other devices are signed out, and only the new one signs in @one-width', async ({
  page,
  browser,
  baseURL,
}, info) => {
  const { phone, password } = await studentWithPassword(page.request);
  const fresh = 'mo-dao-shi-2026';
  await tryToSignIn(page, phone, password);
  await settings(page);
  const other = await otherDevice(browser, baseURL);
  await tryToSignIn(other, phone, password);
  await settings(other);

  const form = page.locator('form', { has: page.getByLabel('新密码') });
  await form.getByLabel('原密码').fill('not-the-password');
  await form.getByLabel('新密码').fill('12345678');
  await form.getByRole('button', { name: '保存密码' }).click();
  await expect(form.getByRole('alert')).toHaveText('密码至少 8 位，且不能只有一种字符');
  await form.getByLabel('新密码').fill(fresh);
  await form.getByRole('button', { name: '保存密码' }).click();
  await expect(form.getByRole('alert')).toHaveText('密码不正确');
  await lookFromTop(page, info, 'settings-password-wrong');
  await form.getByLabel('原密码').fill(password);
  await form.getByRole('button', { name: '保存密码' }).click();
  await expect(page.getByText('密码已保存，其他设备已退出登录')).toBeVisible();
  await page.reload();
  await settings(page);

  await other.reload();
  await expect(other).toHaveURL(/\/login\?ref=%2Fsettings$/);
  await tryToSignIn(other, phone, password);
  await expect(other.getByRole('alert').getByText('手机号或密码不正确')).toBeVisible();
  await tryToSignIn(other, phone, fresh);
  await settings(other);
  await other.context().close();
});

test('a new phone: a code from the old number and one from the new, and the new one signs in @one-width', async ({
  page,
  browser,
  baseURL,
}, info) => {
  const { phone, password } = await studentWithPassword(page.request);
  const next = freshPhone();
  const masked = (number: string) => `${number.slice(0, 3)}****${number.slice(7)}`;
  await tryToSignIn(page, phone, password);
  await expect(page.getByText(`当前手机号 ${masked(phone)}`)).toBeVisible();
  await page.getByRole('button', { name: '更换', exact: true }).click();
  const form = page.locator('form', { has: page.getByLabel('新手机号', { exact: true }) });
  await form.getByRole('button', { name: '更换手机号' }).click();
  await expect(form.getByRole('alert')).toHaveText(['请输入验证码', '请输入正确的手机号', '请输入验证码']);
  await lookFromTop(page, info, 'settings-phone-missing');
  await fillCode(page, /^发送到 .* 的验证码$/);
  await form.getByLabel('新手机号', { exact: true }).fill(next);
  await fillCode(page, '新手机号收到的验证码');
  await lookFromTop(page, info, 'settings-phone');
  await form.getByRole('button', { name: '更换手机号' }).click();
  await expect(page.getByText('手机号已更换，其他设备已退出登录')).toBeVisible();
  await expect(page.getByText(`当前手机号 ${masked(next)}`)).toBeVisible();

  const other = await otherDevice(browser, baseURL);
  await tryToSignIn(other, phone, password);
  await expect(other.getByRole('alert').getByText('手机号或密码不正确')).toBeVisible();
  await tryToSignIn(other, next, password);
  await settings(other);
  await other.context().close();
});

test('the nickname is changed at its field', async ({ page }, info) => {
  await newStudent(page.request);
  await page.goto('/settings');
  const nickname = page.getByRole('textbox', { name: '昵称' });
  const form = page.locator('form', { has: nickname });
  await nickname.fill('这个昵称长得离谱一共超过了二十个字所以不行');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form.getByRole('alert')).toHaveText('昵称为 1 到 20 个字');
  await lookFromTop(page, info, 'settings-nickname-wrong');
  await nickname.fill('砺石 𠮷');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('昵称已保存')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: '昵称' })).toHaveValue('砺石 𠮷');
});

test('the theme follows the choice and stays after a reload @one-width', async ({ page }) => {
  await newStudent(page.request);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/settings');
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const appearance = page.getByRole('radiogroup', { name: '外观' });
  await expect(appearance.getByRole('radio', { name: '跟随系统' })).toBeChecked();
  expect(await paper()).toBe('rgb(251, 250, 247)');
  await appearance.getByText('深色').click();
  await expect.poll(paper).toBe('rgb(20, 24, 29)');
  await page.reload();
  await expect.poll(paper).toBe('rgb(20, 24, 29)');
});
