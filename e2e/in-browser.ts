import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
/** Where the built files of a page of ours are served; no page of the site. */
const PLACE = '/built-for-a-journey/';

/**
 * Opens an empty page of the site's origin on which a module of the browser's code has run, built as the web app is: for what only
 * a real browser can show (its database, how it lays out a text) and no screen shows by itself.
 * @param entry path of the module from the root of the repository; what it exports is `globalThis.built` in the page
 */
export async function openWith(page: Page, entry: string): Promise<void> {
  const done = await build({
    root,
    configFile: false,
    logLevel: 'error',
    base: PLACE,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      lib: { entry: join(root, entry), formats: ['es'], fileName: 'entry', cssFileName: 'entry' },
    },
  });
  const [bundle] = Array.isArray(done) ? done : [done];
  if (!bundle || !('output' in bundle)) throw new Error(`${entry} was not built`);
  const files = new Map(
    bundle.output.map((file) => [
      `${PLACE}${file.fileName}`,
      {
        body: file.type === 'chunk' ? file.code : String(file.source),
        type: file.fileName.endsWith('.css') ? 'text/css' : 'text/javascript',
      },
    ]),
  );
  const script = [...files.keys()].find((name) => name.endsWith('entry.js'));
  const styles = [...files.keys()].filter((name) => name.endsWith('.css'));
  const html = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>-</title>
${styles.map((name) => `<link rel="stylesheet" href="${name}">`).join('')}
<body><div id="root"></div><script type="module">globalThis.built = await import('${script}');</script>`;
  await page.route(`**${PLACE}**`, (route) => {
    const file = files.get(new URL(route.request().url()).pathname);
    return file
      ? route.fulfill({ body: file.body, contentType: `${file.type}; charset=utf-8` })
      : route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' });
  });
  await page.goto(PLACE);
  await page.waitForFunction(() => 'built' in globalThis);
}
