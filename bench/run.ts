import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../tools/prepare.mjs';
import type { Finding } from './measure.ts';

/**
 * `npm run bench [name …]`: runs the benches one after the other, each in a process of its own, and prints what they found
 * against the budgets of budgets.json. Exit code 1 when one is over its budget or failed.
 */
interface Budget {
  least?: number;
  most?: number;
  says: string;
}

const benches = [
  'second-start',
  'exam-save',
  'exam-save-postgres',
  'exam-details',
  'exam-start',
  'exam-hand-in',
  'exam-close',
  'one-against-all',
  'position-reports',
  'import',
  'web-first-visit',
  'web-choose',
  'web-long-paper',
  'web-review',
  'university-suggest',
  'university-typing',
  'review-schedule',
  'plan-simulation',
  'plan-today',
  'wrong-list',
  'qa',
  'market',
  'web-home',
  'orders',
  'statistics',
  'question-quality',
  'media-segments',
  'media-transcode',
  'play-start',
  'live-chat',
  'live-soak',
];
/** Those that open pages and are not called so. */
const WITH_PAGES = new Set(['university-typing', 'play-start', 'live-soak']);
const budgets = JSON.parse(readFileSync(join(import.meta.dirname, 'budgets.json'), 'utf8')) as Record<string, Budget>;

/** Runs one bench; @returns what it reported, and whether it ended well. */
function run(name: string): Promise<{ findings: Finding[]; ok: boolean }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const findings = said
        .split('\n')
        .filter((line) => line.startsWith('{"name"'))
        .map((line) => JSON.parse(line) as Finding);
      resolve({ findings, ok: code === 0 && findings.length > 0 });
    });
  });
}

const wanted = process.argv.slice(2);
const chosen = wanted.length === 0 ? benches : benches.filter((name) => wanted.some((word) => name.includes(word)));
if (chosen.length === 0) {
  process.stderr.write(`No such bench. There are: ${benches.join(', ')}\n`);
  process.exit(2);
}
// Pages are measured as they are built; one that was never built shows nothing, and an older one another program.
if (chosen.some((name) => name.startsWith('web-') || WITH_PAGES.has(name))) buildWeb({ sizes: false });
process.stdout.write(`${cpus().length} cores, load ${(loadavg()[0] ?? 0).toFixed(1)} before the first bench\n\n`);
let over = 0;
for (const name of chosen) {
  const { findings, ok } = await run(name);
  for (const { name: what, value, unit, detail } of findings) {
    const budget = budgets[what];
    const kept =
      (budget?.least === undefined || value >= budget.least) && (budget?.most === undefined || value <= budget.most);
    const limit =
      budget?.least === undefined
        ? budget?.most === undefined
          ? ''
          : `at most ${budget.most}`
        : `at least ${budget.least}`;
    if (!kept) over += 1;
    process.stdout.write(
      `${kept ? 'ok  ' : 'OVER'} ${what}: ${Number(value.toFixed(3))} ${unit}${limit ? ` (${limit})` : ''} — ${detail}\n`,
    );
  }
  if (!ok) {
    over += 1;
    process.stdout.write(`FAILED ${name}\n`);
  }
}
process.exit(over > 0 ? 1 : 0);
