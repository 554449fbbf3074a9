import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClockReading,
  type ClockState,
  CONFIRM,
  clockAtStart,
  clockStep,
  isSure,
  SLEW,
  TOLERANCE,
} from './step.ts';

const EPOCH = 1_763_600_000_000;
const HOUR = 3_600_000;

/** A reading `monotonic` ms after the start of a clock that is `off` ms beside the right time. */
const reading = (monotonic: number, off = 0, more: Partial<ClockReading> = {}): ClockReading => ({
  monotonic,
  told: EPOCH + monotonic + off,
  within: 0,
  uptime: monotonic,
  ...more,
});

/** Reads a clock each second; `off` says by how much it is beside the right time at that second. */
function run(seconds: number, off: (second: number) => number, from = clockAtStart(reading(0))) {
  let state = from;
  const events: string[] = [];
  const first = state.readAt / 1000;
  for (let second = first + 1; second <= first + seconds; second += 1) {
    const step = clockStep(state, reading(second * 1000, off(second)));
    state = step.state;
    events.push(step.event);
  }
  return { state, events, wrong: state.offset - EPOCH };
}

const settled = run(60, () => 0).state;

describe('the clock', () => {
  it.each<[string, number, (second: number) => number, { wrong: number; sure: boolean; last: string }]>([
    ['stands', 60, () => 0, { wrong: 0, sure: true, last: 'steady' }],
    ['an hour forward for 2 s and back', 10, (s) => (s < 63 ? HOUR : 0), { wrong: 0, sure: true, last: 'steady' }],
    ['an hour forward: not believed at once', 1, () => HOUR, { wrong: 0, sure: false, last: 'seen' }],
    ['an hour forward for 30 s: not yet', 30, () => HOUR, { wrong: 0, sure: false, last: 'waiting' }],
    ['an hour forward for 31 s: adopted', 31, () => HOUR, { wrong: HOUR, sure: true, last: 'adopted' }],
    ['an hour back for 31 s: adopted', 31, () => -HOUR, { wrong: -HOUR, sure: true, last: 'adopted' }],
    ['it wanders: never believed', 120, (s) => s * HOUR, { wrong: 0, sure: false, last: 'seen' }],
    ['back at the last moment', 30, (s) => (s < 90 ? HOUR : 0), { wrong: 0, sure: true, last: 'gone' }],
    ['another step: counted anew', 40, (s) => (s < 80 ? HOUR : 2 * HOUR), { wrong: 0, sure: false, last: 'waiting' }],
    ['the tolerance is followed', 60, () => TOLERANCE, { wrong: TOLERANCE, sure: true, last: 'steady' }],
    ['more than it is a step', 1, () => TOLERANCE + 1, { wrong: 0, sure: false, last: 'seen' }],
    ['a drift of 1 % is followed', 600, (s) => (s - 60) * 10, { wrong: 6000, sure: true, last: 'steady' }],
    ['a drift back too', 600, (s) => (s - 60) * -10, { wrong: -6000, sure: true, last: 'steady' }],
  ])('%s', (_, seconds, off, expected) => {
    const { state, events, wrong } = run(seconds, off, settled);
    expect({ wrong, sure: isSure(state), last: events.at(-1) }).toEqual(expected);
  });

  it('is not believed in its first seconds: a machine may be set right just after it came up', () => {
    expect(isSure(clockAtStart(reading(0)))).toBe(false);
    expect(isSure(run(CONFIRM / 1000 - 1, () => 0).state)).toBe(false);
    expect(isSure(run(CONFIRM / 1000, () => 0).state)).toBe(true);
  });

  it('knows sleep from a step: the monotonic clock stood, the uptime and the wall clock went on', () => {
    const after = reading(61_000, HOUR, { uptime: 61_000 + HOUR });
    const woken = clockStep(settled, after);
    expect(woken).toMatchObject({ event: 'slept', by: HOUR });
    expect(isSure(woken.state)).toBe(true);
    expect(woken.state.offset + after.monotonic).toBe(after.told);
    // Without an uptime it is a step like any other, and believed when it has stood.
    expect(clockStep(settled, { ...after, uptime: null })).toMatchObject({ event: 'seen', by: HOUR });
    // Asleep with a clock that was set meanwhile: the sleep is sure, the rest is not.
    const set = clockStep(settled, reading(61_000, 3 * HOUR, { uptime: 61_000 + HOUR }));
    expect(set).toMatchObject({ event: 'seen', by: 2 * HOUR });
    expect(set.state.offset + 61_000).toBe(EPOCH + 61_000 + HOUR);
  });

  it('an answer that took long says less: only what is surely apart is a step', () => {
    const slow = clockStep(settled, reading(61_000, 4000, { within: 3500 }));
    expect(slow.event).toBe('steady');
    expect(clockStep(settled, reading(61_000, 4000, { within: 2500 })).event).toBe('seen');
  });

  it('whatever is read, the time moves by no more than a slew unless a step was confirmed or the machine slept', () => {
    const off = fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.constantFrom(HOUR, -HOUR, 0));
    fc.assert(
      fc.property(fc.array(fc.tuple(off, fc.integer({ min: 1, max: 5000 })), { maxLength: 80 }), (readings) => {
        let state: ClockState = settled;
        let stood = 0;
        for (const [at, pause] of readings) {
          const monotonic = state.readAt + pause;
          const { state: next, event } = clockStep(state, reading(monotonic, at));
          const moved = Math.abs(next.offset - state.offset);
          if (event === 'adopted') expect(monotonic - stood).toBeGreaterThanOrEqual(CONFIRM);
          else expect(moved).toBeLessThanOrEqual(SLEW);
          if (event === 'seen') stood = monotonic;
          expect(next.doubt !== null).toBe(event === 'seen' || event === 'waiting');
          state = next;
        }
      }),
    );
  });
});
