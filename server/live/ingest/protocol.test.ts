import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AmfValue, readAmf, writeAmf } from './amf0.ts';
import { AFTER_KEY, BEFORE_KEY, ChunkReader, KIND, type RtmpMessage, writeChunks } from './chunks.ts';
import { flvBeginning, flvTag, TAG } from './flv.ts';
import { framePipe } from './frame-pipe.ts';
import { type FrameRecord, RecordReader, writeRecord } from './frames.ts';
import { readFromIngest, readToIngest } from './message.ts';

/** Reads bytes in pieces of these lengths, the last one over and over. */
function read(bytes: Buffer, pieces: readonly number[] = [bytes.length], bounds = AFTER_KEY) {
  const reader = new ChunkReader();
  reader.bounds = bounds;
  const messages: RtmpMessage[] = [];
  let fault = null;
  for (let at = 0, turn = 0; at < bytes.length && fault === null; turn += 1) {
    const length = Math.max(1, pieces[Math.min(turn, pieces.length - 1)] ?? 1);
    fault = reader.push(bytes.subarray(at, at + length), (message) => messages.push(message) > 0);
    at += length;
  }
  return { messages, fault };
}
const hex = (...parts: string[]) => Buffer.from(parts.join('').replaceAll(' ', ''), 'hex');
const chunkSize = (size: number) => {
  const body = Buffer.alloc(4);
  body.writeUInt32BE(size);
  return writeChunks({ kind: KIND.chunkSize, time: 0, body }, { id: 2 });
};

describe('chunks', () => {
  it.each<[string, Buffer, unknown]>([
    ['one message', hex('04 000028 000002 08 01000000 af01'), [[8, 40, 'af01']]],
    [
      'steps of time: of a whole header, of a short one, repeated',
      hex('04 0003e8 000001 08 01000000 aa', '44 000014 000001 09 bb', '84 000017 cc', 'c4 dd'),
      [[8, 1000, 'aa'], [9, 1020, 'bb'], [9, 1043, 'cc'], [9, 1066, 'dd']], // biome-ignore format: a row
    ],
    ['a whole header repeated steps by its own time', hex('04 000064 000001 08 01000000 aa', 'c4 bb'), [[8, 100, 'aa'], [8, 200, 'bb']]], // biome-ignore format: a row
    ['a time behind 0xffffff', hex('04 ffffff 000001 08 01000000 80000005 aa'), [[8, 0x80000005, 'aa']]],
    ['the clock runs over', hex('04 ffffff 000001 08 01000000 fffffff0 aa', '44 000020 000001 08 bb'), [[8, 0xfffffff0, 'aa'], [8, 0x10, 'bb']]], // biome-ignore format: a row
    ['two streams in turn', hex('02 000000 000001 05 00000000 aa', '03 000000 000001 14 00000000 bb'), [[5, 0, 'aa'], [20, 0, 'bb']]], // biome-ignore format: a row
    ['numbers of two and three bytes', hex('00 40 000000 000001 08 00000000 aa', '01 0001 000000 000001 08 00000000 bb'), [[8, 0, 'aa'], [8, 0, 'bb']]], // biome-ignore format: a row
    ['a message that another one of its stream interrupts', hex('04 000000 000100 08 01000000', '00'.repeat(128), '04 000001 000001 08 01000000 bb'), [[8, 1, 'bb']]], // biome-ignore format: a row
    ['a message given up', Buffer.concat([hex('04 000000 000100 08 01000000', '00'.repeat(128)), writeChunks({ kind: KIND.abort, time: 0, body: hex('00000004') }, { id: 2 }), hex('04 000001 000001 08 01000000 bb')]), [[8, 1, 'bb']]], // biome-ignore format: a row
    ['an empty one', hex('04 000000 000000 09 01000000', '04 000000 000001 08 01000000 aa'), [[9, 0, ''], [8, 0, 'aa']]], // biome-ignore format: a row
  ])('%s', (_, bytes, messages) => {
    const said = (found: RtmpMessage[]) => found.map(({ kind, time, body }) => [kind, time, body.toString('hex')]);
    expect(said(read(bytes).messages)).toEqual(messages);
    expect(said(read(bytes, [1]).messages)).toEqual(messages);
  });

  it.each<[string, Buffer, string]>([
    ['a short header that follows nothing', hex('44 000000 000001 08 aa'), 'noHeader'],
    ['the rest of nothing', hex('c4 aa'), 'noHeader'],
    ['a message of 16 MB', hex('04 000000 ffffff 09 01000000'), 'tooLarge'],
    ['chunks of no size', chunkSize(0), 'chunkSize'],
    ['chunks of a negative size', chunkSize(0xffffffff), 'chunkSize'],
    ['an empty word on the size of chunks', hex('02 000000 000000 01 00000000', '00'), 'chunkSize'],
    ['nine streams', Buffer.concat([3, 4, 5, 6, 7, 8, 9, 10, 11].map((id) => Buffer.concat([Buffer.of(id), hex('000000 000100 08 01000000'), Buffer.alloc(128)]))), 'tooManyStreams'], // biome-ignore format: a row
  ])('%s is a fault', (_, bytes, fault) => {
    expect(read(bytes).fault).toBe(fault);
    expect(read(bytes, [1]).fault).toBe(fault);
  });

  it('are bounded more before the right key, in each and in all', () => {
    const large = writeChunks({ kind: KIND.video, time: 0, body: Buffer.alloc(20_000) }, { id: 4, chunkSize: 128 });
    expect(read(large, [700], BEFORE_KEY).fault).toBe('tooLarge');
    expect(read(large, [700]).messages[0]?.body.length).toBe(20_000);
    const halves = [3, 4, 5, 6, 7, 8].map((id) =>
      Buffer.concat([chunkSize(15_000), hex(`0${id} 000000 004000 08 01000000`), Buffer.alloc(15_000)]),
    );
    expect(read(Buffer.concat(halves), [4000], BEFORE_KEY).fault).toBe('tooLarge');
  });

  it('that are written are read, whatever their size and however they come', () => {
    const message = fc.record({
      kind: fc.constantFrom<number>(KIND.audio, KIND.video, KIND.data),
      time: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      body: fc.uint8Array({ minLength: 1, maxLength: 900 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 }),
        (messages, size, pieces) => {
          const sent = messages.map((each, at) => writeChunks(each, { id: 3 + (at % 5), stream: 1, chunkSize: size }));
          expect(read(Buffer.concat([chunkSize(size), ...sent]), pieces)).toEqual({ messages, fault: null });
        },
      ),
    );
  });

  it('of anything end in messages or a fault', () => {
    const cutAndChanged = fc
      .tuple(fc.uint8Array({ maxLength: 600 }), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 255 }))
      .map(([noise, at, byte]) => {
        const good = writeChunks(
          { kind: KIND.command, time: 7, body: Buffer.alloc(260, 1) },
          { id: 3, chunkSize: 128 },
        );
        const bytes = Buffer.concat([good, noise, good]);
        bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(cutAndChanged, fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), (bytes, pieces) => {
        for (const { body } of read(bytes, pieces, BEFORE_KEY).messages)
          expect(body.length).toBeLessThanOrEqual(16_384);
      }),
      { numRuns: 500 },
    );
  });
});

