import { expect, test } from '@playwright/test';
import { enrol } from '#server/course/enrolment-store.ts';
import { setLessonMedia } from '#server/play/lesson-media.ts';
import { findLessonMedia } from '#server/play/lesson-media-store.ts';
import { call } from './call.ts';
import { chooseRate, control, film, heading, PARTS, play, second, stored } from './film-page.ts';
import { type FilmSchool, makeFilmSchool } from './film-school.ts';
import { look } from './look.ts';
import { PASSWORD, TEACHER } from './student.ts';

let school: FilmSchool;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  school = await makeFilmSchool();
});
test.afterAll(() => school.close());

test('without a network the film goes on, and what was seen is told later, by this page or the next one @one-width', async ({
  page,
  context,
}) => {
  await school.join(page.request);
  await play(page, school);
  await expect.poll(() => second(page)).toBeGreaterThan(1.5);
  await context.setOffline(true);
  await control(page, '暂停').click();
  const note = page.getByText('网络中断，学习进度已保留在本机');
  await expect(note).toBeVisible();
  const first = await second(page);
  await context.setOffline(false);
  await expect(note).toBeHidden();
  await expect.poll(async () => (await stored(page, school, school.lessons.film)).position).toBeCloseTo(first, 0);

  await control(page, '播放').click();
  await expect.poll(() => second(page)).toBeGreaterThan(first + 4);
  await context.setOffline(true);
  await control(page, '暂停').click();
  await expect(note).toBeVisible();
  const last = await second(page);
  await page.close();
  await context.setOffline(false);
  const other = await context.newPage();
  await other.goto(`/course/play/${school.packId}`);
  await expect(other.getByText('将从这里继续')).toBeVisible();
  expect((await stored(other, school, school.lessons.film)).position).toBeCloseTo(last, 0);
  // Leaving by closing the tab is told as well.
  await control(other, '播放').click();
  await expect.poll(() => second(other), { timeout: 30_000 }).toBeGreaterThan(last + 1.5);
  const closed = await second(other);
  await other.close({ runBeforeUnload: true });
  const third = await context.newPage();
  await third.goto('/');
  await expect
    .poll(async () => (await stored(third, school, school.lessons.film)).position)
    .toBeGreaterThan(closed - 0.5);
});

test('who plays a film again while its end is still told stays with it @one-width', async ({ page }) => {
  await school.join(page.request);
  await play(page, school);
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = false;
  await page.route('**/app/course/chapters?**', async (route) => {
    asked = true;
    await answered;
    await route.continue();
  });
  await film(page).evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration - 0.5;
  });
  await expect(control(page, '重新播放')).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => asked).toBe(true);
  await film(page).evaluate((video: HTMLVideoElement) => {
    video.currentTime = 2;
    return video.play();
  });
  await expect(control(page, '暂停')).toBeAttached();
  const came = page.waitForResponse(/course\/chapters/);
  answer();
  await came;
  await expect.poll(() => second(page)).toBeGreaterThan(3);
  await expect(page.getByText(/秒后播放下一节/)).toHaveCount(0);
});

