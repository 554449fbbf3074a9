import { describe, expect, it } from 'vitest';
import { isReportDue, type Played, playedAfter, playedAtStart, playedTick, takePortion } from './played.ts';

/** Looks at a player, each with the second it was at by the clock, the place, and what it did. */
type Look = [clock: number, position: number, more?: { rate?: number; moving?: boolean }];

const having = (from: number, ...looks: Look[]): Played =>
  looks.reduce<Played>(
    (played, [clock, position, { rate = 1, moving = true } = {}]) =>
      playedAfter(played, { now: clock * 1000, position, rate, moving }),
    playedAtStart(from),
  );

describe('what was played', () => {
  it.each<[string, number, Look[], { from: number; to: number }[]]>([
    ['nothing before it moves', 0, [[0, 0]], []],
    [
      'what lies between two looks',
      0,
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
      [{ from: 0, to: 2 }],
    ],
    [
      'at twice the rate, twice as much',
      0,
      [
        [0, 0, { rate: 2 }],
        [1, 2, { rate: 2 }],
      ],
      [{ from: 0, to: 2 }],
    ],
    [
      'no jump ahead',
      0,
      [
        [0, 0],
        [1, 1],
        [1.2, 60],
        [2.2, 61],
      ],
      [
        { from: 0, to: 1 },
        { from: 60, to: 61 },
      ],
    ],
    [
      'no jump back',
      0,
      [
        [0, 50],
        [1, 51],
        [1.2, 3],
        [2.2, 4],
      ],
      [
        { from: 50, to: 51 },
        { from: 3, to: 4 },
      ],
    ],
    [
      'nothing while it stalls',
      0,
      [
        [0, 0],
        [1, 1],
        [2, 1, { moving: false }],
        [30, 20, { moving: true }],
      ],
      [{ from: 0, to: 1 }],
    ],
    [
      'nothing while it is paused',
      0,
      [
        [0, 0],
        [1, 1, { moving: false }],
        [2, 2, { moving: false }],
      ],
      [{ from: 0, to: 1 }],
    ],
    [
      'a hidden tab that looks seldom, as long as its clock',
      0,
      [
        [0, 0],
        [60, 60],
        [120, 120],
      ],
      [{ from: 0, to: 120 }],
    ],
  ])('counts %s', (_name, from, looks, places) => {
    expect(having(from, ...looks).places).toEqual(places);
  });

  it('is reported at 30 s of the ticker and then begins anew, from the place where it is', () => {
    let played = having(0, [0, 0], [30, 30]);
    for (let tick = 0; tick < 29; tick += 1) played = playedTick(played);
    expect(isReportDue(played)).toBe(false);
    played = playedTick(played);
    expect(isReportDue(played)).toBe(true);
    const { portion, left } = takePortion(played);
    expect(portion).toEqual({ duration: 30, position: 30, rate: 1, places: [{ from: 0, to: 30 }] });
    expect([left.ticks, left.places, isReportDue(left)]).toEqual([0, [], false]);
    expect(takePortion(left)).toMatchObject({ portion: null, moved: false });
  });

  it('is no more places than one report takes', () => {
    const looks = Array.from({ length: 50 }, (_, at): Look[] => [
      [at * 2, at * 100],
      [at * 2 + 1, at * 100 + 1],
    ]);
    expect(isReportDue(having(0, ...looks.flat()))).toBe(true);
  });

  it('says the place alone where somebody only searched, and nothing of an opening that was left at once', () => {
    expect(takePortion(having(0, [0, 40, { moving: false }]))).toMatchObject({ portion: null, moved: true });
    expect(takePortion(playedAtStart(300))).toMatchObject({ portion: null, moved: false });
  });
});
