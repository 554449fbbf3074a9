import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { bringIn } from '#server/media/bring-in.ts';
import { type Clips, clipMaker, film, H264 } from '#server/media/clips.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { makeLesson } from './lesson.test-kit.ts';

const LIST = 'GET /app/media/list';
const GIVE = 'POST /app/course/lesson_media';
const DELETE = 'POST /app/media/delete';
const PAGE = { pageNum: 1, pageSize: 20 };
let clips: Clips;
beforeAll(async () => {
  clips = await clipMaker();
});
afterAll(() => clips.remove());

describe.each(databases)('media of lessons on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;
  const work = async () => {
    await kit.chore('jobs: look for work');
    await kit.app.jobs.idle();
  };
  /** Brings in a film of so many seconds, whose bytes nobody else has. */
  const bring = async (title: string, seconds: number) => {
    const path = await clips.make(
      `${kind}-${title}`,
      ...film('64x36', seconds),
      '-metadata',
      `comment=${kind}`,
      ...H264,
    );
    return { path, id: (await bringIn({ db: kit.db, files: kit.parts.files }, { path, title }, kit.time.now)).id };
  };

  it('are listed with what stands of them, converted again, and deleted', async () => {
    const as = await kit.user('teacher');
    const listed = async (narrowed: object = {}) =>
      (await ok(LIST, { ...PAGE, ...narrowed }, { as })).list.map(({ mediaId }) => mediaId);
    const good = await bring('100%_好.mp4', 1);
    const path = join(clips.folder, `${kind}-cut.mp4`);
    writeFileSync(path, readFileSync(good.path).subarray(0, 1500));
    const bad = await bringIn({ db: kit.db, files: kit.parts.files }, { path, title: 'Cut.MP4' }, kit.time.now);
    expect(await listed({ among: 'waiting' })).toEqual([bad.id, good.id]);
    expect(await refused('POST /app/media/retry', { mediaId: 99_999 }, { as })).toBe('notFound');
    await work();
    await work();
    const { list, total } = await ok(LIST, PAGE, { as });
    expect(total).toBe(2);
    expect(list).toMatchObject([
      {
        mediaId: bad.id,
        state: 'failed',
        percent: null,
        reason: expect.stringMatching(/[\u4e00-\u9fff]/),
        lessons: [],
      },
      {
        mediaId: good.id,
        title: '100%_好.mp4',
        state: 'ready',
        kind: 'video',
        duration: 1,
        reason: '',
        qualities: [36],
      },
    ]);
    expect(await listed({ among: 'failed' })).toEqual([bad.id]);
    expect(await listed({ among: 'ready' })).toEqual([good.id]);
    expect(await listed({ keyword: 'cut.mp' })).toEqual([bad.id]);
    // Not a pattern.
    expect(await listed({ keyword: '0%_' })).toEqual([good.id]);
    expect(await listed({ keyword: '1%好' })).toEqual([]);

    await ok('POST /app/media/retry', { mediaId: bad.id }, { as });
    expect(await listed({ among: 'waiting' })).toEqual([bad.id]);
    await ok(DELETE, { mediaId: bad.id }, { as });
    await ok(DELETE, { mediaId: bad.id }, { as });
    await work();
    expect(await listed()).toEqual([good.id]);
    // Made anew it plays meanwhile.
    await ok('POST /app/media/retry', { mediaId: good.id }, { as });
    await ok('GET /app/video/auth', { fileId: good.id }, { as });
    await work();
    expect(await listed({ among: 'ready' })).toEqual([good.id]);
    expect(await refused(LIST, PAGE, { as: await kit.user() })).toBe('notAllowed');
  });

  it('a lesson shows what a teacher gives it, at once or when it is ready, and is what it was when they take it back', async () => {
    const [as, student] = [await kit.user('teacher'), await kit.user()];
    const pack = await makePack(kit, { students: [student] });
    const firstVideoId = await makeLesson(kit, pack, { kind: 'text', name: '第一课' });
    const lesson = () => ok('GET /app/course/lesson', { packId: pack.packId, firstVideoId }, { as: student });
    const usesOf = async (id: number) =>
      (await ok(LIST, PAGE, { as })).list.find(({ mediaId }) => mediaId === id)?.lessons.map(({ use }) => use);
    const one = await bring('one.mp4', 2);
    await work();
    expect(await ok(GIVE, { firstVideoId, mediaId: one.id }, { as })).toEqual({ waits: false });
    expect(await lesson()).toMatchObject({ kind: 'video', videoResourceId: one.id, duration: 2 });
    const rights = () => kit.db.query.selectFrom('play_rights').selectAll().where('media_id', '=', one.id).execute();
    expect(await rights()).toEqual([]);
    const openedAt = kit.time.now;
    for (const begins of [1, 0] as const) {
      await ok('GET /app/video/auth', { fileId: one.id, begins }, { as: student });
      kit.time.now += 240_000;
    }
    // Their clock begins with the first; renewals leave it as it is.
    expect(await rights()).toEqual([{ user_id: student.userId, media_id: one.id, given_at: openedAt }]);
    expect(await usesOf(one.id)).toEqual(['shows']);
    const usedBy = async (lessonId: number) => (await ok(LIST, { ...PAGE, firstVideoId: lessonId }, { as })).list;
    expect((await usedBy(firstVideoId)).map(({ mediaId }) => mediaId)).toEqual([one.id]);
    expect(await usedBy(99_999)).toEqual([]);
    expect(await refused(DELETE, { mediaId: one.id }, { as })).toBe('mediaInUse');
    const unused = await ok(LIST, { ...PAGE, among: 'unused' }, { as });
    expect(unused.list.map(({ mediaId }) => mediaId)).not.toContain(one.id);

    const two = await bring('two.mp4', 3);
    expect(await ok(GIVE, { firstVideoId, mediaId: two.id }, { as })).toEqual({ waits: true });
    expect(await lesson()).toMatchObject({ videoResourceId: one.id, waitsForMedia: false });
    expect([await usesOf(one.id), await usesOf(two.id)]).toEqual([['shows'], ['waits']]);
    expect(await refused(DELETE, { mediaId: two.id }, { as })).toBe('mediaInUse');
    const taught = await ok('GET /app/course/lesson_manage', { packId: pack.packId }, { as });
    expect(taught.courses[0]?.lessons).toMatchObject([
      { firstVideoName: '第一课', videoTitle: 'one.mp4', nextTitle: 'two.mp4', given: true, packResourceId: null },
    ]);
    await work();
    expect(await lesson()).toMatchObject({ videoResourceId: two.id, duration: 3 });
    await ok(DELETE, { mediaId: one.id }, { as });
    expect(await rights()).toEqual([]);
    expect(await refused('GET /app/video/auth', { fileId: one.id }, { as: student })).toBe('notFound');

    expect(await ok(GIVE, { firstVideoId, mediaId: null }, { as })).toEqual({ waits: false });
    expect(await lesson()).toMatchObject({ kind: 'text', videoResourceId: null, duration: 0, waitsForMedia: false });
    for (const wrong of [{ mediaId: 99_999 }, { firstVideoId: 99_999 }])
      expect(await refused(GIVE, { firstVideoId, mediaId: two.id, ...wrong }, { as })).toBe('notFound');
    expect(await refused(GIVE, { firstVideoId, mediaId: two.id }, { as: student })).toBe('notAllowed');
  });

  it('a lesson whose next media cannot be played says so; such a one is not given', async () => {
    const [as, student] = [await kit.user('teacher'), await kit.user()];
    const pack = await makePack(kit, { students: [student] });
    const firstVideoId = await makeLesson(kit, pack, { kind: 'text' });
    const lesson = () => ok('GET /app/course/lesson', { packId: pack.packId, firstVideoId }, { as: student });
    const { path } = await bring('whole.mp4', 4);
    const cut = join(clips.folder, `${kind}-cut-too.mp4`);
    writeFileSync(cut, readFileSync(path).subarray(0, 1400));
    const { id } = await bringIn({ db: kit.db, files: kit.parts.files }, { path: cut, title: 'cut' }, kit.time.now);
    await ok(GIVE, { firstVideoId, mediaId: id }, { as });
    expect(await lesson()).toMatchObject({ waitsForMedia: true, mediaFailed: false });
    await work();
    await work();
    expect(await lesson()).toMatchObject({ waitsForMedia: false, mediaFailed: true });
    expect(await refused(GIVE, { firstVideoId, mediaId: id }, { as })).toBe('mediaFailed');
  });
});