test('a replay goes on where it failed, at the speed that was chosen for films @one-width', async ({ page }) => {
  const studentId = await school.join(page.request);
  const { query } = school.db;
  const { media_id } = await query
    .selectFrom('lessons')
    .select('media_id')
    .where('id', '=', school.lessons.film)
    .executeTakeFirstOrThrow();
  const now = Date.now();
  const { id } = await query
    .insertInto('live_lessons')
    .values({
      ...{ pack_id: school.packId, teacher_id: studentId, title: '上周的直播', live_platform: 0 },
      ...{ live_url_pc: '', live_url_h5: '', replay_url: '', starts_at: now - 7_200_000, ends_at: now - 3_600_000 },
      ...{ told_at: now, cancelled_at: null, created_by: studentId, client_id: null, created_at: now },
      ...{ started_at: now - 7_200_000, ended_at: now - 3_600_000, replay_media_id: media_id },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await play(page, school);
  await chooseRate(page, '1.5x');
  await page.goto(`/playBack/index.html?liveId=${id}`);
  await expect(page.getByRole('button', { name: '播放速度 1.5x' })).toBeVisible();
  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(4);
  // Nothing more comes of another quality.
  await page.route(PARTS, (route) => route.fulfill({ status: 500, body: '' }));
  await page.getByRole('button', { name: /^清晰度/ }).click();
  await page.getByRole('menuitemradio', { name: '360p' }).click();
  await film(page).evaluate((video: HTMLVideoElement) => {
    video.currentTime = 9;
  });
  const again = page.getByRole('button', { name: '重试' });
  await expect(again).toBeVisible({ timeout: 60_000 });
  await page.unroute(PARTS);
  await again.click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(8);
  await expect(page.getByRole('button', { name: '播放速度 1.5x' })).toBeVisible();
});

test('who has no right to it any more is told so in the middle of the film @one-width', async ({ page }) => {
  const studentId = await school.join(page.request);
  await play(page, school);
  await school.leave(studentId);
  // Another quality asks for another key, and a key for the right to it.
  await page.getByRole('button', { name: /^清晰度/ }).click();
  await page.getByRole('menuitemradio', { name: '360p' }).click();
  await expect(page.getByText('您现在不能继续播放本节课程了')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('请先报名该课程').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // What belongs to who has bought the course goes with it (spec §6).
  await expect(page.getByRole('complementary', { name: '课程目录' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: '学习面板' })).toHaveCount(0);
  await expect(page.getByRole('tab', { name: '笔记' })).toHaveCount(0);
});

test('a film that its teacher replaces while it is watched makes room for the new one @one-width', async ({ page }) => {
  await school.join(page.request);
  await play(page, school);
  const { film: firstVideoId, sound } = school.lessons;
  const given = async (id: number) => (await findLessonMedia(school.db.query, id))?.media_id ?? 0;
  const [former, other] = [await given(firstVideoId), await given(sound)];
  // Nobody may watch the former one for being the replay of a live lesson, either.
  await school.db.query
    .updateTable('live_lessons')
    .set({ replay_media_id: null })
    .where('pack_id', '=', school.packId)
    .execute();
  await setLessonMedia(school.db, { firstVideoId, mediaId: other });
  try {
    const asked = page.waitForResponse((response) => response.url().includes(`/app/video/auth?fileId=${other}`));
    // Another quality asks for another key, and a key for the right to what was there before.
    await page.getByRole('button', { name: /^清晰度/ }).click();
    await page.getByRole('menuitemradio', { name: '360p' }).click();
    expect((await asked).status()).toBe(200);
    await control(page, '播放').click();
    await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
    await expect(page.getByText('您现在不能继续播放本节课程了')).toHaveCount(0);
  } finally {
    await setLessonMedia(school.db, { firstVideoId, mediaId: former });
  }
});

test('a film that does not play is told of to the school, and what it answers comes back', async ({
  page,
  browser,
}, info) => {
  await school.join(page.request);
  await test.step('code 4: the network', async () => {
    await page.route(PARTS, (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(`/course/play/${school.packId}`);
    await control(page, '播放').click();
    const dialog = page.getByRole('dialog', { name: '网络错误' });
    await expect(dialog).toBeVisible({ timeout: 60_000 });
    await look(page, info, 'watch-error-network');
    const [check] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: '检查网络' }).click(),
    ]);
    await expect(check.getByText(/次请求收到/)).toBeVisible();
    await expect(check.getByText(/约 .* Mbit/)).toBeVisible({ timeout: 30_000 });
    await look(check, info, 'network');
    await check.close();
    await dialog.getByRole('button', { name: '上传报错' }).dblclick();
    await expect(page.getByText('已收到您的意见,感谢反馈')).toBeVisible();
    await expect(dialog).toBeHidden();
    // Two clicks are one report.
    expect((await call(page.request, 'GET /app/feedback/history', { pageNum: 1, pageSize: 10 })).total).toBe(1);
  });
  await test.step('code 3: what came is no film', async () => {
    await page.unroute(PARTS);
    await page.route(PARTS, (route) => route.fulfill({ body: Buffer.alloc(188 * 40, 0x47) }));
    await page.goto(`/course/play/${school.packId}`);
    await control(page, '播放').click();
    const dialog = page.getByRole('dialog', { name: '播放错误' });
    await expect(dialog).toBeVisible({ timeout: 60_000 });
    await look(page, info, 'watch-error-decode');
    await page.unroute(PARTS);
    await dialog.getByRole('button', { name: '重新尝试' }).click();
    await expect(dialog).toHaveCount(0);
    await control(page, '播放').click();
    await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
  });
  await test.step('the teacher answers, the student reads it', async () => {
    const context = await browser.newContext({ ...info.project.use });
    try {
      const teacher = await context.newPage();
      await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
      await teacher.goto('/teach/feedback?type=4&state=0');
      await teacher
        .getByRole('link', { name: /播放错误代码 4 · 第一节 看一段影片/ })
        .first()
        .click();
      await expect(teacher.getByText(/Chrome/)).toBeVisible();
      await look(teacher, info, 'teach-video-feedback');
      await teacher.getByText('已修正', { exact: true }).click();
      await teacher.getByRole('button', { name: '保存处理结果' }).click();
      await expect(teacher.getByText('已保存，学员可以看到')).toBeVisible();
    } finally {
      await context.close();
    }
    await page.goto('/myFeedback');
    const own = page.getByRole('listitem').filter({ hasText: '播放错误代码 4' });
    await expect(own).toContainText('播放问题');
    await look(page, info, 'my-video-feedback');
  });
});

test('a film whose parts do not load says so once somebody wants to play it @one-width', async ({ page }) => {
  await school.join(page.request);
  await page.route(PARTS, (route) => route.fulfill({ body: 'no film' }));
  await page.goto(`/course/play/${school.packId}?lesson=${school.lessons.film}`);
  // What stands under a film is asked for after its parts have failed.
  await expect(page.getByRole('region', { name: '推荐课程' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await control(page, '播放').click();
  await expect(page.getByRole('dialog', { name: '播放错误' })).toBeVisible({ timeout: 30_000 });
});

test('where what plays films did not come, pressing play fetches it once more @one-width', async ({ page }) => {
  await school.join(page.request);
  let fails = true;
  await page.route(/\/assets\/hls[^/]*\.js$/, (route) => (fails ? route.abort() : route.continue()));
  await page.goto(`/course/play/${school.packId}?lesson=${school.lessons.film}`);
  await control(page, '播放').click();
  const dialog = page.getByRole('dialog', { name: '网络错误' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: '关闭' }).click();
  fails = false;
  // The list came with the right, which was used up by the first try; it is asked for now, and again where it fails.
  let lists = 0;
  await page.route('**/app/video/play/**/master.m3u8', (route) => {
    lists += 1;
    return lists <= 3 ? route.fulfill({ status: 503, body: '' }) : route.continue();
  });
  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
});

test('where the server is away at the end of a film, the page stays with it @one-width', async ({ page }) => {
  const { packId, lessons } = await school.filmsInARow();
  const studentId = await school.join(page.request);
  await enrol(school.db.query, studentId, packId, Date.now());
  await page.goto(`/course/play/${packId}?lesson=${lessons[0]}`);
  await chooseRate(page, '2x');
  await control(page, '播放').click();
  const next = page.getByText(/秒后播放下一节/);
  await expect(next).toBeVisible({ timeout: 30_000 });
  await test.step('it went away while the next lesson was announced', async () => {
    await page.route('**/app/course/**', (route) => route.abort());
    await expect(next).toHaveCount(0, { timeout: 20_000 });
    await expect(heading(page)).toHaveText('第一节 看一段');
  });
  await test.step('it was away at the end: nothing is announced', async () => {
    await control(page, '重新播放').click();
    const unsaved = page.getByText('网络中断，学习进度已保留在本机，恢复后会自动保存');
    await expect(unsaved).toBeVisible({ timeout: 30_000 });
    // The lessons are asked for three times, then it is known that nothing answers.
    let asked = 0;
    page.on('requestfailed', (request) => {
      if (request.url().includes('/app/course/chapters')) asked += 1;
    });
    await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
    await page.unroute('**/app/course/**');
    await expect(unsaved).toHaveCount(0, { timeout: 30_000 });
    await expect(heading(page)).toHaveText('第一节 看一段');
    await expect(next).toHaveCount(0);
  });
});
