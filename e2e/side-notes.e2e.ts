import { expect, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { lixue } from './operator.ts';
import { agreeToAll, findPack, freshPhone, newStudent, packs } from './student.ts';

test('the school’s tip, the choice of a course, and a question before something is gone', async ({ page }, info) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: '关闭提示' })).toBeVisible();
  await look(page, info, 'ad-tip');
  await page.getByRole('button', { name: '关闭提示' }).press('Enter');
  await expect(page.getByRole('button', { name: '关闭提示' })).toHaveCount(0);
  // It stood at the end of the page: what comes next is its foot.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeFocused();

  const packId = await findPack(page.request, packs.accounting, { join: false });
  await newStudent(page.request);
  for (const name of [packs.accounting, packs.maths]) await findPack(page.request, name);
  await page.goto(`/examCenter?packId=${packId}`);
  await page.getByRole('button', { name: /^选择课程/ }).click();
  const choice = page.getByRole('dialog', { name: '选择课程' });
  await expect(choice.getByRole('button', { name: packs.maths })).toBeVisible();
  await expect(choice.getByRole('button', { name: packs.accounting })).toBeFocused();
  await look(page, info, 'course-picker');
  await choice.getByRole('button', { name: packs.maths }).click();
  await expect(choice).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^选择课程/ })).toContainText(packs.maths);

  const { id } = await call(page.request, 'POST /app/feedback/submit', {
    ...{ packId, feedbackType: 41, feedbackDesc: '原始凭证和记账凭证怎么区分' },
  });
  await page.goto(`/qa?id=${id}`);
  await page.getByRole('button', { name: '删除' }).click();
  const question = page.getByRole('dialog', { name: '删除这个提问？' });
  await expect(question).toBeVisible();
  await look(page, info, 'confirm');
  await question.getByRole('button', { name: '取消' }).click();
  await expect(page.getByRole('article').first()).toContainText('原始凭证');
});

test('a teacher to whom the orders were not given is told how they are given, on the list and at one order', async ({
  page,
}, info) => {
  const phone = freshPhone();
  const { said } = await lixue('teacher', 'add', phone, '--nickname', '新来的老师', '--password');
  const password = /密码[^：]*：\s*(\S+)/.exec(said)?.[1] ?? '';
  await call(page.request, 'POST /api/user/login', { phone, password });
  await agreeToAll(page.request);
  for (const address of ['/teach/orders', '/teach/orders?id=1']) {
    await page.goto(address);
    await expect(page.getByText(/order keeper/)).toBeVisible();
  }
  await page.goto('/teach/orders');
  await expect(page.getByText(/order keeper/)).toBeVisible();
  await expect(page.getByRole('button', { name: '导出表格' })).toHaveCount(0);
  await look(page, info, 'orders-not-given');
});
