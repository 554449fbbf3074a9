import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audioKind, videoKind, warningsAfter } from './codec.ts';
import { FORGOTTEN_AFTER, GONE_AFTER, mayPublish, SILENT_AFTER, streamState, WAITS_FOR } from './publishing.ts';
import { endingsAfter, waitToRestart } from './restart.ts';
import { isStreamName, keyIn, withoutKeys } from './stream-key.ts';
import { goOn, NEW_TIMELINE, nextTime, type Track } from './timeline.ts';

const HOUR = 60 * 60_000;
const NOW = 1_795_000_000_000;

describe('an encoder with the right key', () => {
  it.each([
    ['nobody publishes', null, NOW, { ok: true, takesOver: false }],
    ['the other one has fallen silent', NOW - SILENT_AFTER, NOW, { ok: true, takesOver: true }],
    ['the other one sent just now', NOW, NOW, { ok: false, why: 'wait', wait: SILENT_AFTER }],
    ['the other one was heard a second ago', NOW - 1000, NOW, { ok: false, why: 'wait', wait: SILENT_AFTER - 1000 }],
    ['it has waited', NOW - 20, NOW - WAITS_FOR, { ok: false, why: 'busy' }],
    ['it has nearly waited', NOW - 20, NOW - WAITS_FOR + 1, { ok: false, why: 'wait', wait: 1 }],
    ['our clock was set back', NOW + 5000, NOW, { ok: false, why: 'wait', wait: SILENT_AFTER }],
  ])('%s', (_, heardAt, askedAt, decided) =>
    expect(mayPublish(heardAt === null ? null : { heardAt }, askedAt, NOW)).toEqual(decided),
  );

  it('takes over from a silent one within 2 s, and is refused by one that sends, whenever it comes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.boolean(), (silentFor, sends) => {
        let now = NOW;
        for (;;) {
          const decided = mayPublish({ heardAt: sends ? now : NOW - silentFor }, NOW, now);
          if (decided.ok || decided.why === 'busy') {
            expect(decided.ok).toBe(!sends);
            expect(now - NOW).toBeLessThanOrEqual(2000);
            return;
          }
          now += decided.wait;
        }
      }),
    );
  });
});

describe('a lesson', () => {
  it.each([
    ['nothing yet', { startedAt: null, endedAt: null, heardAt: null }, 'waiting'],
    ['its teacher started it', { startedAt: NOW - 1000, endedAt: null, heardAt: null }, 'waiting'],
    [
      'started hours ago, and nothing came',
      { startedAt: NOW - FORGOTTEN_AFTER, endedAt: null, heardAt: null },
      'ended',
    ],
    ['a stream', { startedAt: null, endedAt: null, heardAt: NOW - 40 }, 'live'],
    ['a drop', { startedAt: null, endedAt: null, heardAt: NOW - GONE_AFTER }, 'interrupted'],
    ['a drop of an hour', { startedAt: NOW - 2 * HOUR, endedAt: null, heardAt: NOW - HOUR }, 'interrupted'],
    ['a drop before it was started again', { startedAt: NOW, endedAt: null, heardAt: NOW - 4 * HOUR }, 'interrupted'],
    ['hours without a stream', { startedAt: NOW - 9 * HOUR, endedAt: null, heardAt: NOW - FORGOTTEN_AFTER }, 'ended'],
    ['ended, and an encoder still sends', { startedAt: NOW - HOUR, endedAt: NOW - 5000, heardAt: NOW }, 'ended'],
  ])('%s', (_, row, state) => expect(streamState(row, NOW)).toBe(state));
});

describe('warnings of a stream', () => {
  it.each([
    [[], 'clock', ['clock']],
    [['clock'], 'clock', ['clock']],
    [['clock', 'recordingFailed', 'recordingStopped'], 'recordingGap', ['clock', 'recordingGap']],
    [['recordingGap', 'bFrames'], 'recordingStopped', ['bFrames', 'recordingStopped']],
    [['recordingSlow'], 'recordingGap', ['recordingSlow', 'recordingGap']],
  ] as const)('%j and %s', (known, what, then) => expect(warningsAfter(known, what)).toEqual(then));
});

