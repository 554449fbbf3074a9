import { expect, it } from 'vitest';
import { sayGreeting, taskKeys } from './words.ts';

const about = { packId: 3, firstVideoId: null, chapterId: null, examId: null };
const lesson = (firstVideoId: number) => ({ ...about, kind: 'lesson' as const, firstVideoId });

it.each([
  ['nothing', [], []],
  ['of one lesson twice, done and to go on with', [lesson(5), lesson(6), lesson(5)], ['0', '0', '1']],
  [
    'of one practice in three parts',
    [9, 9, 9].map((chapterId) => ({ ...about, kind: 'practice' as const, chapterId })),
    ['0', '1', '2'],
  ],
])('%s: each task has a key of its own', (_, tasks, times) => {
  const keys = taskKeys(tasks);
  expect(keys.map((key) => key.split(' ').at(-1))).toEqual(times);
  expect(new Set(keys).size).toBe(tasks.length);
});

it('a practice keeps its key when it is begun, a paper has that of its exam', () => {
  const practice = { ...about, kind: 'practice' as const, chapterId: 9 };
  expect(taskKeys([{ ...practice, examId: 77 }])).toEqual(taskKeys([practice]));
  const review = { ...about, kind: 'review' as const };
  expect(taskKeys([{ ...review, examId: 5 }])).toEqual(taskKeys([review]));
  const paper = { ...about, kind: 'paper' as const };
  expect(taskKeys([{ ...paper, examId: 1 }])).not.toEqual(taskKeys([{ ...paper, examId: 2 }]));
});

it.each([
  ['before it is known', undefined, '小砺，您好'],
  ['without a course', { packs: [], begun: 0 }, '小砺，欢迎来到砺学'],
  ['without a course any more', { packs: [], begun: 1 }, '小砺，欢迎来到砺学'],
  ['with a course and nothing done', { packs: [{ daysLeft: null }], begun: 0 }, '小砺，开始学吧'],
  ['with an exam to come and nothing done', { packs: [{ daysLeft: 3 }, { daysLeft: -1 }], begun: 0 }, '小砺，开始学吧'],
  ['on other days', { packs: [{ daysLeft: null }, { daysLeft: 3 }, { daysLeft: -1 }], begun: 1 }, '小砺，接着学吧'],
  [
    'on the day of an exam, whatever else there is to learn',
    { packs: [{ daysLeft: 147 }, { daysLeft: 0 }], begun: 1 },
    '小砺，今天考试，加油',
  ],
  ['on the day of an exam with nothing done', { packs: [{ daysLeft: 0 }], begun: 0 }, '小砺，今天考试，加油'],
] as const)('%s a student is met so', (_, today, words) => {
  expect(sayGreeting('小砺', today)).toBe(words);
});
