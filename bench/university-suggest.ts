import { startServer } from '#server/test-process.ts';
import { putLoad, wire } from './load.ts';
import { median, report, startControl } from './measure.ts';
import { makeUniversities, UNIVERSITIES } from './university-school.ts';

/**
 * Suggestions as two people type without a pause, over the whole list: names, short names, pinyin, initials, and what is
 * nowhere. The figure is the 99th percentile in milliseconds on the wire, the middle of the rounds; a plain node:http
 * server that answers as many bytes says what the machine itself takes.
 */
const CONNECTIONS = 2;
const ROUNDS = 5;
const SECONDS = 2;
const BYTES = 1500;

const TYPED = [
  '北京大学',
  'beijingdaxue',
  'bjdx',
  '北航',
  'chongqing',
  'zhejiangdaxue',
  'hnlg',
  '理工',
  'xyz',
  '东南财经大学',
];
/** Every beginning of every word: one request a key. */
const KEYS = TYPED.flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1)));

const school = await makeUniversities();
const server = await startServer({ dataDir: school.dataDir });
const control = await startControl();
const suggest = (connection: number, turn: number) =>
  wire(
    'GET',
    `/app/university/suggest?name=${encodeURIComponent(KEYS[(connection * 7 + turn) % KEYS.length] ?? '')}`,
    '',
  );
const plain = () => wire('GET', `/bytes?n=${BYTES}`, '');

const load = { connections: CONNECTIONS, seconds: SECONDS };
await putLoad({ ...load, port: server.port, request: suggest });
await putLoad({ ...load, port: control.port, request: plain, seconds: 1 });
const p99: number[] = [];
const p50: number[] = [];
const bare: number[] = [];
let failed = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const whole = await putLoad({ ...load, port: server.port, request: suggest });
  const machine = await putLoad({ ...load, port: control.port, request: plain });
  p99.push(whole.p99);
  p50.push(whole.p50);
  bare.push(machine.p99);
  failed += whole.failed + machine.failed;
}
await server.stop();
await control.stop();
school.close();
if (failed > 0) throw new Error(`${failed} requests failed`);
report({
  name: 'university_suggest_p99',
  value: median(p99),
  unit: 'ms',
  detail: `${UNIVERSITIES} universities, ${CONNECTIONS} people at once, median ${median(p50).toFixed(2)} ms, plain node:http p99 ${median(bare).toFixed(2)} ms, rounds ${p99.map((one) => one.toFixed(1)).join(' ')}`,
});
