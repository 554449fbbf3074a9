import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

const locked = '您已在另一个窗口继续作答，本窗口不再保存';
/** Decisions §3: the window that lost the paper says so within 2 s. */
const soon = { timeout: 2000 };

async function paper(page: Page): Promise<number> {
  return findPaper(page.request, await findPack(page.request, packs.accounting), '《初级会计实务》模拟卷（一）');
}

async function answers(page: Page, recordId: number): Promise<string[]> {
  const { answers: held } = await call(page.request, 'GET /api/exam/cache', { recordId });
  return held.map(({ answer }) => answer).sort();
}

test('two tabs: the last one active answers, the other is read-only until it takes over', async ({
  page,
  context,
}, info) => {
  await newStudent(page.request);
  const examId = await paper(page);
  const first = new ExamScreen(page);
  await first.open(examId);
  await first.choose('A');
  await first.isAt(2);
  await expect(first.saved()).toBeVisible();

  const second = new ExamScreen(await context.newPage());
  await second.open(examId);
  await expect(page.getByRole('alert').getByText(locked)).toBeVisible(soon);
  await look(page, info, 'exam-taken-over');
  expect(await second.chosen(), 'the second tab has what the first saved').toBe('A');
  await first.option('C').click({ force: true });
  expect(await first.chosen()).toBe('');
  await second.jump(2);
  await second.choose('B');
  await second.isAt(3);
  await expect(second.saved()).toBeVisible();

  await page.getByRole('button', { name: '在此窗口继续作答' }).click();
  await expect(page.getByRole('alert').getByText(locked)).toBeHidden();
  await expect(second.page.getByRole('alert').getByText(locked)).toBeVisible(soon);
  expect(await first.chosen(), 'the first tab shows what the second answered').toBe('B');
  await first.next();
  await first.choose('D');
  await first.isAt(4);
  await expect(first.saved()).toBeVisible();

  const recordId = await first.handIn();
  await expect(second.page).toHaveURL(`/exam/result/${recordId}`);
  expect(await answers(page, recordId)).toEqual(['A', 'B', 'D']);
});

test('two devices: the push of the server locks the other one, and after hand-in none can save', async ({
  page,
  browser,
  context,
}) => {
  await newStudent(page.request);
  const examId = await paper(page);
  const here = new ExamScreen(page);
  await here.open(examId);
  await here.choose('A');
  await here.isAt(2);
  await expect(here.saved()).toBeVisible();

  const elsewhere = await browser.newContext({ storageState: await context.storageState() });
  try {
    const there = new ExamScreen(await elsewhere.newPage());
    await there.open(examId);
    await expect(page.getByRole('alert').getByText(locked)).toBeVisible(soon);
    expect(await there.chosen()).toBe('A');
    await there.choose('C');
    await there.isAt(2);
    await expect(there.saved()).toBeVisible();

    await page.getByRole('button', { name: '在此窗口继续作答' }).click();
    await expect(there.page.getByRole('alert').getByText(locked)).toBeVisible(soon);
    await here.choose('D');
    await here.isAt(3);
    await expect(here.saved()).toBeVisible();

    // A save of the locked window that was still under way is refused by the server, whatever the page believes.
    const recordId = here.recordId();
    const late = await there.page.request.post('/api/exam/save_question', {
      data: {
        examId,
        recordId,
        questionId: await firstQuestion(page, recordId),
        answer: 'B',
        windowId: 'some-old-window',
      },
    });
    expect(await late.json()).toMatchObject({ code: 409, msg: locked, data: { why: 'takenOver' } });

    await here.handIn();
    await expect(there.page).toHaveURL(`/exam/result/${recordId}`, soon);
    const after = await there.page.request.post('/api/exam/save_question', {
      data: { examId, recordId, questionId: await firstQuestion(page, recordId), answer: 'B' },
    });
    expect(await after.json()).toMatchObject({ code: 409, data: { why: 'alreadySubmitted' } });
    expect(await answers(page, recordId)).toEqual(['C', 'D']);
  } finally {
    await elsewhere.close();
  }
});

async function firstQuestion(page: Page, recordId: number): Promise<number> {
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  return questions[0]?.questionId ?? 0;
}

