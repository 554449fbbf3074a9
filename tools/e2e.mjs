// `npm run e2e -- exam`: browser journeys alone, against a fresh server and the demo pack.
import { findBrowser } from './browser.mjs';
import { become, buildWeb, fail, install } from './prepare.mjs';

install();
buildWeb();
const browser = findBrowser({ mayInstall: true });
if (!browser) fail('No Chromium found: install one, or set CHROMIUM_PATH.');
become(
  ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)],
  {
    CHROMIUM_PATH: browser,
  },
);
