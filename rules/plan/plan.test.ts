import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moreMinutes, whatToLeave, without } from './leave.ts';
import { fits, keyOf, makePlan, weekdayOf } from './plan.ts';
import type { PlanInput, PlanPack, PlanStep } from './work.ts';

/** A Monday. */
const TODAY = 20_780;
const MINUTE = 60;
const hour = [60, 60, 60, 60, 60, 60, 60];

const lesson = (id: number, minutes: number, chapterId: number | null = null): PlanStep => ({
  ...{ kind: 'lesson', id, chapterId, seconds: minutes * MINUTE, count: 0 },
});
const practice = (id: number, count: number): PlanStep => ({
  ...{ kind: 'practice', id, chapterId: id, seconds: 0, count },
});
const paper = (id: number, minutes: number, taken = false) => ({ id, seconds: minutes * MINUTE, taken });

function pack(packId: number, left: Partial<PlanPack> = {}): PlanPack {
  return {
    ...{ packId, examDay: null, steps: [], papers: [], questionSeconds: 60, reviewsToday: 0, reviewSize: 20 },
    ...{ due: new Map(), ...left },
  };
}
/** So many questions come due on each day to come. */
const everyDay = (count: number) => new Map(Array.from({ length: 60 }, (_, at) => [TODAY + 1 + at, count]));
const input = (packs: readonly PlanPack[], more: Partial<PlanInput> = {}): PlanInput => ({
  ...{ today: TODAY, minutes: hour, spent: 0, packs, ...more },
});

/** The days as they are read aloud: what, of which pack, how many minutes. */
function said(asked: PlanInput, days = 7): string[] {
  return makePlan(asked)
    .days.slice(0, days)
    .map(({ tasks }) =>
      tasks
        .map(
          ({ kind, packId, id, seconds, part }) => `${kind}${id || ''}@${packId} ${seconds / MINUTE}${part ? '…' : ''}`,
        )
        .join(', '),
    );
}

