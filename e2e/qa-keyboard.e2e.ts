import { randomUUID } from 'node:crypto';
import { expect, type Locator, test } from '@playwright/test';
import sharp from 'sharp';
import { another } from './another-window.ts';
import { call } from './call.ts';
import { findPack, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

test('the keyboard stays where a form of Q&A was, and a question that is deleted leaves its page @one-width', async ({
  page,
}) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await call(page.request, 'POST /app/feedback/submit', { packId, feedbackType: 41, feedbackDesc: '先问的问题' });
  const focused = (target: Locator) => expect(target).toBeFocused();
  /** The keyboard is somewhere in it, and goes on from there. */
  const kept = (part: Locator) =>
    expect.poll(() => part.evaluate((node) => node.contains(document.activeElement))).toBe(true);
  const enter = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press('Enter');
  };
  await page.goto(`/course/play/${packId}`);
  await page.getByRole('tab', { name: '答疑' }).click();
  const [ask, form] = [
    page.getByRole('button', { name: '提问', exact: true }),
    page.getByRole('form', { name: '提问' }),
  ];
  await test.step('of the question input', async () => {
    await enter(ask);
    await focused(form.getByRole('textbox'));
    await enter(form.getByRole('button', { name: '取消' }));
    await focused(ask);
    await enter(ask);
    await form.getByRole('textbox').fill('后问的问题');
    const file = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#088' } })
      .png()
      .toBuffer();
    const pictures = ['甲.png', '乙.png', '丙.png'].map((name) => ({ name, mimeType: 'image/png', buffer: file }));
    await form.getByRole('button', { name: '添加图片' }).focus();
    await form.locator('input[type=file]').setInputFiles(pictures);
    await kept(form);
    for (const { name } of pictures) {
      await enter(form.getByRole('button', { name: `移除 ${name}` }));
      await kept(form);
    }
    await enter(form.getByRole('button', { name: '提问' }));
    const done = page.getByRole('dialog', { name: '提问成功' });
    // It takes the keyboard once it stands there.
    await focused(done.getByRole('button', { name: '知道了' }));
    await enter(done.getByRole('button', { name: '知道了' }));
    await focused(ask);
  });
  const mine = page.getByRole('region', { name: '我的提问' }).getByRole('article');
  const remove = async (card: Locator) => {
    await enter(card.getByRole('button', { name: '删除' }));
    await focused(page.getByRole('dialog').getByRole('button', { name: '取消' }));
    await enter(page.getByRole('dialog').getByRole('button', { name: '删除' }));
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await test.step('of a list that loses a question', async () => {
    await page.getByRole('button', { name: '本课程答疑' }).click();
    await expect(mine).toHaveCount(2);
    await remove(mine.filter({ hasText: '后问的问题' }));
    await expect(mine).toHaveCount(1);
    await kept(page.getByRole('region', { name: '我的提问' }));
  });
  await test.step('of what is said below it', async () => {
    const { list } = await call(page.request, 'GET /app/feedback/list', {
      packId,
      myState: 1,
      pageNum: 1,
      pageSize: 1,
    });
    await page.goto(`/qa?id=${list[0]?.id}`);
    const said = page.getByRole('region', { name: '讨论' });
    const box = said.getByRole('textbox', { name: /说点什么/ });
    for (const words of ['头一句', '第二句']) {
      await box.fill(words);
      await enter(page.getByRole('button', { name: '发表评论' }));
      await expect(page.getByRole('listitem').filter({ hasText: words })).toBeVisible();
      // Beside the words and not in them: a phone would open its keys again by itself.
      await focused(page.getByRole('form', { name: '发表评论' }));
      await page.keyboard.press('Tab');
      await focused(box);
    }
    const [first, second] = ['头一句', '第二句'].map((hasText) => page.getByRole('listitem').filter({ hasText }));
    if (!first || !second) throw new Error('no comments');
    await remove(second);
    await expect(second).toHaveCount(0);
    await kept(said);
    await remove(first);
    await expect(first).toHaveCount(0);
    await kept(said);
  });
  await remove(page.getByRole('article'));
  await expect(page.getByText('没有这个提问，可能已被删除。')).toBeVisible();
  await expect(page.getByText('先问的问题')).toHaveCount(0);
  await kept(page.getByRole('main'));
});

