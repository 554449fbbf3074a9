import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { agreeToAll, findPack, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

/** A student of a pack, at its first lesson. */
async function student(page: Page): Promise<number> {
  const packId = await findPack(page.request, packs.accounting, { join: false });
  await newStudent(page.request);
  await call(page.request, 'POST /api/course/course_join', { packId });
  return packId;
}

/** Pieces that run somewhere where a text is taken for something else: markup, attributes, scripts, addresses, formulas, templates. */
const WORDS = ['alert(1)', 'window.__ran=1', 'document.title="ran"', 'top.__ran=1', 'fetch("//evil.example")'];
const SHAPES: readonly ((run: string) => string)[] = [
  (run) => `<script>${run}</script>`,
  (run) => `<img src=x onerror='${run}'>`,
  (run) => `<svg onload='${run}'>`,
  (run) => `<svg><script href="data:,${run}"/></svg>`,
  (run) => `<iframe srcdoc="<script>${run}</script>"></iframe>`,
  (run) => `<a href="javascript:${run}">x</a>`,
  (run) => `javascript:${run}`,
  (run) => `data:text/html,<script>${run}</script>`,
  (run) => `"><script>${run}</script>`,
  (run) => `' onfocus='${run}' autofocus='`,
  (run) => `" style="animation-name:x" onanimationstart="${run}`,
  (run) => `</textarea><script>${run}</script>`,
  (run) => `</title><svg/onload=${run}>`,
  (run) => `<details open ontoggle='${run}'>`,
  (run) => `<input autofocus onfocus='${run}'>`,
  (run) => `<math><mtext></form><form><mglyph><style></math><img src onerror='${run}'>`,
  (run) => `\${${run}}`,
  (run) => `{{constructor.constructor('${run}')()}}`,
  (run) => `=HYPERLINK("javascript:${run}")`,
  (run) => `\\href{javascript:${run}}{x}`,
  (run) => `$\\unicode{<img src=x onerror='${run}'>}$`,
  (run) => `<!--><img src=x onerror='${run}'>-->`,
  (run) => `\u202e<b onmouseover='${run}'>`,
  (run) => `%3Cscript%3E${encodeURIComponent(run)}%3C/script%3E`,
];
const HOSTILE = SHAPES.flatMap((shape) => WORDS.map(shape));

/** Puts hostile texts in the place of every text of an answer, another one each time; kinds, codes and addresses of pages stay what they are. */
function poison(value: unknown, next: () => string, field = ''): unknown {
  if (typeof value === 'string') return field === 'why' || field === 'kind' ? value : next();
  if (Array.isArray(value)) return value.map((one) => poison(one, next, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, next, name)]));
}

