import { describe, expect, it } from 'vitest';
import type { GradeMode } from '#contract/values/exam.ts';
import { addChoice, attentionOf, BANDS, bandOf, byLetter, type Choices, lookReasons, qualityOf } from './quality.ts';

/** So many students gave an answer, each so good. */
const choices = (...groups: [answer: string, band: number, count: number][]): Choices => {
  const all: Choices = {};
  for (const [answer, band, count] of groups) for (let at = 0; at < count; at += 1) addChoice(all, answer, band);
  return all;
};

describe('the band of a student', () => {
  it.each([
    [{ earned: 0, total: 10, questions: 9 }, 0],
    [{ earned: 10, total: 10, questions: 9 }, BANDS - 1],
    [{ earned: 3, total: 20, questions: 9 }, 3],
    [{ earned: 4.9, total: 100, questions: 9 }, 0],
    // Of four other questions nothing is said.
    [{ earned: 4, total: 4, questions: 4 }, BANDS],
    // Of five something is; a tenth of the points is the third band, though 0.3 / 3 * 20 is a little less than two to a machine.
    [{ earned: 4, total: 5, questions: 5 }, 16],
    [{ earned: 0.3, total: 3, questions: 9 }, 2],
    [{ earned: -1, total: 2, questions: 9 }, 0],
    [{ earned: 0, total: 0, questions: 9 }, BANDS],
  ])('%j is %i', (rest, band) => expect(bandOf(rest)).toBe(band));
});

describe('the quality of a question', () => {
  it('says nothing of groups below forty students, and counts them all the same', () => {
    const found = qualityOf(choices(['A', 19, 30], ['B', 2, 9]), 'A');
    expect(found).toMatchObject({ answered: 39, discrimination: null, group: 0 });
    expect(found.rightRate).toBeCloseTo(30 / 39);
  });

  it('takes 27 of 100 above and below, a band that is cut by its share', () => {
    // The best 20 are right, of the next 20 half: 7 of them are in the group, 3.5 right. Below nobody is.
    const found = qualityOf(choices(['A', 19, 20], ['A', 15, 10], ['B', 15, 10], ['B', 3, 60]), 'A');
    expect(found.group).toBeCloseTo(27);
    expect(found.discrimination).toBeCloseTo(23.5 / 27);
    expect(found.given.map(({ answer, all }) => [answer, all])).toEqual([
      ['B', 70],
      ['A', 30],
    ]);
  });

  it('leaves those out of the groups whose rest is not known', () => {
    const found = qualityOf(choices(['A', 19, 20], ['B', 1, 20], ['A', BANDS, 500]), 'A');
    expect([found.answered, found.discrimination]).toEqual([540, 1]);
  });

  it('counts a letter in every answer that has it', () => {
    const { given } = qualityOf(choices(['AB', 19, 2], ['A', 3, 1], ['CD', 0, 4]), 'AB');
    expect(byLetter(given, 'ABCD').map(({ letter, all }) => [letter, all])).toEqual([
      ['A', 3],
      ['B', 2],
      ['C', 4],
      ['D', 4],
    ]);
  });
});

describe('what needs a look', () => {
  const good = choices(['A', 18, 40], ['B', 2, 40]);
  const wrongKey = choices(['B', 18, 40], ['A', 2, 30], ['C', 2, 10]);
  const flat = choices(['A', 18, 20], ['B', 18, 20], ['A', 2, 18], ['B', 2, 22]);
  const easy = choices(['A', 18, 40], ['A', 2, 38], ['B', 2, 2]);
  const cases: [string, Choices, { right: string; gradeMode?: GradeMode; reports?: number }, string[]][] = [
    ['a good one', good, { right: 'A' }, []],
    ['a good one that was reported', good, { right: 'A', reports: 2 }, ['reported']],
    ['a key that the good ones do not choose', wrongKey, { right: 'A' }, ['keyBeaten', 'negative']],
    ['the same with reports', wrongKey, { right: 'A', reports: 1 }, ['keyBeaten', 'negative', 'reported']],
    ['the same once its key is right', wrongKey, { right: 'B' }, []],
    ['the same once everybody gets the points', wrongKey, { right: 'A', gradeMode: 'all' }, []],
    ['one that tells nobody apart', flat, { right: 'A' }, ['weak']],
    ['an easy one', easy, { right: 'A' }, []],
    ['a text that the poor ones score higher', choices(['=1', 2, 40], ['=2', 18, 40]), { right: '=1' }, ['negative']],
    ['one of few students', choices(['B', 18, 20], ['A', 2, 19]), { right: 'A' }, []],
  ];
  it.each(cases)('%s', (_name, given, { right, gradeMode = 'key', reports = 0 }, reasons) => {
    expect(lookReasons(qualityOf(given, right), { right, gradeMode, reports })).toEqual(reasons);
  });

  it('a doubted key goes before everything else', () => {
    expect(attentionOf(['keyBeaten'])).toBeGreaterThan(attentionOf(['negative', 'reported', 'weak']));
    expect(attentionOf([])).toBe(0);
  });
});
