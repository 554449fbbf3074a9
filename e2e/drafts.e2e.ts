import { randomUUID } from 'node:crypto';
import { type CDPSession, expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { give } from './given-picture.ts';
import { look } from './look.ts';
import { agreeToAll, findPack, newStudent, PASSWORD, packs, signIn, students, TEACHER } from './student.ts';

/** A student at the lessons of a pack, with the question input open. @param signIn the session of the page */
async function asking(page: Page, signIn: () => Promise<unknown> = () => newStudent(page.request)) {
  const packId = await findPack(page.request, packs.accounting, { join: false });
  await signIn();
  await call(page.request, 'POST /api/course/course_join', { packId });
  const form = page.getByRole('form', { name: '提问' });
  const open = async () => {
    await page.getByRole('tab', { name: '答疑' }).click();
    await page.getByRole('button', { name: '提问', exact: true }).click();
    await expect(form).toBeVisible();
  };
  await page.goto(`/course/play/${packId}`);
  await open();
  const asked = async () => {
    const input = { packId, myState: 1, pageNum: 1, pageSize: 50 };
    return (await call(page.request, 'GET /app/feedback/list', input)).list.map(({ feedbackDesc }) => feedbackDesc);
  };
  return { packId, form, open, asked, text: form.getByRole('textbox') };
}

/** As a person signs out: the page is loaded anew, for a visitor. */
async function signOutByMenu(page: Page): Promise<void> {
  await page.goto('/settings');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /的菜单$/ })
    .click();
  await page.getByRole('menuitem', { name: '退出' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: '登录' })).toBeVisible();
}

const draftNames = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('lixue.draft.')));

/** What the browser's database keeps of drafts. It is not opened before the page has made it: that would make an empty one. */
const onDisk = (page: Page, store: 'texts' | 'pictures') =>
  page.evaluate(async (store) => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'lixue-drafts')) return [];
    return new Promise<unknown[]>((resolve) => {
      const opening = indexedDB.open('lixue-drafts');
      opening.onsuccess = () => {
        const { result: db } = opening;
        const all = db.transaction(store).objectStore(store).getAll();
        all.onsuccess = () => {
          db.close();
          resolve(all.result);
        };
      };
    });
  }, store);
const draftsOnDisk = async (page: Page) => (await onDisk(page, 'texts')) as string[];

/** A picture of one point. */
const dot = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
});

test('words that are begun outlive a server that fails, a session that ended and a change of tabs, and not a sign-out @one-width', async ({
  page,
  context,
}, info) => {
  // Who can sign in twice within a minute: by password.
  const signIn = async () => {
    await call(page.request, 'POST /api/user/login', { phone: students.second, password: PASSWORD });
    await agreeToAll(page.request);
  };
  const { form, open, asked, text } = await asking(page, signIn);
  const words = `期末结账前要做哪些调整？${randomUUID()}`;
  const press = () => form.getByRole('button', { name: '提问' }).click();
  await text.fill(words);
  const begunAt = page.url();

  await test.step('a server that fails', async () => {
    const failing = {
      status: 500,
      json: { code: 500, msg: '服务器开小差了，请稍后重试', data: { why: 'serverError' } },
    };
    await page.route('**/app/feedback/submit', (route) => route.fulfill(failing), { times: 1 });
    await press();
    await expect(page.getByText('提交失败，请稍后重试')).toBeVisible();
    await expect(text).toHaveValue(words);
  });
  await test.step('another tab of the page, another page of the site, another window', async () => {
    await page.getByRole('tab', { name: '章节' }).click();
    await page.getByRole('tab', { name: '答疑' }).click();
    if (!(await form.isVisible())) await page.getByRole('button', { name: '提问', exact: true }).click();
    await expect(text).toHaveValue(words);
    const beside = await context.newPage();
    await beside.goto(page.url());
    await beside.getByRole('tab', { name: '答疑' }).click();
    await beside.getByRole('button', { name: '提问', exact: true }).click();
    await expect(beside.getByRole('form', { name: '提问' }).getByRole('textbox')).toHaveValue(words);
    await beside.close();
  });
  await test.step('a session that ended while one writes: the page goes and the words are there after signing in', async () => {
    const lesson = page.url();
    await context.clearCookies();
    await press();
    const again = page.getByRole('dialog', { name: '登录已过期' });
    await expect(again).toBeVisible();
    await look(page, info, 'draft-relogin');
    // Who leaves it, and signs in at the sign-in page much later, finds them.
    await page.goto('/login');
    await signIn();
    await page.goto(lesson);
    await open();
    await expect(text).toHaveValue(words);
    expect(await asked()).not.toContain(words);
  });
  await test.step('a person who signs out leaves nothing behind', async () => {
    expect(await draftNames(page)).not.toEqual([]);
    const beside = await context.newPage();
    await beside.goto(page.url());
    await beside.getByRole('tab', { name: '答疑' }).click();
    await beside.getByRole('button', { name: '提问', exact: true }).click();
    await signOutByMenu(page);
    expect(await draftNames(page)).toEqual([]);
    // Nor does a window that still stands open.
    await beside.getByRole('form', { name: '提问' }).getByRole('textbox').fill('在另一个窗口接着写');
    await beside.evaluate(() => new Promise(requestAnimationFrame));
    expect(await draftNames(page)).toEqual([]);
    await beside.close();
    await signIn();
    await page.goto(begunAt);
    await open();
    await text.fill('重新登录后写的');
    await expect.poll(() => draftNames(page)).not.toEqual([]);
  });
});

