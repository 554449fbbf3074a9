import { expect, test } from '@playwright/test';
import { newStudent } from './student.ts';

declare global {
  interface Window {
    /** What was in sight, in order, each change once. */
    seen: string[];
  }
}

/** In the page, before its own code: notes at each frame whether bones, then the page's heading, are in sight. */
function watch(): void {
  window.seen = [];
  const look = () => {
    const bones = document.querySelector('[aria-busy] .mantine-Skeleton-root');
    let opacity = bones === null ? 0 : 1;
    for (let at = bones; at !== null; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const now = document.querySelector('h1:not([data-spare])') !== null ? 'page' : opacity > 0.1 ? 'bones' : 'nothing';
    if (window.seen.at(-1) !== now) window.seen.push(now);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

test('on a slow network bones come once and stay until the page does, and its parts are asked for together', async ({
  page,
}) => {
  await newStudent(page.request);
  const asked: string[] = [];
  /** Waits for the next one of these, so that each takes over from the one before. */
  const slow: readonly (readonly [RegExp, number])[] = [
    [/\/assets\/frame-.*\.js$/, 900],
    [/\/api\/user\/info/, 1600],
    [/\/assets\/MyExamsPage-.*\.js$/, 2400],
  ];
  for (const [address, wait] of slow)
    await page.route(address, async (route) => {
      asked.push(address.source);
      // All three are on their way before the first of them arrives.
      if (asked.length <= slow.length) await expect.poll(() => asked.length).toBe(slow.length);
      const answer = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, wait));
      await route.fulfill({ response: answer });
    });
  await page.addInitScript(watch);
  await page.goto('/myExams');
  await expect(page.getByRole('heading', { name: '我的考试' })).toBeVisible();
  expect(await page.evaluate(() => window.seen)).toEqual(['nothing', 'bones', 'page']);
});
