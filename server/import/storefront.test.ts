import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readPack } from '#content/pack/pack.ts';
import { readStorefront } from '#content/storefront/storefront.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { clean, copyOf, fresh, root, small } from './import.test-kit.ts';
import { importPack } from './pack.ts';
import { importStorefront } from './storefront.ts';

afterAll(clean);

const demo = join(root, 'content', 'demo', 'storefront');
const folderOf = (yaml: string, more: Record<string, string> = {}) => {
  const folder = fresh('front');
  cpSync(demo, folder, { recursive: true });
  mkdirSync(join(folder, 'media'), { recursive: true });
  for (const [name, text] of Object.entries({ 'storefront.yaml': yaml, ...more }))
    writeFileSync(join(folder, name), text);
  return folder;
};
const BANNER = 'picture: media/abacus.webp, alt: 算盘';

describe.each(databases)('the front of a school on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  beforeEach(() => kit.db.query.deleteFrom('promotions').execute());
  const load = async (folder: string) => {
    const done = await importStorefront(kit.db, kit.parts.files, folder);
    if (!done.ok) throw new Error(done.mistakes.map(({ reason }) => reason).join('\n'));
    return done.report;
  };
  const shown = async () => ({
    banners: (await kit.ok('GET /api/test/banner', {})).list.map(({ title }) => title),
    ads: (await kit.ok('GET /app/common/ad', {})).list.map(({ title }) => title),
    tip: (await kit.ok('GET /spread/ad_tip', {})).tip?.title ?? null,
  });

  it('is loaded, is the same when loaded again, and goes when the folder no longer has it', async () => {
    expect(await load(demo)).toMatchObject({ banners: 2, ads: 1, tips: 1, different: true });
    expect(await load(demo)).toMatchObject({ different: false });
    const { list } = await kit.ok('GET /api/test/banner', {});
    expect(list[0]).toMatchObject({ title: '看懂一条曲线，再去算它', phonePictureUrl: '' });
    const picture = await kit.app.inject({ url: list[0]?.pictureUrl ?? '' });
    expect([picture.statusCode, picture.headers['content-type'], picture.headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'public, max-age=31536000, immutable',
    ]);
    await load(folderOf('format: 1\n'));
    expect(await shown()).toEqual({ banners: [], ads: [], tip: null });
    expect((await kit.app.inject({ url: list[0]?.pictureUrl ?? '' })).statusCode).toBe(404);
  });

  it('shows each thing from its first day to the end of its last, by China’s days', async () => {
    await load(
      folderOf(
        `format: 1\nbanners:\n  - { slug: a, title: 一日, ${BANNER}, from: 2026-12-01, until: 2026-12-01 }\n` +
          'tips:\n  - { slug: b, title: 先, until: 2026-12-01 }\n  - { slug: c, title: 后 }\n',
      ),
    );
    const at = async (time: string) => {
      kit.time.now = Date.parse(time);
      return shown();
    };
    expect(await at('2026-11-30T15:59:59Z')).toMatchObject({ banners: [], tip: '先' });
    expect(await at('2026-11-30T16:00:00Z')).toMatchObject({ banners: ['一日'], tip: '先' });
    expect(await at('2026-12-01T15:59:59Z')).toMatchObject({ banners: ['一日'], tip: '先' });
    expect(await at('2026-12-01T16:00:00Z')).toMatchObject({ banners: [], tip: '后' });
  });

  it('keeps what it had when anything is wrong, and names every mistake with its line', async () => {
    await load(demo);
    const before = await shown();
    const wrong = folderOf(
      [
        'format: 2',
        'banners:',
        '  - { slug: a, title: 一, link: "javascript:alert(1)", picture: media/no.webp }',
        '  - { slug: a, title: 二, picture: media/evil.svg, alt: 图, from: 2026-02-30 }',
        'ads:',
        '  - { slug: b, title: 三, from: 2026-12-02, until: 2026-12-01, colour: red }',
      ].join('\n'),
      { 'media/evil.svg': 'no drawing', 'note.txt': '' },
    );
    const done = await importStorefront(kit.db, kit.parts.files, wrong);
    const said = done.ok ? [] : done.mistakes.map(({ file, line, where }) => `${file}:${line} ${where}`);
    expect(said).toEqual([
      'note.txt:1 ',
      'media/evil.svg:1 ',
      'storefront.yaml:1 format',
      'storefront.yaml:3 banners[1].link',
      'storefront.yaml:3 banners[1]',
      'storefront.yaml:3 banners[1].picture',
      'storefront.yaml:4 banners[2].slug',
      'storefront.yaml:4 banners[2].from',
      'storefront.yaml:6 ads[1].until',
      'storefront.yaml:6 ads[1].colour',
    ]);
    expect(await shown()).toEqual(before);
    expect(await readStorefront(fresh('nowhere'))).toMatchObject({ ok: false });
  });

  it('and packs that say what they are for and who teaches show it to visitors', async () => {
    const folder = copyOf(small(), {
      'pack.yaml': (text) =>
        `${text}category: { big: 考研, little: 数学 }\nteachers:\n  - { name: 林之远, title: 主讲, words: 从图讲起, picture: media/teacher.svg }\n`,
    });
    mkdirSync(join(folder, 'media'), { recursive: true });
    cpSync(join(root, 'content/demo/gaoshu/media/teacher-lin.svg'), join(folder, 'media', 'teacher.svg'));
    const report = await importPack(kit.db, kit.parts.files, folder, { now: 7, read: readPack });
    expect(report).toMatchObject({ ok: true, report: { different: true } });
    expect(await importPack(kit.db, kit.parts.files, folder, { read: readPack })).toMatchObject({
      report: { different: false },
    });
    const { list } = await kit.ok('GET /api/common/course_list', {});
    const { packId = 0, categoryName } = list.find(({ packageName }) => packageName === '小包') ?? {};
    expect(categoryName).toBe('考研 · 数学');
    const { teachers } = await kit.ok('GET /api/common/course_details', { packId });
    expect(teachers).toMatchObject([{ name: '林之远', title: '主讲', words: '从图讲起' }]);
    expect((await kit.app.inject({ url: teachers[0]?.pictureUrl ?? '' })).statusCode).toBe(200);
    const bare = copyOf(folder, { 'pack.yaml': (text) => text.slice(0, text.indexOf('category:')) });
    expect(await importPack(kit.db, kit.parts.files, bare, { read: readPack })).toMatchObject({
      report: { different: true },
    });
    expect(await kit.ok('GET /api/common/course_details', { packId })).toMatchObject({
      teachers: [],
      categoryId: null,
    });
    const bad = copyOf(folder, { 'pack.yaml': (text) => text.replace('media/teacher.svg', 'media/none.svg') });
    expect(await importPack(kit.db, kit.parts.files, bad)).toMatchObject({
      ok: false,
      mistakes: [{ file: 'pack.yaml', where: 'teachers[1].picture' }],
    });
  });
});
