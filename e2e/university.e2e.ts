import { type CDPSession, expect, type Locator, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, newStudent, PASSWORD, packs, students } from './student.ts';

const box = (page: Page) => page.getByRole('combobox', { name: '院校名称' });
const options = (page: Page) => page.getByRole('listbox', { name: '搜索建议' }).getByRole('option');
const cards = (page: Page) => page.getByRole('article');
const total = (page: Page, count: number) =>
  expect(page.getByText(`共 ${count} 所院校`, { exact: true })).toBeVisible();

/** Narrow windows have the filters in a sheet. */
async function choose(page: Page, group: string, choice: string): Promise<void> {
  const open = page.getByRole('button', { name: '筛选' });
  const narrow = await open.isVisible();
  if (narrow) await open.click();
  const within: Locator = narrow
    ? page.getByRole('dialog', { name: '筛选' })
    : page.getByRole('complementary', { name: '筛选' });
  await within.getByRole('group', { name: group }).getByRole('radio', { name: choice, exact: true }).check();
  if (!narrow) return;
  await within.getByRole('button', { name: /^查看/ }).click();
  await expect(within).toBeHidden();
}

/** Requests of the page to a call, as their queries. */
function asked(page: Page, path: string): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === path) queries.push(url.searchParams);
  });
  return queries;
}

/** What is about input, answers, their order and time is the same code at every width (playwright.config.ts). */
const ONE_WIDTH = '@one-width';

test('a visitor finds a university by region, level and city; the address keeps it', async ({ page }, info) => {
  await page.goto('/universities');
  await total(page, 147);
  await expect(cards(page)).toHaveCount(24);
  await look(page, info, 'universities');

  await choose(page, '院校层次', '211');
  await total(page, 115);
  const sheet = page.getByRole('button', { name: '筛选' });
  if (await sheet.isVisible()) {
    await sheet.click();
    await expect(page.getByRole('dialog', { name: '筛选' }).getByRole('radio', { name: '211' })).toBeChecked();
    await look(page, info, 'universities-filters');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: '筛选' })).toBeHidden();
    await expect(sheet).toBeFocused();
  }
  await choose(page, '所在地区', '江苏');
  await total(page, 11);
  await page.getByRole('combobox', { name: '城市' }).selectOption('南京市');
  await total(page, 8);
  await expect(page).toHaveURL(/level=211/);
  await look(page, info, 'universities-narrowed');

  const shown = await cards(page).getByRole('heading').allTextContents();
  await page.reload();
  await total(page, 8);
  expect(await cards(page).getByRole('heading').allTextContents()).toEqual(shown);
  await page.goBack();
  await total(page, 11);
  await page.goForward();
  await total(page, 8);
  await page.getByRole('button', { name: '去掉条件 江苏' }).click();
  await total(page, 115);
});

test('more of the list is loaded page by page, and a refresh keeps the place', { tag: ONE_WIDTH }, async ({ page }) => {
  await page.goto('/universities');
  const more = page.getByRole('button', { name: '加载更多' });
  await more.click();
  await expect(cards(page)).toHaveCount(48);
  await page.reload();
  await expect(cards(page)).toHaveCount(48);
  for (let count = 72; count < 147; count += 24) {
    await more.click();
    await expect(cards(page)).toHaveCount(count);
  }
  await more.click();
  await expect(cards(page)).toHaveCount(147);
  await expect(page.getByText('已显示全部院校')).toBeVisible();
  await expect(more).toBeHidden();
  const names = await cards(page).getByRole('heading').allTextContents();
  expect(new Set(names).size).toBe(147);
});

