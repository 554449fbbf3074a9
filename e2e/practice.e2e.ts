import { expect, type Locator, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

async function startPaper(page: Page, name: string): Promise<ExamScreen> {
  await newStudent(page.request);
  const examId = await findPaper(page.request, await findPack(page.request, packs.accounting), name);
  const exam = new ExamScreen(page);
  await exam.open(examId);
  return exam;
}

test('feedback on a question: what is missing is said, the text is counted, the report arrives', async ({
  page,
}, info) => {
  const exam = await startPaper(page, '《初级会计实务》模拟卷（一）');
  await page.getByRole('button', { name: '反馈' }).click();
  const dialog = page.getByRole('dialog', { name: '试题反馈' });
  await expect(dialog).toBeVisible();
  const height = async () => (await dialog.boundingBox())?.height;
  const atFirst = await height();
  await dialog.getByRole('button', { name: '提交' }).click();
  const types = dialog.getByRole('group', { name: '问题类型' });
  const text = dialog.getByRole('textbox', { name: /问题描述/ });
  await expect(types, 'each fault at its field').toHaveAccessibleDescription('请至少选择一个选项');
  await expect(text).toHaveAccessibleDescription('请输入问题描述');
  await expect(dialog.getByRole('radio', { name: '题目有误' })).toBeFocused();
  expect(await height(), 'a sentence moves nothing').toBe(atFirst);
  const typo = dialog.getByRole('radio', { name: '错别字' });
  await expect(typo).toHaveAttribute('aria-invalid', 'true');
  await typo.check();
  await expect(types).toHaveAccessibleDescription('');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(text).toHaveAccessibleDescription('请输入问题描述');
  await expect(text).toBeFocused();
  await look(page, info, 'exam-feedback-missing');
  await text.fill('   ');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(text).toHaveAccessibleDescription('请输入问题描述');
  await text.fill('错'.repeat(300));
  await expect(dialog.getByText('300 / 300')).toBeVisible();
  await text.press('End');
  await page.keyboard.type('字');
  expect(await text.inputValue(), 'no character beyond 300').toHaveLength(300);
  await page.route('**/app/feedback/lx_submit', (route) => route.abort());
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: /./ })).toHaveText('反馈失败，请稍后重试');
  await look(page, info, 'exam-feedback-failed');
  await page.unroute('**/app/feedback/lx_submit');
  // Closed while it is on its way: the dialog that is open when it arrives stays.
  const arrival = Promise.withResolvers<void>();
  await page.route('**/app/feedback/lx_submit', async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await dialog.getByRole('button', { name: '提交' }).click();
  await dialog.getByRole('button', { name: '取消' }).click();
  await expect(dialog).toBeHidden();
  const handIn = await exam.askToHandIn();
  arrival.resolve();
  await expect(page.getByText('已收到您的反馈，感谢')).toBeVisible();
  await expect(handIn).toBeVisible();
  await handIn.getByRole('button', { name: '继续作答' }).click();
  await exam.isAt(1);
});

