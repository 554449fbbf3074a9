import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { DATA_DIR } from './operator.ts';

const port = Number(process.env.E2E_PORT ?? 3907);
const root = join(import.meta.dirname, '..');

// The server, and the operator's commands beside it, compile each module once, as tests of units do (vitest.config.ts).
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache/compiled');

/**
 * Journeys through a real server with the demo pack in a fresh folder; desktop and phone. Each journey makes its own
 * student, so that several may run at once. `E2E_TRACE=1` records what a failed journey did, which makes all of them slower.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results/journeys',
  fullyParallel: false,
  workers: 3,
  retries: 0,
  // A bound for what hangs, not a measure: a busy machine is slow for everybody.
  timeout: 180_000,
  expect: { timeout: 10_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? '../test-results/journeys.json' }],
  ],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      // What is about the network, other windows and devices, words or files is the same code at every width.
      testIgnore:
        /(access|continue|english|forms|not-found|offline|windows|spreadsheet|timed|unsent|rich-text)\.e2e\.ts$/,
      grepInvert: /@one-width/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
  webServer: {
    command: `rm -rf ${DATA_DIR} && node tools/with-node.mjs server/main.ts`,
    cwd: root,
    port,
    reuseExistingServer: false,
    timeout: 120_000,
    env: {
      PORT: String(port),
      RTMP_PORT: String(port + 1),
      DATA_DIR,
      DEMO: '1',
      DATABASE_URL: '',
      REDIS_URL: '',
      NODE_ENV: '',
      SITE_PRIVACY_URL: 'https://school.example.cn/privacy',
      SITE_CONTACT: '010-00000000',
      SITE_ICP: '京ICP备00000000号-1',
      SITE_POLICE: '京公网安备11010000000000号',
    },
  },
});
