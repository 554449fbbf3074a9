import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { partFiles } from './part-files.ts';
import type { Frame } from './publisher.ts';
import { type PartDisk, Recorder } from './recorder.ts';
import { AAC_HEADER, AVC_HEADER, picture, sound } from './rtmp-client.test-kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-recorder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const codecs = { video: AVC_HEADER, audio: AAC_HEADER };
const frame = (time: number, key = false): Frame => ({ track: 'video', time, key, data: picture(key) });

/** A disk in memory, whose writing may fail. */
function memory() {
  const parts: { name: string; bytes: Buffer; closed: boolean }[] = [];
  const disk: PartDisk & { parts: typeof parts; fails: string | null; space: number } = {
    ...{ parts, fails: null, space: 1e12 },
    free: async () => disk.space,
    open: async () => {
      if (disk.fails === 'open') throw new Error('ENOSPC');
      const part = { name: `000${parts.length + 1}-1795000000000.flv`, bytes: Buffer.alloc(0), closed: false };
      parts.push(part);
      const fail = (what: string) => {
        if (disk.fails === what) throw new Error('EIO');
      };
      return {
        name: part.name,
        write: async (pieces) => {
          fail('write');
          part.bytes = Buffer.concat([part.bytes, ...pieces]);
        },
        sync: async () => fail('sync'),
        close: async () => {
          part.closed = true;
          fail('close');
        },
      };
    },
  };
  return disk;
}

function recorderOn(disk: PartDisk, keepFree = 0) {
  const events: string[] = [];
  const clock = { now: 0 };
  const recorder = new Recorder({
    ...{ disk, keepFree, now: () => clock.now },
    warn: (what) => events.push(what),
    part: (name, whole) => events.push(`${name.slice(0, 4)} ${whole ? 'whole' : 'begun'}`),
  });
  return { recorder, events, clock };
}

/** Times of the frames in an FLV, without its parameters. */
function times(bytes: Buffer): number[] {
  const found: number[] = [];
  for (let at = 13; at + 11 < bytes.length; at += 15 + bytes.readUIntBE(at + 1, 3))
    found.push(bytes.readUIntBE(at + 4, 3) + (bytes[at + 7] ?? 0) * 2 ** 24);
  return found.slice(2);
}