test('a window that stands open when somebody else signs in in another one is left: nothing is sent in their name @one-width', async ({
  page,
  context,
}) => {
  const { form, text } = await asking(page);
  await text.fill('走的人写的话');
  const beside = await context.newPage();
  await beside.goto('/settings');
  await beside
    .getByRole('banner')
    .getByRole('button', { name: /的菜单$/ })
    .click();
  await beside.getByRole('menuitem', { name: '退出' }).click();
  await expect(beside.getByRole('banner').getByRole('link', { name: '登录' })).toBeVisible();
  // Who signs in again finds the window as it was.
  await expect(form).toBeVisible();
  await signIn(beside, students.first);
  await expect(page).toHaveURL('/');
  await expect(page.getByText('走的人写的话')).toHaveCount(0);
  expect(JSON.stringify(await page.evaluate(() => ({ ...localStorage })))).not.toContain('走的人写的话');
});

test('a comment that arrives after its writer has left the page is not there to be sent again @one-width', async ({
  page,
}) => {
  const { packId } = await asking(page);
  const question = { packId, feedbackType: 41, feedbackDesc: '什么是会计恒等式' } as const;
  const { id } = await call(page.request, 'POST /app/feedback/submit', question);
  await page.goto(`/qa?id=${id}`);
  const words = page.getByRole('textbox', { name: /说点什么/ });
  await words.fill('发完就走');
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route('**/app/qa_core/save_comment', async (route) => held.then(() => route.continue()), { times: 1 });
  await page.getByRole('button', { name: '发表评论' }).click();
  await expect(words).not.toBeEditable();
  await page.getByRole('link', { name: '返回列表' }).click();
  await expect(words).toHaveCount(0);
  const arrived = page.waitForResponse('**/app/qa_core/save_comment');
  goOn();
  await (await arrived).finished();
  await expect.poll(() => draftNames(page)).toEqual([]);
  await page.goto(`/qa?id=${id}`);
  await expect(page.getByRole('listitem').filter({ hasText: '发完就走' })).toBeVisible();
  await expect(words).toHaveValue('');
});

test('what is being sent stands still: no picture comes to it that would not go with it, and none opens in place of the page @one-width', async ({
  page,
}) => {
  const { form, asked, text } = await asking(page);
  await text.fill('发送时又来一张图');
  const picker = form.getByRole('group', { name: '上传图片' });
  expect(await give(page.locator('body'), 'drop')).toBe(true);
  await expect(picker).toContainText('0/3张');
  expect(await give(text, 'paste')).toBe(true);
  await expect(picker).toContainText('1/3张');
  await expect(picker.getByRole('progressbar')).toHaveCount(0);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route('**/app/feedback/submit', async (route) => held.then(() => route.abort()), { times: 1 });
  await form.getByRole('button', { name: '提问' }).click();
  await expect(picker.getByRole('button', { name: '添加图片' })).toBeDisabled();
  expect(await give(text, 'drop')).toBe(true);
  expect(await give(text, 'paste')).toBe(true);
  await expect(picker).toContainText('1/3张');
  goOn();
  await expect(page.getByText('提交失败，请稍后重试')).toBeVisible();
  // It has not gone: pictures come again.
  await give(text, 'paste');
  await expect(picker).toContainText('2/3张');
  await expect(picker.getByRole('progressbar')).toHaveCount(0);
  await form.getByRole('button', { name: '提问' }).click();
  await expect.poll(asked).toEqual(['发送时又来一张图']);
});

