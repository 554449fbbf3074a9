import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { agreeToAll, findPack, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

/**
 * Controls of the page that a thumb misses: within 44 px around the middle there is a point where something else, or
 * nothing, would be pressed (design language, Touch targets). A thing that is itself inside a larger control counts as that.
 */
async function missed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults = new Set<string>();
    const open = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body;
    for (const control of open.querySelectorAll<HTMLElement>('a[href], button, select, input, [role="tab"]')) {
      // A radio button is pressed by its label, a text by its field.
      const target =
        control.closest('label') ?? (control instanceof HTMLInputElement ? control.parentElement : control) ?? control;
      const shown = target.checkVisibility({ visibilityProperty: true, opacityProperty: false });
      if (!shown || control.closest('.reading, [aria-hidden="true"], [hidden]')) continue;
      if (target.getBoundingClientRect().width <= 1) continue;
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { x, y, width, height } = target.getBoundingClientRect();
      const [left, top] = [x + width / 2, y + height / 2];
      // What does not scroll there is out of sight on purpose: the way past the header.
      if (top < 0 || left < 0) continue;
      const reach = [
        [0, -21],
        [0, 21],
        [-21, 0],
        [21, 0],
      ].every(([dx = 0, dy = 0]) => {
        const hit = document.elementFromPoint(left + dx, top + dy);
        return hit !== null && (target.contains(hit) || (hit instanceof HTMLLabelElement && hit.control === control));
      });
      const name = control.getAttribute('aria-label') ?? target.textContent?.trim() ?? '';
      if (!reach)
        faults.add(`${control.tagName.toLowerCase()} “${name.slice(0, 30)}” ${width.toFixed()}×${height.toFixed()}`);
    }
    return [...faults];
  });
}

test('on a phone every control is at least 44 px, on every page and in every menu', async ({ page }, info) => {
  test.skip(info.project.name !== 'phone', 'a mouse is finer than a thumb');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const check = async (screen: string) => expect.soft(await missed(page), screen).toEqual([]);
  const main = page.getByRole('main');
  await page.goto('/');
  await expect(main.getByRole('article').first()).toBeVisible();
  await check('home of a visitor');
  await page.goto('/login');
  await expect(page.getByLabel('手机号')).toBeVisible();
  await check('login');

  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  await findPack(page.request, packs.accounting);
  const { list } = await call(page.request, 'GET /app/university/list', { pageNum: 1, pageSize: 3 });
  const universityIds = list.map(({ id }) => id);
  await call(page.request, 'POST /app/university/goal', { universityId: universityIds[0] ?? null });
  await call(page.request, 'POST /app/university/compare', { universityIds });
  const addresses: Readonly<Record<string, string>> = {
    '/': 'article',
    '/courses': 'article',
    '/live': 'h1:not([data-spare])',
    [`/course/${packId}`]: 'h2',
    '/personCenter': 'nav[aria-label="我的"]',
    '/personCenter/personCenter/courserCenter/buyCourse': 'article',
    '/myExams': 'h1:not([data-spare]), p',
    '/settings': 'form',
    '/personCenter/orders': 'h1:not([data-spare])',
    '/personCenter/coupons': 'h1:not([data-spare])',
    '/universities?level=985': 'article',
    '/no/such/page': 'h1:not([data-spare])',
  };
  for (const [address, sign] of Object.entries(addresses)) {
    await page.goto(address);
    await expect(main.locator(sign).first()).toBeVisible();
    await check(address);
  }
  await page.goto('/universities');
  await page.getByRole('button', { name: '筛选' }).click();
  await expect(page.getByRole('dialog', { name: '筛选' })).toBeVisible();
  await check('filters');
  await page.goto(`/universities?id=${universityIds[0]}`);
  await expect(page.getByRole('dialog').getByRole('heading', { level: 2 }).nth(1)).toBeVisible();
  await check('details of a university');
  await page.goto('/universities?compare=1');
  await expect(page.getByRole('dialog').getByRole('columnheader')).toHaveCount(3);
  await check('comparison');

  await page.goto('/');
  for (const name of ['外观', /的菜单/]) {
    await page.getByRole('button', { name }).click();
    const items = page.getByRole('menu').locator('[role^="menuitem"]');
    await expect(items.first()).toBeVisible();
    for (const box of await items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect().height)))
      expect.soft(box, String(name)).toBeGreaterThanOrEqual(44);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
  }
});

