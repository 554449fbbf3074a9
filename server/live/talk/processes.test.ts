import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { enrol } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { openDb } from '#server/db/open.ts';
import { type Cluster, postgresPrograms, startCluster } from '#server/db/postgres-cluster.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { type Listener, listen, makeRoom } from './talk.test-kit.ts';

const programs = postgresPrograms();
const redisUrl = process.env.TEST_REDIS_URL;
const SAID = 60;
/** Half of them at each server, which takes eight of one person. */
const AT_ONCE = 12;
const dataDir = mkdtempSync(join(tmpdir(), 'lixue-talk-'));
const tokens: Record<'teacher' | 'first' | 'second', string> = { teacher: '', first: '', second: '' };
let cluster: Cluster | undefined;
let newRoom: () => Promise<number>;
let userId = 0;

const seqs = ({ events }: Listener) => events.map(({ seq }) => seq);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Once, within the first test. */
async function makeSchool(): Promise<void> {
  if (cluster) return;
  cluster = await startCluster(programs ?? '');
  const now = Date.now();
  const db = await openDb({ kind: 'postgres', url: cluster.url }, now);
  const { packId } = await makePack({ db, time: { now } } as Parameters<typeof makePack>[0]);
  let teacherId = 0;
  for (const [at, name] of (['teacher', 'first', 'second'] as const).entries()) {
    const role = name === 'teacher' ? 'teacher' : 'student';
    const { id } = await db.query
      .insertInto('users')
      .values({ phone: `1500000000${at}`, password_hash: null, nickname: name, created_at: now, role })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (name === 'teacher') teacherId = id;
    else await enrol(db.query, id, packId, now);
    if (name === 'second') userId = id;
    tokens[name] = (await createSession(db.query, randomBytes, id, now)).token;
  }
  const rooms = [1, 2];
  const made: number[] = [];
  for (const _ of rooms) made.push(await makeRoom({ db, time: { now } }, { packId, teacherId }));
  newRoom = async () => made.pop() ?? 0;
  await db.close();
}
afterAll(async () => {
  await cluster?.remove();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

async function post(port: number, path: string, by: keyof typeof tokens, input: object) {
  const answer = await fetch(`http://127.0.0.1:${port}/app/live/${path}`, {
    ...{ method: 'POST', body: JSON.stringify(input) },
    headers: { authorization: `Bearer ${tokens[by]}`, 'content-type': 'application/json' },
  });
  return (await answer.json()) as { code: number; data: { why?: string } };
}

describe.skipIf(programs === null)('two processes on one PostgreSQL are one room', () => {
  it.each([
    ['through Redis', redisUrl ?? null],
    ['without Redis, a little later', null],
  ])('%s', { timeout: 120_000 }, async (name, redis) => {
    if (redis === null && name === 'through Redis') return;
    await makeSchool();
    const databaseUrl = cluster?.url ?? '';
    const env: Record<string, string> = redis === null ? {} : { REDIS_URL: redis };
    const start = () => startServer({ dataDir, databaseUrl, env });
    const servers = [await start(), await start()];
    const [here, there] = servers.map(({ port }) => port) as [number, number];
    try {
      const liveId = await newRoom();
      const windows = [
        await listen(here, { token: tokens.first }, liveId),
        await listen(there, { token: tokens.second }, liveId),
      ];
      // Said at both in one moment: one order for all, nothing lost, nothing twice.
      for (let from = 0; from < SAID; from += AT_ONCE) {
        const said = upTo(AT_ONCE).map((at) =>
          post(at % 2 ? here : there, 'talk_say', 'teacher', {
            ...{ liveId, text: `第 ${from + at} 句`, clientId: `message-${from + at}` },
          }),
        );
        for (const { code } of await Promise.all(said)) expect(code).toBe(200);
      }
      await Promise.all(windows.map((window) => window.until(() => window.events.length >= SAID)));
      for (const window of windows) expect(seqs(window)).toEqual(upTo(SAID));
      expect(windows[0]?.events).toEqual(windows[1]?.events);
      // Taken out of sight and muted at one, true at the other at once.
      const seq = 3;
      expect((await post(here, 'talk_delete', 'teacher', { liveId, seq })).code).toBe(200);
      expect((await post(here, 'talk_mute', 'teacher', { liveId, userId, muted: 1 })).code).toBe(200);
      const muted = await post(there, 'talk_say', 'second', { liveId, text: '我', clientId: 'message-muted' });
      expect(muted.data.why).toBe('liveMuted');
      await Promise.all(windows.map((window) => window.until(() => window.events.length >= SAID + 2)));
      expect(windows[1]?.events.slice(-2)).toMatchObject([{ kind: 'deleted', target: seq }, { kind: 'muted' }]);
      expect(windows[0]?.events.at(-1)).toMatchObject({ kind: 'other', toUserId: 0 });
      // One of them is killed: who was there comes back to the other one, and misses nothing.
      await servers[1]?.kill();
      const again = await listen(here, { token: tokens.second }, liveId);
      const last = await post(here, 'talk_say', 'first', { liveId, text: '还在', clientId: 'message-last' });
      expect(last.code).toBe(200);
      await Promise.all([windows[0], again].map((window) => window?.until(() => seqs(window).includes(SAID + 3))));
      expect(seqs(again)).toEqual([SAID + 3]);
      for (const window of [...windows, again]) window.close();
    } finally {
      await servers[0]?.stop();
    }
  });
});
