import { describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';

function machine() {
  const hands = { mono: 1_000, wall: 50_000 };
  const pass = (ms: number) => {
    hands.mono += ms;
    hands.wall += ms;
  };
  return { hands, pass, clock: createClock({ mono: () => hands.mono, wall: () => hands.wall }) };
}

describe('server clock', () => {
  it('is the device’s time and in doubt before the server spoke', () => {
    const { clock } = machine();
    expect([clock.now(), clock.known(), clock.doubtful()]).toEqual([50_000, false, true]);
  });

  it('adds half the round trip and then follows the monotonic clock', () => {
    const { clock, hands, pass } = machine();
    clock.sample(900_000, hands.mono - 200, hands.mono);
    expect(clock.now()).toBe(900_100);
    pass(30_000);
    expect(clock.now()).toBe(930_100);
  });

  it('does not follow a device clock that is set ahead, but doubts', () => {
    const { clock, hands } = machine();
    clock.sample(900_000, hands.mono, hands.mono);
    hands.wall += 3_600_000;
    expect(clock.now()).toBe(900_000);
    expect(clock.doubtful()).toBe(true);
  });

  it('knows how late it may be while in doubt: by the device’s own clock, where that went on', () => {
    const { clock, hands, pass } = machine();
    clock.sample(900_000, hands.mono, hands.mono);
    pass(1000);
    expect(clock.latest()).toBe(901_000);
    hands.wall += 60_000;
    expect([clock.now(), clock.latest()]).toEqual([901_000, 961_000]);
    hands.wall -= 3_600_000;
    expect(clock.latest(), 'never earlier than now').toBe(901_000);
  });

  it('is in doubt after a sleep in which the monotonic clock stood still, and right after a new sample', () => {
    const { clock, hands, pass } = machine();
    clock.sample(900_000, hands.mono, hands.mono);
    hands.wall += 60_000;
    expect(clock.doubtful()).toBe(true);
    // Slower than the first sample, and still taken: the old one is worth nothing now.
    pass(400);
    clock.sample(960_000, hands.mono - 400, hands.mono);
    expect([clock.now(), clock.doubtful()]).toEqual([960_200, false]);
  });

  it('does not take an answer that was asked for before the sleep', () => {
    const { clock, hands, pass } = machine();
    clock.sample(900_000, hands.mono, hands.mono);
    const sent = hands.mono;
    pass(100);
    hands.wall += 60_000;
    clock.sample(900_050, sent, hands.mono);
    expect(clock.doubtful()).toBe(true);
    // Nor one that a second sleep stands in.
    const between = hands.mono;
    pass(100);
    hands.wall += 30_000;
    clock.sample(960_200, between, hands.mono);
    expect(clock.doubtful()).toBe(true);
    const after = hands.mono;
    pass(20);
    clock.sample(990_210, after, hands.mono);
    expect([clock.now(), clock.doubtful()]).toEqual([990_220, false]);
  });

  it('keeps the quicker of two samples for a while', () => {
    const { clock, hands, pass } = machine();
    clock.sample(900_000, hands.mono - 10, hands.mono);
    pass(1_000);
    clock.sample(905_000, hands.mono - 4_000, hands.mono);
    expect(clock.now()).toBe(901_005);
    pass(6 * 60_000);
    clock.sample(2_000_000, hands.mono - 4_000, hands.mono);
    expect(clock.now()).toBe(2_002_000);
  });
});
