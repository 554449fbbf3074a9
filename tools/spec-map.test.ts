import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const map = readFileSync(join(root, 'docs/spec-map.md'), 'utf8');

/** Files and folders that the map names, from the root of the repository: an address of the product begins with a slash. */
const named = [...map.matchAll(/`(\w[\w.-]*\/[\w./-]*)`/g)].map(([, path]) => path ?? '');

it('the map of the spec says where each thing is, whole and without letters that stand for folders', () => {
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(map).not.toMatch(/`[A-Z]`/);
});
