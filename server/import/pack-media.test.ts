import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPack } from '#content/pack/pack.ts';
import { addJob, readLastJob } from '#server/job/store.ts';
import { addSource, bringIn } from '#server/media/bring-in.ts';
import { type Clips, clipMaker, film, H264, tone } from '#server/media/clips.test-kit.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { clean, copyOf, small } from './import.test-kit.ts';
import { importPack } from './pack.ts';
import { waitForMedia } from './wait-for-media.ts';

const DAY = 24 * 60 * 60_000;
const LOOK = 'jobs: look for work';
const ONE = '1\n00:00:00,500 --> 00:00:01,000\n第一句\n';
let clips: Clips;
let [first, second, own, cut] = ['', '', '', ''];
beforeAll(async () => {
  clips = await clipMaker();
  first = await clips.make('first.mp4', ...film('64x36', 3), ...tone(3), ...H264);
  second = await clips.make('second.mp4', ...film('64x48', 4), ...H264);
  own = await clips.make('own.m4a', ...tone(2));
  cut = join(clips.folder, 'cut.mp4');
  writeFileSync(cut, readFileSync(first).subarray(0, 3000));
});
afterAll(() => {
  clips.remove();
  return clean();
});

const VIDEO = '  - { slug: film, chapter: a-1, name: 第一课, trial: true, video: v.mp4, subtitles: [SUBTITLES] }\n';
const CHINESE = '{ language: zh-CN, label: 中文, file: zh.srt }';
/** A pack with one lesson whose film is a copy of this one. */
function packOf(clip: string, lesson = VIDEO.replace('SUBTITLES', CHINESE), subtitles = ONE): string {
  const folder = copyOf(small());
  mkdirSync(join(folder, 'lessons'));
  copyFileSync(clip, join(folder, 'lessons', 'v.mp4'));
  writeFileSync(join(folder, 'lessons', 'zh.srt'), subtitles);
  writeFileSync(join(folder, 'lessons', '1.yaml'), `lessons:\n${lesson}`);
  return folder;
}