describe('a recording', () => {
  it('is parts that begin at 0 with a key frame: one for each encoder, and for each jump', async () => {
    const disk = memory();
    const { recorder, events } = recorderOn(disk);
    recorder.begin(codecs);
    for (const each of [frame(500), frame(540, true), frame(580), frame(620)]) recorder.take(each);
    recorder.jump();
    for (const each of [frame(660), frame(700, true), frame(740)]) recorder.take(each);
    recorder.finish();
    recorder.begin(codecs);
    recorder.take(frame(10_000, true));
    recorder.finish();
    await recorder.settled();
    expect(disk.parts.map(({ bytes, closed }) => [times(bytes), closed])).toEqual([
      [[0, 40, 80], true],
      [[0, 40], true],
      [[0], true],
    ]);
    const inTurn = ['0001', '0002', '0003'].flatMap((name) => [`${name} begun`, `${name} whole`]);
    expect(events).toEqual(inTurn);
  });

  it.each(['open', 'write', 'sync'])(
    'whose disk fails at %s tells it once, and begins another part later',
    async (fails) => {
      const disk = memory();
      const { recorder, events, clock } = recorderOn(disk);
      recorder.begin(codecs);
      if (fails !== 'open') {
        recorder.take(frame(0, true));
        await recorder.settled();
      }
      disk.fails = fails;
      clock.now = 6000;
      for (const time of [40, 80, 120]) {
        recorder.take(frame(time, time === 40));
        await recorder.settled();
      }
      disk.fails = null;
      recorder.take(frame(160, true));
      await recorder.settled();
      clock.now = 17_000;
      for (const each of [frame(200), frame(240, true), frame(280)]) recorder.take(each);
      recorder.finish();
      await recorder.settled();
      expect(events.filter((each) => each === 'recordingFailed')).toHaveLength(1);
      expect(disk.parts.every(({ closed }) => closed)).toBe(true);
      expect(times(disk.parts.at(-1)?.bytes ?? Buffer.alloc(0))).toEqual([0, 40]);
      if (fails === 'write') expect(times(disk.parts[0]?.bytes ?? Buffer.alloc(0))).toEqual([0]);
    },
  );

  it('says that it goes on once a part was brought to the disk, and tells of the next trouble anew', async () => {
    const disk = memory();
    const { recorder, events, clock } = recorderOn(disk, 1000);
    recorder.begin(codecs);
    for (const [now, space] of [[0, 2000], [6000, 999], [20_000, 2000], [26_000, 2000], [32_000, 2000], [38_000, 999], [52_000, 2000], [58_000, 2000]] as const) {
      Object.assign(clock, { now });
      disk.space = space;
      recorder.take(frame(now, true));
      await recorder.settled();
    } // biome-ignore format: rows
    const told = events.filter((each) => each.startsWith('recording'));
    expect(told).toEqual(['recordingStopped', 'recordingGap', 'recordingStopped', 'recordingGap']);
    recorder.finish();
    await recorder.settled();
  });

  it('leaves the space that exams need', async () => {
    const disk = memory();
    const { recorder, events, clock } = recorderOn(disk, 1000);
    recorder.begin(codecs);
    recorder.take(frame(0, true));
    await recorder.settled();
    disk.space = 999;
    clock.now = 5000;
    recorder.take(frame(40, true));
    await recorder.settled();
    expect(events).toEqual(['0001 begun', 'recordingStopped', '0001 whole']);
    disk.space = 1001;
    clock.now = 15_000;
    recorder.take(frame(80, true));
    await recorder.settled();
    expect(events.at(-1)).toBe('0002 begun');
  });

  it('leaves out frames up to the next key frame when the disk is slow, and holds little', async () => {
    const disk = memory();
    const { open } = disk;
    const slow = Promise.withResolvers<void>();
    disk.open = async () => {
      await slow.promise;
      return open();
    };
    const { recorder, events } = recorderOn(disk);
    recorder.begin(codecs);
    const large = (time: number, key = false): Frame => ({ track: 'video', time, key, data: picture(key, 1_000_000) });
    for (let at = 0; at < 20; at += 1) recorder.take(large(at * 40, at % 5 === 0));
    expect(events).toEqual(['recordingSlow']);
    slow.resolve();
    await recorder.settled();
    recorder.take(large(800));
    recorder.take(large(840, true));
    recorder.finish();
    await recorder.settled();
    const kept = times(disk.parts[0]?.bytes ?? Buffer.alloc(0));
    expect(kept.at(-1)).toBe(840);
    expect(kept).not.toContain(800);
    expect(kept.length).toBeLessThan(12);
  });

  it('of sound alone begins with any frame', async () => {
    const disk = memory();
    const { recorder } = recorderOn(disk);
    recorder.begin({ video: null, audio: AAC_HEADER });
    recorder.take({ track: 'audio', time: 70, key: false, data: sound() });
    recorder.finish();
    await recorder.settled();
    expect(disk.parts[0]?.bytes[4]).toBe(4);
  });

  it('goes into files that are numbered on, over none that is there', async () => {
    const there = join(folder, 'lesson-1');
    for (const _ of [1, 2]) {
      const { recorder } = recorderOn(partFiles(there));
      recorder.begin(codecs);
      recorder.take(frame(0, true));
      recorder.finish();
      await recorder.settled();
    }
    expect(readdirSync(there).map((name) => name.slice(0, 5))).toEqual(['0001-', '0002-']);
    expect(await partFiles(there).free()).toBeGreaterThan(0);
  });

  it('on a true disk that is full keeps what was written, and tells', async () => {
    // A file size limit gives a true error of writing (EFBIG) at a true file.
    const script = `
      import { Recorder } from ${JSON.stringify(join(import.meta.dirname, 'recorder.ts'))};
      import { partFiles } from ${JSON.stringify(join(import.meta.dirname, 'part-files.ts'))};
      const events = [];
      const recorder = new Recorder({ disk: partFiles(${JSON.stringify(join(folder, 'full'))}), keepFree: 0,
        now: () => performance.now(), warn: (what) => events.push(what), part: (_, whole) => events.push(whole) });
      recorder.begin({ video: Buffer.from('${AVC_HEADER.toString('hex')}', 'hex'), audio: null });
      for (let at = 0; at < 400; at += 1) {
        const data = Buffer.concat([Buffer.from([at % 10 === 0 ? 0x17 : 0x27, 1, 0, 0, 0]), Buffer.alloc(5000, 1)]);
        recorder.take({ track: 'video', time: at * 40, key: at % 10 === 0, data });
        await recorder.settled();
      }
      console.log(JSON.stringify(events));`;
    const { stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -f 1024; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script],
      { encoding: 'utf8' },
    );
    expect([JSON.parse(stdout || 'null'), stderr]).toEqual([[false, 'recordingFailed', true], '']);
  });
});
