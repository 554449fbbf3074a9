import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { another } from './another-window.ts';
import { call } from './call.ts';
import { look } from './look.ts';
import { agreeToAll, findPack, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

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
    // The line that opens the editor says that it is not lost.
    await expect(page.getByRole('button', { name: /^草稿/ })).toContainText(words);
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
    await teacher.getByRole('link').filter({ hasText: words }).press('Enter');
    // A question is a page of its own: the keyboard is at its beginning, not at that of the whole site.
    await expect(teacher.getByRole('main')).toBeFocused();
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
