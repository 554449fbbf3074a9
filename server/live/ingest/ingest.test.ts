import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFfmpeg } from '#server/media/ffmpeg.ts';
import {
  collect,
  decoded,
  encoder,
  type IngestKit,
  ingestKit,
  KEY,
  pidOf,
  STREAM,
  soon,
  tags,
} from './ingest.test-kit.ts';

let ffmpeg = '';
beforeAll(async () => {
  const found = await findFfmpeg(null);
  if (!found) throw new Error('no FFmpeg on this machine: apt install ffmpeg, or npm install without --omit=optional');
  ffmpeg = found.path;
});

const open: IngestKit[] = [];
async function kit(...options: Parameters<typeof ingestKit>) {
  const made = await ingestKit(...options);
  open.push(made);
  return made;
}
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
});

describe('a real encoder', () => {
  it('is seen by who waited and by who joins, and recorded, until it stops', async () => {
    const { ingest, port, told, parts, events } = await kit();
    const early = collect(ingest);
    const obs = encoder(ffmpeg, port);
    await soon(() => early.pieces.length).toBeGreaterThan(80);
    const joins = collect(ingest);
    // Parameters and a whole group of pictures, without waiting for anything.
    const [first, second, third, fourth] = tags(joins.bytes());
    expect([first?.data[1], second?.data[1], third?.kind, fourth === undefined]).toEqual([0, 0, 9, false]);
    expect((third?.data[0] ?? 0) >> 4).toBe(1);
    expect(joins.bytes()[4]).toBe(5);
    const stopped = performance.now();
    await obs.stop();
    await told({ says: 'over', stream: STREAM, why: 'stopped' });
    expect(performance.now() - stopped).toBeLessThan(3000);
    await told({ says: 'part', whole: true });
    const seen = tags(early.bytes());
    const times = seen.filter(({ kind }) => kind === 9).map(({ time }) => time);
    expect([times[0], times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0))]).toEqual([0, true]);
    const { pictures, length, faults } = await decoded(ffmpeg, parts()[0] ?? '');
    expect([parts().length, faults]).toEqual([1, '']);
    expect(pictures).toBe(seen.filter(({ kind, data }) => kind === 9 && data[1] === 1).length);
    expect(Math.abs(length - (times.at(-1) ?? 0))).toBeLessThan(500);
    expect(events.filter(({ says }) => says === 'warning' || says === 'refused')).toEqual([]);
  });

  it.each([
    ['without sound', { audio: false }, 1],
    ['without a picture', { video: false }, 4],
  ])('%s is seen too, and said to be so', async (_, what, flags) => {
    const { ingest, port, told } = await kit();
    const viewer = collect(ingest);
    const obs = encoder(ffmpeg, port, what);
    await soon(() => viewer.pieces.length).toBeGreaterThan(20);
    expect(viewer.bytes()[4]).toBe(flags);
    await obs.stop();
    await told({ says: 'part', whole: true });
  });

  it('whose pictures come out of order is warned of', async () => {
    const { port, told, events } = await kit();
    const obs = encoder(ffmpeg, port, { more: ['-tune', 'film', '-bf', '2', '-preset', 'veryfast'] });
    await told({ says: 'warning', stream: STREAM, what: 'bFrames' });
    expect(events.some(({ says }) => says === 'over')).toBe(false);
    await obs.stop();
  });

  it('that dropped is taken again under its name: viewers stay, the recording has another part', async () => {
    const { ingest, port, told, parts } = await kit();
    const viewer = collect(ingest);
    const first = encoder(ffmpeg, port);
    await soon(() => viewer.pieces.length).toBeGreaterThan(60);
    await first.kill();
    await told({ says: 'over', why: 'closed' });
    const before = viewer.pieces.length;
    const second = encoder(ffmpeg, port);
    await soon(() => viewer.pieces.length).toBeGreaterThan(before + 60);
    await second.stop();
    await told({ says: 'part', whole: true }, 2);
    expect(viewer.ends).toEqual([]);
    const times = tags(viewer.bytes()).map(({ time }) => time).slice(2); // biome-ignore format: a line
    const steps = times.map((time, at) => time - (times[at - 1] ?? time));
    expect(Math.max(...steps)).toBeLessThan(1100);
    const all = await Promise.all(parts().map((part) => decoded(ffmpeg, part)));
    expect(all.map(({ faults }) => faults)).toEqual(['', '']);
    expect(all.every(({ pictures }) => pictures > 10)).toBe(true);
  });

  it('that falls silent with its connection open gives way to the next one within 2 s', async () => {
    const { ingest, port, told } = await kit();
    const asleep = encoder(ffmpeg, port);
    const viewer = collect(ingest);
    await soon(() => viewer.pieces.length).toBeGreaterThan(20);
    asleep.freeze();
    const frozen = performance.now();
    const next = encoder(ffmpeg, port);
    await told({ says: 'over', why: 'takenOver' });
    await told({ says: 'begun' }, 2);
    // The start of FFmpeg itself is in it, on a machine that is busy.
    expect(performance.now() - frozen).toBeLessThan(5000);
    await Promise.all([asleep.kill(), next.stop()]);
  });
});

