import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeState } from '#contract/values/play.ts';
import { KEPT_OPENINGS } from './opening.ts';
import { coverOf, lastOf, type Place, tidyPlaces } from './places.ts';
import {
  type LessonFacts,
  lastSaid,
  NOTHING_SEEN,
  nodeStateOf,
  type Report,
  type Seen,
  shareOf,
  startOf,
  takePosition,
  takeReport,
} from './report.ts';
import { type Begun, paysFrom } from './study-clock.ts';

const LENGTH = 600_000;
const video: LessonFacts = { length: LENGTH, unready: false, elective: false, share: 0.9 };
const NOW = 1_000_000_000;
/** What two servers' times may differ by. */
const SLACK = 1000;
const report = (from: number, to: number, more: Partial<Report> = {}): Report => ({
  position: to * 1000,
  duration: (to - from) * 1000,
  rate: 1,
  places: null,
  playId: null,
  seq: null,
  ago: null,
  ended: false,
  ...more,
});

/** Of a film that was opened long ago. */
const LONG_AGO: Begun = { rightAt: 0, firstAt: null, notedSince: 0 };

function take(
  seen: Seen,
  one: Report,
  spentUntil: number | null,
  now: number,
  { lastAt = null, ...begun }: Begun & { lastAt?: number | null } = LONG_AGO,
) {
  const taken = takeReport(video, { seen, lastAt }, one, paysFrom(spentUntil, begun, now), now);
  if (!taken.ok) throw new Error(taken.why);
  return taken;
}

describe('places', () => {
  it.each<[string, Place[], Place[]]>([
    [
      'are joined where they touch',
      [
        [0, 10],
        [10, 20],
      ],
      [[0, 20]],
    ],
    [
      'or lie in each other',
      [
        [0, 30],
        [5, 6],
      ],
      [[0, 30]],
    ],
    [
      'and stay apart where they do not',
      [
        [20, 30],
        [0, 10],
      ],
      [
        [0, 10],
        [20, 30],
      ],
    ],
    [
      'are cut to the media',
      [
        [-5, 5],
        [95, 200],
      ],
      [
        [0, 5],
        [95, 100],
      ],
    ],
    [
      'empty and reversed ones are none',
      [
        [5, 5],
        [9, 3],
      ],
      [],
    ],
    [
      'junk is none',
      [
        [Number.NaN, 5],
        [0, Number.NaN],
      ],
      [],
    ],
  ])('%s', (_, given, kept) => {
    expect(tidyPlaces(given, 100)).toEqual(kept);
  });

  it('too many give up the shortest', () => {
    expect(
      tidyPlaces(
        [
          [0, 5],
          [10, 11],
          [20, 30],
        ],
        100,
        2,
      ),
    ).toEqual([
      [0, 5],
      [20, 30],
    ]);
  });

  it.each<[number, Place[]]>([
    [0, []],
    [4, [[26, 30]]],
    [10, [[20, 30]]],
    [
      12,
      [
        [8, 10],
        [20, 30],
      ],
    ],
    [
      99,
      [
        [0, 10],
        [20, 30],
      ],
    ],
  ])('of the last %i milliseconds', (milliseconds, kept) => {
    expect(
      lastOf(
        [
          [0, 10],
          [20, 30],
        ],
        milliseconds,
      ),
    ).toEqual(kept);
  });

  const places = fc.array(fc.tuple(fc.integer({ min: -50, max: 700 }), fc.integer({ min: -50, max: 700 })), {
    maxLength: 40,
  });
  it('say the same in any order and when said again, never more than the media, never less than any of them', () => {
    fc.assert(
      fc.property(places, (given) => {
        const kept = tidyPlaces(given, 600);
        expect(tidyPlaces([...given].reverse(), 600)).toEqual(kept);
        expect(tidyPlaces([...kept, ...given], 600)).toEqual(kept);
        expect(coverOf(kept)).toBeLessThanOrEqual(600);
        for (const [at, [from, to]] of kept.entries()) {
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThan(kept[at - 1]?.[1] ?? -1);
        }
        for (const one of given) expect(coverOf(kept)).toBeGreaterThanOrEqual(coverOf(tidyPlaces([one], 600)));
      }),
    );
  });
});

