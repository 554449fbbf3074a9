import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { readPack } from '#content/pack/pack.ts';
import { readStorefront } from '#content/storefront/storefront.ts';
import { openDb } from '#server/db/open.ts';
import { localFiles } from '#server/files.ts';
import { importPack } from '#server/import/pack.ts';
import { importStorefront } from '#server/import/storefront.ts';
import { startServer } from '#server/test-process.ts';
import { findBrowser } from '../tools/browser.mjs';
import { median, report } from './measure.ts';
import { SLOW_LINE } from './slow-line.ts';

/**
 * Home of a visitor on a phone with a slow line (1.6 Mbit/s, 150 ms) and a processor four times slower: when its largest text or
 * picture is painted (LCP), as a multiple of a static page with the same text that a plain node:http server sends to the same browser,
 * in turns; and how far things moved while it loaded (CLS).
 */
const ROUNDS = 5;

declare global {
  interface Window {
    paints: { lcp: number; what: string; cls: number };
  }
}

/** In the page: notes what is painted largest and what moves. */
function watch(): void {
  window.paints = { lcp: 0, what: '', cls: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
      window.paints.lcp = entry.startTime;
      window.paints.what = entry.element?.tagName ?? '';
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value?: number })[])
      window.paints.cls += entry.value ?? 0;
  }).observe({ type: 'layout-shift', buffered: true });
}

async function visit(browser: Browser, address: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'zh-CN' });
  try {
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send('Network.emulateNetworkConditions', SLOW_LINE);
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(watch);
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const text = await page.evaluate(() => document.body.innerText);
    return { ...(await page.evaluate(() => window.paints)), text };
  } finally {
    await context.close();
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'lixue-bench-home-'));
const root = join(import.meta.dirname, '..', 'content', 'demo');
const db = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, Date.now());
const files = localFiles(join(dataDir, 'files'));
await importPack(db, files, join(root, 'gaoshu'), { read: readPack });
await importStorefront(db, files, join(root, 'storefront'), readStorefront);
await db.close();
const server = await startServer({ dataDir });
const browser = await chromium.launch({
  executablePath: findBrowser({ mayInstall: false }) ?? '',
  args: ['--no-sandbox', '--disable-gpu'],
});
const home = `http://127.0.0.1:${server.port}/`;
const { text } = await visit(browser, home);
const escaped = text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const [title = '', ...rest] = escaped.split('\n').filter((line) => line.trim() !== '');
const control = createServer((_request, reply) => {
  reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  reply.end(
    `<!doctype html><html lang="zh-CN"><meta name="viewport" content="width=device-width"><style>body{font:16px/1.75 system-ui;margin:20px}</style><h1>${title}</h1>${rest.map((line) => `<p>${line}</p>`).join('')}</html>`,
  );
});
control.listen(0, '127.0.0.1');
await once(control, 'listening');
try {
  const ours: Awaited<ReturnType<typeof visit>>[] = [];
  const plain: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await visit(browser, home));
    plain.push((await visit(browser, `http://127.0.0.1:${(control.address() as AddressInfo).port}/`)).lcp);
  }
  const lcp = median(ours.map((one) => one.lcp));
  report({
    name: 'home_lcp',
    value: lcp / median(plain),
    unit: '×',
    detail: `${Math.round(lcp)} ms (${ours[0]?.what}) against ${Math.round(median(plain))} ms of a static page with the same text`,
  });
  report({
    name: 'home_cls',
    value: Math.max(...ours.map(({ cls }) => cls)),
    unit: '',
    detail: `largest of ${ROUNDS} visits`,
  });
} finally {
  control.close();
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
