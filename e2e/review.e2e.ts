import { expect, test } from '@playwright/test';
import { examFeedback } from '#contract/values/feedback.ts';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { loadNasty, nasty } from './operator.ts';
import { handIn } from './reviewed-paper.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';
import { swipe } from './swipe.ts';

test('reviewing a paper one question at a time: moves, card, marks, feedback, own score, the end', async ({
  page,
}, info) => {
  const exam = new ExamScreen(page);
  const recordId = await handIn(page);
  await page.goto(`/exam/result/${recordId}`);
  await page.getByRole('link', { name: '查看解析' }).click();
  const answer = page.getByRole('group', { name: '答案与解析' });

  await test.step('the first question with its key, and the moves', async () => {
    await exam.isAt(1);
    await expect(page.getByRole('heading', { name: '第 1 题', exact: true })).toBeFocused();
    await expect(answer.getByText(/^回答(正确|错误)$/)).toBeVisible();
    await expect(answer.getByRole('heading', { name: '解析', exact: true })).toBeVisible();
    await expect(page.getByRole('timer')).toHaveCount(0);
    await expect(page.getByRole('button', { name: '交卷' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: '清除作答' })).toHaveCount(0);
    await look(page, info, 'review-question');
    await exam.previous();
    await expect(exam.toast('当前是第一题，没有上一题了哟！')).toBeVisible();
    await exam.next();
    await exam.isAt(2);
    await expect(answer.getByText('未作答')).toBeVisible();
    if (exam.wide) {
      await page.keyboard.press('ArrowRight');
      await exam.isAt(3);
      await page.keyboard.press('ArrowLeft');
    } else {
      await swipe(page, -1);
      await exam.isAt(3);
      await swipe(page, 1);
    }
    await exam.isAt(2);
  });

  await test.step('the card shows where one is, and leads there', async () => {
    await exam.jump(4);
    await expect(page).toHaveURL(/[?&]q=4/);
    const card = await exam.card();
    await expect(card.locator('[aria-current]')).toHaveText('4');
    await expect(card.getByRole('button', { name: '第 22 题，待评分' })).toBeVisible();
    await look(page, info, 'review-card');
    if (!exam.wide) {
      const inner = await page.getByRole('dialog').boundingBox();
      const grip = await page.getByRole('button', { name: '收起答题卡' }).boundingBox();
      expect(Math.round((grip?.y ?? 0) - (inner?.y ?? 0)), 'no empty strip above the grip').toBeLessThan(4);
    }
    if (!exam.wide) await page.getByRole('button', { name: '收起答题卡' }).click();
  });

  await test.step('a mark after hand-in stays', async () => {
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/api/exam/flag') && response.ok()),
      exam.wide ? page.keyboard.press('m') : page.getByRole('button', { name: '标记', exact: true }).click(),
    ]);
    await expect(page.getByText('已标记')).toBeVisible();
    await page.reload();
    await exam.isAt(4);
    await expect(page.getByText('已标记')).toBeVisible();
    const card = await exam.card();
    await expect(card.getByRole('button', { name: '第 4 题，未作答，已标记' })).toBeVisible();
    if (!exam.wide) await page.getByRole('button', { name: '收起答题卡' }).click();
  });

  await test.step('feedback that only a review can judge', async () => {
    await page.getByRole('button', { name: '反馈' }).click();
    const dialog = page.getByRole('dialog', { name: '试题反馈' });
    await dialog.getByRole('radio', { name: '答案与解析不符' }).check();
    await dialog.getByRole('textbox', { name: /问题描述/ }).fill('解析说 B，答案是 C。');
    const sent = page.waitForRequest('**/app/feedback/lx_submit');
    await dialog.getByRole('button', { name: '提交' }).click();
    const { questions } = await call(page.request, 'GET /app/exam/review', { recordId });
    expect((await sent).postDataJSON()).toMatchObject({
      feedbackType: examFeedback.answerAndExplanationDiffer,
      questionId: questions[3]?.questionId,
    });
    await expect(page.getByText('已收到您的反馈，感谢')).toBeVisible();
    await expect(dialog).toBeHidden();
  });

  await test.step('the own score of a written answer', async () => {
    await exam.jump(22);
    await expect(answer.getByText('待评分')).toBeVisible();
    await look(page, info, 'review-own-score');
    const points = answer.getByRole('group', { name: /^采点/ }).getByRole('checkbox');
    const score = answer.getByLabel('我的得分');
    await points.nth(0).check();
    await expect(score).toHaveValue('2');
    await points.nth(4).check();
    await expect(score).toHaveValue('4');
    // The own answer stays in sight down to the last point.
    await points.last().scrollIntoViewIfNeeded();
    const mine = answer.getByRole('region', { name: '我的答案' });
    await expect(mine).toBeInViewport();
    if (!exam.wide) {
      await points.nth(2).evaluate((point) => point.scrollIntoView({ block: 'start' }));
      const below = () =>
        mine.evaluate(
          (own) => own.getBoundingClientRect().top - (own.closest('[data-top]')?.getBoundingClientRect().top ?? 0),
        );
      await expect.poll(below, { message: 'at the upper edge of what scrolls' }).toBeCloseTo(8, 0);
    }
    await points.nth(0).uncheck();
    await expect(score).toHaveValue('2');
    // The score is the student's own.
    await score.fill('10');
    await answer.getByRole('button', { name: '提交评分' }).click();
    await expect(page.getByText('评分已保存')).toBeVisible();
    await expect(answer.getByText('待评分')).toBeHidden();
    await exam.isAt(22);
    await page.reload();
    await expect(points.nth(4)).toBeChecked();
    await expect(points.nth(0)).not.toBeChecked();
    await expect(score).toHaveValue('10');
  });

  await test.step('the list of all, and back to one of its questions', async () => {
    await page.getByRole('button', { name: '列表', exact: true }).click();
    await expect(page).toHaveURL(/view=list/);
    await expect(page.getByRole('article').filter({ hasText: 'a = b = 3' })).toBeInViewport();
    if (!exam.wide) await expect(page.getByRole('button', { name: '答题卡', exact: false })).toHaveText('答题卡25');
    await page.getByRole('main').getByRole('button', { name: '标记 1' }).click();
    await expect(page.getByRole('article')).toHaveCount(1);
    await look(page, info, 'review-list-marked');
    await page.getByRole('button', { name: '单独查看第 4 题' }).click();
    await exam.isAt(4);
    await expect(page).not.toHaveURL(/view=list/);
    const card = await exam.card();
    await expect(card.getByRole('button', { name: /^第 \d+ 题/ })).toHaveText(['4']);
    await card.getByRole('button', { name: '全部 25' }).click();
    if (!exam.wide) await page.getByRole('button', { name: '收起答题卡' }).click();
  });

  await test.step('behind the last question', async () => {
    await exam.jump(25);
    await exam.next();
    const dialog = page.getByRole('dialog', { name: '已到最后一题' });
    await expect(dialog.getByText('还有 1 题待评分', { exact: false })).toBeVisible();
    await expect(dialog.getByRole('button', { name: '再考一次' })).toBeVisible();
    await look(page, info, 'review-end');
    await dialog.getByRole('link', { name: '返回成绩' }).click();
    await expect(page).toHaveURL(`/exam/result/${recordId}`);
  });
});

