import { describe, expect, it } from 'vitest';
import { clockText } from './clock-text.ts';
import { isPracticeDone, sumCredits } from './credits.ts';
import {
  type DirectoryLesson,
  type DirectoryProgress,
  foldersAbove,
  growDirectory,
  isOpen,
  lessonsBefore,
  lessonsIn,
  nearestOf,
  nextLesson,
  openLessons,
  resumeAt,
  type Viewer,
  waitsFor,
} from './directory.ts';

const lesson = (id: number, chapterId: number | null, more: Partial<DirectoryLesson> = {}): DirectoryLesson => ({
  id,
  name: `L${id}`,
  courseId: 1,
  chapterId,
  kind: 'video',
  duration: 100,
  mediaId: 7,
  elective: false,
  trial: false,
  unready: false,
  afterId: null,
  ...more,
});
const chapter = (id: number, parentId: number | null, level: number) => ({
  id,
  name: `C${id}`,
  courseId: 1,
  parentId,
  level,
});
const chapters = [chapter(1, null, 1), chapter(2, 1, 2), chapter(3, null, 1), chapter(4, 2, 3)];
const progress = (...states: [id: number, state: 2 | 3, lastAt: number][]) =>
  new Map(states.map(([id, state, lastAt]): [number, DirectoryProgress] => [id, { state, lastAt }]));
const viewer = (more: Partial<Viewer> = {}): Viewer => ({
  enrolled: true,
  sequential: false,
  progress: new Map(),
  ...more,
});

describe('a lesson', () => {
  it.each([
    ['of a free pack is open to who is enrolled', {}, {}, {}, true],
    ['is closed to everybody else', {}, { enrolled: false }, {}, false],
    ['on trial is open to everybody', { trial: true }, { enrolled: false, sequential: true }, {}, true],
    ['is the first of a sequential pack', { afterId: null }, { sequential: true }, {}, true],
    ['waits for the one before it', { afterId: 9 }, { sequential: true }, {}, false],
    ['opens when that is finished', { afterId: 9 }, { sequential: true }, { before: 3 }, true],
    ['does not when it is begun', { afterId: 9 }, { sequential: true }, { before: 2 }, false],
    ['that was begun stays open', { afterId: 9 }, { sequential: true }, { own: 2 }, true],
    ['but not to who has left', { afterId: 9 }, { sequential: true, enrolled: false }, { own: 2 }, false],
  ] as const)('%s', (_, facts, who, of, open) => {
    const known = { own: 1, before: 1, ...of } as const;
    expect(
      isOpen({ trial: false, afterId: null, ...facts }, { enrolled: true, sequential: false, ...who }, known),
    ).toBe(open);
  });

  /** Lessons 1 to n, each after the one before it; those with an x are not ready. */
  const chain = (ready: string) =>
    new Map([...ready].map((sign, at) => [at + 1, { afterId: at === 0 ? null : at, unready: sign === 'x' }]));
  it.each<[string, string, number[], number | null]>([
    ['is the one before it', 'RR', [], 1],
    ['is none for the first', 'R', [], null],
    ['is not one that nobody can finish yet, but the one before that', 'RxR', [], 1],
    ['nor several of them', 'RxxR', [], 1],
    ['is none where nobody can finish any before it', 'xxR', [], null],
    ['is one that was finished before its media went', 'RxR', [2], 2],
  ])('that another one waits for %s', (_, ready, finished, expected) => {
    const lessons = chain(ready);
    const last = lessons.get(ready.length) ?? { afterId: null };
    expect(waitsFor(last, lessons, (id) => finished.includes(id))).toBe(expected);
  });

  it('comes after the last one of its course that is not elective', () => {
    const of = (slug: string, course: string, elective = false) => ({ slug, course, elective });
    expect([...lessonsBefore([of('a', 'x'), of('b', 'x', true), of('c', 'x'), of('d', 'y'), of('e', 'x')])]).toEqual([
      ['a', null],
      ['b', 'a'],
      ['c', 'a'],
      ['d', null],
      ['e', 'c'],
    ]);
  });
});