test('a second tab sends what the first one could not', async ({ page, context }) => {
  await newStudent(page.request);
  const examId = await paper(page);
  const first = new ExamScreen(page);
  await first.open(examId);
  await page.route('**/api/exam/save_question', (route) => route.abort());
  await first.choose('A');
  await first.isAt(2);
  const second = new ExamScreen(await context.newPage());
  await second.open(examId);
  await expect(first.says('只读，已保留 1 题')).toBeVisible();
  // Both windows are of one browser: the second finds the answer on its disk.
  expect(await second.chosen()).toBe('A');
  await expect(second.saved()).toBeVisible();
  expect(await answers(page, first.recordId())).toEqual(['A']);
});

test('what a locked window could not send goes out when it takes over', async ({ page, browser, context }) => {
  await newStudent(page.request);
  const examId = await paper(page);
  const here = new ExamScreen(page);
  await here.open(examId);
  await page.route('**/api/exam/save_question', (route) => route.abort());
  await here.choose('A');
  await here.isAt(2);

  // Another device: it has no way to the answer on this one's disk, so nobody else can send it.
  const elsewhere = await browser.newContext({ storageState: await context.storageState() });
  try {
    const there = new ExamScreen(await elsewhere.newPage());
    await there.open(examId);
    await expect(here.says('只读，已保留 1 题')).toBeVisible();
    expect(await there.chosen()).toBe('');
    await page.unroute('**/api/exam/save_question');
    expect(await answers(page, here.recordId())).toEqual([]);

    await page.getByRole('button', { name: '在此窗口继续作答' }).click();
    await expect(here.saved()).toBeVisible();
    expect(await answers(page, here.recordId())).toEqual(['A']);
  } finally {
    await elsewhere.close();
  }
});

test('keys that a window shows are hidden as soon as a scored exam with them begins in another one, and are not shown from memory', {
  tag: '@one-width',
}, async ({ page, context }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  await call(page.request, 'POST /api/exam/submit', { examId, recordId });

  await page.goto(`/exam/review/${recordId}?view=list`);
  await expect(page.getByText('正确答案', { exact: true }).first()).toBeVisible();
  const second = new ExamScreen(await context.newPage());
  await second.page.goto(`/exam/review/${recordId}?view=list`);
  await expect(second.page.getByText('正确答案', { exact: true }).first()).toBeVisible();
  // Within the page, as by its links: what it has cached stays.
  const within = (to: string) =>
    second.page.evaluate((address) => {
      history.pushState({}, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    }, to);
  await within(`/exam/${examId}`);
  await second.isAt(1);
  await expect(page.getByText('考试中，暂不显示').first()).toBeVisible(soon);
  await expect(page.getByText('正确答案', { exact: true })).toHaveCount(0);

  // Without the network nothing but memory could show it.
  await context.setOffline(true);
  await within(`/exam/review/${recordId}?view=list`);
  await expect(second.page.getByRole('button', { name: /重试/ }).first()).toBeVisible();
  await expect(second.page.getByText('正确答案', { exact: true })).toHaveCount(0);
  await context.setOffline(false);
});

test('a practice that recites in one window hides its keys as soon as a scored exam with them begins in another one', {
  tag: '@one-width',
}, async ({ page, context }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const first = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId: first.recordId });
  await call(page.request, 'POST /api/exam/submit', { examId, recordId: first.recordId });
  const questionIds = questions.slice(0, 2).map(({ questionId }) => questionId);
  const practice = await call(page.request, 'POST /app/exam/own_paper', { packId, name: '自选', questionIds });
  const reciting = new ExamScreen(page);
  await reciting.open(practice.examId);
  await page.getByText('背题模式', { exact: true }).click();
  await expect(reciting.answer()).toBeVisible();

  const second = new ExamScreen(await context.newPage());
  await second.open(examId);
  const withheld = page.getByText('这道题所在的试卷交卷后，才能查看答案');
  await expect(withheld).toBeVisible(soon);
  await expect(reciting.answer()).toHaveCount(0);
  await page.getByText('答题模式', { exact: true }).click();
  await page.getByText('背题模式', { exact: true }).click();
  await expect(withheld).toBeVisible();
  await reciting.next();
  await reciting.isAt(2);
  await expect(withheld).toBeVisible();
  await expect(page.getByRole('heading', { name: '解析', exact: true })).toHaveCount(0);
});