test('the filter of a review narrows the moves, and the card always shows where one is', async ({ page }) => {
  const exam = new ExamScreen(page);
  const recordId = await handIn(page);
  const numbers = async () => (await exam.card()).getByRole('button', { name: /^第 \d+ 题/ });
  const closeCard = async () => {
    if (!exam.wide) await page.getByRole('button', { name: '收起答题卡' }).click();
  };
  await page.goto(`/exam/review/${recordId}?q=3&only=pending`);
  await exam.isAt(3);
  await expect(await numbers()).toHaveText(['3', '22', '25']);
  await expect((await exam.card()).locator('[aria-current]')).toHaveText('3');
  await closeCard();
  await exam.next();
  await exam.isAt(22);
  await expect(await numbers()).toHaveText(['22', '25']);
  await closeCard();
  await exam.previous();
  await expect(exam.toast('前面没有符合筛选的题了')).toBeVisible();
  await exam.next();
  await exam.isAt(25);
  await exam.next();
  const dialog = page.getByRole('dialog', { name: '筛选出的题已看完' });
  await exam.closeDialog(dialog);
  await exam.isAt(25);
});

test('marks that do not arrive are said to be unsaved, and sent when the review is opened again @one-width', async ({
  page,
}, info) => {
  const exam = new ExamScreen(page);
  const recordId = await handIn(page);
  const flags = '**/api/exam/flag';
  await page.goto(`/exam/review/${recordId}?q=2`);
  await exam.isAt(2);
  await page.route(flags, (route) => route.abort());
  await page.getByRole('button', { name: '标记', exact: true }).click();
  await expect(exam.says('1 个标记未保存')).toBeVisible();
  await look(page, info, 'review-mark-not-saved');
  await page.getByRole('link', { name: '成绩', exact: true }).click();
  await expect(page).toHaveURL(`/exam/result/${recordId}`);
  await page.reload();
  await page.unroute(flags);
  await page.goto(`/exam/review/${recordId}?q=2`);
  await expect(page.getByText('已标记')).toBeVisible();
  await expect(exam.says('1 个标记未保存')).toBeHidden();
  await expect
    .poll(async () => (await call(page.request, 'GET /app/exam/review', { recordId })).questions[1]?.flag)
    .toBe(1);
});

