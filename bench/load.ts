import { createConnection, type Socket } from 'node:net';

/** One kind of load: so many connections, each asking again as soon as it is answered, for so long. */
interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** The whole request as it goes on the wire; `turn` counts a connection's requests from 0. null ends the connection. */
  request(connection: number, turn: number): string | Buffer | null;
  /** Looks at an answer; what is not 200 counts as failed anyway. */
  answer?(connection: number, turn: number, body: string): void;
  /** What kind of request a turn makes, where several kinds take turns and each is to be measured by itself. */
  kind?(turn: number): string;
}

/** Milliseconds that half, and 99 of 100, of some requests took at most. */
interface Latency {
  p50: number;
  p99: number;
}

interface Measured {
  answered: number;
  failed: number;
  /** Answers with status 200 in a second. */
  perSecond: number;
  /** Of all requests together. */
  p50: number;
  p99: number;
  /** Of each kind by itself, where `Load.kind` names them. */
  kinds: ReadonlyMap<string, Latency>;
  bytes: number;
}

/** An HTTP/1.1 request with a JSON body, or none. */
export function wire(method: 'GET' | 'POST', path: string, token: string, body?: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/**
 * Puts a load on a server and measures. Works on raw sockets, so that this process spends as little as possible beside
 * the server that it measures on the same machine.
 */
export async function putLoad(load: Load): Promise<Measured> {
  const took: number[] = [];
  const tookByKind = new Map<string, number[]>();
  let answered = 0;
  let failed = 0;
  let bytes = 0;
  const began = performance.now();
  const until = began + load.seconds * 1000;

  await Promise.all(
    Array.from({ length: load.connections }, async (_, connection) => {
      const socket = await connect(load.port);
      const next = reader(socket);
      for (let turn = 0; ; turn += 1) {
        const asked = performance.now();
        if (asked >= until) break;
        const request = load.request(connection, turn);
        if (request === null) break;
        socket.write(request);
        const { status, body, size } = await next();
        const ms = performance.now() - asked;
        took.push(ms);
        if (load.kind) {
          const kind = load.kind(turn);
          const known = tookByKind.get(kind);
          if (known) known.push(ms);
          else tookByKind.set(kind, [ms]);
        }
        bytes += size;
        if (status === 200) answered += 1;
        else failed += 1;
        load.answer?.(connection, turn, body());
      }
      socket.destroy();
    }),
  );

  const seconds = (performance.now() - began) / 1000;
  const kinds = new Map([...tookByKind].map(([kind, times]) => [kind, latencyOf(times)]));
  return { answered, failed, perSecond: answered / seconds, ...latencyOf(took), kinds, bytes };
}

function latencyOf(times: number[]): Latency {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

function connect(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

interface Answer {
  status: number;
  size: number;
  body(): string;
}

/** Reads one answer after the other; every server here says `content-length`. */
function reader(socket: Socket): () => Promise<Answer> {
  let have: Buffer[] = [];
  let size = 0;
  let need = 0;
  let wake: ((answer: Answer) => void) | null = null;
  let fail: ((error: Error) => void) | null = null;

  function look(): void {
    if (wake === null || size === 0 || size < need) return;
    const all = have.length === 1 && have[0] ? have[0] : Buffer.concat(have);
    have = [all];
    const end = all.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = all.toString('latin1', 0, end).toLowerCase();
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error(`an answer without content-length: ${head}`);
    need = end + 4 + length;
    if (size < need) return;
    have = size > need ? [all.subarray(need)] : [];
    const answer = {
      status: Number(head.slice(9, 12)),
      size: need,
      body: () => all.toString('utf8', end + 4, end + 4 + length),
    };
    size -= need;
    need = 0;
    const done = wake;
    wake = null;
    done(answer);
  }
  socket.on('data', (chunk: Buffer) => {
    have.push(chunk);
    size += chunk.length;
    look();
  });
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error('the server closed the connection')));
  return () =>
    new Promise<Answer>((resolve, reject) => {
      wake = resolve;
      fail = reject;
      look();
    });
}
