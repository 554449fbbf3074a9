import { expect, type Locator, type Page, test } from '@playwright/test';
import { lessonsIn } from '#rules/play/directory.ts';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { fitsWidth } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

/** docs/accessibility.md: who sits a paper by keys alone, hears it, needs the system's colours, or reads it at 400%. */

/** A paper of the maths pack on the screen, for a student of its own. */
async function openPaper(page: Page, name: string): Promise<ExamScreen> {
  await newStudent(page.request);
  const exam = new ExamScreen(page);
  await exam.open(await findPaper(page.request, await findPack(page.request, packs.maths), name));
  return exam;
}

/** What has the keyboard now. */
const focused = (page: Page): Locator => page.locator(':focus');

/** Presses Tab until this has the keyboard. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((node) => node === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}

const bare = (text: string) => text.replace(/\s+/g, '');

/** What the browser tells a screen reader: the names of the options, and what Tab reaches without a name. */
async function heard(page: Page): Promise<{ options: string[]; nameless: string[] }> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  const told = nodes.filter(({ ignored, role }) => !ignored && role?.value !== 'RootWebArea');
  const nameless: string[] = [];
  for (const { name, role, properties = [], backendDOMNodeId: backendNodeId } of told) {
    const focusable = properties.some((property) => property.name === 'focusable' && property.value.value === true);
    if (!focusable || name?.value || backendNodeId === undefined) continue;
    const { attributes = [] } = (await devtools.send('DOM.describeNode', { backendNodeId })).node;
    if (attributes[attributes.indexOf('tabindex') + 1] !== '-1')
      nameless.push(`${role?.value} ${attributes.join(' ')}`);
  }
  await devtools.detach();
  const options = told.filter(({ role }) => role?.value === 'radio' || role?.value === 'checkbox');
  return { options: options.map(({ name }) => bare(String(name?.value))), nameless };
}

/** The options as they are seen: their letter, their words, a formula by its words, a picture by what it shows. */
async function seen(exam: ExamScreen): Promise<string[]> {
  const shown = await exam.options().evaluateAll((options) =>
    options.map((option) => {
      const copy = option.cloneNode(true);
      if (!(copy instanceof HTMLElement)) return '';
      for (const formula of copy.querySelectorAll('.katex')) {
        const words = formula.querySelector('math')?.getAttribute('aria-label');
        formula.replaceWith(words || 'a formula without words');
      }
      for (const image of copy.querySelectorAll('img')) image.replaceWith(image.alt);
      return copy.textContent ?? '';
    }),
  );
  return shown.map(bare);
}

test('formulas of a paper come set with it: their library never comes, their names in words do', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  // Whoever opens a paper first may not wait until all of its formulas are set: the second has them.
  await openPaper(page, '限时测验：练习里没有的六道题');
  await expect(page.locator('.katex').first()).toBeVisible();
  fetched.length = 0;
  await page.reload();
  await expect(page.locator('.katex').first()).toBeVisible();
  for (let number = 2; number <= 6; number += 1) {
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('article')).not.toContainText('\\(');
  }
  for (const name of await page.locator('.katex math').evaluateAll((all) => all.map((math) => math.ariaLabel)))
    expect(name).toBeTruthy();
  expect(fetched.filter((path) => /katex-.*\.js$/.test(path))).toEqual([]);
  expect(fetched.filter((path) => /formulas-.*\.(?:js|css)$/.test(path))).toHaveLength(2);
});