test('suggestions: eight at most, highlighted, explained, chosen by key or finger', async ({ page }, info) => {
  await page.goto('/universities?level=985');
  await box(page).click();
  await page.keyboard.type('北');
  await expect(options(page)).toHaveCount(8);
  await expect(options(page).first().locator('mark')).toHaveText('北');
  await look(page, info, 'universities-suggestions');
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');

  // The keyboard: the focus stays in the text, the suggestion is named by aria-activedescendant.
  await page.keyboard.press('ArrowDown');
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  expect(await box(page).getAttribute('aria-activedescendant')).toBe(await options(page).first().getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  await expect(box(page)).not.toHaveAttribute('aria-activedescendant');
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(box(page)).toHaveValue('北');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(box(page)).toHaveValue('北京大学');
  await expect(options(page)).toHaveCount(0);
  await total(page, 1);

  // Short names, pinyin and initials, each with its reason.
  for (const [typed, name, why] of [
    ['北航', '北京航空航天大学', '又名 北航'],
    ['bjdx', '北京大学', '拼音首字母 bei jing da xue'],
    ['BEIDA', '北京大学', '又名 北大拼音 bei da'],
    ['pku', '北京大学', '又名 PKU'],
  ] as const) {
    await box(page).fill(typed);
    await expect(options(page).first(), typed).toContainText(name);
    await expect(options(page).first(), typed).toContainText(why);
  }

  // Shown on focus, hidden on blur, chosen with the pointer.
  await page.getByRole('heading', { name: '院校库' }).click();
  await expect(options(page)).toHaveCount(0);
  await box(page).click();
  await options(page).first().click();
  await expect(box(page)).toHaveValue('北京大学');
  await expect(box(page)).toBeFocused();

  // Emptied: nothing suggested, the whole list from page 1.
  await page.getByRole('button', { name: '清空' }).click();
  await expect(box(page)).toHaveValue('');
  await expect(options(page)).toHaveCount(0);
  await total(page, 39);
  await expect(page).toHaveURL(/\/universities\?level=985$/);
});

/** Composes Chinese as an input method does: `steps` are what stands underlined after each key, then it is confirmed. */
async function compose(cdp: CDPSession, steps: readonly string[], confirmed: string): Promise<void> {
  for (const text of steps) {
    await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  if (confirmed !== '') await cdp.send('Input.insertText', { text: confirmed });
}

test('nothing is asked for while an input method composes', { tag: ONE_WIDTH }, async ({ page, context }) => {
  const suggested = asked(page, '/app/university/suggest');
  const listed = asked(page, '/app/university/list');
  await page.goto('/universities');
  await total(page, 147);
  const cdp = await context.newCDPSession(page);
  await box(page).click();
  await compose(cdp, ['b', 'be', 'bei', 'bei j', 'bei jing'], '');
  await expect(box(page)).toHaveValue('bei jing');
  // Longer than the pause after which a finished input is asked for.
  await page.waitForTimeout(600);
  expect(suggested).toEqual([]);
  expect(listed.map((query) => query.get('name'))).toEqual([null]);
  await expect(options(page)).toHaveCount(0);

  await compose(cdp, [], '北京');
  await expect(box(page)).toHaveValue('北京');
  await expect(options(page)).toHaveCount(8);
  expect(suggested.map((query) => query.get('name'))).toEqual(['北京']);

  // A second composition behind the first: what was suggested hides, and nothing is asked for until its end.
  await compose(cdp, ['d', 'da'], '');
  await expect(box(page)).toHaveValue('北京da');
  await expect(options(page)).toHaveCount(0);
  await compose(cdp, [], '大学');
  await expect(options(page).first()).toContainText('北京大学');
  expect(suggested.map((query) => query.get('name'))).toEqual(['北京', '北京大学']);
  await total(page, 1);
});

test(
  'signs are looked for as they are typed; a lone sign never finds all',
  { tag: ONE_WIDTH },
  async ({ page }, info) => {
    await page.goto('/universities');
    await total(page, 147);
    const inBrackets = ['中国矿业大学（北京）', '中国石油大学（北京）', '中国地质大学（北京）'];
    for (const typed of ['(北京)', '（北京）', ' （北京) ']) {
      await box(page).fill(typed);
      await total(page, 3);
      expect((await cards(page).getByRole('heading').allTextContents()).sort()).toEqual([...inBrackets].sort());
      await expect(options(page)).toHaveCount(3);
      await expect(options(page).locator('mark')).toHaveText(['（北京）', '（北京）', '（北京）']);
      await expect(box(page), 'the text is the person’s').toHaveValue(typed);
    }
    await box(page).fill('中国石油大学北京');
    await total(page, 1);
    for (const typed of ['#', '％', '（）']) {
      await box(page).fill(typed);
      await expect(page.getByText('没有符合条件的院校')).toBeVisible();
      await expect(options(page)).toHaveCount(0);
      await total(page, 0);
    }
    await look(page, info, 'universities-lone-sign');
    await box(page).fill('   ');
    await total(page, 147);
  },
);

test('an emptied search begins at page 1, however it was emptied', { tag: ONE_WIDTH }, async ({ page, context }) => {
  const pageOf = () => new URL(page.url()).searchParams.get('page');
  const more = page.getByRole('button', { name: '加载更多' });
  /** Two pages of a name. */
  const search = async () => {
    await page.goto('/universities?name=大学&page=2');
    await expect(cards(page)).toHaveCount(48);
  };
  const isWhole = async () => {
    await expect(cards(page)).toHaveCount(24);
    await total(page, 147);
    await expect.poll(() => page.url()).toMatch(/\/universities$/);
  };

  await search();
  await page.getByRole('button', { name: '清空' }).click();
  await isWhole();

  await search();
  await box(page).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await isWhole();

  // A composition over the whole text that is given up.
  await search();
  const cdp = await context.newCDPSession(page);
  await box(page).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await compose(cdp, ['b', 'be', ''], '');
  await expect(box(page)).toHaveValue('');
  await isWhole();

  // Nothing was asked for yet: typed and taken back at once on the third page.
  await page.goto('/universities?page=3');
  await expect(cards(page)).toHaveCount(72);
  await box(page).focus();
  await page.keyboard.type('北');
  await page.keyboard.press('Backspace');
  await isWhole();

  // Only a blank, which looks for nothing, by the button and by hand.
  for (const empty of [
    () => page.getByRole('button', { name: '清空' }).click(),
    () => page.keyboard.press('Backspace'),
  ]) {
    await page.goto('/universities?page=3');
    await expect(cards(page)).toHaveCount(72);
    await box(page).focus();
    await page.keyboard.type(' ');
    await empty();
    await isWhole();
  }

  // Back and forward to a list without a name.
  await page.goto('/universities');
  await more.click();
  await expect(cards(page)).toHaveCount(48);
  await box(page).fill('复旦大学');
  await page.keyboard.press('Enter');
  await total(page, 1);
  await page.getByRole('button', { name: '清空' }).click();
  await isWhole();
  await more.click();
  await expect(cards(page)).toHaveCount(48);
  expect(pageOf()).toBe('2');
  await page.goBack();
  await expect(box(page), 'the focus is in the box and the name is the address’s').toHaveValue('复旦大学');
  await total(page, 1);
  await page.goForward();
  await expect(box(page)).toHaveValue('');
  await isWhole();
});

test('typing goes on undisturbed while the page is slow', { tag: ONE_WIDTH }, async ({ page, context }) => {
  /** Every time a script, not the person, put another text into the box. */
  await page.addInitScript(() => {
    const written: string[] = [];
    Object.assign(window, { written });
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    Object.defineProperty(HTMLInputElement.prototype, 'value', {
      ...value,
      set(this: HTMLInputElement, text: string) {
        if (document.activeElement === this && text !== this.value) written.push(`${this.value} → ${text}`);
        value?.set?.call(this, text);
      },
    });
  });
  const listed = asked(page, '/app/university/list');
  const followed = (name: string) => expect.poll(() => listed.at(-1)?.get('name'), { message: 'the list' }).toBe(name);
  await page.route('**/app/university/list?*', async (route) => {
    // No wait: a slow network.
    await new Promise((done) => setTimeout(done, 300));
    await route.continue().catch(() => undefined);
  });
  await page.goto('/universities');
  await total(page, 147);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 8 });
  await box(page).focus();
  let text = '';
  // Blanks at the end stay, whether one types on or waits until the list follows.
  for (const [at, char] of [...'beijing hangkong '].entries()) {
    await page.keyboard.type(char);
    text += char;
    await expect(box(page)).toHaveValue(text);
    if (at % 8 === 7) await followed(text.trim());
  }
  await total(page, 1);
  await page.keyboard.type('d', { delay: 0 });
  await page.keyboard.press('Backspace');
  // In the middle of the text the cursor stays where it is.
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('x');
  await followed('beijing xhangkong');
  const answer = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('name') === 'beijing xxhangkong',
  );
  await page.keyboard.type('x');
  await followed('beijing xxhangkong');
  await (await answer).finished();
  await expect(page.getByText('没有符合条件的院校')).toBeVisible();
  await expect(box(page)).toHaveValue('beijing xxhangkong ');
  expect(await box(page).evaluate((input: HTMLInputElement) => input.selectionStart)).toBe('beijing xx'.length);
  expect(await page.evaluate(() => Reflect.get(window, 'written'))).toEqual([]);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
});

