import { expect, type Page, test } from '@playwright/test';
import { enrol } from '#server/course/enrolment-store.ts';
import { setLessonMedia } from '#server/play/lesson-media.ts';
import { findLessonMedia } from '#server/play/lesson-media-store.ts';
import { call } from './call.ts';
import { type FilmSchool, makeFilmSchool } from './film-school.ts';
import { look } from './look.ts';
import { findPack, newStudent, PASSWORD, packs } from './student.ts';

/** The demo teacher. */
const TEACHER = '13900000001';
/** The parts of a film. */
const PARTS = '**/app/video/play/**/*.ts';

let school: FilmSchool;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  school = await makeFilmSchool();
});
test.afterAll(() => school.close());

const directory = (page: Page) => page.getByRole('complementary');
const lesson = (page: Page, name: RegExp) => directory(page).getByRole('button', { name });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const film = (page: Page) => page.locator('video');
const second = (page: Page) => film(page).evaluate((video: HTMLVideoElement) => video.currentTime);
const control = (page: Page, name: string) =>
  page.getByRole('group', { name: '播放控制' }).getByRole('button', { name, exact: true });
const stored = (page: Page, firstVideoId: number) =>
  call(page.request, 'GET /app/course/lesson', { packId: school.packId, firstVideoId });

/** Opens the film's lesson and plays it until it moves. */
async function play(page: Page): Promise<void> {
  await page.goto(`/course/play/${school.packId}?lesson=${school.lessons.film}`);
  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
}

async function chooseRate(page: Page, rate: string): Promise<void> {
  await page.getByRole('button', { name: /^播放速度/ }).click();
  await page.getByRole('menuitemradio', { name: rate, exact: true }).click();
}

/** What the page told those who collect events, by name. */
async function events(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
}