test('the keyboard goes on from where it was when one list stands in another @one-width', async ({ page, browser }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const name = randomUUID().slice(0, 8);
  const { id } = await call(page.request, 'POST /app/feedback/submit', {
    packId,
    feedbackType: 41,
    feedbackDesc: `递延收益何时转入 ${name}`,
  });
  await page.goto('/');
  const teacher = await another(browser, page);
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  const { version } = await call(teacher.request, 'GET /app/qa/question', { id });
  await call(teacher.request, 'POST /app/qa_core/answer', { ids: [id], versions: [version], feedbackDesc: '按期转入' });
  for (let number = 1; number <= 25; number += 1)
    await call(teacher.request, 'POST /app/qa_core/save_comment', { id, comment: `第 ${number} 句` });
  await teacher.context().close();
  const enter = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press('Enter');
  };
  await test.step('at the first of what 加载更多 brought, not at the top again', async () => {
    await page.goto(`/qa?id=${id}`);
    const said = page.getByRole('region', { name: '讨论' }).getByRole('listitem');
    await expect(said).toHaveCount(20);
    await enter(page.getByRole('button', { name: '加载更多', exact: true }));
    await expect(said).toHaveCount(25);
    await expect(said.nth(20)).toBeFocused();
  });
  const card = page.getByRole('article').filter({ hasText: name });
  const followUp = page.getByRole('form', { name: '追问' });
  await test.step('in the question of which the form of a follow-up goes', async () => {
    await page.goto(`/qa?keyword=${encodeURIComponent(`递延收益 ${name}`)}`);
    await enter(card.getByRole('button', { name: '追问' }));
    await expect(followUp.getByRole('textbox')).toBeFocused();
    await enter(followUp.getByRole('button', { name: '取消' }));
    await expect(followUp).toHaveCount(0);
    await expect(card.getByRole('listitem')).toBeFocused();
  });
  await test.step('at the pictures of a form in a list, of which one is removed', async () => {
    await page.goto('/qa');
    await enter(card.getByRole('button', { name: '追问' }));
    const buffer = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#088' } })
      .png()
      .toBuffer();
    await followUp
      .locator('input[type=file]')
      .setInputFiles(['甲.png', '乙.png'].map((of) => ({ name: of, mimeType: 'image/png', buffer })));
    await enter(followUp.getByRole('button', { name: '移除 甲.png' }));
    await expect(followUp.getByRole('button', { name: '移除 乙.png' })).toBeFocused();
    await followUp.getByRole('textbox').fill('哪一期');
    await followUp.getByRole('button', { name: '追问' }).click();
    await expect(followUp).toHaveCount(0);
  });
  await test.step('at the last entry, which has a list of pictures', async () => {
    const entry = card.getByRole('listitem').filter({ hasText: '哪一期' });
    await expect(entry.getByRole('listitem')).toHaveCount(1);
    await enter(card.getByRole('button', { name: '追问' }).last());
    await expect(followUp.getByRole('textbox')).toBeFocused();
    await enter(followUp.getByRole('button', { name: '取消' }));
    await expect(followUp).toHaveCount(0);
    await expect(entry).toBeFocused();
  });
});

test('a full field takes a composed word, keeps the end of what stood there, and the caret where it was @one-width', async ({
  page,
}) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto(`/course/play/${packId}`);
  await page.getByRole('tab', { name: '答疑' }).click();
  await page.getByRole('button', { name: '提问', exact: true }).click();
  const form = page.getByRole('form', { name: '提问' });
  const box = form.getByRole('textbox');
  const session = await page.context().newCDPSession(page);
  const compose = async (letters: string, word: string) => {
    for (let typed = 1; typed <= letters.length; typed += 1)
      await session.send('Input.imeSetComposition', {
        text: letters.slice(0, typed),
        selectionStart: typed,
        selectionEnd: typed,
      });
    await session.send('Input.insertText', { text: word });
  };
  await box.fill('字'.repeat(498));
  await page.keyboard.press('Control+End');
  await compose('zhong', '中');
  await expect(box).toHaveValue(`${'字'.repeat(498)}中`);
  await compose('guoren', '国人');
  await expect(box).toHaveValue(`${'字'.repeat(498)}中国`);
  await expect(form.getByText('500 / 500')).toBeVisible();
  const caret = () => box.evaluate((field) => field instanceof HTMLTextAreaElement && field.selectionStart);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('x');
  expect(await caret()).toBe(0);
  await box.fill(`${'甲'.repeat(480)}${'乙'.repeat(10)}`);
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('粘'.repeat(20));
  await expect(box).toHaveValue(`${'粘'.repeat(10)}${'甲'.repeat(480)}${'乙'.repeat(10)}`);
  expect(await caret()).toBe(10);
});