test('a whole paper by keyboard alone, and heard as it is shown', async ({ page }) => {
  const exam = await openPaper(page, '限时测验：练习里没有的六道题');
  let formulas = 0;
  for (let number = 1; number <= 6; number += 1) {
    await exam.isAt(number);
    const first = exam.options().or(exam.written()).first();
    await expect(first).toBeVisible();
    const written = (await exam.options().count()) === 0;
    if (!written) {
      // A formula is set once its code is there: until then it is its source.
      await expect(page.locator('article')).not.toContainText('\\(');
      const { options, nameless } = await heard(page);
      expect(options).toEqual(await seen(exam));
      expect(nameless).toEqual([]);
      formulas += await exam.options().locator('math').count();
    }
    await tabTo(page, first);
    if (written) await page.keyboard.type('略');
    else if ((await first.getAttribute('role')) === 'radio') {
      await page.keyboard.press('ArrowDown');
      await expect(exam.option('B'), 'an arrow chooses').toBeFocused();
      await expect(exam.option('B')).toBeChecked();
      await expect(exam.option('A')).toHaveAttribute('tabindex', '-1');
    } else {
      await page.keyboard.press('Space');
      await expect(exam.option('A')).toBeChecked();
      await page.keyboard.press('Tab');
      await expect(exam.option('B'), 'each of several is a stop').toBeFocused();
      await page.keyboard.press('Space');
    }
    if (number === 6) break;
    if (written) await tabTo(page, page.getByRole('button', { name: '下一题' }));
    await page.keyboard.press('Enter');
  }
  expect(formulas, 'the paper has formulas in its options').toBeGreaterThan(0);

  // Out of the field, where a key is a letter.
  await tabTo(page, page.getByRole('button', { name: '上一题' }));
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: '显示与快捷键' });
  await expect(
    keys.getByRole('switch', { name: /选择后自动进入下一题/ }),
    'a dialog opens on its first field',
  ).toBeFocused();
  await tabTo(page, keys.getByRole('switch', { name: /字母和数字快捷键/ }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await page.keyboard.press('m');
  await page.keyboard.press('?');
  await expect(page.getByRole('button', { name: '标记', exact: true }), 'no letter acts').toBeVisible();
  await expect(keys).toBeHidden();

  await tabTo(page, page.getByRole('button', { name: '交卷', exact: true }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '确认交卷' });
  await expect(dialog.getByRole('button', { name: '继续作答' }), 'it opens on the safe button').toBeFocused();
  await tabTo(page, dialog.getByRole('button', { name: '确认交卷' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/exam\/result\/\d+$/);
  await expect(page.getByRole('main'), 'the result is read from its beginning').toBeFocused();
});

/** Ground and ink of an element, as the system's colours leave them. */
const painted = (element: Locator) =>
  element.evaluate((node) => {
    const { backgroundColor, color } = getComputedStyle(node);
    return `${color} on ${backgroundColor}`;
  });

test('in forced colours every state looks like one', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const exam = await openPaper(page, '高等数学模拟卷（一）');
  await exam.choose('B');
  await exam.isAt(2);
  await exam.previous();
  await exam.isAt(1);
  const badge = (letter: string) => exam.option(letter).locator('span').first();
  expect(await painted(badge('B'))).not.toBe(await painted(badge('A')));
  const card = await exam.card();
  const cell = (number: number) => card.getByRole('button', { name: new RegExp(`^第 ${number} 题`) });
  expect(await painted(cell(1))).not.toBe(await painted(cell(2)));
  await expect(cell(1).locator('svg'), '已答 has a mark').toHaveCount(1);
  await expect(cell(2).locator('svg')).toHaveCount(0);
  expect(await painted(card.getByRole('button', { name: '全部' }))).not.toBe(
    await painted(card.getByRole('button', { name: /^标记/ })),
  );
  await page.getByRole('button', { name: '显示与快捷键' }).click();
  const dialog = page.getByRole('dialog', { name: '显示与快捷键' });
  const size = (name: string) => dialog.getByRole('radiogroup').getByText(name, { exact: true }).locator('..');
  await expect(size('标准')).toBeVisible();
  expect(await painted(size('标准'))).not.toBe(await painted(size('特大')));
});

test('in forced colours the name of a sound stands free of its controls on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ forcedColors: 'active' });
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const { list } = await call(page.request, 'GET /app/course/chapters', { packId });
  const sound = lessonsIn(list).find(({ kind }) => kind === 'audio');
  await page.goto(`/course/play/${packId}?lesson=${sound?.id}`);
  const controls = page.getByRole('group', { name: '播放控制' });
  // The demo's sound may still be converted, and comes by itself.
  await expect(controls).toBeVisible({ timeout: 90_000 });
  const name = page
    .locator('[data-kind="audio"]')
    .getByText(sound?.name ?? '')
    .first();
  const [words, below] = [await name.boundingBox(), await controls.boundingBox()];
  if (!words || !below) throw new Error('no name, or no controls');
  expect(words.y + words.height).toBeLessThanOrEqual(below.y);
});

