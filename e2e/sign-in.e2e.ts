import { expect, type Page, test } from '@playwright/test';
import { look } from './look.ts';
import { drag, freshPhone, newStudent, packs, signIn, slider, students } from './student.ts';

const agree = (page: Page) => page.getByRole('checkbox', { name: /我已阅读并同意/ }).check();

test('a visitor signs in by SMS code, dragging the slider with the mouse', async ({ page }, info) => {
  await page.goto('/');
  // Journeys beside this one may have brought so many that home shows the newest alone.
  await expect(page.getByRole('heading', { name: /^(最新)?课程$/ })).toBeVisible();
  for (const name of Object.values(packs))
    await expect(page.getByRole('article').filter({ hasText: name })).toBeVisible();
  await look(page, info, 'home-visitor');
  await page.getByRole('link', { name: '登录开始学习' }).click();
  await look(page, info, 'login-code');

  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect(page.getByText('请输入正确的手机号')).toBeVisible();
  await look(page, info, 'login-phone-missing');
  const phone = freshPhone();
  await page.getByLabel('手机号').fill(`${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}`);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect(page.getByRole('dialog', { name: '安全验证' })).toBeVisible();
  await drag(page, 0.7);
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '0');
  await look(page, info, 'login-slider');
  await drag(page, 1);
  await expect(page.getByRole('dialog', { name: '安全验证' })).toBeHidden();

  await expect(page.getByText(/验证码是 \d{6}/)).toBeVisible();
  await expect(page.getByRole('button', { name: /\d+ 秒后可重发/ })).toBeDisabled();
  const said = (await page.getByText(/验证码是 \d{6}/).textContent()) ?? '';
  const code = /\d{6}/.exec(said)?.[0] ?? '';
  await page.getByLabel('验证码', { exact: true }).fill(code === '000000' ? '111111' : '000000');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert').getByText('请勾选同意协议')).toBeVisible();
  await agree(page);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert').getByText('验证码不正确或已过期')).toBeVisible();
  await look(page, info, 'login-code-wrong');
  await page.getByRole('button', { name: '填入' }).click();
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: /欢迎来到砺学/ })).toBeVisible();
  await look(page, info, 'home-new-student');
});

test('the slider works from the keyboard, and a lost network offers 重试', async ({ page, context }, info) => {
  await page.goto('/login');
  await page.getByLabel('手机号').fill(freshPhone());
  await context.setOffline(true);
  await page.getByRole('button', { name: '获取验证码' }).click();
  const dialog = page.getByRole('dialog', { name: '安全验证' });
  await expect(dialog.getByRole('alert')).toContainText('网络连接不上，请检查网络后重试');
  await look(page, info, 'login-slider-offline');
  await context.setOffline(false);
  await dialog.getByRole('button', { name: '重试' }).click();
  await expect(slider(page)).toBeFocused();
  for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight', { delay: 20 });
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '25');
  await page.keyboard.press('ArrowLeft');
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '20');
  for (let step = 0; step < 16; step++) await page.keyboard.press('ArrowRight', { delay: 20 });
  await expect(page.getByRole('status').getByText('验证成功')).toBeAttached();
  await agree(page);
  await page.getByRole('button', { name: '填入' }).click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('where much failed, the work behind the slider takes its time and says so, and the page stays usable @one-width', async ({
  page,
}, info) => {
  // More work than was asked for is as good: a browser may be told to do more, as after many failures.
  let bits = 32;
  await page.route('/api/captcha/slider?*', async (route) => {
    const answer = await route.fetch();
    const envelope = await answer.json();
    envelope.data.work.bits = bits;
    await route.fulfill({ response: answer, json: envelope });
  });
  await page.goto('/login');
  await page.getByLabel('手机号').fill(freshPhone());
  await page.getByRole('button', { name: '获取验证码' }).click();
  const dialog = page.getByRole('dialog', { name: '安全验证' });
  await drag(page, 1);
  await expect(dialog.getByRole('status').getByText('正在加强验证')).toBeVisible();
  await look(page, info, 'login-slider-work');
  await dialog.getByRole('button', { name: '关闭' }).click();
  await expect(dialog).toBeHidden();

  bits = 16;
  await page.getByRole('button', { name: '获取验证码' }).click();
  await drag(page, 1);
  await expect(page.getByText(/验证码是 \d{6}/)).toBeVisible();
  await agree(page);
  await page.getByRole('button', { name: '填入' }).click();
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL('/');
});

test('password: wrong, right, and back to the page one came from', async ({ page }, info) => {
  await page.goto('/settings');
  await expect(page).toHaveURL('/login?ref=%2Fsettings');
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(students.second);
  await page.getByLabel('密码', { exact: true }).fill('not-the-password');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert').getByText('手机号或密码不正确')).toBeVisible();
  await look(page, info, 'login-password-wrong');
  await page.getByLabel('密码', { exact: true }).fill('lixue-demo');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL('/settings');
  await expect(page.getByRole('heading', { name: '设置', exact: true })).toBeVisible();
});

test('ref leads to a page of this site and never to another @one-width', async ({ page, baseURL }) => {
  await newStudent(page.request);
  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ];
  let ran = false;
  page.on('dialog', () => {
    ran = true;
  });
  for (const ref of [...elsewhere, '/login?ref=/login', '/api/user/info']) {
    await page.goto(`/login?ref=${encodeURIComponent(ref)}`);
    await expect(page, ref).toHaveURL(`${baseURL}/`);
  }
  await page.goto(`/login?ref=${encodeURIComponent('/courses?x=1')}`);
  await expect(page).toHaveURL(`${baseURL}/courses?x=1`);
  expect(ran).toBe(false);
});

test('signing out ends the session at once, in every tab @one-width', async ({ page, context }) => {
  await signIn(page, students.first);
  const other = await context.newPage();
  await other.goto('/settings');
  await expect(other.getByRole('heading', { name: '设置', exact: true })).toBeVisible();
  const [{ value = '' } = {}] = (await context.cookies()).filter(({ httpOnly }) => httpOnly);
  expect(value.length, 'the session cookie is out of reach of scripts').toBeGreaterThan(20);

  if ((page.viewportSize()?.width ?? 0) > 800) {
    await page.getByRole('button', { name: /的菜单/ }).click();
    await page.getByRole('menuitem', { name: '退出' }).click();
  } else {
    await page.getByRole('navigation', { name: '底部导航' }).getByRole('link', { name: '我的' }).click();
    await page.getByRole('button', { name: '退出' }).click();
  }
  await expect(page.getByRole('link', { name: '登录开始学习' })).toBeVisible();
  // The old token is dead, not only forgotten by the browser.
  const stolen = await page.request.get('/api/user/course_list', { headers: { authorization: `Bearer ${value}` } });
  expect(stolen.status()).toBe(401);
  await other.reload();
  await expect(other).toHaveURL('/login?ref=%2Fsettings');
});
