import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, type TestInfo } from '@playwright/test';

/** Where the pictures go, with `E2E_SHOTS=1`: nothing compares them, and drawing them takes longer than many a rule of axe. */
const shots = process.env.E2E_SHOTS ? join(import.meta.dirname, 'shots') : null;
if (shots) mkdirSync(shots, { recursive: true });

/**
 * A screen as a person sees it: nothing wider than the window, and axe finds no serious fault; a picture in light and in
 * dark for review, where they are wanted. Of its rules only contrast depends on the theme, so the dark look asks for that one alone, and only
 * at one width, on which contrast does not depend.
 * @param name of the picture, e.g. `exam-question`
 */
export async function look(page: Page, info: TestInfo, name: string, { whole = false } = {}): Promise<void> {
  await fitsWidth(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    const knownInTheDark = colorScheme === 'dark' && info.project.name === 'phone';
    if (knownInTheDark && !shots) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(restOfMotion);
    if (shots) {
      const path = join(shots, `${name}-${info.project.name}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: whole, scale: 'css' });
    }
    if (knownInTheDark) continue;
    // Legacy mode: there are no frames of other origins here, and the other mode opens a page of its own each time.
    // A formula is hundreds of boxes in the colour of the text around it, which is looked at.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).exclude('.katex');
    // Every rule runs all the same, but only what breaks one is described: the rest would cost more than the rules do.
    axe.options({ resultTypes: ['violations'] });
    if (colorScheme === 'dark') axe.withRules(['color-contrast']);
    else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']);
    const { violations } = await axe.analyze();
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map((violation) => ({
        ...violation,
        nodes: violation.nodes.filter((node) => !underTheBar(violation.id, node.any[0]?.message)),
      }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => {
        const where = nodes
          .slice(0, 3)
          .map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? node.html.slice(0, 120)}`);
        return `${id}: ${where.join(' | ')}`;
      });
    expect.soft(serious, `axe on ${name}, ${colorScheme}`).toEqual([]);
  }
}

/** What lies half under the bar at the bottom of a phone is whole again once it is scrolled. */
function underTheBar(rule: string, message = ''): boolean {
  return rule === 'target-size' && message.includes('obscured');
}

/** In the page: waits until every movement that has an end has ended. */
async function restOfMotion(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 5000);
  await Promise.all(finite.map((animation) => animation.finished.catch(() => undefined)));
}

/** Nothing sticks out of the page to the right. */
export async function fitsWidth(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(over, `pixels wider than the window on ${page.url()}`).toBeLessThanOrEqual(0);
}

/** No word of Latin letters is broken in its middle, and no name of a button, a choice or a heading in its hyphen; of codes nobody expects that. */
export async function wholeWords(page: Page): Promise<void> {
  const broken = await page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const within = text.parentElement;
      if (within === null || within.closest('.katex, .unseen, script, style, noscript')) continue;
      const word = within.closest('button, label, a, h1, h2, h3') ? /[A-Za-z]+(-[A-Za-z]+)*/g : /[A-Za-z]+/g;
      for (const { 0: letters, index } of (text.textContent ?? '').matchAll(word)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + letters.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(letters);
      }
    }
    return found;
  });
  expect.soft(broken, `words broken on ${page.url()}`).toEqual([]);
}