describe.each(databases)('media of a pack on $name', ({ kind }) => {
  let t: TestApp;
  let student: TestUser;
  beforeEach(async () => {
    t = await testApp(kind);
    student = await t.user();
  });
  afterEach(() => t.close());

  const bring = async (folder: string) => {
    const done = await importPack(t.db, t.parts.files, folder, { read: readPack, now: t.time.now });
    if (!done.ok) throw new Error(JSON.stringify(done.mistakes));
    return done.report;
  };
  const work = async () => {
    await t.chore(LOOK);
    await t.app.jobs.idle();
  };
  const row = () => t.db.query.selectFrom('lessons').selectAll().where('slug', '=', 'film').executeTakeFirstOrThrow();
  const lesson = async () => {
    const { id, pack_id } = await row();
    return t.ok('GET /app/course/lesson', { packId: pack_id, firstVideoId: id }, { as: student });
  };
  const jobs = async () =>
    (await t.db.query.selectFrom('jobs').select('state').orderBy('id').execute()).map((job) => job.state);
  const stored = async () => {
    const names: string[] = [];
    for await (const { name } of t.parts.files.list()) names.push(name);
    return names;
  };

  test('is stored, converted by a job, and shown with its subtitles; the same pack again does nothing', async () => {
    const folder = packOf(first);
    const report = await bring(folder);
    expect(report.media).toMatchObject([{ slug: 'film', state: 'waiting', asked: true }]);
    expect(await lesson()).toMatchObject({
      waitsForMedia: true,
      mediaFailed: false,
      videoResourceId: null,
      subtitles: [],
    });
    const files = await stored();
    expect(await bring(folder)).toMatchObject({ different: false, media: [{ asked: false }] });
    expect(await jobs()).toEqual(['waiting']);
    expect(await stored()).toEqual(files);

    await work();
    const ready = await lesson();
    expect(ready).toMatchObject({ waitsForMedia: false, duration: 3, nodeState: 1 });
    const mediaId = ready.videoResourceId ?? 0;
    expect(ready.poster).toBe(`/app/video/play/${mediaId}/poster.jpg`);
    const [subtitles] = ready.subtitles;
    expect(subtitles).toMatchObject({ lang: 'zh-CN', label: '中文' });

    // The grant of the film opens them, and nothing else does.
    const fetched = async (headers: Record<string, string>) => t.app.inject({ url: subtitles?.src ?? '', headers });
    expect((await fetched({ authorization: `Bearer ${student.token}` })).statusCode).toBe(403);
    const { token } = await t.ok('GET /app/video/auth', { fileId: mediaId }, { as: student });
    const track = await fetched({ authorization: `Bearer ${token}` });
    expect([track.statusCode, track.body]).toEqual([200, 'WEBVTT\n\n00:00:00.500 --> 00:00:01.000\n第一句\n']);
    const name = `${subtitles?.src.slice(-68, -66)}/${subtitles?.src.slice(-68)}`;
    const teacher = await t.user('teacher');
    expect(
      (await t.app.inject({ url: `/files/${name}`, headers: { authorization: `Bearer ${teacher.token}` } })).statusCode,
    ).toBe(404);
    const picture = await t.app.inject({ url: ready.poster, headers: { authorization: `Bearer ${token}` } });
    expect(picture.headers['content-type']).toBe('image/jpeg');

    expect(await bring(folder)).toMatchObject({ different: false, media: [{ state: 'ready', asked: false }] });
    expect(await jobs()).toEqual(['done']);
    // Other words for the same film need no job.
    const mended = await bring(packOf(first, undefined, ONE.replace('第一句', '改正的一句')));
    expect(mended).toMatchObject({ different: true, lessons: { changed: 1 }, media: [{ asked: false }] });
    expect((await lesson()).subtitles[0]?.src).not.toBe(subtitles?.src);
    expect((await fetched({ authorization: `Bearer ${token}` })).statusCode).toBe(404);
  });

  test('is shown until what replaces it is ready; then it is forgotten with its files, unless somebody shows it', async () => {
    await bring(packOf(first));
    await work();
    const old = (await row()).media_id ?? 0;
    const oldFiles = await stored();
    await bring(packOf(second, VIDEO.replace('SUBTITLES', ''), ONE));
    expect(await lesson()).toMatchObject({
      videoResourceId: old,
      duration: 3,
      waitsForMedia: false,
      subtitles: [{ lang: 'zh-CN' }],
    });
    // A server that is stopped in the middle loses nothing.
    const stopped = await t.sibling();
    await stopped.chore(LOOK);
    await stopped.close();
    expect((await lesson()).videoResourceId).toBe(old);
    expect(await jobs()).toEqual(['done', 'waiting']);
    await work();
    const now = await row();
    expect(now).toMatchObject({ duration: 4, next_media_id: null });
    expect(now.media_id).not.toBe(old);
    expect(await lesson()).toMatchObject({ subtitles: [] });

    const forget = async () => {
      t.time.now += 8 * DAY;
      for (const name of ['media: forget what packs replaced', 'files: forget what is nobody’s']) await t.chore(name);
    };
    const left = async () =>
      (await t.db.query.selectFrom('media').select('id').orderBy('id').execute()).map(({ id }) => id);
    await t.db.query.updateTable('lessons').set({ archived: 1, next_media_id: old }).where('id', '=', now.id).execute();
    await forget();
    expect(await left()).toEqual([old, now.media_id]);
    await t.db.query
      .updateTable('lessons')
      .set({ archived: 0, next_media_id: null })
      .where('id', '=', now.id)
      .execute();
    // What stood by its number goes with it: the right to play, and a conversion that was still asked for.
    await t.db.query
      .insertInto('play_rights')
      .values({ user_id: student.userId, media_id: old, given_at: 1 })
      .execute();
    await t.db.transaction((trx) =>
      addJob(trx, { kind: 'media.transcode', key: `${old}`, input: { mediaId: old } }, 1),
    );
    // Files are as old as the true clock says.
    t.time.now = Math.max(t.time.now, Date.now());
    await forget();
    expect(await left()).toEqual([now.media_id]);
    expect(await t.db.query.selectFrom('play_rights').select('media_id').where('media_id', '=', old).execute()).toEqual(
      [],
    );
    expect((await readLastJob(t.db.query, 'media.transcode', `${old}`))?.cancel).toBe(1);
    const kept = await stored();
    expect(oldFiles.filter((name) => kept.includes(name))).toEqual([]);
  });

  test('that cannot be converted says so to students and to whoever imported it, and is tried again with the next import', async () => {
    const report = await bring(packOf(cut));
    await work();
    expect(await lesson()).toMatchObject({ waitsForMedia: false, mediaFailed: true, videoResourceId: null });
    const said: string[] = [];
    const quiet = { show: () => undefined, end: () => undefined };
    const told = { say: (line: string) => void said.push(line), progress: quiet, signal: new AbortController().signal };
    expect(await waitForMedia(t.db, report.media, { ...told, wait: true })).toBe(1);
    expect(said.at(-1)).toMatch(/“第一课”不能播放：.*[\u4e00-\u9fff]/);
    expect(await bring(packOf(cut))).toMatchObject({ different: true, media: [{ state: 'waiting', asked: true }] });
    expect(await lesson()).toMatchObject({ waitsForMedia: true, mediaFailed: false });
    await bring(packOf(first));
    for (const _ of [1, 2]) await work();
    expect(await lesson()).toMatchObject({ mediaFailed: false, duration: 3 });
    expect(await jobs()).toEqual(expect.arrayContaining(['failed', 'done']));
    said.length = 0;
    expect(await waitForMedia(t.db, report.media.slice(0, 0), { ...told, wait: true })).toBe(0);
    expect(said).toEqual([]);
  });

  test('that a teacher gave a lesson stays through imports; taken back, it is what the pack brings by then', async () => {
    const as = await t.user('teacher');
    await bring(packOf(first));
    await work();
    const { id: firstVideoId, media_id: packs } = await row();
    const give = (mediaId: number | null) => t.ok('POST /app/course/lesson_media', { firstVideoId, mediaId }, { as });
    const { id: given } = await bringIn({ db: t.db, files: t.parts.files }, { path: own, title: '老师的' }, t.time.now);
    expect(await give(given)).toEqual({ waits: true });
    expect(await bring(packOf(first))).toMatchObject({ different: false });
    expect(await lesson()).toMatchObject({ videoResourceId: packs, subtitles: [{ lang: 'zh-CN' }] });
    await work();
    const theirs = { kind: 'audio', videoResourceId: given, duration: 2, subtitles: [] };
    expect(await lesson()).toMatchObject(theirs);
    expect(await bring(packOf(first))).toMatchObject({ different: false });

    await bring(packOf(second));
    await work();
    expect(await lesson()).toMatchObject(theirs);
    const { pack_media_id: newer } = await row();
    expect(newer).not.toBe(packs);
    const { list } = await t.ok('GET /app/media/list', { pageNum: 1, pageSize: 20 }, { as });
    expect(list.map(({ mediaId, lessons }) => [mediaId, lessons.map(({ use }) => use)])).toEqual([
      [newer, ['pack']],
      [given, ['shows']],
      [packs, []],
    ]);
    expect(await t.refused('POST /app/media/delete', { mediaId: newer ?? 0 }, { as })).toBe('mediaInUse');
    expect(await give(null)).toEqual({ waits: false });
    expect(await lesson()).toMatchObject({ kind: 'video', videoResourceId: newer, duration: 4 });
    expect((await lesson()).subtitles).toHaveLength(1);
    expect(await bring(packOf(second))).toMatchObject({ different: false });

    // What the pack brings by then is not ready, and then fails.
    await give(given);
    await bring(packOf(cut));
    expect(await give(null)).toEqual({ waits: true });
    expect(await lesson()).toMatchObject({ videoResourceId: null, waitsForMedia: true, mediaFailed: false });
    await work();
    expect(await lesson()).toMatchObject({ videoResourceId: null, waitsForMedia: false, mediaFailed: true });

    // Nobody shows these now: what a pack replaced is forgotten, what a teacher brought is not, also where a pack had it too.
    const source = await t.db.query
      .selectFrom('media')
      .select(['source', 'source_bytes as bytes', 'title'])
      .where('id', '=', newer)
      .executeTakeFirstOrThrow();
    await t.db.transaction((trx) => addSource(trx, { ...source, broughtBy: as.userId }, t.time.now));
    await bring(packOf(first));
    await bring(packOf(second));
    await bring(packOf(cut));
    t.time.now += 8 * DAY;
    await t.chore('media: forget what packs replaced');
    const left = await t.db.query.selectFrom('media').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual([given, newer, (await row()).pack_media_id]);
  });

  test('two lessons of one file share one job; what is wrong with a file stops everything before it is stored', async () => {
    const two = `${VIDEO.replace('SUBTITLES', '')}${VIDEO.replace('SUBTITLES', CHINESE).replace('slug: film', 'slug: other').replace('第一课', '第二课')}`;
    expect((await bring(packOf(first, two))).media.map(({ asked }) => asked)).toEqual([true, false]);
    expect(await jobs()).toEqual(['waiting']);
    await work();
    expect(await t.db.query.selectFrom('lessons').select('duration').execute()).toEqual([
      { duration: 3 },
      { duration: 3 },
    ]);

    const before = await stored();
    const bad = packOf(
      second,
      `${VIDEO.replace('SUBTITLES', '')}  - { slug: l, chapter: b, name: 链接, video: l.mp4 }\n`,
    );
    symlinkSync(second, join(bad, 'lessons', 'l.mp4'));
    const done = await importPack(t.db, t.parts.files, bad, { read: readPack });
    expect(done).toMatchObject({
      ok: false,
      mistakes: expect.arrayContaining([expect.objectContaining({ line: 3, reason: '这是一个链接，请放入文件本身' })]),
    });
    expect(await stored()).toEqual(before);
    expect(readdirSync(join(bad, 'lessons'))).toHaveLength(4);
  });
});
