import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession, Page } from '@playwright/test';
import { median, report } from './measure.ts';
import { SLOW_LINE } from './slow-line.ts';
import { SLOWER, withWebExam } from './web-exam.ts';

/**
 * A first visit to an exam on a phone with a slow line (1.6 Mbit/s, 150 ms) and a processor four times slower, with nothing in the
 * browser's memory: when the page's frame is painted, as a multiple of a static page with the same text that a plain node:http server
 * sends to the same browser, in turns; when the question can be read, and when it can be answered; and what was fetched until then. And, as before, the
 * JavaScript and CSS that the visit transfers until the network is quiet, with the dialogs that are fetched while it is read.
 */
const ROUNDS = 3;
const PLAIN = '<p>下列各项中，说法正确的是（　）。</p>';
const FORMULAS = "<p>设 \\(f(x)=x^2\\)，则 \\(f'(1)=\\)（　）。</p>";

declare global {
  interface Window {
    /** Set by the bench in the page: milliseconds of its clock when these were first in sight. */
    firstSeen: { frame?: number; question?: number; answerable?: number; set?: number };
  }
}

/**
 * In the page: notes at each frame whether the page's frame, its question with options (drawn ahead, or by the screen), options that can be
 * pressed, and its formulas as they are set, are in sight, and says so to the bench.
 */
function watch(): void {
  window.firstSeen = {};
  const inSight = (selector: string) => (document.querySelector(selector)?.getBoundingClientRect().height ?? 0) > 0;
  const look = () => {
    const now = performance.now();
    const seen = (name: keyof Window['firstSeen'], selector: string) => {
      if (window.firstSeen[name] !== undefined || !inSight(selector)) return;
      window.firstSeen[name] = now;
      console.debug(`seen ${name}`);
    };
    seen('frame', '#root, body > h1');
    const answers = '[role=radiogroup], fieldset, [role=radio], [role=group] [role=checkbox]';
    seen('question', `[data-first-question] article > :last-child, ${answers}`);
    seen('answerable', answers);
    seen('set', '.katex');
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function slowed(page: Page, client: CDPSession): Promise<void> {
  await client.send('Network.emulateNetworkConditions', SLOW_LINE);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watch);
}

/**
 * Waits until the page says that this is in sight. Asked by a script of ours, as Playwright's own waiting does it, it would be busy with that
 * script for 40 ms of the time that is measured.
 */
const isSeen = (page: Page, name: keyof Window['firstSeen']) =>
  page.waitForEvent('console', (message) => message.text() === `seen ${name}`);

/** Milliseconds until the first paint that has the frame in it. */
const framePaint = (page: Page) =>
  page.evaluate(() => {
    const [paint] = performance.getEntriesByType('paint');
    return Math.max(paint?.startTime ?? Number.NaN, window.firstSeen.frame ?? Number.NaN);
  });

interface Fetched {
  path: string;
  bytes: Promise<number>;
}

/** One visit on the slow line. `text` is what it shows. */
function slowVisit(topic: string, formulas: boolean) {
  return withWebExam({ questions: 100, width: 390, height: 844, topic }, async ({ page, client, address }) => {
    await slowed(page, client);
    const fetched: Fetched[] = [];
    page.on('request', (request) =>
      fetched.push({
        path: new URL(request.url()).pathname,
        bytes: request
          .response()
          .then(async (answer) => (answer ? (await request.sizes()).responseBodySize : 0))
          // What is asked for after the question may still be on its way when the visit ends.
          .catch(() => 0),
      }),
    );
    const shown = isSeen(page, formulas ? 'set' : 'answerable');
    await page.goto(address, { waitUntil: 'commit' });
    await shown;
    const before = [...fetched];
    const frame = await framePaint(page);
    const seen = await page.evaluate(() => window.firstSeen);
    // The network may have been quiet once before, which would end the wait; a font that was asked for is awaited by itself.
    await page.waitForLoadState('networkidle');
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    const fonts = fetched.filter(({ path }) => path.endsWith('.woff2')).length;
    const used = () =>
      page.evaluate(
        () =>
          [...document.fonts].filter(({ status, family }) => status === 'loaded' && family.startsWith('KaTeX')).length,
      );
    // A font that has just come takes a slow processor a moment to read; one that nothing uses is never loaded.
    for (const until = Date.now() + 3000; (await used()) < fonts && Date.now() < until; ) await page.waitForTimeout(50);
    const usedFonts = await used();
    const code = before.filter(({ path }) => /\.(?:js|css)$/.test(path));
    return {
      ...{ frame, shown: (formulas ? seen.set : seen.question) ?? Number.NaN },
      answerable: seen.answerable ?? Number.NaN,
      ...{ requests: before.map(({ path }) => path), fonts, usedFonts },
      bytes: (await Promise.all(code.map(({ bytes }) => bytes))).reduce((sum, one) => sum + one, 0),
      text: await page.evaluate(() => document.body.innerText),
    };
  });
}

type Slow = Awaited<ReturnType<typeof slowVisit>>;

/** Milliseconds until a static page with this text is painted in the same kind of browser. */
async function staticPaint(text: string): Promise<number> {
  const [title = '', ...rest] = text
    .replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const control = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    reply.end(
      `<!doctype html><html lang="zh-CN"><meta name="viewport" content="width=device-width"><h1>${title}</h1>${rest.map((line) => `<p>${line}</p>`).join('')}</html>`,
    );
  });
  control.listen(0, '127.0.0.1');
  await once(control, 'listening');
  try {
    return await withWebExam({ questions: 1, width: 390, height: 844 }, async ({ page, client }) => {
      await slowed(page, client);
      const shown = isSeen(page, 'frame');
      await page.goto(`http://127.0.0.1:${(control.address() as AddressInfo).port}/`, { waitUntil: 'commit' });
      await shown;
      await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
      return framePaint(page);
    });
  } finally {
    control.close();
  }
}

