import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTimes, LONGEST_ANSWER, lostPerMinute, medianTime, timeBucket } from './answer-time.ts';

const START = 1_000_000;
/** [question, seconds spent on the record at its save, seconds since its start when it arrived] */
type Row = [questionId: number, totalTime: number, savedAfter: number];

describe('seconds of each answer', () => {
  it.each<[string, Row[], number, [number, number][]]>([
    ['none', [], 0, []],
    [
      'one after the other',
      [
        [1, 10, 10],
        [2, 40, 41],
        [3, 45, 46],
      ],
      50,
      [
        [1, 10],
        [2, 30],
        [3, 5],
      ],
    ],
    [
      'in the order in which they were answered',
      [
        [1, 90, 90],
        [2, 20, 20],
      ],
      90,
      [
        [2, 20],
        [1, 70],
      ],
    ],
    [
      'answered together, they share',
      [
        [1, 60, 60],
        [2, 61, 61],
        [3, 61, 61],
      ],
      61,
      [
        [1, 20],
        [2, 21],
        [3, 20],
      ],
    ],
    [
      'with the hand-in',
      [
        [1, 30, 30],
        [2, 0, 90],
        [3, 0, 90],
      ],
      90,
      [
        [1, 30],
        [2, 30],
        [3, 30],
      ],
    ],
    [
      'by the clock of the server where none reports',
      [
        [1, 0, 12],
        [2, 0, 32],
      ],
      0,
      [
        [1, 12],
        [2, 20],
      ],
    ],
    [
      'by the clock of the server too, what only the hand-in reports',
      [
        [1, 0, 12],
        [2, 0, 32],
      ],
      40,
      [
        [1, 12],
        [2, 20],
      ],
    ],
    [
      'no longer than anybody thinks',
      [
        [1, 7200, 7300],
        [2, 7230, 7330],
      ],
      7230,
      [
        [1, LONGEST_ANSWER],
        [2, 30],
      ],
    ],
    ['no longer than the record was open', [[1, 900, 5]], 900, [[1, 5]]],
    [
      'none of them longer than it was open when it came, though all together are not',
      [
        [1, 900, 5],
        [2, 1000, 1000],
      ],
      1000,
      [
        [1, 5],
        [2, 100],
      ],
    ],
    [
      'what was spent elsewhere meanwhile is no time of theirs',
      [
        [1, 10, 300],
        [2, 20, 600],
      ],
      20,
      [
        [1, 10],
        [2, 10],
      ],
    ],
    [
      'not longer together than the record was open either: what took long stays what took long',
      [
        [1, 40, 5],
        [2, 60, 10],
        [3, 100, 10],
      ],
      100,
      [
        [1, 4],
        [2, 2],
        [3, 4],
      ],
    ],
    [
      'rounded so that the sum is that of the record',
      [
        [1, 10, 10],
        [2, 10, 10],
        [3, 10, 10],
        [4, 10, 10],
      ],
      10,
      [
        [1, 3],
        [2, 2],
        [3, 3],
        [4, 2],
      ],
    ],
    ['a clock that was set back', [[1, 0, -5]], 0, [[1, 0]]],
  ])('%s', (_, rows, totalTime, expected) => {
    const answers = rows.map(([questionId, total, after]) => ({
      questionId,
      totalTime: total,
      savedAt: START + after * 1000,
    }));
    expect([...answerTimes(answers, { startedAt: START, totalTime })]).toEqual(expected);
  });

  it('add up to no more than was spent, and are never negative', () => {
    const row = fc.record({
      questionId: fc.integer({ min: 1, max: 500 }),
      totalTime: fc.integer({ min: 0, max: 20_000 }),
      savedAt: fc.integer({ min: START - 10_000, max: START + 20_000_000 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ({ questionId }) => questionId }), (answers) => {
        const most = Math.max(0, ...answers.map(({ totalTime }) => totalTime));
        const times = [...answerTimes(answers, { startedAt: START, totalTime: most }).values()];
        expect(times).toHaveLength(answers.length);
        for (const seconds of times) expect(seconds).toBeGreaterThanOrEqual(0);
        const sum = times.reduce((all, seconds) => all + seconds, 0);
        const open = Math.max(0, ...answers.map(({ savedAt }) => (savedAt - START) / 1000));
        expect(sum).toBeLessThanOrEqual(Math.ceil(most > 0 ? Math.min(most, open) : open));
      }),
    );
  });
});

describe('the median of many', () => {
  const counted = (times: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const seconds of times) counts.set(timeBucket(seconds), (counts.get(timeBucket(seconds)) ?? 0) + 1);
    return counts;
  };

  it.each<[string, number[], number | null]>([
    ['nobody', [], null],
    ['two', [10, 20], null],
    ['nothing but zero', [0, 0, 0], 0],
  ])('%s', (_, times, expected) => expect(medianTime(counted(times))).toBe(expected));

  it('lies in the bucket of the true one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 1800 }), { minLength: 3, maxLength: 99 }), (times) => {
        const sorted = [...times].sort((a, b) => a - b);
        const [low = 0, high = 0] = [sorted[Math.ceil(times.length / 2) - 1], sorted[Math.floor(times.length / 2)]];
        const median = medianTime(counted(times)) ?? 0;
        expect(median).toBeGreaterThanOrEqual(Math.floor(low / 1.45));
        expect(median).toBeLessThanOrEqual(Math.ceil(high * 1.45) + 1);
      }),
    );
  });

  it('of times that are spread as people are, it is right to about a tenth', () => {
    const times = Array.from({ length: 101 }, (_, at) => Math.round(60 * 2 ** ((at - 50) / 20)));
    expect(Math.abs((medianTime(counted(times)) ?? 0) - 60)).toBeLessThanOrEqual(6);
  });
});

it.each([
  [6, 180, 2],
  [1, 90, 0.7],
  [2, 60, 2],
  [0, 90, 0],
  [5, 59, null],
  [5, 0, null],
])('%d points in %d seconds: %s a minute', (lost, seconds, expected) =>
  expect(lostPerMinute(lost, seconds)).toBe(expected),
);
