import { describe, expect, it } from 'vitest';
import { GONE_AFTER } from './publishing.ts';
import {
  codecFault,
  keyOfParam,
  mayTakeStream,
  readPullGrant,
  readSrsEvent,
  readSrsStreams,
  srsKey,
  writePullGrant,
} from './srs.ts';

const event = {
  ...{ server_id: 'vid-k1', service_id: 'a1', action: 'on_publish', client_id: '9308h583', ip: '192.168.1.10' },
  ...{ vhost: '__defaultVhost__', app: 'live', tcUrl: 'rtmp://a/live', stream: 'ab12', param: '?key=x' },
};
const read = { action: 'on_publish', client: '9308h583', stream: 'ab12', param: 'key=x' };

describe('what SRS asks and tells', () => {
  it.each<[string, unknown, unknown]>([
    ['an encoder', event, read],
    ['of SRS 3, whose clients have numbers', { ...event, client_id: 1985 }, { ...read, client: '1985' }],
    ['without a param', { ...event, param: undefined }, { ...read, param: '' }],
    ['a stream fetched by HTTP', { ...event, action: 'on_play', stream: 'ab12.flv' }, { ...read, action: 'on_play' }],
    ['another app', { ...event, app: 'other' }, null],
    ['an action that is not asked for', { ...event, action: 'on_connect' }, null],
    ['a name that is none of ours', { ...event, stream: '../x' }, null],
    ['no name', { ...event, stream: undefined }, null],
    ['a client that is none', { ...event, client_id: { $gt: '' } }, null],
    ['a client that is a path', { ...event, client_id: 'a/../b' }, null],
    ['a param that is none', { ...event, param: ['key'] }, null],
    ['a list', [event], null],
    ['null', null, null],
    ['a text', 'on_publish', null],
  ])('%s', (_, body, expected) => expect(readSrsEvent(body)).toEqual(expected));

  const key = 'right-key-0123456789';
  it.each<[string, string | null]>([
    [srsKey('ab12', key).split('?')[1] ?? '', key],
    [`vhost=a&key=${key}`, key],
    [`key=${key}&key=${key}`, null],
    ['key=short', null],
    [`xkey=${key}`, null],
    [`key=${key}%20`, null],
    ['', null],
  ])('the key in %s', (param, expected) => expect(keyOfParam(param)).toBe(expected));
});

describe('a grant to fetch a stream', () => {
  const signature = 's'.repeat(43);
  const text = writePullGrant('ab12', 1_795_000_000_000);
  it.each<[string, string, unknown]>([
    [
      'as it was written',
      `grant=${text}.${signature}`,
      { stream: 'ab12', expiresAt: 1_795_000_000_000, text, signature },
    ],
    ['without a signature', `grant=${text}`, null],
    ['twice', `grant=${text}.${signature}&grant=${text}.${signature}`, null],
    ['of somebody who watches', `grant=live.1.2.1795000000000.${signature}`, null],
    ['none', '', null],
  ])('%s', (_, param, expected) => expect(readPullGrant(param)).toEqual(expected));
});

describe('who may take a stream', () => {
  const now = 1_795_000_000_000;
  const holder = { client: 'a', letInAt: now - 60_000, heardAt: now - 1000 };
  it.each<[string, typeof holder | null, string | null | undefined, boolean]>([
    ['nobody holds it', null, null, true],
    ['nobody holds it, SRS cannot be asked', null, undefined, true],
    ['the same connection asked before', { ...holder, client: 'b' }, null, true],
    ['SRS shows the asking one', holder, 'b', true],
    ['another one sends', holder, 'a', false],
    ['somebody sends whom nobody let in', null, 'x', false],
    ['the other one is gone without a word', holder, null, true],
    ['the other one was let in a moment ago', { ...holder, letInAt: now - 1000 }, null, false],
    ['SRS cannot be asked, the other one was heard', holder, undefined, false],
    ['SRS cannot be asked, the other one is long gone', { ...holder, heardAt: now - GONE_AFTER }, undefined, true],
  ])('%s', (_, held, sends, expected) => expect(mayTakeStream('b', held, sends, now)).toBe(expected));
});

describe('the streams of SRS', () => {
  const one = {
    ...{ id: 'vid-1', name: 'ab12', vhost: 'vid-2', app: 'live', clients: 1, frames: 250, recv_bytes: 1000 },
    publish: { active: true, cid: '9308h583' },
    ...{ video: { codec: 'H264', profile: 'High' }, audio: { codec: 'AAC', sample_rate: 44100 } },
  };
  const seen = { stream: 'ab12', client: '9308h583', bytes: 1000, pictures: 250, video: 'H264', audio: 'AAC' };
  it.each<[string, unknown, unknown]>([
    ['one', { code: 0, streams: [one] }, { listed: 1, streams: [seen] }],
    [
      'pictures counted apart (SRS 7)',
      { code: 0, streams: [{ ...one, frames: 700, video_frames: 250 }] },
      { listed: 1, streams: [seen] },
    ],
    [
      'no codec yet',
      { code: 0, streams: [{ ...one, video: null, audio: null }] },
      { listed: 1, streams: [{ ...seen, video: null, audio: null }] },
    ],
    [
      'nobody sends it',
      { code: 0, streams: [{ ...one, publish: { active: false, cid: 'x' } }] },
      { listed: 1, streams: [] },
    ],
    ['of another app, and junk', { code: 0, streams: [{ ...one, app: 'x' }, null, 1, {}] }, { listed: 4, streams: [] }],
    ['refused', { code: 1, streams: [] }, null],
    ['no list', { code: 0 }, null],
    ['junk', 'junk', null],
  ])('%s', (_, answer, expected) => expect(readSrsStreams(answer)).toEqual(expected));

  it.each<[string | null, string | null, string | null]>([
    ['H264', 'AAC', null],
    ['H264', null, null],
    [null, null, null],
    ['HEVC', 'AAC', 'videoCodec'],
    ['AV1', null, 'videoCodec'],
    ['H264', 'MP3', 'audioCodec'],
  ])('codecs %s and %s', (video, audio, fault) => expect(codecFault({ video, audio })).toBe(fault));
});
