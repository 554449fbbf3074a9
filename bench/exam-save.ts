import { startServer } from '#server/test-process.ts';
import { putLoad } from './load.ts';
import { makeSchool, median, report, startControl } from './measure.ts';
import { openPapers } from './sitting.ts';

/**
 * Durable saves through the whole app (socket, session, authorization, rules, commit to disk) against a plain node:http
 * server that parses the same body and answers as much. Rounds alternate, so that both meet the same machine; the median
 * of the rounds' ratios counts. A class at once (200 connections), and fewer that each wait for more of the commits (50).
 */
const ROUNDS = 7;
const SECONDS = 2;

const school = await makeSchool({ students: 200, questions: 100 });
const server = await startServer({ dataDir: school.dataDir });
const control = await startControl();
const request = await openPapers(school, server.port, 200);

for (const [name, connections] of [
  ['save_question', 200],
  ['save_question_50', 50],
] as const) {
  const load = { connections, seconds: SECONDS, request };
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
  if (failed > 0) throw new Error(`${failed} requests failed`);
  report({
    name,
    value: median(ratios),
    unit: 'of plain node:http',
    detail: `${Math.round(median(saves))} durable saves/s on ${connections} connections, slowest p99 ${p99.toFixed(0)} ms, rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
  });
}
await server.stop();
await control.stop();
await school.close();
