import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { freePort, startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { clockInPicture, startEncoder } from '../e2e/encoder.ts';
import { findBrowser } from '../tools/browser.mjs';
import { makeSchool, median, report } from './measure.ts';

/**
 * A live lesson for as many minutes as SOAK_MINUTES says, and for four at least: a real encoder with a clock burnt into its picture, the whole server, and the
 * page of a student in Chromium. On the way the encoder stands still twice, the student's network once; then the page is hidden. A browser
 * without a window hides none, so its repeated timers run once a minute instead, as in a tab that was hidden for long. With a Chromium that has windows
 * (SOAK_WINDOW its path, DISPLAY a screen, such as one of Xvfb) another tab is put in front for true; the encoder stands still once meanwhile, and the whole
 * page stands still as one does that its system froze. Measured is how far the picture is behind the
 * encoder, read from the picture, and what server, ingest and page keep in memory. What is told on the way goes to the standard error.
 */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 4);
/** Pictures a second. */
const RATE = 10;
const READ_EVERY = 2000;
const ENCODER_STANDS = 4000;
const NETWORK_STANDS = 8000;
/** After a break a picture has so long to be near again before its delay counts as a normal one. */
const SETTLES = 30_000;
/** Its timers are slow for this share of the whole. */
const HIDDEN = 0.12;
/** So long a hidden page is frozen. */
const FROZEN = 30_000;
const WINDOW = process.env.SOAK_WINDOW;

declare global {
  interface Window {
    /** Set by the bench in the page: repeated timers run no more often than this (milliseconds). */
    slowest: number;
  }
}

const school = await makeSchool({ students: 1, questions: 1 });
const now = Date.now();
const { id: teacherId } = await school.db.query
  .insertInto('users')
  .values({
    ...{ phone: '13900000000', password_hash: null, nickname: '老师', role: 'teacher' },
    created_at: now,
  })
  .returning('id')
  .executeTakeFirstOrThrow();
const teacher = await createSession(school.db.query, randomBytes, teacherId, now);
const rtmpPort = await freePort();
const server = await startServer({ dataDir: school.dataDir, env: { RTMP_PORT: String(rtmpPort) } });

/** The student's network: passes all on, or stands still with every connection open. */
const sockets = new Set<Socket>();
const network = createServer((near) => {
  const far = connect(server.port, '127.0.0.1');
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      near.destroy();
      far.destroy();
    });
  }
  near.on('data', (bytes) => far.write(bytes));
  far.on('data', (bytes) => {
    if (near.write(bytes)) return;
    far.pause();
    near.once('drain', () => far.resume());
  });
});
network.listen(0, '127.0.0.1');
await once(network, 'listening');
const origin = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
const holdNetwork = (held: boolean) => {
  for (const socket of sockets)
    if (held) socket.pause();
    else socket.resume();
};

/** Asks the server as its teacher. */
async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${teacher.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const { data, msg } = (await reply.json()) as { data: Record<string, unknown>; msg: string };
  if (!reply.ok) throw new Error(`${path}: ${msg}`);
  return data;
}
const saved = await ask('/app/live/save', {
  ...{ packId: school.pack.packId, teacherId, title: '一小时', livePlatform: 0, liveUrlPc: '' },
  ...{ startTime: now - 60_000, endTime: now + (MINUTES + 30) * 60_000 },
});
const liveId = Number(saved.id);
const { streamKey } = await ask(`/app/live/stream_key?liveId=${liveId}`);
const encoder = await startEncoder(rtmpPort, String(streamKey), RATE);

const flags = ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'];
/** A browser as a student has it: what starts one for tests would tell its pages that they are always in sight. */
async function openWindow(path: string): Promise<{ chromium: ChildProcess; browser: Browser }> {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), 'live-soak-'));
  const own = [
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--lang=zh-CN',
    'about:blank',
  ];
  const child = spawn(path, [...flags, ...own], { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    const up = await fetch(`${address}/json/version`).then(
      () => true,
      () => false,
    );
    if (up) break;
    if (tries === 60) throw new Error(`${path} does not start`);
    await new Promise((done) => setTimeout(done, 500));
  }
  return { chromium: child, browser: await chromium.connectOverCDP(address, { noDefaults: true }) };
}
const shown = WINDOW ? await openWindow(WINDOW) : null;
const browser =
  shown?.browser ?? (await chromium.launch({ executablePath: findBrowser({ mayInstall: false }) ?? '', args: flags }));
