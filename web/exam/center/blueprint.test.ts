import { describe, expect, it } from 'vitest';
import {
  available,
  type BankChapter,
  type Blueprint,
  type BlueprintStep,
  blueprintAfter,
  blueprintAgain,
  countOf,
  freshBlueprint,
  rootsOf,
  totalOf,
} from './blueprint.ts';

const chapter = (chapterId: number, parentId: number | null, singles: number, texts = 0): BankChapter => ({
  chapterId,
  parentId,
  courseId: 1,
  courseName: '甲',
  name: `第 ${chapterId} 章`,
  level: parentId === null ? 1 : 2,
  types: [
    ...(singles > 0 ? [{ questionTypesId: 2 as const, count: singles }] : []),
    ...(texts > 0 ? [{ questionTypesId: 4 as const, count: texts }] : []),
  ],
});
/** 1 has 2 and 3 below it, 4 stands alone. */
const bank = [chapter(1, null, 1), chapter(2, 1, 12), chapter(3, 1, 0, 2), chapter(4, null, 30)];
const follow = (...steps: BlueprintStep[]) =>
  steps.reduce<Blueprint>((was, step) => blueprintAfter(bank, was, step), freshBlueprint(bank));
const without = (...ids: number[]) =>
  ids.map((chapterId): BlueprintStep => ({ type: 'chapter', chapterId, on: false }));
const choose = (...ids: number[]) => ids.map((chapterId): BlueprintStep => ({ type: 'chapter', chapterId, on: true }));

describe('the blueprint of a random paper', () => {
  it('opens with the whole pack and twenty questions in its shares', () => {
    const total = totalOf(bank, freshBlueprint(bank));
    expect(total).toMatchObject({ questions: 20, score: 24, minutes: 60, why: null });
    expect(total.lines).toEqual([
      { questionTypesId: 2, count: 19, score: 1 },
      { questionTypesId: 4, count: 1, score: 5 },
    ]);
    expect(rootsOf(bank, freshBlueprint(bank).chosen)).toBeUndefined();
    expect(countOf(bank, 1)).toBe(15);
  });

  it.each<[string, BlueprintStep[], number[], number[] | undefined]>([
    ['a chapter goes with all below it', without(1), [4], [4]],
    ['one below takes its parent with it', without(2), [3, 4], [3, 4]],
    ['all below bring their parent back', [...without(1), ...choose(2, 3)], [1, 2, 3, 4], undefined],
    ['a chapter whole is sent by itself', [{ type: 'all', on: false }, ...choose(1)], [1, 2, 3], [1]],
    ['none', [{ type: 'all', on: false }], [], []],
  ])('%s', (_, steps, chosen, roots) => {
    const blueprint = follow(...steps);
    expect([...blueprint.chosen].sort()).toEqual(chosen);
    expect(rootsOf(bank, blueprint.chosen)).toEqual(roots);
  });

  it.each<[string, BlueprintStep[], object]>([
    ['what the chosen chapters do not have', without(4), { why: 'bank', has: 13 }],
    ['no number', [{ type: 'line', of: 2, change: { count: '十' } }], { why: 'count' }],
    ['a broken count', [{ type: 'line', of: 2, change: { count: '1.5' } }], { why: 'count' }],
    ['no points', [{ type: 'line', of: 2, change: { score: '' } }], { why: 'score' }],
    ['points between the steps', [{ type: 'line', of: 2, change: { score: '1.3' } }], { why: 'score' }],
  ])('says at its line: %s', (_, steps, fault) => {
    expect(totalOf(bank, follow(...steps)).faults.get(2)).toEqual(fault);
  });

  it.each<[string, BlueprintStep[], string]>([
    ['no chapter', [{ type: 'all', on: false }], 'chapters'],
    ['no question', [{ type: 'spread', count: 0 }], 'nothing'],
    ['too short', [{ type: 'minutes', minutes: '4' }], 'minutes'],
    ['too long', [{ type: 'minutes', minutes: '301' }], 'minutes'],
    ['no time', [{ type: 'minutes', minutes: '' }], 'minutes'],
  ])('says of the whole: %s', (_, steps, why) => expect(totalOf(bank, follow(...steps)).why).toBe(why));

  it('spreads no more than there is, and keeps the points that were typed', () => {
    const blueprint = follow(
      { type: 'line', of: 4, change: { score: '8.5' } },
      { type: 'chapter', chapterId: 4, on: false },
      { type: 'spread', count: 100 },
    );
    expect(totalOf(bank, blueprint)).toMatchObject({ questions: 15, score: 30, why: null });
    expect(available(bank, blueprint.chosen)).toEqual(
      new Map([
        [2, 13],
        [4, 2],
      ]),
    );
  });
});

describe('the blueprint of the last paper', () => {
  const last = { lines: [{ questionTypesId: 2 as const, count: 7, score: 1.5 }], examTime: 45 };
  const again = (chapterIds: number[] | null) => blueprintAgain(bank, { ...last, chapterIds });

  it.each([
    ['chapters with all below them', [1], [1, 2, 3]],
    ['the whole pack', null, [1, 2, 3, 4]],
    ['without chapters that are gone', [4, 9], [4]],
  ])('opens the form again: %s', (_, asked, chosen) => {
    const total = totalOf(bank, again(asked));
    expect([...again(asked).chosen]).toEqual(chosen);
    expect(total).toMatchObject({ lines: last.lines, minutes: 45, why: null });
    expect(total.faults.size).toBe(0);
  });

  it('says what the bank has no more', () => {
    expect(totalOf(bank, again([3])).faults.get(2)).toEqual({ why: 'bank', has: 0 });
  });

  it('is a fresh one where there is none, or none of its chapters', () => {
    expect(blueprintAgain(bank, null)).toEqual(freshBlueprint(bank));
    expect(again([9])).toEqual(freshBlueprint(bank));
  });
});
