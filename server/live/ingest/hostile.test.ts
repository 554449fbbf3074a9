import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AmfValue } from './amf0.ts';
import { KIND, writeChunks } from './chunks.ts';
import { collect, type IngestKit, ingestKit, KEY, memoryOf, STREAM, soon, tags } from './ingest.test-kit.ts';
import {
  AAC_HEADER,
  AVC_HEADER,
  hello,
  picture,
  publisher,
  type RtmpClient,
  rtmpClient,
  sound,
} from './rtmp-client.test-kit.ts';

const WRONG = 'wrong-key-0123456789';
let kit: IngestKit;
let pid = 0;
const clients: RtmpClient[] = [];
beforeAll(async () => {
  kit = await ingestKit();
  for (let at = 0; at < 60; at += 1) kit.keys.set(`key-of-lesson-no-${at}`, `lesson-x${at}`);
  pid = kit.pid();
});
afterAll(async () => {
  for (const { socket } of clients) socket.destroy();
  await kit.close();
});
async function client(...how: Parameters<typeof rtmpClient> extends [number, ...infer R] ? R : never) {
  const made = await rtmpClient(kit.port, ...how);
  clients.push(made);
  return made;
}
async function publishes(key: string) {
  const made = await publisher(kit.port, key);
  clients.push(made);
  return made;
}
/** Frames of one key frame and some pictures and sounds, from a time on. */
function frames(to: RtmpClient, from: number, fill = 7) {
  to.video(from, picture(true, 200, fill));
  for (const at of [1, 2, 3]) {
    to.audio(from + at * 30, sound(40, fill));
    to.video(from + at * 40, picture(false, 200, fill));
  }
}
let used = 0;
/** A lesson that no other test has. */
function lesson() {
  used += 1;
  return { key: `key-of-lesson-no-${used}`, stream: `lesson-x${used}` };
}
/** That another teacher is not disturbed: one publishes, and a viewer sees it. */
async function stillWorks() {
  const { key, stream } = lesson();
  const teacher = await publishes(key);
  const viewer = collect(kit.ingest, stream);
  frames(teacher, 0);
  await soon(() => viewer.pieces.length).toBeGreaterThan(3);
  teacher.socket.destroy();
  expect(kit.pid()).toBe(pid);
}

/** A client's words up to the right key, one after the other. */
const words = (key: string) => {
  const about = new Map<string, AmfValue>([['app', 'live']]);
  return { about, key };
};