const context =
  browser.contexts()[0] ?? (await browser.newContext({ viewport: { width: 1000, height: 700 }, locale: 'zh-CN' }));
await context.addCookies([
  {
    ...{ name: 'lixue_session', value: school.students[0]?.token ?? '', url: origin },
    ...{ httpOnly: true, sameSite: 'Lax' },
  },
]);
await context.addInitScript(() => {
  window.slowest = 0;
  const every = window.setInterval.bind(window);
  Object.assign(window, {
    setInterval: (run: () => void, wait: number) => {
      let last = 0;
      return every(() => {
        if (performance.now() - last < window.slowest) return;
        last = performance.now();
        run();
      }, wait);
    },
  });
});
const page = context.pages()[0] ?? (await context.newPage());
const client = await context.newCDPSession(page);
await page.goto(`${origin}/livePage/index.html?liveId=${liveId}&state=2`);
await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1, null, { timeout: 120_000 });

/** What a process has in memory (MB), on Linux. */
function memoryOf(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb ?? 0) / 1024;
}
function ingestOf(pid: number): number | null {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const [, parent] = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      if (Number(parent) === pid && words.includes('ingest/child.ts')) return Number(name);
    } catch {
      // It ended meanwhile.
    }
  }
  return null;
}

type Phase = 'plain' | 'after a break' | 'hidden';
const delays: { at: number; phase: Phase; delay: number }[] = [];
const memory: { server: number; ingest: number; page: number }[] = [];
const began = performance.now();
const since = () => performance.now() - began;
const say = (text: string) => process.stderr.write(`${(since() / 60_000).toFixed(1)} min: ${text}\n`);
const sleep = (wait: number) => new Promise((done) => setTimeout(done, Math.max(0, wait)));

async function readDelay(phase: Phase): Promise<number | null> {
  const clock = await clockInPicture(page, RATE);
  const delay = clock === null ? null : encoder.sent() - clock;
  if (delay !== null) delays.push({ at: since(), phase, delay });
  return delay;
}
async function readMemory(): Promise<void> {
  const child = ingestOf(server.pid);
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  const read = { server: memoryOf(server.pid), ingest: child === null ? 0 : memoryOf(child), page: usedSize / 2 ** 20 };
  memory.push(read);
  const last = delays.at(-1)?.delay ?? Number.NaN;
  const edge = await page.evaluate(() => {
    const film = document.querySelector('video');
    const held = film?.buffered;
    const until = held && held.length > 0 ? held.end(held.length - 1) : Number.NaN;
    return film ? { behind: until - film.currentTime, rate: film.playbackRate, at: film.currentTime } : null;
  });
  say(
    `delay ${last.toFixed(1)} s (${edge?.behind.toFixed(1)} s held, rate ${edge?.rate}); server ${read.server.toFixed(0)} MB, ingest ${read.ingest.toFixed(0)} MB, page's heap ${read.page.toFixed(1)} MB`,
  );
}
/** Reads delays until this moment of the whole. */
async function watch(until: number, phase: Phase): Promise<void> {
  let told = 0;
  while (since() < until) {
    await sleep(Math.min(READ_EVERY, until - since()));
    await readDelay(phase);
    if (since() - told < 30_000) continue;
    told = since();
    await readMemory();
  }
}
const settle = async () => {
  const from = since();
  await watch(from + SETTLES, 'after a break');
};

