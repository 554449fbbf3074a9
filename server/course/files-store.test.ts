import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { enrol } from '#server/course/pack.test-kit.ts';
import { fileNamesIn } from '#server/files.ts';
import { clean, copyOf, loadPack, nasty, small } from '#server/import/import.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';

afterAll(clean);

/** A pack with one picture in its description and one in an analysis. */
function withPictures(): string {
  const folder = copyOf(small(), {
    'pack.yaml': (text) => text.replace('description: 介绍', 'description: "![封面](media/triangle.svg)"'),
    'questions/1.yaml': (text) =>
      text.replace('topic: 题 q-1,', 'topic: 题 q-1, analysis: "见图 ![点](media/dot.png)",'),
  });
  mkdirSync(join(folder, 'media'));
  for (const name of ['triangle.svg', 'dot.png']) {
    copyFileSync(join(nasty, 'media', name), join(folder, 'media', name));
  }
  return folder;
}

describe.each(databases)('stored pictures on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const load = (folder: string) => loadPack(kit.db, kit.parts.files, folder);
  const get = async (name: string, as?: TestUser) =>
    (await kit.app.inject({ url: `/files/${name}`, headers: as ? { authorization: `Bearer ${as.token}` } : {} }))
      .statusCode;
  const fileIn = (html: string | undefined) => [...fileNamesIn(html ?? '')][0] ?? '';
  const relations = () =>
    kit.db.query
      .selectFrom('pack_files')
      .select(['name', 'pack_id', 'open'])
      .orderBy('name')
      .orderBy('pack_id')
      .execute();

  it('are for who may see their pack: the enrolled, those with a record of it, teachers', async () => {
    const folder = withPictures();
    await load(folder);
    const pack = await kit.db.query
      .selectFrom('packs')
      .select(['id', 'description'])
      .where('slug', '=', 'small')
      .executeTakeFirstOrThrow();
    const question = await kit.db.query
      .selectFrom('questions')
      .select('answer_analysis')
      .where('pack_id', '=', pack.id)
      .where('slug', '=', 'q-1')
      .executeTakeFirstOrThrow();
    const [cover, secret] = [fileIn(pack.description), fileIn(question.answer_analysis)];
    expect([cover, secret]).toEqual([expect.stringMatching(/svg$/), expect.stringMatching(/png$/)]);

    const [student, stranger] = [await kit.user(), await kit.user()];
    await enrol(kit, student, pack.id);
    expect([await get(secret), await get(secret, stranger), await get(secret, student)]).toEqual([404, 404, 200]);
    expect(await get(secret, await kit.user('teacher'))).toBe(200);
    for (const junk of ['%00', '%2e%2e%2flixue.db', 'x', `${secret}x`, '%ff'])
      expect(await get(junk, student), junk).toBeOneOf([400, 404]);
    // Visitors read the description. What belongs to nothing is for nobody, not even for whom knows its bytes.
    expect([await get(cover), await get(cover, stranger)]).toEqual([200, 200]);
    const loose = await kit.parts.files.put(new TextEncoder().encode('loose'), 'png');
    expect([await get(loose), await get(loose, student), await get(loose, await kit.user('teacher'))]).toEqual([
      404, 404, 404,
    ]);

    const { id: examId } = await kit.db.query
      .selectFrom('exams')
      .select('id')
      .where('pack_id', '=', pack.id)
      .where('kind', '=', 'mock')
      .executeTakeFirstOrThrow();
    await kit.ok('GET /app/exam/test_start', { examId }, { as: student });
    await kit.db.query.deleteFrom('enrolments').where('user_id', '=', student.userId).execute();
    expect(await get(secret, student)).toBe(200);

    // The same picture in another pack lets that pack's students see it too.
    await load(copyOf(folder, { 'pack.yaml': (text) => text.replace('slug: small', 'slug: other') }));
    const other = await kit.db.query
      .selectFrom('packs')
      .select('id')
      .where('slug', '=', 'other')
      .executeTakeFirstOrThrow();
    expect(await get(secret, stranger)).toBe(404);
    await enrol(kit, stranger, other.id);
    expect(await get(secret, stranger)).toBe(200);
  });

  it('stay with a pack that no longer shows them, and are closed once they have left its description', async () => {
    const before = await relations();
    const bare = small();
    await load(bare);
    const pack = await kit.db.query
      .selectFrom('packs')
      .select('id')
      .where('slug', '=', 'small')
      .executeTakeFirstOrThrow();
    expect(await relations()).toEqual(before.map((file) => (file.pack_id === pack.id ? { ...file, open: 0 } : file)));
    await load(bare);
    await load(withPictures());
    expect(await relations()).toEqual(before);
  });

  it('in the description of one pack are for everybody, although another pack keeps them to itself', async () => {
    await load(withPictures());
    await load(
      copyOf(withPictures(), {
        'pack.yaml': (text) =>
          text.replace('slug: small', 'slug: third').replace('![封面](media/triangle.svg)', '介绍'),
        'questions/1.yaml': (text) => text.replace('media/dot.png', 'media/triangle.svg'),
      }),
    );
    const { description } = await kit.db.query
      .selectFrom('packs')
      .select('description')
      .where('slug', '=', 'small')
      .executeTakeFirstOrThrow();
    const cover = fileIn(description);
    const opens = (await relations()).filter(({ name }) => name === cover).map(({ open }) => open);
    expect(opens).toEqual(expect.arrayContaining([0, 1]));
    expect(await get(cover, await kit.user())).toBe(200);
  });

  it('are kept by shared caches only where everybody sees them, and saved under the name that their author gave them', async () => {
    await load(withPictures());
    const { id, description } = await kit.db.query
      .selectFrom('packs')
      .select(['id', 'description'])
      .where('slug', '=', 'small')
      .executeTakeFirstOrThrow();
    const cover = fileIn(description);
    const headersFor = async (as?: TestUser) =>
      (await kit.app.inject({ url: `/files/${cover}`, headers: as ? { authorization: `Bearer ${as.token}` } : {} }))
        .headers;
    expect(await headersFor()).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline; filename=triangle.svg',
    });
    // Every pack: the tests before this one described others with the same picture.
    await kit.db.query.updateTable('packs').set({ archived: 1 }).execute();
    const student = await kit.user();
    expect([await get(cover), await get(cover, student)]).toEqual([404, 404]);
    await enrol(kit, student, id);
    expect(await headersFor(student)).toMatchObject({ 'cache-control': 'private, no-cache' });
  });

  it('of another pack are not opened by a text that writes their address', async () => {
    await load(withPictures());
    const stored = await relations();
    const taken = stored.find(({ open }) => open === 0)?.name ?? '';
    await load(
      copyOf(small(), {
        'pack.yaml': (text) =>
          text.replace('slug: small', 'slug: thief').replace('description: 介绍', `description: "/files/${taken}"`),
      }),
    );
    expect(await relations()).toEqual(stored);
    expect(await get(taken, await kit.user())).toBe(404);
  });
});
