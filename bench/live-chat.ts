import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { makeRoom } from '#server/live/talk/talk.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { makeSchool, report } from './measure.ts';

/**
 * The room of a live lesson in one process: 1,000 viewers with a socket each, teachers who say 10 messages a second. How long it takes from the
 * moment that a message is sent until every viewer has it; then half of the viewers are cut off for 30 s, come back spread over some
 * seconds and catch up, and each of them has to have every number once. Last both servers are told as much as they take, one after the other
 * in turns: how many messages a second reach viewers, against a plain fan-out without session, database and rules.
 */
const VIEWERS = 1000;
const PER_SECOND = 10;
const WARM_UP = 3;
const SECONDS = 20;
const CUT = 30;
/** They come back over so many seconds, as the page does it. */
const SPREAD = 10;
const TEACHERS = 12;
/** Messages that are sent at once where as many as possible are. */
const AT_ONCE = 4;
const BURST = 200;
const TURNS = 3;

/** One viewer: the numbers it has, in the order in which it got them. */
interface Viewer {
  token: string;
  socket: Socket | null;
  seqs: number[];
  doubled: number;
  /** Looks at what came. */
  heard: (text: string, at: number) => void;
}

const school = await makeSchool({ students: VIEWERS, questions: 1 });
const now = Date.now();
const teachers: { token: string }[] = [];
let teacherId = 0;
for (let at = 0; at < TEACHERS; at += 1) {
  const { id } = await school.db.query
    .insertInto('users')
    .values({
      ...{ phone: String(13_900_000_000 + at), password_hash: null, nickname: `老师${at}`, role: 'teacher' },
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  teacherId = id;
  teachers.push(await createSession(school.db.query, randomBytes, id, now));
}
const liveId = await makeRoom({ db: school.db, time: { now } }, { packId: school.pack.packId, teacherId });
const server = await startServer({ dataDir: school.dataDir });

/** Opens a WebSocket by hand: a library's would cost more than the server that is measured. Frames of text that come are read. */
async function open(port: number, path: string, token: string, heard: Viewer['heard']): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  let rest: Buffer = Buffer.alloc(0);
  let upgraded = false;
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error('the socket closed before it opened')));
    socket.on('data', (bytes: Buffer) => {
      const at = performance.timeOrigin + performance.now();
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      if (!upgraded) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        if (!rest.toString('latin1', 0, 12).includes('101')) return reject(new Error(rest.toString()));
        upgraded = true;
        rest = rest.subarray(end + 4);
        resolve();
      }
      for (;;) {
        if (rest.length < 2) return;
        const short = (rest[1] ?? 0) & 127;
        const head = short === 126 ? 4 : short === 127 ? 10 : 2;
        if (rest.length < head) return;
        const length = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
        if (rest.length < head + length) return;
        const kind = (rest[0] ?? 0) & 15;
        if (kind === 1) heard(rest.toString('utf8', head, head + length), at);
        // A ping is answered, masked as a browser's.
        if (kind === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
        rest = rest.subarray(head + length);
      }
    });
  });
  return socket;
}

const took: number[] = [];
let measuring = false;
const SEQ = /"seq":(\d+),"kind"/g;
const SENT = /"text":"(\d+(?:\.\d+)?)/g;
const viewers: Viewer[] = school.students.map(({ token }) => {
  const viewer: Viewer = {
    ...{ token, socket: null, seqs: [], doubled: 0 },
    heard: (text, at) => {
      // How the room stands repeats a pinned message, and nothing else that has a number.
      if (text.startsWith('{"events":[]')) return;
      for (const [, seq] of text.matchAll(SEQ)) {
        if (Number(seq) <= (viewer.seqs.at(-1) ?? 0)) viewer.doubled += 1;
        else viewer.seqs.push(Number(seq));
      }
      if (measuring) for (const [, sent] of text.matchAll(SENT)) took.push(at - Number(sent));
    },
  };
  return viewer;
});
const path = `/app/live/chat?liveId=${liveId}`;
const come = async (viewer: Viewer) => {
  viewer.socket = await open(server.port, path, viewer.token, viewer.heard);
};
for (let at = 0; at < VIEWERS; at += 50) await Promise.all(viewers.slice(at, at + 50).map(come));