test('an answer that comes late never replaces the newer one', { tag: ONE_WIDTH }, async ({ page }) => {
  await page.goto('/universities');
  await total(page, 147);
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/app\/university\/(suggest|list)\?.*name=q(&|$)/, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await box(page).click();
  const asking = page.waitForRequest(/\/app\/university\/list\?.*name=q(&|$)/);
  await page.keyboard.type('q');
  await asking;
  await page.keyboard.type('inghua');
  await expect(options(page).first()).toContainText('清华大学');
  release();
  // Time for the late answers to do harm.
  await page.waitForTimeout(500);
  await expect(options(page).first()).toContainText('清华大学');
  await expect(cards(page).first()).toContainText('清华大学');
  await expect(box(page)).toHaveValue('qinghua');
});

test('the details of a university: six tabs, nothing invented, an address of its own', async ({ page }, info) => {
  await page.goto('/universities?prov=北京');
  await page.getByRole('link', { name: '北京大学', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '院校详情' });
  await expect(dialog.getByRole('heading', { name: '北京大学' })).toBeVisible();
  await expect(page).toHaveURL(/id=\d+/);
  const tabs = dialog.getByRole('navigation', { name: '详情目录' }).getByRole('link');
  await expect(tabs).toHaveText(['历史沿革', '教育教学', '实验室情况', '学科评估', '专业设置', '重点信息']);
  await expect(tabs.first()).toHaveAttribute('aria-current', 'location');
  await expect(dialog.getByRole('region', { name: '历史沿革' })).toContainText('1898');
  await expect(dialog.getByRole('region', { name: '实验室情况' })).toContainText('暂无详细信息');
  await expect(dialog.getByRole('link', { name: /www\.pku\.edu\.cn/ })).toHaveAttribute(
    'href',
    'https://www.pku.edu.cn',
  );
  await look(page, info, 'university-detail');

  await tabs.nth(4).click();
  await expect(page).toHaveURL(/#specialty$/);
  await expect(tabs.nth(4)).toHaveAttribute('aria-current', 'location');
  await expect(dialog.getByRole('region', { name: '专业设置' })).toBeInViewport();
  await page.reload();
  await expect(tabs.nth(4)).toHaveAttribute('aria-current', 'location');

  // Closing goes back to the list as it was, and the focus to the card.
  await page.goto('/universities?prov=北京');
  const link = page.getByRole('link', { name: '清华大学', exact: true });
  await link.click();
  await expect(dialog.getByRole('heading', { name: '清华大学' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/universities\?prov=[^&]*$/);
  await expect(link).toBeFocused();
  await link.click();
  await page.goBack();
  await expect(dialog).toBeHidden();

  // A hash that cannot be decoded leads nowhere, and harms nothing.
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  const id = new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams.get('id');
  await page.goto(`/universities?id=${id}#%`);
  await expect(tabs.first()).toHaveAttribute('aria-current', 'location');
  expect(failures).toEqual([]);

  await page.goto('/universities?id=999999');
  await expect(dialog.getByRole('alert')).toContainText('没有找到您要的内容');
  await dialog.getByRole('button', { name: '关闭' }).click();
  await total(page, 147);
});

test('the address ticker moves 1 px in 100 ms and stands still when it should', { tag: ONE_WIDTH }, async ({
  page,
}) => {
  await page.goto('/universities');
  await total(page, 147);
  const ticker = page.getByRole('region', { name: '院校地址' });
  const left = () => ticker.evaluate((box) => box.scrollLeft);
  /** Pixels in 100 ms of the page's own clock, while it moves by 15. */
  const speed = () =>
    ticker.evaluate(
      (box) =>
        new Promise<number>((done) => {
          const [began, at] = [performance.now(), box.scrollLeft];
          const look = () => {
            const moved = box.scrollLeft - at;
            if (moved < 15) requestAnimationFrame(look);
            else done((moved * 100) / (performance.now() - began));
          };
          look();
        }),
    );
  /** Pixels in two seconds: only time shows that nothing moves. */
  const moved = () =>
    ticker.evaluate(async (box) => {
      const at = box.scrollLeft;
      await new Promise((done) => setTimeout(done, 2000));
      return box.scrollLeft - at;
    });
  await page.mouse.move(5, 500);
  await expect.poll(left).toBeGreaterThan(1);
  const measured = await speed();
  expect(measured).toBeGreaterThan(0.75);
  expect(measured).toBeLessThan(1.25);

  await ticker.hover();
  expect(await moved()).toBe(0);
  await page.mouse.move(5, 500);
  expect(await speed(), 'goes on').toBeGreaterThan(0.5);
  await ticker.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  expect(await moved()).toBe(0);
  await ticker.evaluate((box) => box.blur());
  await page.getByRole('button', { name: '暂停滚动' }).click();
  await page.mouse.move(5, 500);
  await page.getByRole('heading', { name: '院校库' }).click();
  expect(await moved()).toBe(0);
  await page.getByRole('button', { name: '继续滚动' }).click();
  await page.mouse.move(5, 500);
  await page.getByRole('heading', { name: '院校库' }).click();
  expect(await speed(), 'goes on').toBeGreaterThan(0.5);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await total(page, 147);
  expect(await moved()).toBe(0);
  await expect(page.getByRole('button', { name: '暂停滚动' })).toHaveCount(0);
});

/** Scrolls to where the bars that float over the page cut no button in half: axe takes that for a target too small. */
async function standClear(page: Page): Promise<void> {
  await page.evaluate(() => {
    const targets = () => [...document.querySelectorAll('main :is(article button, select)')];
    const bars = () => [
      document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
      document.querySelector('[aria-label="院校对比"]')?.getBoundingClientRect().top ?? 0,
    ];
    const cut = () => {
      const edges = bars();
      return targets().some((target) => {
        const { top, bottom } = target.getBoundingClientRect();
        return edges.some((edge) => top < edge && edge < bottom);
      });
    };
    for (let y = 0; y < 200; y += 8) {
      window.scrollTo(0, y);
      if (!cut()) return;
    }
  });
}

test('a student sets a target, compares three, and finds both again at home', async ({ page }, info) => {
  await page.goto('/universities');
  // A visitor is led to sign in and back.
  await page.getByRole('button', { name: '设 清华大学 为目标院校' }).click();
  await expect(page).toHaveURL(/\/login\?ref=%2Funiversities/);
  await newStudent(page.request);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: '还没有目标院校' })).toBeVisible();
  await look(page, info, 'home-without-target');
  await page.getByRole('link', { name: '去院校库挑选' }).click();

  const target = page.getByRole('button', { name: '设 清华大学 为目标院校' });
  await target.click();
  await expect(target).toHaveAttribute('aria-pressed', 'true');
  for (const name of ['北京大学', '清华大学', '中国人民大学']) {
    const button = page.getByRole('button', { name: `对比 ${name}`, exact: true });
    await button.click();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
  }
  await page.getByRole('button', { name: '对比 北京交通大学', exact: true }).click();
  await expect(page.getByText('最多同时对比三所院校')).toBeVisible();
  await standClear(page);
  await look(page, info, 'universities-compared');

  await page.getByRole('button', { name: '开始对比' }).click();
  const dialog = page.getByRole('dialog', { name: '院校对比' });
  await expect(dialog.getByRole('columnheader')).toHaveCount(3);
  await expect(dialog.getByRole('row', { name: /主管部门/ })).toContainText('教育部');
  for (const tab of ['历史沿革', '教育教学', '实验室情况', '学科评估', '专业设置', '重点信息'])
    await expect(dialog.getByRole('rowheader', { name: tab })).toBeAttached();
  await look(page, info, 'universities-comparison');
  await page.reload();
  await expect(dialog.getByRole('columnheader')).toHaveCount(3);
  await dialog.getByRole('button', { name: '设 北京大学 为目标院校' }).click();
  await expect(dialog.getByRole('columnheader', { name: /北京大学/ })).toContainText('目标院校');

  await findPack(page.request, packs.maths);
  const { list } = await call(page.request, 'GET /api/user/course_list', {});
  expect(list.some((pack) => pack.examDate !== null)).toBe(true);
  await page.goto('/');
  const card = page.getByRole('region', { name: '目标院校' });
  await expect(card).toContainText('北京大学');
  await expect(card).toContainText(/距考试\s*\d+\s*天/);
  await look(page, info, 'home-with-target');
  await card.getByRole('link', { name: '看 3 所院校的对比' }).click();
  await expect(dialog).toBeVisible();
  await page.goto('/');
  await card.getByRole('link', { name: '北京大学' }).click();
  await expect(page.getByRole('dialog', { name: '院校详情' })).toContainText('北京大学');
});

