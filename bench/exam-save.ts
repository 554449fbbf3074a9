import { startServer } from '#server/test-process.ts';
import { putLoad, wire } from './load.ts';
import { makeSchool, median, report, startControl } from './measure.ts';

/**
 * Durable saves through the whole app (socket, session, authorization, rules, commit to disk) against a plain node:http
 * server that parses the same body and answers as much. Rounds alternate, so that both meet the same machine; the median
 * of the rounds' ratios counts.
 */
const CONNECTIONS = 200;
const ROUNDS = 7;
const SECONDS = 2;

const school = await makeSchool({ students: CONNECTIONS, questions: 100 });
const server = await startServer({
  dataDir: school.dataDir,
  node: process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : [],
});
const control = await startControl();

const records: number[] = [];
await putLoad({
  port: server.port,
  connections: CONNECTIONS,
  seconds: 60,
  request: (connection, turn) =>
    turn > 0
      ? null
      : wire(
          'GET',
          `/app/exam/test_start?examId=${school.examId}&windowId=window-bench`,
          school.students[connection]?.token ?? '',
        ),
  answer: (connection, _, body) => {
    records[connection] = (JSON.parse(body) as { data: { recordId: number } }).data.recordId;
  },
});

let seq = 0;
const saveFrom = (connection: number, turn: number) => {
  seq += 1;
  const questionId = school.questionIds[turn % school.questionIds.length];
  const answer = 'AB'[seq % 2];
  const body = `{"examId":${school.examId},"recordId":${records[connection]},"questionId":${questionId},"answer":"${answer}","totalTime":${turn},"seq":${seq},"windowId":"window-bench"}`;
  return wire('POST', '/api/exam/save_question', school.students[connection]?.token ?? '', body);
};

const load = { connections: CONNECTIONS, seconds: SECONDS, request: saveFrom };
await putLoad({ ...load, port: server.port, seconds: 1 });
await putLoad({ ...load, port: control.port, seconds: 1 });
const ratios: number[] = [];
const saves: number[] = [];
let p99 = 0;
let failed = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const plain = await putLoad({ ...load, port: control.port });
  const whole = await putLoad({ ...load, port: server.port });
  ratios.push(whole.perSecond / plain.perSecond);
  saves.push(whole.perSecond);
  p99 = Math.max(p99, whole.p99);
  failed += whole.failed + plain.failed;
}
await server.stop();
await control.stop();
await school.close();
if (failed > 0) throw new Error(`${failed} requests failed`);
report({
  name: 'save_question',
  value: median(ratios),
  unit: 'of plain node:http',
  detail: `${Math.round(median(saves))} durable saves/s, slowest p99 ${p99.toFixed(0)} ms, rounds ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
});
