import { chromium, type Page } from '@playwright/test';
import { startServer } from '#server/test-process.ts';
import { findBrowser } from '../tools/browser.mjs';
import { report } from './measure.ts';
import { makeUniversities, UNIVERSITIES } from './university-school.ts';

/**
 * From a key to its suggestions on the screen, in Chromium, over the true server and the built web app: each key of
 * several words, from the key's own time stamp to the frame after the list for that text was put in. The figure is the
 * 95th percentile in milliseconds.
 */
const WORDS = ['beijing', 'chongqingdaxue', 'zjdx', 'hangkong', 'nanjingligong', 'xian', 'buaa', 'dongnan'];

declare global {
  interface Window {
    /** Set by the bench in the page: milliseconds from key to list, one a key. */
    tookKeys: number[];
  }
}

/** In the page: listens for keys and waits for the list that belongs to each. */
function watch(): void {
  window.tookKeys = [];
  document.addEventListener(
    'keydown',
    (event) => {
      const began = event.timeStamp;
      const look = () => {
        const list = document.querySelector<HTMLElement>('[role="listbox"]');
        // While the list still shows what belongs to the text before, it says so.
        if (list === null || list.hidden || list.dataset.stale !== undefined) return void requestAnimationFrame(look);
        // This callback runs before its frame is painted; the next task runs after.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.tookKeys.push(performance.now() - began);
        port2.postMessage(null);
      };
      // The text changes after the key.
      setTimeout(() => requestAnimationFrame(look), 0);
    },
    { capture: true },
  );
}

async function type(page: Page, word: string): Promise<number[]> {
  const box = page.getByRole('combobox', { name: '院校名称' });
  await box.fill('');
  await page.evaluate(() => {
    window.tookKeys = [];
  });
  let keys = 0;
  for (const key of word) {
    await box.press(key);
    keys += 1;
    await page.waitForFunction((count) => window.tookKeys.length >= count, keys, { polling: 20, timeout: 5000 });
  }
  return page.evaluate(() => window.tookKeys);
}

const school = await makeUniversities();
const server = await startServer({ dataDir: school.dataDir });
const browser = await chromium.launch({
  executablePath: findBrowser({ mayInstall: false }) ?? '',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' });
await page.goto(`http://127.0.0.1:${server.port}/universities`);
await page.getByText('共 2,700 所院校').waitFor();
await page.evaluate(watch);
await type(page, 'shanghai');
const took: number[] = [];
for (const word of WORDS) took.push(...(await type(page, word)));
await browser.close();
await server.stop();
school.close();

took.sort((a, b) => a - b);
const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
report({
  name: 'university_key_to_list',
  value: at(0.95),
  unit: 'ms',
  detail: `${UNIVERSITIES} universities, ${took.length} keys, median ${at(0.5).toFixed(0)} ms, worst ${at(1).toFixed(0)} ms`,
});
