import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEPT_OPENINGS, type Opening, takeNumber } from './opening.ts';

type Said = readonly [playId: string, seq: number];

/** What is made of each of these: `new`, `late` (it counts, and leaves the place) or `again`. */
function taken(said: readonly Said[]): string[] {
  let openings: readonly Opening[] = [];
  return said.map(([playId, seq]) => {
    const { replayed, late, openings: after } = takeNumber(openings, { playId, seq });
    openings = after;
    return replayed ? 'again' : late ? 'late' : 'new';
  });
}

describe('the numbers of reports', () => {
  const others = Array.from({ length: KEPT_OPENINGS }, (_, at): Said => [`other-${at}`, 1]);
  it.each<[string, Said[], string[]]>([
    [
      'of one opening, in order',
      [
        ['a', 1],
        ['a', 2],
      ],
      ['new', 'new'],
    ],
    [
      'one that comes again',
      [
        ['a', 1],
        ['a', 1],
      ],
      ['new', 'again'],
    ],
    [
      'one that fills a gap, twice',
      [
        ['a', 1],
        ['a', 3],
        ['a', 2],
        ['a', 2],
      ],
      ['new', 'new', 'late', 'again'],
    ],
    [
      'one at the far end of the window',
      [
        ['a', 40],
        ['a', 9],
        ['a', 9],
      ],
      ['new', 'late', 'again'],
    ],
    [
      'one from before the window',
      [
        ['a', 40],
        ['a', 8],
      ],
      ['new', 'again'],
    ],
    [
      'one after a leap over the window',
      [
        ['a', 1],
        ['a', 99],
        ['a', 98],
      ],
      ['new', 'new', 'late'],
    ],
    [
      'the highest there is',
      [
        ['a', 1],
        ['a', 2_147_483_647],
        ['a', 2_147_483_647],
      ],
      ['new', 'new', 'again'],
    ],
    [
      'the same number of another opening',
      [
        ['a', 1],
        ['b', 1],
      ],
      ['new', 'new'],
    ],
    [
      'one that comes again after another opening spoke',
      [
        ['a', 1],
        ['b', 1],
        ['a', 1],
      ],
      ['new', 'new', 'again'],
    ],
    [
      'three openings that take turns and say all twice',
      [
        ['a', 1],
        ['b', 1],
        ['c', 1],
        ['a', 1],
        ['a', 2],
        ['b', 1],
        ['c', 1],
        ['b', 2],
        ['a', 2],
        ['c', 2],
      ],
      ['new', 'new', 'new', 'again', 'new', 'again', 'again', 'new', 'again', 'new'],
    ],
    [
      'a gap of an opening that others spoke after',
      [
        ['a', 1],
        ['a', 3],
        ['b', 1],
        ['a', 2],
        ['b', 2],
        ['a', 2],
        ['a', 4],
      ],
      ['new', 'new', 'new', 'late', 'new', 'again', 'new'],
    ],
    [
      'all that a closed tab left behind, while another one plays',
      [
        ['gone', 7],
        ['b', 1],
        ['gone', 8],
        ['gone', 7],
        ['b', 2],
        ['gone', 8],
      ],
      ['new', 'new', 'new', 'again', 'new', 'again'],
    ],
    [
      'an opening that speaks is kept, however many others come one after the other',
      [['a', 1], ...others.flatMap((other, at): Said[] => [other, ['a', at + 2]]), ['a', 1]],
      ['new', ...others.flatMap(() => ['new', 'new']), 'again'],
    ],
    [
      'one that was pushed out is taken for new, and is known again',
      [['a', 1], ...others, ['a', 1], ['a', 1], ['a', 2]],
      ['new', ...others.map(() => 'new'), 'new', 'again', 'new'],
    ],
  ])('%s', (_, said, expected) => {
    expect(taken(said)).toEqual(expected);
  });

  it('that a report does not have leave what is known', () => {
    const openings = [{ playId: 'a', lastSeq: 1, seenSeqs: 0 }];
    for (const said of [
      { playId: null, seq: 1 },
      { playId: 'a', seq: null },
    ])
      expect(takeNumber(openings, said)).toEqual({ replayed: false, late: false, openings });
  });

  const saying = (openings: number, highest: number) =>
    fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: openings }).map((at) => `opening-${at}`),
        fc.integer({ min: 1, max: highest }),
      ),
      { maxLength: 300 },
    );
  const nameOf = ([playId, seq]: Said) => `${playId} ${seq}`;
  const counted = (said: readonly Said[]) => {
    const how = taken(said);
    return said.filter((_, at) => how[at] !== 'again').map(nameOf);
  };

  it('of as many openings as are kept count once, in whatever order and however often they come', () => {
    fc.assert(
      fc.property(saying(KEPT_OPENINGS, 32), (said) => {
        expect(counted(said).sort()).toEqual([...new Set(said.map(nameOf))].sort());
      }),
    );
  });

  it('never count twice, from however far apart', () => {
    fc.assert(
      fc.property(saying(KEPT_OPENINGS, 100), (said) => {
        const names = counted(said);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });

  it('of more openings than are kept count at least once, and no more openings are kept', () => {
    fc.assert(
      fc.property(saying(3 * KEPT_OPENINGS, 32), (said) => {
        expect(new Set(counted(said))).toEqual(new Set(said.map(nameOf)));
        let openings: readonly Opening[] = [];
        for (const [playId, seq] of said) ({ openings } = takeNumber(openings, { playId, seq }));
        expect(openings.length).toBeLessThanOrEqual(KEPT_OPENINGS);
        expect(new Set(openings.map(({ playId }) => playId)).size).toBe(openings.length);
      }),
    );
  });
});