describe('whatever comes before the right key', () => {
  const command = (body: Buffer) => writeChunks({ kind: KIND.command, time: 0, body }, { id: 3, chunkSize: 128 });
  const control = (kind: number, body: string) =>
    writeChunks({ kind, time: 0, body: Buffer.from(body, 'hex') }, { id: 2 });
  it.each<[string, Buffer]>([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['an encrypted greeting', Buffer.alloc(1537, 6)],
    ['an empty size of chunks', control(KIND.chunkSize, '')],
    ['chunks of no size', control(KIND.chunkSize, '00000000')],
    ['a command that is none', command(Buffer.from('ffffff', 'hex'))],
    ['an empty command', command(Buffer.alloc(0))],
    ['a command without a name', command(Buffer.from('05', 'hex'))],
    ['an object without an end', command(Buffer.from('03000161', 'hex'))],
    ['a header that follows nothing', Buffer.from('c4', 'hex')],
    ['a message of 16 MB', Buffer.from('04000000ffffff0901000000', 'hex')],
    ['two hundred pings', Buffer.concat(Array.from({ length: 200 }, () => control(KIND.userControl, '000600000000')))],
  ])('%s ends that connection alone', async (what, bytes) => {
    const stranger = await client({ greet: !/protocol|greeting/.test(what) });
    stranger.send(bytes);
    await stranger.closed();
    expect(kit.pid()).toBe(pid);
  });

  it('may be an odd address, an empty picture or an unknown command, which are passed over', async () => {
    const { key, stream } = lesson();
    const odd = await client({ greet: true });
    odd.command('connect', 1, new Map<string, AmfValue>([['tcUrl', 'not an address'], ['app', '../../x']])); // biome-ignore format: a row
    odd.message({ kind: KIND.video, time: 0, body: Buffer.alloc(0) });
    odd.message({ kind: KIND.data, time: 0, body: Buffer.from('ffff', 'hex') });
    odd.message({ kind: 77, time: 0, body: Buffer.alloc(3) });
    odd.message({ kind: KIND.userControl, time: 0, body: Buffer.alloc(0) });
    odd.command('_checkbw', 2, null);
    odd.command('createStream', 3, null);
    odd.command('publish', 4, null, key, 'live');
    await odd.answered('NetStream.Publish.Start');
    odd.video(0, Buffer.alloc(0));
    odd.audio(0, Buffer.alloc(0));
    odd.video(0, AVC_HEADER);
    odd.audio(0, AAC_HEADER);
    const viewer = collect(kit.ingest, stream);
    frames(odd, 0);
    await soon(() => viewer.pieces.length).toBeGreaterThan(3);
    odd.socket.destroy();
  });

  it('cut at any byte, changed at any byte, or of chance: the process stays, and teachers are not disturbed', async () => {
    const { about, key } = words(WRONG);
    // What a good encoder says, as bytes.
    const sent: Buffer[] = [];
    const recorder = await client();
    const { write } = recorder.socket;
    recorder.socket.write = ((bytes: Buffer) => sent.push(bytes) > 0) as typeof write;
    recorder.send(Buffer.concat([hello, Buffer.alloc(1536)]));
    recorder.command('connect', 1, about);
    recorder.command('createStream', 2, null);
    recorder.command('publish', 3, null, key, 'live');
    recorder.video(0, AVC_HEADER);
    frames(recorder, 0);
    recorder.socket.write = write;
    recorder.socket.destroy();
    const good = Buffer.concat(sent);
    const change = fc.record({
      cut: fc.integer({ min: 1, max: good.length }),
      at: fc.integer({ min: 3073, max: good.length - 1 }),
      byte: fc.nat(255),
      noise: fc.uint8Array({ maxLength: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ cut, at, byte, noise }) => {
        const bytes = Buffer.concat([good.subarray(0, cut), noise]);
        if (at < bytes.length) bytes[at] = byte;
        const socket = connect(kit.port, '127.0.0.1').on('error', () => undefined);
        const gone = once(socket, 'close');
        socket.resume().end(bytes);
        await gone;
      }),
      { numRuns: 150 },
    );
    await stillWorks();
  }, 60_000);

  it('in a crowd of connections that say nothing, from one address: the teacher comes in, who waited longest gives way', async () => {
    const crowd = await Promise.all(Array.from({ length: 100 }, () => client()));
    await soon(() => crowd.filter((each) => each.isClosed()).length).toBe(84);
    await stillWorks();
    for (const { socket } of crowd) socket.destroy();
  });

  it('in a flood of wrong keys, and in a crowd of many addresses: a teacher elsewhere comes in within moments', async () => {
    let floods = true;
    let refused = 0;
    const strangers = Array.from({ length: 12 }, async (_, at) => {
      while (floods) {
        const stranger = await rtmpClient(kit.port, { key: WRONG, from: `127.0.1.${at % 3}` });
        await stranger.closed();
        refused += 1;
      }
    });
    // As many as there may be, from nine addresses: some give way, and not who came alone.
    const crowd: RtmpClient[] = [];
    for (let at = 0; at < 135; at += 1) crowd.push(await client({ greet: true, from: `127.0.2.${at % 9}` }));
    await soon(() => refused).toBeGreaterThan(10);
    const comesIn = async () => {
      const began = performance.now();
      const teacher = await client({ greet: true, from: '127.0.3.1' });
      for (let more = 0; more < 12; more += 1) crowd.push(await client({ from: `127.0.2.${more % 9}` }));
      const { key } = lesson();
      const about = new Map<string, AmfValue>([['app', 'live']]);
      teacher.command('connect', 1, about);
      teacher.command('createStream', 2, null);
      teacher.command('publish', 3, null, key, 'live');
      await teacher.answered('NetStream.Publish.Start');
      expect(performance.now() - began).toBeLessThan(3000);
      teacher.socket.destroy();
    };
    try {
      for (let turn = 0; turn < 8; turn += 1) await comesIn();
    } finally {
      floods = false;
      for (const { socket } of crowd) socket.destroy();
      await Promise.all(strangers);
    }
    await stillWorks();
  }, 60_000);

  it('that announces a gigabyte takes no memory', async () => {
    await stillWorks();
    const before = memoryOf(pid);
    const greedy = await Promise.all(Array.from({ length: 10 }, () => client({ greet: true })));
    for (const each of greedy)
      for (let id = 3; id < 63; id += 1) each.send(Buffer.from([id, 0, 0, 0, 0xff, 0xff, 0xff, 9, 1, 0, 0, 0]));
    await Promise.all(greedy.map((each) => each.closed()));
    // What is allowed in number and size, of those who have no key.
    const modest = await Promise.all(Array.from({ length: 10 }, () => client({ greet: true })));
    for (const each of modest)
      for (let id = 3; id < 11; id += 1)
        each.send(Buffer.concat([Buffer.from([id, 0, 0, 0, 0, 0x40, 0, 9, 1, 0, 0, 0]), Buffer.alloc(128)]));
    await stillWorks();
    expect(memoryOf(pid) - before).toBeLessThan(20);
    for (const { socket } of modest) socket.destroy();
    // Nor with the right key.
    const teacher = await publishes(lesson().key);
    for (let id = 3; id < 63; id += 1) teacher.send(Buffer.from([id, 0, 0, 0, 0xff, 0xff, 0xff, 9, 1, 0, 0, 0]));
    await teacher.closed();
    if (process.env.LIVE_FIGURES) console.log('announced', before, memoryOf(pid));
    expect(memoryOf(pid) - before).toBeLessThan(20);
    await stillWorks();
  });

  it('has ten seconds, and a silent encoder fifteen', async () => {
    const { key, stream } = lesson();
    const began = performance.now();
    const [idle, half, teacher] = [await client(), await client({ greet: true }), await publishes(key)];
    frames(teacher, 0);
    const took = async (each: RtmpClient) => {
      await each.closed();
      return performance.now() - began;
    };
    const [first, second, third] = await Promise.all([idle, half, teacher].map(took));
    for (const time of [first, second]) expect([(time ?? 0) > 9900, (time ?? 0) < 12_000]).toEqual([true, true]);
    expect([(third ?? 0) > 14_900, (third ?? 0) < 18_000]).toEqual([true, true]);
    await kit.told({ says: 'over', stream, why: 'silent' });
  }, 40_000);
});