test('twenty seconds after the question the form of feedback opens without a network, and its button has the keyboard again @one-width', async ({
  page,
  context,
}) => {
  await page.clock.install();
  const overlays = page.waitForResponse(/\/assets\/ExamOverlays-.*\.js/);
  await Promise.all([overlays, startPaper(page, '《初级会计实务》模拟卷（一）')]);
  await page.waitForLoadState('networkidle');
  const asked = new Set<object>();
  let forms = 0;
  page.on('request', (request) => {
    asked.add(request);
    if (/\/assets\/FeedbackDialog-.*\.js/.test(request.url())) forms += 1;
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  await page.clock.fastForward(10_000);
  await page.waitForTimeout(300);
  expect(forms, 'not before').toBe(0);
  await page.clock.fastForward(10_000);
  await expect.poll(() => forms).toBe(1);
  await expect.poll(() => asked.size, { message: 'its sheets and parts have come, too' }).toBe(0);
  await context.setOffline(true);
  const dialog = page.getByRole('dialog', { name: '试题反馈' });
  await page.getByRole('button', { name: '反馈' }).click();
  await expect(dialog.getByRole('radio', { name: '题目有误' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: '反馈' })).toBeFocused();
  await context.setOffline(false);
});

test('case material beside its question, with a divider that is remembered', async ({ page }, info) => {
  const exam = await startPaper(page, '《初级会计实务》模拟卷（一）');
  await exam.jump(29);
  const material = page.getByRole('region', { name: '案例' });
  await expect(material.getByRole('heading', { name: '甲公司固定资产业务' })).toBeVisible();
  await look(page, info, 'exam-case');
  // The material keeps its own place: reading on in it moves no question, and the next question of the case moves it not.
  await material.evaluate((box) => box.scrollTo(0, 60));
  const question = await page.getByRole('heading', { name: '第 29 题', exact: true }).boundingBox();
  await exam.jump(30);
  expect(await material.evaluate((box) => box.scrollTop)).toBe(60);
  await exam.jump(29);
  expect(await page.getByRole('heading', { name: '第 29 题', exact: true }).boundingBox()).toEqual(question);
  const divider = page.getByRole('separator', { name: '调整案例区大小' });
  const size = async () => {
    const box = await material.boundingBox();
    return Math.round((exam.wide ? box?.width : box?.height) ?? 0);
  };
  const [more, less] = exam.wide ? ['ArrowRight', 'ArrowLeft'] : ['ArrowDown', 'ArrowUp'];
  const before = { now: Number(await divider.getAttribute('aria-valuenow')), size: await size() };
  await divider.focus();
  await page.keyboard.press(more);
  await page.keyboard.press(more);
  await expect(divider).toHaveAttribute('aria-valuenow', String(before.now + 8));
  expect(await size()).toBeGreaterThan(before.size);
  await exam.isAt(29);
  for (let press = 0; press < 30; press++) await page.keyboard.press(less);
  await expect(divider).toHaveAttribute('aria-valuenow', await divider.getAttribute('aria-valuemin').then(String));
  await expect(exam.options().first()).toBeVisible();
  const bar = await divider.boundingBox();
  if (!bar) throw new Error('no divider');
  await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2);
  await page.mouse.down();
  const view = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(exam.wide ? 500 : bar.x, exam.wide ? bar.y : view.height * 0.45, { steps: 6 });
  await page.mouse.up();
  const dragged = await divider.getAttribute('aria-valuenow');
  expect(Number(dragged)).toBeGreaterThan(25);
  await page.reload();
  await exam.isAt(29);
  await expect(divider).toHaveAttribute('aria-valuenow', String(dragged));
  await test.step('the scratch paper hides neither what is read nor what has the keyboard, beside material or without it', async () => {
    const shown = (element: Locator) =>
      element.evaluate((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return node.contains(document.elementFromPoint(x + width - 4, y + height / 2));
      });
    for (const [number, width] of [
      [29, view.width],
      [1, exam.wide ? 1100 : view.width],
    ] as const) {
      await page.setViewportSize({ ...view, width });
      await exam.jump(number);
      await page.getByRole('button', { name: '草稿纸', exact: true }).click();
      await expect(page.getByRole('complementary', { name: '草稿纸' })).toBeVisible();
      for (const option of await exam.options().all()) {
        await option.focus();
        expect(await shown(option)).toBe(true);
      }
      await page.getByRole('button', { name: '收起草稿纸' }).click();
    }
  });
});

test('recite mode shows the keys, and the last question leads on to the next chapter', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { courses } = await call(page.request, 'GET /app/question/index', { packId, type: 1 });
  const leaf = courses[0]?.chapters[0]?.childes[0]?.childes[0];
  const exam = new ExamScreen(page);
  await exam.open(leaf?.examId ?? 0);
  await page.getByRole('button', { name: '背题模式' }).click();
  const answer = exam.answer();
  await expect(answer.getByText('正确答案')).toBeVisible();
  await expect(answer.getByText('我的答案')).toBeHidden();
  await look(page, info, 'exam-recite', { whole: true });
  const total = leaf?.totalQuestion ?? 0;
  if (total > 1) await exam.jump(total);
  await exam.next();
  const finish = page.getByRole('dialog', { name: '本章已到最后一题' });
  await expect(finish.getByText(/^下一章：/)).toBeVisible();
  await look(page, info, 'exam-chapter-finish');
  await finish.getByRole('button', { name: '继续下一章' }).click();
  await expect(page).not.toHaveURL(new RegExp(`/exam/${leaf?.examId}\\b`));
  await exam.isAt(1);
});

