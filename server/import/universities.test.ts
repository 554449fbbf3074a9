import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RejectedUniversityRow } from '#content/university/university-row.ts';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { importUniversities, loadUniversities } from './universities.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-universities-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
function csv(text: string): string {
  const path = join(folder, `${Math.random()}.csv`);
  writeFileSync(path, text);
  return path;
}
const load = (kit: TestApp) => {
  const said: string[] = [];
  return loadUniversities(kit.db, kit.parts.files, (line) => said.push(line)).then(() => said);
};
const later = (kit: TestApp) => {
  kit.time.now += 1000;
};

describe.each(databases)('universities on $name', ({ kind }) => {
  it('load once into an empty table, and again only what the school has not made its own', async () => {
    const kit = await testApp(kind);
    try {
      expect(await load(kit)).toEqual(['Universities loaded: 147 added, 0 changed']);
      expect(await load(kit)).toEqual([]);
      later(kit);
      const before = await kit.ok('GET /app/university/list', { pageSize: 200 });
      expect(before.total).toBe(147);

      const own = await importUniversities(
        kit.db,
        kit.parts.files,
        csv('名称,省份,城市,电话\n北京大学,北京,,010-62751201\n本地学院,江苏,宿迁,\n'),
      );
      expect(own).toMatchObject({ imported: true, added: 1, changed: 1, unchanged: 0, good: 2, bad: 0 });
      // A newer program brings the list again: another digest, and one row that differs.
      await kit.db.query
        .updateTable('settings')
        .set({ value: 'old' })
        .where('key', '=', 'universities_digest')
        .execute();
      await kit.db.query.updateTable('universities').set({ tel: '1' }).where('name', '=', '清华大学').execute();
      expect(await load(kit)).toEqual(['Universities loaded: 0 added, 1 changed']);
      later(kit);
      const after = await kit.ok('GET /app/university/list', { pageSize: 200 });
      expect(after.total).toBe(148);
      expect(after.list.map(({ id }) => id).slice(0, 147)).toEqual(before.list.map(({ id }) => id));
      const peking = after.list.find((university) => university.name === '北京大学');
      const details = await kit.ok('GET /app/university/details', { id: peking?.id ?? 0 });
      // Only what the school's file says has changed: its short names and its flags are still there.
      expect(details).toMatchObject({
        tel: '010-62751201',
        aliases: ['北大', 'PKU'],
        is985: 1,
        logoUrl: peking?.logoUrl,
      });
    } finally {
      await kit.close();
    }
  });

  it('bring in nothing when a row is bad, and the good rows when told so', async () => {
    const kit = await testApp(kind);
    try {
      const path = csv('名称,省份,城市\n甲大学,江苏,南京\n乙大学,哪里,南京\n');
      const rejected: RejectedUniversityRow[] = [];
      const task = { rejected: (row: RejectedUniversityRow) => rejected.push(row) };
      const nothing = await importUniversities(kit.db, kit.parts.files, path, task);
      expect(nothing).toMatchObject({ imported: false, good: 1, bad: 1, added: 0 });
      expect(rejected).toEqual([
        { ok: false, row: 3, name: '乙大学', why: ['不认识的省份“哪里”，应为 34 个省级地区之一'] },
      ]);
      later(kit);
      expect((await kit.ok('GET /app/university/list', {})).total).toBe(0);
      const some = await importUniversities(kit.db, kit.parts.files, path, { keepGood: true });
      expect(some).toMatchObject({ imported: true, good: 1, bad: 1, added: 1 });
      const again = await importUniversities(kit.db, kit.parts.files, path, { keepGood: true });
      expect(again).toMatchObject({ imported: true, added: 0, changed: 0, unchanged: 1 });
      later(kit);
      expect((await kit.ok('GET /app/university/list', {})).list.map(({ name }) => name)).toEqual(['甲大学']);
    } finally {
      await kit.close();
    }
  });

  it('show the school’s own picture, keep it, and go back to the drawn mark when told so', async () => {
    const kit = await testApp(kind);
    try {
      mkdirSync(join(folder, 'logos'), { recursive: true });
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script><path d="M1 1h7v7z"/></svg>';
      writeFileSync(join(folder, 'logos/jia.svg'), svg);
      const bring = async (text: string) => {
        await importUniversities(kit.db, kit.parts.files, csv(text));
        later(kit);
        return (await kit.ok('GET /app/university/list', {})).list[0]?.logoUrl ?? '';
      };
      const drawn = await bring('名称,省份,城市\n甲大学,江苏,南京\n');
      const own = await bring('名称,省份,城市,logo\n甲大学,江苏,南京,logos/jia.svg\n');
      expect(own).not.toBe(drawn);
      const picture = await kit.app.inject({ method: 'GET', url: own });
      expect(picture.body).toContain('M1 1h7v7z');
      expect(picture.body).not.toContain('script');
      expect(await bring('名称,省份,城市,电话\n甲大学,江苏,南京,025-1234567\n')).toBe(own);
      expect(await bring('名称,省份,城市,logo\n甲大学,江苏,南京,\n')).toBe(drawn);
      expect(await bring('名称,省份,城市,简称\n甲大学,江苏,南京,甲校\n')).not.toBe(drawn);
    } finally {
      await kit.close();
    }
  });

  it('are seen by another process within a second', async () => {
    const kit = await testApp(kind);
    const other = await kit.sibling();
    try {
      expect((await other.ok('GET /app/university/list', {})).total).toBe(0);
      await importUniversities(kit.db, kit.parts.files, csv('名称,省份,城市\n甲大学,江苏,南京\n'));
      later(kit);
      expect((await other.ok('GET /app/university/suggest', { name: 'jia' })).list.map(({ name }) => name)).toEqual([
        '甲大学',
      ]);
    } finally {
      await other.close();
      await kit.close();
    }
  });

  it('work by the thousands', async () => {
    const kit = await testApp(kind);
    try {
      const rows = Array.from(
        { length: 2700 },
        (_, at) => `第${at}号重庆理工大学,四川,成都,${at % 60 === 0 ? 1 : 0},理工${at}`,
      );
      const done = await importUniversities(
        kit.db,
        kit.parts.files,
        csv(`名称,省份,城市,985,简称\n${rows.join('\n')}\n`),
      );
      expect(done).toMatchObject({ imported: true, added: 2700 });
      later(kit);
      const seen: number[] = [];
      for (let pageNum = 1, more = true; more; pageNum += 1) {
        const page = await kit.ok('GET /app/university/list', { pageNum, pageSize: 200 });
        expect(page.total).toBe(2700);
        seen.push(...page.list.map(({ id }) => id));
        more = page.hasMore;
      }
      expect(new Set(seen).size).toBe(2700);
      expect((await kit.ok('GET /app/university/list', { is985: 1 })).total).toBe(45);
      expect((await kit.ok('GET /app/university/suggest', { name: 'chongqing' })).list).toHaveLength(8);
    } finally {
      await kit.close();
    }
  });
});
