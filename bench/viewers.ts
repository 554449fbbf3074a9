import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { rightNoter } from '#server/play/right-store.ts';
import { wire } from './load.ts';
import { makeSchool, type School } from './measure.ts';

/** How many watch at once, and how often each of them reports (seconds). */
export const VIEWERS = 10_000;
const EVERY = 30;
/** The reports of all of them that come in a second. */
const REPORTS_PER_SECOND = VIEWERS / EVERY;
const LESSONS = 20;
const CONNECTIONS = 64;

export interface Viewing {
  school: School;
  /** The lessons that are watched: viewer n watches the one at n modulo their number. */
  lessons: readonly number[];
}

/** A school whose students have all opened the lesson that they watch, and have a right to play it. */
export async function makeViewers(databaseUrl?: string): Promise<Viewing> {
  const school = await makeSchool({ students: VIEWERS, questions: 1, databaseUrl });
  const lessons: number[] = [];
  for (let at = 0; at < LESSONS; at += 1) {
    lessons.push(await makeLesson(school, school.pack, { duration: 3600 }));
  }
  const films = await school.db.query.selectFrom('lessons').select(['id', 'media_id']).execute();
  const mediaOf = new Map(films.map(({ id, media_id }) => [id, media_id ?? 0]));
  const note = rightNoter(school.db);
  await Promise.all(
    school.students.map(({ userId }, viewer) =>
      note({ userId, mediaId: mediaOf.get(lessons[viewer % LESSONS] ?? 0) ?? 0, at: Date.now() }),
    ),
  );
  return { school, lessons };
}

/** Sends the reports of all viewers to a server, evenly, as from people who began at different moments. */
export class Reports {
  /** Milliseconds that each answer took since the last `forget`. */
  took: number[] = [];
  sent = 0;
  failed = 0;
  private answered = 0;
  private cut = false;
  private ending = false;
  private readonly lines: { socket: Socket; asked: number[] }[] = [];
  private readonly viewing: Viewing;

  private constructor(viewing: Viewing) {
    this.viewing = viewing;
  }

  static async to(port: number, viewing: Viewing): Promise<Reports> {
    const reports = new Reports(viewing);
    for (let at = 0; at < CONNECTIONS; at += 1) {
      const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      reports.listen(socket);
    }
    return reports;
  }

  private listen(socket: Socket): void {
    const asked: number[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d+)/g)) {
        this.answered += 1;
        if (status !== '200') this.failed += 1;
        this.took.push(performance.now() - (asked.shift() ?? 0));
      }
    });
    // The server cuts off who sends on and on without an answer (server/http/pipelining.ts): then there is nothing to measure.
    socket.once('close', () => {
      this.cut ||= !this.ending;
    });
    this.lines.push({ socket, asked });
  }

  private send(): void {
    const { school, lessons } = this.viewing;
    const viewer = (this.sent * 7919) % VIEWERS;
    const turn = Math.floor(this.sent / VIEWERS);
    const position = EVERY * (1 + turn + (viewer % 50));
    const body = JSON.stringify({
      packId: school.pack.packId,
      firstVideoId: lessons[viewer % lessons.length],
      duration: EVERY,
      position,
      rate: 1,
      places: [{ from: position - EVERY, to: position }],
      playId: `opening-${viewer}`,
      seq: turn + 1,
    });
    const line = this.lines[this.sent % CONNECTIONS];
    line?.asked.push(performance.now());
    line?.socket.write(wire('POST', '/app/course/report_duration', school.students[viewer]?.token ?? '', body));
    this.sent += 1;
  }

  /** Sends for so many seconds; gives how many it sent. */
  async run(seconds: number): Promise<number> {
    const began = performance.now();
    const before = this.sent;
    for (;;) {
      const since = (performance.now() - began) / 1000;
      if (since >= seconds) return this.sent - before;
      while (this.sent - before < since * REPORTS_PER_SECOND) this.send();
      await new Promise((next) => setTimeout(next, 2));
    }
  }

  /** Waits for the answers that are on their way, and hangs up. */
  async end(): Promise<void> {
    while (this.answered < this.sent) {
      if (this.cut) throw new Error('the server cut a connection off: it was too slow for these reports');
      await new Promise((next) => setTimeout(next, 10));
    }
    this.ending = true;
    for (const { socket } of this.lines) socket.destroy();
  }
}