test('a film is watched, gone on with, finished, and opens the sound after it', async ({ page }, info) => {
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    addEventListener('lixue:play', (event) => told.push((event as CustomEvent<{ name: string }>).detail.name));
  });
  await school.join(page.request);
  await page.goto(`/course/play/${school.packId}`);
  await expect(heading(page)).toHaveText('第一节 看一段影片');
  await lesson(page, /听一段录音/).click();
  await expect(page.getByText('该视频未解锁，无法播放')).toBeVisible();
  expect(await events(page)).toContain('video locked');
  await look(page, info, 'watch-start');

  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(2);
  await expect(page.locator('[data-watermark]')).toContainText(/\d{3}\*{4}\d{4}$/);
  await look(page, info, 'watch-playing');
  await chooseRate(page, '2x');
  await expect.poll(() => second(page)).toBeGreaterThan(5);
  await control(page, '暂停').click();
  const left = await second(page);
  await expect.poll(async () => (await stored(page, school.lessons.film)).position).toBeCloseTo(left, 0);
  const half = await stored(page, school.lessons.film);
  expect(half).toMatchObject({ nodeState: 2 });
  expect(half.watched).toBeGreaterThanOrEqual(4);
  await expect(lesson(page, /看一段影片/)).toContainText('学习中');

  await test.step('a note stands at this second', async () => {
    await page.getByRole('tab', { name: '笔记' }).click();
    await page.getByLabel('写笔记').fill('这里要再看一遍');
    await page.getByLabel('写笔记').press(' ');
    await page.getByRole('button', { name: '记笔记' }).click();
    await expect(page.getByText('笔记已保存')).toBeVisible();
    // Space in a text is a space.
    expect(await second(page)).toBeCloseTo(left, 1);
  });

  await test.step('a reload goes on there, with the rate that was chosen', async () => {
    await page.reload();
    await expect(page.getByText('将从这里继续')).toBeVisible();
    await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(left - 1);
    await expect(page.getByRole('button', { name: '播放速度 2x' })).toBeVisible();
    await look(page, info, 'watch-again');
    await page.getByRole('tab', { name: '笔记' }).click();
    await page.getByRole('button', { name: /^跳到/ }).click();
    await expect.poll(() => second(page)).toBeCloseTo(Math.floor(left), 0);
  });

  await test.step('its end finishes it, and opens the next one without a reload', async () => {
    await control(page, '播放').click();
    await expect(page.getByText(/秒后播放下一节：第二节 听一段录音/)).toBeVisible({ timeout: 30_000 });
    // At once: after five seconds it goes there by itself, and a sound has an end, too.
    await page.getByRole('button', { name: '立即播放' }).click();
    await expect(heading(page)).toHaveText('第二节 听一段录音');
    await expect(lesson(page, /看一段影片/)).toContainText('已学完');
    await expect(lesson(page, /听一段录音/)).not.toContainText('未解锁');
    await expect(page).toHaveURL(new RegExp(`lesson=${school.lessons.sound}`));
  });

  await test.step('a sound plays behind its cover, with the controls of a locked screen', async () => {
    await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
    await expect(film(page)).toBeHidden();
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('第二节 听一段录音');
    await control(page, '暂停').click();
    await look(page, info, 'watch-sound');
    await control(page, '播放').click();
    const upNext = page.getByText(/秒后播放下一节：第三节/);
    await expect(upNext).toBeVisible({ timeout: 30_000 });
    // What is announced at the end of a lesson ends with it, also where the way back leads out of it, or it is played again.
    await page.goBack();
    await expect(heading(page)).toHaveText('第一节 看一段影片');
    await expect(upNext).toHaveCount(0);
    await page.goForward();
    await expect(heading(page)).toHaveText('第二节 听一段录音');
    await expect(upNext).toHaveCount(0);
    // It had begun by itself, being opened by the end of the one before; that was once.
    await expect.poll(() => film(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(2);
    expect(await film(page).evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
    await film(page).evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 1;
    });
    await control(page, '播放').click();
    await expect(upNext).toBeVisible({ timeout: 30_000 });
    await control(page, '重新播放').click();
    await expect(upNext).toHaveCount(0);
    await film(page).evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 1;
    });
    await expect(upNext).toBeVisible({ timeout: 30_000 });
    await page.getByRole('button', { name: '立即播放' }).click();
    await expect(page.getByText('本节的视频还在准备中')).toBeVisible();
    await look(page, info, 'watch-waiting');
  });
  const credits = await call(page.request, 'GET /app/course/credits', { packId: school.packId });
  expect(credits.earned).toBe(4);
  // Going on from the last one says that it is the last.
  await lesson(page, /听一段录音/).click();
  await expect(heading(page)).toHaveText('第二节 听一段录音');
  await lesson(page, /还在准备/).click();
  await expect(heading(page)).toHaveText('第三节 还在准备');
  expect(await events(page)).toEqual(
    expect.arrayContaining(['audio selected', 'video selected', 'play_lesson_finished']),
  );
});

test('without a network the film goes on, and what was seen is told later, by this page or the next one @one-width', async ({
  page,
  context,
}) => {
  await school.join(page.request);
  await play(page);
  await expect.poll(() => second(page)).toBeGreaterThan(1.5);
  await context.setOffline(true);
  await control(page, '暂停').click();
  const note = page.getByText('网络中断，学习进度已保留在本机');
  await expect(note).toBeVisible();
  const first = await second(page);
  await context.setOffline(false);
  await expect(note).toBeHidden();
  await expect.poll(async () => (await stored(page, school.lessons.film)).position).toBeCloseTo(first, 0);

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
  expect((await stored(other, school.lessons.film)).position).toBeCloseTo(last, 0);
  // Leaving by closing the tab is told as well.
  await control(other, '播放').click();
  await expect.poll(() => second(other), { timeout: 30_000 }).toBeGreaterThan(last + 1.5);
  const closed = await second(other);
  await other.close({ runBeforeUnload: true });
  const third = await context.newPage();
  await third.goto('/');
  await expect.poll(async () => (await stored(third, school.lessons.film)).position).toBeGreaterThan(closed - 0.5);
});

