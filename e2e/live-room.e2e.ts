import { expect, type Page, test } from '@playwright/test';
import { call } from './call.ts';
import { clockInPicture, startEncoder } from './encoder.ts';
import { look, wholeWords } from './look.ts';
import { agreeToAll, findPack, newStudent, packs, signIn, TEACHER } from './student.ts';

/** A busy machine is slow for everybody: a bound for what hangs. */
const SOON = { timeout: 90_000 };

const place = (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

async function plays(page: Page): Promise<void> {
  const from = await place(page);
  await expect.poll(() => place(page), SOON).toBeGreaterThan(from + 1);
}

test('a lesson in the room of this site: its stream plays near the teacher, a break is told and mended, the end becomes a replay', async ({
  browser,
  page,
}, info) => {
  // Its replay waits behind the films of the demo: of these one is converted at a time.
  test.setTimeout(400_000);
  const title = `直播间 ${info.project.name} ${Date.now()}`;
  const teaching = await (await browser.newContext({ viewport: page.viewportSize() })).newPage();
  await signIn(teaching, TEACHER, '/teach/live');
  await agreeToAll(teaching.request);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { now } = await call(teaching.request, 'GET /api/user/info', {});
  const { teachers } = await call(teaching.request, 'GET /app/live/teach_list', { pageNum: 1, pageSize: 1 });
  const { id: liveId } = await call(teaching.request, 'POST /app/live/save', {
    ...{ packId, teacherId: teachers[0]?.id ?? 0, title, livePlatform: 0, liveUrlPc: '' },
    ...{ startTime: now - 60_000, endTime: now + 3_600_000 },
  });

  await page.goto(`/livePage/index.html?liveId=${liveId}&state=2`);
  await expect(page.getByText('等待老师开始直播')).toBeVisible();
  await look(page, info, 'live-room-waits');

  // The teacher reads where to send; the key is hidden until it is asked for.
  await teaching.goto(`/teach/live?stream=${liveId}`);
  const panel = teaching.getByRole('listitem').filter({ hasText: title });
  await expect(panel.getByText('到开课时间了，还没有收到推流')).toBeVisible();
  const { streamKey } = await call(teaching.request, 'GET /app/live/stream_key', { liveId });
  await expect(panel).not.toContainText(streamKey);
  await panel.getByRole('button', { name: '显示' }).click();
  await expect(panel).toContainText(streamKey);
  const { port } = await call(teaching.request, 'GET /app/live/stream', { liveId });

  const first = await startEncoder(port, streamKey);
  await expect(page.getByText('等待老师开始直播')).toHaveCount(0, SOON);
  await plays(page);
  await expect.poll(async () => first.sent() - ((await clockInPicture(page)) ?? -100), SOON).toBeLessThanOrEqual(3);
  await expect(page.locator('[data-watermark]')).toHaveCount(1);
  await look(page, info, 'live-room');
  await expect(panel.getByText('正在直播，学员可以看到画面')).toBeVisible(SOON);
  await look(teaching, info, 'live-room-teacher');

  // A teacher in the room itself is told what students are not.
  const inside = await teaching.context().newPage();
  await inside.goto(`/livePage/index.html?liveId=${liveId}&state=2`);
  await plays(inside);
  await expect(inside.getByText('推流中断')).toHaveCount(0);

  await first.stop();
  await expect(page.getByText('老师暂时离开')).toBeVisible(SOON);
  await expect(inside.getByText('推流中断')).toBeVisible(SOON);
  await expect(page.getByText('推流中断')).toHaveCount(0);
  await look(inside, info, 'live-room-trouble');
  await look(page, info, 'live-room-interrupted');
  const second = await startEncoder(port, streamKey);
  await expect(inside.getByText('推流中断')).toHaveCount(0, SOON);
  await inside.close();
  await expect(page.getByText('老师暂时离开')).toHaveCount(0, SOON);
  await plays(page);

  await panel.getByRole('button', { name: '结束直播' }).click();
  await teaching.getByRole('dialog').getByRole('button', { name: '结束直播' }).click();
  await second.stop();
  await expect(page.getByText(/直播已结束/).first()).toBeVisible(SOON);
  // It becomes its replay by itself, on the open page.
  await expect(panel.getByText('回放已生成，学员可以看了。')).toBeVisible({ timeout: 240_000 });
  const play = page.getByRole('button', { name: '播放', exact: true }).first();
  await expect(play).toBeVisible(SOON);
  await play.click();
  await plays(page);
  await look(page, info, 'live-room-replay');
  await page.evaluate(() => localStorage.setItem('lixue.language', 'en'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Discussion' })).toBeVisible();
  await wholeWords(page);
  await teaching.context().close();
});
