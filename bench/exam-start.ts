import { startServer } from '#server/test-process.ts';
import { putLoad, wire } from './load.ts';
import { makeSchool, median, report, startControl } from './measure.ts';

/**
 * Starting a paper of 100 questions: `test_start` of a student who has none yet (a durable new record), then `details` with
 * all questions. The control answers two requests with the same numbers of bytes. Rounds alternate and the median of their
 * ratios counts; each round has students of its own, because a second start would only resume.
 */
const CONNECTIONS = 400;
const ROUNDS = 7;
/** Papers each connection starts in a round. */
const PAPERS = 5;

const school = await makeSchool({
  students: CONNECTIONS * PAPERS * (ROUNDS + 1),
  questions: 100,
  topic:
    '某企业为增值税一般纳税人，本月购入一台需要安装的设备，取得的增值税专用发票上注明价款与税额。下列说法正确的是（　）。',
});
const server = await startServer({ dataDir: school.dataDir });
const control = await startControl();

const bytes = { start: 0, details: 0 };
let round = 0;

async function start(): Promise<number> {
  const records: number[] = [];
  const studentOf = (connection: number, turn: number) =>
    school.students[(round * CONNECTIONS + connection) * PAPERS + Math.floor(turn / 2)];
  const done = await putLoad({
    port: server.port,
    connections: CONNECTIONS,
    seconds: 60,
    request: (connection, turn) => {
      const token = studentOf(connection, turn)?.token ?? '';
      if (turn >= PAPERS * 2) return null;
      if (turn % 2 === 0)
        return wire('GET', `/app/exam/test_start?examId=${school.examId}&windowId=window-bench`, token);
      return wire('GET', `/api/exam/details?recordId=${records[connection]}`, token);
    },
    answer: (connection, turn, body) => {
      if (turn % 2 === 0) {
        records[connection] = Number(/"recordId":(\d+)/.exec(body)?.[1] ?? 0);
        bytes.start = Buffer.byteLength(body);
      } else {
        if (!body.endsWith('}}')) throw new Error('details came cut');
        bytes.details = Buffer.byteLength(body);
      }
    },
  });
  round += 1;
  if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
  return done.perSecond / 2;
}

async function startControlled(): Promise<number> {
  const done = await putLoad({
    port: control.port,
    connections: CONNECTIONS,
    seconds: 60,
    request: (_, turn) =>
      turn >= PAPERS * 2 ? null : wire('GET', `/bytes?n=${turn % 2 === 0 ? bytes.start : bytes.details}`, 'none'),
  });
  return done.perSecond / 2;
}

await start();
await startControlled();
const ratios: number[] = [];
const starts: number[] = [];
for (let at = 0; at < ROUNDS; at += 1) {
  const plain = await startControlled();
  const whole = await start();
  ratios.push(whole / plain);
  starts.push(whole);
}
await server.stop();
await control.stop();
await school.close();
report({
  name: 'exam_start',
  value: median(ratios),
  unit: 'of plain node:http',
  detail: `${Math.round(median(starts))} papers started/s, ${(bytes.details / 1024).toFixed(0)} KB each, rounds ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
});
