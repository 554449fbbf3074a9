import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Segment } from '#rules/media/playlist.ts';
import { openDb } from '#server/db/open.ts';
import { localFiles } from '#server/files.ts';
import { addMedia, saveMade } from '#server/media/store.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { median, report } from './measure.ts';

/**
 * How fast segments of a film leave the whole server, as a share of a plain node:http server that streams the same parts of
 * the same file, in turns in the same minute.
 */
const SEGMENTS = 60;
const SEGMENT_BYTES = 1_000_000;
const CONNECTIONS = 8;
const SECONDS = 3;
const ROUNDS = 5;

const dataDir = mkdtempSync(join(tmpdir(), 'lixue-bench-media-'));
const db = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, Date.now());
const files = localFiles(join(dataDir, 'files'));
const segments: Segment[] = Array.from({ length: SEGMENTS }, () => [3000, SEGMENT_BYTES]);
async function* film() {
  for (let at = 0; at < SEGMENTS; at += 1) yield randomBytes(SEGMENT_BYTES);
}
const { name: file, size } = await files.putStream(film(), 'aes');
const mediaId = await db.transaction(async (trx) => {
  const { id } = await addMedia(trx, { source: file, bytes: size, title: 'film', broughtBy: null }, Date.now());
  const rendition = {
    name: '720-00000000',
    file,
    key: '0'.repeat(32),
    width: 1280,
    height: 720,
    frameRate: 30,
    codecs: '',
  };
  const made = { ...rendition, bandwidth: 1, averageBandwidth: 1, duration: 180_000, segments };
  const pictures = { poster: null, thumbnails: null, grid: null };
  await saveMade(trx, id, { kind: 'video', duration: 180_000, ...pictures, renditions: [made] }, Date.now());
  return id;
});
const { id: userId } = await db.query
  .insertInto('users')
  .values({ phone: '15000000000', password_hash: null, nickname: '老师', role: 'teacher', created_at: Date.now() })
  .returning('id')
  .executeTakeFirstOrThrow();
const { token } = await createSession(db.query, randomBytes, userId, Date.now());
await db.close();

const ours = await startServer({ dataDir });
const path = (await files.find(file))?.path ?? '';
const control = spawn(process.execPath, [join(import.meta.dirname, 'file-server.ts'), path], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [said] = (await once(control.stdout, 'data')) as [Buffer];
const answer = await fetch(`http://127.0.0.1:${ours.port}/app/video/auth?fileId=${mediaId}`, {
  headers: { authorization: `Bearer ${token}` },
});
const { data } = (await answer.json()) as { data: { token: string; path: string } };
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function fetched(port: number, address: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: address, headers, agent }, (reply) => {
      let bytes = 0;
      reply.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      reply.on('end', () => (reply.statusCode === 200 ? resolve(bytes) : reject(new Error(`${reply.statusCode}`))));
    }).on('error', reject);
  });
}

/** Bytes a second over so many connections. */
async function rate(port: number, addressOf: (at: number) => string, headers: Record<string, string>): Promise<number> {
  const began = performance.now();
  let bytes = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() - began < SECONDS * 1000) {
        next += 1;
        bytes += await fetched(port, addressOf(next % SEGMENTS), headers);
      }
    }),
  );
  return (bytes * 1000) / (performance.now() - began);
}

const ratios: number[] = [];
const rates: number[] = [];
// The first round warms both up and does not count.
for (let round = -1; round < ROUNDS; round += 1) {
  const plain = await rate(
    Number(said.toString()),
    (at) => `/${at * SEGMENT_BYTES}-${(at + 1) * SEGMENT_BYTES - 1}`,
    {},
  );
  const whole = await rate(ours.port, (at) => `${data.path}720-00000000/${at}.ts`, {
    authorization: `Bearer ${data.token}`,
  });
  if (round < 0) continue;
  ratios.push(whole / plain);
  rates.push(whole);
}
agent.destroy();
await ours.stop();
control.kill();
rmSync(dataDir, { recursive: true, force: true });
report({
  name: 'media_segments',
  value: median(ratios),
  unit: '× a plain file server',
  detail: `${(median(rates) / 1e6).toFixed(0)} MB a second, ${CONNECTIONS} connections`,
});
