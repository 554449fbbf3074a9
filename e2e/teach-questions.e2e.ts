import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, PASSWORD, packs, TEACHER } from './student.ts';

test(
  'a teacher finds a question, sees what another key would change, and corrects its analysis with a reason',
  { tag: '@one-width' },
  async ({ page }, info) => {
    // At one width: two of it at once would correct the same question, and the second is told.
    await call(page.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
    const packId = await findPack(page.request, packs.accounting, { join: false });
    await page.goto('/teach');
    await page.getByRole('link', { name: '试题质量' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '试题质量' })).toBeVisible();
    await page.getByRole('combobox', { name: '课程' }).selectOption(String(packId));
    await page.getByRole('combobox', { name: '题型' }).selectOption('2');
    await expect(page.getByRole('listitem').getByText('单选题').first()).toBeVisible();
    await look(page, info, 'teach-questions');
    await page.getByRole('searchbox', { name: '题干里的文字' }).fill('zzzz');
    await page.keyboard.press('Enter');
    await expect(page.getByText('没有这样的题。')).toBeVisible();
    await page.getByRole('link', { name: '显示全部' }).click();
    await expect(page).not.toHaveURL(/zzzz/);
    await expect(page.getByRole('listitem').getByRole('link').first()).toBeVisible();
    await page.getByRole('combobox', { name: '题型' }).selectOption('2');
    await page.getByRole('listitem').getByRole('link').filter({ hasText: '单选题' }).first().click();
    await expect(page.getByRole('button', { name: '更正这道题' })).toBeVisible();
    await look(page, info, 'teach-question');

    await page.getByRole('button', { name: '更正这道题' }).click();
    // What is looked at only changes nothing.
    await page.getByRole('radio', { name: '全员得分' }).check();
    await page.getByRole('button', { name: '查看影响' }).click();
    await expect(page.getByRole('heading', { name: '更正的影响' })).toBeVisible();
    await page.getByRole('button', { name: '返回修改' }).click();
    await page.getByRole('radio', { name: '按答案评分' }).check();
    const words = `改过的解析 ${randomUUID().slice(0, 8)}`;
    await page.getByRole('textbox', { name: '解析' }).fill(words);
    // What was begun is not lost on the way to the list and back.
    await page.getByRole('link', { name: '返回列表' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '试题质量' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('textbox', { name: '解析' })).toHaveValue(words);
    await look(page, info, 'teach-question-correct');
    await page.getByRole('button', { name: '取消', exact: true }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: '继续填写' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: '解析' })).toHaveValue(words);
    await page.getByRole('button', { name: '查看影响' }).click();
    await expect(page.getByText('没有已交的答卷要重新评分。')).toBeVisible();
    await page.getByRole('button', { name: '确认更正' }).click();
    await expect(page.getByRole('alert')).toHaveText('请写明更正的原因，成绩有变化的学员会看到');
    await page.getByRole('textbox', { name: /更正的原因/ }).fill('解析说得不清楚');
    await page.getByRole('button', { name: '确认更正' }).click();
    await expect(page.getByText('原因：解析说得不清楚').first()).toBeVisible();
    await expect(page.getByText(words).first()).toBeVisible();
    await look(page, info, 'teach-question-corrected');
  },
);

test(
  'a teacher takes a question out with a reason, finds it among those that are out, and brings it back',
  { tag: '@one-width' },
  async ({ page }, info) => {
    await call(page.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
    const packId = await findPack(page.request, packs.accounting, { join: false });
    await page.goto(`/teach/questions?packId=${packId}&type=1`);
    const first = page.getByRole('listitem').getByRole('link').filter({ hasText: '判断题' }).first();
    await first.click();
    await expect(page.getByRole('button', { name: '停用这道题' })).toBeVisible();
    const id = new URL(page.url()).searchParams.get('id');
    await page.getByRole('button', { name: '停用这道题' }).click();
    await expect(page.getByRole('textbox', { name: '停用的原因' })).toBeFocused();
    await page.getByRole('button', { name: '确认停用' }).click();
    await expect(page.getByRole('alert')).toHaveText('请写明停用的原因，老师会看到');
    const reason = `超纲 ${randomUUID().slice(0, 8)}`;
    await page.getByRole('textbox', { name: '停用的原因' }).fill(reason);
    await look(page, info, 'teach-question-retire');
    await page.getByRole('button', { name: '确认停用' }).click();
    const out = page.getByRole('region', { name: '停用' });
    await expect(out.getByText(`原因：${reason}`)).toBeVisible();
    await expect(out.getByRole('status')).toBeVisible();
    await look(page, info, 'teach-question-retired');

    await page.getByRole('link', { name: '返回列表' }).click();
    await page.getByRole('button', { name: '停用的' }).click();
    // Its own row: for a moment the list is still the one of all.
    await page
      .getByRole('listitem')
      .locator(`a[href*="?id=${id}&"], a[href*="&id=${id}&"], a[href$="id=${id}"]`)
      .click();
    await expect(out.getByText(`原因：${reason}`)).toBeVisible();
    await page.getByRole('button', { name: '恢复这道题' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '恢复', exact: true }).click();
    await expect(page.getByRole('button', { name: '停用这道题' })).toBeVisible();
    await page.getByRole('link', { name: '返回列表' }).click();
    await expect(page.getByText('没有停用的题。').or(page.getByText('没有这样的题。'))).toBeVisible();
  },
);