describe('keys', () => {
  it('a wrong one gets no start and does not keep the teacher out', async () => {
    const viewer = collect(kit.ingest);
    const stranger = await client({ key: WRONG });
    await stranger.closed();
    const teacher = await publishes(KEY);
    frames(teacher, 0);
    await soon(() => viewer.pieces.length).toBeGreaterThan(3);
    expect(stranger.answers).not.toContain('NetStream.Publish.Start');
    expect(stranger.answers).toContain('NetStream.Publish.BadName');
    teacher.socket.destroy();
    viewer.leave();
    await kit.told({ says: 'over', stream: STREAM });
  });

  it.each([['no key', ''], ['a short one', 'x'], ['a path', '../../../../etc/passwd'], ['a very long one', 'x'.repeat(3000)]])(
    '%s is nobody’s',
    async (_, key) => {
      const stranger = await client({ key });
      await stranger.closed();
      expect(stranger.answers).not.toContain('NetStream.Publish.Start');
    },
  ); // biome-ignore format: rows

  it('frames of a refused one, of one that wants to play and of a second encoder reach nobody', async () => {
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    const send = (each: RtmpClient) => {
      each.video(0, AVC_HEADER);
      each.audio(0, AAC_HEADER);
      frames(each, 0, 0xee);
    };
    const refused = await client({ key: WRONG });
    send(refused);
    const plays = await client({ greet: true });
    plays.command('connect', 1, new Map<string, AmfValue>([['app', 'live']]));
    plays.command('createStream', 2, null);
    plays.command('play', 3, null, key);
    send(plays);
    const eager = await client({ greet: true });
    send(eager);
    const teacher = await publishes(key);
    let time = 0;
    const sends = setInterval(() => {
      time += 200;
      frames(teacher, time);
    }, 50);
    const second = await client({ key });
    send(second);
    await second.closed();
    clearInterval(sends);
    await Promise.all([refused.closed(), plays.closed()]);
    expect(plays.answers).toContain('NetStream.Play.Failed');
    expect(second.answers).not.toContain('NetStream.Publish.Start');
    send(eager);
    frames(teacher, time + 200);
    await soon(() => viewer.pieces.length).toBeGreaterThan(10);
    await soon(() => tags(viewer.bytes()).some((tag) => tag.time >= time)).toBe(true);
    expect(viewer.bytes().includes(Buffer.alloc(20, 0xee))).toBe(false);
    expect(teacher.isClosed()).toBe(false);
    teacher.socket.destroy();
  });

  it('of a new one the old publisher is cut at once, and cannot come back', async () => {
    const { key, stream } = lesson();
    const teacher = await publishes(key);
    frames(teacher, 0);
    kit.keys.delete(key);
    kit.keys.set('renewed-key-0123456789', stream);
    const cutAt = performance.now();
    kit.ingest.cut(stream);
    await teacher.closed();
    expect(performance.now() - cutAt).toBeLessThan(1000);
    await kit.told({ says: 'over', stream, why: 'cut' });
    const old = await client({ key });
    await old.closed();
    expect(old.answers).not.toContain('NetStream.Publish.Start');
    (await publishes('renewed-key-0123456789')).socket.destroy();
  });

  it('that change while they are asked for, or while an encoder waits for another one, let nobody begin', async () => {
    const { key, stream } = lesson();
    const teacher = await publishes(key);
    frames(teacher, 0);
    const waits = await client({ key });
    await waits.answered('_result');
    kit.keys.delete(key);
    kit.ingest.cut(stream);
    await Promise.all([teacher.closed(), waits.closed()]);
    expect(waits.answers).not.toContain('NetStream.Publish.Start');
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let isRight = true;
    const slow = await ingestKit({
      authorize: async () => {
        const found = isRight ? STREAM : null;
        asked.resolve();
        await answered.promise;
        return found;
      },
    });
    const late = await rtmpClient(slow.port, { key });
    await asked.promise;
    isRight = false;
    slow.ingest.cut(STREAM);
    answered.resolve();
    await late.closed();
    expect(late.answers).not.toContain('NetStream.Publish.Start');
    await slow.close();
  });

  it('that cannot be looked up are refused, and nothing falls over', async () => {
    const broken = await ingestKit({
      authorize: () => Promise.reject(new Error('the database is away')),
      onEvent: () => {
        throw new Error('no');
      },
    });
    const stranger = await rtmpClient(broken.port, { key: KEY });
    await stranger.closed();
    expect(stranger.answers).not.toContain('NetStream.Publish.Start');
    expect(broken.log.join()).toMatch(/the database is away/);
    expect(broken.log.join()).not.toContain(KEY);
    await broken.close();
  });

  it('stand in no log, event, name of a file or byte of a viewer', async () => {
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    const teacher = await publishes(key);
    // What encoders say of themselves may hold the address.
    teacher.message({
      kind: KIND.data,
      time: 0,
      body: Buffer.concat([Buffer.from([2, 0, key.length]), Buffer.from(key)]),
    });
    frames(teacher, 0);
    await soon(() => viewer.pieces.length).toBeGreaterThan(3);
    teacher.socket.destroy();
    await kit.told({ says: 'part', stream, whole: true });
    const files = readdirSync(kit.folder, { recursive: true, encoding: 'utf8' });
    const parts = kit.parts(stream).map((part) => readFileSync(part).toString('latin1'));
    const all = [kit.log.join(), JSON.stringify(kit.events), files.join(), viewer.bytes().toString('latin1'), ...parts];
    for (const text of all) for (const each of [key, WRONG, KEY]) expect(text.includes(each)).toBe(false);
    expect(parts).toHaveLength(1);
  });
});