test('whatever stands in a field of a question, an answer, a comment, a report or a notice is a text: nothing of it runs @one-width', async ({
  page,
  browser,
}) => {
  const packId = await student(page);
  const asked = await call(page.request, 'POST /app/feedback/submit', {
    ...{ packId, feedbackType: 41, feedbackDesc: '什么是会计分录' },
  });
  await call(page.request, 'POST /app/qa_core/save_comment', { id: asked.id, comment: '我也想知道' });
  await call(page.request, 'POST /app/feedback/lx_submit', {
    ...{ packId, feedbackType: 17, feedbackDesc: '有错', resourceId: asked.courseId },
  });
  const teacher = await (
    await browser.newContext({ baseURL: new URL((await page.goto('/'))?.url() ?? '').origin })
  ).newPage();
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await agreeToAll(teacher.request);
  const { version } = await call(teacher.request, 'GET /app/qa/question', { id: asked.id });
  const answer = { ids: [asked.id], versions: [version], feedbackDesc: '见第一章' };
  await call(teacher.request, 'POST /app/qa_core/answer', answer);
  const harm: string[] = [];
  const guard = (window: Page) => {
    window.on('dialog', (dialog) => {
      harm.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    window.on('request', (request) => {
      if (new URL(request.url()).hostname === 'evil.example') harm.push(`request: ${request.url()}`);
    });
  };
  let used = 0;
  const next = () => {
    used += 1;
    return HOSTILE[used % HOSTILE.length] ?? '';
  };
  /** Many rows where the answer has one, and hostile texts in each. */
  const many = (data: unknown) => {
    const { list } = data as { list?: unknown[] };
    const row = list?.[0] as { id?: number } | undefined;
    const rows = row && Array.from({ length: 60 }, (_, at) => ({ ...row, id: (row.id ?? 0) + at * 1_000_000 }));
    return rows ? { ...(data as object), list: rows } : data;
  };
  const paths = [
    ...['feedback/list', 'feedback/history', 'feedback/reports', 'feedback/report', 'common/notice'],
    ...['qa/newest', 'qa/search', 'qa/details', 'qa/comment', 'qa/hot_key', 'qa/queue', 'qa/question', 'qa/teachers'],
  ];
  for (const window of [page, teacher]) {
    guard(window);
    for (const path of paths)
      await window.route(new RegExp(`/app/${path}(\\?|$)`), async (route) => {
        const answer = await route.fetch();
        const said = (await answer.json()) as { code: number; msg: string; data: unknown };
        await route.fulfill({ json: { ...said, data: said.code === 200 ? poison(many(said.data), next) : said.data } });
      });
  }
  const shown = async (address: string, ready: () => Promise<unknown>, window = page) => {
    const before = used;
    await window.goto(address);
    await ready();
    expect(used, address).toBeGreaterThan(before + 5);
    expect(await window.evaluate(() => '__ran' in window || document.title === 'ran'), address).toBe(false);
    // Nothing of it became an element that could load or run.
    const strange =
      'main :is(script, iframe, object, embed, base, math, [onerror], [onload], [onfocus], [href^="javascript:" i])';
    expect(await window.locator(strange).count(), address).toBe(0);
    expect(harm, address).toEqual([]);
  };
  const articles = () => expect(page.getByRole('article').nth(1)).toBeVisible();
  await shown(`/qa?packId=${packId}`, articles);
  await shown(`/qa?packId=${packId}&keyword=${encodeURIComponent('会计')}`, articles);
  await shown(`/qa?id=${asked.id}`, () => expect(page.getByRole('article').first()).toBeVisible());
  await shown(`/course/play/${packId}`, async () => {
    await page.getByRole('tab', { name: '答疑' }).click();
    await articles();
  });
  const rows = (window: Page) => () => expect(window.getByRole('main').getByRole('listitem').nth(9)).toBeVisible();
  await shown('/notices', rows(page));
  await shown('/myFeedback', rows(page));
  await shown('/teach/qa?show=all', rows(teacher), teacher);
  await shown('/teach/feedback', rows(teacher), teacher);
  const form = teacher.getByRole('form', { name: '回答' });
  await shown(`/teach/qa?id=${asked.id}`, () => expect(form).toBeVisible(), teacher);
  expect(used).toBeGreaterThan(4000);
  await teacher.context().close();
});

test('展开 stands only below what is cut: one, three and four lines, another width, a tab that was hidden', async ({
  page,
}) => {
  const packId = await student(page);
  const { id } = await call(page.request, 'POST /app/feedback/submit', {
    ...{ packId, feedbackType: 41, feedbackDesc: '试算平衡表怎么看' },
  });
  const teacher = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL((await page.goto('/'))?.url() ?? '').origin });
  if (!teacher) throw new Error('no browser');
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await agreeToAll(teacher.request);
  const { version } = await call(teacher.request, 'GET /app/qa/question', { id });
  await call(teacher.request, 'POST /app/qa_core/answer', { ids: [id], versions: [version], feedbackDesc: '先看借方' });
  await teacher.close();
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `第${at + 1}行`).join('\n');
  for (const count of [1, 3, 4])
    await call(page.request, 'POST /app/feedback/reply', { parentId: id, feedbackDesc: lines(count) });
  // As wide as three lines need on a wide window, and more on a narrow one.
  await call(page.request, 'POST /app/feedback/reply', { parentId: id, feedbackDesc: '借贷必相等'.repeat(14) });
  const entry = (words: string) => page.getByRole('listitem').filter({ hasText: words });
  const toggle = (words: string) => entry(words).getByRole('button', { name: '展开' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/qa?id=${id}`);
  await expect(entry('第4行')).toBeVisible();
  await expect(toggle('第4行')).toBeVisible();
  await expect(page.getByRole('button', { name: '展开' })).toHaveCount(1);
  await page.setViewportSize({ width: 320, height: 700 });
  await expect(toggle('借贷必相等')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('button', { name: '展开' })).toHaveCount(1);
  await toggle('第4行').click();
  await entry('第4行').getByRole('button', { name: '收起' }).click();
  await expect(toggle('第4行')).toBeVisible();
  // In a tab of the page that is drawn first and shown later.
  await page.goto(`/course/play/${packId}`);
  await page.getByRole('tab', { name: '答疑' }).click();
  await expect(page.getByRole('button', { name: '展开' }).first()).toBeVisible();
});

test('eight windows of a person tell of a notice, and stop once one of them has shown it @one-width', async ({
  page,
  context,
  browser,
}) => {
  const packId = await student(page);
  const { id } = await call(page.request, 'POST /app/feedback/submit', {
    ...{ packId, feedbackType: 41, feedbackDesc: '坏账准备怎么提' },
  });
  const windows = [page, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))];
  const bell = (one: Page) => one.getByRole('banner').getByRole('link', { name: /^通知/ });
  for (const one of windows) {
    await one.goto('/courses');
    await expect(bell(one)).toHaveAccessibleName('通知');
  }
  const teacher = await browser.newContext({ baseURL: new URL(page.url()).origin });
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await agreeToAll(teacher.request);
  const { version } = await call(teacher.request, 'GET /app/qa/question', { id });
  await call(teacher.request, 'POST /app/qa_core/answer', { ids: [id], versions: [version], feedbackDesc: '按余额' });
  for (const one of windows) await expect(bell(one)).toHaveAccessibleName('通知，1 条未读');
  await bell(page).click();
  await expect(page.getByRole('listitem').filter({ hasText: '坏账准备怎么提' })).toBeVisible();
  for (const one of windows) await expect(bell(one)).toHaveAccessibleName('通知');
  // The leader goes, another one listens.
  await windows[0]?.close();
  const left = windows.slice(1);
  const { version: now } = await call(teacher.request, 'GET /app/qa/question', { id });
  await call(teacher.request, 'POST /app/qa_core/answer', { ids: [id], versions: [now], feedbackDesc: '也可按账龄' });
  for (const one of left) await expect(bell(one)).toHaveAccessibleName('通知，1 条未读');
  await teacher.close();
});
