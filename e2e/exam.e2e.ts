import { expect, test } from '@playwright/test';
import { answerKey, rightLetters } from './answer-key.ts';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { findPack, newStudent, packs } from './student.ts';
import { swipe } from './swipe.ts';

test('from the home page to a chapter practice whose answers may be seen', async ({ page }, info) => {
  await newStudent(page.request);
  await page.goto('/');
  await page.getByRole('link', { name: '挑选课程' }).click();
  await expect(page.getByRole('article')).not.toHaveCount(0);
  await look(page, info, 'courses');
  await page.getByRole('link', { name: packs.maths }).click();
  await expect(page.getByRole('heading', { level: 1, name: packs.maths })).toBeVisible();
  await look(page, info, 'course-not-joined', { whole: true });
  await page.getByRole('button', { name: '报名学习' }).click();
  await expect(page.getByText('报名成功')).toBeVisible();
  const ways = page.getByRole('navigation', { name: '练习方式' });
  await expect(ways).toBeVisible();
  await look(page, info, 'course-joined', { whole: true });

  await ways.getByRole('link', { name: '章节练习' }).click();
  await expect(page).toHaveURL(/\/startExam\/chaptExam\?packId=\d+&questionTypesId=0$/);
  const chapter = page.getByRole('button', { name: '第一章 函数、极限与连续', exact: true });
  const open = async (name: string) => {
    const node = page.getByRole('button', { name, exact: true });
    if ((await node.getAttribute('aria-expanded')) === 'false') await node.click();
    await expect(node).toHaveAttribute('aria-expanded', 'true');
  };
  await expect(chapter).toBeVisible();
  await open('第一章 函数、极限与连续');
  await open('第一节 极限及其运算');
  await look(page, info, 'chapter-tree', { whole: true });
  await page.reload();
  const leaf = page.getByRole('listitem').filter({ hasText: '极限的性质与运算法则' }).last();
  await expect(leaf, 'the open chapters are in the address').toBeVisible();
  await leaf.getByRole('button', { name: '开始' }).click();

  const exam = new ExamScreen(page);
  await exam.isAt(1);
  await expect(page.getByRole('timer', { name: '已用时间' })).toBeVisible();
  await look(page, info, 'practice');
  await exam.autoAdvance(false);
  await page.getByRole('button', { name: '查看答案' }).click();
  const answer = exam.answer();
  await expect(answer).toBeVisible();
  await expect(answer.getByText('未作答')).toBeVisible();
  await exam.next();
  await exam.isAt(2);
  await expect(answer).toBeHidden();
  await exam.choose('A');
  await page.getByRole('button', { name: '查看答案' }).click();
  await expect(answer.getByText(/^回答(正确|错误)$/)).toBeVisible();
  await look(page, info, 'practice-answer', { whole: true });
  await exam.option('B').click({ force: true });
  expect(await exam.chosen(), 'an answer whose key was shown is final').toBe('A');
  await page.reload();
  await exam.isAt(2);
  await expect(answer, 'the shown key is there again after a reload').toBeVisible();

  await page.getByRole('button', { name: '离开' }).click();
  await expect(leaf.getByRole('button', { name: '继续' })).toBeVisible();
  await look(page, info, 'chapter-tree-begun', { whole: true });
});