describe('what is done on which day', () => {
  const chapter = [lesson(1, 25, 1), lesson(2, 25, 1), practice(1, 40), lesson(3, 25, 2), practice(2, 10)];
  const examDay = TODAY + 30;

  it.each<[string, PlanInput, string[]]>([
    ['nothing at all: a week of free days', input([]), ['', '', '', '', '', '', '']],
    ['an empty pack', input([pack(1, { examDay })]), ['', '', '', '', '', '', '']],
    [
      'lessons in their order, each chapter’s practice after them; a lesson is not cut where it fits',
      input([pack(1, { examDay, steps: chapter })]),
      [
        'lesson1@1 25, lesson2@1 25, practice1@1 10…',
        'review@1 3, practice1@1 30, lesson3@1 25',
        'review@1 9, practice2@1 10',
      ],
    ],
    [
      'days off stay free',
      input([pack(1, { examDay, steps: chapter })], { minutes: [60, 0, 60, 0, 0, 0, 0] }),
      ['lesson1@1 25, lesson2@1 25, practice1@1 10…', '', 'review@1 3, practice1@1 30, lesson3@1 25', '', '', '', ''],
    ],
    [
      'a lesson longer than a day is seen in pieces of whole minutes',
      input([pack(1, { examDay, steps: [lesson(1, 100), lesson(2, 12)] })], { minutes: hour.map(() => 45) }),
      ['lesson1@1 45…', 'lesson1@1 45…', 'lesson1@1 10, lesson2@1 12', '', '', '', ''],
    ],
    [
      'what is due comes first, and what will be wrong has its time',
      input([pack(1, { examDay, steps: [practice(1, 100)], reviewsToday: 15, due: new Map([[TODAY + 1, 5]]) })]),
      ['review@1 15, practice1@1 45…', 'review@1 18, practice1@1 42…', 'review@1 13, practice1@1 13', 'review@1 3'],
    ],
    [
      'what was done today counts',
      input([pack(1, { examDay, steps: chapter })], { spent: 50 * MINUTE }),
      [
        'lesson1@1 10…',
        'lesson1@1 15, lesson2@1 25, practice1@1 20…',
        'review@1 6, practice1@1 20, lesson3@1 25, practice2@1 5…',
      ],
    ],
    [
      'without a date it goes on at a steady pace, papers at its end, one a week',
      input([pack(1, { papers: [paper(7, 50), paper(8, 50)] })]),
      ['paper7@1 50', '', '', '', '', '', ''],
    ],
    [
      'on the day of the exam, and after it, nothing is planned',
      input([pack(1, { examDay: TODAY, steps: chapter }), pack(2, { examDay: TODAY - 9, steps: chapter })]),
      ['', '', '', '', '', '', ''],
    ],
    [
      'two packs share the minutes, the nearer exam with more of them',
      input([
        pack(1, { examDay: TODAY + 60, steps: [practice(1, 600)] }),
        pack(2, { examDay: TODAY + 20, steps: [practice(2, 600)] }),
      ]),
      ['practice2@2 49…, practice1@1 11…'],
    ],
    [
      'on short days what is due leaves room for the next piece of a lesson',
      input([pack(1, { examDay, steps: [lesson(1, 25)], reviewsToday: 40, due: everyDay(20) })], {
        minutes: hour.map(() => 20),
      }),
      ['review@1 10, lesson1@1 10…', 'review@1 10, lesson1@1 10…', 'review@1 10, lesson1@1 5', 'review@1 20'],
    ],
    [
      'of ten minutes each has half',
      input([pack(1, { examDay, steps: [lesson(1, 12), practice(1, 7)], reviewsToday: 40, due: everyDay(20) })], {
        minutes: hour.map(() => 10),
      }),
      [
        'review@1 5, lesson1@1 5…',
        'review@1 5, lesson1@1 4…',
        'review@1 5, lesson1@1 3',
        'review@1 5, practice1@1 2…',
        'review@1 5, practice1@1 5',
      ],
    ],
    [
      'a lesson that is a little longer than its day begins all the same, and its rest is worth sitting down for',
      input([pack(1, { examDay, steps: [lesson(1, 12)] })], { minutes: hour.map(() => 10) }),
      ['lesson1@1 9…', 'lesson1@1 3'],
    ],
    [
      'of questions that take five minutes each a short day has as many as fit',
      input([pack(1, { examDay, steps: [practice(1, 9)], questionSeconds: 300 })], { minutes: hour.map(() => 20) }),
      ['practice1@1 20…', 'review@1 5, practice1@1 10…', 'practice1@1 15'],
    ],
    [
      'a paper has its day, also a short one, before what is due',
      input([pack(1, { examDay: TODAY + 2, steps: [lesson(1, 40)], papers: [paper(5, 15)], reviewsToday: 40 })], {
        minutes: hour.map(() => 20),
      }),
      ['review@1 5, paper5@1 15'],
    ],
  ])('%s', (_, asked, days) => {
    const found = said(asked, days.length);
    expect(found).toEqual(days);
  });

  it('an exam of thousands of years away costs no more than one of two', () => {
    const far = pack(1, {
      examDay: TODAY + 2_900_000,
      steps: [lesson(1, 25, 1)],
      papers: [paper(1, 50), paper(2, 50)],
    });
    expect(
      makePlan(input([far], { minutes: [60, 0, 0, 0, 0, 0, 0] })).days.flatMap(({ tasks }) => tasks)[0],
    ).toMatchObject({
      kind: 'lesson',
      id: 1,
    });
  });

  it('papers stand in the last weeks, spread evenly, never two on one day, and stay there as time goes by', () => {
    const papers = [paper(1, 50), paper(2, 50), paper(3, 50)];
    const at = (today: number, some = papers) =>
      makePlan(input([pack(1, { examDay: TODAY + 60, papers: some })], { today })).days.flatMap(({ day, tasks }) =>
        tasks.map(({ id }) => [id, TODAY + 60 - day]),
      );
    expect(at(TODAY)).toEqual([
      [1, 16],
      [2, 9],
      [3, 2],
    ]);
    expect(at(TODAY + 39)).toEqual([
      [1, 16],
      [2, 9],
      [3, 2],
    ]);
    expect(at(TODAY + 45, [paper(1, 50, true), ...papers.slice(1)])).toEqual([
      [2, 9],
      [3, 2],
    ]);
    // Missed: it gets the day that is farthest from the others.
    expect(at(TODAY + 45)).toEqual([
      [1, 15],
      [2, 9],
      [3, 2],
    ]);
  });

  it('a paper of today moves to another day where today’s minutes are used up, and is lacking where there is none', () => {
    const asked = (today: number, spent: number) => {
      const { days, lacking } = makePlan(
        input([pack(1, { examDay: TODAY + 3, papers: [paper(7, 40)] })], { today, spent: spent * MINUTE }),
      );
      return [days.flatMap(({ day, tasks }) => tasks.map(({ id }) => [id, day - TODAY])), lacking];
    };
    expect(asked(TODAY + 1, 0)).toEqual([[[7, 1]], []]);
    expect(asked(TODAY + 1, 59)).toEqual([[[7, 1]], []]);
    expect(asked(TODAY + 1, 60)).toEqual([[[7, 2]], []]);
    expect(asked(TODAY + 1, 90)).toEqual([[[7, 2]], []]);
    expect(asked(TODAY + 2, 90)).toEqual([[], [{ packId: 1, seconds: 40 * MINUTE }]]);
  });

  it('without a date, too, a paper of a day that is used up comes on the next one', () => {
    const plan = makePlan(input([pack(1, { papers: [paper(7, 40)] })], { spent: 70 * MINUTE }));
    expect(plan.days.flatMap(({ day, tasks }) => tasks.map(({ id }) => [id, day - TODAY]))).toEqual([[7, 1]]);
  });

  it('a paper longer than the minutes of its day goes to a longer day near it, or has its day for itself', () => {
    const weekend = [60, 60, 60, 60, 60, 60, 180];
    const asked = (minutes: number[]) =>
      makePlan(
        input([pack(1, { examDay: TODAY + 30, papers: [paper(1, 150)], steps: [lesson(1, 2000)] })], { minutes }),
      );
    const on = (minutes: number[]) =>
      asked(minutes).days.find(({ tasks }) => tasks.some(({ kind }) => kind === 'paper'));
    const sunday = on(weekend);
    expect(weekdayOf(sunday?.day ?? 0)).toBe(6);
    expect(on(hour)?.tasks).toHaveLength(1);
  });

  it('says when all is seen, and what does not fit', () => {
    const plan = makePlan(
      input([
        pack(1, { examDay: TODAY + 10, steps: [lesson(1, 300)] }),
        pack(2, { examDay: TODAY + 20, steps: [lesson(2, 900)], papers: [paper(3, 60)] }),
      ]),
    );
    expect(plan.finish.get(1)).toBeLessThan(TODAY + 10);
    expect(plan.lacking.map(({ packId }) => packId)).toEqual([2]);
    expect(plan.lacking[0]?.seconds).toBe(60 * MINUTE);
  });

  it('finds how many minutes more would do, and what could be left out instead', () => {
    const steps = [1, 2, 3, 4, 5].flatMap((at) => [lesson(at, 120, at), practice(at, 60)]);
    const asked = input([pack(1, { examDay: TODAY + 12, steps })]);
    const more = moreMinutes(asked, { step: 5, most: 720 });
    expect(more).toBeGreaterThan(0);
    const longer = (by: number) => ({ ...asked, minutes: hour.map((of) => of + by) });
    expect(makePlan(longer(more ?? 0)).lacking).toEqual([]);
    expect(makePlan(longer((more ?? 0) - 5)).lacking).not.toEqual([]);
    const leaves = whatToLeave(asked, makePlan(asked));
    expect(leaves[0]).toEqual({ packId: 1, kind: 'chapter', id: 5, seconds: 180 * MINUTE });
    expect(makePlan(without(asked, leaves)).lacking).toEqual([]);
    expect(
      moreMinutes(input([pack(1, { examDay: TODAY + 1, steps: [lesson(1, 2000)] })]), { step: 5, most: 720 }),
    ).toBeNull();
  });
});