test('a choice made before the stored ones have arrived, or after they failed, loses none of them', {
  tag: ONE_WIDTH,
}, async ({ page }) => {
  await newStudent(page.request);
  const find = async (name: string) => {
    const { list } = await call(page.request, 'GET /app/university/list', { name, pageNum: 1, pageSize: 1 });
    return list[0]?.id ?? 0;
  };
  const stored = async () =>
    (await call(page.request, 'GET /app/university/goal', {})).compare.map(({ name }) => name).sort();
  const before = [await find('复旦大学'), await find('南京大学')];
  await call(page.request, 'POST /app/university/compare', { universityIds: before });
  const compare = (name: string) => page.getByRole('button', { name: `对比 ${name}`, exact: true });

  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/app/university/goal', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/universities');
  await compare('北京大学').click();
  await expect(compare('北京大学')).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(compare('北京大学')).toHaveAttribute('aria-pressed', 'true');
  expect(await stored()).toEqual(['北京大学', '南京大学', '复旦大学'].sort());
  await expect(page.getByRole('region', { name: '院校对比' }).getByRole('listitem')).toHaveCount(3);

  // The stored choice cannot be had: the change is not sent, and says so.
  await call(page.request, 'POST /app/university/compare', { universityIds: before });
  await page.unroute('**/app/university/goal');
  await page.route('**/app/university/goal', (route) => route.abort());
  await page.reload();
  await compare('清华大学').click();
  await expect(page.getByText('网络连接不上，请检查网络后重试')).toBeVisible();
  expect(await stored()).toEqual(['南京大学', '复旦大学'].sort());

  // What another window chose meanwhile stays too.
  await page.unroute('**/app/university/goal');
  await page.reload();
  await expect(page.getByRole('region', { name: '院校对比' }).getByRole('listitem')).toHaveCount(2);
  await call(page.request, 'POST /app/university/compare', { universityIds: before.slice(0, 1) });
  await compare('清华大学').click();
  await expect(compare('清华大学')).toHaveAttribute('aria-pressed', 'true');
  expect(await stored()).toEqual(['复旦大学', '清华大学'].sort());
});

