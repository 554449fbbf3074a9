import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Hls from 'hls.js/light';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchEarly, firstPart, headStart } from './head-start.ts';

const list = (...durations: number[]) =>
  [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:3',
    '#EXT-X-KEY:METHOD=AES-128,URI="720.key"',
    ...durations.flatMap((duration, at) => [`#EXTINF:${duration.toFixed(3)},`, `720/${at}.ts`]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
const base = 'http://school.test/app/video/play/7/720.m3u8';
const part = (at: number) => `http://school.test/app/video/play/7/720/${at}.ts`;

describe('the part that plays first', () => {
  it.each([
    [0, 0],
    [2.5, 0],
    // hls.js begins at the next part where a place lies within a quarter of a second of the end.
    [2.8, 1],
    [3, 1],
    [7.9, 2],
  ])('from %s s on is number %s', (from, at) => {
    expect(firstPart(list(3, 3, 2.4), base, from)).toBe(part(at));
  });

  it('is none beyond the end, and none in a text that is no list', () => {
    expect(firstPart(list(3, 3), base, 6)).toBeNull();
    expect(firstPart('', base, 0)).toBeNull();
  });
});

const LIMITS = { maxTimeToFirstByteMs: 10_000, maxLoadTimeMs: 60_000 };

describe('a part that is fetched before it is asked for', () => {
  let close: (() => void) | undefined;
  afterEach(() => close?.());

  /** A server that takes requests and leaves their answers to the test. */
  async function silent() {
    const asked: ServerResponse[] = [];
    const server = createServer((_request, reply) => {
      asked.push(reply);
      server.emit('asked');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { server, asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/0.ts` };
  }

  /** hls.js's own loader, of which only what it was asked for matters here. */
  function kit() {
    const own: string[] = [];
    const told = Promise.withResolvers<string>();
    class Own {
      stats = { loading: {}, loaded: 0, total: 0 };
      load({ url }: { url: string }) {
        own.push(url);
        told.resolve('own');
      }
      abort() {}
      destroy() {}
    }
    const ahead = headStart({ DefaultConfig: { loader: Own } } as unknown as typeof Hls);
    const loader = new ahead.Loader({} as never);
    const load = (url: string, sn?: number, by = loader) =>
      by.load({ url, ...(sn === undefined ? {} : { frag: { sn } }) } as never, {} as never, {
        onSuccess: ({ data }) => told.resolve(new TextDecoder().decode(data as ArrayBuffer)),
        onError: () => told.resolve('error'),
        onTimeout: () => told.resolve('timeout'),
        onAbort: () => told.resolve('abort'),
      });
    return { ahead, loader, another: () => new ahead.Loader({} as never), load, own, told: told.promise };
  }

  it('is given when it is asked for, and asked for once', async () => {
    const { server, asked, address } = await silent();
    const { ahead, load, own, told } = kit();
    const came = once(server, 'asked');
    ahead.give(new Map(), fetchEarly(address, {}, LIMITS), Promise.resolve());
    await came;
    load(address);
    asked[0]?.end('film');
    expect(await told).toBe('film');
    expect([asked.length, own]).toEqual([1, []]);
  });

  it('that lay here for a while took as long as its line did', async () => {
    const { asked, server, address } = await silent();
    const { ahead, loader, load, told } = kit();
    const came = once(server, 'asked');
    const part = fetchEarly(address, {}, LIMITS);
    await came;
    asked[0]?.end('film');
    const { start = 0, end = 0 } = (await part.came) ?? {};
    ahead.give(new Map(), part, Promise.resolve());
    await new Promise((resolve) => setTimeout(resolve, 60));
    const before = performance.now();
    load(address);
    await told;
    const { loading } = loader.stats as unknown as { loading: { start: number; first: number; end: number } };
    expect(loading.end).toBeGreaterThanOrEqual(before);
    expect(loading.end - loading.start).toBeCloseTo(end - start, 6);
    expect(loading.first).toBeGreaterThanOrEqual(loading.start);
  });

  it.each(['abort', 'destroy'] as const)('is stopped where hls.js lets go of it (%s)', async (way) => {
    const { server, asked, address } = await silent();
    const { ahead, loader, load, own } = kit();
    const came = once(server, 'asked');
    ahead.give(new Map(), fetchEarly(address, {}, LIMITS), Promise.resolve());
    await came;
    load(address);
    const gone = once(asked[0] as ServerResponse, 'close');
    loader[way]();
    await gone;
    expect(own).toEqual([]);
  });

  it.each([
    ['no first byte', { maxTimeToFirstByteMs: 30, maxLoadTimeMs: 60_000 }, false],
    ['no end', { maxTimeToFirstByteMs: 10_000, maxLoadTimeMs: 300 }, true],
  ])('is given up and asked for as any other where there is %s in time', async (_what, limits, begun) => {
    const { server, asked, address } = await silent();
    const { ahead, load, own, told } = kit();
    const came = once(server, 'asked');
    ahead.give(new Map(), fetchEarly(address, {}, limits), Promise.resolve());
    load(address);
    await came;
    if (begun) asked[0]?.write('fi');
    expect(await told).toBe('own');
    expect(own).toEqual([address]);
  });

  describe('and the parts behind it', () => {
    /** The part of number 4 has been given; `show`: there is a picture now. */
    async function given() {
      const { server, asked, address } = await silent();
      const { ahead, load, own, told, another } = kit();
      const { promise: shown, resolve: show } = Promise.withResolvers<void>();
      const came = once(server, 'asked');
      ahead.give(new Map(), fetchEarly(address, {}, LIMITS), shown);
      await came;
      load(address, 4);
      asked[0]?.end('film');
      await told;
      return { ahead, load, own, another, show };
    }
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

    it('the next one waits for the first picture, once', async () => {
      const { load, own, show, another } = await given();
      load(part(5), 5, another());
      await settled();
      expect(own).toEqual([]);
      show();
      await settled();
      load(part(6), 6, another());
      expect(own).toEqual([part(5), part(6)]);
    });

    it('it waits for half a second at most', async () => {
      const { load, own, another } = await given();
      const began = performance.now();
      load(part(5), 5, another());
      await expect.poll(() => own, { timeout: 5000 }).toEqual([part(5)]);
      expect(performance.now() - began).toBeGreaterThan(400);
    });

    it('one at another place, where somebody jumped to, is asked for at once', async () => {
      const { load, own, another } = await given();
      load(part(9), 9, another());
      expect(own).toEqual([part(9)]);
    });

    it('what hls.js lets go of meanwhile is never asked for, and at once when it is wanted again', async () => {
      const { load, own, show, another } = await given();
      const left = another();
      load(part(5), 5, left);
      left.abort();
      show();
      await settled();
      expect(own).toEqual([]);
      load(part(5), 5, another());
      expect(own).toEqual([part(5)]);
    });
  });
});
