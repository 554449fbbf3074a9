import { describe, expect, it } from 'vitest';
import { type Look, type StallClock, watchStall } from './stall.ts';

/** Looks once a second; @returns the seconds at which something was decided, and what */
function looks(seconds: number, at: (second: number) => Partial<Look>): string[] {
  let clock: StallClock | null = null;
  const said: string[] = [];
  let gaveUp = false;
  for (let second = 0; second <= seconds; second++) {
    const look = { now: second * 1000, position: 5, wanted: true, ahead: 0, online: true, ...at(second) };
    if (gaveUp) look.wanted = false;
    const next = watchStall(clock, look);
    clock = next.clock;
    gaveUp ||= next.verdict === 'decode' || next.verdict === 'network';
    if (next.verdict !== null) said.push(`${second} ${next.verdict}`);
  }
  return said;
}

describe('a stream that hangs', () => {
  it.each<[string, (second: number) => Partial<Look>, string[]]>([
    ['moves', (second) => ({ position: second }), []],
    ['is paused', () => ({ wanted: false }), []],
    ['waits for the network for good', () => ({}), ['8 nudge', '30 network']],
    ['has what it needs and stands', () => ({ ahead: 4 }), ['8 nudge', '30 decode']],
    ['has no network', () => ({ online: false }), []],
    [
      'has the network back after a minute',
      (second) => ({ online: second >= 60, position: second < 62 ? 5 : second }),
      [],
    ],
    ['goes on after it was asked for again', (second) => ({ position: second < 10 ? 5 : second }), ['8 nudge']],
    ['is paused in between', (second) => ({ wanted: second !== 20 }), ['8 nudge', '29 nudge']],
  ])('%s', (_name, at, said) => {
    expect(looks(40, at)).toEqual(said);
  });
});
