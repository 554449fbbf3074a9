import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { fitsWidth, look, wholeWords } from './look.ts';
import { findPack, findPaper, newStudent, PASSWORD, packs } from './student.ts';

/**
 * Texts of the page that a person reads or hears and that hold Chinese words or signs, beside what the school wrote (`content`). Each has to say
 * that it is Chinese, so that a screen reader reads it as such; only where the code says so (no `data-told`) it is taken for content without a look.
 */
async function chineseLeft(page: Page, content = ''): Promise<string[]> {
  const found = await page.evaluate(() => {
    const texts: string[] = [];
    const han = /[\p{Script=Han}，、。：]/u;
    const hasWords = /\p{Script=Han}/u;
    for (const element of document.querySelectorAll('body *')) {
      // A language names itself in itself.
      if (element.closest('noscript, script, style')) continue;
      const said = element.closest('[lang]');
      if (said?.matches('[lang^="zh"]:not([data-told])')) continue;
      const unsaid = said?.matches('[lang^="zh"]') ? '' : 'without lang: ';
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const value = element.getAttribute(name);
        if (value !== null && han.test(value)) texts.push(value);
        if (value !== null && hasWords.test(value) && unsaid && /label|alt/.test(name)) texts.push(unsaid + value);
      }
      for (const node of element.childNodes) {
        const text = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').trim() : '';
        if (han.test(text)) texts.push(text);
        if (hasWords.test(text) && unsaid) texts.push(unsaid + text);
      }
    }
    return texts;
  });
  return [...new Set(found)].filter(
    (text) => text.startsWith('without lang') || (text !== '中文' && !isOf(content, text)),
  );
}

/** Only the Chinese of a text is compared: markup, formulas, blanks and a cut end (…) come between otherwise. */
function isOf(content: string, text: string): boolean {
  return (text.match(/\p{Script=Han}{2,}/gu) ?? [text]).every((words) => content.includes(words));
}

/** What the school wrote, of any shape, as one text. */
function plain(value: unknown): string {
  return JSON.stringify(value);
}

async function inEnglish(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
}

test('English reaches every word of the site that is not content', async ({ page }, info) => {
  await inEnglish(page);
  await expect(page.getByRole('tab', { name: 'By password' })).toBeVisible();
  expect.soft(await chineseLeft(page), 'login').toEqual([]);
  await look(page, info, 'login-english');
  await newStudent(page.request);
  await call(page.request, 'POST /api/user/update', { nickname: 'Lin' });
  const content = JSON.stringify(await call(page.request, 'GET /api/common/course_list', {}));
  for (const path of ['/', '/courses', '/settings', '/personCenter', '/examCenter', '/myExams', '/no/such/page']) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('main').locator('h1:not([data-spare]), p').first()).toBeVisible();
    expect.soft(await chineseLeft(page, content), path).toEqual([]);
  }
});

test('English says all and All each where the product spec prints it so', async ({ page }) => {
  await inEnglish(page);
  await page.goto('/universities');
  const wide = (page.viewportSize()?.width ?? 0) > 800;
  if (!wide) await page.getByRole('button', { name: 'Filter' }).click();
  const filters = wide
    ? page.getByRole('complementary', { name: 'Filter' })
    : page.getByRole('dialog', { name: 'Filter' });
  const words = (group: string) => filters.getByRole('group', { name: group }).locator('label');
  await expect(words('Level')).toHaveText(['all', '985', '211', 'double-first-class']);
  await expect(words('Region').first()).toHaveText('All');
});