test('on a phone a thumb reaches every control of an exam, its card and its review', async ({ page }, info) => {
  test.skip(info.project.name !== 'phone', 'a mouse is finer than a thumb');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const check = async (screen: string) => expect.soft(await missed(page), screen).toEqual([]);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const { courses } = await call(page.request, 'GET /app/question/index', { packId, type: 1 });
  const [chapter] = courses[0]?.chapters ?? [];
  const examId = chapter?.examId ?? 0;
  await page.goto(`/exam/${examId}`);
  await expect(page.getByRole('radio').first()).toBeVisible();
  await check('practice');
  await page.getByRole('button', { name: '背题模式' }).click();
  await expect(page.getByRole('button', { name: '背题模式' })).toHaveAttribute('aria-pressed', 'true');
  await check('recite');
  await page.getByRole('button', { name: '答题模式' }).click();
  await page.getByRole('button', { name: /答题卡/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('card');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers: [] });
  await page.goto(`/exam/review/${recordId}`);
  await expect(page.getByRole('heading', { name: /第 1 题/ }).first()).toBeVisible();
  await check('review');
});

test('on a phone a thumb reaches every control of questions, their answers and notices', async ({
  page,
  browser,
}, info) => {
  test.skip(info.project.name !== 'phone', 'a mouse is finer than a thumb');
  const check = async (of: Page, screen: string) => expect.soft(await missed(of), screen).toEqual([]);
  const packId = await findPack(page.request, packs.maths, { join: false });
  await newStudent(page.request);
  await call(page.request, 'POST /api/course/course_join', { packId });
  const { current } = await call(page.request, 'GET /app/course/chapters', { packId });
  const { firstVideoId } = current ?? { firstVideoId: 0 };
  const { id } = await call(page.request, 'POST /app/feedback/submit', {
    ...{ packId, feedbackType: 41, feedbackDesc: '等价无穷小什么时候能用', firstVideoId, position: 65 },
  });
  const { viewport = null, baseURL = '' } = info.project.use;
  const teacher = await (await browser.newContext({ viewport, baseURL, hasTouch: true, isMobile: true })).newPage();
  await teacher.emulateMedia({ reducedMotion: 'reduce' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await agreeToAll(teacher.request);
  const { version } = await call(teacher.request, 'GET /app/qa/question', { id });
  await call(teacher.request, 'POST /app/qa_core/set_tags', { id, tags: ['极限'] });
  await call(teacher.request, 'POST /app/qa_core/answer', { ids: [id], versions: [version], feedbackDesc: '乘除可以' });
  const feedbackDesc = '一\n二\n三\n四\n五';
  await call(page.request, 'POST /app/feedback/reply', { parentId: id, feedbackDesc });

  for (const address of ['/qa', `/qa?id=${id}`]) {
    await page.goto(address);
    await expect(page.getByRole('button', { name: '展开' })).toBeVisible();
    await check(page, address);
  }
  await page.goto('/notices');
  await expect(page.getByRole('link', { name: '查看' })).toBeVisible();
  await check(page, 'notices');
  await page.goto(`/course/play/${packId}?lesson=${firstVideoId}`);
  await page.getByRole('tab', { name: '答疑' }).click();
  await expect(page.getByRole('button', { name: '展开' }).first()).toBeVisible();
  await page.getByRole('button', { name: '提问', exact: true }).click();
  const form = page.getByRole('form', { name: '提问' });
  await form.getByRole('textbox').fill('等价无穷小什么时候可以用？');
  await expect(form.getByRole('link', { name: /等价无穷小/ })).toBeVisible();
  await check(page, 'a question that is begun');
  // Narrowed to it: what other journeys asked stands before it, and it may be on the second page.
  for (const address of ['/teach/qa?keyword=等价无穷小', `/teach/qa?id=${id}`]) {
    await teacher.goto(address);
    await expect(teacher.getByText('等价无穷小什么时候能用').first()).toBeVisible();
    await check(teacher, address);
  }
  await teacher.context().close();
});
