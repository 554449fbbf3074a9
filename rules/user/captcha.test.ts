import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHALLENGE_LIFE, type DragPoint, judgeDrag, TICKET_LIFE } from './captcha.ts';

const track = (...points: [at: number, x: number][]): DragPoint[] => points.map(([at, x]) => ({ at, x }));
const mouse = track([0, 0], [40, 120], [90, 380], [140, 700], [200, 930], [260, 1000]);
const failed = { ok: false, why: 'captchaFailed' };

it('a challenge and a ticket live two minutes', () =>
  expect([CHALLENGE_LIFE, TICKET_LIFE]).toEqual([120_000, 120_000]));

describe('judgeDrag', () => {
  it.each<[string, DragPoint[], number]>([
    ['a drag by mouse', mouse, 900],
    ['a finger that slips back a little', track([0, 4], [50, 400], [90, 300], [200, 800], [380, 1000]), 900],
    [
      'ten steps of the arrow key',
      track(...[...Array(10).keys()].map((n): [number, number] => [n * 80, n * 100 + 100])),
      1500,
    ],
    ['arrow keys from 0', track(...[...Array(11).keys()].map((n): [number, number] => [n * 80, n * 100])), 1500],
    ['a slow person', track([0, 0], [60_000, 500], [110_000, 1000]), 111_000],
    ['a challenge fetched long before', mouse, CHALLENGE_LIFE],
    ['a proof that came as soon as a hand can move', mouse, 300],
    [
      'a drag that took as much longer as a browser’s stopwatch may run ahead',
      track([0, 0], [700, 500], [1400, 1000]),
      900,
    ],
    ['a slip back as far as a hand may slip', track([0, 0], [100, 700], [200, 450], [300, 1000]), 900],
  ])('takes %s', (_what, points, elapsed) => expect(judgeDrag(points, elapsed)).toEqual({ ok: true }));

  it.each<[string, DragPoint[], number]>([
    ['no track', [], 900],
    ['a drag let go early', track([0, 0], [100, 500], [200, 999]), 900],
    ['the end reached, then let go elsewhere', track([0, 0], [100, 500], [200, 1000], [300, 990]), 900],
    ['only the end', track([300, 1000]), 900],
    ['a jump from start to end', track([0, 0], [300, 1000]), 900],
    ['a start in the middle', track([0, 400], [100, 700], [300, 1000]), 900],
    ['a position just beyond the track', track([0, 0], [100, 500], [200, 1100], [300, 1000]), 900],
    ['a leap back', track([0, 0], [100, 700], [200, 300], [300, 1000]), 900],
    ['time running backwards', track([0, 0], [200, 500], [100, 700], [300, 1000]), 900],
    ['positions beyond the track', track([0, 0], [100, 500], [200, 1400], [300, 1000]), 900],
    ['a proof that came sooner than a hand can move', mouse, 299],
    ['a drag that says it took longer than the server saw', track([0, 0], [1000, 500], [2000, 1000]), 900],
    ['a challenge that is too old', mouse, CHALLENGE_LIFE + 1],
    ['a clock set back', mouse, -5],
  ])('refuses %s', (_what, points, elapsed) => expect(judgeDrag(points, elapsed)).toEqual(failed));

  it('takes every steady drag over the whole track, and none that stops before the end', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 4, maxLength: 100 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (weights, tick) => {
        const sum = weights.reduce((total, weight) => total + weight, 0);
        let at = 0;
        let way = 0;
        const points = weights.map((weight) => {
          way += weight;
          at += tick;
          return { at, x: Math.floor((way / sum) * 1000) };
        });
        points.unshift({ at: 0, x: 0 });
        expect(judgeDrag(points, at + 300)).toEqual({ ok: true });
        expect(
          judgeDrag(
            points.filter(({ x }) => x < 1000),
            at + 300,
          ),
        ).toEqual(failed);
      }),
    );
  });
});
