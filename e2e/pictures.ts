/**
 * Takes the pictures of the README from a running server with the demo packs:
 * `node tools/with-node.mjs e2e/pictures.ts http://localhost:3000`. Uses demo student 13800000002 and hands one paper in.
 */
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '../tools/browser.mjs';

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
await desktop.request.post('/api/user/login', { data: { phone: '13800000002', password: 'lixue-demo' } });
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
await browser.close();
