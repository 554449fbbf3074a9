import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { call } from './call.ts';
import { look } from './look.ts';
import { agreeToAll, findPack, newStudent, PASSWORD, packs } from './student.ts';

/** The demo teacher. */
const TEACHER = '13900000001';

/** A window of somebody else, beside the student's. */
async function another(browser: Browser, page: Page): Promise<Page> {
  const size = page.viewportSize();
  const context = await browser.newContext({ ...(size && { viewport: size }), baseURL: new URL(page.url()).origin });
  return context.newPage();
}

test('a question is asked beside its lesson, answered by a teacher, followed up, found and asked by others too', async ({
  page,
  browser,
}, info) => {
  const packId = await findPack(page.request, packs.accounting, { join: false });
  await newStudent(page.request);
  await call(page.request, 'POST /api/course/course_join', { packId });
  const name = randomUUID().slice(0, 8);
  // A script that ran would be told: every hostile text here is a text.
  const words = `权责发生制和收付实现制有什么不同 ${name} <img src=x onerror="document.title='ran'">`;

  await page.goto(`/course/play/${packId}`);
  await page.getByRole('tab', { name: '答疑' }).click();
  await expect(page.getByText('暂无答疑数据').first()).toBeVisible();
  await look(page, info, 'qa-lesson-none', { whole: true });
  await page.getByRole('button', { name: '提问', exact: true }).click();
  const form = page.getByRole('form', { name: '提问' });
  await expect(form.getByRole('button', { name: '提问' })).toBeDisabled();
  await form.getByRole('textbox').fill(words);
  await look(page, info, 'qa-editor', { whole: true });

  await test.step('what was begun outlives a reload', async () => {
    await page.reload();
    await page.getByRole('tab', { name: '答疑' }).click();
    await page.getByRole('button', { name: '提问', exact: true }).click();
    await expect(form.getByRole('textbox')).toHaveValue(words);
  });
  await form.getByRole('button', { name: '提问' }).click();
  const done = page.getByRole('dialog', { name: '提问成功' });
  await expect(done).toBeVisible();
  await done.getByRole('button', { name: '知道了' }).click();
  const mine = page.getByRole('region', { name: '我的提问' }).getByRole('article');
  await expect(mine).toHaveCount(1);
  await expect(mine).toContainText(words);
  await expect(mine).toContainText('待回答');
  await look(page, info, 'qa-lesson', { whole: true });

  await test.step('a correction goes to the teachers alone', async () => {
    await page.getByRole('button', { name: '提问', exact: true }).click();
    await form.getByRole('button', { name: '纠错' }).click();
    await form.getByRole('radio', { name: '视频卡顿或无法播放' }).check();
    await form.getByRole('textbox').fill(`打不开 ${name}`);
    await form.getByRole('button', { name: '提问' }).click();
    await expect(page.getByText('提交成功')).toBeVisible();
    await expect(mine).toHaveCount(2);
    const all = page.getByRole('region', { name: '大家的提问' });
    await expect(all.getByRole('article').filter({ hasText: words })).toHaveCount(1);
    await expect(all.getByText(`打不开 ${name}`)).toHaveCount(0);
  });

  const teacher = await another(browser, page);
  await test.step('the teacher answers', async () => {
    await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
    await teacher.goto('/teach/qa');
    await expect(teacher.getByRole('heading', { level: 1, name: '答疑' })).toBeVisible();
    await look(teacher, info, 'teach-qa');
    // What stood behind the last page was answered meanwhile: the pages before it are not empty.
    await teacher.goto('/teach/qa?page=999');
    await expect(teacher).toHaveURL(/\/teach\/qa(\?page=\d{1,2})?$/);
    await teacher.goto('/teach/qa');
    await teacher.getByRole('link').filter({ hasText: words }).click();
    const answer = teacher.getByRole('form', { name: '回答' });
    await answer.getByRole('button', { name: '回答' }).click();
    await expect(answer.getByRole('alert').filter({ hasText: '请输入内容' })).toBeVisible();
    await answer.getByRole('textbox').fill('一个看业务发生在哪一期，一个看钱什么时候收付。');
    // What lies under the header is whole again once it is scrolled.
    await teacher.evaluate(() => window.scrollTo(0, 0));
    await look(teacher, info, 'teach-qa-one', { whole: true });
    await answer.getByRole('button', { name: '回答' }).click();
    await expect(teacher.getByText('已回答，学员会收到通知')).toBeVisible();
    await expect(teacher.getByRole('list', { name: '回答和追问' })).toContainText('一个看业务发生在哪一期');
  });

  await test.step('the student is told, reads it and follows up', async () => {
    await page.goto('/notices');
    await page.getByRole('listitem').filter({ hasText: name }).getByRole('link', { name: '查看' }).click();
    const question = page.getByRole('article').filter({ hasText: words });
    await expect(question).toContainText('一个看业务发生在哪一期');
    await question.getByRole('button', { name: '追问' }).first().click();
    const followUp = page.getByRole('form', { name: '追问' });
    await followUp.getByRole('textbox').fill('那预收的货款算哪一期的收入？');
    await followUp.getByRole('button', { name: '追问' }).click();
    await expect(question.getByRole('listitem').filter({ hasText: '那预收的货款' })).toBeVisible();
    await look(page, info, 'qa-one', { whole: true });
  });

  await test.step('another student finds it and asks the same', async () => {
    const other = await another(browser, page);
    await newStudent(other.request);
    await call(other.request, 'POST /api/course/course_join', { packId });
    await other.goto('/qa');
    await other.getByRole('searchbox', { name: '搜索答疑' }).fill(`收付实现制 ${name}`);
    await other.getByRole('button', { name: '搜索' }).click();
    await expect(other.getByText(/^找到 \d+ 个问题$/)).toBeVisible();
    const found = other.getByRole('article').filter({ hasText: words });
    await expect(found.locator('mark').first()).toBeVisible();
    await look(other, info, 'qa-search');
    await found.getByRole('button', { name: /^同问/ }).click();
    await expect(found.getByRole('button', { name: '同问（1）' })).toHaveAttribute('aria-pressed', 'true');
    await found.getByRole('button', { name: '有用', exact: true }).click();
    await expect(found.getByRole('button', { name: '有用（1）' })).toHaveAttribute('aria-pressed', 'true');
    await found.getByRole('link', { name: '讨论' }).click();
    await other.getByRole('textbox', { name: /说点什么/ }).fill('我也卡在这里');
    await other.getByRole('button', { name: '发表评论' }).click();
    await expect(other.getByRole('listitem').filter({ hasText: '我也卡在这里' })).toBeVisible();
    await test.step('a teacher replies to what was said below it', async () => {
      const id = new URL(other.url()).searchParams.get('id');
      await teacher.goto(`/teach/qa?id=${id}`);
      await teacher
        .getByRole('listitem')
        .filter({ hasText: '我也卡在这里' })
        .getByRole('button', { name: '回复' })
        .click();
      const reply = teacher.getByRole('form', { name: '回复' });
      await reply.getByRole('textbox').fill('先看例一');
      await look(teacher, info, 'teach-qa-reply', { whole: true });
      await reply.getByRole('button', { name: '回复' }).click();
      await expect(teacher.getByRole('listitem').filter({ hasText: '先看例一' })).toBeVisible();
      await other.goto('/notices');
      await other.getByRole('listitem').filter({ hasText: '我也卡在这里' }).getByRole('link', { name: '查看' }).click();
      await expect(other.getByRole('listitem').filter({ hasText: '先看例一' })).toContainText('老师');
    });
    await other.context().close();
  });
  expect(await page.title()).not.toBe('ran');
  expect(await teacher.title()).not.toBe('ran');
  await teacher.context().close();
});

