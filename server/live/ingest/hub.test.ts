import { describe, expect, it } from 'vitest';
import { flvBeginning } from './flv.ts';
import type { FrameRecord } from './frames.ts';
import { Hub, type Viewer } from './hub.ts';

const BEGIN = flvBeginning({ video: Buffer.from('v'), audio: Buffer.from('a') });
const OTHER = flvBeginning({ video: Buffer.from('w'), audio: Buffer.from('a') });
const SOUND = flvBeginning({ video: null, audio: Buffer.from('a') });

/** A viewer that writes down what it gets; with `stuck` it takes nothing. */
function viewer(stuck = false) {
  let waiting = 0;
  const got: string[] = [];
  const taker: Viewer & { got: string[]; take(): void } = {
    got,
    send: (bytes) => {
      got.push(
        bytes.equals(BEGIN) || bytes.equals(OTHER) || bytes.equals(SOUND)
          ? 'begin'
          : bytes.toString('latin1', 0, 3).trim(),
      );
      if (stuck) waiting += bytes.length;
    },
    waiting: () => waiting,
    end: (why) => void got.push(why),
    take: () => {
      waiting = 0;
    },
  };
  return taker;
}
const record = (kind: FrameRecord['kind'], name: string, size = 3): FrameRecord => ({
  kind,
  stream: 's',
  bytes:
    kind === 'begin' ? (name === 'other' ? OTHER : name === 'sound' ? SOUND : BEGIN) : Buffer.from(name.padEnd(size)),
});
const LARGE = 300_000;

describe('viewers', () => {
  it('get all from when the stream begins, whoever came first', () => {
    const hub = new Hub();
    const early = viewer();
    hub.watch('s', early);
    for (const each of [record('begin', ''), record('audio', 'a1'), record('key', 'k1'), record('video', 'v1')])
      hub.take(each, 0);
    expect(early.got).toEqual(['begin', 'k1', 'v1']);
  });

  it('that join begin at the last key frame, at once', () => {
    const hub = new Hub();
    for (const each of [
      record('begin', ''),
      record('key', 'k1'),
      record('video', 'v1'),
      record('key', 'k2'),
      record('audio', 'a2'),
    ])
      hub.take(each, 0);
    const joins = viewer();
    const leave = hub.watch('s', joins);
    expect(joins.got).toEqual(['begin', 'k2', 'a2']);
    leave();
    hub.take(record('video', 'v2'), 0);
    expect(joins.got).toEqual(['begin', 'k2', 'a2']);
  });

  it('of sound alone begin with what comes', () => {
    const hub = new Hub();
    hub.take(record('begin', 'sound'), 0);
    hub.take(record('audio', 'a1'), 0);
    const joins = viewer();
    hub.watch('s', joins);
    hub.take(record('audio', 'a2'), 0);
    expect(joins.got).toEqual(['begin', 'a2']);
  });

  it('of another stream get nothing of this one', () => {
    const hub = new Hub();
    const other = viewer();
    hub.watch('t', other);
    for (const each of [record('begin', ''), record('key', 'k1')]) hub.take(each, 0);
    expect(other.got).toEqual([]);
  });

  it('stay over a drop, and begin anew when the codecs are others', () => {
    const hub = new Hub();
    const stays = viewer();
    hub.watch('s', stays);
    for (const each of [
      record('begin', ''),
      record('key', 'k1'),
      record('end', ''),
      record('begin', ''),
      record('video', 'v2'),
      record('key', 'k2'),
    ])
      hub.take(each, 0);
    expect(stays.got).toEqual(['begin', 'k1', 'k2']);
    const late = viewer();
    hub.take(record('end', ''), 0);
    hub.watch('s', late);
    expect(late.got).toEqual([]);
    hub.take(record('begin', 'other'), 0);
    hub.take(record('key', 'k3'), 0);
    expect([stays.got, late.got]).toEqual([['begin', 'k1', 'k2', 'changed'], ['begin', 'k3']]); // biome-ignore format: a row
  });

  it('begin anew when the ingest is another one', () => {
    const hub = new Hub();
    const all = [viewer(), viewer()];
    for (const each of all) hub.watch('s', each);
    hub.take(record('begin', ''), 0);
    hub.clear();
    expect(all.map(({ got }) => got)).toEqual([['begin', 'changed'], ['begin', 'changed']]); // biome-ignore format: a row
  });

  it('that take too little jump to the next key frame, and are ended when that does not help', () => {
    const hub = new Hub();
    const [slow, stuck, quick] = [viewer(true), viewer(true), viewer()];
    for (const each of [slow, stuck, quick]) hub.watch('s', each);
    hub.take(record('begin', ''), 0);
    hub.take(record('key', 'k1', LARGE), 0);
    for (const name of ['v1', 'v2', 'v3', 'v4']) hub.take(record('video', name, LARGE), 100);
    slow.take();
    hub.take(record('video', 'v5', LARGE), 200);
    hub.take(record('key', 'k2', LARGE), 300);
    hub.take(record('video', 'v6', LARGE), 5200);
    expect(slow.got).toEqual(['begin', 'k1', 'v1', 'v2', 'k2', 'v6']);
    expect(stuck.got).toEqual(['begin', 'k1', 'v1', 'v2', 'slow']);
    expect(quick.got).toEqual(['begin', 'k1', 'v1', 'v2', 'v3', 'v4', 'v5', 'k2', 'v6']);
  });

  it('that fall over are left, and others see on', () => {
    const hub = new Hub();
    const fails = { send: () => { throw new Error('gone'); }, waiting: () => 0, end: () => { throw new Error('gone'); } }; // biome-ignore format: a row
    const sees = viewer();
    for (const each of [fails, sees]) hub.watch('s', each);
    for (const each of [record('begin', ''), record('key', 'k1')]) hub.take(each, 0);
    hub.watch('s', fails);
    hub.take(record('video', 'v1'), 0);
    hub.clear();
    expect(sees.got).toEqual(['begin', 'k1', 'v1', 'changed']);
  });

  it('that join a large picture are not slow for what they were given', () => {
    const hub = new Hub();
    hub.take(record('begin', ''), 0);
    hub.take(record('key', 'k1', 2_000_000), 0);
    const joins = viewer(true);
    hub.watch('s', joins);
    hub.take(record('video', 'v1'), 0);
    expect(joins.got).toEqual(['begin', 'k1', 'v1']);
  });

  it('join at the next key frame where too much came since the last one', () => {
    const hub = new Hub();
    hub.take(record('begin', ''), 0);
    hub.take(record('key', 'k1', 2_000_000), 0);
    for (let at = 0; at < 4; at += 1) hub.take(record('video', 'v1', 1_500_000), 0);
    const joins = viewer();
    hub.watch('s', joins);
    hub.take(record('video', 'v2'), 0);
    hub.take(record('key', 'k2'), 0);
    expect(joins.got).toEqual(['begin', 'k2']);
  });
});
