import { expect, type Locator, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { handIn } from './reviewed-paper.ts';

test('the list of all: what is picked has the focus, each question its mark and feedback', async ({ page }, info) => {
  const exam = new ExamScreen(page);
  const recordId = await handIn(page);
  const question = (number: number) => page.getByRole('article', { name: `第 ${number} 题`, exact: true });
  const heading = (number: number) => page.getByRole('heading', { name: `第 ${number} 题`, exact: true });
  await page.goto(`/exam/review/${recordId}?view=list&q=9`);
  await expect(heading(9), 'opened at a question').toBeFocused();
  await exam.jump(20);
  await expect(heading(20), 'picked').toBeFocused();
  await expect(heading(20)).toBeInViewport();
  await exam.jump(20);
  await expect(heading(20), 'picked again').toBeFocused();
  await exam.jump(2);
  await expect(heading(2), 'picked further up').toBeFocused();
  await expect(heading(2)).toBeInViewport();
  if (!exam.wide) {
    await exam.card();
    await page.getByRole('button', { name: '收起答题卡' }).click();
    await expect(heading(2), 'a sheet that was closed').toBeFocused();
  }

  const mark = question(3).getByRole('button', { name: '标记', exact: true });
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/exam/flag') && response.ok()),
    mark.click(),
  ]);
  await expect(question(3).getByText('已标记')).toBeVisible();
  await expect(question(3).getByRole('button', { name: '取消标记' })).toBeFocused();
  await look(page, info, 'review-list-picked');

  // Pressed before the page rests: the report is about this question all the same, not about the one that is read then.
  const report = question(3).getByRole('button', { name: '反馈' });
  await page.mouse.wheel(0, -300);
  await report.click();
  const dialog = page.getByRole('dialog', { name: '试题反馈' });
  await dialog.getByRole('radio', { name: '错别字' }).check();
  await dialog.getByRole('textbox', { name: /问题描述/ }).fill('“因”写成了“困”。');
  const sent = page.waitForRequest('**/app/feedback/lx_submit');
  await dialog.getByRole('button', { name: '提交' }).click();
  const { questions } = await call(page.request, 'GET /app/exam/review', { recordId });
  expect((await sent).postDataJSON()).toMatchObject({ questionId: questions[2]?.questionId });
  await expect(dialog).toBeHidden();
  await expect(report).toBeFocused();

  await page.getByRole('main').getByRole('button', { name: '标记 1' }).click();
  await question(3).getByRole('button', { name: '取消标记' }).click();
  await expect(page.getByText('没有这样的题。').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: '逐题回顾' }), 'the question is gone').toBeFocused();
});

test('what is scored in the list stays where it is until the filter is pressed again @one-width', async ({ page }) => {
  await page.goto(`/exam/review/${await handIn(page)}?view=list&only=pending`);
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(2);
  const score = cards.first().getByLabel('我的得分');
  await score.fill('5');
  await score.press('Enter');
  await expect(cards.first().getByRole('button', { name: '修改评分' })).toBeVisible();
  await expect(cards).toHaveCount(2);
  await expect(score).toBeFocused();
  await page.getByRole('main').getByRole('button', { name: '待评分 1' }).click();
  await expect(cards).toHaveCount(1);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: '显示与快捷键' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText('标记或取消标记')).toHaveCount(0);
});

test('in the list the current question follows scrolling, another filter begins at its top @one-width', async ({
  page,
}) => {
  const recordId = await handIn(page);
  await page.goto(`/exam/review/${recordId}?q=4`);
  await new ExamScreen(page).isAt(4);
  await page.getByRole('button', { name: '列表', exact: true }).click();
  const fourth = page.getByRole('heading', { name: '第 4 题', exact: true });
  await expect(fourth).toBeFocused();
  await expect(fourth, 'not under the bar').toBeInViewport({ ratio: 1 });
  const current = page.getByRole('region', { name: '答题卡' }).locator('[aria-current]');
  await expect(current).toHaveText('4');
  await page.mouse.move(500, 500);
  for (let step = 0; step < 4; step++) await page.mouse.wheel(0, 700);
  await expect(current).not.toHaveText('4');
  // It is looked at some times a second.
  await expect(async () => {
    const at = Number(await current.textContent());
    await expect(page.locator(`#q${at}`)).toBeInViewport({ timeout: 200 });
  }).toPass();
  await expect(fourth, 'the focus stays where the reader put it').toBeFocused();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^未作答/ })
    .click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect(current).toHaveText('2');
  // At 400% the bar scrolls away, and all that it has with it.
  await page.setViewportSize({ width: 320, height: 256 });
  const bottom = (part: Locator) => part.evaluate((node) => node.getBoundingClientRect().bottom);
  const bar = await bottom(page.getByRole('region', { name: '答案与解析', exact: true }));
  expect(await bottom(page.getByRole('group', { name: '视图' })), 'in the bar, not over a question').toBeLessThan(bar);
});

