import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropBox, cropMoved, wholeCrop } from './crop.ts';

const wide = { width: 400, height: 200 };

describe('the square of a picture', () => {
  it('is its middle at first, from edge to edge', () => {
    expect(cropBox(wide, wholeCrop)).toEqual({ left: 100, top: 0, side: 200 });
  });

  it('is moved by its own side, and stops at the edge', () => {
    expect(cropBox(wide, cropMoved(wide, wholeCrop, { right: 0.25, down: 5 }))).toEqual({
      left: 150,
      top: 0,
      side: 200,
    });
    expect(cropBox(wide, cropMoved(wide, wholeCrop, { right: -9 }))).toEqual({ left: 0, top: 0, side: 200 });
  });

  it('becomes smaller around its middle', () => {
    expect(cropBox(wide, cropMoved(wide, wholeCrop, { zoom: 2 }))).toEqual({ left: 150, top: 50, side: 100 });
  });

  it('never leaves the picture', () => {
    const pixels = fc.integer({ min: 1, max: 9000 });
    const by = fc.record({
      right: fc.double({ min: -3, max: 3, noNaN: true }),
      down: fc.double({ min: -3, max: 3, noNaN: true }),
      zoom: fc.double({ min: -1, max: 9, noNaN: true }),
    });
    fc.assert(
      fc.property(pixels, pixels, fc.array(by), (width, height, moves) => {
        const crop = moves.reduce((at, move) => cropMoved({ width, height }, at, move), wholeCrop);
        const { left, top, side } = cropBox({ width, height }, crop);
        expect(left).toBeGreaterThan(-0.001);
        expect(top).toBeGreaterThan(-0.001);
        expect(left + side).toBeLessThan(width + 0.001);
        expect(top + side).toBeLessThan(height + 0.001);
      }),
    );
  });
});