test('after-class practice: the list, an answer, the result, and both ways on', async ({ page }, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto(`/startExam/chaptExam?packId=${packId}`);
  await expect(page.getByRole('heading', { name: '考题中心' })).toBeVisible();
  const start = page.getByRole('main').getByRole('button', { name: '开始', exact: true });
  await unfoldAll(page, start);
  await look(page, info, 'after-class', { whole: true });
  await start.first().click();
  const exam = new ExamScreen(page);
  await exam.isAt(1);
  // Who chooses by ↓ sees no key: what shows it is told.
  const keys = page.getByRole('dialog', { name: '显示与快捷键' });
  for (const told of [true, false]) {
    await page.getByRole('button', { name: '显示与快捷键' }).click();
    await keys.getByRole('switch', { name: /选择后立即显示答案/ }).setChecked(told);
    if (exam.wide) await expect(keys.getByText('在选项上：选中它，单选题同时显示答案')).toBeVisible({ visible: told });
    await exam.closeDialog(keys);
    const options = page.getByRole('radiogroup', { name: '选项' });
    await expect(options).toHaveAccessibleDescription(told ? /按 Space 显示答案/ : '');
  }
  await exam.choose('A');
  await expect(exam.saved()).toBeVisible();
  const recordId = await exam.handIn();
  await expect(page.getByRole('button', { name: '重新练习' })).toBeVisible();
  await page.getByRole('link', { name: '返回章节' }).click();
  // The list opens by itself where one was last.
  const done = page.getByRole('link', { name: '继续' });
  await expect(done.first()).toHaveAttribute('href', `/exam/result/${recordId}`);
  await expect(page.getByRole('button', { name: '重新开始' }).first()).toBeVisible();
});

/** Opens every chapter of the tree, once it or such a leaf is there. The open ones go through the address: each is waited for. */
async function unfoldAll(page: Page, leaf: Locator): Promise<void> {
  const chapters = page.getByRole('main').locator('[aria-expanded]:not([aria-haspopup])');
  await expect(leaf.or(chapters).first()).toBeVisible();
  const folded = () =>
    chapters.evaluateAll((all) => all.findIndex((chapter) => chapter.getAttribute('aria-expanded') === 'false'));
  for (let next = await folded(); next >= 0; next = await folded()) {
    await chapters.nth(next).click();
    await expect(chapters.nth(next)).toHaveAttribute('aria-expanded', 'true');
  }
}

test('forced colours show what is chosen, answered and pressed @one-width', async ({ page }, info) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.maths);
  const exam = new ExamScreen(page);
  await exam.open(await findPaper(page.request, packId, '高等数学模拟卷（一）'));
  await exam.autoAdvance(false);
  await exam.choose('A');
  const card = await exam.card();
  const ground = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor);
  const badge = (letter: string) => exam.option(letter).getByText(letter, { exact: true }).first();
  expect(await ground(badge('A'))).not.toBe(await ground(badge('B')));
  const cell = (number: number) => card.getByRole('button', { name: new RegExp(`^第 ${number} 题`) });
  await expect(cell(1)).toHaveAccessibleName(/已答/);
  expect(await ground(cell(1))).not.toBe(await ground(cell(2)));
  const filter = (name: RegExp) => card.getByRole('group', { name: '筛选' }).getByRole('button', { name });
  expect(await ground(filter(/全部/))).not.toBe(await ground(filter(/未作答/)));
  await page.screenshot({ path: info.outputPath('forced-colors.png') });
});
