import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { pidOf, soon } from './ingest/ingest.test-kit.ts';
import { picture, publisher, sound } from './ingest/rtmp-client.test-kit.ts';
import { openRooms, type Rooms } from './rooms.ts';

const HOUR = 3_600_000;
const LOOK = 'live: rooms';

describe.each(databases)('the rooms of this site on $name, with a real ingest', async ({ kind }) => {
  const kit = await testApp(kind);
  const folder = mkdtempSync(join(tmpdir(), 'lixue-rooms-'));
  let rooms: Rooms;
  let port = 0;
  beforeAll(async () => {
    rooms = await openRooms({ ...kit.parts, rtmp: { port: 0, host: '127.0.0.1', folder } });
    await vi.waitFor(() => expect(rooms.ingest?.state().trouble).toBe(null), { timeout: 20_000 });
    port = rooms.ingest?.state().port ?? 0;
  });
  afterAll(async () => {
    await rooms.close();
    await kit.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { ok, time, user } = kit;

  async function scene() {
    const [as, teacher] = [await user(), await user('teacher')];
    const { packId } = await makePack(kit, { students: [as] });
    const lesson = await ok(
      'POST /app/live/save',
      {
        ...{ packId, teacherId: teacher.userId, title: '考前冲刺', livePlatform: 0, liveUrlPc: '' },
        ...{ startTime: time.now - 60_000, endTime: time.now + HOUR },
      },
      { as: teacher },
    );
    const { streamKey } = await ok('GET /app/live/stream_key', { liveId: lesson.id }, { as: teacher });
    const stream = async () => ok('GET /app/live/stream', { liveId: lesson.id }, { as: teacher });
    const look = () => Promise.all(rooms.chores.filter(({ name }) => name === LOOK).map(({ run }) => run(time.now)));
    return { as, teacher, lesson, streamKey, stream, look };
  }

  it('begin by a stream at a time that is sure, and not while the clock is in doubt', async () => {
    const { streamKey, stream, look } = await scene();
    time.inDoubt = true;
    const real = time.now;
    time.now = real + 30 * 60_000;
    const teacher = await publisher(port, streamKey);
    teacher.video(0, picture(true));
    teacher.audio(0, sound());
    await soon(async () => (await stream()).heardAt).toBe(time.now);
    expect((await stream()).startedAt).toBeNull();
    time.now = real;
    time.inDoubt = false;
    await look();
    expect((await stream()).startedAt).toBe(real);
    teacher.socket.destroy();
  });

  it('are interrupted when the ingest is killed and its encoder does not come back, and live again when it does', async () => {
    const { streamKey, stream, look } = await scene();
    const send = (to: Awaited<ReturnType<typeof publisher>>) => {
      to.video(0, picture(true));
      to.audio(0, sound());
    };
    const first = await publisher(port, streamKey);
    send(first);
    await soon(async () => (await stream()).streamState).toBe('live');
    process.kill(pidOf(folder), 'SIGKILL');
    await first.closed();
    await soon(async () => (await stream()).streamState).toBe('interrupted');
    expect((await stream()).sends).toBe(false);
    await soon(() => rooms.ingest?.state().trouble).toBe(null);
    await look();
    expect((await stream()).streamState).toBe('interrupted');
    const second = await publisher(rooms.ingest?.state().port ?? 0, streamKey);
    send(second);
    await soon(async () => (await stream()).streamState).toBe('live');
    second.socket.destroy();
    port = rooms.ingest?.state().port ?? 0;
  }, 60_000);

  it('bring a replay that could not be made playable on its way again, once', async () => {
    const { teacher, lesson, look } = await scene();
    await ok('POST /app/live/start', { liveId: lesson.id }, { as: teacher });
    await ok('POST /app/live/end', { liveId: lesson.id }, { as: teacher });
    await look();
    const media = await kit.db.query
      .insertInto('media')
      .values({
        ...{
          source: `${'f'.repeat(59)}${kind}.flv`,
          source_bytes: 100,
          title: '回放',
          kind: 'video' as const,
          state: 'failed' as const,
        },
        ...{ reason: '磁盘空间不足', brought_by: teacher.userId, created_at: time.now },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await kit.db.query
      .updateTable('live_lessons')
      .set({ replay_media_id: media.id })
      .where('id', '=', lesson.id)
      .execute();
    // A teacher who tidies up what no lesson shows is not led to it, and no chore takes it for what a pack left.
    const unused = { among: 'unused', pageNum: 1, pageSize: 100 } as const;
    expect((await ok('GET /app/media/list', unused, { as: teacher })).list.map(({ mediaId }) => mediaId)).toEqual([]);
    const all = (await ok('GET /app/media/list', { pageNum: 1, pageSize: 100 }, { as: teacher })).list;
    expect(all.find(({ mediaId }) => mediaId === media.id)).toMatchObject({ lessons: [], replayOf: [lesson.title] });
    const ofMedia = kit.db.query.updateTable('media').where('id', '=', media.id);
    await ofMedia.set({ brought_by: null, released_at: 1 }).execute();
    await kit.chore('media: forget what packs replaced');
    const replay = async () => (await ok('GET /app/live/stream', { liveId: lesson.id }, { as: teacher })).replay;
    expect(await replay()).toBe('failed');
    await Promise.all([1, 2, 3].map(() => ok('POST /app/live/make_replay', { liveId: lesson.id }, { as: teacher })));
    expect(await replay()).toBe('making');
    const jobs = await kit.db.query
      .selectFrom('jobs')
      .select('state')
      .where('kind', '=', 'media.transcode')
      .where('key', '=', String(media.id))
      .execute();
    expect(jobs).toEqual([{ state: 'waiting' }]);
  });
});
