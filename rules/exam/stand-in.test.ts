import { describe, expect, it } from 'vitest';
import { dayFrom, newCard, startOfDay } from './schedule.ts';
import { type Sibling, standInRating, standInsOf } from './stand-in.ts';

const today = dayFrom('2026-11-22') ?? 0;
const now = startOfDay(today) + 3_600_000;
const due = (questionId: number, reps: number) => ({ questionId, card: { ...newCard('again', now, null), reps } });
const sibling = (questionId: number, answeredAt: number | null = null): Sibling => ({ questionId, answeredAt });

describe('a question that stands for another of its knowledge point', () => {
  it.each<[string, [number, number][], Record<number, Sibling[]>, [number, number][]]>([
    ['not at the first review', [[1, 0]], { 1: [sibling(9)] }, []],
    ['at the second', [[1, 1]], { 1: [sibling(9)] }, [[1, 9]]],
    ['not at the third', [[1, 2]], { 1: [sibling(9)] }, []],
    ['the bank has no other', [[1, 1]], {}, []],
    ['one that was never answered first', [[1, 1]], { 1: [sibling(7, 5), sibling(9)] }, [[1, 9]]],
    ['then the one answered longest ago', [[1, 1]], { 1: [sibling(7, 5), sibling(9, 3)] }, [[1, 9]]],
    [
      'none that is in the set itself',
      [
        [1, 1],
        [9, 0],
      ],
      { 1: [sibling(9)] },
      [],
    ],
    [
      'none twice',
      [
        [1, 1],
        [2, 3],
      ],
      { 1: [sibling(9)], 2: [sibling(9), sibling(10, 1)] },
      [
        [1, 9],
        [2, 10],
      ],
    ],
  ])('%s', (_, set, siblings, chosen) => {
    const items = set.map(([questionId, reps]) => due(questionId, reps));
    expect([...standInsOf(items, (id) => siblings[id] ?? [], { now, examDay: null })]).toEqual(chosen);
  });

  it.each([
    [7, []],
    [8, [[1, 9]]],
    [0, [[1, 9]]],
    [-3, [[1, 9]]],
  ])('%i days before the exam', (days, chosen) =>
    expect([...standInsOf([due(1, 1)], () => [sibling(9)], { now, examDay: today + days })]).toEqual(chosen),
  );

  it.each([
    ['right', 'good'],
    ['guessed', 'hard'],
    ['wrong', null],
    ['notWrong', null],
    ['notGuessed', null],
  ] as const)('answered %s, it rates the card %s', (evidence, rating) => expect(standInRating(evidence)).toBe(rating));
});