describe('the process of the ingest', () => {
  it('that is killed is started again, and the encoder comes back; what was recorded plays', async () => {
    const { ingest, pid, told, parts, log, folder } = await kit({ port: await freePort() });
    const { port } = ingest.state();
    const first = encoder(ffmpeg, port);
    const viewer = collect(ingest);
    await soon(() => viewer.pieces.length).toBeGreaterThan(80);
    const before = pid();
    const handed = tags(viewer.bytes()).filter(({ kind, data }) => kind === 9 && data[1] === 1).length;
    process.kill(before, 'SIGKILL');
    const killed = performance.now();
    await first.gone();
    expect(viewer.ends).toEqual(['changed']);
    await soon(() => ingest.state().trouble).toBeNull();
    expect(performance.now() - killed).toBeLessThan(8000);
    expect([pid() > 0, pid() !== before]).toEqual([true, true]);
    const again = collect(ingest);
    const second = encoder(ffmpeg, port);
    await soon(() => again.pieces.length).toBeGreaterThan(20);
    await second.stop();
    await told({ says: 'part', whole: true });
    const [cut = '', next = ''] = parts();
    const kept = await decoded(ffmpeg, cut);
    // What viewers had seen is there, but for what was on its way to the file in that moment.
    expect(kept.pictures).toBeGreaterThanOrEqual(handed - 3);
    expect(kept.faults).toBe('');
    expect((await decoded(ffmpeg, next)).pictures).toBeGreaterThan(0);
    expect(log.join()).toMatch(/SIGKILL/);
    expect(log.join()).not.toContain(KEY);
    expect(readdirSync(folder)).toEqual([STREAM]);
  });

  it('ends with the server that is killed, and what was recorded plays', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lixue-ingest-'));
    const server = spawn(process.execPath, [join(import.meta.dirname, 'ingest-process.test-kit.ts'), folder, KEY], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(server.stdout, 'data');
    const { rtmp } = JSON.parse(String(said)) as { rtmp: number };
    const obs = encoder(ffmpeg, rtmp);
    const part = () => readdirSync(join(folder, STREAM)).map((name) => join(folder, STREAM, name))[0] ?? '';
    const size = () => {
      try {
        return readFileSync(part()).length;
      } catch {
        return 0;
      }
    };
    await soon(size).toBeGreaterThan(100_000);
    expect(pidOf(folder)).toBeGreaterThan(0);
    const before = size();
    server.kill('SIGKILL');
    await once(server, 'exit');
    await soon(() => pidOf(folder)).toBe(0);
    await obs.gone();
    expect(size()).toBeGreaterThanOrEqual(before);
    const { pictures, faults } = await decoded(ffmpeg, part());
    expect([pictures > 10, faults]).toEqual([true, '']);
    rmSync(folder, { recursive: true, force: true });
  });

  it('whose port is taken is no trouble for the server: it says why, and comes when the port is free', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { ingest, log } = await kit({ port });
    await soon(() => ingest.state()).toEqual({ port, trouble: 'portTaken' });
    other.close();
    await soon(() => ingest.state().trouble).toBeNull();
    expect(log.filter((line) => line.includes('EADDRINUSE')).length).toBeGreaterThan(0);
  });

  it('that hangs is ended and started again', async () => {
    const { ingest, pid, log } = await kit();
    const hangs = pid();
    process.kill(hangs, 'SIGSTOP');
    await soon(() => log.some((line) => line.includes('it hangs'))).toBe(true);
    await soon(() => [ingest.state().trouble, pid() !== hangs]).toEqual([null, true]);
  });

  it('ends when it is asked to, with its parts whole', async () => {
    const { ingest, port, told, parts, folder, events } = await kit();
    const obs = encoder(ffmpeg, port);
    await told({ says: 'part', whole: false });
    await ingest.close();
    await obs.gone();
    expect([pidOf(folder), ingest.state().trouble]).toEqual([0, 'closed']);
    expect((await decoded(ffmpeg, parts()[0] ?? '')).faults).toBe('');
    expect(events.at(-1)).toMatchObject({ says: 'part', whole: true });
  });

  it('listens on no other port', async () => {
    const { port, pid } = await kit();
    // The sockets that it has, among those that listen (state 0A).
    const inodes = new Set(
      readdirSync(`/proc/${pid()}/fd`).flatMap((fd) => {
        const link = (() => {
          try {
            return readlinkSync(`/proc/${pid()}/fd/${fd}`);
          } catch {
            return '';
          }
        })();
        return /socket:\[(\d+)\]/.exec(link)?.[1] ?? [];
      }),
    );
    const rows = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((file) =>
      readFileSync(`/proc/${pid()}/net/${file}`, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => ({ file, columns: line.trim().split(/\s+/) }))
        .filter(({ columns }) => inodes.has(columns[9] ?? '') && (file.startsWith('udp') || columns[3] === '0A')),
    );
    expect(rows.map(({ file, columns }) => [file, Number.parseInt(columns[1]?.split(':')[1] ?? '', 16)])).toEqual([['tcp', port]]); // biome-ignore format: a line
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
