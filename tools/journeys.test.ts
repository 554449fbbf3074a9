import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runJourneys, tellAgain } from './journeys.mjs';
import { timeByFile } from './time-by-file.mjs';

const root = join(import.meta.dirname, '..');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A Playwright project of its own that opens no browser; it lies inside the repository, where it finds Playwright. */
function run(files: Record<string, string>, config = {}) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/journeys-'));
  folders.push(folder);
  const settings = {
    testMatch: '*.e2e.mjs',
    workers: 2,
    projects: [{ name: 'desktop' }, { name: 'phone' }],
    ...config,
  };
  writeFileSync(join(folder, 'config.mjs'), `export default ${JSON.stringify(settings)};`);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), `import { test, expect } from '@playwright/test';\n${text}`);
  }
  return runJourneys({
    config: join(folder, 'config.mjs'),
    results: folder,
    quiet: true,
    env: { FOLDER: folder, CI: '', FORCE_COLOR: '' },
  });
}

/** Fails on one of the two until it has run once. The phone's id in a report is another when the desktop did not run beside it. */
const fickle = `
import { existsSync, writeFileSync } from 'node:fs';
test.describe('saving', () => {
  test('now and then', ({}, info) => {
    const mark = process.env.FOLDER + '/ran-' + info.project.name;
    const before = existsSync(mark);
    writeFileSync(mark, '');
    if (info.project.name === info.config.projects.at(-1).name) expect(before).toBe(true);
  });
});`;
const sound = `
test('sound', () => {});
test('desktop only', ({}, info) => test.skip(info.project.name === 'phone', 'no keyboard there'));`;

it('a journey that fails runs once more: it may pass then, and is told by name', () => {
  const done = run({ 'fickle.e2e.mjs': fickle, 'sound.e2e.mjs': sound });
  const name = 'fickle.e2e.mjs › saving › now and then (phone)';
  expect(done).toMatchObject({ passed: 5, failed: 0, skipped: 1, ended: true });
  expect(done.again).toEqual([{ name, first: 'failed', second: 'passed' }]);
  expect(tellAgain(done.again)).toEqual([`failed, then passed: ${name}`, `needed a second run: ${name}`]);
  expect(done.times.filter(({ file }) => file === 'fickle.e2e.mjs')).toHaveLength(3);
}, 60_000);

it('one that fails twice fails the run, and so does one that never ran because of it', () => {
  const serial = `
test.describe.configure({ mode: 'serial' });
test('never', () => expect(1).toBe(2));
test('after it', () => {});`;
  const done = run({ 'fickle.e2e.mjs': fickle, 'serial.e2e.mjs': serial }, { projects: [{ name: 'desktop' }] });
  expect(done).toMatchObject({ passed: 1, failed: 2, skipped: 0, ended: false });
  expect(tellAgain(done.again).sort()).toEqual([
    'failed, then failed: serial.e2e.mjs › never (desktop)',
    'failed, then passed: fickle.e2e.mjs › saving › now and then (desktop)',
    'needed a second run: fickle.e2e.mjs › saving › now and then (desktop)',
  ]);
}, 60_000);

it('a run that never began has not ended well, though no journey failed', () => {
  const noServer = { webServer: { command: 'exit 1', port: 1 } };
  expect(run({ 'sound.e2e.mjs': sound }, noServer)).toMatchObject({ passed: 0, failed: 0, again: [], ended: false });
}, 60_000);

it('time by file: the slowest first, a file that ran twice once, and the sum of all', () => {
  const times = [
    { file: 'a.test.ts', milliseconds: 400 },
    { file: 'b.test.ts', milliseconds: 61_000 },
    { file: 'a.test.ts', milliseconds: 1100 },
    { file: 'c.test.ts', milliseconds: 7 },
  ];
  expect(timeByFile(times, 2)).toEqual([
    '   61.0 s  b.test.ts',
    '    1.5 s  a.test.ts',
    '   62.5 s  3 files together (some ran at the same time)',
  ]);
});
