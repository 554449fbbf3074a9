import { expect, type Page } from '@playwright/test';
import { call } from './call.ts';
import type { FilmSchool } from './film-school.ts';

/** The parts of a film, as `route` takes them. */
export const PARTS = '**/app/video/play/**/*.ts';

export const heading = (page: Page) => page.getByRole('heading', { level: 1 });
export const film = (page: Page) => page.locator('video');
/** The second at which the film is. */
export const second = (page: Page) => film(page).evaluate((video: HTMLVideoElement) => video.currentTime);
export const control = (page: Page, name: string) =>
  page.getByRole('group', { name: '播放控制' }).getByRole('button', { name, exact: true });
/** What the server knows of a lesson for the student of this page. */
export const stored = (page: Page, { packId }: FilmSchool, firstVideoId: number) =>
  call(page.request, 'GET /app/course/lesson', { packId, firstVideoId });

/** Opens the lesson of the school's film and plays it until it moves. */
export async function play(page: Page, { packId, lessons }: FilmSchool): Promise<void> {
  await page.goto(`/course/play/${packId}?lesson=${lessons.film}`);
  await control(page, '播放').click();
  await expect.poll(() => second(page), { timeout: 30_000 }).toBeGreaterThan(0.5);
}

export async function chooseRate(page: Page, rate: string): Promise<void> {
  await page.getByRole('button', { name: /^播放速度/ }).click();
  await page.getByRole('menuitemradio', { name: rate, exact: true }).click();
}
