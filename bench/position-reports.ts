import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { rightNoter } from '#server/play/right-store.ts';
import { startServer } from '#server/test-process.ts';
import { wire } from './load.ts';
import { makeSchool, report } from './measure.ts';

/**
 * 10,000 viewers who each report every 30 s, 333 reports a second that come evenly, as from people who began at different
 * moments: what share of one core the server's process spends on them (Linux alone says that). Every report is another
 * viewer's, is decided by the rules and is on the disk before it is answered.
 */
const VIEWERS = 10_000;
const PER_SECOND = VIEWERS / 30;
/** A whole round of all viewers, after one that does not count: of an hour that is watched the first report is one in 120. */
const SECONDS = 30;
const WARM_UP = 31;
const CONNECTIONS = 64;
/** Ticks of the processor's clock in a second, as /proc counts them. */
const TICKS = 100;

const school = await makeSchool({ students: VIEWERS, questions: 1 });
const lessons: number[] = [];
for (let at = 0; at < 20; at += 1) lessons.push(await makeLesson(school, school.pack, { duration: 3600 }));
// Each has opened what they watch.
const films = await school.db.query.selectFrom('lessons').select(['id', 'media_id']).execute();
const mediaOf = new Map(films.map(({ id, media_id }) => [id, media_id ?? 0]));
const note = rightNoter(school.db);
await Promise.all(
  school.students.map(({ userId }, viewer) =>
    note({ userId, mediaId: mediaOf.get(lessons[viewer % lessons.length] ?? 0) ?? 0, at: Date.now() }),
  ),
);
const server = await startServer({ dataDir: school.dataDir });

/** Seconds of the processor that the server has used, its threads included. */
function used(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const sockets: Socket[] = [];
let answered = 0;
let failed = 0;
const asked: number[][] = [];
const took: number[] = [];
for (let at = 0; at < CONNECTIONS; at += 1) {
  const socket = createConnection({ port: server.port, host: '127.0.0.1' });
  await once(socket, 'connect');
  const waiting: number[] = [];
  socket.setEncoding('utf8').on('data', (text: string) => {
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d+)/g)) {
      answered += 1;
      if (status !== '200') failed += 1;
      took.push(performance.now() - (waiting.shift() ?? 0));
    }
  });
  sockets.push(socket);
  asked.push(waiting);
}

let sent = 0;
function send(): void {
  const viewer = (sent * 7919) % VIEWERS;
  const turn = Math.floor(sent / VIEWERS);
  const position = 30 * (1 + turn + (viewer % 50));
  const body = JSON.stringify({
    packId: school.pack.packId,
    firstVideoId: lessons[viewer % lessons.length],
    duration: 30,
    position,
    rate: 1,
    places: [{ from: position - 30, to: position }],
    playId: `opening-${viewer}`,
    seq: turn + 1,
  });
  const at = sent % CONNECTIONS;
  asked[at]?.push(performance.now());
  sockets[at]?.write(wire('POST', '/app/course/report_duration', school.students[viewer]?.token ?? '', body));
  sent += 1;
}

/** Sends evenly for so long. */
async function run(seconds: number): Promise<void> {
  const began = performance.now();
  const before = sent;
  for (;;) {
    const since = (performance.now() - began) / 1000;
    if (since >= seconds) break;
    while (sent - before < since * PER_SECOND) send();
    await new Promise((next) => setTimeout(next, 2));
  }
}

await run(WARM_UP);
took.length = 0;
const [spent, began, first] = [used(), performance.now(), sent];
await run(SECONDS);
const seconds = (performance.now() - began) / 1000;
const share = (used() - spent) / seconds;
while (answered < sent) await new Promise((next) => setTimeout(next, 10));
for (const socket of sockets) socket.destroy();
await server.stop();
await school.close();
if (failed > 0) throw new Error(`${failed} reports failed`);
const slowest = took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
report({
  name: 'position_reports',
  value: 100 * share,
  unit: '% of one core',
  detail: `${((sent - first) / seconds).toFixed(0)} reports/s of ${VIEWERS} viewers, p99 ${slowest.toFixed(0)} ms`,
});