test('a mock paper with every type of question, from the exam center to my exams', async ({
  page,
  context,
  baseURL,
}, info) => {
  test.setTimeout(360_000);
  const paperName = '高等数学模拟卷（一）';
  const key = await answerKey(baseURL, packs.maths, paperName);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const exam = new ExamScreen(page);

  await page.goto(`/examCenter?packId=${packId}&kind=mock`);
  const row = page.getByRole('listitem').filter({ hasText: paperName });
  await expect(row).toBeVisible();
  await look(page, info, 'exam-center');
  await row.getByRole('button', { name: '开始' }).click();
  const sure = page.getByRole('dialog', { name: `开始“${paperName}”？` });
  await expect(sure).toBeVisible();
  await look(page, info, 'exam-start-dialog');
  await sure.getByRole('button', { name: '开始' }).click();
  await exam.isAt(1);
  await expect(page).toHaveURL(/record=\d+/);
  const recordId = exam.recordId();
  const { questions } = await call(page.request, 'GET /api/exam/details', { recordId });
  expect(JSON.stringify(questions), 'a paper that is being sat shows no key').not.toMatch(
    /rightAnswer|answerAnalysis|accuracyRate/,
  );
  const right = (number: number): string => {
    const question = questions[number - 1];
    return question ? rightLetters(key, question) : '';
  };
  const held = async (number: number): Promise<string> => {
    const { answers } = await call(page.request, 'GET /api/exam/cache', { recordId });
    return answers.find(({ questionId }) => questionId === questions[number - 1]?.questionId)?.answer ?? '';
  };

  await test.step('judge and single choice move on by themselves, and the edges say so', async () => {
    await exam.previous();
    await expect(exam.toast('当前是第一题，没有上一题了哟！')).toBeVisible();
    await look(page, info, 'exam-judge');
    for (let number = 1; number <= 5; number++) {
      await exam.choose(right(number));
      await exam.isAt(number + 1);
    }
    await expect(exam.saved()).toBeVisible();
    await look(page, info, 'exam-single');
  });

  await test.step('with the switch off a choice stays where it is', async () => {
    await exam.autoAdvance(false);
    const wrong = ['A', 'B'].find((letter) => !right(6).includes(letter)) ?? 'A';
    await exam.choose(wrong);
    await expect.poll(() => held(6)).toBe(wrong);
    // The save comes 800 ms after the choice, later than the 500 ms of auto-advance.
    await exam.isAt(6);
    await exam.next();
  });

  await test.step('keys on the desktop, fingers on the phone', async () => {
    if (!exam.wide) {
      await exam.choose(right(7));
      await swipe(page, -1);
      await exam.isAt(8);
      await swipe(page, 1);
      await exam.isAt(7);
      await exam.next();
      await page.getByRole('button', { name: '标记', exact: true }).click();
      await exam.choose(right(8));
      await expect(page.getByText('已标记')).toBeVisible();
      await exam.next();
      return;
    }
    await page.keyboard.press(right(7).toLowerCase());
    expect(await exam.chosen()).toBe(right(7));
    await page.keyboard.press('Enter');
    await exam.isAt(8);
    await page.keyboard.press('ArrowLeft');
    await exam.isAt(7);
    await page.keyboard.press('ArrowRight');
    await exam.isAt(8);
    await page.keyboard.press(String(right(8).charCodeAt(0) - 64));
    expect(await exam.chosen()).toBe(right(8));
    await page.keyboard.press('m');
    await expect(page.getByRole('button', { name: '取消标记' })).toBeVisible();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: '显示与快捷键' });
    await expect(keys).toBeVisible();
    await look(page, info, 'exam-keys');
    await page.keyboard.press('b');
    await page.keyboard.press('Escape');
    await expect(keys).toBeHidden();
    expect(await exam.chosen(), 'keys do nothing under a dialog').toBe(right(8));
    await page.keyboard.press('Enter');
  });

  await test.step('the network goes: answers go on and are kept; it comes back: they are saved', async () => {
    await exam.isAt(9);
    await expect(exam.saved()).toBeVisible();
    await context.setOffline(true);
    for (let number = 9; number <= 13; number++) {
      await exam.choose(right(number));
      await exam.next();
    }
    await expect(exam.says('离线，已保留 5 题')).toBeVisible();
    await look(page, info, 'exam-offline');
    expect(await held(9), 'the server has heard nothing').toBe('');
    await context.setOffline(false);
    await expect(exam.saved()).toBeVisible();
    for (let number = 9; number <= 13; number++) expect(await held(number)).toBe(right(number));
  });

  await test.step('清除作答 takes an answer back', async () => {
    await exam.isAt(14);
    await exam.choose('A');
    await expect.poll(() => held(14)).toBe('A');
    await page.getByRole('button', { name: '清除作答' }).click();
    await expect.poll(() => held(14)).toBe('');
    expect(await exam.chosen()).toBe('');
  });

  await test.step('several letters, in any order of clicking', async () => {
    await exam.jump(16);
    await exam.choose([...right(16)].reverse().join(''));
    await exam.next();
    await expect.poll(() => held(16)).toBe(right(16));
    await exam.choose(right(17).slice(0, 1));
    await look(page, info, 'exam-multiple');
    await exam.next();
    for (let number = 18; number <= 21; number++) {
      await exam.isAt(number);
      await exam.choose(right(number));
      await exam.next();
    }
  });

  await test.step('written answers', async () => {
    await exam.isAt(22);
    await exam.written().fill('（1）a = b = 3；（2）不可导，因为左导数是 5，右导数是 -9/2。');
    const field = await exam.written().boundingBox();
    expect(field?.height, 'room for several lines').toBeGreaterThanOrEqual(180);
    expect(field?.width, 'as wide as the question').toBeGreaterThanOrEqual(340);
    await look(page, info, 'exam-written');
    await exam.next();
    await exam.written().fill('y = Ce^{-x} + x - 1');
    await exam.jump(25);
    await exam.written().fill('由积分中值定理');
    await exam.next();
    await expect(exam.toast('没有下一题了呦！')).toBeVisible();
    await expect.poll(() => held(25)).toBe('由积分中值定理');
  });

  await test.step('the answer card finds what is open', async () => {
    const card = await exam.card();
    await look(page, info, 'exam-card');
    await card.getByRole('button', { name: '未作答 3' }).click();
    await expect(card.getByRole('button', { name: /^第 \d+ 题/ })).toHaveText(['14', '15', '24']);
    await card.getByRole('button', { name: '标记 1' }).click();
    await expect(card.getByRole('button', { name: /^第 \d+ 题/ })).toHaveText(['8']);
    await card.getByRole('button', { name: '全部' }).click();
    if (!exam.wide) await page.getByRole('button', { name: '收起答题卡' }).click();
  });

  await test.step('leaving and coming back: the same order, the same answers', async () => {
    await page.getByRole('button', { name: '离开' }).click();
    const dialog = page.getByRole('dialog', { name: '离开考试？' });
    await expect(dialog).toBeVisible();
    await look(page, info, 'exam-leave');
    await dialog.getByRole('button', { name: '离开' }).click();
    await expect(row.getByText(/剩余 \d+ 分钟/)).toBeVisible();
    await page.goto('/');
    await expect(page.getByRole('heading', { name: '未完成的作答' })).toBeVisible();
    await look(page, info, 'home-open-exam');
    await page.getByRole('link', { name: '继续作答' }).click();
    await expect(page).toHaveURL(new RegExp(`record=${recordId}`));
    const again = await call(page.request, 'GET /api/exam/details', { recordId });
    expect(again.questions).toEqual(questions);
    await exam.jump(18);
    expect(await exam.chosen()).toBe(right(18));
  });

  await test.step('handing in with an answer that could not be sent', async () => {
    await exam.jump(25);
    await page.route('**/api/exam/save_question', (route) => route.abort());
    await exam.written().fill('由积分中值定理与罗尔定理');
    const dialog = await exam.askToHandIn();
    await expect(dialog.getByText('还有 3 题未作答。交卷后不能再修改。')).toBeVisible();
    await expect(dialog.getByText('有 1 题还没有保存到服务器，会随试卷一起提交。')).toBeVisible();
    await look(page, info, 'exam-hand-in');
    await dialog.getByRole('button', { name: '确认交卷' }).click();
    await expect(page).toHaveURL(`/exam/result/${recordId}`);
    await page.unroute('**/api/exam/save_question');
  });

  await test.step('the result before the written answers are scored', async () => {
    // 5 × 2 + 7 × 4 + 5 + 2.5 + 5 + 3 × 5 = 65.5 of 120
    await expect(page.getByRole('img', { name: '54%，待评分' })).toBeVisible();
    await expect(page.getByText('65.5 / 120')).toBeVisible();
    await expect(page.getByText('答对 17')).toBeVisible();
    await expect(page.getByText('未作答 3')).toBeVisible();
    await expect(page.getByText('待评分 3', { exact: true })).toBeVisible();
    await look(page, info, 'result-pending', { whole: true });
  });

  await test.step('scoring one’s own written answers', async () => {
    await page.getByRole('link', { name: '去评分' }).click();
    const cards = page.getByRole('article');
    await expect(cards).toHaveCount(3);
    await look(page, info, 'review-pending', { whole: true });
    const first = cards.filter({ hasText: '不可导，因为左导数是 5' });
    await first.getByRole('button', { name: '提交评分' }).click();
    await expect(first.getByRole('alert')).toHaveText('请输入你的得分');
    await expect(first.getByLabel('我的得分')).toBeFocused();
    await first.getByLabel('我的得分').fill('10.5');
    await expect(first.getByText('请输入你的得分')).toHaveCount(0);
    await first.getByRole('button', { name: '提交评分' }).click();
    await expect(first.getByRole('alert')).toHaveText('得分须在 0 到本题满分之间');
    await first.getByLabel('我的得分').fill('10');
    await first.getByRole('button', { name: '提交评分' }).click();
    await expect(page.getByText('评分已保存')).toBeVisible();
    // What is scored stays in sight until the filter is asked for anew.
    await expect(first.getByRole('button', { name: '修改评分' })).toBeVisible();
    const waiting = page.getByRole('button', { name: /^待评分/ }).first();
    await expect(waiting).toHaveText(/2/);
    await expect(cards).toHaveCount(3);
    const second = cards.filter({ hasText: 'Ce^{-x}' });
    await second.getByLabel('我的得分').fill('7.5');
    await second.getByRole('button', { name: '提交评分' }).click();
    await expect(second.getByRole('button', { name: '修改评分' })).toBeVisible();
    const third = cards.filter({ hasText: '由积分中值定理与罗尔定理' });
    await third.getByRole('button', { name: '提交评分' }).click();
    await expect(third.getByLabel('我的得分'), 'each fault at its field').toHaveAccessibleDescription('请输入你的得分');
    const judged = third.getByRole('group', { name: '答对还是答错' });
    await expect(judged).toHaveAccessibleDescription('请选择答对还是答错');
    await third.getByLabel('我的得分').fill('10');
    await third.getByRole('button', { name: '提交评分' }).click();
    await expect(third.getByRole('alert')).toHaveText('请选择答对还是答错');
    await third.getByRole('button', { name: '答对' }).click();
    await third.getByRole('button', { name: '提交评分' }).click();
    await expect(third.getByRole('button', { name: '修改评分' })).toBeVisible();
  });

  await test.step('the result, the review and my exams', async () => {
    await page.getByRole('link', { name: '成绩' }).click();
    await expect(page.getByText('93 / 120')).toBeVisible();
    await expect(page.getByRole('img', { name: '77%，及格' })).toBeVisible();
    await look(page, info, 'result', { whole: true });
    // Another try starts a clock that does not stop: that is asked first.
    await page.getByRole('button', { name: '再考一次' }).click();
    const sure = page.getByRole('dialog', { name: /^开始“/ });
    await expect(sure.getByText('开始后计时不会停止', { exact: false })).toBeVisible();
    await sure.getByRole('button', { name: '取消' }).click();
    await expect(sure).toBeHidden();
    await expect(page).toHaveURL(/\/exam\/result\//);
    await page.getByRole('link', { name: '查看解析' }).click();
    await exam.isAt(1);
    await expect(exam.answer().getByText('回答正确')).toBeVisible();
    await page.getByRole('button', { name: '列表', exact: true }).click();
    await expect(page.getByRole('article').first().getByText('回答正确').first()).toBeVisible();
    await look(page, info, 'review-list');
    await page
      .getByRole('main')
      .getByRole('button', { name: /^没全对/ })
      .click();
    await expect(
      page
        .getByRole('article')
        .first()
        .getByText(/回答错误|部分正确/)
        .first(),
    ).toBeVisible();
    await page.goto('/myExams');
    const line = page.getByRole('listitem').filter({ hasText: paperName });
    await expect(line.getByText('93 / 120')).toBeVisible();
    await look(page, info, 'my-exams');
    // Coming back to the address of a handed-in paper shows its result and starts nothing.
    const { examId } = await call(page.request, 'GET /api/exam/cache', { recordId });
    await page.goto(`/exam/${examId}?record=${recordId}`);
    await expect(page).toHaveURL(`/exam/result/${recordId}`);
  });
});

