import { expect, type Page, test } from '@playwright/test';
import { enrol } from '#server/course/enrolment-store.ts';
import { call } from './call.ts';
import { chooseRate, control, film, heading, play, second, stored } from './film-page.ts';
import { type FilmSchool, makeFilmSchool } from './film-school.ts';
import { look } from './look.ts';
import { findPack, newStudent, packs } from './student.ts';

let school: FilmSchool;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  school = await makeFilmSchool();
});
test.afterAll(() => school.close());

const directory = (page: Page) => page.getByRole('complementary');
const lesson = (page: Page, name: RegExp) => directory(page).getByRole('button', { name });
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
  await expect.poll(async () => (await stored(page, school, school.lessons.film)).position).toBeCloseTo(left, 0);
  const half = await stored(page, school, school.lessons.film);
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

  await test.step('Space plays and pauses after a click on a tab or a row of the directory, and presses what the keyboard reached', async () => {
    const paused = () => film(page).evaluate((video: HTMLVideoElement) => video.paused);
    await lesson(page, /看一段影片/).click();
    await page.keyboard.press(' ');
    await expect.poll(paused).toBe(false);
    await page.getByRole('tab', { name: '简介' }).click();
    await page.keyboard.press(' ');
    await expect.poll(paused).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press(' ');
    expect(await paused()).toBe(true);
    await film(page).evaluate((video: HTMLVideoElement, to) => {
      video.currentTime = to;
    }, left);
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
  // What is read until the film comes does not finish the lesson.
  const reads = (body: string) =>
    school.db.query.updateTable('lessons').set({ body }).where('id', '=', school.lessons.waiting).execute();
  await reads('<p>先读这一页</p>');
  await page.reload();
  await expect(page.getByText('可以先阅读图文')).toBeVisible();
  await expect(page.getByText('先读这一页')).toBeVisible();
  await expect(page.getByRole('button', { name: '学完了' })).toHaveCount(0);
  await reads('');
});

test('a page that is busy counts all that played, at twice the rate too @one-width', async ({ page }) => {
  await school.join(page.request);
  await play(page, school);
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
  await play(page, school);
  const kept = () =>
    page.evaluate(() => {
      const text = Object.values(localStorage).find((value: string) => value.includes('"begun":true'));
      return text === undefined ? null : (JSON.parse(text) as { position: number }[])[0];
    });
  await expect.poll(kept, { timeout: 20_000 }).not.toBeNull();
  const place = (await kept())?.position ?? 0;
  expect(place).toBeGreaterThan(2);
  expect((await stored(page, school, school.lessons.film)).watched).toBe(0);
  // No event of the page tells of this.
  const crashed = page.waitForEvent('crash');
  const devTools = await context.newCDPSession(page);
  void devTools.send('Page.crash').catch(() => undefined);
  await crashed;
  const other = await context.newPage();
  await other.goto(`/course/play/${school.packId}`);
  await expect.poll(() => second(other), { timeout: 30_000 }).toBeGreaterThan(place - 1);
  const known = await stored(other, school, school.lessons.film);
  expect(known.position).toBeGreaterThanOrEqual(place - 0.1);
  expect(known.watched).toBeGreaterThanOrEqual(Math.floor(place) - 1);
});

test('what a film waits for is asked for beside the code of its page, each once @one-width', async ({ page }) => {
  await school.join(page.request);
  const waited = /^\/(?:app\/course\/(?:chapters|lesson)|app\/video\/auth|api\/user\/info)$/;
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (waited.test(pathname)) asked.push(pathname);
  });
  let come: () => void = () => undefined;
  const code = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await code;
    await route.continue();
  });
  await page.goto(`/course/play/${school.packId}`, { waitUntil: 'commit' });
  const all = ['/api/user/info', '/app/course/chapters', '/app/course/lesson', '/app/video/auth'];
  await expect.poll(() => asked.toSorted()).toEqual(all);
  come();
  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(1);
  expect(asked.toSorted()).toEqual(all);
});

