import { expect, type Page } from '@playwright/test';

declare global {
  interface Window {
    moved: number;
    takenOver: boolean;
  }
}

/** In the page, before its own code: how far things move, and whether the script has taken the page over. */
function watch(): void {
  window.moved = 0;
  window.takenOver = false;
  window.addEventListener('lixue-taken-over', () => {
    window.takenOver = true;
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value?: number })[])
      window.moved += entry.value ?? 0;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** A page whose scripts are on their way until `arrive`; `said` is what went wrong in it. */
export async function openWithLateScript(page: Page, path = '/') {
  const said: string[] = [];
  page.on('pageerror', ({ message }) => said.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text());
  });
  // The first of a second may go out before its answers are there.
  await expect
    .poll(async () => (await page.request.get('/', { headers: { cookie: '' } })).text())
    .toContain('data-drawn');
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.addInitScript(watch);
  await page.goto(path, { waitUntil: 'commit' });
  const taken = () => expect.poll(() => page.evaluate(() => window.takenOver)).toBe(true);
  return { said, arrive, taken };
}
