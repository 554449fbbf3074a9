import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

const directory = (page: Page) => page.getByRole('complementary');
const lesson = (page: Page, name: RegExp) => directory(page).getByRole('button', { name });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('a visitor tries a lesson, a student studies lesson after lesson, comments and notes stay', async ({
  page,
  browser,
}, info) => {
  const packId = await findPack(page.request, packs.accounting, { join: false });
  await page.goto(`/course/${packId}`);
  await page.getByRole('link', { name: '试听' }).click();
  await expect(heading(page)).toHaveText('导学：会计在回答什么问题');
  await expect(page.getByRole('tab', { name: '笔记' })).toHaveCount(0);
  await directory(page).getByRole('button', { name: '第一章 会计概述' }).click();
  await directory(page).getByRole('button', { name: '第一节 会计基础理论' }).click();
  await lesson(page, /四个基本假设/).click();
  await expect(page.getByText('请先报名该课程')).toBeVisible();
  await look(page, info, 'play-visitor');

  await newStudent(page.request);
  await call(page.request, 'POST /api/course/course_join', { packId });
  await page.goto(`/course/${packId}`);
  await page.getByRole('link', { name: /^进入学习/ }).click();
  await expect(heading(page)).toHaveText('导学：会计在回答什么问题');
  await expect(lesson(page, /导学/)).toContainText('学习中');
  await directory(page).getByRole('button', { name: '第一章 会计概述' }).click();
  await directory(page).getByRole('button', { name: '第一节 会计基础理论' }).click();
  await expect(lesson(page, /为什么左边叫借/)).toContainText('选修');
  const locked = lesson(page, /四个基本假设/);
  await expect(locked).toContainText('未解锁');
  await locked.click();
  await expect(page.getByText('该视频未解锁，无法播放')).toBeVisible();
  await expect(page.getByText('完成上一节后解锁')).toBeVisible();
  await expect(heading(page)).toHaveText('导学：会计在回答什么问题');

  await page.getByRole('button', { name: '学完了' }).press('Enter');
  await expect(page.getByRole('article').getByText('已学完')).toBeVisible();
  await expect(page.getByRole('article').getByRole('button', { name: '下一节' })).toBeFocused();
  await expect(lesson(page, /导学/)).toContainText('已学完');
  await page.getByRole('button', { name: '下一节' }).click();
  await expect(heading(page)).toHaveText('四个基本假设：先约定，再记账');
  await expect(page).toHaveURL(/[?&]lesson=\d+/);
  await expect(page.getByText('本节课程暂无简介')).toBeVisible();
  await look(page, info, 'play');

  await test.step('under the introduction stands what can be practised and sat, and other courses', async () => {
    const exams = page.getByRole('region', { name: '练习与考试' });
    await expect(exams.getByRole('link', { name: /^章节练习/ })).toHaveAttribute('href', /^\/exam\/\d+$/);
    await expect(exams.getByRole('link', { name: /^模拟考试/ })).toBeVisible();
    const courses = page.getByRole('region', { name: '推荐课程' }).getByRole('article');
    await expect(courses).not.toHaveCount(0);
    await expect(courses.filter({ hasText: packs.accounting })).toHaveCount(0);
    await look(page, info, 'play-beyond', { whole: true });
  });

  await test.step('notes are found again', async () => {
    await page.getByRole('tab', { name: '笔记' }).click();
    await page.getByRole('button', { name: '记笔记' }).click();
    await expect(page.getByText('请输入内容')).toBeVisible();
    await page.getByLabel('写笔记').fill('权责发生制由会计分期而来');
    await page.getByRole('button', { name: '记笔记' }).click();
    await expect(page.getByText('权责发生制由会计分期而来', { exact: true }).last()).toBeVisible();
    await page.getByRole('searchbox', { name: '搜索本课程的笔记' }).fill('会计分期');
    await expect(page.getByText('四个基本假设：先约定，再记账').last()).toBeVisible();
    await page.getByRole('button', { name: '修改这条笔记' }).click();
    await expect(page.getByLabel('写笔记')).toBeFocused();
    await page.getByRole('button', { name: '取消' }).click();
    await expect(page.getByLabel('写笔记')).toBeFocused();
  });

  const said = `第 ${Date.now()} 次读，终于懂了`;
  await test.step('comments are written, liked and answered', async () => {
    const below = page.getByRole('tabpanel', { name: '评论' }).last();
    await page.getByRole('tab', { name: '评论' }).last().click();
    await below.getByRole('button', { name: '我要评论' }).click();
    await expect(below.getByPlaceholder('说点什么…')).toBeFocused();
    await below.getByRole('button', { name: '关闭' }).click();
    await expect(below.getByRole('button', { name: '我要评论' })).toBeFocused();
    await page.keyboard.press('Enter');
    await below.getByRole('button', { name: '发表评论' }).click();
    await expect(below.getByText('请输入内容')).toBeVisible();
    await below.getByPlaceholder('说点什么…').fill(said);
    await below.getByRole('button', { name: '发表评论' }).click();
    const own = below.getByRole('listitem').filter({ hasText: said }).first();
    await own.getByRole('button', { name: '赞（0）' }).click();
    await expect(own.getByRole('button', { name: '赞（1）' })).toHaveAttribute('aria-pressed', 'true');

    const context = await browser.newContext({ ...info.project.use });
    try {
      const teacher = await context.newPage();
      await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
      await teacher.goto('/teach/comments');
      const row = teacher.getByRole('listitem').filter({ hasText: said });
      await row.getByRole('button', { name: '回复', exact: true }).click();
      await row.getByLabel('回复这条评论').fill('很好，接着看会计等式');
      await row.getByRole('button', { name: '发表回复' }).click();
      await expect(teacher.getByText('回复已发表')).toBeVisible();
      await look(teacher, info, 'teach-comments');
    } finally {
      await context.close();
    }
    await page.reload();
    await page.getByRole('tab', { name: '评论' }).last().click();
    const answered = page.getByRole('listitem').filter({ hasText: said }).first();
    await expect(answered).toContainText('回复：很好，接着看会计等式');
    await answered.getByRole('button', { name: '删除我的评论' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await expect(page.getByText(said)).toHaveCount(0);
  });

  await test.step('the side panel has credits and the practice of the lesson', async () => {
    await directory(page).getByRole('tab', { name: '我的学分' }).click();
    await expect(page).toHaveURL(/[?&]tab=5\b/);
    const earned = directory(page).getByRole('listitem').filter({ hasText: '导学' });
    await expect(earned).toContainText('已得');
    await look(page, info, 'play-credits');
    if ((page.viewportSize()?.width ?? 0) > 1000) {
      await directory(page).getByRole('button', { name: '收起面板' }).click();
      await expect(directory(page).getByRole('button', { name: '展开面板' })).toBeFocused();
      await directory(page).getByRole('button', { name: '评论' }).press('Enter');
      await expect(directory(page).getByRole('tab', { name: '评论' })).toBeFocused();
    }
    await directory(page).getByRole('tab', { name: '练一练' }).click();
    await directory(page).getByRole('link', { name: '开始' }).first().click();
    await expect(page).toHaveURL(/\/exam\/\d+/);
  });
});

test('after the last lesson there is none, which is said @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  await page.goto(`/course/play/${packId}`);
  await directory(page).getByRole('button', { name: '第一章 行列式与矩阵' }).click();
  await directory(page).getByRole('button', { name: '第一节 行列式' }).click();
  await lesson(page, /面积的代数写法/).click();
  await expect(heading(page)).toHaveText('行列式：面积的代数写法');
  await page.getByRole('button', { name: '下一节' }).click();
  // Whatever its lessons are: this one is read.
  await expect(page.getByText('已是最后一节')).toBeVisible();
  await expect(heading(page)).toHaveText('行列式：面积的代数写法');
});

/** A student's notes under the first lesson of a course, at these seconds. */
async function writeNotes(page: Page, notes: readonly (readonly [position: number, note: string])[]) {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { current } = await call(page.request, 'GET /app/course/chapters', { packId });
  const ids: number[] = [];
  for (const [position, note] of notes) {
    const content = { packId, firstVideoId: current?.firstVideoId ?? 0, position, note };
    ids.push((await call(page.request, 'POST /app/course/note_save', content)).id);
  }
  await page.goto(`/course/play/${packId}`);
  await page.getByRole('tab', { name: '笔记' }).click();
  const below = page.getByRole('tabpanel', { name: '笔记' });
  return { packId, ids, below, row: (note: string) => below.getByRole('listitem').filter({ hasText: note }) };
}

test('what was written to change a note goes on as a new one when that note is deleted, here or elsewhere @one-width', async ({
  page,
}) => {
  const { packId, ids, below, row } = await writeNotes(page, [
    [83, '资产等于权益'],
    [125, '借方在左'],
    [200, '有借必有贷'],
  ]);
  const text = below.getByLabel('写笔记');
  const change = (note: string) => row(note).getByRole('button', { name: '修改这条笔记' }).press('Enter');

  await test.step('the form says which note it changes, and Escape leaves one that is as it was', async () => {
    await change('资产等于权益');
    await expect(text).toBeFocused();
    await expect(text).toHaveAccessibleDescription('正在修改 01:23 的笔记');
    await expect(row('资产等于权益')).toHaveAttribute('aria-current', 'true');
    await expect(row('借方在左')).not.toHaveAttribute('aria-current');
    await text.fill('资产等于负债');
    await text.press('Escape');
    await expect(text).toHaveValue('资产等于负债');
    await text.fill('资产等于权益');
    await text.press('Escape');
    await expect(text).toHaveValue('');
    await expect(text).toBeFocused();
    await expect(row('资产等于权益')).not.toHaveAttribute('aria-current');
  });

  await test.step('deleted in the list', async () => {
    await change('资产等于权益');
    await text.fill('资产等于负债加权益');
    await row('资产等于权益').getByRole('button', { name: '删除这条笔记' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).press('Enter');
    await expect(page.getByRole('status').getByText('已删除，没有保存的修改留在新笔记里')).toBeVisible();
    await expect(row('资产等于权益')).toHaveCount(0);
    await expect(text).toHaveValue('资产等于负债加权益');
    await expect(below.getByRole('button', { name: '取消' })).toHaveCount(0);
    await below.getByRole('button', { name: '记笔记' }).click();
    await expect(row('资产等于负债加权益')).toContainText('01:23');
    await expect(text).toHaveValue('');
  });

  await test.step('deleted elsewhere, while a new one was begun too', async () => {
    await text.fill('想到一半');
    await change('借方在左');
    await text.fill('借方在左，贷方在右');
    await call(page.request, 'POST /app/course/note_delete', { packId, id: ids[1] ?? 0 });
    await below.getByRole('button', { name: '保存' }).click();
    await expect(page.getByText('这条笔记不在了，写下的内容留在新笔记里')).toBeVisible();
    await expect(text).toHaveValue('想到一半\n借方在左，贷方在右');
    await expect(text).toBeFocused();
    await expect(row('借方在左')).toHaveCount(0);
    await below.getByRole('button', { name: '记笔记' }).click();
    await expect(row('借方在左，贷方在右')).toBeVisible();
  });
});

test('deleting notes by keyboard is said, and keeps the keyboard in their list @one-width', async ({ page }) => {
  const { below, row } = await writeNotes(page, [
    [10, '第一条'],
    [20, '第二条'],
  ]);
  for (const [note, left] of [
    ['第一条', 1],
    ['第二条', 0],
  ] as const) {
    await row(note).getByRole('button', { name: '删除这条笔记' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).press('Enter');
    await expect(page.getByRole('status').getByText('已删除')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(below.getByRole('listitem')).toHaveCount(left);
    await expect(below.locator(':focus')).toHaveCount(1);
  }
  await expect(below.getByText('本节还没有笔记')).toBeVisible();
});

test('重试 by keyboard goes on from what is loading, and from what came @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  let fails = true;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/app/course/credits?*', async (route) => {
    if (fails) return route.abort();
    await held;
    return route.continue();
  });
  await page.goto(`/course/play/${packId}?tab=5`);
  const retry = directory(page).getByRole('button', { name: '重试' });
  await retry.press('Enter');
  // It failed again: the keyboard is where it can be tried again.
  await expect(directory(page).locator('[aria-busy]')).toBeFocused();
  await expect(retry).toBeFocused();
  fails = false;
  await retry.press('Enter');
  await expect(directory(page).locator('[aria-busy]')).toBeFocused();
  letGo();
  await expect(directory(page).locator('dl')).toBeFocused();
});