test('another language changes the words of a review, not its place or its dialog @one-width', async ({ page }) => {
  const exam = new ExamScreen(page);
  await page.goto(`/exam/review/${await handIn(page)}?q=2`);
  await exam.isAt(2);
  await exam.next();
  await exam.isAt(3);
  await page.getByRole('button', { name: '显示与快捷键' }).click();
  await page.getByRole('dialog', { name: '显示与快捷键' }).getByText('English').click();
  const dialog = page.getByRole('dialog', { name: 'Display and keys' });
  await expect(dialog).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Question 3', exact: true })).toBeFocused();
});

test('a review that cannot be shown has a way out @one-width', async ({ page }, info) => {
  const recordId = await handIn(page);
  const review = '**/app/exam/review?*';
  await page.route(review, (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto(`/exam/review/${recordId}`);
  await expect(page.getByRole('button', { name: '重试' })).toBeVisible();
  await expect(page.getByRole('link', { name: '去考题中心' })).toBeVisible();
  await look(page, info, 'review-failed');
  await page.getByRole('link', { name: '返回成绩' }).click();
  await expect(page).toHaveURL(`/exam/result/${recordId}`);
  await page.unroute(review);
  await page.goto('/exam/review/987654321');
  await expect(page.getByText('没有找到这份答卷。')).toBeVisible();
  await page.getByRole('link', { name: '去考题中心' }).click();
  await expect(page).not.toHaveURL(/review/);
});

test('what is withheld in a review has one word, and the numbers add up', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await call(page.request, 'GET /app/exam/test_start', {
    examId: await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）'),
  });
  const { courses } = await call(page.request, 'GET /app/question/index', { packId, type: 1 });
  let found: { recordId: number; total: number; withheld: number } | null = null;
  for (const { examId } of courses.flatMap(({ chapters }) => chapters)) {
    if (found || examId === null) continue;
    const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
    const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
    const answers = questions.slice(0, 5).map(({ questionId }) => ({ questionId, answer: 'A', seq: 1 }));
    await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
    const review = await call(page.request, 'GET /app/exam/review', { recordId });
    const withheld = review.questions.filter(({ hidden }) => hidden).length;
    if (withheld > 0 && withheld < questions.length) found = { recordId, total: questions.length, withheld };
  }
  if (!found) throw new Error('no chapter shares questions with the paper');
  const { recordId, total, withheld } = found;
  const exam = new ExamScreen(page);
  await page.goto(`/exam/review/${recordId}?q=${total}`);
  const card = await exam.card();
  await expect(card.getByRole('button', { name: /^第 \d+ 题，暂不显示/ })).toHaveCount(withheld);
  await expect(card.getByRole('listitem').filter({ hasText: '暂不显示' })).toBeVisible();
  await look(page, info, 'review-withheld');
  await card.getByRole('button', { name: `暂不显示 ${withheld}` }).click();
  await expect(card.getByRole('button', { name: /^第 \d+ 题，暂不显示/ })).toHaveCount(withheld);
  await card.getByRole('button', { name: `全部 ${total}` }).click();
  if (!exam.wide) await page.getByRole('button', { name: '收起答题卡' }).click();
  await exam.next();
  const dialog = page.getByRole('dialog', { name: '本章已到最后一题' });
  const words = (await dialog.getByText(/^共 \d+ 题/).textContent()) ?? '';
  const [all = 0, ...parts] = [...words.matchAll(/\d+/g)].map(Number);
  expect(words).toContain(`${withheld} 题正在另一场考试中，暂不显示。`);
  expect(
    parts.reduce((sum, part) => sum + part, 0),
    words,
  ).toBe(all);
  await look(page, info, 'review-withheld-end');
});

test('the end of a reviewed chapter names the next one @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const { courses } = await call(page.request, 'GET /app/question/index', { packId, type: 1 });
  const chapter = courses.flatMap(({ chapters }) => chapters).find(({ totalQuestion }) => totalQuestion > 0);
  const examId = chapter?.examId ?? 0;
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  const answers = [{ questionId: questions[0]?.questionId ?? 0, answer: 'A', seq: 1 }];
  await call(page.request, 'POST /api/exam/submit', { examId, recordId, answers });
  await page.goto(`/exam/review/${recordId}?q=${questions.length}`);
  const exam = new ExamScreen(page);
  await exam.isAt(questions.length);
  await exam.next();
  const dialog = page.getByRole('dialog', { name: '本章已到最后一题' });
  await expect(dialog.getByText(/^下一章：/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: '重新练习' })).toBeVisible();
  await dialog.getByRole('link', { name: '继续下一章' }).click();
  await expect(page).toHaveURL(/\/exam\/\d+\?record=\d+/);
  await exam.isAt(1);
});