describe('a report', () => {
  it('is believed as far as the clock allows', () => {
    expect(take(NOTHING_SEEN, report(0, 30), NOW - 30_000, NOW)).toMatchObject({
      believed: 30_000,
      spentUntil: NOW,
      seen: { places: [[0, 30_000]], watched: 30_000, position: 30_000 },
    });
    // 30 s said after 10: the last 10 count, the place is kept.
    expect(take(NOTHING_SEEN, report(0, 30), NOW - 10_000, NOW)).toMatchObject({
      believed: 10_000,
      spentUntil: NOW,
      seen: { places: [[20_000, 30_000]], position: 30_000 },
    });
  });

  it.each([
    [2, 60, 60_000],
    [1.5, 45, 45_000],
    // Faster than 2 is not believed, nor more media than the rate allows.
    [4, 120, 60_000],
    [1, 60, 30_000],
    [0.5, 15, 15_000],
  ])('at rate %f, %i s in 30 s of the clock count %i ms', (rate, seconds, believed) => {
    expect(take(NOTHING_SEEN, report(0, seconds, { rate }), NOW - 30_000, NOW).believed).toBe(believed);
  });

  it('of somebody who did not report for long is not paid from the time before', () => {
    const hour = take(NOTHING_SEEN, report(0, 600), NOW - 8 * 3_600_000, NOW);
    expect(hour.believed).toBe(180_000);
    expect(hour.seen.finished).toBe(false);
    expect(take(NOTHING_SEEN, report(0, 30), null, NOW).believed).toBe(30_000);
  });

  it('from a clock that was set back costs nothing and gives nothing', () => {
    expect(take(NOTHING_SEEN, report(0, 30), NOW + 99_000, NOW)).toMatchObject({ believed: 0, spentUntil: NOW });
  });

  it('of a place alone spends nothing of the time that another window plays in, nor does one that came before', () => {
    const place = report(30, 30, { playId: 'looked-at', seq: 1 });
    const looked = take(NOTHING_SEEN, place, NOW - 20_000, NOW);
    expect(looked).toMatchObject({ believed: 0, spentUntil: null, seen: { position: 30_000, places: [] } });
    expect(take(looked.seen, place, NOW - 20_000, NOW)).toMatchObject({ replayed: true, spentUntil: null });
    expect(take(NOTHING_SEEN, report(0, 20), NOW - 20_000, NOW).believed).toBe(20_000);
  });

  it('that arrives quicker than the one before it, of the same opening, has the place', () => {
    const at = (seq: number) => ({ playId: 'opening-1', seq });
    const first = take(NOTHING_SEEN, report(0, 5, { ...at(1), ago: 0 }), NOW - 30_000, NOW);
    const second = report(30, 30, { ...at(2), ago: 1500 });
    expect(take(first.seen, second, null, NOW + 300, { ...LONG_AGO, lastAt: NOW }).seen.position).toBe(30_000);
    // Not where somebody went on elsewhere meanwhile.
    const elsewhere = take(first.seen, report(0, 9, { playId: 'opening-2', seq: 1, ago: 0 }), null, NOW + 200);
    expect(take(elsewhere.seen, second, null, NOW + 300, { ...LONG_AGO, lastAt: NOW + 200 }).seen.position).toBe(9000);
  });

  it('from beyond the end is refused', () => {
    expect(takeReport(video, { seen: NOTHING_SEEN, lastAt: null }, report(590, 603), NOW, NOW)).toEqual({
      ok: false,
      why: 'beyondEnd',
    });
    expect(takePosition(video, NOTHING_SEEN, { position: LENGTH + 5000, ended: true })).toEqual({
      ok: false,
      why: 'beyondEnd',
    });
    expect(takeReport(video, { seen: NOTHING_SEEN, lastAt: null }, report(590, 601), NOW, NOW)).toMatchObject({
      ok: true,
      seen: { position: LENGTH },
    });
  });

  it('that came before changes nothing, one that comes late fills its gap and leaves the place', () => {
    const at = (seq: number) => ({ playId: 'opening-1', seq });
    const first = take(NOTHING_SEEN, report(0, 30, at(1)), NOW - 30_000, NOW);
    const third = take(first.seen, report(60, 90, at(3)), first.spentUntil, NOW + 60_000);
    expect(take(third.seen, report(60, 90, at(3)), third.spentUntil, NOW + 90_000)).toMatchObject({
      replayed: true,
      believed: 0,
      seen: third.seen,
    });
    expect(take(third.seen, report(0, 30, at(1)), third.spentUntil, NOW + 90_000).replayed).toBe(true);
    const second = take(third.seen, report(30, 60, at(2)), third.spentUntil, NOW + 90_000);
    expect(second).toMatchObject({
      replayed: false,
      believed: 30_000,
      seen: { position: 90_000, places: [[0, 90_000]] },
    });
    expect(take(second.seen, report(30, 60, at(2)), second.spentUntil, NOW + 120_000).replayed).toBe(true);
    // Long ago is as good as before; a new opening counts anew.
    const far = take(second.seen, report(90, 91, at(100)), second.spentUntil, NOW + 120_000);
    expect(take(far.seen, report(90, 91, at(50)), far.spentUntil, NOW + 150_000).replayed).toBe(true);
    expect(
      take(far.seen, report(90, 91, { playId: 'opening-2', seq: 1 }), far.spentUntil, NOW + 150_000).replayed,
    ).toBe(false);
  });

  it.each([
    ['made before another device went on, leaves the place', 3_600_000, NOW - 60_000, 1_500_000],
    ['all that is known of the lesson, has it', 3_600_000, null, 30_000],
    ['made after what was said elsewhere, moves it', 30_000, NOW - 60_000, 30_000],
    ['of a sender that does not say when, moves it', null, NOW - 60_000, 30_000],
    ['of a clock that was set forward meanwhile, leaves it', 9_000_000_000, NOW - 60_000, 1_500_000],
  ])('that a browser kept, %s', (_, ago, lastAt, position) => {
    const desk = { playId: 'the-desk', lastSeq: 50, seenSeqs: 0 };
    const elsewhere = { ...NOTHING_SEEN, position: 1_500_000, openings: [desk] };
    const kept = report(0, 30, { playId: 'the-phone', seq: 1, ago });
    const standing = lastAt === null ? NOTHING_SEEN : elsewhere;
    const { seen } = take(standing, kept, NOW - 60_000, NOW, { ...LONG_AGO, lastAt });
    // What was seen counts all the same, and once.
    expect(seen).toMatchObject({ position, places: [[0, 30_000]] });
    expect(take(seen, kept, NOW - 60_000, NOW, { ...LONG_AGO, lastAt })).toMatchObject({ replayed: true, seen });
  });

  it('of as many openings as are known: however they are repeated and shuffled, each is paid what it said once', () => {
    const windows = Array.from({ length: KEPT_OPENINGS }, (_, at) => `opening-${at}`);
    const one = fc.record({ playId: fc.constantFrom(...windows), seq: fc.integer({ min: 1, max: 32 }) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 200 }), (said) => {
        let seen: Seen = NOTHING_SEEN;
        const paid = new Map<string, number>();
        for (const { playId, seq } of said) {
          // The clock pays for all of it.
          const taken = take(seen, report(0, seq, { playId, seq }), NOW - 60_000, NOW);
          ({ seen } = taken);
          const name = `${playId} ${seq}`;
          paid.set(name, (paid.get(name) ?? 0) + taken.believed);
        }
        for (const { playId, seq } of said) expect(paid.get(`${playId} ${seq}`)).toBe(seq * 1000);
        expect(seen.watched).toBe([...paid.values()].reduce((sum, each) => sum + each, 0));
      }),
    );
  });

  it('whatever is said, from however many windows: no more than twice the clock, and finished only when 90% were seen', () => {
    const one = fc.record({
      from: fc.integer({ min: 0, max: 600 }),
      seconds: fc.integer({ min: 0, max: 600 }),
      rate: fc.constantFrom(null, 0.5, 1, 2, 16),
      after: fc.integer({ min: 0, max: 20_000 }),
      ended: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), fc.boolean(), (said, noted) => {
        // The right to play is given, or nothing was ever asked for, and the first report tells all there is to tell.
        let begun: Begun = { rightAt: noted ? NOW : null, firstAt: null, notedSince: 0 };
        let [seen, spentUntil, now, believed]: [Seen, number | null, number, number] = [NOTHING_SEEN, null, NOW, 0];
        for (const { from, seconds, rate, after, ended } of said) {
          now += after;
          const to = Math.min(600, from + seconds);
          const taken = take(seen, report(from, to, { rate, ended }), spentUntil, now, begun);
          seen = taken.seen;
          spentUntil = taken.spentUntil ?? spentUntil;
          begun = { ...begun, firstAt: begun.firstAt ?? now };
          believed += taken.believed;
          expect(spentUntil ?? 0).toBeLessThanOrEqual(now + 1);
        }
        expect(believed).toBeLessThanOrEqual(2 * (now - NOW + SLACK) + 1);
        expect(seen.watched).toBeLessThanOrEqual(2 * (now - NOW + SLACK) + said.length);
        if (seen.finished) expect(coverOf(seen.places)).toBeGreaterThanOrEqual(LENGTH * 0.9);
      }),
    );
  });
});

