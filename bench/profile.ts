import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startServer } from '#server/test-process.ts';
import { putLoad, wire } from './load.ts';
import { makeSchool, type School } from './measure.ts';
import { openPapers } from './sitting.ts';
import { makeViewers, Reports } from './viewers.ts';

/**
 * `npm run profile -- save|start|hand-in|report [address of an empty PostgreSQL database]`: where the server's time goes while students save, start, hand in or watch. The server
 * runs under V8's sampling profiler; printed is the share of the samples by file and by function, idle time left out.
 * A profile is no measurement: the profiler itself slows the server, so compare shares, not rates.
 */
const CONNECTIONS = 50;
const SECONDS = 6;
const SHOWN = 40;
/** Seconds in which every viewer has reported once. */
const FIRST_REPORTS = 31;
const root = join(import.meta.dirname, '..');

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  /** Microseconds, as the times between two samples are. */
  startTime: number;
  endTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** Makes its school; `run` puts the load on the server that serves it. */
type Scenario = (databaseUrl: string | undefined) => Promise<{ school: School; run(port: number): Promise<void> }>;

/** Enough students that no connection runs out of fresh ones. */
const FRESH = 6000;

/** Requests of fresh students in turn: `steps` of each, then the next student of the connection. */
async function freshStudents(
  school: School,
  port: number,
  steps: readonly ((token: string, recordId: number) => string)[],
): Promise<void> {
  const records: number[] = [];
  await putLoad({
    port,
    connections: CONNECTIONS,
    seconds: SECONDS,
    request: (connection, turn) => {
      const student = school.students[Math.floor(turn / steps.length) * CONNECTIONS + connection];
      if (!student) return null;
      return steps[turn % steps.length]?.(student.token, records[connection] ?? 0) ?? null;
    },
    answer: (connection, turn, body) => {
      if (turn % steps.length === 0) records[connection] = Number(/"recordId":(\d+)/.exec(body)?.[1] ?? 0);
    },
  });
}

const sitting =
  (students: number, run: (school: School, port: number) => Promise<void>): Scenario =>
  async (databaseUrl) => {
    const school = await makeSchool({ students, questions: 50, databaseUrl });
    return { school, run: (port) => run(school, port) };
  };

const scenarios: Readonly<Record<string, Scenario>> = {
  save: sitting(CONNECTIONS, async (school, port) => {
    const request = await openPapers(school, port, CONNECTIONS);
    await putLoad({ port, connections: CONNECTIONS, seconds: SECONDS, request });
  }),
  start: sitting(FRESH, (school, port) =>
    freshStudents(school, port, [
      (token) => wire('GET', `/app/exam/test_start?examId=${school.examId}&windowId=window-bench`, token),
      (token, recordId) => wire('GET', `/api/exam/details?recordId=${recordId}`, token),
    ]),
  ),
  'hand-in': sitting(FRESH, (school, port) =>
    freshStudents(school, port, [
      (token) => wire('GET', `/app/exam/test_start?examId=${school.examId}&windowId=window-bench`, token),
      (token, recordId) => {
        const answers = school.questionIds.map((questionId, at) => ({ questionId, answer: 'A', seq: at + 1 }));
        const body = { examId: school.examId, recordId, windowId: 'window-bench', totalTime: 60, answers };
        return wire('POST', '/api/exam/submit', token, JSON.stringify(body));
      },
      (token, recordId) => wire('GET', `/app/exam/review?recordId=${recordId}`, token),
    ]),
  ),
  report: async (databaseUrl) => {
    const viewing = await makeViewers(databaseUrl);
    return {
      school: viewing.school,
      run: async (port) => {
        const reports = await Reports.to(port, viewing);
        // Each viewer's first report stands apart: it writes a row where the others change one.
        await reports.run(FIRST_REPORTS + SECONDS);
        await reports.end();
      },
    };
  },
};

/** A file as a person knows it: a package by its name, Node's own by theirs, ours by their path. */
function placeOf(url: string): string {
  if (url === '') return '(V8, garbage collection, native code)';
  if (!url.startsWith('file://')) return url;
  const path = relative(root, new URL(url).pathname);
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
  return packaged ? `node_modules/${packaged[1]}` : path;
}

function print(title: string, shares: ReadonlyMap<string, number>, total: number): void {
  process.stdout.write(`\n${title}\n`);
  const sorted = [...shares].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  for (const [name, time] of sorted) {
    const share = (100 * time) / total;
    if (share >= 0.3) process.stdout.write(`${share.toFixed(1).padStart(6)} %  ${name}\n`);
  }
}

function summarise(profile: CpuProfile): void {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFile = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let total = 0;
  let idle = 0;
  let now = profile.startTime;
  // The server's start is none of the question: only the load at the end is.
  const from = profile.endTime - SECONDS * 1e6;
  for (const [at, id] of profile.samples.entries()) {
    const frame = frames.get(id);
    const time = profile.timeDeltas[at] ?? 0;
    now += time;
    if (now < from || !frame || frame.functionName === '(root)') continue;
    if (frame.functionName === '(idle)') {
      idle += time;
      continue;
    }
    total += time;
    const place = placeOf(frame.url);
    byFile.set(place, (byFile.get(place) ?? 0) + time);
    const name = `${frame.functionName || '(anonymous)'}  ${frame.url === '' ? '' : `${place}:${frame.lineNumber + 1}`}`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + time);
  }
  process.stdout.write(`idle ${((100 * idle) / (idle + total)).toFixed(0)} %\n`);
  print('by file or package', byFile, total);
  print('by function', byFunction, total);
}

const [name = '', databaseUrl] = process.argv.slice(2);
const scenario = scenarios[name];
if (!scenario) {
  process.stderr.write(
    `npm run profile -- ${Object.keys(scenarios).join('|')} [address of an empty PostgreSQL database]\n`,
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'lixue-profile-'));
const { school, run } = await scenario(databaseUrl);
const profiler = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
const server = await startServer({ dataDir: school.dataDir, databaseUrl, node: profiler });
await run(server.port);
await server.stop();
await school.close();
for (const file of readdirSync(folder)) {
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  process.stdout.write(`\n${file.replace(/^CPU\.\d+\.\d+\.\d+\./, 'thread ')}: ${profile.samples.length} samples\n`);
  summarise(profile);
}
rmSync(folder, { recursive: true, force: true });