describe('AMF 0', () => {
  const object = new Map<string, AmfValue>([['app', 'live'], ['n', 1.5], ['__proto__', true], ['none', null]]); // biome-ignore format: a row
  it('that is written is read', () => {
    const values = ['connect', 1, object, null, true, ['a', ['b', 2]], '密'];
    expect(readAmf(writeAmf(values))).toEqual(values);
  });

  it.each([
    ['a list with names, whose number is wrong', '08 ffffffff 0001 61 0101 0000 09', [new Map([['a', true]])]],
    ['a date', '0b 4000000000000000 0000', [2]],
    ['a long text', '0c 00000002 6869', ['hi']],
    ['undefined', '06', [null]],
    ['nothing', '', []],
  ])('reads %s', (_, bytes, values) => expect(readAmf(hex(bytes))).toEqual(values));

  it.each([
    ['a number cut off', '00 3ff0'],
    ['a text longer than it is', '02 0005 6869'],
    ['a text of gigabytes', '0c 7fffffff'],
    ['an object without an end', '03 0001 61 0101'],
    ['an object cut in a name', '03 0009 61'],
    ['an array of millions', '0a 00ffffff 0101'],
    ['a thing of ActionScript', '11 00'],
    ['depth', '0a00000001'.repeat(9)],
    ['numbers without end', '05'.repeat(300)],
  ])('refuses %s', (_, bytes) => expect(readAmf(hex(bytes))).toBeNull());

  it('of anything is read or not', () => {
    const near = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.nat(), fc.nat(255)).map(([noise, at, byte]) => {
      const bytes = Buffer.concat([writeAmf(['publish', 5, null, object, [1, 2]]), noise]);
      bytes[at % bytes.length] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          const values = readAmf(bytes);
          expect(values === null || values.length <= 256).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('FLV', () => {
  it('says which tracks there are, with the parameters of those', () => {
    const [video, audio] = [hex('1700'), hex('af00')];
    expect(flvBeginning({ video, audio }).subarray(0, 13)).toEqual(hex('464c5601 05 00000009 00000000'));
    expect(flvBeginning({ video, audio: null })[4]).toBe(1);
    expect(flvBeginning({ video: null, audio })[4]).toBe(4);
  });
  it('has the time in 32 bits, and the length behind', () => {
    expect(flvTag(TAG.audio, 0x01020304, hex('af01')).toString('hex')).toBe(
      '08000002020304010000' + '00af01' + '0000000d',
    );
  });
});

describe('the pipe of frames', () => {
  const records: FrameRecord[] = [
    { kind: 'begin', stream: 'lesson-1', bytes: Buffer.from('FLV') },
    { kind: 'key', stream: 'x', bytes: Buffer.alloc(70_000, 3) },
    { kind: 'end', stream: 'lesson-1', bytes: Buffer.alloc(0) },
  ];
  const bytes = Buffer.concat(records.flatMap(writeRecord));

  it('gives what was written, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80_000 }), (size) => {
        const reader = new RecordReader();
        const found: FrameRecord[] = [];
        for (let at = 0; at < bytes.length; at += size)
          expect(reader.push(bytes.subarray(at, at + size), (record) => found.push(record))).toBe(true);
        expect(found).toEqual(records);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['a record of gigabytes', '7fffffff'],
    ['a record of nothing', '00000000'],
    ['an unknown kind', '00000003 09 01 78'],
    ['a name that leads elsewhere', '00000006 00 04 2e2e2f78'],
    ['a name that is longer than it', '00000003 00 09 78'],
  ])('refuses %s', (_, wrong) => {
    const found: FrameRecord[] = [];
    expect(new RecordReader().push(hex(wrong), (record) => found.push(record))).toBe(false);
    expect(found).toEqual([]);
  });

  it('of anything is refused or waited for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        expect(typeof new RecordReader().push(Buffer.from(noise), () => undefined)).toBe('boolean');
      }),
    );
  });
});

