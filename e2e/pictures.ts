/**
 * Takes the pictures of the README from a running server with the demo packs:
 * `node tools/with-node.mjs e2e/pictures.ts http://localhost:3000`. Uses both demo students: one hands a paper in.
 */
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '../tools/browser.mjs';
import { call } from './call.ts';
import { agreeToAll, findPack, findPaper, PASSWORD, packs, students } from './student.ts';

const base = process.argv[2] ?? 'http://localhost:3000';
const folder = join(import.meta.dirname, '../docs/pictures');
const browser = await chromium.launch({
  executablePath: findBrowser({ mayInstall: false }) ?? '',
  args: ['--no-sandbox', '--disable-gpu'],
});
const desktop = await browser.newContext({
  baseURL: base,
  viewport: { width: 1440, height: 900 },
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  reducedMotion: 'reduce',
});
await desktop.request.post('/api/user/login', { data: { phone: students.second, password: PASSWORD } });
await agreeToAll(desktop.request);
const { data } = (await (await desktop.request.get('/api/exam/exam_list?packId=2&kind=mock')).json()) as {
  data: { list: { examId: number }[] };
};
const examId = data.list[0]?.examId;
const page = await desktop.newPage();
await page.goto(`/exam/${examId}`);
await page.getByText('答题卡').first().waitFor();
// A paper in the middle of being answered: letters in turn, one question marked.
const keys = ['D', 'A', 'B', 'C', 'B', 'D', 'A', 'C', 'D', 'B', 'A', 'C'];
for (const [at, key] of keys.entries()) {
  if (at === 4) await page.keyboard.press('m');
  await page.keyboard.press(key);
  await page
    .getByText(`${at + 2}`, { exact: true })
    .first()
    .waitFor();
  await page.getByRole('heading', { name: `第 ${at + 2} 题` }).waitFor();
}
await page.goto(`/exam/${examId}?q=30`);
await page.getByRole('heading', { name: '第 30 题' }).waitFor();
for (const key of ['B', 'C', 'D']) await page.keyboard.press(key);
await page
  .getByText(/已保存/)
  .first()
  .waitFor();
await page.screenshot({ path: join(folder, 'exam.png') });

const phone = await browser.newContext({
  baseURL: base,
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  colorScheme: 'dark',
  reducedMotion: 'reduce',
  storageState: await desktop.storageState(),
});
const small = await phone.newPage();
await small.goto(`/exam/${examId}?q=30`);
await small.getByRole('heading', { name: '第 30 题' }).waitFor();
await small.screenshot({ path: join(folder, 'phone.png') });
await phone.close();

const record = (await (await desktop.request.get(`/app/exam/test_start?examId=${examId}`)).json()) as {
  data: { recordId: number };
};
await desktop.request.post('/api/exam/submit', { data: { examId, recordId: record.data.recordId } });
await page.goto(`/exam/result/${record.data.recordId}`);
await page.getByText('查看解析').first().waitFor();
await page.screenshot({ path: join(folder, 'result.png') });

// Wrong questions: a paper with formulas that was answered by A throughout.
const maths = await findPack(desktop.request, packs.maths);
const guessed = await findPaper(desktop.request, maths, '高等数学模拟卷（一）');
const { recordId } = await call(desktop.request, 'GET /app/exam/test_start', { examId: guessed });
const { questions } = await call(desktop.request, 'GET /api/exam/details', { recordId });
const answers = questions.map(({ questionId }) => ({ questionId, answer: 'A', seq: 1 }));
await call(desktop.request, 'POST /api/exam/submit', { examId: guessed, recordId, answers });
await page.goto(`/wrongQuestions?packId=${maths}`);
await page.locator('.katex').first().waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: join(folder, 'wrong.png') });

// Home as a plan: the packs of the student who has studied nothing, with an exam in a month.
const planned = await browser.newContext({
  baseURL: base,
  viewport: { width: 1440, height: 900 },
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  reducedMotion: 'reduce',
});
await planned.request.post('/api/user/login', { data: { phone: students.first, password: PASSWORD } });
await agreeToAll(planned.request);
const packId = await findPack(planned.request, packs.accounting);
const examDate = new Date(Date.now() + 33 * 24 * 3600 * 1000).toISOString().slice(0, 10);
await call(planned.request, 'POST /app/exam/study_settings', { packId, examDate });
await call(planned.request, 'POST /app/plan/minutes', { weekMinutes: [60, 60, 60, 60, 60, 120, 120] });
const home = await planned.newPage();
await home.goto('/');
await home.getByRole('heading', { name: '今日' }).first().waitFor();
await home.screenshot({ path: join(folder, 'home.png') });
await home.goto('/universities');
await home.getByText('北京大学').first().waitFor();
await home.waitForLoadState('networkidle');
await home.screenshot({ path: join(folder, 'universities.png') });
await browser.close();
