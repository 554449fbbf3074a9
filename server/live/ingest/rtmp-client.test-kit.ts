import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type AmfValue, readAmf, writeAmf } from './amf0.ts';
import { AFTER_KEY, ChunkReader, KIND, type RtmpMessage, writeChunks } from './chunks.ts';

/** The parameters of a codec and frames of no picture: nobody here decodes them. */
export const AVC_HEADER = Buffer.from('17000000000164001fffe1000467640000010000', 'hex');
export const AAC_HEADER = Buffer.from('af001210', 'hex');
export const picture = (key: boolean, size = 200, fill = 7) =>
  Buffer.concat([Buffer.from([key ? 0x17 : 0x27, 1, 0, 0, 0]), Buffer.alloc(size, fill)]);
export const sound = (size = 40, fill = 9) => Buffer.concat([Buffer.from([0xaf, 1]), Buffer.alloc(size, fill)]);

/** An encoder that says exactly what a test wants, also what no encoder would. */
export interface RtmpClient {
  socket: Socket;
  /** What the server answered: names of commands, with the code of a status. */
  answers: string[];
  /** The whole of each status. */
  said: string;
  isClosed(): boolean;
  closed(): Promise<void>;
  send(bytes: Buffer): void;
  command(...values: AmfValue[]): void;
  message(message: RtmpMessage, id?: number): void;
  video(time: number, data: Buffer): void;
  audio(time: number, data: Buffer): void;
  /** Waits until one of the answers is this. */
  answered(what: string): Promise<void>;
}

export const hello = Buffer.concat([Buffer.of(3), Buffer.alloc(1536, 1)]);

/** Opens a connection, `from` an address of this machine; with `greet` the greeting is done, with `key` it has asked to publish. */
export async function rtmpClient(
  port: number,
  how: { greet?: boolean; key?: string; app?: string; from?: string } = {},
): Promise<RtmpClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: how.from ?? '127.0.0.1' });
  await once(socket, 'connect');
  let isClosed = false;
  const gone = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  socket.on('error', () => undefined);
  const reader = new ChunkReader();
  reader.bounds = AFTER_KEY;
  const waiters = new Map<string, () => void>();
  const client: RtmpClient = {
    socket,
    answers: [],
    said: '',
    isClosed: () => isClosed,
    closed: () => gone,
    send: (bytes) => void socket.write(bytes),
    command: (...values) => client.message({ kind: KIND.command, time: 0, body: writeAmf(values) }, 3),
    message: (message, id = 4) => void socket.write(writeChunks(message, { id, stream: 1, chunkSize: 128 })),
    video: (time, body) => client.message({ kind: KIND.video, time, body }, 6),
    audio: (time, body) => client.message({ kind: KIND.audio, time, body }, 4),
    answered: async (what) => {
      if (client.answers.includes(what)) return;
      await Promise.race([
        new Promise<void>((resolve) => waiters.set(what, resolve)),
        gone.then(() => {
          if (!client.answers.includes(what)) throw new Error(`closed before ${what}: ${client.answers.join()}`);
        }),
      ]);
    },
  };
  let early = 1 + 1536 * 2;
  socket.on('data', (bytes: Buffer) => {
    const rest = bytes.subarray(Math.min(early, bytes.length));
    early -= bytes.length - rest.length;
    reader.push(rest, ({ kind, body }) => {
      if (kind !== KIND.command) return true;
      const [name, , , info] = readAmf(body) ?? [];
      const code = info instanceof Map ? String(info.get('code')) : '';
      const answer = name === 'onStatus' ? code : String(name);
      client.answers.push(answer);
      client.said += body.toString('utf8');
      waiters.get(answer)?.();
      return true;
    });
  });
  if (how.greet || how.key !== undefined) client.send(Buffer.concat([hello, Buffer.alloc(1536)]));
  if (how.key !== undefined) {
    const about = new Map<string, AmfValue>([
      ['app', how.app ?? 'live'],
      ['tcUrl', `rtmp://127.0.0.1:${port}/live`],
    ]);
    client.command('connect', 1, about);
    client.command('releaseStream', 2, null, how.key);
    client.command('FCPublish', 3, null, how.key);
    client.command('createStream', 4, null);
    client.command('publish', 5, null, how.key, 'live');
  }
  return client;
}

/** One that publishes, with the beginnings of both tracks. */
export async function publisher(port: number, key: string): Promise<RtmpClient> {
  const client = await rtmpClient(port, { key });
  await client.answered('NetStream.Publish.Start');
  client.video(0, AVC_HEADER);
  client.audio(0, AAC_HEADER);
  return client;
}
