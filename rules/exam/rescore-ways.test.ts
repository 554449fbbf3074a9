import { describe, expect, it } from 'vitest';
import { mustWait, type RescoreLeg, waysThrough, waysTo } from './rescore-ways.ts';

const ruleLeg = (questionIds: number[], from: number, to: number): RescoreLeg => ({ questionIds, examId: 1, from, to });
const leg = (questionId: number, from: number, to: number, examId = 1): RescoreLeg => ({
  ...ruleLeg([questionId], from, to),
  examId,
});
const way = (version: number, ...questionIds: number[]) => ({ examId: 1, version, questionIds });

describe('the versions whose records come to another one yet', () => {
  const cases: [string, RescoreLeg[], number, ReturnType<typeof way>[]][] = [
    ['nothing is on its way', [], 2, []],
    ['one correction', [leg(10, 1, 2)], 2, [way(1, 10)]],
    ['two in a row', [leg(10, 1, 2), leg(11, 2, 3)], 3, [way(2, 11), way(1, 10, 11)]],
    [
      'three in a row, in whatever order they are read',
      [leg(12, 3, 4), leg(10, 1, 2), leg(11, 2, 3)],
      4,
      [way(3, 12), way(2, 11, 12), way(1, 10, 11, 12)],
    ],
    ['what leads away from it does not lead to it', [leg(10, 1, 2), leg(11, 2, 3)], 2, [way(1, 10)]],
    ['one question twice', [leg(10, 1, 2), leg(10, 2, 3)], 3, [way(2, 10), way(1, 10, 10)]],
    [
      'an older version that goes beside',
      [leg(10, 1, 3), leg(10, 2, 4), leg(11, 3, 5)],
      5,
      [way(3, 11), way(1, 10, 11)],
    ],
    ['two that come together', [leg(10, 1, 3), leg(11, 2, 3)], 3, [way(1, 10), way(2, 11)]],
    [
      'a rule of the paper between two keys',
      [leg(10, 1, 2), ruleLeg([11, 12], 2, 3), leg(13, 3, 4)],
      4,
      [way(3, 13), way(2, 11, 12, 13), way(1, 10, 11, 12, 13)],
    ],
    ['numbers of another paper', [leg(10, 1, 2, 7)], 2, []],
  ];
  it.each(cases)('%s', (_, legs, version, ways) => expect(waysTo(legs, { examId: 1, version })).toEqual(ways));

  it('a correction comes to what stands where it begins, and to all that comes there, by its own question last', () => {
    const legs = [leg(10, 1, 2), leg(11, 2, 3), leg(12, 3, 4)];
    expect(waysThrough(legs, leg(11, 2, 3))).toEqual([way(2, 11), way(1, 10, 11)]);
    expect(waysThrough(legs, leg(10, 1, 2))).toEqual([way(1, 10)]);
    expect(waysThrough([leg(10, 1, 2), ruleLeg([11, 12], 2, 3)], ruleLeg([11, 12], 2, 3))).toEqual([
      way(2, 11, 12),
      way(1, 10, 11, 12),
    ]);
  });
});

describe('whether a record waits for a hand-in', () => {
  const cases: [string, boolean, number[] | null, number[], boolean][] = [
    ['it is open', true, null, [10], true],
    ['its student sits nothing that is scored', false, null, [10], false],
    ['its student sits something else', false, [12], [10], false],
    ['its student sits the question', false, [10, 12], [10], true],
    ['its student sits what was corrected before it', false, [10], [10, 11], true],
    ['its student sits what is corrected after it', false, [11], [10], false],
    ['it is open, and its student sits the question too', true, [10], [10], true],
  ];
  it.each(cases)('%s', (_, open, sits, questionIds, waits) =>
    expect(mustWait({ open, hidden: sits === null ? undefined : new Set(sits) }, questionIds)).toBe(waits),
  );
});
