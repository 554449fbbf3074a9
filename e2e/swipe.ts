import type { Page } from '@playwright/test';

/** A finger moves across the question: -1 to the left, for the next one. */
export async function swipe(page: Page, direction: 1 | -1): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const box = await page.getByRole('heading', { name: /^第 \d+ 题$/ }).boundingBox();
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2;
  const from = direction === -1 ? 320 : 70;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
  // Sent without waiting for each other: a slow finger reads or selects, and turns no page.
  await Promise.all([
    touch('touchStart', from),
    ...[1, 2, 3].map((step) => touch('touchMove', from + direction * step * 70)),
    touch('touchEnd'),
  ]);
  await client.detach();
}