describe('codecs', () => {
  const avcHeader = '17 00 000000 01640028ff e1 0001 67 01 0001 68';
  it.each([
    ['H.264 parameters', avcHeader, { ok: true, is: 'header' }],
    ['a key frame', '17 01 000000 0000000165', { ok: true, is: 'picture', key: true, reordered: false }],
    ['a picture', '27 01 000000 0000000141', { ok: true, is: 'picture', key: false, reordered: false }],
    [
      'a picture before its time (B-frames)',
      '27 01 000028 0000000141',
      { ok: true, is: 'picture', key: false, reordered: true },
    ],
    ['the end of the sequence', '17 02 000000', { ok: true, is: 'end' }],
    ['nothing', '', { ok: false, why: 'nothing' }],
    ['one byte', '17', { ok: false, why: 'nothing' }],
    ['parameters cut off', '17 00 000000 0164', { ok: false, why: 'nothing' }],
    ['parameters without a set', '17 00 000000 01640028ff e0 0001 67 01', { ok: false, why: 'nothing' }],
    ['an unknown packet', '17 09 000000 0000000165', { ok: false, why: 'nothing' }],
    ['a command of an old player', '57 00', { ok: false, why: 'nothing' }],
    ['HEVC, number 12', '1c 00 000000 01', { ok: false, why: 'videoCodec' }],
    ['HEVC, enhanced', '90 68766331 01', { ok: false, why: 'videoCodec' }],
    ['AV1, enhanced', '90 61763031 81', { ok: false, why: 'videoCodec' }],
    ['Sorenson', '12 00', { ok: false, why: 'videoCodec' }],
  ])('video: %s', (_, hex, kind) => expect(videoKind(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual(kind));

  it.each([
    ['AAC parameters', 'af 00 1210', { ok: true, is: 'header' }],
    ['AAC', 'af 01 2100', { ok: true, is: 'sound' }],
    ['nothing', '', { ok: false, why: 'nothing' }],
    ['one byte', 'af', { ok: false, why: 'nothing' }],
    ['parameters cut off', 'af 00 12', { ok: false, why: 'nothing' }],
    ['MP3', '2f ff', { ok: false, why: 'audioCodec' }],
    ['Opus, enhanced', '90 4f707573', { ok: false, why: 'audioCodec' }],
  ])('sound: %s', (_, hex, kind) => expect(audioKind(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual(kind));

  it('of anything are said without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(typeof videoKind(bytes).ok).toBe('boolean');
        expect(typeof audioKind(bytes).ok).toBe('boolean');
      }),
    );
  });
});

/** Brings times of an encoder onto our clock; by it 40 ms pass with each, or what is said. */
function run(said: readonly (readonly [Track, number, number?])[], line = NEW_TIMELINE, from = 5000) {
  let now = from;
  const times: number[] = [];
  let jumps = 0;
  for (const [track, time, passed = 40] of said) {
    now += passed;
    const next = nextTime(line, track, time >>> 0, now);
    line = next.line;
    times.push(next.time);
    if (next.jumped) jumps += 1;
  }
  return { times, jumps, line, now };
}
const v = (time: number, passed?: number) => ['video', time, passed] as const;
const a = (time: number, passed?: number) => ['audio', time, passed] as const;

