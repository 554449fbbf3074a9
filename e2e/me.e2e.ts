import { expect, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

const myCourses = '/personCenter/personCenter/courserCenter/buyCourse';

test('我的课程: nothing joined yet, then one’s packs with the ways to practice', async ({ page }, info) => {
  await newStudent(page.request);
  await page.goto(myCourses);
  await expect(page.getByText('还没有报名课程。')).toBeVisible();
  await look(page, info, 'my-courses-none');
  await page.getByRole('main').getByRole('link', { name: '挑选课程' }).click();
  await expect(page).toHaveURL('/courses');

  await findPack(page.request, packs.maths);
  await findPack(page.request, packs.accounting);
  await page.goto(myCourses);
  await expect(page.getByRole('heading', { level: 1, name: '我的课程' })).toBeVisible();
  const card = page.getByRole('article').filter({ hasText: packs.accounting });
  await expect(page.getByRole('article')).toHaveCount(2);
  await look(page, info, 'my-courses');
  await card.getByRole('link', { name: '模拟考试' }).click();
  await expect(page).toHaveURL(/\/examCenter\?packId=\d+&kind=mock$/);
  await page.goBack();
  await card.getByRole('link', { name: packs.accounting }).click();
  await expect(page.getByRole('heading', { level: 1, name: packs.accounting })).toBeVisible();
});

test('我的: one’s own pages, and signing out', async ({ page }, info) => {
  await newStudent(page.request);
  await call(page.request, 'POST /api/user/update', { nickname: '砺石' });
  await page.goto('/personCenter');
  await expect(page.getByRole('heading', { level: 1, name: '砺石' })).toBeVisible();
  await look(page, info, 'me');
  const list = page.getByRole('navigation', { name: '我的', exact: true });
  for (const [name, address] of [
    ['我的课程', myCourses],
    ['我的考试', '/myExams'],
    ['院校库', '/universities'],
    ['设置', '/settings'],
  ] as const) {
    await list.getByRole('link', { name }).click();
    await expect(page).toHaveURL(address);
    await page.goBack();
  }
  await list.getByRole('button', { name: '退出' }).click();
  await expect(page.getByRole('link', { name: '登录开始学习' })).toBeVisible();
});

test('我的考试: the pack is chosen on the page, stands in the address, and can be left again', async ({
  page,
}, info) => {
  await newStudent(page.request);
  const maths = await findPack(page.request, packs.maths);
  const accounting = await findPack(page.request, packs.accounting);
  const name = '高等数学模拟卷（一）';
  const examId = await findPaper(page.request, maths, name);
  await call(page.request, 'GET /app/exam/test_start', { examId });

  await page.goto('/myExams');
  const pack = page.getByRole('combobox', { name: '课程' });
  const record = page.getByRole('heading', { name });
  await expect(record).toBeVisible();
  await expect(pack).toHaveValue('');
  await look(page, info, 'my-exams-packs');
  await pack.selectOption(packs.accounting);
  await expect(page).toHaveURL(`/myExams?packId=${accounting}`);
  await expect(page.getByText('还没有做过考试或练习。')).toBeVisible();
  await look(page, info, 'my-exams-pack-empty');
  await page.reload();
  await expect(pack).toHaveValue(String(accounting));
  await page.getByRole('button', { name: '全部课程' }).click();
  await expect(page).toHaveURL('/myExams');
  await expect(record).toBeVisible();
  await pack.selectOption(packs.maths);
  await page.getByRole('group', { name: '筛选' }).getByRole('button', { name: '进行中' }).click();
  await expect(page).toHaveURL(`/myExams?packId=${maths}&state=open`);
  await expect(record).toBeVisible();

  // A pack that was never joined is named and can be left.
  await page.goto('/myExams?packId=999999999');
  await expect(pack.locator('option:checked')).toHaveText('其他课程');
  await pack.selectOption('全部课程');
  await expect(record).toBeVisible();
});
