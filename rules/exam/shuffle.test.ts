import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeLayout, shownOptions, toShown, toStored } from './shuffle.ts';

const question = (questionId: number, type = 2, letters = 'ABCD', caseId: number | null = null) => ({
  questionId,
  type,
  letters,
  caseId,
});
const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('makeLayout', () => {
  it('is null when nothing is shuffled', () => {
    expect(makeLayout([[question(1)]], { questions: false, options: false }, 1)).toBeNull();
  });

  it('is the same for the same seed, and differs between seeds', () => {
    const paper = [Array.from({ length: 30 }, (_, at) => question(at + 1))];
    const both = { questions: true, options: true };
    expect(makeLayout(paper, both, 7)).toEqual(makeLayout(paper, both, 7));
    expect(makeLayout(paper, both, 7)).not.toEqual(makeLayout(paper, both, 8));
  });

  it('keeps every question once, in its section, and cases together in their order', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const first = [1, 2, 3, 4].map((id) => question(id));
        const second = [
          question(5),
          question(6, 2, 'ABCD', 9),
          question(7, 2, 'ABCD', 9),
          question(8, 2, 'ABCD', 9),
          question(10),
        ];
        const order = makeLayout([first, second], { questions: true, options: false }, seed)?.order ?? [];
        expect([...order.slice(0, 4)].sort((a, b) => a - b)).toEqual([1, 2, 3, 4]);
        expect([...order].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
        const at = order.indexOf(6);
        expect(order.slice(at, at + 3)).toEqual([6, 7, 8]);
      }),
    );
  });

  it('moves every question and every case by itself: all their orders come up, and no other', () => {
    const section = [
      question(1, 2, 'ABCD', 7),
      question(2, 2, 'ABCD', 7),
      question(3, 2, 'ABCD', 8),
      question(4, 2, 'ABCD', 8),
      question(5),
      question(6),
    ];
    const orders = new Set(
      Array.from({ length: 400 }, (_, seed) =>
        makeLayout([section], { questions: true, options: false }, seed)?.order.join(''),
      ),
    );
    expect(orders.size).toBe(24);
    for (const order of orders) expect(order).toMatch(/12.*34|34.*12/);
  });

  it('never swaps the options of judge and text questions, nor a single option', () => {
    const layout = makeLayout(
      [[question(1, 1, 'AB'), question(2, 4, ''), question(3), question(4, 2, 'A')]],
      { questions: false, options: true },
      3,
    );
    expect(Object.keys(layout?.options ?? {})).toEqual(['3']);
    expect(layout?.order).toEqual([1, 2, 3, 4]);
  });

  it('leaves the options alone when only questions are shuffled', () => {
    expect(makeLayout([[question(1)]], { questions: true, options: false }, 3)).toEqual({ order: [1] });
  });

  it('gives every option every place', () => {
    const places = new Set(
      Array.from(
        { length: 200 },
        (_, seed) => makeLayout([[question(1)]], { questions: false, options: true }, seed)?.options?.[1],
      ),
    );
    expect(places.size).toBe(24);
  });
});

describe('letters', () => {
  it.each([
    ['A', 'CADB', 'C'],
    ['AB', 'CADB', 'AC'],
    ['ABCD', 'CADB', 'ABCD'],
    ['', 'CADB', ''],
    ['BD', undefined, 'BD'],
  ])('shown %s with %s is stored %s', (shown, permutation, stored) => {
    expect(toStored(shown, permutation)).toBe(stored);
    expect(toShown(stored, permutation)).toBe(shown);
  });

  it('a letter that is not on offer stands for nothing', () => {
    expect(toStored('AE', 'CADB')).toBe('C');
    expect(toShown('CE', 'CADB')).toBe('A');
  });

  it('come back as they went for every layout and every choice', () => {
    fc.assert(
      fc.property(seeds, fc.subarray([...'ABCDEFGH']), (seed, chosen) => {
        const layout = makeLayout([[question(1, 3, 'ABCDEFGH')]], { questions: false, options: true }, seed);
        const permutation = layout?.options?.[1];
        const shown = chosen.join('');
        expect(toShown(toStored(shown, permutation), permutation)).toBe(shown);
      }),
    );
  });

  it('a shown letter has the text of the option it stands for', () => {
    expect(shownOptions({ A: 'a', B: 'b', C: 'c' }, 'CAB')).toEqual({ A: 'c', B: 'a', C: 'b' });
    expect(shownOptions({ A: 'a' }, 'BA')).toEqual({ A: '', B: 'a' });
    expect(shownOptions({ A: 'a', B: 'b' }, undefined)).toEqual({ A: 'a', B: 'b' });
  });
});
