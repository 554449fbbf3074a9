import fc from 'fast-check';
import { createEmptyCard, FSRS, forgetting_curve, type Grade, generatorParameters } from 'ts-fsrs';
import { describe, expect, it } from 'vitest';
import {
  afterAnswer,
  type Card,
  dailyCount,
  dailySet,
  dateOf,
  dayFrom,
  dayOf,
  forecast,
  newCard,
  type Rating,
  reviewCard,
  startOfDay,
} from './schedule.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const TODAY = 20_777;
/** 20:00 in China on a day of the story: 0 is today. */
const evening = (day: number) => startOfDay(TODAY + day) + 20 * HOUR;
const now = evening(0);

/** How likely a card was recalled, as its next review notes it. */
const recalled = (card: Card, at: number) => reviewCard({ ...card, reps: 1, foretold: 0 }, 'good', at, null).foretold;

const ratings = ['again', 'hard', 'good'] as const;
const anyRating = fc.constantFrom<Rating>(...ratings);
const grade = { again: 1, hard: 2, good: 3 } as const satisfies Record<Rating, Grade>;

/** A card by its history: days between the reviews, each with its rating, the last one so many days ago. */
function card(
  history: readonly (readonly [days: number, rating: Rating])[],
  ago: number,
  examDay: number | null = null,
) {
  const span = history.reduce((sum, [days]) => sum + days, 0);
  let day = -ago - span;
  let made = newCard('again', evening(day), examDay);
  for (const [days, rating] of history) {
    day += days;
    made = reviewCard(made, rating, evening(day), examDay);
  }
  return made;
}
const anyCard = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), anyRating), { maxLength: 5 }),
    fc.integer({ max: 90, min: 0 }),
  )
  .map(([history, ago]) => card(history, ago));
const items = (cards: readonly Card[]) => cards.map((card, id) => ({ id, card }));
const anyItems = fc.array(anyCard, { maxLength: 60 }).map(items);
const anyExam = fc.option(fc.integer({ min: -3, max: 70 }).map((left) => TODAY + left));
const anySize = fc.integer({ min: 0, max: 30 });
const ids = (set: readonly { id: number }[]) => set.map(({ id }) => id);

describe('days in China', () => {
  it.each([
    ['1970-01-01T00:00:00+08:00', 0],
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T15:59:59.999Z', -1],
    ['2026-11-20T23:59:59.999+08:00', 20_777],
    ['2026-11-21T00:00:00+08:00', 20_778],
  ])('%s is day %i', (text, day) => {
    expect(dayOf(Date.parse(text))).toBe(day);
  });

  it('are written and read', () => {
    expect(dateOf(TODAY)).toBe('2026-11-20');
    fc.assert(fc.property(fc.integer({ min: 0, max: 1e6 }), (day) => dayFrom(dateOf(day)) === day));
  });

  it('begin at midnight', () => {
    expect(new Date(startOfDay(TODAY)).toISOString()).toBe('2026-11-19T16:00:00.000Z');
    fc.assert(fc.property(fc.integer({ min: -1e6, max: 1e6 }), (day) => dayOf(startOfDay(day)) === day));
  });
});