/** Composes a word as an input method does, and confirms it with Enter, which Chromium reports as key 229. */
async function compose(input: CDPSession, word: string): Promise<void> {
  await input.send('Input.imeSetComposition', { text: 'shui', selectionStart: 4, selectionEnd: 4 });
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, nativeVirtualKeyCode: 229 };
  await input.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter });
  await input.send('Input.insertText', { text: word });
  await input.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter, windowsVirtualKeyCode: 13 });
}

test('Enter that confirms a composed word sends nothing @one-width', async ({ page, context }) => {
  const { packId, asked, text } = await asking(page);
  const input = await context.newCDPSession(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().includes('/play/')) sent.push(new URL(request.url()).pathname);
    if (request.url().includes('/app/qa/search?')) sent.push('search');
  });
  await text.click();
  await compose(input, '税');
  await expect(text).toHaveValue('税');
  // Safari ends the composition first, and says 229 alone.
  await text.evaluate((area) =>
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })),
  );
  await page.goto('/qa');
  const search = page.getByRole('searchbox', { name: '搜索答疑' });
  await search.click();
  await compose(input, '税');
  await expect(search).toHaveValue('税');
  await search.evaluate((field) =>
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })),
  );
  expect(sent).toEqual([]);
  expect(await asked()).toEqual([]);
  // It is Enter that sends when nothing is composed.
  await search.press('Enter');
  await expect.poll(() => sent).toContain('search');
  expect(packId).toBeGreaterThan(0);
});

test('a teacher hides a question and says why, or does not: its author is told @one-width', async ({
  page,
  browser,
}, info) => {
  const { packId } = await asking(page);
  const ask = (feedbackDesc: string) =>
    call(page.request, 'POST /app/feedback/submit', { packId, feedbackType: 41, feedbackDesc });
  const [why, silent] = [await ask('加我微信领资料'), await ask('有人要二手书吗')];
  const size = page.viewportSize();
  const context = await browser.newContext({ ...(size && { viewport: size }), baseURL: new URL(page.url()).origin });
  const teacher = await context.newPage();
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await agreeToAll(teacher.request);
  const hide = async (id: number, reason: string) => {
    await teacher.goto(`/teach/qa?id=${id}`);
    await teacher.getByRole('button', { name: '隐藏', exact: true }).click();
    const form = teacher.getByRole('form', { name: '隐藏' });
    await form.getByRole('textbox').fill(reason);
    await look(teacher, info, 'teach-qa-hide', { whole: true });
    await form.getByRole('button', { name: '确认隐藏' }).click();
    await expect(teacher.getByText('已隐藏，只有作者能看到。')).toBeVisible();
  };
  await hide(why.id, '请不要留联系方式');
  await hide(silent.id, '');
  await page.goto('/notices');
  const notice = (words: string) => page.getByRole('listitem').filter({ hasText: words });
  await expect(notice('加我微信领资料')).toContainText('原因：请不要留联系方式');
  await expect(notice('有人要二手书吗')).toContainText('如有疑问，请联系老师。');
  // Below what nobody else sees nobody is asked to say something.
  const report = await call(page.request, 'POST /app/feedback/submit', {
    ...{ packId, feedbackType: 32, feedbackDesc: '字幕错了' },
  });
  for (const { id } of [why, report]) {
    await page.goto(`/qa?id=${id}`);
    await expect(page.getByRole('article')).toBeVisible();
    await expect(page.getByRole('button', { name: '发表评论' })).toHaveCount(0);
  }
  await context.close();
});