test('a paper that may not be sat again: the end of its review says so beforehand, its address offers no other try @one-width', async ({
  page,
}, info) => {
  await loadNasty();
  await newStudent(page.request);
  const packId = await findPack(page.request, nasty);
  const examId = await findPaper(page.request, packId, '跨课程真题');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  await call(page.request, 'POST /api/exam/submit', { examId, recordId });
  await page.goto(`/exam/review/${recordId}?q=2`);
  await new ExamScreen(page).next();
  const dialog = page.getByRole('dialog', { name: '已到最后一题' });
  await expect(dialog.getByRole('button', { name: '次数已用完' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: '再考一次' })).toHaveCount(0);
  await expect(dialog.getByRole('link', { name: '返回成绩' })).toBeFocused();
  await look(page, info, 'review-no-retake');
  await page.goto(`/exam/${examId}`);
  await expect(page.getByText('这份试卷的考试次数已经用完')).toBeVisible();
  // Another try would be refused as well.
  await expect(page.getByRole('button', { name: '重试' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: '去考题中心' })).toBeVisible();
});

test('on paper a letter stands in one line with its dot', { tag: '@one-width' }, async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const examId = await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）');
  const { recordId } = await call(page.request, 'GET /app/exam/test_start', { examId });
  await call(page.request, 'POST /api/exam/submit', { examId, recordId });
  // As wide as A4 between its margins.
  await page.setViewportSize({ width: 695, height: 900 });
  await page.emulateMedia({ media: 'print' });
  await page.goto(`/paper/print?exam=${examId}&record=${recordId}`);
  const letters = page.locator('li > b', { hasText: /^[A-Z]\.$/ });
  await expect(letters.first()).toBeVisible();
  const heights = await letters.evaluateAll((all) =>
    all.map((letter) => {
      const range = document.createRange();
      range.selectNodeContents(letter);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }),
  );
  expect(Math.max(...heights)).toBe(1);
});