describe('the directory', () => {
  const lessons = [
    lesson(10, null),
    lesson(11, 1),
    lesson(12, 2, { elective: true, kind: 'audio', mediaId: null, duration: 0 }),
    lesson(13, 2, { afterId: 11 }),
  ];

  it('has the chapters that hold lessons, each with its own before those below it', () => {
    const [top, first, ...others] = growDirectory(chapters, lessons, viewer());
    expect(others).toEqual([]);
    expect(top).toMatchObject({
      id: 10,
      leaf: 2,
      level: 1,
      firstVideoId: 10,
      videoResourceId: 7,
      certState: 1,
      status: 1,
      nodeState: 1,
    });
    expect(first).toMatchObject({ id: -1, leaf: 1, level: 1, firstVideoId: 11, firstCourseId: 1 });
    expect(first?.childes.map(({ id, level, leaf }) => [id, level, leaf])).toEqual([
      [11, 2, 2],
      [-2, 2, 1],
    ]);
    expect(first?.childes[1]?.childes).toMatchObject([
      { id: 12, level: 3, certState: 0, videoState: 1, duration: 0, videoResourceId: null },
      { id: 13, level: 3, certState: 1, videoState: 0 },
    ]);
  });

  it('shows what is locked and what was done; a folder is finished when all in it is', () => {
    const locked = viewer({ sequential: true, progress: progress([11, 2, 5]) });
    const [, first] = growDirectory(chapters, lessons, locked);
    expect(
      lessonsIn(first ? [first] : []).map(({ id, status, lockStatus, nodeState }) => [
        id,
        status,
        lockStatus,
        nodeState,
      ]),
    ).toEqual([
      [11, 1, 1, 2],
      [12, 1, 1, 1],
      [13, 0, 0, 1],
    ]);
    expect(first?.nodeState).toBe(2);
    const done = viewer({ sequential: true, progress: progress([11, 3, 5], [12, 3, 6], [13, 3, 7]) });
    expect(growDirectory(chapters, lessons, done)[1]).toMatchObject({ nodeState: 3, status: 1 });
    expect([...openLessons(lessons, viewer({ enrolled: false })).values()]).toEqual([false, false, false, false]);
  });

  it('a lesson whose chapter is gone stands at the top', () => {
    expect(growDirectory([], lessons, viewer()).map(({ id }) => id)).toEqual([10, 11, 12, 13]);
    expect(growDirectory(chapters, [], viewer())).toEqual([]);
  });

  it('opens the folders above a lesson', () => {
    const list = growDirectory(chapters, lessons, viewer());
    expect(foldersAbove(list, 13)).toEqual([-1, -2]);
    expect(foldersAbove(list, 11)).toEqual([-1]);
    expect(foldersAbove(list, 10)).toEqual([]);
    expect(foldersAbove(list, 99)).toEqual([]);
  });

  const row = (id: number, nodeState: 1 | 2 | 3, lockStatus = 1) => ({ id, nodeState, lockStatus });
  it.each([
    [1, { ok: true, lesson: row(2, 1) }],
    // Which one is locked is said too: that one was asked for.
    [2, { ok: false, why: 'locked', lesson: row(3, 1, 0) }],
    [3, { ok: false, why: 'last' }],
  ] as const)('after lesson %i', (id, next) => {
    expect(nextLesson([row(1, 3), row(2, 1), row(3, 1, 0)], id)).toEqual(next);
  });

  it.each<[string, ReturnType<typeof row>[], Map<number, DirectoryProgress>, number | null]>([
    ['nothing was done: at the first', [row(1, 1), row(2, 1)], new Map(), 1],
    ['where one was last', [row(1, 2), row(2, 2)], progress([1, 2, 9], [2, 2, 5]), 1],
    ['after the one that is finished', [row(1, 3), row(2, 1)], progress([1, 3, 9]), 2],
    ['then from the beginning', [row(1, 1), row(2, 3)], progress([2, 3, 9]), 1],
    ['not at a locked one', [row(1, 3), row(2, 1, 0), row(3, 1)], progress([1, 3, 9]), 3],
    ['all finished: where one was last', [row(1, 3), row(2, 3)], progress([1, 3, 9], [2, 3, 5]), 1],
    ['none is open', [row(1, 1, 0)], new Map(), null],
    ['there is none', [], new Map(), null],
  ])('goes on: %s', (_, rows, done, id) => {
    expect(resumeAt(rows, done, new Set())?.id ?? null).toBe(id);
  });
  it.each<[string, ReturnType<typeof row>[], number[], Map<number, DirectoryProgress>, number | null]>([
    ['past one that nobody can finish yet', [row(1, 3), row(2, 1), row(3, 1)], [2], progress([1, 3, 9]), 3],
    ['past one that was looked at, too', [row(1, 3), row(2, 2), row(3, 1)], [2], progress([2, 2, 9]), 3],
    ['there where nothing else is left', [row(1, 3), row(2, 2)], [2], progress([1, 3, 5], [2, 2, 9]), 2],
    ['at the first where nobody can finish any', [row(1, 1), row(2, 1)], [1, 2], new Map(), 1],
  ])('goes on %s', (_, rows, unready, done, id) => {
    expect(resumeAt(rows, done, new Set(unready))?.id ?? null).toBe(id);
  });
});

it.each([
  [0, '00:00'],
  [Number.NaN, '00:00'],
  [-5, '00:00'],
  [59.9, '00:59'],
  [61, '01:01'],
  [3600, '60:00'],
  [7325, '122:05'],
])('%f s read %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});

describe('what stands nearest to a lesson', () => {
  const at = (chapterId: number, totalQuestion = 5) => ({ chapterId, totalQuestion });
  it.each([
    ['at its own chapter', [at(1), at(4)], 4, 4],
    ['at the one above, as that of its own has no question', [at(2), at(4, 0)], 4, 2],
    ['at the top of its branch', [at(1), at(3)], 4, 1],
    ['of two at one chapter the first', [at(3, 7), at(3, 9)], 3, 3],
    ['not at another branch', [at(3)], 4, null],
    ['at the top of a course nothing', [at(1)], null, null],
    ['at a chapter that is not on offer any more nothing', [at(1)], 99, null],
  ])('is %s', (_where, things, chapterId, expected) => {
    expect(nearestOf(things, chapterId, chapters)?.chapterId ?? null).toBe(expected);
  });
  it('ends where chapters stand in each other', () => {
    const round = [chapter(1, 2, 1), chapter(2, 1, 1)];
    expect(nearestOf([at(9)], 1, round)).toBeNull();
  });
});

describe('credits', () => {
  it('are earned, all, and still open', () => {
    expect(sumCredits([])).toEqual({ earned: 0, total: 0, open: 0 });
    const items = [
      { credits: 1.5, earned: true },
      { credits: 2, earned: false },
      { credits: 0.5, earned: true },
    ];
    expect(sumCredits(items)).toEqual({ earned: 2, total: 4, open: 2 });
  });
  it.each([
    [0, 0, false],
    [3, 2, false],
    [3, 3, true],
    // Questions were taken out since.
    [3, 4, true],
  ])('of %i questions %i answered: done %s', (total, done, is) => {
    expect(isPracticeDone({ total, done })).toBe(is);
  });
});
