import { expect, it } from 'vitest';
import { type NextStep, nextSteps } from './next-steps.ts';

type Facts = Parameters<typeof nextSteps>[0];
type Other = NonNullable<Parameters<typeof nextSteps>[1]>;

/** So many questions, from 1 or from where it says. */
const questions = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);
const chapter = (
  chapterId: number,
  name: string,
  earned: number,
  total: number,
  { wrong = 0, ...more }: { wrong?: number; pending?: number; practiceId?: null } = {},
) => ({
  chapterId,
  name,
  earned,
  total,
  pending: 0,
  wrong: questions(wrong),
  practiceId: chapterId + 100,
  ...more,
});
const nothing: Facts = { pendingCount: 0, chapters: [], types: [] };
const nothingElse: Other = { review: 0, again: null, newChapters: [], newPapers: 0, wrongOfPack: 0, bank: 0 };
const allElse: Other = {
  review: 12,
  again: { score: 20, pass: 30 },
  newChapters: [
    { examId: 7, chapterName: '新章', totalQuestion: 30 },
    { examId: 8, chapterName: '再一章', totalQuestion: 5 },
  ],
  newPapers: 2,
  wrongOfPack: 1,
  bank: 50,
};

it.each<[string, Facts, Other | undefined, NextStep[]]>([
  ['nothing is true', nothing, nothingElse, []],
  ['a record alone says nothing', nothing, undefined, []],
  [
    'scores to give come first, then the chapter that lost most, then a practice of the weakest',
    {
      pendingCount: 2,
      chapters: [
        chapter(1, '大章', 20, 50, { wrong: 9 }),
        chapter(2, '弱章', 1, 10, { wrong: 4 }),
        chapter(3, '好章', 9, 10, { wrong: 1 }),
      ],
      types: [],
    },
    undefined,
    [
      { code: 'score', count: 2 },
      { code: 'wrongOfChapter', chapterId: 1, chapterName: '大章', count: 9, lost: 30 },
      { code: 'practise', examId: 102, chapterName: '弱章', percent: 10 },
    ],
  ],
  [
    'the mistakes of a type are a step of their own where they are others',
    {
      pendingCount: 0,
      chapters: [chapter(1, '甲', 8, 10, { wrong: 1 }), chapter(2, '乙', 8.5, 10, { wrong: 1 })],
      types: [{ questionTypesId: 3, earned: 6.5, total: 10, pending: 0, wrong: questions(2) }],
    },
    nothingElse,
    [
      { code: 'wrongOfChapter', chapterId: 1, chapterName: '甲', count: 1, lost: 2 },
      { code: 'wrongOfType', questionTypesId: 3, count: 2, lost: 3.5 },
    ],
  ],
  [
    'not where they are the same; what waits beside the record fills up',
    {
      pendingCount: 0,
      chapters: [chapter(1, '甲', 8, 10, { wrong: 1 })],
      types: [{ questionTypesId: 2, earned: 8, total: 10, pending: 0, wrong: questions(1) }],
    },
    allElse,
    [
      { code: 'wrongOfChapter', chapterId: 1, chapterName: '甲', count: 1, lost: 2 },
      { code: 'review', count: 12 },
      { code: 'again', score: 20, pass: 30 },
    ],
  ],
  [
    'not the same because they are as many: others are a step of their own, and the list of the pack has nothing beside the two',
    {
      pendingCount: 0,
      chapters: [chapter(1, '甲', 8, 10, { wrong: 2 })],
      types: [{ questionTypesId: 2, earned: 8, total: 10, pending: 0, wrong: questions(2, 2) }],
    },
    { ...nothingElse, wrongOfPack: 3, bank: 9 },
    [
      { code: 'wrongOfChapter', chapterId: 1, chapterName: '甲', count: 2, lost: 2 },
      { code: 'wrongOfType', questionTypesId: 2, count: 2, lost: 2 },
      { code: 'random', count: 9 },
    ],
  ],
  [
    'mistakes that were worked off already are no step, nor a chapter without a practice',
    { pendingCount: 0, chapters: [chapter(1, '甲', 2, 10, { practiceId: null })], types: [] },
    { ...allElse, again: null },
    [
      { code: 'review', count: 12 },
      { code: 'newChapter', examId: 7, chapterName: '新章', totalQuestion: 30 },
      { code: 'newPaper', count: 2 },
    ],
  ],
  [
    'a guess that was right lost nothing',
    { pendingCount: 0, chapters: [chapter(1, '甲', 10, 10, { wrong: 1 })], types: [] },
    nothingElse,
    [],
  ],
  [
    'what waits for its score makes no chapter weak',
    {
      pendingCount: 1,
      chapters: [chapter(1, '甲', 0, 10, { pending: 10 }), chapter(2, '乙', 8, 20, { pending: 10 })],
      types: [],
    },
    nothingElse,
    [{ code: 'score', count: 1 }],
  ],
  [
    'a perfect practice: what was never begun, further chapters too',
    { ...nothing, chapters: [chapter(1, '甲', 10, 10)] },
    { ...allElse, review: 0, again: { score: 10, pass: 6 }, wrongOfPack: 0 },
    [
      { code: 'newChapter', examId: 7, chapterName: '新章', totalQuestion: 30 },
      { code: 'newPaper', count: 2 },
      { code: 'newChapter', examId: 8, chapterName: '再一章', totalQuestion: 5 },
    ],
  ],
  [
    'a perfect practice at the end of a pack: older mistakes, then a random paper',
    { ...nothing, chapters: [chapter(1, '甲', 10, 10)] },
    { ...nothingElse, newPapers: 1, wrongOfPack: 4, bank: 50 },
    [
      { code: 'newPaper', count: 1 },
      { code: 'wrongOfPack', count: 4 },
      { code: 'random', count: 50 },
    ],
  ],
  [
    'the list of the pack is no second step where it has nothing but the mistakes of this record',
    { ...nothing, chapters: [chapter(1, '甲', 8, 10, { wrong: 2 })] },
    { ...nothingElse, wrongOfPack: 2, bank: 9 },
    [
      { code: 'wrongOfChapter', chapterId: 1, chapterName: '甲', count: 2, lost: 2 },
      { code: 'random', count: 9 },
    ],
  ],
  [
    'less than a pass by the mark of the paper needs one',
    nothing,
    { ...nothingElse, again: { score: 65, pass: 70 } },
    [{ code: 'again', score: 65, pass: 70 }],
  ],
  ['a pass needs no second try', nothing, { ...nothingElse, again: { score: 45, pass: 45 } }, []],
  [
    'of two that are as weak the greater',
    { ...nothing, chapters: [chapter(1, '小', 1, 4), chapter(2, '大', 5, 20)] },
    nothingElse,
    [{ code: 'practise', examId: 102, chapterName: '大', percent: 25 }],
  ],
])('%s', (_, facts, other, steps) => expect(nextSteps(facts, other)).toEqual(steps));
