import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { enrol } from '#server/course/enrolment-store.ts';
import { clipMaker } from '#server/media/clips.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { makeFilmSchool } from '../e2e/film-school.ts';
import { findBrowser } from '../tools/browser.mjs';
import { median, report } from './measure.ts';

/**
 * How soon a film plays on the course play page: from hls.js's `loadSource` to `playing`, as a multiple of a plain MP4 of the same clip
 * that a plain node:http server sends to the same browser, in turns; and as a multiple of one whose pictures are encoded as the platform
 * encodes them, which tells what the player and its encryption take from what its pictures do. Beside it the whole way, from the address of the page to playing,
 * a jump inside of what is loaded, and what a first visit transfers.
 */
const ROUNDS = 7;
const JUMPS = 10;
/** Milliseconds in which a film has to play. */
const PATIENCE = 30_000;

declare global {
  interface Window {
    /** Set by the bench in the page: milliseconds of its clock when a film first played; null: none did in `PATIENCE`. */
    playedAt: Promise<number | null>;
  }
}

/** In the page: lets any film play without a sound, and notes when it does. Whoever looks whether it did asks for no frame of the page. */
function playAtOnce(patience: number): void {
  let tell: (at: number | null) => void;
  window.playedAt = new Promise((resolve) => {
    tell = resolve;
  });
  setTimeout(() => tell(null), patience);
  const found = () => {
    const video = document.querySelector('video');
    if (video === null) {
      requestAnimationFrame(found);
      return;
    }
    video.muted = true;
    video.addEventListener('playing', () => {
      tell(performance.now());
    });
    // What it is given to play interrupts this, as the player knows of the play that it is asked for. Any other refusal is the end of it.
    const play = () =>
      void video.play().catch((why: unknown) => {
        if (why instanceof DOMException && why.name === 'AbortError') play();
      });
    play();
  };
  requestAnimationFrame(found);
}

const dataDir = mkdtempSync(join(tmpdir(), 'lixue-bench-play-'));
const server = await startServer({ dataDir });
const came = join(dataDir, 'clip.mp4');
const school = await makeFilmSchool(dataDir, (path) => copyFileSync(path, came));
const clips = await clipMaker();
// As transcode.ts has it for 720p (`argumentsOf`).
const encoded = await clips.make(
  'encoded.mp4',
  ...['-i', came, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '23'],
  ...['-force_key_frames', 'expr:gte(t,n_forced*3)', '-sc_threshold', '0', '-g', '9999', '-pix_fmt', 'yuv420p'],
  ...['-c:a', 'aac', '-ac', '2', '-ar', '48000', '-b:a', '128000', '-movflags', '+faststart'],
);
const plainFilms = new Map([
  ['/clip.mp4', readFileSync(came)],
  ['/encoded.mp4', readFileSync(encoded)],
]);
clips.remove();
let viewers = 0;
/** A student who never saw the film: it begins at its beginning, as the plain one does. @returns their session */
async function newViewer(): Promise<string> {
  viewers += 1;
  const { id } = await school.db.query
    .insertInto('users')
    .values({
      ...{ phone: String(15_000_000_000 + viewers), password_hash: null, nickname: '学员' },
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enrol(school.db.query, id, school.packId, Date.now());
  return (await createSession(school.db.query, randomBytes, id, Date.now())).token;
}

const control = createServer((request, reply) => {
  const film = plainFilms.get(request.url ?? '');
  if (film) {
    reply.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length, 'cache-control': 'no-store' });
    reply.end(film);
  } else {
    reply.writeHead(200, { 'content-type': 'text/html' });
    reply.end(`<!doctype html><body><video src="${request.url?.replace('/of', '')}" preload="auto"></video>`);
  }
});
control.listen(0, '127.0.0.1');
await once(control, 'listening');
const plainAddress = `http://127.0.0.1:${(control.address() as AddressInfo).port}/of`;
const origin = `http://127.0.0.1:${server.port}`;
const browser = await chromium.launch({
  executablePath: findBrowser({ mayInstall: false }) ?? '',
  args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
});

/** Opens an address with nothing in the browser's memory. */
async function opened<T>(address: string, work: (page: Page, playedAt: number) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' });
  const token = await newViewer();
  await context.addCookies([{ name: 'lixue_session', value: token, url: origin, httpOnly: true, sameSite: 'Lax' }]);
  await context.addInitScript(playAtOnce, PATIENCE);
  try {
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (/\.(js|css)$/.test(new URL(request.url()).pathname))
        // What comes as the page is closed came after the film.
        sizes.push(
          request.sizes().then(
            ({ responseBodySize }) => responseBodySize,
            () => 0,
          ),
        );
    });
    await page.goto(address);
    const playedAt = await page.evaluate(() => window.playedAt);
    if (playedAt === null) {
      const shown = await page.evaluate(() => document.body.textContent);
      throw new Error(`${address} never played. It shows: ${shown.slice(0, 500)}`);
    }
    transferred = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024;
    return await work(page, playedAt);
  } finally {
    await context.close();
  }
}
let transferred = 0;

