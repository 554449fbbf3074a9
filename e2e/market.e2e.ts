import { expect, test } from '@playwright/test';
import { look } from './look.ts';

test(
  'a visitor finds a course by what they type, looks at all of it, and plays a trial lesson',
  { tag: '@one-width' },
  async ({ page }, info) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/磨砺以须/);
    const banner = page.getByRole('region', { name: '学校推荐' });
    await expect(banner.getByRole('heading')).toHaveText('看懂一条曲线，再去算它');
    await banner.getByRole('button', { name: '下一个' }).click();
    await expect(banner.getByRole('heading')).toHaveText('从第一张凭证，到一张平的报表');
    await page.getByRole('button', { name: '关闭提示' }).click();
    await page.reload();
    await expect(banner.getByRole('heading')).toBeVisible();
    await expect(page.getByRole('button', { name: '关闭提示' })).toHaveCount(0);
    await look(page, info, 'market-home');

    // The category of home leads to the market, where it stands in the address with what is typed.
    await page.getByRole('link', { name: '考研', exact: true }).click();
    await expect(page).toHaveURL(/\/courses\?category=\d+$/);
    await expect(page.getByText('共 1 门课程')).toBeVisible();
    await page.getByRole('button', { name: '全部', exact: true }).first().click();
    const box = page.getByRole('combobox', { name: '课程名称' });
    await box.fill('zyq');
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(/周砚清/);
    await box.press('Escape');
    await expect(page).toHaveURL(/keyword=zyq/);
    await page.getByRole('combobox', { name: '价格' }).selectOption('sale');
    await expect(page.getByText('没有符合条件的课程，换个词或放宽筛选试试')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('article')).toHaveCount(1);
    await look(page, info, 'market-list');

    await page.getByRole('article').getByRole('link').click();
    for (const heading of ['课程介绍', '课程目录', '授课老师', '课程资料', '同学评论'])
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expect(page.getByText('周砚清')).toBeVisible();
    await expect(page.getByText('奶茶店日记账.xlsx')).toBeVisible();
    const folders = page.getByRole('region', { name: '课程资料' }).getByRole('heading', { level: 3 });
    await expect(folders).toHaveText(['讲义', '练习与模板', '其他资料']);
    await look(page, info, 'market-pack');
    const lesson = page.getByRole('button', { name: /试听/ }).first();
    await lesson.click();
    await expect(page).toHaveURL(/\/course\/play\/\d+\?lesson=\d+/);
  },
);