test('a page that is busy counts all that played, at twice the rate too @one-width', async ({ page }) => {
  await school.join(page.request);
  await play(page);
  await chooseRate(page, '2x');
  await page.evaluate(() => {
    const hog = () => {
      const until = performance.now() + 600;
      while (performance.now() < until);
      setTimeout(hog, 50);
    };
    hog();
  });
  await expect(lesson(page, /看一段影片/)).toContainText('已学完', { timeout: 60_000 });
});

test('a browser that is killed loses seconds of what was seen @one-width', async ({ page, context }) => {
  await school.join(page.request);
  await play(page);
  const kept = () =>
    page.evaluate(() => {
      const text = Object.values(localStorage).find((value: string) => value.includes('"begun":true'));
      return text === undefined ? null : (JSON.parse(text) as { position: number }[])[0];
    });
  await expect.poll(kept, { timeout: 20_000 }).not.toBeNull();
  const place = (await kept())?.position ?? 0;
  expect(place).toBeGreaterThan(2);
  expect((await stored(page, school.lessons.film)).watched).toBe(0);
  // No event of the page tells of this.
  const crashed = page.waitForEvent('crash');
  const devTools = await context.newCDPSession(page);
  void devTools.send('Page.crash').catch(() => undefined);
  await crashed;
  const other = await context.newPage();
  await other.goto(`/course/play/${school.packId}`);
  await expect.poll(() => second(other), { timeout: 30_000 }).toBeGreaterThan(place - 1);
  const known = await stored(other, school.lessons.film);
  expect(known.position).toBeGreaterThanOrEqual(place - 0.1);
  expect(known.watched).toBeGreaterThanOrEqual(Math.floor(place) - 1);
});

test('the film has a small size with the rest of the page beside it, which is remembered @one-width', async ({
  page,
}, info) => {
  await school.join(page.request);
  await page.goto(`/course/play/${school.packId}`);
  const size = async () => {
    const box = await film(page).boundingBox();
    return box && [Math.round(box.width), Math.round(box.height)];
  };
  await page.getByRole('button', { name: '小屏播放' }).click();
  await expect.poll(size).toEqual([414, 270]);
  await look(page, info, 'watch-small');
  await page.reload();
  await expect.poll(size).toEqual([414, 270]);
  await page.getByRole('button', { name: '宽屏播放' }).click();
  await expect.poll(async () => (await size())?.[0]).toBeGreaterThan(600);
});

test('who goes through films in full screen stays there, and is told of the next one over the film @one-width', async ({
  page,
}) => {
  const studentId = await school.join(page.request);
  const { packId, lessons } = await school.filmsInARow();
  await enrol(school.db.query, studentId, packId, Date.now());
  await page.goto(`/course/play/${packId}?lesson=${lessons[0]}`);
  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await control(page, '全屏').click();
  await expect.poll(isFull).toBe(true);
  await film(page).evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration - 1;
  });
  await expect(page.getByText(/秒后播放下一节/)).toBeVisible({ timeout: 30_000 });
  // A click that reaches it proves that nothing lies over it.
  await page.getByRole('button', { name: '立即播放' }).click();
  await expect(heading(page)).toHaveText('第二节 再看一段');
  await expect(page).toHaveTitle(/^第二节 再看一段 · /);
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
  expect(await isFull()).toBe(true);
  // The button that led here is gone with its lesson.
  await expect(page.getByRole('region', { name: '第二节 再看一段' })).toBeFocused();

  await test.step('a sound has no full screen', async () => {
    await film(page).evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 1;
    });
    await page.getByRole('button', { name: '立即播放' }).click({ timeout: 30_000 });
    await expect(heading(page)).toHaveText('第三节 听一段');
    await expect.poll(isFull).toBe(false);
  });
});

