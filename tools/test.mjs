// `npm test`: installs what is missing, then check, unit and call tests, browser journeys; tells where the time went and
// ends with the counts.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { runJourneys, tellAgain } from './journeys.mjs';
import { buildWeb, install, node, root } from './prepare.mjs';
import { timeByFile } from './time-by-file.mjs';
import { runUnit } from './unit.mjs';

install();
const began = Date.now();
const results = join(root, 'test-results');
mkdirSync(results, { recursive: true });
const failures = [];
const leftOut = [];
let passed = 0;
let failed = 0;
let skipped = 0;
/** Lines that stand at the end, where they are seen. */
const told = [];

let lastAt = began;
/** Notes how long a part of the run took, the whole of it. */
function tookUntilNow(name) {
  told.push(`${name}: ${Math.round((Date.now() - lastAt) / 1000)} s`);
  lastAt = Date.now();
}

function step(name, args) {
  process.stdout.write(`\n== ${name}\n`);
  const done = spawnSync(node, args, { cwd: root, stdio: 'inherit' });
  if (done.status !== 0) failures.push(name);
  tookUntilNow(name);
}

step('check', ['tools/check.mjs']);

buildWeb();
tookUntilNow('building the web app');
process.stdout.write('\n== unit and call tests\n');
const unit = runUnit({ results });
passed += unit.passed;
failed += unit.failed;
skipped += unit.skipped;
if (!unit.ended || unit.failed > 0) failures.push('unit and call tests');
tookUntilNow('unit and call tests');
told.push(...timeByFile(unit.times), ...tellAgain(unit.again));
// Each reason of a first failure too: a test that passes later leaves nothing else to look at.
told.push(...[...unit.again, ...unit.failures].map(({ name, reason }) => `${name}: ${reason}`));
let needsMending = unit.again.some(({ second }) => second === 'passed');
if (!process.env.TEST_DATABASE_URL) leftOut.push('call tests on PostgreSQL (set TEST_DATABASE_URL)');
if (!process.env.TEST_REDIS_URL) leftOut.push('fan-out through Redis (set TEST_REDIS_URL)');

const browser = findBrowser({ mayInstall: true });
if (browser) {
  process.stdout.write('\n== browser journeys\n');
  const journeys = runJourneys({ config: 'e2e/playwright.config.ts', results, env: { CHROMIUM_PATH: browser } });
  passed += journeys.passed;
  failed += journeys.failed;
  skipped += journeys.skipped;
  if (!journeys.ended || journeys.failed > 0) failures.push('browser journeys');
  tookUntilNow('browser journeys');
  told.push(...timeByFile(journeys.times), ...tellAgain(journeys.again));
  needsMending ||= journeys.again.some(({ second }) => second === 'passed');
} else if (process.env.CI) {
  failures.push('browser journeys (no Chromium found)');
} else {
  leftOut.push('browser journeys (no Chromium found: install one, or set CHROMIUM_PATH)');
}

if (needsMending) told.push('What needed a second run is named in docs/gaps.md until its cause is mended.');
process.stdout.write('\n');
for (const line of told) process.stdout.write(`${line}\n`);
process.stdout.write('\n');
for (const what of leftOut) process.stdout.write(`left out: ${what}\n`);
if (failures.length > 0) process.stdout.write(`failed: ${failures.join(', ')}\n`);
process.stdout.write(`took ${Math.round((Date.now() - began) / 1000)} s\n`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(failures.length > 0 || failed > 0 || passed === 0 ? 1 : 0);
