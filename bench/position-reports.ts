import { readFileSync } from 'node:fs';
import { startServer } from '#server/test-process.ts';
import { report, startControl } from './measure.ts';
import { makeViewers, Reports, VIEWERS, type Viewing } from './viewers.ts';

/**
 * 10,000 viewers who each report every 30 s, 333 reports a second that come evenly: what share of one core the server's
 * process spends on them (Linux alone says that), and what a plain node:http server that only reads and answers them spends
 * in the same run. Every report is another viewer's, is decided by the rules and is on the disk before it is answered.
 */
/** A whole round of all viewers, after one that does not count: of an hour that is watched the first report is one in 120. */
const SECONDS = 30;
const WARM_UP = 31;
const CONTROL_WARM_UP = 5;
/** Ticks of the processor's clock in a second, as /proc counts them. */
const TICKS = 100;

/** Seconds of the processor that a process has used, its threads included. */
function used(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The share of a core that a process spends on the reports of all viewers once it is warm. */
async function measure({ port, pid }: { port: number; pid: number }, viewing: Viewing, warmUp: number) {
  const reports = await Reports.to(port, viewing);
  await reports.run(warmUp);
  reports.took.length = 0;
  const [spent, began] = [used(pid), performance.now()];
  const sent = await reports.run(SECONDS);
  const seconds = (performance.now() - began) / 1000;
  const share = (used(pid) - spent) / seconds;
  await reports.end();
  if (reports.failed > 0) throw new Error(`${reports.failed} reports failed`);
  const sorted = reports.took.sort((a, b) => a - b);
  return { share, perSecond: sent / seconds, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
}

const viewing = await makeViewers();
const control = await startControl();
const plain = await measure(control, viewing, CONTROL_WARM_UP).finally(control.stop);
const server = await startServer({ dataDir: viewing.school.dataDir });
const ours = await measure(server, viewing, WARM_UP).finally(server.stop);
await viewing.school.close();
report({
  name: 'position_reports',
  value: 100 * ours.share,
  unit: '% of one core',
  detail: `${ours.perSecond.toFixed(0)} reports/s of ${VIEWERS} viewers, p99 ${ours.p99.toFixed(0)} ms`,
});
report({
  name: 'position_reports_control',
  value: ours.share / plain.share,
  unit: '× a plain node:http server',
  detail: `which spends ${(100 * plain.share).toFixed(1)} % of one core on reading and answering them`,
});