describe('an encoder with the right key', () => {
  it.each([
    ['HEVC', Buffer.from('1c0000000001', 'hex'), 'videoCodec', '请改用 H.264'],
    ['HEVC of enhanced RTMP', Buffer.from('90687663310102', 'hex'), 'videoCodec', '请改用 H.264'],
    ['AV1', Buffer.from('90617630318100', 'hex'), 'videoCodec', '请改用 H.264'],
  ])('that sends %s is refused with a sentence', async (_, data, why, sentence) => {
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    const teacher = await client({ key });
    await teacher.answered('NetStream.Publish.Start');
    teacher.video(0, data);
    await teacher.closed();
    await kit.told({ says: 'refused', stream, why });
    expect(teacher.said).toContain(sentence);
    expect(viewer.pieces).toEqual([]);
  });

  it.each([
    ['over 2^31', 2 ** 31 - 60],
    ['over 2^32', 2 ** 32 - 60],
    ['absolute', 1_700_000_000],
  ])('whose clock goes %s is seen from 0 on', async (_, from) => {
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    const teacher = await publishes(key);
    frames(teacher, from);
    const first = picture(true);
    teacher.video((from + 160) % 2 ** 32, first);
    await soon(() => tags(viewer.bytes()).length).toBeGreaterThan(8);
    expect(
      tags(viewer.bytes())
        .slice(2)
        .map(({ time }) => time),
    ).toEqual([0, 30, 40, 60, 80, 90, 120, 160]);
    expect(kit.events.filter((each) => each.stream === stream && each.says === 'warning')).toEqual([]);
    teacher.socket.destroy();
  });

  it('whose clock jumps an hour is seen and recorded without the hour, and warned of', async () => {
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    const teacher = await publishes(key);
    frames(teacher, 0);
    frames(teacher, 3_600_160);
    await kit.told({ says: 'warning', stream, what: 'clock' });
    await soon(() => tags(viewer.bytes()).length).toBeGreaterThan(15);
    const times = tags(viewer.bytes()).slice(2).map(({ time }) => time); // biome-ignore format: a line
    expect(times.slice(0, 7)).toEqual([0, 30, 40, 60, 80, 90, 120]);
    expect(Math.max(...times)).toBeLessThan(2000);
    teacher.socket.destroy();
    await kit.told({ says: 'part', stream, whole: true }, 2);
    const lengths = kit.parts(stream).map((part) => tags(readFileSync(part)).at(-1)?.time);
    expect(lengths).toEqual([120, 120]);
  });

  it('that drops with a clock beyond 2^31 and comes back at 0 goes on', async () => {
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    const first = await publishes(key);
    frames(first, 2 ** 31 + 1000);
    await soon(() => tags(viewer.bytes()).length).toBeGreaterThan(7);
    first.socket.destroy();
    await kit.told({ says: 'over', stream });
    const second = await publishes(key);
    frames(second, 0);
    await soon(() => tags(viewer.bytes()).length).toBeGreaterThan(14);
    const times = tags(viewer.bytes()).slice(2).map(({ time }) => time); // biome-ignore format: a line
    expect(times.slice(0, 8)).toEqual([0, 30, 40, 60, 80, 90, 120, 140]);
    expect(kit.pid()).toBe(pid);
    second.socket.destroy();
  });

  it.each(['deleteStream', 'FCUnpublish', 'closeStream'])('that says %s has ended within a second', async (word) => {
    const { key, stream } = lesson();
    const teacher = await publishes(key);
    frames(teacher, 0);
    const asked = performance.now();
    teacher.command(word, 6, null, 1);
    await kit.told({ says: 'over', stream, why: 'stopped' });
    expect(performance.now() - asked).toBeLessThan(1000);
    await teacher.closed();
  });

  it('that changes its parameters, or its clock, with every frame makes few parts, is refused, and may come again', async () => {
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    const teacher = await publishes(key);
    frames(teacher, 0);
    for (let at = 1; at <= 300; at += 1) {
      const header = Buffer.from(AVC_HEADER);
      header.writeUInt16BE(at, header.length - 2);
      teacher.video(at * 40, header);
      teacher.video(at * 40, picture(true));
    }
    await teacher.closed();
    await kit.told({ says: 'refused', stream, why: 'changing' });
    expect(teacher.said).toContain('请固定分辨率');
    expect(viewer.ends).toEqual(['changed']);
    await kit.told({ says: 'part', stream, whole: true }, 5);
    expect(kit.parts(stream).length).toBeLessThan(15);
    // By its clock: taken, as one part.
    const jumps = lesson();
    const second = await publishes(jumps.key);
    for (let at = 0; at < 300; at += 1) second.video((at % 2) * 3_600_000 + at * 40, picture(true));
    const seen = collect(kit.ingest, jumps.stream);
    await soon(() => seen.pieces.length).toBeGreaterThan(2);
    second.command('deleteStream', 6, null, 1);
    await second.closed();
    await kit.told({ says: 'part', stream: jumps.stream, whole: true }, 5);
    expect(kit.parts(jumps.stream).length).toBeLessThan(65);
    // As a loop of connections: they wait.
    const third = lesson();
    const began = performance.now();
    let came = 0;
    for (; performance.now() - began < 4000 && came < 100; came += 1) {
      const again = await publishes(third.key);
      again.socket.destroy();
    }
    expect(came).toBeLessThan(70);
    (await publishes(key)).socket.destroy();
  }, 30_000);

  it('that sends damaged bytes is cut, told, and may come again', async () => {
    const { key, stream } = lesson();
    const teacher = await publishes(key);
    frames(teacher, 0);
    teacher.send(Buffer.from('3f', 'hex').fill(0xff));
    teacher.send(Buffer.from([2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    await teacher.closed();
    await kit.told({ says: 'refused', stream, why: 'damaged' });
    (await publishes(key)).socket.destroy();
  });

  it('may send pictures and sounds of anything: the process stays, what was recorded is whole', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc
        .tuple(
          fc.constantFrom('1700000000', '1701000000', '2701ffffff', 'af00', 'af01'),
          fc.uint8Array({ maxLength: 60 }),
        )
        .map(([head, bytes]) => Buffer.concat([Buffer.from(head, 'hex'), bytes])),
    );
    const message = fc.record({ isVideo: fc.boolean(), time: fc.nat(2 ** 32 - 1), body });
    const { key, stream } = lesson();
    const viewer = collect(kit.ingest, stream);
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 40 }), async (messages) => {
        const teacher = await publisher(kit.port, key);
        frames(teacher, 0);
        for (const { isVideo, time, body } of messages) (isVideo ? teacher.video : teacher.audio)(time, body);
        teacher.command('deleteStream', 6, null, 1);
        await teacher.closed();
      }),
      { numRuns: 30 },
    );
    expect(kit.pid()).toBe(pid);
    await kit.told({ says: 'part', stream, whole: true }, 30);
    // A jump of the clock makes another part, and they are written one after the other: once that of a last encoder is whole, all are.
    const last = await publishes(key);
    frames(last, 0, 99);
    last.command('deleteStream', 6, null, 1);
    await last.closed();
    const ofLast = () => kit.parts(stream).find((part) => readFileSync(part).includes(Buffer.alloc(200, 99)));
    await soon(ofLast).toBeDefined();
    await kit.told({ says: 'part', stream, name: basename(ofLast() ?? ''), whole: true });
    for (const flv of [viewer.bytes(), ...kit.parts(stream).map((part) => readFileSync(part))]) {
      const found = tags(flv);
      const length = found.reduce((sum, { data }) => sum + 15 + data.length, 13);
      expect([found.length > 0, length]).toEqual([true, flv.length]);
    }
  }, 60_000);

  it('goes on where nothing can be recorded, and is warned', async () => {
    const { key, stream } = lesson();
    // A file stands where its folder would be.
    writeFileSync(join(kit.folder, stream), '');
    const viewer = collect(kit.ingest, stream);
    const teacher = await publishes(key);
    frames(teacher, 0);
    await kit.told({ says: 'warning', stream, what: 'recordingFailed' });
    frames(teacher, 160);
    await soon(() => tags(viewer.bytes()).length).toBeGreaterThan(15);
    expect([teacher.isClosed(), kit.pid()]).toEqual([false, pid]);
    teacher.socket.destroy();
  });

  it('that sends more than any lesson needs is refused, with a sentence', async () => {
    const { key, stream } = lesson();
    const teacher = await publishes(key);
    const flood = setInterval(() => teacher.video(0, picture(true, 1_000_000)), 1);
    await teacher.closed();
    clearInterval(flood);
    await kit.told({ says: 'refused', stream, why: 'tooMuch' });
    expect(memoryOf(pid)).toBeLessThan(400);
  });

  it('is acknowledged, and its pings are answered', async () => {
    const { key } = lesson();
    const teacher = await publishes(key);
    const before = teacher.socket.bytesRead;
    teacher.message({ kind: KIND.userControl, time: 0, body: Buffer.from('000600000001', 'hex') });
    await soon(() => teacher.socket.bytesRead).toBeGreaterThan(before);
    const pinged = teacher.socket.bytesRead;
    for (let at = 0; at < 30; at += 1) teacher.video(at * 40, picture(at % 10 === 0, 100_000));
    await soon(() => teacher.socket.bytesRead).toBeGreaterThan(pinged);
    teacher.socket.destroy();
  });
});

