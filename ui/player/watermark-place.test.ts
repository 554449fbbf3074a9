import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Drift, driftOn, pictureOn } from './watermark-place.ts';

const size = (width: number, height: number) => ({ width, height });
const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });

it.each([
  ['a wide film fills a wide stage', size(1280, 720), size(640, 360), box(0, 0, 1280, 720)],
  ['a portrait film stands in its middle', size(1280, 720), size(360, 640), box(437.5, 0, 405, 720)],
  ['one of 4 to 3 too', size(1280, 720), size(960, 720), box(160, 0, 960, 720)],
  ['a wider one lies in its middle', size(1280, 720), size(1920, 800), box(0, 280 / 3, 1280, 1600 / 3)],
  ['a wide film on a portrait screen', size(390, 844), size(1280, 720), box(0, 312.3125, 390, 219.375)],
  ['a small one is painted larger', size(414, 270), size(64, 36), box(0, 18.5625, 414, 232.875)],
  ['one that has not come has all of the stage', size(414, 270), size(0, 0), box(0, 0, 414, 270)],
  ['a stage that is not shown has nothing', size(0, 0), size(64, 36), box(0, 0, 0, 0)],
])('%s', (_, stage, film, painted) => {
  const found = pictureOn(stage, film);
  for (const side of ['left', 'top', 'width', 'height'] as const) expect(found[side]).toBeCloseTo(painted[side], 6);
});

const at = (x: number, y: number, right = true, down = true): Drift => ({ x, y, right, down });
const mark = size(130, 20);

it.each<[string, Drift, { width: number; height: number }, number, Drift]>([
  ['goes on slantwise', at(10, 10), size(640, 360), 1000, at(26.2, 17.846)],
  ['turns at the right', at(505, 10), size(640, 360), 1000, at(498.8, 17.846, false)],
  ['turns at the left', at(3, 10, false), size(640, 360), 1000, at(13.2, 17.846)],
  ['turns at the bottom', at(10, 338), size(640, 360), 1000, at(26.2, 334.154, true, false)],
  ['turns at the top', at(10, 2, true, false), size(640, 360), 1000, at(26.2, 5.846)],
  ['is taken along by a picture that became smaller', at(600, 300), size(202, 360), 0, at(72, 300)],
  ['goes up and down where there is no room beside it', at(90, 10), size(100, 360), 1000, at(0, 17.846, false)],
  ['stands in a picture that is smaller than it is', at(5, 5), size(64, 10), 1000, at(0, 0, false, false)],
])('a watermark %s', (_, drift, picture, milliseconds, then) => {
  const found = driftOn(drift, mark, picture, milliseconds);
  expect([found.right, found.down]).toEqual([then.right, then.down]);
  expect(found.x).toBeCloseTo(then.x, 2);
  expect(found.y).toBeCloseTo(then.y, 2);
});

it('a watermark has the speed of the spec, and never leaves the picture, whatever its size becomes', () => {
  const far = driftOn(at(0, 0), mark, size(1e6, 1e6), 1000);
  expect(Math.hypot(far.x, far.y)).toBeCloseTo(0.3 * 60, 6);
  const pictures = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 900 }), fc.nat(100)));
  fc.assert(
    fc.property(pictures, (all) => {
      let drift = at(0, 0);
      for (const [width, height, milliseconds] of all) {
        drift = driftOn(drift, mark, { width, height }, milliseconds);
        for (const [place, room] of [
          [drift.x, width - mark.width],
          [drift.y, height - mark.height],
        ] as const) {
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(Math.max(0, room));
        }
      }
    }),
  );
});
