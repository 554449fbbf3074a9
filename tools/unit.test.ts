import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runUnit } from './unit.mjs';

const root = join(import.meta.dirname, '..');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A Vitest project of its own, inside the repository, where it finds Vitest. */
function run(files: Record<string, string>) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/unit-'));
  folders.push(folder);
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: { include: ['*.test.mjs'] } };`);
  for (const [name, text] of Object.entries(files))
    writeFileSync(
      join(folder, name),
      `import { existsSync, writeFileSync } from 'node:fs';\nimport { expect, it } from 'vitest';\n${text}`,
    );
  return runUnit({ folder, results: folder, quiet: true, env: { FOLDER: folder } });
}

const before = `const mark = process.env.FOLDER + '/ran'; const before = existsSync(mark); writeFileSync(mark, '');`;
const sound = `it('sound', () => {}); it.todo('left out');`;

it('a test that fails runs once more: it may pass then, and is told by name and reason', () => {
  const done = run({
    'fickle.test.mjs': `it('now and then', () => { ${before} expect(before).toBe(true); });`,
    'sound.test.mjs': sound,
  });
  expect(done).toMatchObject({ passed: 2, failed: 0, skipped: 1, failures: [], ended: true });
  const reason = 'AssertionError: expected false to be true // Object.is equality';
  expect(done.again).toEqual([{ name: 'fickle.test.mjs › now and then', reason, first: 'failed', second: 'passed' }]);
}, 60_000);

it('one that fails twice fails the run; so does a file that cannot be read twice', () => {
  const done = run({
    'never.test.mjs': `it('never', () => expect(1).toBe(2)); it('beside it', () => {});`,
    'broken.test.mjs': `throw new Error('cannot be read');`,
    'sound.test.mjs': sound,
  });
  expect(done).toMatchObject({ passed: 2, failed: 2, skipped: 1, ended: false });
  expect(done.failures.map(({ name }) => name).sort()).toEqual(['broken.test.mjs', 'never.test.mjs › never']);
  expect(done.again.map(({ second }) => second)).toEqual(['failed', 'failed']);
}, 60_000);

it('a file that can be read only the second time counts with its tests', () => {
  const done = run({ 'late.test.mjs': `${before} if (!before) throw new Error('not yet'); ${sound}` });
  expect(done).toMatchObject({ passed: 1, failed: 0, skipped: 1, ended: true });
  expect(done.again).toEqual([{ name: 'late.test.mjs', reason: 'not yet', first: 'failed', second: 'passed' }]);
}, 60_000);

it('an error that nobody caught fails the run, though no test did', () => {
  const done = run({
    'stray.test.mjs': `it('sound', () => { setTimeout(() => { throw new Error('stray'); }); return new Promise((go) => setTimeout(go, 50)); });`,
  });
  expect(done).toMatchObject({ failed: 0, ended: false });
}, 60_000);
