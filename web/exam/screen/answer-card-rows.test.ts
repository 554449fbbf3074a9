import { expect, it } from 'vitest';
import type { Paper } from '../paper.ts';
import { cardRows, shortHeading } from './answer-card-rows.ts';

const question = (questionId: number, questionTypesId: 1 | 2 | 3) => ({
  questionId,
  questionTypesId,
  topic: '',
  options: {},
  score: 1,
  chapterId: 1,
  parentCaseStudyId: null,
  showAnswerFlag: 0,
});
const paper = (sections: Paper['sections'], types: (1 | 2 | 3)[]): Paper => ({
  recordId: 1,
  sections,
  questions: types.map((type, i) => question(i + 1, type)),
  cases: [],
});
const all = () => true;

it('groups by type where there is one section', () => {
  expect(cardRows(paper([{ title: '全部', questionIds: [1, 2, 3] }], [2, 2, 3]), 5, all)).toEqual([
    { heading: '单选题', count: 2 },
    { cells: [0, 1] },
    { heading: '多选题', count: 1 },
    { cells: [2] },
  ]);
});

it('gathers each type once, however a practice mixes them', () => {
  expect(cardRows(paper([], [1, 2, 1, 3, 2]), 5, all)).toEqual([
    { heading: '判断题', count: 2 },
    { cells: [0, 2] },
    { heading: '单选题', count: 2 },
    { cells: [1, 4] },
    { heading: '多选题', count: 1 },
    { cells: [3] },
  ]);
});

it('keeps two sections of the same title apart', () => {
  const sections = [
    { title: '选择题', questionIds: [1] },
    { title: '选择题', questionIds: [2] },
  ];
  expect(cardRows(paper(sections, [2, 2]), 5, all).filter((row) => 'heading' in row)).toHaveLength(2);
});

it('groups by the sections of the paper, in rows', () => {
  const sections = [
    { title: '一', questionIds: [1, 2, 3] },
    { title: '二', questionIds: [4] },
  ];
  expect(cardRows(paper(sections, [2, 2, 3, 1]), 2, all)).toEqual([
    { heading: '一', count: 3 },
    { cells: [0, 1] },
    { cells: [2] },
    { heading: '二', count: 1 },
    { cells: [3] },
  ]);
});

it('leaves out groups that the filter empties', () => {
  expect(cardRows(paper([], [2, 2, 3]), 5, (index) => index === 2)).toEqual([
    { heading: '多选题', count: 1 },
    { cells: [2] },
  ]);
});

it('2,000 questions are 401 rows', () => {
  expect(
    cardRows(
      paper(
        [],
        Array.from({ length: 2000 }, () => 2 as const),
      ),
      5,
      all,
    ),
  ).toHaveLength(401);
});

it.each([
  ['一、单项选择题（每题 2 分）', '一、单项选择题（每题 2 分）', '一、单项选择题'],
  ['不定项选择题', '不定项选择题', '不定项选择题'],
  ['不定项选择题', 'Multiple choice (one or more)', 'Multiple choice (one or more)'],
])('heading %s, said as %s: %s', (heading, said, short) => {
  expect(shortHeading(heading, said)).toBe(short);
});