test('at 400% a case question has room to be read', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const examId = await findPaper(page.request, packId, '高等数学模拟卷（二）');
  await page.setViewportSize({ width: 320, height: 256 });
  const exam = new ExamScreen(page);
  await exam.open(examId);
  await page.goto('/myExams');
  const goOn = page.getByRole('link', { name: '继续作答' });
  await goOn.scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => window.scrollY), 'the list is scrolled').toBeGreaterThan(0);
  await goOn.click();
  await exam.isAt(1);
  expect(await page.evaluate(() => window.scrollY), 'a paper begins at its top').toBe(0);
  await page.goto(`/exam/${examId}?q=19`);
  await exam.isAt(19);
  const material = page.getByRole('tab', { name: '材料' });
  await expect(page.getByRole('tab', { name: '题目' })).toHaveAttribute('aria-selected', 'true');
  await fitsWidth(page);
  // Nothing stays in the way: the question goes up past the bar.
  await exam.option('A').scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 2000);
  await expect(page.getByRole('button', { name: '交卷', exact: true })).not.toBeInViewport();
  await expect(page.getByRole('button', { name: '下一题' })).toBeInViewport();
  await material.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tabpanel', { name: '材料' })).toBeVisible();
  await expect(exam.option('A')).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(focused(page), 'arrows go from tab to tab').toHaveAccessibleName('题目');
  await expect(exam.option('A')).toBeVisible();
  await page.getByRole('button', { name: /^答题卡/ }).click();
  const number19 = page.getByRole('region', { name: '答题卡' }).getByRole('button', { name: /^第 19 题/ });
  await expect(number19, 'the answer card has room for its numbers').toBeInViewport({ ratio: 1 });
  expect(
    await number19.evaluate((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [y + 2, y + height - 2].every((at) => node.contains(document.elementFromPoint(x + width / 2, at)));
    }),
    'none of it is cut off',
  ).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '草稿纸', exact: true }).press('Enter');
  const sheet = page.getByRole('dialog', { name: '草稿纸' });
  await expect(sheet.getByRole('heading')).toBeFocused();
  // It fills the window: the keyboard goes round in it, and no key turns the page under it.
  for (let press = 0; press < 8; press += 1) {
    await page.keyboard.press('Tab');
    await expect(sheet.locator(':focus')).toHaveCount(1);
  }
  await sheet.getByRole('button', { name: '收起草稿纸' }).press('ArrowRight');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(focused(page)).toHaveAccessibleName('草稿纸');
  await exam.isAt(19);
  await page.getByRole('button', { name: '下一题' }).click();
  await exam.isAt(20);
  await page.getByRole('button', { name: '交卷', exact: true }).click();
  await expect(focused(page)).toHaveAccessibleName('继续作答');
  await expect(focused(page), 'a dialog higher than the window shows what it opens on').toBeInViewport({ ratio: 1 });
});

/** In the page: what stays over it while it is scrolled. */
function staying(): string[] {
  const bars = [...document.querySelectorAll<HTMLElement>('#root *')].filter((element) => {
    const { position } = getComputedStyle(element);
    const { top, bottom, width, height } = element.getBoundingClientRect();
    const inSight = bottom > 0 && top < innerHeight && width > innerWidth / 2 && height > 20;
    return (position === 'fixed' || position === 'sticky') && inSight;
  });
  return bars.map(({ tagName, textContent }) => `${tagName} ${textContent.slice(0, 30)}`);
}

test('at 400% no bar stays over the pages of the site', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  await page.setViewportSize({ width: 320, height: 256 });
  const places = ['/', `/course/${packId}`, `/course/play/${packId}`, `/wrongQuestions?packId=${packId}`];
  for (const address of [...places, '/universities?level=985', `/examCenter/random?packId=${packId}`, '/settings']) {
    await page.goto(address);
    await expect(page.getByRole('main').locator('h1:not([data-spare])').first()).toBeVisible();
    await fitsWidth(page);
    await page.mouse.wheel(0, 150);
    await expect(page.getByRole('banner'), address).not.toBeInViewport();
    expect.soft(await page.evaluate(staying), address).toEqual([]);
  }
});

/** In the page: what has the keyboard while something else lies over all of it. */
function covered(): string[] {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return [];
  const { left, top, right, bottom } = focused.getBoundingClientRect();
  const seen = [top + 2, (top + bottom) / 2, bottom - 2].some((y) => {
    const over = document.elementFromPoint((left + right) / 2, y);
    return over !== null && (focused.contains(over) || over.contains(focused));
  });
  return seen ? [] : [focused.getAttribute('aria-label') ?? focused.textContent.slice(0, 30)];
}

test('at 200% the keyboard stays clear of the bars at the bottom @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const examId = await findPaper(page.request, packId, '高等数学模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  await call(page.request, 'POST /api/exam/submit', { examId, recordId });
  const priced = await findPack(page.request, packs.logic, { join: false });
  await page.setViewportSize({ width: 720, height: 600 });
  const places = ['/courses', `/course/${priced}`, `/exam/result/${recordId}`, `/exam/review/${recordId}?view=list`];
  for (const address of [...places, '/personCenter/devices']) {
    await page.goto(address);
    await expect(page.getByRole('main').locator('h1:not([data-spare]), h2').first()).toBeVisible();
    // What comes after its heading moves what has the keyboard by then.
    await page.waitForLoadState('networkidle');
    const under: string[] = [];
    for (let press = 0; press < 45; press += 1) {
      await page.keyboard.press('Tab');
      under.push(...(await page.evaluate(covered)));
    }
    expect.soft(under, address).toEqual([]);
  }
  // What stays at the bottom scrolls nothing when the keyboard comes to it.
  await page.goto(`/exam/review/${recordId}?view=list`);
  const card = page.getByRole('button', { name: /^答题卡/ });
  await expect(card).toBeVisible();
  const scrolled = await card.evaluate((button) => {
    window.scrollTo(0, 600);
    const before = window.scrollY;
    button.focus();
    return window.scrollY - before;
  });
  expect(scrolled).toBe(0);
});