test('what stands far down in the list is found by a search of the page @one-width', async ({ page }) => {
  const address = `/exam/review/${await handIn(page)}?view=list`;
  const undrawn = page.locator('article[aria-busy=true]');
  for (const keys of ['Control+f', 'F3']) {
    await page.goto(address);
    await expect(undrawn.first()).toBeAttached();
    await page.keyboard.press(keys);
    await expect(undrawn, keys).toHaveCount(0);
    expect(await page.evaluate(() => window.scrollY), 'the reader stays at the place').toBe(0);
  }
});

test('the browser’s own printing has every question of the list @one-width', async ({ page }) => {
  await page.goto(`/exam/review/${await handIn(page)}?view=list`);
  const undrawn = page.locator('article[aria-busy=true]');
  await expect(undrawn.first()).toBeAttached();
  // Looked at as it goes to paper: what is far away may leave again afterwards.
  await page.evaluate(() => {
    addEventListener('beforeprint', () => {
      document.body.dataset.undrawn = String(document.querySelectorAll('article[aria-busy=true]').length);
    });
  });
  await page.pdf();
  await expect(page.locator('body')).toHaveAttribute('data-undrawn', '0');
});

test('what is far away in the list is taken down at its height, and drawn again for who turns back; never what somebody touched @one-width', async ({
  page,
}) => {
  await page.goto(`/exam/review/${await handIn(page)}?view=list`);
  const [first, second] = [page.locator('#q1'), page.locator('#q2')];
  await second.getByText('解析', { exact: true }).click();
  const height = (await first.boundingBox())?.height ?? 0;
  await page.mouse.move(500, 500);
  const gone = async () => {
    await page.mouse.wheel(0, 2500);
    return (await first.getAttribute('aria-busy')) === 'true';
  };
  await expect.poll(gone).toBe(true);
  await expect(first.getByRole('heading', { name: '解析' })).toHaveCount(0);
  await expect(second).toHaveAttribute('aria-busy', 'false');
  expect(Math.abs(((await first.boundingBox())?.height ?? 0) - height)).toBeLessThan(1);
  // Up again by the wheel: what goes is below the window then.
  const above = async () => {
    await page.mouse.wheel(0, -600);
    return page.evaluate(() => window.scrollY);
  };
  await expect.poll(above, { intervals: [40] }).toBe(0);
  await expect(first).toHaveAttribute('aria-busy', 'false');
  await expect.poll(() => page.locator('article[aria-busy=true]').count()).toBeGreaterThan(5);
  const heights = await page
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));
  expect(Math.min(...heights), 'each keeps its place').toBeGreaterThan(200);
  await expect(first.getByRole('heading', { name: '解析' })).toBeVisible();
  expect(Math.abs(((await first.boundingBox())?.height ?? 0) - height)).toBeLessThan(1);
});

test('in the list a ring of focus is whole around every control, also at the edges of what is laid out apart', async ({
  page,
}) => {
  await page.goto(`/exam/review/${await handIn(page)}?view=list`);
  const card = page.getByRole('article', { name: '第 1 题', exact: true });
  await expect(card.getByRole('button', { name: '收藏' })).toBeVisible();
  const cut = await card.evaluate((article) => {
    /** The ring of ui/base.css, in pixels beyond its control. */
    const ring = 4;
    return [...article.querySelectorAll('button, a, summary, textarea, input')].flatMap((control) => {
      const own = control.getBoundingClientRect();
      const around: Element[] = [];
      for (let at = control.parentElement; at !== null && article.contains(at); at = at.parentElement)
        if (getComputedStyle(at).contentVisibility === 'auto' || getComputedStyle(at).contain !== 'none')
          around.push(at);
      return around.some((edge) => {
        const { left, right, top, bottom } = edge.getBoundingClientRect();
        return Math.min(own.left - left, right - own.right, own.top - top, bottom - own.bottom) < ring - 0.5;
      })
        ? [control.textContent || control.getAttribute('aria-label')]
        : [];
    });
  });
  expect(cut).toEqual([]);
});