/** Milliseconds from the first request for the plain film until it played. */
const plainStart = (page: Page, playedAt: number) =>
  page.evaluate((playedAt) => {
    const [first] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.mp4'));
    return playedAt - (first?.startTime ?? Number.NaN);
  }, playedAt);

/** Beside what `startOf` says the milliseconds from the page's address until its film played. */
const withWhole =
  (startOf: (page: Page, playedAt: number) => Promise<number>) => async (page: Page, playedAt: number) => ({
    start: await startOf(page, playedAt),
    whole: playedAt,
  });

/** Milliseconds from `loadSource` until our film played. */
const ourStart = (page: Page, playedAt: number) =>
  page.evaluate((playedAt) => {
    const [loaded] = performance.getEntriesByName('film:load');
    return playedAt - (loaded?.startTime ?? Number.NaN);
  }, playedAt);

/** Milliseconds of jumps of a second, back and forth, inside of what is loaded. */
const jumpsOf = (page: Page) =>
  page.evaluate(async (count) => {
    const video = document.querySelector('video');
    if (video === null) return [];
    video.pause();
    const took: number[] = [];
    for (let jump = 0; jump < count; jump += 1) {
      const began = performance.now();
      const done = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
      video.currentTime = 1 + (jump % 2);
      await done;
      took.push(performance.now() - began);
    }
    return took;
  }, JUMPS);

const loaded: number[] = [];
const whole: number[] = [];
const plain: number[] = [];
const plainWhole: number[] = [];
const samePictures: number[] = [];
const jumps: number[] = [];
let firstVisit = 0;
let withFormulas = 0;
try {
  // The first round warms both up and does not count.
  for (let round = -1; round < ROUNDS; round += 1) {
    const native = await opened(`${plainAddress}/clip.mp4`, withWhole(plainStart));
    const same = await opened(`${plainAddress}/encoded.mp4`, plainStart);
    const our = await opened(`${origin}/course/play/${school.packId}`, async (page, playedAt) => {
      const said = await withWhole(ourStart)(page, playedAt);
      jumps.push(...(await jumpsOf(page)));
      return said;
    });
    firstVisit = transferred;
    if (round < 0) continue;
    plain.push(native.start);
    plainWhole.push(native.whole);
    samePictures.push(same);
    loaded.push(our.start);
    whole.push(our.whole);
  }
  await school.db.query
    .updateTable('lessons')
    .set({ profile: '<p>\\(\\varepsilon>0\\)，\\(\\lim_{n\\to\\infty}a_n=A\\)</p>' })
    .where('id', '=', school.lessons.film)
    .execute();
  // The first who asks may get them without: the server sets them then.
  for (let visit = 0; visit < 2; visit += 1)
    await opened(`${origin}/course/play/${school.packId}`, async (page) => {
      await page.locator('.katex').first().waitFor();
    });
  withFormulas = transferred;
} finally {
  await browser.close();
  control.close();
  await school.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
report({
  name: 'play_start',
  value: median(loaded) / median(plain),
  unit: '× a plain MP4',
  detail: `${median(loaded).toFixed(0)} ms from loadSource to playing, a plain MP4 ${median(plain).toFixed(0)} ms, ${ROUNDS} rounds in turns`,
});
report({
  name: 'play_start_same_pictures',
  value: median(loaded) / median(samePictures),
  unit: '× a plain MP4 of the same pictures',
  detail: `a plain MP4 that is encoded as the platform does it ${median(samePictures).toFixed(0)} ms`,
});
report({
  name: 'play_start_whole',
  value: median(whole) / median(plainWhole),
  unit: '× a page of nothing but a plain MP4',
  detail: `${median(whole).toFixed(0)} ms from the address of the page to playing, a page of nothing but a plain MP4 ${median(plainWhole).toFixed(0)} ms`,
});
report({
  name: 'play_seek',
  value: median(jumps),
  unit: 'ms',
  detail: `${jumps.length} jumps, the slowest ${Math.max(...jumps).toFixed(0)} ms`,
});
report({
  name: 'play_first_visit',
  value: firstVisit,
  unit: 'KB',
  detail: 'JavaScript and CSS as they come over the wire until the film plays',
});
report({
  name: 'play_first_visit_formulas',
  value: withFormulas,
  unit: 'KB',
  detail: 'the same of a lesson whose introduction has formulas',
});