let said = 0;
const origin = `http://127.0.0.1:${server.port}`;
async function say(): Promise<void> {
  said += 1;
  const mine = said;
  const reply = await fetch(`${origin}/app/live/talk_say`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${teachers[mine % TEACHERS]?.token}` },
    body: JSON.stringify({
      ...{ liveId, clientId: `message-${mine}` },
      text: `${performance.timeOrigin + performance.now()} 第 ${mine} 句`,
    }),
  });
  if (reply.status !== 200) throw new Error(await reply.text());
  await reply.arrayBuffer();
}
/** Says evenly for so long. */
async function talk(seconds: number): Promise<void> {
  const began = performance.now();
  const before = said;
  const saying: Promise<void>[] = [];
  for (let since = 0; since < seconds; since = (performance.now() - began) / 1000) {
    while (said - before < since * PER_SECOND) saying.push(say());
    await new Promise((next) => setTimeout(next, 5));
  }
  await Promise.all(saying);
}
const allHave = async (of: readonly Viewer[], count: number) => {
  const until = performance.now() + 30_000;
  while (of.some(({ seqs }) => seqs.length < count) && performance.now() < until)
    await new Promise((next) => setTimeout(next, 20));
};

await talk(WARM_UP);
measuring = true;
await talk(SECONDS);
await allHave(viewers, said);
measuring = false;
took.sort((one, other) => one - other);
const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
report({
  name: 'live_chat_receive',
  value: at(0.99),
  unit: 'ms (p99)',
  detail: `${VIEWERS} viewers, ${PER_SECOND} messages/s, ${took.length} received; p50 ${at(0.5).toFixed(0)} ms, slowest ${at(1).toFixed(0)} ms`,
});

// Half of them are cut off without a word, while the others go on talking.
const cut = viewers.filter((_, place) => place % 2 === 0);
for (const { socket } of cut) socket?.destroy();
await talk(CUT);
/** As the page does it: into the room first, then what was missed; a number that it has is not taken again. */
async function comeBack(viewer: Viewer): Promise<void> {
  const missed = [...viewer.seqs];
  const live: number[] = [];
  viewer.socket = await open(server.port, path, viewer.token, (text) => {
    if (text.startsWith('{"events":[]')) return;
    for (const [, seq] of text.matchAll(SEQ)) live.push(Number(seq));
  });
  for (let more = true; more; ) {
    const reply = await fetch(`${origin}/app/live/talk?liveId=${liveId}&after=${missed.at(-1) ?? 0}`, {
      headers: { authorization: `Bearer ${viewer.token}` },
    });
    // As the page does where the server is too busy.
    if (!reply.ok) {
      await reply.arrayBuffer();
      await new Promise((next) => setTimeout(next, 3000 * Math.random()));
      continue;
    }
    const { data } = (await reply.json()) as { data: { list: { seq: number }[]; more: boolean } };
    missed.push(...data.list.map(({ seq }) => seq));
    ({ more } = data);
  }
  const join = () => {
    for (const seq of live.splice(0)) if (seq > (missed.at(-1) ?? 0)) missed.push(seq);
    viewer.seqs = [...missed];
  };
  join();
  const joining = setInterval(join, 20);
  joining.unref();
}
const coming = cut.map(async (viewer) => {
  await new Promise((next) => setTimeout(next, Math.random() * SPREAD * 1000));
  await comeBack(viewer);
});
await Promise.all([talk(SPREAD + 2), ...coming]);
await allHave(viewers, said);
const lost = viewers.reduce((sum, { seqs }) => sum + said - new Set(seqs).size, 0);
const wrong = viewers.filter(({ seqs, doubled }) => doubled > 0 || seqs.some((seq, place) => seq !== place + 1)).length;
report({
  name: 'live_chat_lost',
  value: lost + wrong,
  unit: 'messages lost or out of order',
  detail: `${said} messages to ${VIEWERS} viewers, ${cut.length} of them away for ${CUT} s`,
});

// ---- as many as they take, in turns with a fan-out without anything ----

const child = spawn(process.execPath, [join(import.meta.dirname, 'fan-out-control.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [told] = (await once(child.stdout, 'data')) as [Buffer];
const control = Number(told.toString());
let controlHeard = 0;
const others: Socket[] = [];
for (let place = 0; place < VIEWERS; place += 50)
  others.push(
    ...(await Promise.all(
      Array.from({ length: 50 }, () =>
        open(control, '/', 'none', (text) => {
          for (const _ of text.matchAll(SEQ)) controlHeard += 1;
        }),
      ),
    )),
  );

/** Sends so many, a few at once. @returns messages a second that reached viewers */
async function burst(send: (place: number) => Promise<void>, received: () => number): Promise<number> {
  const before = received();
  const began = performance.now();
  let place = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (place < BURST) await send(place++);
    }),
  );
  const until = performance.now() + 60_000;
  while (received() - before < BURST * VIEWERS && performance.now() < until)
    await new Promise((next) => setTimeout(next, 2));
  return (BURST * VIEWERS) / ((performance.now() - began) / 1000);
}
const ours: number[] = [];
const plain: number[] = [];
const body = (place: number) => ({ kind: 'said', saidAt: now, userId: 1, nickname: '老师', text: `第 ${place} 句` });
for (let turn = 0; turn < TURNS; turn += 1) {
  plain.push(
    await burst(
      async (place) => {
        const reply = await fetch(`http://127.0.0.1:${control}/say`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body(place)),
        });
        await reply.arrayBuffer();
      },
      () => controlHeard,
    ),
  );
  ours.push(await burst(say, () => viewers.reduce((sum, { seqs }) => sum + seqs.length, 0)));
}
const middle = (figures: number[]) =>
  [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;
report({
  name: 'live_chat_fan_out',
  value: middle(ours) / middle(plain),
  unit: 'of a plain WebSocket fan-out',
  detail: `${middle(ours).toFixed(0)} messages/s reach viewers, a plain fan-out ${middle(plain).toFixed(0)}`,
});
for (const socket of [...others, ...viewers.map((viewer) => viewer.socket)]) socket?.destroy();
child.kill();
await server.stop();
await school.close();
process.exit(0);