test('a note that was begun stays, and stands at the second at which it was begun @one-width', async ({ page }) => {
  await school.join(page.request);
  await play(page);
  await page.getByRole('tab', { name: '笔记' }).click();
  await page.getByLabel('写笔记').fill('借贷');
  const began = Math.floor(await second(page));
  await expect.poll(() => second(page)).toBeGreaterThan(began + 3);
  await page.getByRole('tab', { name: '简介' }).click();
  await page.getByRole('tab', { name: '笔记' }).click();
  await expect(page.getByLabel('写笔记')).toHaveValue('借贷');
  await page.reload();
  await expect(page.getByRole('tab', { name: '笔记' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('写笔记')).toHaveValue('借贷');
  await page.getByRole('button', { name: '记笔记' }).click();
  await expect(page.getByText('笔记已保存')).toBeVisible();
  await expect(page.getByLabel('写笔记')).toHaveValue('');
  const { list } = await call(page.request, 'GET /app/course/note_list', {
    ...{ packId: school.packId, firstVideoId: school.lessons.film, pageNum: 1, pageSize: 10 },
  });
  expect(list.map(({ note }) => note)).toEqual(['借贷']);
  expect(Math.abs((list[0]?.position ?? -9) - began)).toBeLessThanOrEqual(1);
  await page.reload();
  await expect(page.getByLabel('写笔记')).toHaveValue('');

  await test.step('of many notes all can be read', async () => {
    const at = { packId: school.packId, firstVideoId: school.lessons.film };
    for (let more = 0; more < 200; more += 1)
      await call(page.request, 'POST /app/course/note_save', { ...at, position: 1, note: `第 ${more} 条` });
    await page.reload();
    const rows = page.getByRole('button', { name: '修改这条笔记' });
    await expect(rows).toHaveCount(200);
    await page.getByRole('button', { name: '加载更多' }).click();
    await expect(rows).toHaveCount(201);
    await expect(page.getByRole('button', { name: '加载更多' })).toHaveCount(0);
  });
});

test('who plays a film again while its end is still told stays with it @one-width', async ({ page }) => {
  await school.join(page.request);
  await play(page);
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

test('while another lesson is on its way, the tab that is open beside it stays @one-width', async ({ page }) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { current } = await call(page.request, 'GET /app/course/chapters', { packId });
  const firstVideoId = current?.firstVideoId ?? 0;
  await call(page.request, 'POST /app/course/save_position', { packId, firstVideoId, position: 0, ended: 1 });
  await page.addInitScript(() => localStorage.setItem('lixue.play-files-tip', '1'));
  await page.goto(`/course/play/${packId}?lesson=${firstVideoId}&tab=6`);
  const open = directory(page).getByRole('tab', { selected: true });
  await expect(open).toHaveText('资料');
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/app/course/lesson?**', async (route) => {
    await answered;
    await route.continue();
  });
  await page.getByRole('button', { name: '下一节' }).first().click();
  await expect(page).not.toHaveURL(new RegExp(`lesson=${firstVideoId}&`));
  const onward = page.getByRole('button', { name: '下一节' });
  await expect(onward).toHaveCount(0);
  await expect(open).toHaveText('资料');
  answer();
  await expect(onward.first()).toBeVisible();
  await expect(open).toHaveText('资料');
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
  await play(page);
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
  await play(page);
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
  await play(page);
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

test('a question of Q&A leads to its second of the film, from elsewhere and on the page, and once', async ({
  page,
}) => {
  await school.join(page.request);
  const { packId, lessons } = school;
  const asked = { packId, feedbackType: 41 as const, feedbackDesc: '这一秒怎么来的', firstVideoId: lessons.film };
  const { id } = await call(page.request, 'POST /app/feedback/submit', { ...asked, position: 4 });
  await page.goto(`/qa?id=${id}`);
  const link = page.getByRole('article').getByRole('link', { name: /00:04$/ });
  await link.click();
  await expect(heading(page)).toHaveText('第一节 看一段影片');
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeCloseTo(4, 0);
  // Used up: a reload goes on where one was.
  await expect(page).toHaveURL(new RegExp(`\\?lesson=${lessons.film}$`));
  await control(page, '播放').click();
  await expect.poll(() => second(page)).toBeGreaterThan(4.5);
  await control(page, '暂停').click();
  await film(page).evaluate((video: HTMLVideoElement) => {
    video.currentTime = 1;
  });
  await expect.poll(() => second(page)).toBeCloseTo(1, 0);
  await page.getByRole('tab', { name: '答疑' }).click();
  await link.first().click();
  await expect.poll(() => second(page)).toBeCloseTo(4, 0);
});