const plainVisits: Slow[] = [];
const formulaVisits: Slow[] = [];
const controls: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const one = await slowVisit(PLAIN, false);
  plainVisits.push(one);
  controls.push(await staticPaint(one.text));
  formulaVisits.push(await slowVisit(FORMULAS, true));
}
const middle = (visits: readonly Slow[], figure: (visit: Slow) => number) => median(visits.map(figure));
const frame = middle(plainVisits, (visit) => visit.frame);
report({
  name: 'exam_frame_paint',
  value: frame / median(controls),
  unit: '×',
  detail: `${Math.round(frame)} ms against ${Math.round(median(controls))} ms of a static page with the same text`,
});
for (const [name, visits] of [
  ['exam_question_shown', plainVisits],
  ['exam_question_shown_formulas', formulaVisits],
] as const)
  report({
    name,
    value: middle(visits, (visit) => visit.shown),
    unit: 'ms',
    detail: `it can be answered after ${Math.round(middle(visits, (visit) => visit.answerable))} ms`,
  });
report({
  name: 'exam_question_requests',
  value: middle(plainVisits, (visit) => visit.requests.length),
  unit: 'requests',
  detail: 'made until the question can be answered, the document and calls among them',
});
for (const [name, visits] of [
  ['exam_question_code', plainVisits],
  ['exam_question_code_formulas', formulaVisits],
] as const)
  report({
    name,
    value: middle(visits, (visit) => visit.bytes) / 1024,
    unit: 'KB',
    detail: 'JavaScript and CSS asked for until then',
  });
report({
  name: 'exam_fonts_unused',
  value: Math.max(...formulaVisits.map((visit) => visit.fonts - visit.usedFonts)),
  unit: 'fonts',
  detail: `${formulaVisits[0]?.fonts ?? 0} fonts of formulas were fetched`,
});

/**
 * JavaScript and CSS that a first visit to the exam screen transfers, as they come over the wire, until the network is
 * quiet: the question, and the dialogs that are fetched while it is read. Papers with formulas fetch KaTeX besides, which
 * is said apart, since it comes after the question can be read.
 */
function visit(topic: string): Promise<{ bytes: number; files: number; packed: boolean }> {
  return withWebExam({ questions: 100, width: 1440, height: 900, topic }, async ({ page, address }) => {
    const sizes: Promise<{ bytes: number; encoding: string }>[] = [];
    page.on('requestfinished', (request) => {
      if (!/\.(js|css)$/.test(new URL(request.url()).pathname)) return;
      sizes.push(
        Promise.all([request.sizes(), request.response()]).then(([{ responseBodySize }, response]) => ({
          bytes: responseBodySize,
          encoding: response?.headers()['content-encoding'] ?? '',
        })),
      );
    });
    await page.goto(address);
    await page.getByRole('heading', { name: '第 1 题', exact: true }).waitFor();
    // A dialog is opened, so that what the dialogs need is among the files.
    await page.getByRole('button', { name: '交卷', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.waitForLoadState('networkidle');
    const all = await Promise.all(sizes);
    return {
      bytes: all.reduce((sum, one) => sum + one.bytes, 0),
      files: all.length,
      packed: all.every((one) => one.encoding === 'br'),
    };
  });
}

const plain = await visit('<p>下列各项中，说法正确的是（　）。</p>');
const formulas = await visit("<p>设 \\(f(x)=x^2\\)，则 \\(f'(1)=\\)（　）。</p>");
report({
  name: 'exam_first_visit',
  value: plain.bytes / 1024,
  unit: 'KB',
  detail: `${plain.files} files, ${plain.packed ? 'all brotli' : 'NOT all brotli'}; with formulas ${(formulas.bytes / 1024).toFixed(1)} KB`,
});
if (!plain.packed) process.exitCode = 1;