describe('a review', () => {
  // Days from the review to the day it is due; a card that came in ten days ago and was rated good once, seven days ago.
  it.each([
    { rating: 'good', exam: null, due: 13, lapses: 0 },
    { rating: 'hard', exam: null, due: 9, lapses: 0 },
    { rating: 'again', exam: null, due: 1, lapses: 1 },
    { rating: 'good', exam: 60, due: 13, lapses: 0 },
    { rating: 'good', exam: 14, due: 13, lapses: 0 },
    { rating: 'good', exam: 13, due: 12, lapses: 0 },
    { rating: 'good', exam: 2, due: 1, lapses: 0 },
    // On the eve there is no later day before the exam.
    { rating: 'good', exam: 1, due: 0, lapses: 0 },
    { rating: 'again', exam: 1, due: 0, lapses: 1 },
    // On the day itself, and after it, none is ahead.
    { rating: 'good', exam: 0, due: 13, lapses: 0 },
    { rating: 'good', exam: -5, due: 13, lapses: 0 },
  ] as const)('rated $rating, exam in $exam days', ({ rating, exam, due, lapses }) => {
    const before = card([[3, 'good']], 7);
    const after = reviewCard(before, rating, now, exam === null ? null : TODAY + exam);
    expect(dayOf(after.due) - TODAY).toBe(due);
    expect(after.due).toBeGreaterThanOrEqual(now);
    expect(after).toMatchObject({ reps: 2, lapses, lastReviewAt: now });
    expect(after.foretold).toBeCloseTo(forgetting_curve(generatorParameters().w, 7, before.stability), 6);
  });

  it.each([
    ['again', 1, 0.212],
    ['hard', 1, 1.2931],
    ['good', 2, 2.3065],
  ] as const)('a question that came in as %s is asked in %i days', (rating, days, stability) => {
    const made = newCard(rating, now, null);
    expect(dayOf(made.due) - TODAY).toBe(days);
    expect(made).toMatchObject({ stability, reps: 0, lapses: 0, lastReviewAt: now, foretold: 0 });
    // Its first review is no lapse, and says nothing of how fast it is forgotten.
    expect(reviewCard(made, 'again', evening(1), null)).toMatchObject({ reps: 1, lapses: 0, foretold: 0 });
  });

  it.each([0, 1, HOUR, 3 * DAY, 4000 * DAY])('when the clock was set back by %i ms, no time has passed', (back) => {
    const before = card([[3, 'good']], 0);
    for (const rating of ratings) {
      const after = reviewCard(before, rating, now - back, TODAY + 30);
      expect(after.stability).toBeLessThanOrEqual(before.stability);
      expect(after.due).toBeGreaterThanOrEqual(now - back);
      // What follows counts from the clock as it is now.
      expect(after.lastReviewAt).toBe(now - back);
    }
    expect(recalled(before, now - back)).toBe(1);
  });

  it('remembers as the library does', () => {
    const library = new FSRS(generatorParameters({ enable_short_term: false }));
    const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), anyRating), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(history, anyRating, (history, first) => {
        let at = now;
        let ours = newCard(first, at, null);
        let theirs = library.next(createEmptyCard(new Date(at)), new Date(at), grade[first]).card;
        for (const [days, rating] of history) {
          at += days * DAY;
          ours = reviewCard(ours, rating, at, null);
          theirs = library.next(theirs, new Date(at), grade[rating]).card;
          expect(ours.stability).toBeCloseTo(theirs.stability, 6);
          expect(ours.difficulty).toBeCloseTo(theirs.difficulty, 6);
        }
      }),
    );
  });

  it('is due again before the exam and not before now, whatever stands in the card', () => {
    const number = fc.oneof(fc.double(), fc.double({ min: 0, max: 100 }), fc.constantFrom(0, -1, 1e9));
    const moment = fc.integer({ min: -5000, max: 5000 }).map(evening);
    const anything = fc.record({
      due: moment,
      stability: number,
      difficulty: number,
      reps: fc.nat(99),
      lapses: fc.nat(99),
      lastReviewAt: moment,
      foretold: fc.double({ min: 0, max: 99, noNaN: true }),
    });
    fc.assert(
      fc.property(anything, anyRating, anyExam, (before, rating, examDay) => {
        const after = reviewCard(before, rating, now, examDay);
        expect(after.due).toBeGreaterThanOrEqual(now);
        expect(after.due).toBeLessThanOrEqual(now + 36_500 * DAY);
        if (examDay !== null && examDay > TODAY) expect(dayOf(after.due)).toBeLessThan(examDay);
        expect(after.stability).toBeGreaterThan(0);
        expect(after.difficulty).toBeGreaterThanOrEqual(1);
        expect(after.difficulty).toBeLessThanOrEqual(10);
      }),
    );
  });

  it('is recalled with 90% when its stability has passed, and ever less', () => {
    const made = { ...newCard('good', now, null), stability: 10 };
    expect(recalled(made, now)).toBe(1);
    expect(recalled(made, evening(10))).toBeCloseTo(0.9, 6);
    expect(recalled(made, evening(11))).toBeLessThan(recalled(made, evening(10)));
  });
});

describe('an answer to a question that is under review', () => {
  const cameIn = newCard('good', now - HOUR, null);
  const reviewed = card([[3, 'good']], 0);

  it.each([
    { what: 'right on the day it came in', before: cameIn, rating: 'good', at: now, reps: 0 },
    { what: 'wrong on the day it came in', before: cameIn, rating: 'again', at: now, reps: 0 },
    { what: 'right on the next day', before: cameIn, rating: 'good', at: evening(1), reps: 1 },
    { what: 'right once more on the day of its review', before: reviewed, rating: 'good', at: now + HOUR, reps: 1 },
    { what: 'wrong after its review of the day', before: reviewed, rating: 'again', at: now + HOUR, reps: 2 },
  ] as const)('$what', ({ before, rating, at, reps }) => {
    const after = afterAnswer(before, rating, at);
    expect(after.reps).toBe(reps);
    if (reps === before.reps) expect(after).toBe(before);
  });
});