test('what is begun is not lost, one entry is followed up at a time, and a correction leads to its film', async ({
  page,
  browser,
}, info) => {
  const packId = await findPack(page.request, packs.accounting, { join: false });
  await newStudent(page.request);
  await call(page.request, 'POST /api/course/course_join', { packId });
  const own = async () => {
    const input = { packId, myState: 1, pageNum: 1, pageSize: 50 };
    return (await call(page.request, 'GET /app/feedback/list', input)).list;
  };
  const words = async () => (await own()).map(({ feedbackDesc }) => feedbackDesc);
  const form = page.getByRole('form', { name: '提问' });
  const open = async () => {
    await page.getByRole('tab', { name: '答疑' }).click();
    await page.getByRole('button', { name: '提问', exact: true }).click();
  };
  const press = () => form.getByRole('button', { name: '提问' }).click();
  /** The next question is stored, and its answer is lost. */
  const loseAnswer = () =>
    page.route(
      '**/app/feedback/submit',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
  const lost = page.getByText('提交失败，请稍后重试');

  await page.goto(`/course/play/${packId}`);
  await test.step('other words after a lost answer are another question', async () => {
    await open();
    await form.getByRole('textbox').fill('权责发生制是什么');
    await loseAnswer();
    await press();
    await expect(lost).toBeVisible();
    await form.getByRole('textbox').fill('权责发生制是什么？请举例');
    await press();
    await page.getByRole('dialog').getByRole('button', { name: '知道了' }).click();
    expect(await words()).toEqual(['权责发生制是什么？请举例', '权责发生制是什么']);
  });
  await test.step('what is sent stands still meanwhile: nothing can be added to it that would be lost', async () => {
    await open();
    await form.getByRole('textbox').fill('复式记账是什么');
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/app/feedback/submit', async (route) => held.then(() => route.continue()), { times: 1 });
    await press();
    await expect(form.getByRole('textbox')).not.toBeEditable();
    // Meanwhile it has become 18:00.
    const later = { kind: 'nextWorkingDay', promisedAt: 0, date: '2031-05-06', holiday: '', text: '' };
    await page.route('**/app/qa/promise', (route) => route.fulfill({ json: { code: 200, msg: '', data: later } }));
    goOn();
    await expect(page.getByRole('dialog')).toContainText('2031-05-06');
    await page.unroute('**/app/qa/promise');
    await page.getByRole('dialog').getByRole('button', { name: '知道了' }).click();
    expect((await words())[0]).toBe('复式记账是什么');
    const [{ id } = { id: 0 }] = await own();
    await call(page.request, 'POST /app/qa_core/del_entry', { id });
    await page.reload();
  });
  await test.step('the same words after it are the same question, over a reload too', async () => {
    await open();
    await form.getByRole('textbox').fill('收付实现制是什么');
    await loseAnswer();
    await press();
    await expect(lost).toBeVisible();
    await page.reload();
    await open();
    await expect(form.getByRole('textbox')).toHaveValue('收付实现制是什么');
    await press();
    await page.getByRole('dialog').getByRole('button', { name: '知道了' }).click();
    expect((await words()).filter((text) => text === '收付实现制是什么')).toHaveLength(1);
  });

  const teacher = await another(browser, page);
  await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await agreeToAll(teacher.request);
  const [newest, other] = await own();
  const answerForm = teacher.getByRole('form', { name: '回答' });
  await test.step('an answer that is begun outlives a reload', async () => {
    await teacher.goto(`/teach/qa?id=${newest?.id}`);
    await answerForm.getByRole('textbox').fill('钱什么时候收付，就算哪一期。');
    await teacher.reload();
    await expect(answerForm.getByRole('textbox')).toHaveValue('钱什么时候收付，就算哪一期。');
    await answerForm.getByRole('button', { name: '回答' }).click();
    await expect(teacher.getByText('已回答，学员会收到通知')).toBeVisible();
    await teacher.reload();
    await expect(answerForm.getByRole('textbox')).toHaveValue('');
    const { version } = await call(teacher.request, 'GET /app/qa/question', { id: other?.id ?? 0 });
    const ids = [other?.id ?? 0];
    await call(teacher.request, 'POST /app/qa_core/answer', { ids, versions: [version], feedbackDesc: '举例如下' });
  });
  await test.step('one entry is followed up at a time, and none once the question input is opened', async () => {
    await page.reload();
    await page.getByRole('tab', { name: '答疑' }).click();
    const mine = page.getByRole('region', { name: '我的提问' }).getByRole('article');
    const followUp = page.getByRole('form', { name: '追问' });
    await mine.nth(0).getByRole('button', { name: '追问' }).click();
    await followUp.getByRole('textbox').fill('还有一问');
    await mine.nth(1).getByRole('button', { name: '追问' }).click();
    await expect(followUp).toHaveCount(1);
    await page.getByRole('button', { name: '提问', exact: true }).click();
    await expect(followUp).toHaveCount(0);
    await mine.nth(0).getByRole('button', { name: '追问' }).click();
    await expect(followUp.getByRole('textbox')).toHaveValue('还有一问');
    await test.step('one that stands open after a reload takes the keyboard from nobody', async () => {
      await page.reload();
      const tab = page.getByRole('tab', { name: '答疑' });
      await tab.click();
      await expect(followUp.getByRole('textbox')).toHaveValue('还有一问');
      await expect(followUp.getByRole('textbox')).not.toBeFocused();
    });
    await followUp.getByRole('button', { name: '取消' }).click();
    await expect(followUp).toHaveCount(0);
  });

  await test.step('a correction leads to its film at its second, and is mended without words', async () => {
    const firstVideoId = (await own())[0]?.firstVideoId ?? 0;
    await call(page.request, 'POST /app/feedback/submit', {
      ...{ packId, feedbackType: 32, feedbackDesc: '这里的公式写错了', firstVideoId, position: 3 },
    });
    await teacher.goto(`/teach/qa?id=${(await own())[0]?.id}`);
    const film = teacher.getByRole('region', { name: '学员的提问' }).getByRole('link', { name: /0:03$/ });
    await expect(film).toHaveAttribute('href', `/teach/media?lesson=${firstVideoId}&at=3`);
    await film.click();
    await expect(teacher.getByText(/课时.*“用于课时”/)).toBeVisible();
    await look(teacher, info, 'teach-media-lesson');
    await teacher.goBack();
    // On a phone too it can be pressed as the question opens.
    await expect(answerForm.getByRole('button', { name: '回答' })).toBeInViewport({ ratio: 1 });
    await answerForm.getByRole('radio', { name: '已修正' }).check();
    await look(teacher, info, 'teach-qa-correction', { whole: true });
    await answerForm.getByRole('button', { name: '回答' }).click();
    await expect(teacher.getByText('已回答，学员会收到通知')).toBeVisible();
    await page.goto('/notices');
    await expect(page.getByRole('listitem').filter({ hasText: '您反映的问题已修正' })).toContainText(
      '这里的公式写错了',
    );
    await look(page, info, 'notices-qa');
    await page.getByRole('link', { name: '选择接收哪些通知' }).click();
    await expect(page.getByRole('heading', { name: '接收哪些通知' })).toBeInViewport();
    const answers = page.getByRole('checkbox', { name: /答疑有了回答/ });
    await expect(answers).toBeInViewport();
    await answers.focus();
    for (const checked of [false, true]) {
      await page.keyboard.press('Space');
      await expect(answers).toBeChecked({ checked });
      await expect(answers).toBeFocused();
    }
  });
  await teacher.context().close();
});

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
    await focused(done.getByRole('button', { name: '关闭' }));
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

test('我的提问 opens with the course in which one asked last @one-width', async ({ page }) => {
  await newStudent(page.request);
  for (const name of [packs.accounting, packs.maths]) await findPack(page.request, name);
  const { list } = await call(page.request, 'GET /api/user/course_list', {});
  const [first, last] = [list.at(0), list.at(-1)];
  const packId = last?.packId ?? 0;
  await call(page.request, 'POST /app/feedback/submit', { packId, feedbackType: 41, feedbackDesc: '在另一门课里问的' });
  await page.goto('/personCenter/questions');
  const question = page.getByRole('article').filter({ hasText: '在另一门课里问的' });
  const choice = (of: typeof last) => page.getByRole('button', { name: of?.packageName ?? '' });
  await expect(question).toBeVisible();
  await choice(first).click();
  await expect(page.getByText('您在这门课程里还没有提问')).toBeVisible();
  await page.goBack();
  await expect(question).toBeVisible();
  // With its last question the course is not left.
  await question.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('您在这门课程里还没有提问')).toBeVisible();
  await expect(choice(last)).toHaveAttribute('aria-pressed', 'true');
});

