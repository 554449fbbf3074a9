import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { flvBeginning, flvTag, TAG } from './ingest/flv.ts';
import { tags } from './ingest/ingest.test-kit.ts';
import { AAC_HEADER, AVC_HEADER, picture, sound } from './ingest/rtmp-client.test-kit.ts';
import { joinParts, lengthOfPart, type PartToJoin } from './join-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-join-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A part of so many seconds: a key frame each second, four other pictures and sounds in between. */
function part(name: string, seconds: number, { video = true, cut = 0 } = {}): string {
  const path = join(folder, name);
  const frames = Array.from({ length: seconds * 5 }, (_, at) => [
    ...(video ? [flvTag(TAG.video, at * 200, picture(at % 5 === 0))] : []),
    flvTag(TAG.audio, at * 200 + 10, sound()),
  ]).flat();
  const bytes = Buffer.concat([flvBeginning({ video: video ? AVC_HEADER : null, audio: AAC_HEADER }), ...frames]);
  writeFileSync(path, bytes.subarray(0, bytes.length - cut));
  return path;
}

async function joined(parts: PartToJoin[]) {
  const told: { length: number; left: number }[] = [];
  const pieces: Buffer[] = [];
  for await (const bytes of joinParts(parts, (each) => void told.push(each))) pieces.push(bytes);
  const all = tags(Buffer.concat(pieces));
  const isKey = ({ kind, data }: (typeof all)[number]) => kind === TAG.video && data[0] === 0x17 && data[1] === 1;
  return { told, all, keys: all.filter(isKey).map(({ time }) => time) };
}

describe('parts of a recording, joined', () => {
  it('are one film as long as all of them, the end of one that was cut left out', async () => {
    const { told, keys } = await joined([{ path: part('a', 3) }, { path: part('b', 2, { cut: 5 }) }]);
    expect(told.map(({ length, left }) => [length, left])).toEqual([[2850, 0], [1840, 0]]); // biome-ignore format: a line
    expect(keys).toEqual([0, 1000, 2000, 2850, 3850]);
  });

  it.each([
    [1, 0],
    [999, 0],
    [1000, 1000],
    [1700, 1000],
    [2999, 2000],
    [60_000, 2000],
  ])('leave out %d ms of a trial up to the last key frame before, with the parameters kept', async (trial, left) => {
    const { told, all, keys } = await joined([{ path: part('c', 3), trial }, { path: part('d', 1) }]);
    expect(told[0]).toEqual({ length: 2850 - left, left });
    expect(keys).toEqual([...[0, 1000, 2000].filter((at) => at <= 2000 - left), 2850 - left]);
    expect(all.slice(0, 3).map(({ kind, time, data }) => [kind, time, data[1]])).toEqual([
      [TAG.video, 0, 0],
      [TAG.audio, 0, 0],
      [TAG.video, 0, 1],
    ]);
    expect(all.map(({ time }) => time)).toEqual(all.map(({ time }) => time).toSorted((one, other) => one - other));
  });

  it('leave out a trial of sound alone, and begin where one had nothing before', async () => {
    const { told } = await joined([{ path: part('e', 2, { video: false }), trial: 1000 }]);
    expect(told).toEqual([{ length: 1040, left: 810 }]);
    expect((await joined([{ path: part('f', 0), trial: 500 }])).told).toEqual([{ length: 40, left: 0 }]);
  });

  it('say how long they are, also one that was cut', async () => {
    expect(await lengthOfPart(part('g', 3))).toBe(2850);
    expect(await lengthOfPart(part('h', 3, { cut: 5 }))).toBe(2840);
    writeFileSync(join(folder, 'i'), '');
    expect(await lengthOfPart(join(folder, 'i'))).toBe(0);
  });
});