test('a page that is loaded again, or was long on its way, opens where its student was @one-width', async ({
  page,
}) => {
  await school.join(page.request);
  const { user } = await call(page.request, 'GET /api/user/info', {});
  await play(page, school);
  const told = page.waitForResponse(/report_duration/);
  await control(page, '暂停').click();
  // What was played has been said: only the place is left to say.
  await told;
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lixue.play.unsent'))).toBeNull();
  await film(page).evaluate((video: HTMLVideoElement) => {
    video.currentTime = 8.5;
  });
  await expect.poll(() => film(page).evaluate((video: HTMLVideoElement) => video.seeking)).toBe(false);
  await page.reload();
  await expect.poll(() => second(page)).toBeGreaterThan(8);

  // Another tab leaves a report behind while the code is on its way, when the lesson has been asked for.
  let come: () => void = () => undefined;
  let code = new Promise<void>((resolve) => {
    come = resolve;
  });
  const openLate = async () => {
    await page.goto('/agreement');
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await code;
      await route.continue();
    });
    const answered = page.waitForResponse(/\/app\/video\/auth/);
    await page.goto(`/course/play/${school.packId}`, { waitUntil: 'commit' });
    await answered;
  };
  await openLate();
  const left = {
    ...{ packId: school.packId, firstVideoId: school.lessons.film, duration: 1, position: 3, rate: 1, seq: 1 },
    ...{ places: [{ from: 2, to: 3 }], playId: 'left-by-another-tab', studentId: user?.studentId ?? 0 },
  };
  await page.evaluate((one) => {
    localStorage.setItem('lixue.play.unsent', JSON.stringify([{ ...one, at: Date.now() }]));
  }, left);
  come();
  await expect.poll(() => second(page)).toBeCloseTo(3, 0);
  expect((await stored(page, school, school.lessons.film)).position).toBeCloseTo(3, 0);

  // Another tab has said more by then.
  await page.unroute(/\/assets\/.*\.js$/);
  code = new Promise<void>((resolve) => {
    come = resolve;
  });
  await openLate();
  await call(page.request, 'POST /app/course/save_position', {
    ...{ packId: school.packId, firstVideoId: school.lessons.film, position: 9 },
  });
  await page.evaluate(() => localStorage.setItem('lixue.play.told', String(Date.now())));
  come();
  await expect.poll(() => second(page)).toBeCloseTo(9, 0);

  // Somebody else has signed in by then: the page is theirs.
  await page.unroute(/\/assets\/.*\.js$/);
  code = new Promise<void>((resolve) => {
    come = resolve;
  });
  await openLate();
  await newStudent(page.request);
  const { user: other } = await call(page.request, 'GET /api/user/info', {});
  await page.evaluate((id) => localStorage.setItem('lixue.cameAgain', String(id)), other?.studentId);
  come();
  await expect(page.getByRole('complementary', { name: '课程目录' })).toBeVisible();
});

test('who jumps to the end is told what is missing, and from a locked lesson led to what opens it', async ({
  page,
}, info) => {
  await school.join(page.request);
  await play(page, school);
  await film(page).evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration - 1;
  });
  await expect(page.getByText(/本节已看 \d+%，看满 90% 后解锁下一节：第二节 听一段录音/)).toBeVisible({
    timeout: 20_000,
  });
  await look(page, info, 'watch-ends-here');
  await control(page, '重新播放').click();
  await expect(page.getByText(/看满 90% 后解锁/)).toHaveCount(0);
  await page.goto(`/course/play/${school.packId}?lesson=${school.lessons.sound}`);
  await expect(page.getByText('该视频未解锁，无法播放')).toBeVisible();
  await look(page, info, 'watch-locked');
  await page.getByRole('button', { name: '去学习：第一节 看一段影片' }).click();
  await expect(heading(page)).toHaveText('第一节 看一段影片');
});

test('who leaves a film and comes back at once finds it where they left it @one-width', async ({ page }) => {
  const studentId = await school.join(page.request);
  const { packId, lessons } = await school.filmsInARow();
  await enrol(school.db.query, studentId, packId, Date.now());
  await page.goto(`/course/play/${packId}?lesson=${lessons[0]}`);
  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
  const told = page.waitForResponse(/report_duration/);
  await control(page, '暂停').click();
  await told;
  const goTo = async (to: number) => {
    await film(page).evaluate((video: HTMLVideoElement, at) => {
      video.currentTime = at;
    }, to);
    await expect.poll(() => film(page).evaluate((video: HTMLVideoElement) => video.seeking)).toBe(false);
  };
  await goTo(8.5);
  // A slow line: what is said arrives after one has come back.
  await page.route('**/app/course/report_duration', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await lesson(page, /第二节/).click();
  await expect(heading(page)).toHaveText(/^第二节/);
  await lesson(page, /第一节/).click();
  await expect(heading(page)).toHaveText(/^第一节/);
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(8);
  await control(page, '暂停').click();
  await goTo(4);
  await page.getByRole('link', { name: '砺学' }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeCloseTo(4, 0);
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
  await play(page, school);
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
