import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { type Clips, clipMaker, film, H264 } from '#server/media/clips.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { uploadPath } from './keeper.ts';
import { tusClient } from './tus.test-kit.ts';

let clips: Clips;
const dataDir = mkdtempSync(join(tmpdir(), 'lixue-upload-crash-'));
beforeAll(async () => {
  clips = await clipMaker();
});
afterAll(() => {
  clips.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

async function teacherToken(): Promise<string> {
  const db = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, Date.now());
  const { id } = await db.query
    .insertInto('users')
    .values({ phone: '15000000001', password_hash: null, nickname: '老师', role: 'teacher', created_at: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { token } = await createSession(db.query, randomBytes, id, Date.now());
  await db.close();
  return token;
}

it('a server that is killed in the middle of an upload loses a moment of it, and all bytes come', async () => {
  const token = await teacherToken();
  const bytes = readFileSync(await clips.make('第一讲.mp4', ...film('96x64', 3), ...H264));
  const free = Buffer.alloc(300_000);
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4);
  const all = Buffer.concat([bytes, free]);
  const get = async (port: number, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: { list: { received: number; state: string; bytes: number }[] } }).data
      .list;
  };
  const list = '/app/upload/list?uploadFor=media';

  const first = await startServer({ dataDir });
  const sender = tusClient(first.port, token);
  const address = await sender.create(all.length);
  const line = sender.open(address, 0, all.length);
  let sent = 0;
  const drip = setInterval(() => {
    if (sent > all.length / 2) return;
    line.request.write(all.subarray(sent, sent + 2000));
    sent += 2000;
  }, 20);
  await expect.poll(async () => (await get(first.port, list))[0]?.received, { timeout: 20_000 }).toBeGreaterThan(0);
  clearInterval(drip);
  const before = (await get(first.port, list))[0]?.received ?? 0;
  await first.kill();

  const second = await startServer({ dataDir });
  const again = tusClient(second.port, token);
  const stands = Number((await again.head(address)).headers['upload-offset']);
  expect(stands).toBeGreaterThanOrEqual(before);
  expect(stands).toBeLessThanOrEqual(sent);
  expect((await again.patch(address, stands, all.subarray(stands))).status).toBe(204);
  expect(await get(second.port, list)).toMatchObject([{ received: all.length }]);
  const path = uploadPath({ workFolder: join(dataDir, 'work') }, address.split('/').at(-1) ?? '');
  expect(readFileSync(path).equals(all)).toBe(true);
  await second.stop();
}, 60_000);
