import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { enrol } from '#server/course/pack.test-kit.ts';
import { FilesAway } from '#server/files.ts';
import { clean, copyOf, loadPack, small } from '#server/import/import.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';

afterAll(clean);

const NAME = '《第1章 导论》（终）, “引”‘’ 😀 50%.pdf';
const PDF = `%PDF-1.7\n${'0123456789'.repeat(1000)}`;
const SLIDES = '%PDF-1.4 slides';
const FILES = {
  [`files/讲义/${NAME}`]: PDF,
  'files/讲义/第一节/练习.txt': '练习',
  'files/讲义/第一节/图.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'files/说明.md': '# 说明',
  'lessons/1.yaml':
    'lessons:\n  - { slug: one, chapter: a-1, name: "借/贷：第一课", text: 正文, slides: s.pdf }\n' +
    '  - { slug: two, chapter: a-2, name: 第二课, text: 正文, slides: t.pdf }\n',
  'lessons/s.pdf': SLIDES,
  'lessons/t.pdf': `${SLIDES} of the second`,
};

describe.each(databases)('course files on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  let made = 0;

  function packOf(files: Record<string, string | Uint8Array>, slug: string, head = (text: string) => text): string {
    const folder = copyOf(small(), {
      'pack.yaml': (text) => head(text.replace('slug: small', `slug: ${slug}`)),
    });
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return folder;
  }
  /** A pack of its own with the files above. */
  async function begin(head?: (text: string) => string) {
    made += 1;
    const slug = `files-${kind}-${made}`;
    const folder = packOf(FILES, slug, head);
    const report = await loadPack(kit.db, kit.parts.files, folder);
    const { id: packId } = await kit.db.query
      .selectFrom('packs')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    const student = await kit.user();
    await enrol(kit, student, packId);
    return { packId, folder, report, student, slug };
  }
  const page = (
    packId: number,
    as: TestUser,
    more: { fileGroup?: 0 | 1; fileGroupId?: number; pageNum?: number; pageSize?: number } = {},
  ) => kit.ok('GET /app/course_file/page', { packId, ...more }, { as });
  const get = (url: string, as?: TestUser, headers: Record<string, string> = {}) =>
    kit.app.inject({ url, headers: { ...(as ? { authorization: `Bearer ${as.token}` } : {}), ...headers } });
  type Listed = Awaited<ReturnType<typeof page>>['list'][number];
  const named = (list: readonly Listed[]) =>
    list.map((entry) => ('fileName' in entry ? entry.fileName : `${entry.name}/`));
  const fileIn = (list: readonly Listed[], name: string) => {
    const found = list.find((entry) => 'fileName' in entry && entry.fileName === name);
    if (!found || !('fileName' in found)) throw new Error(`no ${name}`);
    return found;
  };
  const folderIn = (list: readonly Listed[], name: string) => {
    const found = list.find((entry) => !('fileName' in entry) && entry.name === name);
    if (!found || 'fileName' in found) throw new Error(`no folder ${name}`);
    return found;
  };

  it('are listed folder by folder, of every kind or of one, page by page', async () => {
    const { packId, student } = await begin();
    const top = await page(packId, student);
    expect(named(top.list)).toEqual(['讲义/', '说明.md']);
    const folder = folderIn(top.list, '讲义');
    expect(folder).toEqual({ id: folder.id, name: '讲义', fileCount: 3, updateTime: expect.any(Number) });
    expect(fileIn(top.list, '说明.md')).toMatchObject({ fileGroup: 0, fileSizeStr: '8 B', downState: 0 });

    const inside = await page(packId, student, { fileGroupId: folder.id });
    expect(named(inside.list)).toEqual(['第一节/', NAME]);
    expect(inside.above).toEqual([{ id: folder.id, name: '讲义' }]);
    const images = await page(packId, student, { fileGroup: 1 });
    expect(named(images.list)).toEqual(['讲义/']);
    expect(folderIn(images.list, '讲义').fileCount).toBe(1);
    const section = folderIn(inside.list, '第一节');
    expect(named((await page(packId, student, { fileGroup: 1, fileGroupId: section.id })).list)).toEqual(['图.png']);
    // Folders and files are one list, whatever is on which page.
    const pages = [1, 2, 3].map((pageNum) => page(packId, student, { fileGroupId: folder.id, pageNum, pageSize: 1 }));
    expect((await Promise.all(pages)).map(({ list, total }) => [...named(list), total])).toEqual([
      ['第一节/', 2],
      [NAME, 2],
      [2],
    ]);
    expect(await kit.ok('GET /app/course_file/info', { packId }, { as: student })).toMatchObject({
      fileCount: 4,
      documentCount: 3,
      imageCount: 1,
      courseFileCateArr: [
        { id: 0, name: '其他资料' },
        { id: folder.id, name: '讲义' },
      ],
    });
  });

  it('say of each person what they have downloaded, until other bytes come', async () => {
    const { packId, student, folder } = await begin();
    const other = await kit.user();
    await enrol(kit, other, packId);
    const before = fileIn((await page(packId, student)).list, '说明.md');
    const down = await kit.ok('POST /app/course_file/down_file', { fileId: before.id }, { as: student });
    expect(down).toEqual({ fileId: before.id, fileName: '说明.md', filePath: before.filePath, downState: 1 });
    await kit.ok('POST /app/course_file/down_file', { fileId: before.id }, { as: student });
    expect(fileIn((await page(packId, student)).list, '说明.md').downState).toBe(1);
    expect(fileIn((await page(packId, other)).list, '说明.md').downState).toBe(0);

    kit.time.now += 1000;
    writeFileSync(join(folder, 'files', '说明.md'), '# 新的说明');
    await importAt(folder);
    const after = fileIn((await page(packId, student)).list, '说明.md');
    expect(after).toMatchObject({ id: before.id, downState: 0 });
    expect((await get(after.filePath, student)).body).toBe('# 新的说明');
  });

  /** Imports at the time of the hand-set clock. */
  async function importAt(folder: string) {
    const { importPack } = await import('#server/import/pack.ts');
    const { readPack } = await import('#content/pack/pack.ts');
    const done = await importPack(kit.db, kit.parts.files, folder, { read: readPack, now: kit.time.now });
    if (!done.ok) throw new Error(JSON.stringify(done.mistakes));
    return done.report;
  }

  it('give their bytes, whole or in parts, under their own name, and nobody keeps them on the way', async () => {
    const { packId, student } = await begin();
    const top = await page(packId, student);
    const { list } = await page(packId, student, { fileGroupId: folderIn(top.list, '讲义').id });
    const { filePath } = fileIn(list, NAME);
    const whole = await get(filePath, student);
    expect([whole.statusCode, whole.body]).toEqual([200, PDF]);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'content-length': String(PDF.length),
    });
    const disposition = String(whole.headers['content-disposition']);
    const [, encoded = ''] = /filename\*=utf-8''([^;]*)/i.exec(disposition) ?? [];
    expect(decodeURIComponent(encoded)).toBe(NAME);
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; /);
    const part = await get(filePath, student, { range: 'bytes=5-8' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
      206,
      PDF.slice(5, 9),
      `bytes 5-8/${PDF.length}`,
    ]);
    expect((await get(filePath, student, { range: 'bytes=99999-' })).statusCode).toBe(416);
    const etag = String(whole.headers.etag);
    expect((await get(filePath, student, { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await get(filePath, student, { range: 'bytes=0-0', 'if-range': '"other"' })).statusCode).toBe(200);
    const picture = await get(filePath.replace(/\/[^/]*$/, '/other.pdf'), student);
    expect(picture.statusCode).toBe(404);
  });

  it('are nobody else’s: another account, a visitor, an ended enrolment, the name of the bytes, a teacher', async () => {
    const { packId, student, slug } = await begin();
    const stranger = await kit.user();
    const { id, filePath } = fileIn((await page(packId, student)).list, '说明.md');
    expect((await get(filePath, student)).statusCode).toBe(200);
    const refused = await get(filePath, stranger);
    expect([refused.statusCode, refused.json().msg]).toEqual([403, '请先报名该课程']);
    expect(refused.body).not.toContain('说明');
    expect([(await get(filePath)).statusCode, (await get(`${filePath}?token=${student.token}`)).statusCode]).toEqual([
      401, 401,
    ]);
    expect((await get(filePath, await kit.user('teacher'))).statusCode).toBe(200);
    expect(await kit.refused('POST /app/course_file/down_file', { fileId: id }, { as: stranger })).toBe('notEnrolled');
    expect(await kit.refused('GET /app/course_file/page', { packId }, { as: stranger })).toBe('notEnrolled');
    const { stored } = await kit.db.query
      .selectFrom('course_files')
      .select('stored')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect((await get(`/files/${stored}`, student)).statusCode).toBe(404);
    // Each answer asks anew: a part that was fetched does not open the next.
    await kit.db.query.deleteFrom('enrolments').where('user_id', '=', student.userId).execute();
    expect((await get(filePath, student, { range: 'bytes=0-1' })).statusCode).toBe(403);
    await enrol(kit, student, packId);
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('slug', '=', slug).execute();
    expect((await get(filePath, student)).statusCode).toBe(404);
    for (const junk of [
      '0/x',
      '-1/x',
      `${'9'.repeat(30)}/x`,
      'a/b',
      `${id}/`,
      `${id}/..%2f..%2fetc`,
      `${id}/%00`,
      `${id}/%E0%A4%A`,
    ])
      expect((await get(`/app/course_file/data/${junk}`, student)).statusCode, junk).toBeOneOf([400, 404]);
  });

  it('of one pack are not found from another, whatever id is asked for', async () => {
    const [mine, other] = [await begin(), await begin()];
    const folder = folderIn((await page(other.packId, other.student)).list, '讲义');
    expect(
      await kit.refused(
        'GET /app/course_file/page',
        { packId: mine.packId, fileGroupId: folder.id },
        { as: mine.student },
      ),
    ).toBe('notFound');
    expect(await kit.refused('POST /app/course_file/down_file', { fileId: 987_654_321 }, { as: mine.student })).toBe(
      'notFound',
    );
  });

  it('whose bytes are gone are said to be, and no download is noted; a store that is away says something else', async () => {
    const { packId, student, folder } = await begin();
    writeFileSync(join(folder, 'files', 'lost.txt'), `lost-${kind}`);
    writeFileSync(join(folder, 'lessons', 's.pdf'), `${SLIDES} lost ${kind}`);
    await importAt(folder);
    const rows = await kit.db.query
      .selectFrom('course_files')
      .select(['id', 'path', 'stored', 'slides'])
      .where('pack_id', '=', packId)
      .execute();
    const lost = rows.filter(({ path }) => path.endsWith('lost.txt') || path.endsWith('s.pdf'));
    expect(lost).toHaveLength(2);
    const lesson = await kit.db.query
      .selectFrom('lessons')
      .select('ppt_url')
      .where('pack_id', '=', packId)
      .where('slug', '=', 'one')
      .executeTakeFirstOrThrow();
    const listed = async () => fileIn((await page(packId, student)).list, 'lost.txt');
    const { filePath } = await listed();
    const download = (fileId: number) => kit.call('POST /app/course_file/down_file', { fileId }, { as: student });

    for (const { id } of lost) {
      vi.spyOn(kit.parts.files, 'find').mockRejectedValueOnce(new FilesAway('HEAD: 503'));
      expect(await download(id)).toMatchObject({ code: 500, data: { why: 'broken' } });
    }
    expect(await listed()).toMatchObject({ downState: 0 });

    for (const { id, stored } of lost) {
      await kit.parts.files.delete(stored);
      expect(await download(id)).toMatchObject({ msg: '文件暂时无法下载，请联系老师', data: { why: 'fileLost' } });
    }
    for (const url of [filePath, lesson.ppt_url])
      expect((await get(url, student)).json()).toMatchObject({ data: { why: 'fileLost' } });
    // Who may not have it is told that, whether it is there or not.
    expect((await get(filePath, await kit.user())).statusCode).toBe(403);
    expect((await get(filePath.replace(/\/[^/]*$/, '/other.txt'), student)).statusCode).toBe(404);
    expect(await listed()).toMatchObject({ downState: 0 });

    await importAt(folder);
    expect(await download(lost[0]?.id ?? 0)).toMatchObject({ code: 200 });
  });

  it('are no work when they are the same; what is gone is archived, and comes back as the same file', async () => {
    const { packId, folder, report, student } = await begin();
    expect(report.files).toEqual({ added: 6, changed: 0, unchanged: 0, archived: 0 });
    const rows = () =>
      kit.db.query.selectFrom('course_files').selectAll().where('pack_id', '=', packId).orderBy('path').execute();
    const before = await rows();
    kit.time.now += 5000;
    expect(await importAt(folder)).toMatchObject({
      files: { added: 0, changed: 0, unchanged: 6, archived: 0 },
      different: false,
    });
    expect(await rows()).toEqual(before);

    rmSync(join(folder, 'files', '讲义', '第一节'), { recursive: true });
    expect(await importAt(folder)).toMatchObject({ files: { archived: 2, unchanged: 4 }, different: true });
    const top = await page(packId, student);
    expect(named((await page(packId, student, { fileGroupId: folderIn(top.list, '讲义').id })).list)).toEqual([NAME]);
    const gone = before.find(({ path }) => path.endsWith('练习.txt'));
    expect(await kit.refused('POST /app/course_file/down_file', { fileId: gone?.id ?? 0 }, { as: student })).toBe(
      'notFound',
    );

    mkdirSync(join(folder, 'files', '讲义', '第一节'));
    writeFileSync(join(folder, 'files', '讲义', '第一节', '练习.txt'), '练习');
    expect(await importAt(folder)).toMatchObject({ files: { changed: 1, added: 0 } });
    expect((await rows()).find(({ path }) => path.endsWith('练习.txt'))).toMatchObject({ id: gone?.id, archived: 0 });
  });

  it('that nobody offers any more are deleted after a week, and not before', async () => {
    const { folder, packId } = await begin();
    const unique = `only-here-${kind}`;
    writeFileSync(join(folder, 'files', 'unique.txt'), unique);
    await importAt(folder);
    const find = async () => {
      const row = await kit.db.query
        .selectFrom('course_files')
        .select('stored')
        .where('pack_id', '=', packId)
        .where('file_name', '=', 'unique.txt')
        .executeTakeFirstOrThrow();
      return (await kit.parts.files.find(row.stored)) !== null;
    };
    const real = Date.now();
    kit.time.now = real + 30 * 24 * 60 * 60_000;
    await kit.chore('files: forget what is nobody’s');
    expect(await find()).toBe(true);
    rmSync(join(folder, 'files', 'unique.txt'));
    await importAt(folder);
    await kit.chore('files: forget what is nobody’s');
    expect(await find()).toBe(false);
  });

  it('slides are for who may open their lesson, under its name, and in no list', async () => {
    const { packId, student } = await begin((text) => text.replace('unlock: free', 'unlock: sequential'));
    const lessons = await kit.db.query
      .selectFrom('lessons')
      .select(['id', 'slug', 'ppt_url'])
      .where('pack_id', '=', packId)
      .orderBy('position')
      .execute();
    const [one, two] = lessons;
    if (!one || !two) throw new Error('no lessons');
    const { pptUrl } = await kit.ok('GET /app/course/lesson', { packId, firstVideoId: one.id }, { as: student });
    expect(pptUrl).toBe(one.ppt_url);
    const slides = await get(pptUrl, student);
    expect([slides.statusCode, slides.body]).toEqual([200, SLIDES]);
    expect(String(slides.headers['content-disposition'])).toContain(encodeURIComponent('借_贷：第一课.pdf'));
    // The second lesson waits for the first.
    const locked = await get(two.ppt_url, student);
    expect([locked.statusCode, locked.json().data]).toEqual([403, { why: 'lessonLocked' }]);
    expect((await get(pptUrl, await kit.user())).statusCode).toBe(403);
    expect((await get(pptUrl)).statusCode).toBe(401);
    expect(JSON.stringify((await page(packId, student)).list)).not.toContain('s.pdf');
    const { courseFileCateArr } = await kit.ok(
      'GET /app/course/lesson',
      { packId, firstVideoId: one.id },
      { as: student },
    );
    expect(courseFileCateArr.map(({ name }) => name)).toEqual(['其他资料', '讲义']);
  });
});
