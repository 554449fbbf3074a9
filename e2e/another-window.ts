import type { Browser, Page } from '@playwright/test';

/** A window of somebody else, as large as this page and beside it. */
export async function another(browser: Browser, page: Page): Promise<Page> {
  const size = page.viewportSize();
  const context = await browser.newContext({ ...(size && { viewport: size }), baseURL: new URL(page.url()).origin });
  return context.newPage();
}