test('past papers by year and timed tests in the exam center', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  await page.goto(`/examCenter?packId=${packId}`);
  const kinds = page.getByRole('navigation', { name: '题目类型' });
  await kinds.getByRole('link', { name: '历年真题' }).click();
  await expect(page).toHaveURL(`/examCenter?packId=${packId}&kind=past`);
  const papers = page.getByRole('main').getByRole('listitem');
  await expect(papers.filter({ hasText: '2025' })).toHaveCount(1);
  await look(page, info, 'exam-center-past');
  await page.goto(`/examCenter?packId=${packId}&kind=past&year=2025`);
  const years = page.getByRole('group', { name: '年份' });
  await expect(years.getByRole('button', { name: '2025 年' })).toHaveAttribute('aria-pressed', 'true');
  await expect(papers).toHaveCount(1);
  await look(page, info, 'exam-center-past-year');
  await years.getByRole('button', { name: '全部年份' }).click();
  await expect(page).toHaveURL(`/examCenter?packId=${packId}&kind=past`);
  await page.goto(`/examCenter?packId=${packId}&kind=past&year=1999`);
  await expect(page.getByText('这门课程还没有历年真题。')).toBeVisible();
  await look(page, info, 'exam-center-no-past');

  await kinds.getByRole('link', { name: '限时测试' }).click();
  await expect(page).toHaveURL(`/examCenter?packId=${packId}&kind=timed`);
  await expect(papers.first().getByText(/^\d+ 分钟$/)).toBeVisible();
  await look(page, info, 'exam-center-timed');
  await papers.first().getByRole('button', { name: '开始' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('开始后计时不会停止');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
