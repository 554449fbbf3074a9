import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goOn, NEW_TIMELINE, type Track } from '#rules/live/timeline.ts';
import { Publisher, type Said } from './publisher.ts';
import { AAC_HEADER, AVC_HEADER, picture, sound } from './rtmp-client.test-kit.ts';

type Step = readonly [Track, number, Buffer, number?];

/** What is said of these messages, in short; by our clock 40 ms pass with each, or what is written. */
function said(steps: readonly Step[], publisher = new Publisher(NEW_TIMELINE)): string[] {
  let now = 1000;
  const short = (each: Said): string => {
    if (each.says === 'codecs') return `codecs ${each.codecs.video ? 'v' : ''}${each.codecs.audio ? 'a' : ''}`;
    if (each.says === 'frame') return `${each.frame.track[0]}${each.frame.key ? 'k' : ''}${each.frame.time}`;
    if (each.says === 'warning') return `warning ${each.what}`;
    return each.says === 'refused' ? `refused ${each.why}` : each.says;
  };
  return steps.flatMap(([track, time, data, passed = 40]) => {
    now += passed;
    return publisher.take(track, time, data, now).map(short);
  });
}
const [V, A]: [Track, Track] = ['video', 'audio'];
const key = picture(true);
const next = picture(false);
const late = Buffer.from(next).fill(1, 4, 5);

describe('what an encoder sends', () => {
  it.each<[string, Step[], string[]]>([
    ['both tracks begin together', [[V, 0, AVC_HEADER], [A, 0, AAC_HEADER], [V, 0, key], [A, 5, sound()]], ['codecs va', 'vk0', 'a5']],
    ['frames before their parameters are left out', [[V, 0, key], [A, 0, sound()], [V, 40, AVC_HEADER], [A, 40, AAC_HEADER], [V, 40, key]], ['codecs va', 'vk0']],
    ['video alone begins after a moment', [[V, 0, AVC_HEADER], [V, 0, key], [V, 400, next, 400], [V, 600, next, 200], [V, 640, next]], ['codecs v', 'vk0', 'v400', 'v600', 'v640']],
    ['sound alone too', [[A, 0, AAC_HEADER], [A, 0, sound()], [A, 600, sound(), 600]], ['codecs a', 'a0', 'a600']],
    ['a microphone that is switched on later', [[V, 0, AVC_HEADER], [V, 0, key], [V, 600, next, 600], [A, 620, AAC_HEADER], [A, 620, sound()]], ['codecs v', 'vk0', 'v600', 'codecs va', 'a620']],
    ['the same parameters again are nothing', [[V, 0, AVC_HEADER], [A, 0, AAC_HEADER], [V, 0, key], [V, 0, AVC_HEADER], [V, 40, next]], ['codecs va', 'vk0', 'v40']],
    ['another size', [[V, 0, AVC_HEADER], [A, 0, AAC_HEADER], [V, 0, key], [V, 0, Buffer.from(AVC_HEADER).fill(0x28, 8, 9)], [V, 40, key]], ['codecs va', 'vk0', 'codecs va', 'vk40']],
    ['empty messages', [[V, 0, Buffer.alloc(0)], [A, 0, Buffer.alloc(0)]], []],
    ['HEVC', [[V, 0, Buffer.from('1c00', 'hex')]], ['refused videoCodec']],
    ['HEVC, enhanced', [[A, 0, AAC_HEADER], [V, 0, Buffer.from('906876633100', 'hex')]], ['refused videoCodec']],
    ['MP3', [[A, 0, Buffer.from('2fff', 'hex')]], ['refused audioCodec']],
    ['B-frames, said once', [[V, 0, AVC_HEADER], [A, 0, AAC_HEADER], [V, 0, key], [V, 40, late], [V, 80, late]], ['codecs va', 'vk0', 'warning bFrames', 'v40', 'v80']],
    ['key frames that are far apart', [[V, 0, AVC_HEADER], [A, 0, AAC_HEADER], [V, 0, key], [V, 10_000, next, 10_000], [V, 10_040, next], [V, 10_080, next]], ['codecs va', 'vk0', 'v10000', 'warning keyFrames', 'v10040', 'v10080']],
    ['a clock that jumps', [[V, 0, AVC_HEADER], [A, 0, AAC_HEADER], [V, 0, key], [V, 3_600_000, next], [A, 3_600_000, sound()]], ['codecs va', 'vk0', 'jump', 'warning clock', 'v40', 'a40']],
  ])('%s', (_, steps, expected) => expect(said(steps)).toEqual(expected)); // biome-ignore format: rows

  it('begins by the clock when nothing more comes', () => {
    const publisher = new Publisher(NEW_TIMELINE);
    expect(said([[V, 0, AVC_HEADER], [V, 0, key]], publisher)).toEqual([]); // biome-ignore format: a row
    expect(publisher.waited(1300)).toEqual([]);
    expect(publisher.waited(1600).map(({ says }) => says)).toEqual(['codecs', 'frame']);
    expect(publisher.waited(9000)).toEqual([]);
  });

  it('goes on after the one before', () => {
    const first = new Publisher(NEW_TIMELINE);
    said([[V, 0, AVC_HEADER], [A, 0, AAC_HEADER], [V, 0, key], [V, 40, next]], first); // biome-ignore format: a row
    const second = new Publisher(goOn(first.line));
    expect(said([[V, 9, AVC_HEADER], [A, 9, AAC_HEADER], [V, 9, key]], second)).toEqual(['codecs va', 'vk60']); // biome-ignore format: a row
  });

  it('may be anything: codecs come before frames, and nothing is held for ever', () => {
    const data = fc.oneof(
      fc.constantFrom(AVC_HEADER, AAC_HEADER, key, next, sound()),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    );
    const step = fc.tuple(fc.constantFrom(V, A), fc.nat(2 ** 32 - 1), data, fc.nat(300));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const all = said(steps);
        const begins = all.findIndex((each) => each.startsWith('codecs'));
        const frame = all.findIndex((each) => /^[va]k?\d/.test(each));
        if (frame !== -1) expect(begins).toBeLessThan(frame);
        if (frame !== -1) expect(begins).not.toBe(-1);
      }),
    );
  });
});