describe('of any work', () => {
  const steps = fc
    .array(
      fc.record({
        lesson: fc.boolean(),
        size: fc.integer({ min: 1, max: 150 }),
        chapter: fc.integer({ min: 1, max: 9 }),
      }),
      { maxLength: 40 },
    )
    .map((list) =>
      list.map(({ lesson: isLesson, size, chapter }, at) =>
        isLesson ? lesson(at + 1, size, chapter) : practice(at + 1, size),
      ),
    );
  const somePack = fc.record({
    examDay: fc.option(fc.integer({ min: TODAY - 2, max: TODAY + 120 })),
    steps,
    papers: fc.array(fc.record({ seconds: fc.integer({ min: 600, max: 3 * 3600 }), taken: fc.boolean() }), {
      maxLength: 12,
    }),
    questionSeconds: fc.integer({ min: 10, max: 300 }),
    reviewsToday: fc.integer({ min: 0, max: 60 }),
    reviewSize: fc.integer({ min: 5, max: 60 }),
    due: fc.array(fc.tuple(fc.integer({ min: TODAY + 1, max: TODAY + 90 }), fc.integer({ min: 1, max: 40 })), {
      maxLength: 20,
    }),
  });
  const anyInput = fc
    .record({
      minutes: fc.tuple(...Array.from({ length: 7 }, () => fc.constantFrom(0, 10, 30, 60, 95, 240))),
      spent: fc.constantFrom(0, 0, 300, 3600, 15_000),
      packs: fc.array(somePack, { maxLength: 3 }),
    })
    .map(({ minutes, spent, packs }) =>
      input(
        packs.map(({ papers, due, ...of }, at) =>
          pack(at + 1, { ...of, papers: papers.map((one, id) => ({ ...one, id: id + 1 })), due: new Map(due) }),
        ),
        { minutes, spent },
      ),
    );

  it('on every day of study before the last week something new is learned, or a paper is sat, as long as anything is left', () => {
    fc.assert(
      fc.property(
        anyInput.filter(({ packs }) => packs.every(({ questionSeconds }) => questionSeconds <= 300)),
        (asked) => {
          const still: string[] = [];
          const { days } = makePlan(asked);
          const isNew = ({ kind }: { kind: string }) => kind !== 'review';
          const last = days.findLastIndex(({ tasks }) =>
            tasks.some(({ kind }) => kind === 'lesson' || kind === 'practice'),
          );
          for (const { day, seconds, tasks } of days.slice(1, Math.max(1, last))) {
            const week = asked.packs.some(({ examDay }) => examDay !== null && examDay > day && examDay <= day + 7);
            if (seconds > 0 && !week && !tasks.some(isNew)) still.push(`day ${day} of ${seconds} s stands still`);
          }
          expect(still).toEqual([]);
        },
      ),
    );
  });

  it('no day has more than its minutes, but for one paper alone that is longer; days off and days from the exam on are free', () => {
    fc.assert(
      fc.property(anyInput, (asked) => {
        // One look at the end: thousands of expectations would take their time.
        const faults: string[] = [];
        for (const { day, seconds, tasks } of makePlan(asked).days) {
          const sum = tasks.reduce((all, task) => all + task.seconds, 0);
          const papers = tasks.filter(({ kind }) => kind === 'paper').length;
          if (sum > seconds && (papers !== 1 || tasks.length > 1)) faults.push(`day ${day} is too long`);
          if (papers > 1) faults.push(`two papers on day ${day}`);
          if (seconds === 0 && tasks.length > 0) faults.push(`day ${day} is off`);
          if (new Set(tasks.map(keyOf)).size < tasks.length) faults.push(`something stands twice on day ${day}`);
          if (tasks.some(({ packId }) => day >= (asked.packs[packId - 1]?.examDay ?? Number.POSITIVE_INFINITY)))
            faults.push(`day ${day} comes after the exam`);
        }
        expect(faults).toEqual([]);
      }),
    );
  });

  it('each pack goes by its order, and all of it is either laid out once or said to be lacking', () => {
    fc.assert(
      fc.property(anyInput, (asked) => {
        const plan = makePlan(asked);
        for (const { packId, examDay, steps, papers, questionSeconds } of asked.packs) {
          const own = plan.days.flatMap(({ tasks }) => tasks.filter((task) => task.packId === packId));
          const order = steps.map(({ kind, id }) => keyOf({ kind, packId, id }));
          const met = own
            .filter(({ kind }) => kind === 'lesson' || kind === 'practice')
            .map((task) => order.indexOf(keyOf(task)));
          expect(met).toEqual(met.toSorted((a, b) => a - b));
          if (examDay === null || examDay <= asked.today) continue;
          const work = steps.reduce((sum, { seconds, count }) => sum + seconds + count * questionSeconds, 0);
          const open = papers.filter(({ taken }) => !taken).reduce((sum, { seconds }) => sum + seconds, 0);
          const laid = own.filter(({ kind }) => kind !== 'review').reduce((sum, { seconds }) => sum + seconds, 0);
          const lacking = plan.lacking.find((of) => of.packId === packId)?.seconds ?? 0;
          expect(laid + lacking).toBe(work + open);
        }
      }),
    );
  });

  it('a day that is missed moves on: of what is learned, tomorrow begins with what today would have begun with', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 3, max: 60 }), (some, left) => {
        const of = pack(1, { examDay: TODAY + left, steps: some });
        const first = (today: number) => makePlan(input([of], { today })).days[0]?.tasks[0];
        expect(first(TODAY + 1)).toEqual(first(TODAY));
      }),
    );
  });

  it('what fits by a brief look fits when it is laid out', () => {
    fc.assert(
      fc.property(anyInput, (asked) => {
        expect(fits(asked)).toBe(makePlan(asked).lacking.length === 0);
      }),
      { numRuns: 400 },
    );
  });

  it('what is said to be enough is enough', () => {
    fc.assert(
      fc.property(anyInput, (asked) => {
        const more = moreMinutes(asked, { step: 5, most: 720 });
        const minutes = asked.minutes.map((of) => (of === 0 ? 0 : Math.min(720, of + (more ?? 0))));
        if (more !== null) expect(makePlan({ ...asked, minutes }).lacking).toEqual([]);
        const leaves = whatToLeave(asked, makePlan(asked));
        if (makePlan(asked).lacking.length === 0) expect(leaves).toEqual([]);
        else
          expect(makePlan(without(asked, leaves)).lacking.length).toBeLessThanOrEqual(makePlan(asked).lacking.length);
      }),
      { numRuns: 25 },
    );
  });
});
