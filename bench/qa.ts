import { execFileSync } from 'node:child_process';
import { startServer } from '#server/test-process.ts';
import { median, report } from './measure.ts';
import { makeQaSchool } from './qa-school.ts';

/**
 * Lists, search and the teachers' queue of a large school: a million questions with three million answers and comments, all of them in
 * one pack and all findable (bench/qa-school.ts), on SQLite and, with TEST_DATABASE_URL, on PostgreSQL in a database of its own. The
 * figures are the slowest call's 99th percentile, and the dearest one's median as a multiple of a page of the packs, which reads
 * nothing of Q&A. To write the data takes a minute on SQLite and eleven on PostgreSQL.
 */
/** `QA_QUESTIONS` for a machine that has less time. */
const QUESTIONS = Number(process.env.QA_QUESTIONS ?? 1_000_000);
const TURNS = 200;

async function run(prefix: string, databaseUrl?: string): Promise<void> {
  const begun = performance.now();
  const school = await makeQaSchool(QUESTIONS, databaseUrl);
  process.stderr.write(`${prefix}: written in ${Math.round((performance.now() - begun) / 1000)} s\n`);
  const { students, teachers } = school;
  const { packId } = school.pack;
  const search = (keyword: string) => `/app/qa/search?packId=${packId}&keyword=${encodeURIComponent(keyword)}`;
  const queueOf = (show: string, keyword: string) =>
    `/app/qa/queue?show=${show}&keyword=${encodeURIComponent(keyword)}`;
  const typed = encodeURIComponent('请问定积分换元为什么这样做，第 12 题老师讲错了吗');
  const calls: readonly [name: string, path: string, byTeacher?: true][] = [
    ['list', `/app/feedback/list?packId=${packId}&feedbackType=41&timeSortType=1&myState=0`],
    ['list, page 900', `/app/feedback/list?packId=${packId}&feedbackType=41&myState=0&pageNum=900`],
    ['list, before one in the middle', `/app/feedback/list?packId=${packId}&myState=0&beforeId=${QUESTIONS / 2}`],
    ['own', `/app/feedback/list?packId=${packId}&myState=1`],
    ['newest', '/app/qa/newest'],
    ['details', `/app/qa/details?id=${QUESTIONS - 1}`],
    ['search, rare', search('洛必达')],
    ['search, in answers', search('夹逼准则')],
    ['search, common', search('极限')],
    ['search, two common', search('极限 怎么求')],
    ['search, a sign', search('税')],
    ['recommend', `/app/qa/recommend_reply?packId=${packId}&feedbackDesc=${typed}`],
    ['queue', '/app/qa/queue', true],
    ['queue, of a type', '/app/qa/queue?feedbackType=32', true],
    ['queue, of a type and pack', `/app/qa/queue?feedbackType=41&packId=${packId}`, true],
    ['queue, all, page 900', '/app/qa/queue?show=all&pageNum=900', true],
    ['queue, all of a rare type', '/app/qa/queue?show=all&feedbackType=33', true],
    ['queue, by words', queueOf('waiting', '极限'), true],
    ['queue, all by words', queueOf('all', '洛必达'), true],
    ['waiting', '/app/qa/waiting', true],
  ];
  const server = await startServer({
    dataDir: school.dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  });
  try {
    const ask = async (path: string, token: string) => {
      const asked = performance.now();
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { code } = (await answer.json()) as { code: number };
      if (code !== 200) throw new Error(`${path} answered ${code}`);
      return performance.now() - asked;
    };
    // Each call is asked for by another session: no person asks for one more often than one may.
    const measure = async (path: string, byTeacher = false) => {
      const times: number[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        const token = byTeacher ? teachers[turn % teachers.length] : students[turn % students.length]?.token;
        times.push(await ask(path, token ?? ''));
      }
      times.sort((one, other) => one - other);
      return { p99: times[Math.floor(TURNS * 0.99) - 1] ?? 0, median: median(times) };
    };
    await measure('/api/user/course_list');
    const control = await measure('/api/user/course_list');
    const found: { name: string; p99: number; median: number }[] = [];
    for (const [name, path, byTeacher] of calls) {
      const { p99, median: middle } = await measure(path, byTeacher);
      process.stderr.write(`${prefix} ${name}: median ${middle.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`);
      found.push({ name, p99, median: middle });
    }
    const slowest = found.reduce((one, other) => (other.p99 > one.p99 ? other : one));
    report({
      name: `${prefix}_p99`,
      value: slowest.p99,
      unit: 'ms',
      detail: `${slowest.name}; ${QUESTIONS} questions, ${3 * QUESTIONS} entries under them, all findable`,
    });
    const dearest = found.reduce((one, other) => (other.median > one.median ? other : one));
    report({
      name: `${prefix}_of_control`,
      value: dearest.median / control.median,
      unit: '×',
      detail: `${dearest.name}: median ${dearest.median.toFixed(1)} ms, own packs ${control.median.toFixed(1)} ms`,
    });
  } finally {
    await server.stop();
    await school.close();
  }
}

await run('qa');
const given = process.env.TEST_DATABASE_URL;
if (!given) process.stderr.write('qa: PostgreSQL left out, TEST_DATABASE_URL is not set\n');
else {
  const url = new URL(given);
  const database = `lixue_bench_${process.pid}`;
  const psql = (command: string) => execFileSync('psql', ['-q', '-d', given, '-c', command]);
  psql(`create database ${database}`);
  url.pathname = `/${database}`;
  try {
    await run('qa_postgres', url.href);
  } finally {
    psql(`drop database ${database} with (force)`);
  }
}
