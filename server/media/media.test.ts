import { createDecipheriv } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRANT_LIFE } from '#rules/media/grant.ts';
import type { CommandContext } from '#server/command.ts';
import { buildWebServer, type WebServer } from '#server/http/web-server.ts';
import { jobWorker } from '#server/job/worker.ts';
import { withReplays } from '#server/live/replay.ts';
import { lessonsOfMedia } from '#server/play/lesson-media.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { sessionFinder } from '#server/user/session.ts';
import { bringIn } from './bring-in.ts';
import { type Clips, clipMaker, film, H264, tone } from './clips.test-kit.ts';
import { mediaCommands } from './media-command.ts';
import { mediaFiles } from './media-files.ts';
import { grantSigner, mediaRoutes } from './routes.ts';
import { findMedia } from './store.ts';
import { ffmpegFinder, transcodeJob } from './transcode-job.ts';

const LOOK = 'jobs: look for work';
let clips: Clips;
let lesson = '';
beforeAll(async () => {
  clips = await clipMaker();
  lesson = await clips.make('第一讲.mp4', ...film('96x64', 4), ...tone(4), ...H264);
});
afterAll(() => clips.remove());

describe.each(databases)('media on $name', ({ kind }) => {
  let t: TestApp;
  let web: WebServer;
  let [student, stranger, teacher]: TestUser[] = [];
  let mediaId = 0;
  /** Who may watch what, as lessons will say it. */
  const watchers = new Set<string>();
  /** Which files are subtitles of what. */
  const subtitled = new Set<string>();
  /** Which rights to play lessons were told of. */
  const rights: { userId: number; mediaId: number; at: number }[] = [];
  let asked = 0;
  const context = (said: string[]): CommandContext => ({
    openDb: async () => t.db,
    files: t.parts.files,
    say: (line) => void said.push(line),
    progress: { show: () => undefined, end: () => undefined },
    signal: new AbortController().signal,
  });
  async function command(name: string, ...args: string[]): Promise<string> {
    const said: string[] = [];
    await mediaCommands({})
      .find((each) => each.name === name)
      ?.run(args, context(said));
    return said.join('\n');
  }
  async function work(): Promise<void> {
    await t.chore(LOOK);
    await t.app.jobs.idle();
  }
  beforeAll(async () => {
    t = await testApp(kind);
    // Commands go by the true time.
    t.time.now = Date.now() + 60_000;
    [student, stranger, teacher] = [await t.user(), await t.user(), await t.user('teacher')];
    const sign = await grantSigner(t.parts);
    web = await buildWebServer({
      durability: { weak: () => null, chores: [] },
      parts: t.parts,
      findSession: sessionFinder(t.db, true),
      mayOpenPack: async () => ({ ok: true }),
      fileOwners: [mediaFiles(t.db)],
      routes: (serve, _sockets, _callbacks, serveBytes) =>
        mediaRoutes(serve, serveBytes, t.parts, {
          sign,
          onRight: async (right) => {
            rights.push(right);
          },
          hasSubtitles: async (id, file) => subtitled.has(`${id} ${file}`),
          lessons: withReplays(lessonsOfMedia),
          mayWatch: async (userId, id) => {
            asked += 1;
            return watchers.has(`${userId} ${id}`) ? { ok: true } : { ok: false, why: 'notEnrolled' };
          },
        }),
    });
  });
  afterAll(async () => {
    await web.close();
    await t.close();
  });

  const bearer = (token = '') => ({ authorization: `Bearer ${token}` });
  async function auth(as: TestUser | undefined, fileId = mediaId) {
    const answer = await web.inject({ url: `/app/video/auth?fileId=${fileId}`, headers: as ? bearer(as.token) : {} });
    const { data } = answer.json() as {
      data: { token: string; path: string; expiresAt: number; begin: unknown; why?: string };
    };
    return { status: answer.statusCode, ...data, cookie: answer.cookies[0] };
  }
  const get = (path: string, headers: Record<string, string>) => web.inject({ url: path, headers });

  it('a file is brought in once, converted by the job, and listed with what stands of it', async () => {
    expect(await command('media list')).toContain('还没有视频或音频');
    expect(await command('media import', lesson)).toMatch(/已收到，编号 1/);
    expect(await command('media import', lesson, '--title', '别的名字')).toMatch(/已收到，编号 1/);
    expect(await command('media list')).toMatch(/1 {2}第一讲\.mp4 {2}等待转换/);
    expect((await auth(teacher, 1)).why).toBe('mediaNotReady');
    // Begun, before it has told how far it is.
    const running = (state: 'running' | 'waiting') => t.db.query.updateTable('jobs').set({ state }).execute();
    await running('running');
    expect(await command('media list')).toMatch(/1 {2}第一讲\.mp4 {2}转换中 0%/);
    await running('waiting');
    await work();
    mediaId = 1;
    expect(await findMedia(t.db.query, 1)).toMatchObject({
      state: 'ready',
      kind: 'video',
      duration_ms: 4000,
      reason: '',
    });
    expect(await command('media list')).toMatch(/1 {2}第一讲\.mp4 {2}可以播放 {2}视频 00:04/);
    expect(await command('media import', lesson)).toContain('可以播放');
    const jobs = await t.db.query.selectFrom('jobs').select(['state', 'percent']).execute();
    expect(jobs).toEqual([{ state: 'done', percent: 100 }]);
    expect(readdirSync(t.parts.workFolder)).toEqual([]);
  });

  it('gives with the right to play what a player asks for first, when that begins, and to nobody else', async () => {
    watchers.add(`${student?.userId} ${mediaId}`);
    const begin = async (as: TestUser | undefined) =>
      web.inject({ url: `/app/video/auth?fileId=${mediaId}&begins=1`, headers: bearer(as?.token) });
    const answer = await begin(student);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { path, token, begin: first } = answer.json().data;
    const as = async (part: string) => (await get(path + part, bearer(token))).rawPayload;
    expect(first.master).toBe((await as('master.m3u8')).toString());
    expect(first.playlist).toBe((await as(`${first.name}.m3u8`)).toString());
    expect(Buffer.from(first.key, 'base64')).toEqual(await as(`${first.name}.key`));
    expect(first.master).toContain(`${first.name}.m3u8`);
    expect((await begin(stranger)).json().data.begin).toBeUndefined();
    // A renewal needs none of it.
    expect((await auth(student)).begin).toBeNull();
    // Lessons are told of each that was given, and of no other.
    expect(rights.map(({ userId, mediaId: id }) => [userId, id])).toEqual([
      [student?.userId, mediaId],
      [student?.userId, mediaId],
    ]);
  });

  it('plays from the list of qualities to the last segment, with the cookie alone', async () => {
    watchers.add(`${student?.userId} ${mediaId}`);
    const grant = await auth(student);
    expect(grant.cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: `/app/video/play/${mediaId}/` });
    const cookie = { cookie: `${grant.cookie?.name}=${grant.cookie?.value}` };
    const master = await get(`${grant.path}master.m3u8`, cookie);
    expect([master.statusCode, master.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(master.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    expect(master.body).toMatch(
      /BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+,CODECS="avc1\.\w{6},mp4a\.40\.2",RESOLUTION=96x64,FRAME-RATE=5\.000\n/,
    );
    const [list = ''] = master.body.match(/^\S+\.m3u8$/m) ?? [];
    const playlist = (await get(grant.path + list, cookie)).body;
    expect(playlist.match(/#EXTINF:([\d.]+)/g)).toEqual(['#EXTINF:3.000', '#EXTINF:1.000']);
    const [, keyName = ''] = /URI="([^"]+)"/.exec(playlist) ?? [];
    const key = await get(grant.path + keyName, cookie);
    expect([key.rawPayload.length, key.headers['cache-control']]).toEqual([16, 'private, no-store']);
    for (const [at, name] of (playlist.match(/^\S+\.ts$/gm) ?? []).entries()) {
      const segment = await get(grant.path + name, cookie);
      expect(segment.headers['content-type']).toBe('video/mp2t');
      const vector = Buffer.alloc(16);
      vector.writeUInt32BE(at, 12);
      const decipher = createDecipheriv('aes-128-cbc', key.rawPayload, vector);
      const plain = Buffer.concat([decipher.update(segment.rawPayload), decipher.final()]);
      expect([plain[0], plain[188]]).toEqual([0x47, 0x47]);
      const part = await get(grant.path + name, { ...cookie, range: 'bytes=16-31' });
      expect([part.statusCode, part.headers['content-range']]).toEqual([
        206,
        `bytes 16-31/${segment.rawPayload.length}`,
      ]);
      expect(part.rawPayload.equals(segment.rawPayload.subarray(16, 32))).toBe(true);
    }
    expect((await get(`${grant.path}poster.jpg`, cookie)).rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8');
    expect((await get(`${grant.path}thumbnails.vtt`, cookie)).body).toContain('thumbnails.jpg#xywh=160,0,160,106');
    const track = await t.parts.files.put(Buffer.from('WEBVTT\n'), 'vtt');
    const part = `${grant.path}subtitles/${track.slice(3)}`;
    expect((await get(part, cookie)).statusCode).toBe(404);
    subtitled.add(`${mediaId} ${track}`);
    const subtitles = await get(part, cookie);
    expect([subtitles.body, subtitles.headers['content-type'], subtitles.headers['cache-control']]).toEqual([
      ...['WEBVTT\n', 'text/vtt; charset=utf-8', 'private, no-store'],
    ]);
    expect((await get(part, {})).statusCode).toBe(403);
    for (const nothing of ['', 'x', list.replace('m3u8', 'ts'), `${list.replace('.m3u8', '')}/9.ts`, '%2e%2e/x'])
      expect((await get(grant.path + nothing, cookie)).statusCode, nothing).toBe(404);
  });

  it('is for nobody else: strangers, visitors, other videos, later, in an address, signed out', async () => {
    expect((await auth(stranger)).why).toBe('notEnrolled');
    expect((await auth(undefined)).why).toBe('notSignedIn');
    expect((await auth(teacher, 999)).why).toBe('notFound');
    const { token = '', path = '' } = await auth(student);
    const list = `${path}master.m3u8`;
    expect((await get(list, bearer(token))).statusCode).toBe(200);
    const other = list.replace('/1/', '/2/');
    const forged = token.replace(/^\d+/, String(teacher?.userId));
    for (const [url, headers] of [
      [list, {}],
      [list, bearer(student?.token)],
      [list, bearer(forged)],
      [list, bearer(`${token}x`)],
      [list, bearer(token.replace('.s.', '.t.'))],
      [`${list}?token=${token}`, {}],
      [other, bearer(token)],
      [list, { ...bearer(token), cookie: 'lixue_session=ended' }],
      [list, { ...bearer(token), cookie: `lixue_session=${stranger?.token}` }],
    ] as const) {
      const answer = await get(url, headers);
      expect([answer.statusCode, answer.json().data.why], url).toEqual([403, 'playEnded']);
    }
    expect((await get(list, { ...bearer(token), cookie: `lixue_session=${student?.token}` })).statusCode).toBe(200);
    t.time.now += GRANT_LIFE;
    expect((await get(list, bearer(token))).statusCode).toBe(403);
    // Under their own names its files are the teacher's alone, and of them only the source.
    const media = await findMedia(t.db.query, mediaId);
    const { file } = await t.db.query.selectFrom('media_renditions').select('file').executeTakeFirstOrThrow();
    for (const name of [media?.source, media?.poster, file]) {
      const [seen, hidden] = [bearer(teacher?.token), bearer(student?.token)];
      expect((await get(`/files/${name}`, hidden)).statusCode).toBe(404);
      expect((await get(`/files/${name}`, seen)).statusCode).toBe(name === media?.source ? 200 : 404);
    }
  });

  it('ends when its person may watch no more: keys at once, all else within seconds', async () => {
    const { token, path } = await auth(student);
    const master = await get(`${path}master.m3u8`, bearer(token));
    const [name = ''] = /^[^.\n#]+(?=\.m3u8$)/m.exec(master.body) ?? [];
    await get(`${path}${name}/0.ts`, bearer(token));
    const before = asked;
    for (let times = 0; times < 5; times += 1) await get(`${path}${name}/0.ts`, bearer(token));
    expect(asked).toBe(before);
    watchers.clear();
    expect((await get(`${path}${name}.key`, bearer(token))).statusCode).toBe(403);
    t.time.now += 20_000;
    expect((await get(`${path}${name}/0.ts`, bearer(token))).statusCode).toBe(403);
    expect((await auth(student)).why).toBe('notEnrolled');
    watchers.add(`${student?.userId} ${mediaId}`);
  });

  it('ends for who was switched off or is no teacher any more, also where no session is sent with the grant', async () => {
    for (const [as, change] of [
      [student, { disabled: 1 }],
      [teacher, { role: 'student' }],
    ] as const) {
      const { token, path } = await auth(as);
      const master = await get(`${path}master.m3u8`, bearer(token));
      const [name = ''] = /^[^.\n#]+(?=\.m3u8$)/m.exec(master.body) ?? [];
      const users = t.db.query.updateTable('users').where('id', '=', as?.userId ?? 0);
      await users.set(change).execute();
      expect((await get(`${path}${name}.key`, bearer(token))).statusCode).toBe(403);
      t.time.now += 20_000;
      expect((await get(`${path}${name}/0.ts`, bearer(token))).statusCode).toBe(403);
      await users.set({ disabled: 0, role: as === teacher ? 'teacher' : 'student' }).execute();
      expect((await get(`${path}${name}.key`, bearer(token))).statusCode).toBe(200);
    }
  });

  it('ends with the session in which it was given, also where none is sent with the grant: whoever signed out plays nothing', async () => {
    const other = await t.user();
    watchers.add(`${other.userId} ${mediaId}`);
    const grant = await auth(other);
    // A browser that has signed out sends what is left there: the cookie of the film alone.
    const left = { cookie: `${grant.cookie?.name}=${grant.cookie?.value}` };
    const [name = ''] = /^[^.\n#]+(?=\.m3u8$)/m.exec((await get(`${grant.path}master.m3u8`, left)).body) ?? [];
    expect((await get(`${grant.path}${name}.key`, left)).statusCode).toBe(200);
    await t.db.changePeople((trx) => trx.deleteFrom('sessions').where('user_id', '=', other.userId).execute());
    for (const headers of [left, bearer(grant.token)])
      expect((await get(`${grant.path}${name}.key`, headers)).statusCode).toBe(403);
    t.time.now += 20_000;
    for (const headers of [left, bearer(grant.token)])
      for (const part of ['master.m3u8', `${name}/0.ts`, 'poster.jpg'])
        expect((await get(grant.path + part, headers)).statusCode, part).toBe(403);
  });

  it('is a visitor’s for what everybody may watch, also at a browser whose session has ended', async () => {
    watchers.add(`null ${mediaId}`);
    const { token, path } = await auth(undefined);
    const left = { ...bearer(token), cookie: 'lixue_session=ended' };
    const [name = ''] = /^[^.\n#]+(?=\.m3u8$)/m.exec((await get(`${path}master.m3u8`, left)).body) ?? [];
    for (const part of ['master.m3u8', `${name}.key`, `${name}/0.ts`])
      expect((await get(path + part, left)).statusCode, part).toBe(200);
    watchers.delete(`null ${mediaId}`);
    expect((await get(`${path}${name}.key`, left)).statusCode).toBe(403);
  });

  it('converted again, what plays goes on, and the list names the new one', async () => {
    const { token, path } = await auth(student);
    const nameOf = async () =>
      (/^[^.\n#]+(?=\.m3u8$)/m.exec((await get(`${path}master.m3u8`, bearer(token))).body) ?? [''])[0];
    const before = await nameOf();
    expect(await command('media retry', '1')).toContain('将重新转换');
    expect((await get(`${path}${before}/0.ts`, bearer(token))).statusCode).toBe(200);
    await work();
    t.time.now += 6000;
    const after = await nameOf();
    expect(after).not.toBe(before);
    for (const name of [before, after])
      for (const part of ['.key', '.m3u8', '/1.ts'])
        expect((await get(path + name + part, bearer(token))).statusCode).toBe(200);
  });

  it('what cannot be converted fails with a sentence, and can be asked for again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lixue-bad-'));
    const path = join(folder, 'bad.mkv');
    writeFileSync(path, Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(9000, 7)]));
    await command('media import', path);
    await work();
    const list = await command('media list');
    expect(list).toMatch(/2 {2}bad\.mkv {2}失败：文件内容已损坏/);
    expect((await auth(teacher, 2)).why).toBe('mediaNotReady');
    expect(await command('media import', path)).toContain('已收到，编号 2');
    await work();
    writeFileSync(path, '#EXTM3U\nfile:///etc/passwd\n');
    await expect(command('media import', path)).rejects.toThrow('不是可以识别的视频或音频文件');
    await expect(command('media import', join(folder, 'none'))).rejects.toThrow('打不开文件');
    await expect(command('media retry', '77')).rejects.toThrow('没有编号为');
    rmSync(folder, { recursive: true });
  });

  it('without FFmpeg, and with one that hangs, the teacher is told', async () => {
    const hangs = join(clips.folder, 'ffmpeg-hangs');
    const answers = `case "$*" in *-version*|*-encoders*|*-filters*|*"-h long"*) exec ${clips.ffmpeg.path} "$@";; esac`;
    writeFileSync(hangs, `#!/bin/sh\n${answers}\nkill -STOP $$\n`, { mode: 0o755 });
    for (const [ffmpegPath, says] of [
      ['/no/such/ffmpeg', /没有可用的 FFmpeg/],
      [hangs, /长时间没有进展/],
    ] as const) {
      const parts = { ...t.parts, ffmpegPath };
      const worker = jobWorker(parts, [
        { ...transcodeJob(parts, ffmpegFinder(ffmpegPath), lessonsOfMedia, { stalledAfter: 200 }), mostAttempts: 1 },
      ]);
      await t.db.transaction(async (trx) => {
        await trx.deleteFrom('media_renditions').execute();
        await trx.deleteFrom('media').execute();
      });
      const media = await bringIn(t.parts, { path: lesson, title: 'x' }, t.time.now);
      await worker.chores[0]?.run(t.time.now);
      await worker.idle();
      expect(await findMedia(t.db.query, media.id)).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(says),
      });
    }
  });
});
