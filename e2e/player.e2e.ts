import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { makeFilm } from './film.ts';
import { openWith } from './in-browser.ts';
import type * as PlayerPage from './player-page.tsx';

const SECONDS = 8;
const PLACE = '/films/one/';
let folder = '';
test.beforeAll(async () => {
  folder = await makeFilm(SECONDS);
  await writeFile(
    join(folder, 'zh.vtt'),
    'WEBVTT\n\n00:00:00.000 --> 00:00:05.000\n第一句 &lt;b&gt;\n第二行\n\n00:00:05.000 --> 00:00:08.000\n第二句\n',
  );
  await writeFile(join(folder, 'en.vtt'), 'WEBVTT\n\n00:00:00.000 --> 00:00:08.000\nFirst\n');
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

interface Answers {
  /** What is answered instead of a file; null: the file. */
  refuse?: (path: string, ticket: string | undefined) => number | null;
}

/** Opens the player's page beside a server of the film. @returns every path that was asked for */
async function open(page: Page, { refuse }: Answers = {}): Promise<string[]> {
  const asked: string[] = [];
  await page.route(`**${PLACE}**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(PLACE.length);
    asked.push(path);
    const status = refuse?.(path, route.request().headers()['x-ticket']) ?? null;
    if (status !== null) return route.fulfill({ status, body: '' });
    // Playlists of a quality name the key beside themselves.
    return route.fulfill({ body: await readFile(join(folder, path.endsWith('key') ? 'key' : path)) });
  });
  await openWith(page, 'e2e/player-page.tsx');
  return asked;
}

const show = (page: Page, props: Parameters<typeof PlayerPage.show>[0]) =>
  page.evaluate((given) => (globalThis as unknown as { built: typeof PlayerPage }).built.show(given), props);
const told = (page: Page) => page.evaluate(() => (globalThis as unknown as { built: typeof PlayerPage }).built.told);
const state = async (page: Page) => (await told(page)).state;
const url = `${PLACE}master.m3u8`;

test('a film is played, sought, quickened and heard to its end by mouse and keys', async ({ page, isMobile }, info) => {
  await open(page);
  await show(page, { url });
  await page.getByRole('button', { name: '播放', exact: true }).first().click();
  await expect.poll(async () => (await state(page))?.position ?? 0).toBeGreaterThan(0.5);
  expect(await state(page)).toMatchObject({ playing: true, waiting: false, failure: null });
  // It begins with the best of the three (spec §9: start level 2).
  expect((await state(page))?.quality).toBe(2);

  await page.getByRole('button', { name: /播放速度/ }).click();
  await page.getByRole('menuitemradio', { name: '2x', exact: true }).click();
  await expect.poll(async () => (await state(page))?.rate).toBe(2);
  await page.getByRole('button', { name: /清晰度/ }).click();
  await page.getByRole('menuitemradio', { name: '360p' }).click();
  await expect.poll(async () => (await state(page))?.quality).toBe(0);
  // Another quality does not set the speed back.
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(2);
  await page.screenshot({ path: info.outputPath('playing.png') });
  // The two clicks of a double click stop it and go on, however soon the second comes.
  const paused = await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.click();
    video.click();
    return video.paused;
  });
  expect(paused).toBe(false);
  await expect.poll(async () => (await state(page))?.playing).toBe(true);

  if (!isMobile) {
    await page.keyboard.press('Escape');
    await page.mouse.click(1300, 800);
    await page.keyboard.press(' ');
    await expect.poll(async () => (await state(page))?.playing).toBe(false);
    await page.getByRole('textbox').fill('问题');
    await page.getByRole('textbox').press(' ');
    expect(await state(page)).toMatchObject({ playing: false });
    await expect(page.getByRole('textbox')).toHaveValue('问题 ');
  } else await page.getByRole('button', { name: '暂停' }).click();

  const bar = page.getByRole('slider', { name: '播放进度' });
  await bar.focus();
  // A slider has no use for Space: it plays and pauses (spec §2).
  await page.keyboard.press(' ');
  await expect.poll(async () => (await state(page))?.playing).toBe(true);
  await page.keyboard.press(' ');
  await expect.poll(async () => (await state(page))?.playing).toBe(false);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await state(page))?.position ?? 0).toBeGreaterThan(SECONDS - 2);
  await page.getByRole('button', { name: '播放', exact: true }).last().click();
  await expect.poll(async () => (await state(page))?.ended).toBe(true);
  await page.getByRole('button', { name: '重新播放' }).last().click();
  await expect.poll(async () => (await state(page))?.playing).toBe(true);
  expect((await state(page))?.position).toBeLessThan(SECONDS / 2);
});

test('on a narrow stage no button is out of sight, and a finger brings the controls before it pauses', async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, 'a finger');
  await open(page);
  await show(page, { url, subtitles: [{ url: `${PLACE}zh.vtt`, language: 'zh-CN', label: '中文' }] });
  const controls = page.getByRole('group', { name: '播放控制' });
  await controls.getByRole('button', { name: /播放速度/ }).click();
  for (const rate of await page.getByRole('menuitemradio').all()) await expect(rate).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 320, height: 568 });
  for (const name of ['字幕', /播放速度/, /清晰度/, '全屏'])
    await expect(controls.getByRole('button', { name })).toBeInViewport({ ratio: 0.99 });
  await page.getByRole('button', { name: '播放', exact: true }).first().tap();
  // The button over the film is gone: the keyboard stays in the player.
  await page.keyboard.press('m');
  await expect(page.getByRole('button', { name: '取消静音' })).toHaveCount(1);
  const stage = page.locator('[data-kind=video]');
  await expect(stage).toHaveAttribute('data-idle', 'true');
  await page.locator('video').tap({ position: { x: 30, y: 30 } });
  await expect(stage).not.toHaveAttribute('data-idle', 'true');
  expect((await state(page))?.playing).toBe(true);
  await page.locator('video').tap({ position: { x: 30, y: 30 } });
  await expect.poll(async () => (await state(page))?.playing).toBe(false);
});

test('what came with the right to play is not asked for again; the part that plays first is, at once @one-width', async ({
  page,
}) => {
  const asked = await open(page);
  const text = (part: string) => readFile(join(folder, part), 'utf8');
  const [master, list] = [await text('master.m3u8'), await text('720/list.m3u8')];
  const known: [string, string][] = [
    [url, master],
    [`${PLACE}720/list.m3u8`, list],
  ];
  // Play is pressed before there is anything to play.
  await show(page, { url, known, startAt: 5 });
  await page.getByRole('button', { name: '播放', exact: true }).first().click();
  await expect.poll(async () => (await state(page))?.position ?? 0).toBeGreaterThan(5.2);
  expect(asked[0]).toBe('720/2.ts');
  // A busy machine may go on in another quality, whose list did not come along.
  expect(asked.filter((path) => /^(720\/)?[a-z]+\.m3u8$/.test(path))).toEqual([]);
  expect(asked.filter((path) => path === '720/2.ts')).toHaveLength(1);
});

test('the watermark drifts over the picture, and comes back where it is removed or hidden @one-width', async ({
  page,
}) => {
  await open(page);
  await show(page, { url });
  const mark = page.locator('[data-watermark]');
  const left = () => mark.evaluate((element) => element.getBoundingClientRect().left);
  await expect(mark).toHaveText('小砺 138****0001');
  const before = await left();
  await expect.poll(left).not.toBe(before);
  await mark.evaluate((element) => element.remove());
  await expect(mark).toBeVisible();
  await mark.evaluate((element) => {
    element.style.display = 'none';
  });
  await expect(mark).toBeVisible();
  await page.addStyleTag({ content: '[data-watermark] { display: none !important }' });
  await expect(mark).toBeVisible();
  await page.getByRole('button', { name: '全屏' }).click();
  await expect
    .poll(() => page.evaluate(() => document.fullscreenElement?.querySelector('[data-watermark]') !== null))
    .toBe(true);
});

test('the watermark stays over the picture where the stage is wider or higher than that @one-width', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Math.random = () => 0.99;
  });
  await open(page);
  await show(page, { url });
  const mark = page.locator('[data-watermark]');
  await expect
    .poll(() => page.locator('video').evaluate((film: HTMLVideoElement) => film.videoWidth))
    .toBeGreaterThan(0);
  /** How far it is outside of what is painted of a film of 16 to 9, in some frames, pixels. */
  const outside = () =>
    mark.evaluate(async (element) => {
      let most = 0;
      for (let frame = 0; frame < 30; frame += 1) {
        await new Promise(requestAnimationFrame);
        // A stage that has just changed its size is met by the next step, which may come after this look.
        if (frame < 2) continue;
        const stage = (element.parentElement ?? element).getBoundingClientRect();
        const width = Math.min(stage.width, (stage.height * 16) / 9);
        const [left, top] = [stage.left + (stage.width - width) / 2, stage.top + (stage.height - (width * 9) / 16) / 2];
        const own = element.getBoundingClientRect();
        const over = [left - own.left, own.right - left - width, top - own.top, own.bottom - top - (width * 9) / 16];
        most = Math.max(most, ...over);
      }
      return Math.round(most);
    });
  const shape = (ratio: string) => page.addStyleTag({ content: `[data-kind] { aspect-ratio: ${ratio} !important }` });
  for (const ratio of ['16 / 9', '4 / 1', '1 / 1', '9 / 1']) {
    await shape(ratio);
    expect(await outside(), ratio).toBeLessThanOrEqual(1);
  }
  // Of a picture that is narrower than the text, the text has several lines.
  const lines = () => mark.evaluate((element) => element.getBoundingClientRect().height / 20);
  expect(await lines()).toBe(1);
  await shape('16 / 1');
  expect(await outside()).toBeLessThanOrEqual(1);
  expect(await lines()).toBeGreaterThan(1);
  await shape('4 / 1');
  await page.setViewportSize({ width: 500, height: 900 });
  expect(await outside()).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: '全屏' }).click();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  expect(await outside()).toBeLessThanOrEqual(1);
});

test('the watermark stands until there is a picture under it @one-width', async ({ page }) => {
  await open(page, { refuse: () => 404 });
  await show(page, { url });
  const mark = page.locator('[data-watermark]');
  await expect(mark).toHaveText('小砺 138****0001');
  const moved = await mark.evaluate(async (element) => {
    const before = element.style.transform;
    for (let frame = 0; frame < 20; frame += 1) await new Promise(requestAnimationFrame);
    return element.style.transform !== before;
  });
  expect(moved).toBe(false);
});

test('a right that ran out is renewed where one is, and the film goes on; where none is, it is said once @one-width', async ({
  page,
}) => {
  let over = false;
  const asked = await open(page, {
    refuse: (path, ticket) => (over && ticket !== 'renewed' && !path.endsWith('.m3u8') ? 403 : null),
  });
  await show(page, { url, ticket: 'first', mayRenew: true, rate: 2 });
  await page.getByRole('button', { name: '播放', exact: true }).first().click();
  await expect.poll(async () => (await state(page))?.position ?? 0).toBeGreaterThan(0.2);
  over = true;
  await expect.poll(async () => (await state(page))?.ended, { timeout: 30_000 }).toBe(true);
  expect((await told(page)).failures).toEqual([]);
  // The right stands in no address.
  expect(asked.filter((path) => path.includes('?'))).toEqual([]);
});

test('what cannot be loaded is said after some tries, and begins where it was to begin when asked again @one-width', async ({
  page,
}) => {
  // A film that is not there is no failure of its student's network.
  for (const [status, why] of [
    [500, 'network'],
    [404, 'decode'],
  ] as const) {
    let broken = true;
    await open(page, { refuse: (path) => (broken && path.endsWith('.ts') ? status : null) });
    await show(page, { url, startAt: 5 });
    await page.getByRole('button', { name: '播放', exact: true }).first().click();
    await expect.poll(async () => (await told(page)).failures, { timeout: 30_000 }).toEqual([why]);
    expect(await state(page)).toMatchObject({ failure: why, playing: false });
    broken = false;
    // It stands paused, so the sign of play is over it again.
    await page.getByRole('button', { name: '播放', exact: true }).first().click();
    await expect.poll(async () => (await state(page))?.playing).toBe(true);
    await expect.poll(async () => (await state(page))?.loadedTo ?? 0).toBeGreaterThan(5);
    await expect.poll(async () => (await state(page))?.position ?? 0).toBeGreaterThan(5.2);
    expect(await page.evaluate(() => document.querySelector('video')?.played.start(0))).toBeGreaterThan(4.8);
  }
});

test('a server that is away while there is film left has interrupted nobody @one-width', async ({ page }) => {
  let away = true;
  let lastInVain = Number.POSITIVE_INFINITY;
  const refuse = (path: string) => {
    if (!away || !path.endsWith('.ts') || path === asked.find((one) => one.endsWith('.ts'))) return null;
    lastInVain = Date.now();
    return 500;
  };
  const asked: string[] = await open(page, { refuse });
  await show(page, { url });
  // Between two tries it waits 4 s at most: after 6 s it waits for somebody who plays or jumps.
  await expect.poll(() => Date.now() - lastInVain, { timeout: 40_000 }).toBeGreaterThan(6000);
  expect((await told(page)).failures).toEqual([]);
  away = false;
  // Paused, a jump to what is not loaded loads it.
  await page.getByRole('slider', { name: '播放进度' }).press('End');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await state(page))?.loadedTo ?? 0).toBeGreaterThan(SECONDS - 1);
  expect((await state(page))?.playing).toBe(false);
  await page.getByRole('button', { name: '播放', exact: true }).last().click();
  await expect.poll(async () => (await state(page))?.ended, { timeout: 30_000 }).toBe(true);
  expect((await told(page)).failures).toEqual([]);
});

test('where somebody jumps before the film is there, it begins @one-width', async ({ page }) => {
  let come: () => void = () => undefined;
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  for (const [startAt, key, begins] of [
    [5, 'Home', 0],
    [0, 'End', SECONDS],
  ] as const) {
    await open(page);
    await page.route(`**${PLACE}**`, async (route) => {
      await coming;
      await route.fallback();
    });
    await show(page, { url, startAt });
    await page.getByRole('slider', { name: '播放进度' }).press(key);
    come();
    await expect.poll(async () => (await state(page))?.loadedTo ?? 0).toBeGreaterThan(begins - 1);
    await page.getByRole('button', { name: '播放', exact: true }).last().click();
    if (begins > 0) await expect.poll(async () => (await state(page))?.ended).toBe(true);
    else {
      await expect.poll(async () => (await state(page))?.position ?? 9).toBeLessThan(4);
      await expect.poll(async () => (await state(page))?.position ?? 0).toBeGreaterThan(0.3);
      expect((await state(page))?.position).toBeLessThan(4);
    }
  }
});

test('two quick clicks on the sign of play lead to full screen as well @one-width', async ({ page }) => {
  await open(page);
  await show(page, { url });
  const sign = page.getByRole('button', { name: '播放', exact: true }).first();
  await sign.evaluate((button) => {
    for (const detail of [1, 2]) button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }));
    button.dispatchEvent(new MouseEvent('dblclick', { bubbles: true, detail: 2 }));
  });
  await expect(page.getByRole('button', { name: '退出全屏' })).toBeVisible();
});

test('without a network nothing has failed: the film waits and says so, and goes on by itself @one-width', async ({
  page,
  context,
}) => {
  let cut = true;
  await open(page, { refuse: (path) => (cut && path.endsWith('.ts') ? 500 : null) });
  await context.setOffline(true);
  await show(page, { url, rate: 2 });
  await page.getByRole('button', { name: '播放', exact: true }).first().click();
  const waits = page.getByText('网络中断，恢复后会自动继续播放');
  await expect(waits).toBeVisible();
  cut = false;
  await context.setOffline(false);
  await expect(waits).toBeHidden();
  await expect.poll(async () => (await state(page))?.ended, { timeout: 30_000 }).toBe(true);
  expect((await told(page)).failures).toEqual([]);
});

const subtitles = [
  { url: `${PLACE}zh.vtt`, language: 'zh-CN', label: '中文' },
  { url: `${PLACE}en.vtt`, language: 'en', label: 'English' },
];
for (const kind of ['video', 'audio'] as const)
  test(`subtitles of a ${kind} are shown when they are chosen, and by themselves to who chose them before @one-width`, async ({
    page,
  }, info) => {
    await open(page);
    await show(page, { url, kind, subtitles });
    const line = page.getByText('第一句 <b>');
    await page.getByRole('button', { name: '播放', exact: true }).first().click();
    await expect.poll(async () => (await state(page))?.position ?? 0).toBeGreaterThan(0.2);
    await page.getByRole('button', { name: '暂停' }).first().click();
    await expect(line).toHaveCount(0);
    await page.getByRole('button', { name: '字幕' }).click();
    await page.getByRole('menuitemradio', { name: '中文' }).click();
    await expect(line).toBeVisible();
    await expect(page.getByText('第二行')).toBeVisible();
    await page.screenshot({ path: info.outputPath('subtitles.png') });
    await page.getByRole('slider', { name: '播放进度' }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByText('第二句')).toBeVisible();
    await page.getByRole('button', { name: '字幕' }).click();
    await page.getByRole('menuitemradio', { name: '关闭字幕' }).click();
    await expect(page.getByText('第二句')).toHaveCount(0);
    expect((await told(page)).languages).toEqual(['zh-CN', null]);
    // They are not asked for before the right to play is there.
    const later = subtitles.map((one) => ({ ...one, url: null }));
    await show(page, { url, kind, subtitles: later, subtitleLanguage: 'en-GB', again: true });
    await show(page, { url, kind, subtitles, subtitleLanguage: 'en-GB', again: true });
    await page.getByRole('button', { name: '播放', exact: true }).first().click();
    await expect(page.getByText('First')).toBeVisible();
  });
