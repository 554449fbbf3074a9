import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isEnough, livePartOf, newList, playlistOf, readMade, slide } from './sliding-list.ts';

const NOW = 1_700_000_000_000;
const made = (seconds = 2, anew = false, bytes = 1000) => ({ seconds, anew, bytes });
const filled = (count: number) => Array.from({ length: count }, () => made()).reduce(slide, newList(NOW));
const lines = (text: string) => text.trimEnd().split('\n');

it('lists six, keeps twelve, and begins at three', () => {
  expect([0, 2, 3].map((count) => isEnough(filled(count)))).toEqual([false, false, true]);
  expect(lines(playlistOf(filled(20)))).toEqual([
    ...['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-INDEPENDENT-SEGMENTS', '#EXT-X-TARGETDURATION:2'],
    ...['#EXT-X-MEDIA-SEQUENCE:1700000014', '#EXT-X-DISCONTINUITY-SEQUENCE:1700000000'],
    ...[14, 15, 16, 17, 18, 19].flatMap((at) => ['#EXTINF:2.000,', `17000000${at}.ts`]),
  ]);
  expect(filled(20).segments.map(({ number }) => number - 1_700_000_000)).toEqual([
    8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
  ]);
});

it('keeps less of what is large, and never less than three', () => {
  const large = Array.from({ length: 12 }, () => made(2, false, 10_000_000)).reduce(slide, newList(NOW));
  expect(large.segments).toHaveLength(5);
  const huge = Array.from({ length: 12 }, () => made(2, false, 60_000_000)).reduce(slide, newList(NOW));
  expect(huge.segments).toHaveLength(3);
});

it('says how long segments are at most, and never less afterwards', () => {
  const list = [made(2), made(8.4), ...Array.from({ length: 9 }, () => made(1))].reduce(slide, newList(NOW));
  expect(playlistOf(list)).toContain('#EXT-X-TARGETDURATION:8\n');
});

it('numbers and breaks only grow, whatever comes: a segment that stays listed keeps its number of breaks', () => {
  const pieces = fc.array(fc.record({ seconds: fc.double({ min: 0.1, max: 30, noNaN: true }), anew: fc.boolean(), bytes: fc.integer({ min: 1, max: 30_000_000 }) }), { maxLength: 60 }); // biome-ignore format: a line
  fc.assert(
    fc.property(pieces, (all) => {
      let list = newList(NOW);
      const breakOf = new Map<number, number>();
      for (const piece of all) {
        list = slide(list, piece);
        const text = lines(playlistOf(list));
        let breaks = Number(text.find((line) => line.startsWith('#EXT-X-DISCONTINUITY-SEQUENCE'))?.split(':')[1]);
        for (const line of text) {
          if (line === '#EXT-X-DISCONTINUITY') breaks += 1;
          const number = /^(\d+)\.ts$/.exec(line)?.[1];
          if (number === undefined) continue;
          expect(breakOf.get(Number(number)) ?? breaks).toBe(breaks);
          breakOf.set(Number(number), breaks);
        }
      }
    }),
  );
});

it.each([
  ['live.m3u8', { what: 'playlist' }],
  ['17.ts', { what: 'segment', number: 17 }],
  ['../live.m3u8', null],
  ['17.ts/..', null],
  ['-1.ts', null],
  ['1e3.ts', null],
  ['9999999999999.ts', null],
  ['', null],
])('reads %j', (part, said) => expect(livePartOf(part)).toEqual(said));

it('finds each segment once in the lists that FFmpeg writes one after the other', () => {
  const text =
    '#EXTM3U\n#EXTINF:2.000000,\n0.ts\n#EXTM3U\n#EXTINF:2.000000,\n0.ts\n#EXTINF:1.960000,\n1.ts\n#EXTM3U\n1.ts\n../2.ts\n#EXTINF:x\n2.ts\n';
  let state: Parameters<typeof readMade>[1] = { last: -1, seconds: null };
  const found = text.split('\n').flatMap((line) => {
    const read = readMade(line, state);
    ({ state } = read);
    return read.made ? [read.made] : [];
  });
  expect(found).toEqual([
    { number: 0, seconds: 2 },
    { number: 1, seconds: 1.96 },
  ]);
});
