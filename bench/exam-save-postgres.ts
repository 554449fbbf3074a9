import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '#server/test-process.ts';
import { putLoad } from './load.ts';
import { makeSchool, median, report } from './measure.ts';
import { openPapers } from './sitting.ts';

/**
 * Durable saves of one server process on PostgreSQL, against what pgbench reaches with prepared single-row upserts into
 * the same table with as many connections. Rounds alternate; the median of their ratios counts. Needs the address of a
 * PostgreSQL server in TEST_DATABASE_URL (a database of its own is made there and dropped) and pgbench on the PATH;
 * without them it says so and measures nothing.
 */
const CONNECTIONS = 50;
const ROUNDS = 5;
const SECONDS = 3;

const given = process.env.TEST_DATABASE_URL;
if (!given) {
  process.stderr.write('exam-save-postgres: left out, TEST_DATABASE_URL is not set\n');
  process.exit(0);
}
const url = new URL(given);
const database = `lixue_bench_${process.pid}`;
const psql = (command: string) => execFileSync('psql', ['-q', '-d', given, '-c', command]);
psql(`create database ${database}`);
url.pathname = `/${database}`;
const databaseUrl = url.href;
const folder = mkdtempSync(join(tmpdir(), 'lixue-pgbench-'));

try {
  const school = await makeSchool({ students: CONNECTIONS * 2, questions: 100, databaseUrl });
  const server = await startServer({ dataDir: school.dataDir, databaseUrl });
  const request = await openPapers(school, server.port, CONNECTIONS);
  // The control writes into records of its own, which the other half of the students has opened.
  await school.db.query
    .insertInto('exam_records')
    .values(
      school.students.slice(CONNECTIONS).map(({ userId }) => ({
        user_id: userId,
        exam_id: school.examId,
        pack_id: school.pack.packId,
        started_at: Date.now(),
      })) as never,
    )
    .execute();
  const script = join(folder, 'upsert.sql');
  const [firstQuestion = 1] = school.questionIds;
  const { first } = await school.db.query
    .selectFrom('exam_records')
    .select(({ fn }) => fn.min<number>('id').as('first'))
    .where(
      'user_id',
      'in',
      school.students.slice(CONNECTIONS).map(({ userId }) => userId),
    )
    .executeTakeFirstOrThrow();
  writeFileSync(
    script,
    [
      `\\set record ${first} + :client_id`,
      `\\set question random(${firstQuestion}, ${firstQuestion + school.questionIds.length - 1})`,
      '\\set seq random(1, 2000000000)',
      'insert into exam_answers (record_id, question_id, answer, seq, saved_at, total_time) ' +
        "values (:record, :question, 'A', :seq, 1, 1) on conflict (record_id, question_id) do update " +
        'set answer = excluded.answer, seq = excluded.seq, saved_at = excluded.saved_at;',
    ].join('\n'),
  );
  const pgbench = async () => {
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['--no-vacuum', '--protocol', 'prepared', '--client', String(CONNECTIONS), '--jobs', '1'],
      ...['--time', String(SECONDS), '--file', script, databaseUrl],
    ]);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0);
  };
  const load = { connections: CONNECTIONS, seconds: SECONDS, request, port: server.port };
  await putLoad({ ...load, seconds: 1 });
  const ratios: number[] = [];
  const saves: number[] = [];
  const upserts: number[] = [];
  let failed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const control = await pgbench();
    const whole = await putLoad(load);
    ratios.push(whole.perSecond / control);
    saves.push(whole.perSecond);
    upserts.push(control);
    failed += whole.failed;
  }
  await server.stop();
  await school.close();
  if (failed > 0) throw new Error(`${failed} saves failed`);
  report({
    name: 'save_question_postgres',
    value: median(ratios),
    unit: "of pgbench's single-row upserts",
    detail: `${Math.round(median(saves))} durable saves/s against ${Math.round(median(upserts))} upserts/s, ${CONNECTIONS} connections, rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
  psql(`drop database if exists ${database} with (force)`);
}