test('a page of comments whose last one is deleted leads to the page before @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  let pages = 2;
  const comment = { avatarUrl: '', nickname: '同学', createTime: 1_790_000_000, praiseState: 0, praiseCount: 0 };
  const fixed = {
    pinned: false,
    mine: true,
    hidden: false,
    held: false,
    heldWords: [],
    firstVideoId: null,
    childes: [],
  };
  await page.route('**/app/comment/list?*', async (route) => {
    const pageNum = Number(new URL(route.request().url()).searchParams.get('page'));
    const list = pageNum > pages ? [] : [{ id: 9 - pageNum, comment: `第 ${pageNum} 页的一条`, ...comment, ...fixed }];
    await route.fulfill({ json: { code: 200, msg: '', data: { list, total: pages, pages, pageNum, beforeId: 9 } } });
  });
  await page.route('**/app/comment/delete', async (route) => {
    pages = 1;
    await route.fulfill({ json: { code: 200, msg: '', data: {} } });
  });
  await page.goto(`/course/play/${packId}`);
  await page.getByRole('tab', { name: '评论' }).last().click();
  const below = page.getByRole('tabpanel', { name: '评论' }).last();
  await expect(below.getByText('第 1 页的一条')).toBeVisible();
  await below.getByRole('button', { name: '下一页' }).click();
  await expect(below.getByText('第 2 页的一条')).toBeVisible();
  await below.getByRole('button', { name: '删除我的评论' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(below.getByText('第 1 页的一条')).toBeVisible();
});
