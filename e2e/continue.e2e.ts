import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { findPack, newStudent, packs } from './student.ts';

const paperName = '《初级会计实务》模拟卷（一）';

/** Goes on with the paper from 考题中心, in a new tab. */
async function goOn(context: BrowserContext, packId: number): Promise<ExamScreen> {
  const page = await context.newPage();
  await page.goto(`/examCenter?packId=${packId}&kind=mock`);
  const row = page.getByRole('listitem').filter({ hasText: paperName });
  await row.getByRole('button', { name: '继续' }).click();
  return new ExamScreen(page);
}

test('继续 opens a paper where one was, also after closing the tab and on another device', async ({
  page,
  context,
  browser,
}) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  await page.goto(`/examCenter?packId=${packId}&kind=mock`);
  await begin(page);
  const exam = new ExamScreen(page);
  await exam.isAt(1);
  await exam.choose('A');
  await exam.isAt(2);
  await expect(exam.saved()).toBeVisible();
  await exam.jump(7);
  const recordId = exam.recordId();
  await page.close({ runBeforeUnload: true });

  const again = await goOn(context, packId);
  await again.isAt(7);
  await expect(again.page, 'and a reload stays there').toHaveURL(/[?&]q=7\b/);
  await again.next();
  await again.page.goto('/');
  await again.page.getByRole('link', { name: '继续作答' }).click();
  await again.isAt(8);
  await again.page.goto('/myExams');
  const at8 = (await call(again.page.request, 'GET /api/exam/cache', { recordId })).place?.questionId;
  expect(at8).toBeDefined();

  const elsewhere = await browser.newContext({
    storageState: { cookies: (await context.storageState()).cookies, origins: [] },
  });
  try {
    const there = await goOn(elsewhere, packId);
    await there.isAt(8);
    await there.jump(12);
    await there.choose('B');
    await there.isAt(13);
    await expect(there.saved()).toBeVisible();
    await there.page.close({ runBeforeUnload: true });
    const told = () => call(again.page.request, 'GET /api/exam/cache', { recordId });
    await expect.poll(async () => (await told()).place?.questionId, 'it said where it was left').not.toBe(at8);
    expect((await told()).answers).toHaveLength(2);
  } finally {
    await elsewhere.close();
  }

  const back = await goOn(context, packId);
  await back.isAt(13);
});

async function begin(page: Page): Promise<void> {
  const row = page.getByRole('listitem').filter({ hasText: paperName });
  await row.getByRole('button', { name: '开始' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '开始' }).click();
}
