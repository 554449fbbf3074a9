import { describe, expect, it } from 'vitest';
import { areShort, cssString, linesFor, type PrintedQuestion, printLines, saysPoints } from './print-lines.ts';

const printed = (
  questionId: number,
  questionTypesId: 1 | 2 | 4,
  parentCaseStudyId: number | null = null,
): PrintedQuestion => ({
  question: {
    questionId,
    questionTypesId,
    topic: '',
    options: {},
    score: 1.5,
    chapterId: 1,
    parentCaseStudyId,
    showAnswerFlag: 0,
    rightAnswer: '',
    answerAnalysis: '',
    points: [],
    accuracyRate: null,
    gradeMode: 'key',
  },
  note: '',
  withheld: true,
});
const cases = [{ id: 7, title: '', text: '材料七' }];

describe('the lines of a printed paper', () => {
  it('begin a part with each type, and a case with its material', () => {
    const lines = printLines(
      [printed(1, 1), printed(2, 1), printed(3, 2), printed(4, 2, 7), printed(5, 4, 7)],
      cases,
      [],
    );
    expect(lines.map(({ number, heading, material }) => [number, heading, material])).toEqual([
      [1, { title: '', type: 1, count: 2, score: 3 }, null],
      [2, null, null],
      [3, { title: '', type: 2, count: 1, score: 1.5 }, null],
      [4, { title: '', type: 0, count: 2, score: 3 }, '材料七'],
      [5, null, null],
    ]);
  });

  it('follow the sections of the paper', () => {
    const sections = [
      { title: '甲', questionIds: [1] },
      { title: '乙', questionIds: [2, 3] },
    ];
    const lines = printLines([printed(1, 1), printed(2, 1), printed(3, 2)], cases, sections);
    expect(lines.map(({ heading }) => heading?.title)).toEqual(['甲', '乙', undefined]);
  });

  it('have no parts in a list', () => {
    const lines = printLines([printed(1, 1), printed(2, 2, 7)], cases, null);
    expect(lines.map(({ heading, material }) => [heading, material])).toEqual([
      [null, null],
      [null, '材料七'],
    ]);
  });
});

it.each<[Record<string, string>, boolean]>([
  [{ A: '<p>对</p>', B: '<p>错</p>' }, true],
  [{ A: '<p>短</p>', B: '<p>这一个选项长得多，放不下</p>' }, false],
  [{ A: '<img src="x">' }, false],
])('short options %j: %s', (options, short) => expect(areShort(options)).toBe(short));

it.each([
  ['一、判断题（每小题 2 分，共 10 分）', true],
  ['证明题（10分）', true],
  ['第一部分 选择题', false],
  ['', false],
])('the title “%s” says its points: %s', (title, says) => expect(saysPoints(title)).toBe(says));

it('room for an answer grows with its points, within bounds', () =>
  expect([1, 6, 100].map(linesFor)).toEqual([4, 6, 16]));

it('a name in CSS ends nothing', () =>
  expect(cssString('a"b\\c\n</style>')).toBe('"a\\22 b\\5c c\\a \\3c /style\\3e "'));
