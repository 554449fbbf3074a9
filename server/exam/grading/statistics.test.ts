import { describe, expect, it } from 'vitest';
import type { Evidence } from '#rules/exam/wrong.ts';
import { StatisticChanges } from './statistics.ts';

const record = { userId: 1, examId: 2, kind: 'mock' } as const;
const was = { questionId: 3, keyVersion: 1, chapterId: 4 };
const is = { ...was, keyVersion: 2 };

it.each([
  [[1], 1],
  [[1, 1], 1],
  [[1, 2], 0],
  [[1, 2, 1], 0],
])('answers of %j are counted as of %i', (users, onlyTaker) => {
  const changes = new StatisticChanges();
  for (const userId of users) {
    changes.countAnswer({ ...record, userId }, was, { state: 1, guess: false, at: 9 });
    changes.study.time({ userId, packId: 5 }, was.questionId, { seconds: 7, difficulty: 1 }, 9, 1);
  }
  expect(changes.questions.get(3, 1)).toEqual({ taken: users.length, right: users.length, onlyTaker });
  expect([...changes.study.times.values()]).toEqual([{ taken: users.length, onlyTaker }]);
});

describe('an answer whose question is graded by another key', () => {
  type Row = [string, before: 0 | 1 | 2 | 4 | 5, now: 0 | 1 | 2 | 4 | 5, guess: boolean, Evidence[]];
  it.each<Row>([
    ['became wrong', 1, 2, false, ['wrong']],
    ['is a mistake no more', 2, 1, false, ['notWrong']],
    ['stays wrong', 2, 2, false, []],
    ['stays right', 1, 1, false, []],
    ['was a lucky guess and is a mistake', 1, 2, true, ['notGuessed', 'wrong']],
    ['was a mistake and is a lucky guess', 2, 1, true, ['notWrong', 'guessed']],
    ['stays a lucky guess', 1, 1, true, []],
    ['was a lucky guess of a question that is void now', 1, 5, true, ['notGuessed']],
    ['is a lucky guess of a question that counts again', 5, 1, true, ['guessed']],
    ['was open and still is', 0, 0, false, []],
    ['waits for its student', 5, 4, false, []],
  ])('%s', (_, before, now, guess, evidence) => {
    const changes = new StatisticChanges();
    changes.rekeyAnswer(record, { question: was, state: before }, { question: is, state: now }, { guess, at: 9 });
    expect(changes.evidence.map((one) => one.evidence)).toEqual(evidence);
    for (const one of changes.evidence)
      expect(one).toMatchObject({ userId: 1, questionId: 3, examId: 2, practiceId: null, at: 9 });
    const counts = (state: number) => ({ taken: state === 1 || state === 2 ? 1 : 0, right: state === 1 ? 1 : 0 });
    const zero = { taken: 0, right: 0, onlyTaker: 1 };
    const [old, next] = [counts(before), counts(now)];
    expect(changes.questions.get(3, 1) ?? zero).toEqual({ taken: 0 - old.taken, right: 0 - old.right, onlyTaker: 1 });
    expect(changes.questions.get(3, 2) ?? zero).toEqual({ ...next, onlyTaker: 1 });
    expect(changes.progress.get(1, 4) ?? { graded: 0, right: 0 }).toEqual({
      graded: next.taken - old.taken,
      right: next.right - old.right,
    });
  });
});