describe("today's set", () => {
  const good = (ago: number) => card([[3, 'good']], ago);
  const fast = card(
    [
      [2, 'again'],
      [1, 'again'],
    ],
    3,
  );
  const slow = card(
    [
      [5, 'good'],
      [20, 'good'],
    ],
    5,
  );

  it.each([
    { what: 'nothing of nothing', cards: [], exam: 30, size: 5, set: [] },
    { what: 'what is due, first what gains most', cards: [fast, good(9)], exam: null, size: 5, set: [1, 0] },
    { what: 'no more than wished', cards: [fast, good(9)], exam: null, size: 1, set: [1] },
    { what: 'none if none is wished', cards: [good(9), fast], exam: 30, size: 0, set: [] },
    { what: 'nothing ahead of its day without an exam', cards: [good(1), slow], exam: null, size: 5, set: [] },
    {
      what: 'what is worth it ahead of its day before an exam',
      cards: [slow, good(1)],
      exam: 30,
      size: 5,
      set: [1, 0],
    },
    { what: 'the due before those', cards: [good(1), good(9)], exam: 30, size: 5, set: [1, 0] },
    { what: 'not what came in today', cards: [newCard('again', now - HOUR, null), fast], exam: 30, size: 1, set: [1] },
    { what: 'what came in yesterday', cards: [newCard('again', evening(-1), null)], exam: 30, size: 5, set: [0] },
    { what: 'not what was reviewed today', cards: [good(0), fast], exam: 1, size: 5, set: [1] },
    { what: 'less by what was reviewed today', cards: [good(0), fast, good(9)], exam: 30, size: 2, set: [2] },
    { what: 'all again on the eve', cards: [slow, good(2), fast], exam: 1, size: 5, set: [2, 1, 0] },
    { what: 'what keeps best first in the last week', cards: [fast, good(9), slow], exam: 7, size: 1, set: [2] },
    { what: 'what gains most if not all fit', cards: [slow, good(9), fast], exam: 1, size: 1, set: [1] },
    {
      what: 'of what fits until the exam what keeps best',
      cards: [slow, good(9), fast].map((card) => ({ ...card, lastReviewAt: evening(-9) })),
      exam: 2,
      size: 1,
      set: [1],
    },
    { what: 'by its own dates once the exam is over', cards: [slow, fast], exam: 0, size: 5, set: [1] },
  ])('has $what', ({ cards, exam, size, set }) => {
    const examDay = exam === null ? null : TODAY + exam;
    expect(ids(dailySet(items(cards), { now, size, examDay }))).toEqual(set);
  });

  it('counts what was reviewed today as part of the share of the last week', () => {
    const firm = { ...slow, stability: 3000, due: evening(300) };
    const set = (reviewed: number) => {
      const cards = Array.from({ length: 9 }, (_, at) => (at < reviewed ? good(0) : firm));
      return dailySet(items(cards), { now, size: 9, examDay: TODAY + 7 }).length;
    };
    expect([0, 1, 2, 3].map(set)).toEqual([2, 1, 0, 0]);
  });

  it('asks by an exam that was set after the last review', () => {
    const far = { ...slow, due: evening(500) };
    expect(dailySet(items([far]), { now, size: 5, examDay: TODAY + 1 })).toHaveLength(1);
  });

  it('turns to what can still be kept with a student who forgets fast', () => {
    // The same two questions among others of today: of one student who recalled them, and of one who did not.
    const first = (rating: Rating) => {
      const history = [
        [1, 'good'],
        [2, 'good'],
        [9, rating],
      ] as const;
      const others = Array.from({ length: 40 }, () => card(history, 0));
      const two = [newCard('again', evening(-9), null), good(9)];
      return ids(dailySet(items([...two, ...others]), { now, size: 41, examDay: TODAY + 30 }));
    };
    expect(first('good')).toEqual([0]);
    expect(first('again')).toEqual([1]);
  });

  it('never has more than the wish in a day, nor one twice', () => {
    fc.assert(
      fc.property(anyItems, anySize, anyExam, anyRating, (items, size, examDay, rating) => {
        const all = new Map(items.map((item) => [item.id, item]));
        const before = items.filter(({ card }) => card.reps > 0 && card.lastReviewAt === now).length;
        const asked: number[] = [];
        for (;;) {
          const set = dailySet([...all.values()], { now: now + asked.length, size, examDay });
          expect(new Set(ids(set)).size).toBe(set.length);
          const next = set[0];
          if (!next) break;
          expect(set.length + asked.length + before).toBeLessThanOrEqual(size);
          expect(asked).not.toContain(next.id);
          asked.push(next.id);
          all.set(next.id, { ...next, card: reviewCard(next.card, rating, now, examDay) });
        }
      }),
    );
  });

  it('shows every question again in the last week, a seventh a day, where all fit', () => {
    const cards = fc.array(anyCard, { minLength: 1, maxLength: 70 });
    const answers = fc.array(anyRating, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(cards, answers, fc.integer({ min: 8, max: 12 }), (cards, answers, left) => {
        const examDay = TODAY + left;
        const all = items(cards);
        let turn = 0;
        for (let day = 1; day < left; day += 1) {
          const size = Math.ceil(cards.length / 7);
          for (const { id, card } of dailySet(all, { now: evening(day), size, examDay })) {
            turn += 1;
            const rating = answers[turn % answers.length] ?? 'good';
            all[id] = { id, card: reviewCard(card, rating, evening(day), examDay) };
          }
          const seen = all.filter(({ card }) => dayOf(card.lastReviewAt) >= examDay - 7).length;
          const daysOfTheWeek = day - (left - 8);
          expect(seen).toBeGreaterThanOrEqual(Math.floor((cards.length * daysOfTheWeek) / 7));
        }
        expect(all.every(({ card }) => dayOf(card.lastReviewAt) >= examDay - 7)).toBe(true);
      }),
    );
  });
});

