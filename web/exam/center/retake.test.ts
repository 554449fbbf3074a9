import { expect, it } from 'vitest';
import { whyNotAgain } from './retake.ts';

const retake = { most: 3, left: 2, after: 5, taken: 1, counts: 'first' as const };
const at = (time: string) => Date.parse(`2026-11-24T${time}+08:00`);

it.each<[string, string, string | null]>([
  ['said to the minute, never to one in which it is refused', '22:10:00', '22:16 后可再考'],
  ['to the last moment', '22:15:22.999', '22:16 后可再考'],
  ['and no longer', '22:15:23', null],
])('another try waits: %s', (_, now, words) => {
  expect(whyNotAgain({ ...retake, nextAt: at('22:15:23') }, at(now))).toEqual(
    words === null ? null : expect.stringContaining(words),
  );
});