/** Delays of the first seconds after the page came back into sight. */
const inSight: string[] = [];
async function comeBack(): Promise<void> {
  await page.bringToFront();
  const from = performance.now();
  const read: string[] = [];
  for (const wait of [500, 1000, 2000, 3000, 5000, 10_000]) {
    await sleep(wait - (performance.now() - from));
    read.push(`${(await readDelay('after a break'))?.toFixed(1)} s after ${wait / 1000}`);
  }
  inSight.push(read.join(', '));
  say(`in sight again: ${read.join(', ')}`);
}
/** Another tab in front, then again with a frozen page. The picture of a hidden page is not drawn, so it is read when it is back. */
async function hideForTrue(wait: number): Promise<void> {
  say('another tab in front');
  const front = await context.newPage();
  const hide = async () => {
    await front.bringToFront();
    await page.waitForFunction(() => document.visibilityState === 'hidden', null, { polling: 500 });
  };
  await hide();
  await sleep(wait / 2);
  encoder.hold(true);
  await sleep(ENCODER_STANDS);
  encoder.hold(false);
  await sleep(wait / 2);
  await readMemory();
  await comeBack();
  await hide();
  say('frozen');
  const system = await browser.newBrowserCDPSession();
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  for (const pid of pages) process.kill(pid, 'SIGSTOP');
  await sleep(FROZEN);
  for (const pid of pages) process.kill(pid, 'SIGCONT');
  await comeBack();
  await front.close();
}

const whole = MINUTES * 60_000;
await watch(Math.max(20_000, whole * 0.1), 'plain');
for (const share of [0.2, 0.35]) {
  say('the encoder stands still');
  encoder.hold(true);
  await sleep(ENCODER_STANDS);
  encoder.hold(false);
  await settle();
  await watch(whole * share, 'plain');
}
say("the student's network stands still");
holdNetwork(true);
await sleep(NETWORK_STANDS);
holdNetwork(false);
await settle();
await watch(whole * 0.5, 'plain');
const hiddenFor = Math.max(70_000, whole * HIDDEN);
if (shown === null) {
  say('hidden: timers once a minute');
  await page.evaluate(() => {
    window.slowest = 60_000;
  });
  await watch(since() + hiddenFor, 'hidden');
  await page.evaluate(() => {
    window.slowest = 0;
  });
} else await hideForTrue(hiddenFor);
await settle();
await watch(Math.max(whole, since() + 20_000), 'plain');

const of = (phase: Phase) => delays.filter((read) => read.phase === phase).map(({ delay }) => delay);
const share = (figures: readonly number[], part: number) =>
  [...figures].sort((one, other) => one - other)[Math.min(figures.length - 1, Math.floor(figures.length * part))] ??
  Number.NaN;
const plain = of('plain');
const last = delays.slice(-8).map(({ delay }) => delay);
const minutes = (since() / 60_000).toFixed(1);
report({
  name: 'live_delay',
  value: share(plain, 0.95),
  unit: 's (p95)',
  detail: `${plain.length} readings apart from breaks; middle ${median(plain).toFixed(2)} s, largest ${Math.max(...plain).toFixed(2)} s`,
});
report({
  name: 'live_delay_end',
  value: Math.max(...last),
  unit: 's',
  detail: `largest of the last ${last.length} readings, after ${minutes} minutes with breaks; ${
    shown
      ? `in sight again: ${inSight.join('; frozen: ')}`
      : `hidden: largest ${Math.max(...of('hidden')).toFixed(1)} s`
  }`,
});
const [first] = memory;
const end = memory.at(-1);
report({
  name: 'live_soak_memory',
  value: (end?.server ?? Number.NaN) - (memory[Math.min(2, memory.length - 1)]?.server ?? Number.NaN),
  unit: 'MB more in the server',
  detail: `server ${first?.server.toFixed(0)} to ${end?.server.toFixed(0)} MB, ingest ${first?.ingest.toFixed(0)} to ${end?.ingest.toFixed(0)} MB, page's heap ${first?.page.toFixed(1)} to ${end?.page.toFixed(1)} MB`,
});
await encoder.stop();
await browser.close();
shown?.chromium.kill();
network.close();
await server.stop();
await school.close();
process.exit(0);