describe('a server that takes no frames for a while', () => {
  it('is kept little, and goes on with a key frame of each stream', async () => {
    const found: string[] = [];
    const reader = new RecordReader();
    const busy = Promise.withResolvers<void>();
    const pipe = new Writable({
      write: (piece, _, done) =>
        void busy.promise.then(() => {
          reader.push(piece, ({ kind, stream, bytes }) => void found.push(`${stream} ${kind} ${bytes.at(-1)}`));
          done();
        }),
    });
    const hand = framePipe(pipe);
    const begin = (stream: string, flags: number) => hand({ kind: 'begin', stream, bytes: Buffer.alloc(13, flags) });
    const frame = (stream: string, kind: FrameRecord['kind'], mark: number) => hand({ kind, stream, bytes: Buffer.alloc(1_000_000, mark) }); // biome-ignore format: a line
    begin('film', 5);
    begin('tone', 4);
    let most = 0;
    for (let at = 0; at < 30; at += 1) {
      frame('film', at % 10 === 0 ? 'key' : 'video', at);
      most = Math.max(most, pipe.writableLength);
    }
    frame('tone', 'audio', 30);
    expect(most).toBeLessThan(10_000_000);
    busy.resolve();
    await new Promise<void>((resolve) => pipe.once('drain', resolve));
    frame('film', 'video', 31);
    frame('tone', 'audio', 32);
    frame('film', 'key', 33);
    frame('film', 'video', 34);
    hand({ kind: 'end', stream: 'film', bytes: Buffer.alloc(0) });
    await new Promise<void>((resolve) => void pipe.end(resolve));
    expect(found.filter((each) => /begin|end/.test(each))).toEqual([
      'film begin 5',
      'tone begin 4',
      'film end undefined',
    ]);
    const frames = found.filter((each) => !/begin|end/.test(each));
    expect(frames.slice(0, 2)).toEqual(['film key 0', 'film video 1']);
    expect(frames.slice(-3)).toEqual(['tone audio 32', 'film key 33', 'film video 34']);
    expect(frames.length).toBeLessThan(14);
  });
});

describe('what server and ingest say to each other', () => {
  it.each([
    [{ says: 'alive' }],
    [{ says: 'listens', port: 1935 }],
    [{ says: 'failed', code: 'EADDRINUSE' }],
    [{ says: 'ask', id: 1, key: 'abcdefghijklmnop' }],
    [{ says: 'begun', stream: 'lesson-1' }],
    [{ says: 'over', stream: 'lesson-1', why: 'stopped' }],
    [{ says: 'warning', stream: 'lesson-1', what: 'bFrames' }],
    [{ says: 'refused', stream: 'lesson-1', why: 'videoCodec' }],
    [{ says: 'part', stream: 'lesson-1', name: '0001-1795000000000.flv', whole: true }],
  ])('%j is heard, and nothing more of it', (message) => {
    expect(readFromIngest({ ...message, more: 'x' })).toEqual(message);
  });

  it.each([
    [null],
    ['alive'],
    [{}],
    [{ says: 'listens', port: 70_000 }],
    [{ says: 'failed', code: 'rtmp://x/live/key' }],
    [{ says: 'ask', id: -1, key: 'abcdefghijklmnop' }],
    [{ says: 'ask', id: 1, key: 'x'.repeat(5000) }],
    [{ says: 'begun', stream: '../../etc' }],
    [{ says: 'over', stream: 'lesson-1', why: 'constructor' }],
    [{ says: 'warning', stream: 'lesson-1', what: 'toString' }],
    [{ says: 'part', stream: 'lesson-1', name: '../0001-1795000000000.flv', whole: true }],
  ])('%j is not', (message) => expect(readFromIngest(message)).toBeNull());

  it('hears answers, cuts and the end', () => {
    const heard = [{ says: 'answer', id: 1, stream: null }, { says: 'cut', stream: 'x' }, { says: 'end' }];
    expect(heard.map(readToIngest)).toEqual(heard);
    const not = [{ says: 'answer', id: 1, stream: '..' }, { says: 'cut' }, { says: 'exit' }, undefined];
    expect(not.map(readToIngest)).toEqual([null, null, null, null]);
  });
});
