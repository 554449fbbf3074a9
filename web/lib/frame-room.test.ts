import { describe, expect, it } from 'vitest';
import { FrameRoom } from './frame-room.ts';

/** A room that knows what some work costs, in a frame that began at 1000. */
function roomOf(costs: Record<string, readonly number[]>): FrameRoom {
  const room = new FrameRoom();
  for (const [kind, all] of Object.entries(costs)) for (const cost of all) room.took(kind, cost);
  room.begins(1000);
  return room;
}

describe('whether work fits into a frame', () => {
  const costs = { draw: [12], 'lay out': [10, 30], style: [30, 10] };
  it.each([
    { kind: 'draw', now: 1000, within: 33, fits: true, why: 'it is cheap' },
    { kind: 'draw', now: 1020, within: 33, fits: true, why: 'what is left is enough' },
    { kind: 'draw', now: 1021, within: 33, fits: false, why: 'what is left is not enough' },
    { kind: 'draw', now: 1005, within: 16, fits: false, why: 'the frame is to be shorter' },
    { kind: 'lay out', now: 1004, within: 33, fits: false, why: 'a dearer one is believed at once' },
    { kind: 'style', now: 1008, within: 33, fits: false, why: 'a cheaper one is believed slowly: 26 by now' },
    { kind: 'style', now: 1006, within: 33, fits: true, why: 'and takes back a fifth' },
    { kind: 'unknown', now: 1032, within: 33, fits: true, why: 'nobody knows what it costs' },
    { kind: 'unknown', now: 1033, within: 33, fits: false, why: 'the frame is over' },
  ])('$kind after $now: $fits, since $why', ({ kind, now, within, fits }) => {
    expect(roomOf(costs).fits(kind, now, within)).toBe(fits);
  });

  it('puts work off for three frames, not for good', () => {
    const room = roomOf({ paint: [80] });
    const frames = Array.from({ length: 8 }, () => room.fits('paint', 1000, 33));
    expect(frames).toEqual([false, false, false, true, false, false, false, true]);
  });
});