describe('the forecast', () => {
  const due = (day: number): Card => ({ ...card([], 9), due: startOfDay(TODAY + day) });
  const loads = (cards: readonly Card[], size: number, exam: number | null, days: number) =>
    forecast(items(cards), { now, size, examDay: exam === null ? null : TODAY + exam, days }).map(
      ({ day, due, reviews, carried }) => [day - TODAY, due, reviews, carried],
    );

  it.each([
    {
      what: 'carries over what the cap leaves',
      loads: loads([due(-3), due(-1), due(0), due(1), due(3)], 2, null, 4),
      is: [
        [0, 3, 2, 1],
        [1, 1, 2, 0],
        [2, 0, 0, 0],
        [3, 1, 1, 0],
      ],
    },
    {
      what: 'does not ask twice in a day',
      loads: loads([card([[3, 'again']], 0), newCard('again', now, null)], 5, null, 2),
      is: [
        [0, 0, 0, 0],
        [1, 2, 2, 0],
      ],
    },
    {
      what: 'ends with the eve, and has all again in the last week',
      loads: loads([due(0), due(1), ...Array.from({ length: 12 }, () => due(99))], 5, 9, 30),
      is: [
        [0, 1, 1, 0],
        [1, 1, 1, 0],
        [2, 2, 2, 0],
        [3, 2, 2, 0],
        [4, 2, 2, 0],
        [5, 2, 2, 0],
        [6, 2, 2, 0],
        [7, 2, 2, 0],
        [8, 2, 2, 0],
      ],
    },
    {
      what: 'says what does not fit',
      loads: loads([due(0), due(0), due(0), due(0), due(0)], 1, 2, 30),
      is: [
        [0, 3, 1, 2],
        [1, 2, 1, 3],
      ],
    },
    {
      what: 'has what was seen in the week and is due after the exam on the eve once more, and today only once',
      loads: loads([{ ...card([[3, 'good']], 1), due: evening(500) }, card([[3, 'good']], 0)], 5, 3, 30),
      is: [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        [2, 2, 2, 0],
      ],
    },
    {
      what: 'does not ask again on the eve what was reviewed on it',
      loads: loads([card([[3, 'good']], 0, TODAY + 1)], 5, 1, 30),
      is: [[0, 0, 0, 0]],
    },
    { what: 'knows no day of no days', loads: loads([due(0)], 5, 9, 0), is: [] },
  ])('$what', ({ loads, is }) => {
    expect(loads).toEqual(is);
  });

  it('keeps within the cap, loses nothing, and says of today what the set has', () => {
    fc.assert(
      fc.property(anyItems, anySize, anyExam, fc.integer({ min: 0, max: 90 }), (items, size, examDay, days) => {
        const loads = forecast(items, { now, size, examDay, days });
        const left = examDay !== null && examDay > TODAY ? examDay - TODAY : null;
        expect(loads).toHaveLength(Math.min(days, left ?? days));
        let carried = 0;
        for (const load of loads) {
          expect(load.reviews).toBeLessThanOrEqual(size);
          const fresh = left !== null && load.day === TODAY + left - 7 ? 0 : carried;
          expect(load.carried).toBe(fresh + load.due - load.reviews);
          carried = load.carried;
        }
        const set = dailySet(items, { now, size, examDay });
        const today = loads[0];
        if (today && left === null) expect(today.reviews).toBe(set.length);
        if (today) expect(today.reviews).toBeLessThanOrEqual(set.length);
        // Counted in groups it is the same, or it hangs on what the cards are worth.
        const groups = items.map((item) => ({ card: item.card, count: 1 }));
        const counted = dailyCount([...groups, ...groups.map((group) => ({ ...group, count: 0 }))], {
          now,
          size,
          examDay,
        });
        if (counted !== null || left === null) expect(counted).toBe(set.length);
      }),
    );
  });
});
