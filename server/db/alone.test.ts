import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { isServed, serveAlone, startingAlone } from './alone.ts';

const home = mkdtempSync(join(tmpdir(), 'lixue-alone-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('one server a folder', () => {
  it('is held by one; the next one gets it when it is given back, waiting a little', async () => {
    const folder = join(home, 'new', 'folder');
    expect(isServed(folder)).toBe(false);
    const release = await serveAlone(folder);
    expect(release).not.toBeNull();
    expect(isServed(folder)).toBe(true);
    expect(await serveAlone(folder, 0)).toBeNull();
    const next = serveAlone(folder);
    release?.();
    const released = await next;
    expect(released).not.toBeNull();
    released?.();
    released?.();
    expect(isServed(folder)).toBe(false);
    expect(readdirSync(folder)).toEqual(['server.lock']);
  });

  it('looks without leaving anything', () => {
    expect(isServed(home)).toBe(false);
    expect(readdirSync(home)).not.toContain('server.lock');
  });
});

describe.each(databases)('what a start brings, on $name', ({ kind }) => {
  it('is brought by one server after the other', async () => {
    const t = await testApp(kind);
    const other = await t.sibling();
    const seen: string[] = [];
    const bring = (name: string, db: typeof t.db) =>
      startingAlone(db, async () => {
        seen.push(`${name} begins`);
        await db.query.selectFrom('settings').selectAll().execute();
        await db.query.selectFrom('settings').selectAll().execute();
        seen.push(`${name} ends`);
      });
    // SQLite has one server alone, so there is nobody to wait for.
    if (kind === 'sqlite') await bring('one', t.db);
    else await Promise.all([bring('one', t.db), bring('two', other.db), bring('three', t.db)]);
    for (const [at, line] of seen.entries()) {
      expect(line.endsWith(at % 2 === 0 ? 'begins' : 'ends')).toBe(true);
      if (at % 2 === 1) expect(line.split(' ')[0]).toBe(seen[at - 1]?.split(' ')[0]);
    }
    expect(seen).toHaveLength(kind === 'sqlite' ? 2 : 6);
    await other.close();
    await t.close();
  });
});
