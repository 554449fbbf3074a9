import { describe, expect, it } from 'vitest';
import { type SliderEvent, sliderAtStart, sliderNext } from './slider-state.ts';

const play = (...events: SliderEvent[]) => events.reduce(sliderNext, sliderAtStart);

describe('slider', () => {
  it('is only proving when the drag has reached the far right', () => {
    const nearly = play({ type: 'grab', now: 100 }, { type: 'move', x: 999.4, now: 300 });
    expect([nearly.phase, nearly.x]).toEqual(['dragging', 999]);
    const there = sliderNext(nearly, { type: 'move', x: 1040, now: 350 });
    expect([there.phase, there.x]).toEqual(['proving', 1000]);
    expect(there.track).toEqual([
      { at: 0, x: 0 },
      { at: 200, x: 999 },
      { at: 250, x: 1000 },
    ]);
  });

  it('goes back to the start when it is let go early', () => {
    const state = play({ type: 'grab', now: 0 }, { type: 'move', x: 900, now: 10 }, { type: 'release' });
    expect(state).toEqual(sliderAtStart);
  });

  it('is done only after the server believed it, and then for good', () => {
    const done = play({ type: 'grab', now: 0 }, { type: 'move', x: 1000, now: 10 }, { type: 'believed' });
    expect(done.phase).toBe('done');
    for (const event of [
      { type: 'grab', now: 1 },
      { type: 'move', x: 3, now: 2 },
      { type: 'nudge', by: -100, now: 3 },
      { type: 'release' },
      { type: 'refused' },
    ] satisfies SliderEvent[]) {
      expect(sliderNext(done, event)).toEqual(done);
    }
  });

  it('starts again, and says so, when the server refused', () => {
    const state = play({ type: 'grab', now: 0 }, { type: 'move', x: 1000, now: 10 }, { type: 'refused' });
    expect([state.phase, state.x, state.refused]).toEqual(['idle', 0, true]);
    expect(sliderNext(state, { type: 'grab', now: 20 }).refused).toBe(false);
  });

  it('cannot be believed or moved without a drag', () => {
    expect(play({ type: 'move', x: 1000, now: 1 }, { type: 'believed' })).toEqual(sliderAtStart);
  });

  it('goes by key from the start, back and forth', () => {
    const state = play(
      { type: 'nudge', by: 50, now: 5 },
      { type: 'nudge', by: 50, now: 105 },
      { type: 'nudge', by: -200, now: 205 },
    );
    expect([state.phase, state.x]).toEqual(['dragging', 0]);
    expect(state.track.at(-1)).toEqual({ at: 200, x: 0 });
  });

  it('keeps a long drag within what the contract takes, first and last step included', () => {
    let state = sliderNext(sliderAtStart, { type: 'grab', now: 0 });
    for (let step = 1; step <= 5_000; step += 1) {
      state = sliderNext(state, { type: 'move', x: Math.min(999, step / 5), now: step * 8 });
    }
    expect(state.track.length).toBeLessThanOrEqual(500);
    expect(state.track[0]).toEqual({ at: 0, x: 0 });
    expect(state.track.at(-1)).toEqual({ at: 40_000, x: 999 });
    expect(state.track.map((step) => step.at)).toEqual(state.track.map((step) => step.at).sort((a, b) => a - b));
  });
});