test('signing in from a section of a university leads back to that section', { tag: ONE_WIDTH }, async ({ page }) => {
  await page.goto('/universities?prov=北京');
  await page.getByRole('link', { name: '北京大学', exact: true }).click();
  const id = new URL(page.url()).searchParams.get('id');
  await page.goto(`/universities?id=${id}#education`);
  const dialog = page.getByRole('dialog', { name: '院校详情' });
  const education = dialog.getByRole('navigation', { name: '详情目录' }).getByRole('link', { name: '教育教学' });
  await expect(education).toHaveAttribute('aria-current', 'location');
  const login = page
    .getByRole('banner', { includeHidden: true })
    .getByRole('link', { name: '登录', includeHidden: true });
  await expect(login).toHaveAttribute('href', /\?ref=%2Funiversities%3Fid%3D\d+%23education$/);
  await dialog.getByRole('button', { name: '设为目标' }).click();
  await expect(page).toHaveURL(`/login?ref=${encodeURIComponent(`/universities?id=${id}#education`)}`);
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(students.second);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL(`/universities?id=${id}#education`);
  await expect(education).toHaveAttribute('aria-current', 'location');
  await expect(dialog.getByRole('region', { name: '教育教学' })).toBeInViewport();

  // A page that is for students alone.
  await page.context().clearCookies();
  await page.goto('/settings#phone');
  await expect(page).toHaveURL('/login?ref=%2Fsettings%23phone');
});

test('setting and taking away the target show their wait and cannot be pressed twice', { tag: ONE_WIDTH }, async ({
  page,
}) => {
  await newStudent(page.request);
  const target = page.getByRole('button', { name: '设 清华大学 为目标院校' });
  const other = page.getByRole('button', { name: '设 北京大学 为目标院校' });
  let sent = 0;
  let release: () => void = () => undefined;
  let held = Promise.resolve();
  await page.route('**/app/university/goal', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      await held;
    }
    await route.continue();
  });
  await page.goto('/universities');
  await expect(target).toHaveAttribute('aria-pressed', 'false');
  for (const [index, pressed] of ['true', 'false'].entries()) {
    held = new Promise<void>((done) => {
      release = done;
    });
    await target.focus();
    await page.keyboard.press('Enter');
    await expect(target).toHaveAttribute('aria-busy', 'true');
    await page.keyboard.press('Enter');
    // Not by the mouse, which would take the focus with it.
    await other.dispatchEvent('click');
    await expect(other).not.toHaveAttribute('aria-busy');
    release();
    await expect(target).toHaveAttribute('aria-pressed', pressed);
    await expect(target).not.toHaveAttribute('aria-busy');
    await expect(target, 'the keyboard stays where it is').toBeFocused();
    await expect(other).toHaveAttribute('aria-pressed', 'false');
    expect(sent).toBe(index + 1);
  }
});

test('nothing that fits, and a list that does not come', async ({ page, context }, info) => {
  await page.goto('/universities?name=没有这所学校&level=985');
  await expect(page.getByText('没有符合条件的院校')).toBeVisible();
  await look(page, info, 'universities-none');
  await page.getByRole('button', { name: '清除全部条件' }).click();
  await total(page, 147);
  await expect(box(page)).toHaveValue('');

  await context.setOffline(true);
  await choose(page, '院校层次', '985');
  const failed = page.getByRole('alert');
  await expect(failed).toContainText('网络连接不上');
  await context.setOffline(false);
  await failed.getByRole('button', { name: '重试' }).click();
  await total(page, 39);
});