describe('a lesson is finished', () => {
  const seenUpTo = (share: number): Seen => ({ ...NOTHING_SEEN, places: [[0, LENGTH * share]] });
  it.each<[string, LessonFacts, Seen, number, boolean, boolean]>([
    ['at its end with 90% seen', video, seenUpTo(0.9), LENGTH, false, true],
    ['within 2 s of it', video, seenUpTo(0.9), LENGTH - 2000, false, true],
    ['not 3 s before', video, seenUpTo(1), LENGTH - 3000, false, false],
    ['where the player says so', video, seenUpTo(1), LENGTH - 3000, true, true],
    ['not with less seen', video, seenUpTo(0.89), LENGTH, true, false],
    ['with less where the school wants less', { ...video, share: 0.6 }, seenUpTo(0.6), LENGTH, false, true],
    ['not by a second less where it wants all', { ...video, share: 1 }, seenUpTo(0.998), LENGTH, true, false],
    ['an elective one by its end alone', { ...video, elective: true }, NOTHING_SEEN, LENGTH, false, true],
    ['a text when its student says so', { ...video, length: 0 }, NOTHING_SEEN, 0, true, true],
    ['and not by being looked at', { ...video, length: 0 }, NOTHING_SEEN, 0, false, false],
    ['not while its film is to come', { ...video, length: 0, unready: true }, NOTHING_SEEN, 0, true, false],
    ['nor then an elective one', { ...video, length: 0, unready: true, elective: true }, NOTHING_SEEN, 0, true, false],
    ['but stays so', { ...video, length: 0, unready: true }, { ...NOTHING_SEEN, finished: true }, 0, true, true],
    ['for good', video, { ...NOTHING_SEEN, finished: true }, 0, false, true],
  ])('%s', (_, lesson, seen, position, ended, finished) => {
    expect(takePosition(lesson, seen, { position, ended })).toMatchObject({ ok: true, seen: { finished } });
  });

  it('by what is watched after the end was reached too', () => {
    const jumped = takePosition(video, NOTHING_SEEN, { position: LENGTH, ended: true });
    if (!jumped.ok) throw new Error(jumped.why);
    expect(jumped.seen).toMatchObject({ reachedEnd: true, finished: false });
    const before = { ...jumped.seen, places: [[30_000, LENGTH]] as Place[] };
    expect(take(before, report(0, 30), NOW - 30_000, NOW).seen.finished).toBe(true);
  });
});

it.each([
  [null, 1, 0, 0],
  [{ ...NOTHING_SEEN, position: 90_000, places: [[0, 60_000]] as Place[] }, 2, 90_000, 0.1],
  [{ ...NOTHING_SEEN, position: LENGTH - 1000 }, 2, 0, 0],
  [{ ...NOTHING_SEEN, position: 90_000, finished: true }, 3, 0, 0],
] as const)('%j is nodeState %i, begins at %i, share %f', (seen, state, start, share) => {
  expect(nodeStateOf(seen)).toBe(state);
  expect(startOf(video, seen)).toBe(start);
  expect(seen === null ? 0 : shareOf(video, seen)).toBe(share);
  expect(Object.values(nodeState)).toContain(state);
});

it.each<[string, number | null, number | null]>([
  // Milliseconds before now.
  ['nothing was said', null, null],
  ['a moment ago', 5000, 5000],
  ['at another server, whose clock is ahead', -SLACK, -SLACK],
  ['what lies further ahead was said before the clock was set back', -SLACK - 1, null],
])('when something was said last: %s', (_, said, known) => {
  expect(lastSaid(said === null ? null : NOW - said, NOW)).toBe(known === null ? null : NOW - known);
});
