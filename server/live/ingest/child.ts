import { createServer, Socket } from 'node:net';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addressKey } from '#rules/user/limits.ts';
import { AskTurns } from './ask-turns.ts';
import { Connection } from './connection.ts';
import { framePipe } from './frame-pipe.ts';
import { type FromIngest, readToIngest } from './message.ts';
import { partFiles } from './part-files.ts';
import { Recorder } from './recorder.ts';
import { Streams } from './streams.ts';

/** What the process is told when it is started. */
export interface ChildSettings {
  port: number;
  host: string;
  /** Where recordings go, a folder for each stream. */
  folder: string;
  keepFree: number;
}

/**
 * The process that encoders come to (`ingest.ts` starts it): `child.ts <settings>`. It has no database, no key and no other port than
 * RTMP's. What it knows of keys it asks; frames leave by a pipe that it was born with. It ends when the server does.
 */
const settings = JSON.parse(process.argv[2] ?? '{}') as ChildSettings;

/** The end of the pipe for frames, as `ingest.ts` gives it. */
const PIPE = 4;
const MOST_CONNECTIONS = 128;
/** Of one address, without the right key yet. */
const MOST_OF_ADDRESS = 16;
const ANSWER_WITHIN = 5000;
const TICK = 250;
const ALIVE_EVERY = 1000;
/** Memory that no school's lessons need: something is wrong, and a new process has none of it. */
const MOST_MEMORY = 600 * 1024 * 1024;
const LAST_WRITES = 2000;

// Ctrl-C and service managers reach every process of the group; the server decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
try {
  // Exams come first.
  setPriority(5);
} catch {}

const now = () => performance.now();
const tell = (message: FromIngest) => process.send?.(message, () => undefined);

const pipe = new Socket({ fd: PIPE, readable: false, writable: true });
pipe.on('error', () => undefined);
const streams = new Streams({
  ...{ now, tell, wait, hand: framePipe(pipe) },
  recorder: (stream, { warn, part }) =>
    new Recorder({ disk: partFiles(join(settings.folder, stream)), keepFree: settings.keepFree, warn, part, now }),
});

const asked = new Map<number, (stream: string | null) => void>();
let lastAsk = 0;
const askServer = (key: string) => {
  lastAsk = (lastAsk + 1) % 2 ** 31;
  const id = lastAsk;
  return new Promise<string | null>((resolve) => {
    const answer = (stream: string | null) => {
      clearTimeout(late);
      asked.delete(id);
      resolve(stream);
    };
    const late = setTimeout(answer, ANSWER_WITHIN, null);
    asked.set(id, answer);
    tell({ says: 'ask', id, key });
  });
};
const turns = new AskTurns(now, askServer);

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  server.close();
  for (const { connection } of open.values()) connection.close();
  await Promise.race([streams.end(), wait(LAST_WRITES)]);
  process.exit(0);
}

process.on('disconnect', () => void end());
process.on('message', (said) => {
  const message = readToIngest(said);
  if (message?.says === 'answer') asked.get(message.id)?.(message.stream);
  else if (message?.says === 'cut') streams.cut(message.stream);
  else if (message?.says === 'end') void end();
});

const open = new Map<Socket, { connection: Connection; address: string }>();
const server = createServer((socket) => {
  const ip = socket.remoteAddress ?? '';
  const address = addressKey(ip);
  const strangers = [...open].filter(([, { connection }]) => !connection.publishes);
  const byAddress = Map.groupBy(strangers, ([, each]) => each.address);
  const neighbours = byAddress.get(address) ?? [];
  const most = [...byAddress.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  // One address may be a school: who waited longest gives way, so that nobody keeps a teacher out by doing nothing. In a crowd of many
  // addresses that is one of the address that has the most: who comes alone stays.
  const crowd = neighbours.length >= MOST_OF_ADDRESS ? neighbours : open.size >= MOST_CONNECTIONS ? most : [];
  const [oldest] = crowd;
  if (oldest) {
    oldest[1].connection.close();
    open.delete(oldest[0]);
  } else if (open.size >= MOST_CONNECTIONS) {
    socket.destroy();
    return;
  }
  const authorize = (key: string, isHere: () => boolean) => turns.wait(ip, key, isHere);
  open.set(socket, { connection: new Connection(socket, { streams, authorize }), address });
  socket.once('close', () => open.delete(socket));
});
server.on('error', (error: NodeJS.ErrnoException) => {
  // One connection that could not be taken is no reason to stop.
  if (server.listening) return;
  process.send?.({ says: 'failed', code: error.code ?? 'UNKNOWN' } satisfies FromIngest, () => process.exit(3));
});
server.listen({ port: settings.port, host: settings.host }, () => {
  const address = server.address();
  tell({ says: 'listens', port: typeof address === 'object' && address ? address.port : settings.port });
});

setInterval(() => streams.tick(), TICK);
let said = true;
setInterval(() => {
  if (process.memoryUsage.rss() > MOST_MEMORY) process.exit(4);
  // A server that is busy is not told twice.
  if (!said) return;
  said = false;
  process.send?.({ says: 'alive' } satisfies FromIngest, () => {
    said = true;
  });
}, ALIVE_EVERY);
