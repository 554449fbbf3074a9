import { expect, it } from 'vitest';
import { type Begun, paysFrom, spentAfter } from './study-clock.ts';

const NOW = 1_000_000_000;
const SECOND = 1000;
const DAY = 86_400 * SECOND;
/** Rights have been noted for a month. */
const begun = (rightAt: number | null, firstAt: number | null = null): Begun => ({
  rightAt: rightAt === null ? null : NOW - rightAt * SECOND,
  firstAt: firstAt === null ? null : NOW - firstAt * SECOND,
  notedSince: NOW - 30 * DAY,
});

it.each<[string, number | null, Begun, number]>([
  // Seconds since when time pays, before now.
  ['a first report after half a minute is paid from the moment the right was given', null, begun(30), 31],
  ['one that comes at once is paid nothing but what two clocks may differ by', null, begun(0), 1],
  ['one without any right, neither', null, begun(null), 1],
  ['nor is one for another film than the one that was played for hours', 3, begun(0), 1],
  ['time is paid once, whatever windows and lessons report', 12, begun(600), 12],
  ['a network that was away for two minutes is paid', 120, begun(600), 120],
  ['one that was away for longer is paid for three', 1200, begun(3600), 180],
  ['what a killed browser left is paid the next day, up to three minutes', 86_400, begun(90_000), 180],
  ['what was left where nothing was ever told, too', null, begun(86_400), 180],
  ['in a second window, or on a phone, the first right counts', 40, begun(600, 500), 40],
  ['a page from before rights were noted is known by what it said', 30, begun(null, 400), 30],
  ['so is one whose film was replaced by another, that was opened later', 45, begun(20, 400), 45],
  ['and a first word, before the right, as of a page that was open for long', null, begun(10, 100), 101],
  ['a right ahead, from a clock that was set back, binds nobody', 30, begun(-3600), 30],
  ['it is passed over where something else is known', null, begun(-3600, 20), 21],
  ['a report that overtook another one leaves nothing of the time to it', -99, begun(600), 0],
  ['three minutes ahead is still a report that overtook another', -180, begun(600), 0],
  ['more than that is a clock that was ahead', -181, begun(600), 180],
  ['a clock that was an hour ahead and set back costs nobody that hour', -3600, begun(600), 180],
  ['nor does it pay more than since the film can have begun', -3600, begun(30), 31],
])('%s', (_, spent, known, seconds) => {
  const spentUntil = spent === null ? null : NOW - spent * SECOND;
  expect(NOW - paysFrom(spentUntil, known, NOW)).toBe(seconds * SECOND);
});

it('while pages are open that got their right before these were noted, nobody is bound by it', () => {
  const since = (minutes: number) => ({ ...begun(null), notedSince: NOW - minutes * 60 * SECOND });
  expect(NOW - paysFrom(null, since(14), NOW)).toBe(180 * SECOND);
  expect(NOW - paysFrom(null, since(15), NOW)).toBe(SECOND);
  expect(NOW - paysFrom(null, since(16), NOW)).toBe(SECOND);
  expect(NOW - paysFrom(null, { ...since(0), rightAt: NOW }, NOW)).toBe(180 * SECOND);
});

it.each<[string, number | null, number, number]>([
  // Seconds before now.
  ['a first report uses what it is paid', null, 10, 10],
  ['another one goes on from there', 40, 10, 10],
  ['what another server used, whose clock is ahead, stays used', -1, 0, -1],
  ['further ahead is a clock that was set back', -2, 0, 0],
])('%s', (_, spent, paid, used) => {
  const spentUntil = spent === null ? null : NOW - spent * SECOND;
  expect(NOW - spentAfter(spentUntil, NOW - paid * SECOND, NOW)).toBe(used * SECOND);
});