test('what is struck out in one window is there in the other one, and nothing of it is lost when that goes on @one-width', async ({
  page,
  context,
}) => {
  await newStudent(page.request);
  const examId = await paper(page);
  await new ExamScreen(page).open(examId);
  const struck = (of: Page) => of.getByRole('radio').filter({ hasText: '已划掉' });
  await page.getByRole('button', { name: '划掉选项', exact: true }).click();
  await page.getByRole('button', { name: '划掉选项 A' }).click();
  await expect(struck(page)).toHaveCount(1);
  await test.step('striking out right after a choice keeps the question', async () => {
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('[role="radio"]')?.click();
      document.querySelector<HTMLElement>('[aria-label="划掉选项 D"]')?.click();
    });
    // By itself a choice moves on after 500 ms; one that stays is saved after 800.
    await expect(new ExamScreen(page).saved()).toBeVisible();
    await new ExamScreen(page).isAt(1);
    await page.getByRole('button', { name: '恢复选项 D' }).click();
    await page.reload();
    await expect(new ExamScreen(page).saved(), 'the server’s copy holds all that this browser has').toBeVisible();
    await page.getByRole('button', { name: '划掉选项', exact: true }).click();
  });
  const other = await context.newPage();
  await new ExamScreen(other).open(examId);
  await expect(struck(other)).toHaveCount(1);
  await other.getByRole('button', { name: '划掉选项', exact: true }).click();
  await other.getByRole('button', { name: '划掉选项 B' }).click();
  await page.bringToFront();
  await page.getByRole('button', { name: '在此窗口继续作答' }).click();
  await page.getByRole('button', { name: '划掉选项 C' }).click();
  await expect(struck(page)).toHaveCount(3);
  await page.reload();
  await expect(struck(page)).toHaveCount(3);
});

test('a palm that lies beside the pen draws nothing on the scratch paper, and ends no stroke @one-width', async ({
  page,
}) => {
  await newStudent(page.request);
  await new ExamScreen(page).open(await paper(page));
  await page.getByRole('button', { name: '草稿纸', exact: true }).click();
  const sheet = page.getByRole('img', { name: /^手写区/ });
  const path = await sheet.evaluate((svg) => {
    const { left, top } = svg.getBoundingClientRect();
    // A finger that only a script knows cannot be captured.
    svg.setPointerCapture = () => undefined;
    const act = (type: string, pointerId: number, x: number, y: number) =>
      svg.dispatchEvent(
        new PointerEvent(type, { bubbles: true, pointerId, clientX: left + x, clientY: top + y, pointerType: 'pen' }),
      );
    act('pointerdown', 1, 10, 10);
    act('pointerdown', 2, 80, 60);
    act('pointermove', 2, 81, 61);
    act('pointerup', 2, 81, 61);
    act('pointermove', 1, 20, 20);
    act('pointerup', 1, 20, 20);
    return new Promise((done) => requestAnimationFrame(() => done(svg.querySelector('path')?.getAttribute('d'))));
  });
  expect(path).toBe('M10 10L20 20');

  await test.step('who has drawn has the keyboard at the sheet: a letter answers nothing, and Escape closes it', async () => {
    await sheet.click();
    await page.keyboard.press('b');
    expect(await new ExamScreen(page).chosen()).toBe('');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await page.keyboard.press('b');
    expect(await new ExamScreen(page).chosen()).toBe('B');
    await page.getByRole('button', { name: '草稿纸', exact: true }).click();
  });

  await test.step('清空 keeps the keyboard in the sheet, which Escape closes', async () => {
    const wipe = page.getByRole('button', { name: '清空', exact: true });
    await wipe.press('Enter');
    await expect(sheet.locator('path')).toHaveCount(0);
    await expect(wipe).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(page.getByRole('button', { name: '草稿纸', exact: true })).toBeFocused();
  });
});