describe('the clock of a stream', () => {
  it.each([
    ['from 0', [v(0), v(40), v(80)], [0, 40, 80], 0],
    ['absolute', [v(1_700_000_000), v(1_700_000_040), v(1_700_000_080)], [0, 40, 80], 0],
    ['above 2^31', [v(2 ** 31 + 5), v(2 ** 31 + 45)], [0, 40], 0],
    ['over 2^31', [v(2 ** 31 - 20), v(2 ** 31 + 20)], [0, 40], 0],
    ['over 2^32', [v(2 ** 32 - 20), a(2 ** 32 - 10), v(20), a(30)], [0, 10, 40, 50], 0],
    ['sound that began a little earlier', [v(20), a(0), v(60), a(46)], [0, 0, 40, 26], 0],
    ['sound on a clock of its own', [v(0), a(9_000_000), v(40), a(9_000_040)], [0, 40, 40, 80], 0],
    ['an hour further', [v(0), v(40), v(HOUR + 80), v(HOUR + 120)], [0, 40, 80, 120], 1],
    ['an hour further, both', [v(0), a(0), v(HOUR + 40), a(HOUR + 40), v(HOUR + 80)], [0, 0, 40, 40, 80], 1],
    ['back to 0', [v(500_000), v(500_040), v(0), v(40)], [0, 40, 80, 120], 1],
    ['back to 0, both', [v(500_000), a(500_010), v(0), a(10), v(40)], [0, 10, 50, 60, 90], 1],
    ['a little back', [v(0), v(40), v(35), v(80)], [0, 40, 40, 80], 0],
    [
      'a backlog after a stall',
      [v(0), v(40), v(80, 9000), v(120, 0), v(5000, 0), v(9000, 0)],
      [0, 40, 80, 120, 5000, 9000],
      0,
    ],
    ['a pause that the encoder counts too', [v(0), v(40), v(20_040, 20_000)], [0, 40, 20_040], 0],
  ])('%s', (_, said, times, jumps) => expect(run(said)).toMatchObject({ times, jumps }));

  it('goes on where the last encoder ended, without a jump', () => {
    const first = run([v(0), a(5), v(1000, 1000)]);
    const second = run([v(77_000), a(77_005), v(77_040)], goOn(first.line), first.now + 40_000);
    expect(second).toMatchObject({ times: [1020, 1025, 1060], jumps: 0 });
  });

  it('never goes back on a track, whatever an encoder says, and runs with ours', () => {
    const step = fc.tuple(
      fc.constantFrom<Track>('video', 'audio'),
      fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 5000 })),
      fc.integer({ min: 0, max: 500 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (said) => {
        const { times, now } = run(said);
        const last = { video: 0, audio: 0 };
        for (const [at, [track]] of said.entries()) {
          const time = times[at] ?? -1;
          expect(time).toBeGreaterThanOrEqual(last[track]);
          last[track] = time;
        }
        // At most what passed by our clock, a stall made up for, and a step for each jump.
        for (const time of times) expect(time).toBeLessThanOrEqual(now - 5000 + 3000 * said.length + 2000);
      }),
    );
  });
});

describe('starting again', () => {
  it.each([
    [1, 250],
    [2, 500],
    [5, 4000],
    [8, 30_000],
    [5000, 30_000],
    [0, 250],
  ])('after %i endings in a row', (endings, wait) => expect(waitToRestart(endings)).toBe(wait));
  it('counts anew after it ran well', () => expect([endingsAfter(3, 59_999), endingsAfter(3, 60_000)]).toEqual([4, 1]));
});

describe('stream keys', () => {
  const key = 'Zk3_9-abcdefghij';
  it.each([
    [key, key],
    [`${key}?user=1`, key],
    ['', null],
    ['short', null],
    [`${key}/../x`, null],
    [`${key} `, null],
    ['x'.repeat(129), null],
    ['密'.repeat(20), null],
  ])('in %j', (name, found) => expect(keyIn(name)).toBe(found));

  it.each([
    ['lesson-12', true],
    ['', false],
    ['../x', false],
    ['Lesson', false],
    ['x'.repeat(41), false],
    [12, false],
  ])('the name of a stream %j', (name, is) => expect(isStreamName(name)).toBe(is));

  it.each([
    [`rtmp://a.cn:1935/live/${key}: Input/output error`, 'rtmp://a.cn:1935/… Input/output error'],
    [`'RTMPS://a.cn/live/${key}' no`, "'RTMPS://a.cn/…' no"],
    [`key ${key} is wrong`, 'key … is wrong'],
    ['nothing', 'nothing'],
  ])('are hidden in %j', (text, hidden) => expect(withoutKeys(text, [key, ''])).toBe(hidden));
});
