import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Scrolls so many pixels, so many milliseconds after what was before. */
type Step = readonly [pixels: number, after: number];

describe('whether the page passes, and whether it rests', () => {
  let page = Object.assign(new EventTarget(), { scrollY: 0 });
  beforeEach(() => {
    vi.useFakeTimers();
    vi.resetModules();
    page = Object.assign(new EventTarget(), { scrollY: 0 });
    vi.stubGlobal('window', page);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  async function scrolled(steps: readonly Step[]) {
    const motion = await import('./page-motion.ts');
    for (const [pixels, after] of steps) {
      vi.advanceTimersByTime(after);
      page.scrollY += pixels;
      page.dispatchEvent(new Event('scroll'));
    }
    return motion;
  }

  it.each<{ what: string; steps: Step[]; rests?: number; passing: boolean }>([
    { what: 'nothing has moved', steps: [], passing: false },
    { what: 'a jump', steps: [[30_000, 16]], passing: false },
    {
      what: 'somebody who reads along',
      steps: [
        [5, 16],
        [10, 20],
        [10, 20],
      ],

      passing: false,
    },
    {
      what: 'somebody who searches',
      steps: [
        [50, 16],
        [80, 20],
        [60, 20],
      ],

      passing: true,
    },
    {
      what: 'the same upwards',
      steps: [
        [-50, 16],
        [-80, 20],
        [-60, 20],
      ],

      passing: true,
    },
    {
      what: 'a place held while something above it grew',
      steps: [
        [5, 16],
        [6, 20],
        [900, 20],
      ],

      passing: false,
    },
    {
      what: 'one who turns back',
      steps: [
        [50, 16],
        [80, 20],
        [-60, 20],
      ],

      passing: false,
    },
    {
      what: 'one who stopped',
      steps: [
        [50, 16],
        [80, 20],
        [60, 20],
      ],
      rests: 151,

      passing: false,
    },
    {
      what: 'one who goes on after a rest',
      steps: [
        [80, 16],
        [80, 20],
        [80, 20],
        [80, 400],
      ],

      passing: false,
    },
  ])('$what', async ({ steps, rests = 0, passing }) => {
    const { isPassing } = await scrolled(steps);
    vi.advanceTimersByTime(rests);
    expect(isPassing()).toBe(passing);
  });

  it('does what a reader would feel once the page rests, and not where it is called off', async () => {
    const { whenResting } = await scrolled([
      [80, 16],
      [80, 20],
    ]);
    const [work, other] = [vi.fn(), vi.fn()];
    whenResting(work);
    const callOff = whenResting(other);
    vi.advanceTimersByTime(100);
    page.dispatchEvent(new Event('scroll'));
    vi.advanceTimersByTime(140);
    expect(work).not.toHaveBeenCalled();
    callOff();
    vi.advanceTimersByTime(400);
    expect(work).toHaveBeenCalledOnce();
    expect(other).not.toHaveBeenCalled();
  });

  it('does it at once where nothing moves', async () => {
    const { whenResting } = await scrolled([]);
    const work = vi.fn();
    whenResting(work);
    expect(work).toHaveBeenCalledOnce();
  });
});
