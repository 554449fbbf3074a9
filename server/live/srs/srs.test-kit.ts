import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { flvBeginning, flvTag, TAG } from '../ingest/flv.ts';
import { AAC_HEADER, AVC_HEADER, picture, sound } from '../ingest/rtmp-client.test-kit.ts';

const SRS_SECRET = 'a-secret-of-tests-0123456789abcdef';
const ACCOUNT = `Basic ${Buffer.from('lixue:of-tests').toString('base64')}`;

interface Publisher {
  client: string;
  param: string;
  video: string | null;
  audio: string | null;
  bytes: number;
}

/** A server that speaks as SRS 6 is documented to: its callbacks, its HTTP API with an account, and HTTP-FLV. */
export async function fakeSrs() {
  const publishers = new Map<string, Publisher>();
  const players = new Map<string, Set<ServerResponse>>();
  const kicked: string[] = [];
  const played: { stream: string; param: string; status: number }[] = [];
  let callbacks = '';
  let down = false;
  let endsNobody = false;
  let clients = 0;

  const post = (body: unknown, { secret = SRS_SECRET, to = callbacks } = {}) =>
    fetch(`${to}/notify/srs?secret=${secret}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const event = (action: string, client: string, stream: string, param: string) => ({
    ...{ server_id: 'vid-0xk989d', service_id: 'sid-1', action, client_id: client, ip: '192.168.1.10' },
    ...{ vhost: '__defaultVhost__', app: 'live', tcUrl: 'rtmp://srs.example/live', stream, param },
    ...{ stream_url: `video.test.com/live/${stream}`, stream_id: 'vid-124q9y3' },
  });
  const allows = async (answer: Response) =>
    answer.status === 200 && ((await answer.json()) as { code: number }).code === 0;

  /** A connection ends, as SRS tells of it. */
  async function end(stream: string, client: string, tells = true): Promise<void> {
    const publisher = publishers.get(stream);
    if (publisher?.client === client) {
      publishers.delete(stream);
      for (const player of players.get(stream) ?? []) player.end();
    }
    if (tells) await post(event('on_unpublish', client, stream, publisher?.param ?? ''));
  }

  async function play(stream: string, param: string, answer: ServerResponse): Promise<void> {
    const asked = await post(event('on_play', `p${++clients}`, stream, param));
    played.push({ stream, param, status: asked.status });
    if (!publishers.has(stream) || !(await allows(asked))) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { 'content-type': 'video/x-flv' });
    answer.write(flvBeginning({ video: AVC_HEADER, audio: AAC_HEADER }));
    const all = players.get(stream) ?? new Set();
    players.set(stream, all.add(answer));
    let time = 0;
    const frames = setInterval(() => {
      time += 40;
      answer.write(flvTag(TAG.video, time, picture(time % 400 === 40)));
      answer.write(flvTag(TAG.audio, time, sound()));
    }, 20);
    answer.on('close', () => {
      clearInterval(frames);
      all.delete(answer);
    });
  }

  const server = createServer((request, answer) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '', 'http://srs');
    if (down) return void request.socket.destroy();
    if (pathname.endsWith('.flv'))
      return void play(pathname.slice('/live/'.length, -'.flv'.length), search, answer).catch(() => answer.destroy());
    if (request.headers.authorization !== ACCOUNT) return void answer.writeHead(401).end();
    answer.writeHead(200, { 'content-type': 'application/json' });
    const client = /^\/api\/v1\/clients\/(.+)$/.exec(pathname)?.[1];
    if (client !== undefined && request.method === 'DELETE') {
      kicked.push(client);
      if (endsNobody) return;
      for (const [stream, publisher] of publishers) if (publisher.client === client) void end(stream, client);
      answer.end(JSON.stringify({ code: 0 }));
      return;
    }
    const all = [...publishers].map(([name, publisher]) => {
      publisher.bytes += 50_000;
      const { client: cid, video, audio, bytes } = publisher;
      return {
        ...{
          id: `vid-${name}`,
          name,
          vhost: 'vid-1',
          app: 'live',
          tcUrl: 'rtmp://srs.example/live',
          url: `/live/${name}`,
        },
        ...{ live_ms: Date.now(), clients: 1, frames: bytes / 1000, send_bytes: 0, recv_bytes: bytes },
        ...{ kbps: { recv_30s: 0, send_30s: 0 }, publish: { active: true, cid } },
        video: video && { codec: video, profile: 'High', level: '3.1', width: 320, height: 180 },
        audio: audio && { codec: audio, sample_rate: 44100, channel: 2, profile: 'LC' },
      };
    });
    const start = Number(searchParams.get('start') ?? 0);
    const streams = all.slice(start, start + Number(searchParams.get('count') ?? 10));
    answer.end(JSON.stringify({ code: 0, server: 'vid-0xk989d', service: 's', pid: '1', streams }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    settings: {
      ...{ api: `http://lixue:of-tests@${address}`, flv: `http://${address}`, rtmp: 'rtmp://srs.example/live' },
      ...{ secret: SRS_SECRET, recordings: null as string | null },
    },
    ...{ post, event, end, kicked, played, publishers },
    sendTo: (url: string) => {
      callbacks = url;
    },
    /** It ends without a word, and is there again with nobody. */
    restart: () => {
      publishers.clear();
      for (const all of players.values()) for (const player of all) player.destroy();
    },
    goDown: (isDown: boolean) => {
      down = isDown;
    },
    /** It does not answer when it is asked to end a connection. */
    endNobody: (ends: boolean) => {
      endsNobody = ends;
    },
    /** An encoder comes with what a teacher wrote into it. @returns its connection, or null: it was refused */
    publish: async (streamKey: string, { video = 'H264' as string | null, audio = 'AAC' as string | null } = {}) => {
      const [stream = '', param = ''] = streamKey.split('?');
      const client = `c${++clients}`;
      const answer = await post(event('on_publish', client, stream, `?${param}`));
      if (!(await allows(answer))) return null;
      // As SRS: it asks first, and finds the stream busy then; the end of a connection is told all the same.
      if (publishers.has(stream)) {
        await post(event('on_unpublish', client, stream, `?${param}`));
        return null;
      }
      publishers.set(stream, { client, param: `?${param}`, video, audio, bytes: 0 });
      return client;
    },
    close: async () => {
      for (const all of players.values()) for (const player of all) player.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
