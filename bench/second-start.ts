import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, report } from './measure.ts';

/**
 * `npm start` on a folder that has been started before, until the first page comes: seconds. The first start, which is not
 * measured, loads the demo packs; packages and web app are there already.
 */
const ROUNDS = 3;

const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'lixue-bench-'));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts, waits for the page, ends. @returns seconds until the page came */
async function start(): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    // A group of its own, so that npm and the server end together.
    detached: true,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', REDIS_URL: '', NODE_ENV: '' },
  });
  const gone = once(child, 'exit');
  try {
    for (;;) {
      const page = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      if (page?.ok) break;
      if (child.exitCode !== null) throw new Error('npm start ended');
      await new Promise((next) => setTimeout(next, 20));
    }
    return (performance.now() - began) / 1000;
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await gone;
  }
}

await start();
const took: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) took.push(await start());
rmSync(dataDir, { recursive: true, force: true });
report({
  name: 'second_start',
  value: median(took),
  unit: 's',
  detail: `npm start until the first page, rounds ${took.map((one) => one.toFixed(2)).join(' ')}`,
});
