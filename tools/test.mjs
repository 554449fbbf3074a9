// `npm test`: installs what is missing, then check, unit and call tests, browser journeys; ends with the counts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { buildWeb, install, node, root } from './prepare.mjs';

install();
const began = Date.now();
const results = join(root, 'test-results');
mkdirSync(results, { recursive: true });
const failures = [];
const leftOut = [];
let passed = 0;
let failed = 0;

function step(name, args, env = {}) {
  process.stdout.write(`\n== ${name}\n`);
  const done = spawnSync(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (done.status !== 0) failures.push(name);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

step('check', ['tools/check.mjs']);

const unit = join(results, 'unit.json');
rmSync(unit, { force: true });
buildWeb();
step('unit and call tests', [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unit}`,
]);
const unitCounts = readJson(unit);
passed += unitCounts?.numPassedTests ?? 0;
failed += unitCounts?.numFailedTests ?? 0;
if (!process.env.TEST_DATABASE_URL) leftOut.push('call tests on PostgreSQL (set TEST_DATABASE_URL)');
if (!process.env.TEST_REDIS_URL) leftOut.push('fan-out through Redis (set TEST_REDIS_URL)');

const browser = findBrowser({ mayInstall: true });
if (browser) {
  const journeys = join(results, 'journeys.json');
  rmSync(journeys, { force: true });
  step('browser journeys', ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts'], {
    CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_FILE: journeys,
  });
  const counts = readJson(journeys)?.stats;
  passed += counts?.expected ?? 0;
  failed += (counts?.unexpected ?? 0) + (counts?.flaky ?? 0);
} else if (process.env.CI) {
  failures.push('browser journeys (no Chromium found)');
} else {
  leftOut.push('browser journeys (no Chromium found: install one, or set CHROMIUM_PATH)');
}

process.stdout.write('\n');
for (const one of leftOut) process.stdout.write(`left out: ${one}\n`);
if (failures.length > 0) process.stdout.write(`failed: ${failures.join(', ')}\n`);
process.stdout.write(`took ${Math.round((Date.now() - began) / 1000)} s\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failures.length > 0 || failed > 0 || passed === 0 ? 1 : 0);