test('English reaches the exam and its dialogs', async ({ page }, info) => {
  await inEnglish(page);
  await newStudent(page.request);
  await call(page.request, 'POST /api/user/update', { nickname: 'Lin' });
  const packId = await findPack(page.request, packs.accounting);
  const name = '《初级会计实务》模拟卷（一）';
  const examId = await findPaper(page.request, packId, name);
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions, sections, cases } = await call(page.request, 'GET /api/exam/details', { recordId });
  const tree = await call(page.request, 'GET /app/question/index', { packId, type: 1 });
  const { list: papers } = await call(page.request, 'GET /api/exam/exam_list', { packId });
  const { list: known } = await call(page.request, 'GET /api/common/course_list', {});
  const content = plain([questions, sections, cases, tree, papers, known]);
  const check = async (screen: string) => expect.soft(await chineseLeft(page, content), screen).toEqual([]);

  await page.goto(`/exam/${examId}`);
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeVisible();
  await check('exam');
  await look(page, info, 'exam-english');
  for (const button of ['Feedback', 'Display and keys', 'Hand in']) {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(button);
    if (button === 'Feedback') await expect(page.getByRole('dialog', { name: 'question feedback' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('English reaches the result, the review and the lists of exams', async ({ page }, info) => {
  await inEnglish(page);
  await newStudent(page.request);
  await call(page.request, 'POST /api/user/update', { nickname: 'Lin' });
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const answers = questions.slice(0, 3).map(({ questionId }) => ({ questionId, answer: 'A', seq: 1 }));
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
  const content = plain([
    await call(page.request, 'GET /app/exam/review', { recordId }),
    await call(page.request, 'GET /app/question/index', { packId, type: 1 }),
    await call(page.request, 'GET /api/exam/exam_list', { packId }),
    await call(page.request, 'GET /api/common/course_list', {}),
  ]);
  await page.goto(`/exam/result/${recordId}`);
  await expect(page.getByRole('img', { name: /^\d+%/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /1/ }).first()).toBeVisible();
  expect.soft(await chineseLeft(page, content), 'result').toEqual([]);
  await look(page, info, 'result-english', { whole: true });
  const paths = [
    `/exam/review/${recordId}`,
    `/exam/review/${recordId}?view=list`,
    `/startExam/chaptExam?packId=${packId}&questionTypesId=0`,
    `/examCenter?packId=${packId}`,
    `/examCenter?packId=${packId}&kind=past&year=1999`,
    '/myExams',
  ];
  for (const path of paths) {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.locator('article, li, p').first()).toBeVisible();
    expect.soft(await chineseLeft(page, content), path).toEqual([]);
  }
});

test('English reaches the universities, their details and the comparison', async ({ page }, info) => {
  await inEnglish(page);
  await newStudent(page.request);
  await call(page.request, 'POST /api/user/update', { nickname: 'Lin' });
  const { list } = await call(page.request, 'GET /app/university/list', { pageNum: 1, pageSize: 200 });
  const universityIds = list.slice(0, 3).map(({ id }) => id);
  const [first] = universityIds;
  await call(page.request, 'POST /app/university/compare', { universityIds });
  await call(page.request, 'POST /app/university/goal', { universityId: first ?? null });
  await findPack(page.request, packs.maths);
  const details = await Promise.all(
    universityIds.map((id) => call(page.request, 'GET /app/university/details', { id })),
  );
  const content = plain([
    list,
    details,
    await call(page.request, 'GET /app/university/province_list', {}),
    await call(page.request, 'GET /api/common/course_list', {}),
    await call(page.request, 'GET /app/plan/today', {}),
  ]);
  const check = async (screen: string) => expect.soft(await chineseLeft(page, content), screen).toEqual([]);

  await page.goto('/universities?level=985&prov=北京');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Comparison' })).toBeVisible();
  await check('universities');
  await look(page, info, 'universities-english');
  const filters = page.getByRole('button', { name: 'Filter', exact: true });
  if (await filters.isVisible()) {
    await filters.click();
    await expect(page.getByRole('dialog', { name: 'Filter' })).toBeVisible();
    await check('filters');
    await look(page, info, 'universities-filters-english');
  }
  await page.goto('/universities?name=nothing-like-it');
  await expect(page.getByText('No universities match.')).toBeVisible();
  await check('no university');
  await page.goto(`/universities?id=${first}`);
  await expect(page.getByRole('dialog').getByRole('heading', { level: 2 }).nth(1)).toBeVisible();
  await check('details');
  await look(page, info, 'university-detail-english');
  await page.goto('/universities?compare=1');
  await expect(page.getByRole('dialog').getByRole('columnheader')).toHaveCount(3);
  await check('comparison');
  await look(page, info, 'universities-comparison-english');

  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Target university' })).toContainText(/Exam in\s*\d+\s*days?/);
  await check('home');
  await look(page, info, 'home-english');
});

test('English reaches a course and one’s own courses', async ({ page }, info) => {
  await inEnglish(page);
  await newStudent(page.request);
  await call(page.request, 'POST /api/user/update', { nickname: 'Lin' });
  const packId = await findPack(page.request, packs.accounting, { join: false });
  const content = plain([
    await call(page.request, 'GET /api/common/course_list', {}),
    await call(page.request, 'GET /api/common/course_details', { packId }),
    await call(page.request, 'GET /app/course/chapters', { packId }),
    await call(page.request, 'GET /api/common/course_file_names', { packId }),
  ]);
  const check = async (screen: string) => expect.soft(await chineseLeft(page, content), screen).toEqual([]);
  const myCourses = '/personCenter/personCenter/courserCenter/buyCourse';
  await page.goto(myCourses);
  await expect(page.getByText('You have not joined a course.')).toBeVisible();
  await check('no courses');
  await page.goto(`/course/${packId}`);
  await expect(page.getByRole('button', { name: 'Join' })).toBeVisible();
  await check('course');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByRole('navigation', { name: 'Ways to practice' })).toBeVisible();
  await check('course, joined');
  await look(page, info, 'course-english', { whole: true });
  await page.goto(myCourses);
  await expect(page.getByRole('article')).toHaveCount(1);
  await check('my courses');
  await look(page, info, 'my-courses-english');
});

test('on the narrowest phone and on a tablet no English word is cut off', async ({ page }) => {
  await inEnglish(page);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const examId = await findPaper(page.request, packId, '高等数学模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const answers = questions.slice(0, 12).map(({ questionId }) => ({ questionId, answer: 'A', seq: 1 }));
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
  const addresses = {
    [`/examCenter?packId=${packId}&kind=mock`]: 'Start again',
    '/myExams': 'See explanations',
    [`/exam/result/${recordId}`]: 'See explanations',
    '/settings': 'Question text',
    [`/exam/review/${recordId}?q=2`]: 'Answer card',
  };
  for (const width of [320, 820]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [address, words] of Object.entries(addresses)) {
      await page.goto(address);
      await expect(page.getByText(words).first()).toBeVisible();
      await fitsWidth(page);
      const cut = await page.getByRole('main').or(page.getByRole('navigation')).evaluateAll(wordsCutOff);
      expect.soft(cut, `${address} at ${width}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/startExam/chaptExam?packId=${packId}&questionTypesId=0`);
  const accuracy = page.getByRole('main').getByText(/^Accuracy \d+%$/);
  await expect(accuracy.first()).toBeVisible();
  expect(await accuracy.first().evaluate((one) => one.parentElement?.querySelector('[class*="done"]') !== null)).toBe(
    true,
  );
  expect(await accuracy.evaluateAll(overItsNeighbour), 'no figure stands over another').toEqual([]);
  const signs = page.getByRole('navigation', { name: 'Bottom navigation' }).getByRole('link').locator('svg');
  const tops = await signs.evaluateAll((all) => all.map((sign) => Math.round(sign.getBoundingClientRect().top)));
  expect(new Set(tops).size, 'signs of the bar stand in one line').toBe(1);
  await page.goto('/settings');
  const [field, button] = [page.getByLabel(/^Code sent to/), page.getByRole('button', { name: 'Get a code' })];
  await expect(button.first()).toBeVisible();
  const [input, beside] = [await field.first().boundingBox(), await button.first().boundingBox()];
  expect(Math.abs((input?.y ?? 0) - (beside?.y ?? 99)), 'level with its field').toBeLessThan(2);
});

/** In the page: those that stand over the next words beside them. */
function overItsNeighbour(all: Element[]): string[] {
  return all.flatMap((one) => {
    const [a, b] = [one.getBoundingClientRect(), one.parentElement?.querySelector('[class*="done"]')];
    const other = b?.getBoundingClientRect();
    const words = document.createRange();
    if (b) words.selectNodeContents(b);
    const over = other && words.getBoundingClientRect().right > a.left && other.bottom > a.top && other.top < a.bottom;
    return over ? [one.parentElement?.textContent ?? ''] : [];
  });
}

test('no English word is broken, and no figure parted from its unit, at the usual widths', async ({ page }) => {
  await inEnglish(page);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const { list } = await call(page.request, 'GET /app/university/list', { pageNum: 1, pageSize: 1 });
  const universityId = list[0]?.id ?? 0;
  await call(page.request, 'POST /app/university/goal', { universityId });
  await call(page.request, 'POST /app/university/compare', { universityIds: [universityId] });
  const examDate = new Date(Date.now() + 24 * 86_400_000).toISOString().slice(0, 10);
  await call(page.request, 'POST /app/exam/study_settings', { packId, examDate });
  const examId = await findPaper(page.request, packId, '高等数学模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const answers = questions.slice(0, 3).map(({ questionId }) => ({ questionId, answer: 'A', seq: 1 }));
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    const days = page.getByRole('region', { name: 'Target university' }).getByText(/Exam in\s*\d+\s*days?/);
    await expect(days).toBeVisible();
    const [line, { size }] = await days.evaluate((all) => {
      const range = document.createRange();
      range.selectNodeContents(all);
      const strong = all.querySelector('strong') ?? all;
      return [range.getBoundingClientRect().height, { size: Number.parseFloat(getComputedStyle(strong).fontSize) }];
    });
    expect.soft(line, `${width}: the days stand in one line`).toBeLessThan(1.6 * size);
    await wholeWords(page);
    await page.goto('/universities');
    await expect(page.getByRole('article').first()).toBeVisible();
    const filters = page.getByRole('button', { name: 'Filter', exact: true });
    if (await filters.isVisible()) await filters.click();
    const level = page.getByText('double-first-class', { exact: true }).filter({ visible: true }).first();
    await expect(level).toBeVisible();
    await wholeWords(page);
    await page.goto(`/universities?id=${universityId}`);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Remove from comparison')).toBeVisible();
    expect.soft(await dialog.evaluateAll(wordsCutOff), `details at ${width}`).toEqual([]);
    await wholeWords(page);
    await page.goto(`/statistics?packId=${packId}`);
    const month = page.locator('figure svg text').first();
    await expect(month).toBeVisible();
    const tall = await month.evaluate((text) => text.getBoundingClientRect().height);
    expect.soft(tall, `${width}: the months are as large as other small words`).toBeGreaterThan(10);
    expect.soft(tall).toBeLessThan(19);
    await wholeWords(page);
  }
});

test('what a teacher presses at a comment says what it does', async ({ page }) => {
  await inEnglish(page);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const comment = `Thanks ${Date.now()}`;
  await call(page.request, 'POST /app/comment/save', { packId, courseId: 1, comment });
  await call(page.request, 'POST /api/user/login', { phone: '13900000001', password: PASSWORD });
  await page.goto('/teach/comments');
  const line = page.getByRole('listitem').filter({ hasText: comment });
  await line.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(line.getByText('Pinned', { exact: true })).toBeVisible();
  await line.getByRole('button', { name: 'Unpin', exact: true }).click();
});

/** In the page: the words of buttons that do not fit into them. */
function wordsCutOff(parts: Element[]): string[] {
  const buttons = parts.flatMap((part) => [...part.querySelectorAll('.mantine-Button-root, button:not(main *)')]);
  return buttons.flatMap((button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    const [inside, outside] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
    const label = button.querySelector('[class*="Button-label"]');
    const over = label === null ? inside.right - outside.right : label.scrollWidth - label.clientWidth;
    return outside.width > 1 && over > 1 ? [button.textContent] : [];
  });
}