describe('the server', () => {
  let folder = '';
  let server: ReturnType<typeof spawn> | undefined;
  afterAll(() => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers while its ingest is attacked, and fifty viewers that read nothing cost little', async () => {
    folder = mkdtempSync(join(tmpdir(), 'lixue-ingest-'));
    const kitFile = join(import.meta.dirname, 'ingest-process.test-kit.ts');
    const started = spawn(process.execPath, ['--expose-gc', kitFile, folder, KEY], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server = started;
    const [said] = await once(started.stdout, 'data');
    const { rtmp, web } = JSON.parse(String(said)) as { rtmp: number; web: number };
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${web}${path}`)).text();
    const teacher = await publisher(rtmp, KEY);
    clients.push(teacher);
    /** A viewer that reads all. */
    const reader = connect(web, '127.0.0.1').on('error', () => undefined);
    let seen = 0;
    reader.on('data', (bytes) => {
      seen += bytes.length;
    });
    reader.write('GET /flv HTTP/1.1\r\nHost: x\r\n\r\n');
    let time = 0;
    let sent = 0;
    /** Two seconds at 4 Mbit/s, as fast as they can be seen. */
    const twoSeconds = async () => {
      for (let at = 0; at < 50; at += 1, time += 40) {
        teacher.video(time, picture(at === 0, 20_000));
        sent += 20_000;
        if (at % 10 === 9) await expect.poll(() => seen, { interval: 2, timeout: 10_000 }).toBeGreaterThan(sent);
      }
    };
    for (let turn = 0; turn < 5; turn += 1) await twoSeconds();
    const before = Number(await ask('/memory'));
    const stuck = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = connect(web, '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        socket.pause();
        socket.write('GET /flv HTTP/1.1\r\nHost: x\r\n\r\n');
        return socket;
      }),
    );
    let most = 0;
    let slowest = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      await twoSeconds();
      const stranger = connect(rtmp, '127.0.0.1').on('error', () => undefined);
      stranger.write(Buffer.concat([hello, Buffer.alloc(1536), Buffer.from('02000000000000010000000000', 'hex')]));
      const asked = performance.now();
      expect(await ask('/')).toBe('ok');
      slowest = Math.max(slowest, performance.now() - asked);
      most = Math.max(most, Number(await ask('/memory')));
      stranger.destroy();
    }
    if (process.env.LIVE_FIGURES) console.log({ before, most, slowest, seen });
    for (const socket of [reader, ...stuck]) socket.destroy();
    expect(most - before).toBeLessThan(20);
    expect(slowest).toBeLessThan(1000);
  }, 90_000);
});
