import { expect, test } from '@playwright/test';
import { lixue } from './operator.ts';
import { drag, freshPhone, newStudent } from './student.ts';

test('a form says what is wrong at each field, and takes the keyboard to the first of them', async ({ page }) => {
  await page.goto('/login');
  const phone = page.getByLabel('手机号');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText(['请输入正确的手机号', '请输入验证码', '请勾选同意协议']);
  await expect(page.getByRole('checkbox').first()).toHaveAccessibleDescription('请勾选同意协议');
  await expect(phone).toBeFocused();
  // Typing takes away the sentence of that field alone.
  await page.keyboard.type('138 0000 0009');
  await expect(page.getByRole('alert')).toHaveText(['请输入验证码', '请勾选同意协议']);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('验证码', { exact: true })).toBeFocused();
  // Another way to sign in begins without a sentence, with the same phone.
  await page.getByRole('tab', { name: '密码登录' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(phone).toHaveValue('138 0000 0009');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('请输入密码');
  await expect(page.getByLabel('密码', { exact: true })).toBeFocused();
});

test('signing in is sent once, however often the button is pressed, and a refusal leads to its field', async ({
  page,
}) => {
  let sent = 0;
  await page.route('/api/user/login', async (route) => {
    sent += 1;
    // No wait: a slow network, so that there is time to press again.
    await new Promise((done) => setTimeout(done, 700));
    await route.continue();
  });
  await page.goto('/login');
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(freshPhone());
  const password = page.getByLabel('密码', { exact: true });
  await password.fill('not-the-password');
  const button = page.getByRole('button', { name: '登录', exact: true });
  for (let press = 0; press < 3; press++) await password.press('Enter');
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.click({ force: true });
  await expect(page.getByRole('alert')).toHaveText('手机号或密码不正确');
  await expect(password).toBeFocused();
  expect(sent).toBe(1);
});

test('after repeated failures signing in needs the slider, which may be put off', async ({ page }) => {
  const phone = freshPhone();
  const { code, said } = await lixue('user', 'add', phone, '--nickname', '砺石', '--password');
  const right = /密码[^：]*：\s*(\S+)/.exec(said)?.[1] ?? '';
  expect(code, said).toBe(0);
  await page.goto('/login');
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(phone);
  const password = page.getByLabel('密码', { exact: true });
  const slider = page.getByRole('dialog', { name: '安全验证' });
  await expect(async () => {
    await password.fill('not-the-password');
    await password.press('Enter');
    await expect(slider).toBeVisible({ timeout: 1500 });
  }).toPass();
  await slider.getByRole('button', { name: '关闭' }).click();
  await expect(slider).toBeHidden();
  await expect(page.getByRole('alert'), 'what the form asks for is no fault').toHaveCount(0);
  await password.fill(right);
  await password.press('Enter');
  await drag(page, 1);
  await expect(page).toHaveURL('/');
});

test('a form that reaches nobody says so where it stands, and keeps what was typed', async ({ page, context }) => {
  await newStudent(page.request);
  await page.goto('/settings');
  const nickname = page.getByRole('textbox', { name: '昵称' });
  const form = page.locator('form', { has: nickname });
  await nickname.fill('砺石');
  await context.setOffline(true);
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form.getByRole('alert')).toHaveText('网络连接不上，请检查网络后重试');
  await expect(nickname).toHaveValue('砺石');
  await context.setOffline(false);
  await form.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('昵称已保存')).toBeVisible();
  await expect(form.getByRole('alert')).toHaveCount(0);
});