test('words outlive a reload where local storage is full, and not a sign-out @one-width', async ({ page }) => {
  const signIn = async () => {
    await call(page.request, 'POST /api/user/login', { phone: students.second, password: PASSWORD });
    await agreeToAll(page.request);
  };
  const { open, text } = await asking(page, signIn);
  const begunAt = page.url();
  const words = `写到一半没有空间了${randomUUID()}`;
  await text.fill('有空间时写的');
  await expect.poll(() => draftNames(page)).not.toEqual([]);
  await page.evaluate(() => {
    for (let size = 1_000_000, at = 0; size > 0; at += 1)
      try {
        localStorage.setItem(`full${at}`, 'x'.repeat(size));
      } catch {
        size = Math.floor(size / 2);
      }
  });
  await text.fill(words.repeat(6));
  await expect.poll(() => draftsOnDisk(page)).toHaveLength(1);
  await page.reload();
  await open();
  await expect(text).toHaveValue(words.repeat(6));
  await text.fill(words);
  await expect.poll(async () => (await draftsOnDisk(page))[0]).toContain(`"${words}"`);
  await signOutByMenu(page);
  expect(await draftsOnDisk(page)).toEqual([]);
  await signIn();
  await page.goto(begunAt);
  await open();
  await expect(text).toHaveValue('');
});

test('a picture that was on its way when its page was reloaded goes on its way again @one-width', async ({ page }) => {
  const { form, open, asked, text } = await asking(page);
  await text.fill('图片还没有传完');
  const picker = form.getByRole('group', { name: '上传图片' });
  // One arrives, one never does.
  await form.locator('input[type="file"]').setInputFiles(dot('先到.png'));
  await expect(picker.getByRole('progressbar')).toHaveCount(0);
  await page.route('**/api/common/upload', () => {});
  await form.locator('input[type="file"]').setInputFiles(dot('路上.png'));
  await expect(picker.getByRole('progressbar', { name: '正在上传 路上.png' })).toBeVisible();
  await expect.poll(async () => (await onDisk(page, 'pictures')).length).toBe(1);
  await page.unroute('**/api/common/upload');
  await page.reload();
  await open();
  await expect(picker).toContainText('2/3张');
  await expect(picker.getByRole('progressbar')).toHaveCount(0);
  // What has arrived is kept no longer: none comes twice.
  await page.reload();
  await open();
  await expect(picker).toContainText('2/3张');
  const sent = page.waitForRequest('**/app/feedback/submit');
  await form.getByRole('button', { name: '提问' }).click();
  const { feedbackImg, feedbackImg1, feedbackImg2 } = (await sent).postDataJSON() as Record<string, string>;
  expect([feedbackImg, feedbackImg1, feedbackImg2].map((name) => name !== undefined)).toEqual([true, true, false]);
  await expect.poll(asked).toEqual(['图片还没有传完']);
});

test('who put signing in off is offered it at their next press, and an upload goes on after it @one-width', async ({
  page,
  context,
}) => {
  const signIn = async () => {
    await call(page.request, 'POST /api/user/login', { phone: students.second, password: PASSWORD });
    await agreeToAll(page.request);
  };
  const { form, asked, text } = await asking(page, signIn);
  const words = `登录过期时提的${randomUUID()}`;
  await text.fill(words);
  await context.clearCookies();
  const again = page.getByRole('dialog', { name: '登录已过期' });
  const putOff = async () => {
    await expect(again).toBeVisible();
    await again.getByRole('button', { name: '关闭' }).click();
    await expect(again).toBeHidden();
  };
  await form.getByRole('button', { name: '提问' }).click();
  await putOff();
  await expect(form).toContainText('请先登录');
  await form.getByRole('button', { name: '提问' }).click();
  await putOff();
  await form.locator('input[type="file"]').setInputFiles(dot('过期.png'));
  await expect(again).toBeVisible();
  await again.getByLabel('手机号').fill(students.second);
  await again.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await again.getByRole('button', { name: '登录', exact: true }).click();
  await expect(again).toBeHidden();
  const picker = form.getByRole('group', { name: '上传图片' });
  await expect(picker).toContainText('1/3张');
  await expect(picker.getByRole('progressbar')).toHaveCount(0);
  await expect(picker.getByRole('button', { name: /重新上传/ })).toHaveCount(0);
  await form.getByRole('button', { name: '提问' }).click();
  await expect.poll(asked).toContain(words);
});
