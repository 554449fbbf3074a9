import type { CDPSession, Page } from '@playwright/test';
import { median } from './measure.ts';

/**
 * Scores of the two phones that Chromium's developer tools slow a machine down to: Lighthouse's BenchmarkIndex of a Pixel 5 and of a Moto G Power of 2022
 * (DevTools, "CPU throttling calibration"). A fixed slow-down is another phone on each machine.
 */
export const MID_TIER = 1000;
export const LOW_TIER = 264;

/** Steps of looking for the slow-down, and scores of which the middle one is taken: two of one machine differ by up to a fifth. */
const STEPS = 6;
const SCORES = 3;

/** The slow-down of a page's processor, times, and how quick it is with it (`scoreAt`). */
export interface SlowDown {
  rate: number;
  score: number;
}

/** How quick the page's processor is at this slow-down: the middle one of some scores. The page is at full speed afterwards. */
export async function scoreAt(page: Page, client: CDPSession, rate: number): Promise<number> {
  await client.send('Emulation.setCPUThrottlingRate', { rate });
  const scores: number[] = [];
  while (scores.length < SCORES) scores.push(await scoreOf(page));
  await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return median(scores);
}

/**
 * How quick the page's processor is, as Lighthouse's BenchmarkIndex says it: strings of 10,000 letters made letter by letter, and 100,000 numbers copied one by one,
 * each in tens per second, and of both the mean. Takes half a second.
 */
async function scoreOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    /** Milliseconds of each of the two. */
    const EACH = 250;
    let made = 0;
    let times = 0;
    const strings = performance.now();
    while (performance.now() - strings < EACH) {
      let text = '';
      for (let letter = 0; letter < 10_000; letter += 1) text += 'a';
      made += text.length;
      times += 1;
    }
    const perSecond = times / ((performance.now() - strings) / 1000);
    const [one, other] = [
      Array.from({ length: 100_000 }, (_, at) => at),
      Array.from({ length: 100_000 }, (_, at) => at),
    ];
    let copies = 0;
    const copying = performance.now();
    // The clock is asked at every tenth: to ask costs something, too.
    while (copies % 10 !== 0 || performance.now() - copying < EACH) {
      const [from, to] = copies % 2 === 0 ? [one, other] : [other, one];
      for (let at = 0; at < from.length; at += 1) to[at] = from[at] as number;
      copies += 1;
    }
    const copiesPerSecond = copies / ((performance.now() - copying) / 1000);
    // What is made is used, or nothing would have to be made.
    return made > 0 ? (perSecond + copiesPerSecond) / 20 : 0;
  });
}

/**
 * The slow-down at which the page is as quick as a phone of that score, with the score that it has there; none (1) where the machine is no quicker.
 * @param page an open page that does nothing; it is at full speed afterwards
 */
export async function slowDownTo(page: Page, client: CDPSession, target: number): Promise<SlowDown> {
  const own = await scoreAt(page, client, 1);
  if (own <= target) return { rate: 1, score: own };
  let [low, high] = [1, (own / target) * 1.5];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if ((await scoreAt(page, client, middle)) > target) low = middle;
    else high = middle;
  }
  const rate = (low + high) / 2;
  return { rate, score: await scoreAt(page, client, rate) };
}
