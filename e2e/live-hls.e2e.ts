import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { openDb } from '#server/db/open.ts';
import { call } from './call.ts';
import { clockInPicture, startEncoder } from './encoder.ts';
import { look } from './look.ts';
import { DATA_DIR } from './operator.ts';
import { agreeToAll, findPack, newStudent, packs, signIn, TEACHER } from './student.ts';

const root = join(import.meta.dirname, '..');
/** A busy machine is slow for everybody: a bound for what hangs. */
const SOON = { timeout: 90_000 };
/** Seconds behind the encoder that are promised for HLS. */
const BEHIND = 12;

const place = (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

async function plays(page: Page): Promise<void> {
  const from = await place(page);
  await expect.poll(() => place(page), SOON).toBeGreaterThan(from + 1);
}

/** The picture is of this encoder, and no further behind than is promised. */
async function isNear(page: Page, encoder: Awaited<ReturnType<typeof startEncoder>>): Promise<void> {
  const behind = async () => encoder.sent() - ((await clockInPicture(page)) ?? -100);
  // What an earlier encoder sent seems to be of the future.
  await expect.poll(async () => Math.abs((await behind()) - BEHIND / 2), SOON).toBeLessThanOrEqual(BEHIND / 2);
  console.log('behind', await behind());
}

/** A browser as an iPhone had it before iOS 17.1: it plays HLS by itself, and nothing else that is live. */
const withoutMse = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['MediaSource', 'ManagedMediaSource', 'WebKitMediaSource', 'SourceBuffer'])
      Reflect.deleteProperty(globalThis, name);
  });

test('a browser without media source extensions sees a live lesson as HLS, over a break, until it may not', async ({
  browser,
  page,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'one browser that plays HLS by itself is enough');
  test.setTimeout(240_000);
  const title = `HLS ${Date.now()}`;
  const teaching = await (await browser.newContext()).newPage();
  await signIn(teaching, TEACHER, '/teach/live');
  await agreeToAll(teaching.request);
  await withoutMse(page);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { now } = await call(teaching.request, 'GET /api/user/info', {});
  const { teachers } = await call(teaching.request, 'GET /app/live/teach_list', { pageNum: 1, pageSize: 1 });
  const { id: liveId } = await call(teaching.request, 'POST /app/live/save', {
    ...{ packId, teacherId: teachers[0]?.id ?? 0, title, livePlatform: 0, liveUrlPc: '' },
    ...{ startTime: now - 60_000, endTime: now + 3_600_000 },
  });
  const { streamKey } = await call(teaching.request, 'GET /app/live/stream_key', { liveId });
  const { port } = await call(teaching.request, 'GET /app/live/stream', { liveId });

  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.goto(`/livePage/index.html?liveId=${liveId}&state=2`);
  await expect(page.getByText('等待老师开始直播')).toBeVisible();

  const first = await startEncoder(port, streamKey);
  await plays(page);
  await isNear(page, first);
  await expect(page.locator('[data-watermark]')).toHaveCount(1);
  await look(page, info, 'live-hls');
  // Nothing that opens it stands in an address, and what feeds media source extensions is not fetched.
  for (const url of asked) expect(url).not.toMatch(/mpegts|token=|grant=[^&]*\./);

  await first.stop();
  await expect(page.getByText('老师暂时离开')).toBeVisible(SOON);
  const second = await startEncoder(port, streamKey);
  await expect(page.getByText('老师暂时离开')).toHaveCount(0, SOON);
  await plays(page);
  await isNear(page, second);

  // Who is taken out of the course sees nothing more, and reads why.
  const { user } = await call(page.request, 'GET /api/user/info', {});
  const db = await openDb({ kind: 'sqlite', path: join(root, DATA_DIR, 'lixue.db') }, Date.now());
  await endEnrolment(db.query, user?.studentId ?? 0, packId);
  await db.close();
  await expect(page.getByText(/请先报名/).first()).toBeVisible(SOON);
  await expect(page.locator('video[src]')).toHaveCount(0);
  await look(page, info, 'live-hls-taken-out');
  await call(teaching.request, 'POST /app/live/end', { liveId });
  await second.stop();
  await teaching.context().close();
});
